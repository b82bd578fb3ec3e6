//! `ludion count`: counts all games and positions of a small game, or for a larger one the
//! positions after each number of plies.

use clap::Args;
use ludion::outcome::AnyOutcome;
use ludion::registry::{AnyCensus, AnyOutcomeFrequency};
use ludion::search::census::CensusError;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, paint, plural};
use crate::position_args::PositionArgs;
use crate::table::figures;

/// Count complete games and positions; compute the outcome of perfect and of random play
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion count tictactoe
  ludion count \"hexapawn(4, 4)\" --json
  ludion count connect4 --plies 8            positions ply by ply
  ludion count connect4 --from \"xo.xoxo/oxoxoxo/xoxoxox/xoxoxox/oxoxoxo/xoxoxox\"")]
pub(crate) struct CountArgs {
    #[command(flatten)]
    place: PositionArgs,
    /// Stop with an error if the positions have more than this many moves in all, to bound time and
    /// memory
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Count positions after 0, 1, … PLIES plies instead; the limit then applies to the positions
    /// of each ply
    #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1000))]
    plies: Option<u32>,
}

#[derive(Serialize)]
struct CensusReport {
    game: String,
    state: String,
    #[serde(serialize_with = "exact")]
    games: BigUint,
    positions: u64,
    longest: u32,
    perfect: AnyOutcome,
    ends: Vec<OutcomeShare>,
}

#[derive(Serialize)]
struct OutcomeShare {
    outcome: AnyOutcome,
    #[serde(serialize_with = "exact")]
    games: BigUint,
    /// Probability of the outcome if both sides play at random, as an exact fraction.
    chance: String,
    decimal: f64,
}

#[derive(Serialize)]
struct PlyRange {
    game: String,
    state: String,
    plies: Vec<u64>,
}

/// Serialises a number of any size as a JSON number with all its digits.
fn exact<S: Serializer>(number: &BigUint, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(number.to_string())
        .map_err(serde::ser::Error::custom)?
        .serialize(serializer)
}

impl CountArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let record = self.place.open(&context.registry)?;
        let (game, position) = (record.game.spec().to_owned(), record.position());
        let state = position.show();
        let failed = |error| CommandFailure::Failed(self.advice(&game, error));
        let progress = context.progress("positions").depends_on("the number of positions");
        match self.plies {
            Some(depth) => {
                let on_progress = &mut |ply, positions| {
                    progress.update(positions, None, || format!("of ply {ply} of {depth}"));
                };
                let plies = position.positions_by_ply_with_progress(depth, self.limit, on_progress);
                progress.finish();
                let plies = plies.map_err(failed)?;
                context.output.report(&PlyRange { game, state, plies })
            }
            None => {
                let mut is_counted = false;
                let on_progress = &mut |done, total: Option<u64>| {
                    // The walk begins again once it is known how many positions there are.
                    if let (Some(total), false) = (total, is_counted) {
                        is_counted = true;
                        progress.begin_stage(0, total);
                    }
                    progress.update(done, total, String::new);
                };
                let census = position.census_with_progress(self.limit, on_progress);
                progress.finish();
                let census = census.map_err(failed)?;
                context.output.report(&CensusReport::of(game, state, census))
            }
        }
    }

    fn advice(&self, game: &str, error: CensusError) -> String {
        match (error, self.plies) {
            (CensusError::TooMany(limit), None) => format!(
                "{game} has more than {limit} moves between its positions, too many to walk them \
                 all; allow more with --limit N, or count positions ply by ply with --plies D"
            ),
            (CensusError::TooMany(limit), Some(_)) => format!(
                "{game} has more than {limit} positions at one ply; allow more with --limit N, \
                 or ask for fewer plies with --plies D"
            ),
            (CensusError::Cycle | CensusError::NoMemory(_), _) => format!("{game}: {error}"),
        }
    }
}

impl CensusReport {
    fn of(game: String, state: String, census: AnyCensus) -> Self {
        let end = |end: AnyOutcomeFrequency| OutcomeShare {
            outcome: end.outcome,
            games: end.games,
            decimal: end.chance.to_f64().unwrap_or(f64::NAN),
            chance: end.chance.to_string(),
        };
        CensusReport {
            game,
            state,
            games: census.games,
            positions: census.positions,
            longest: census.longest,
            perfect: census.perfect,
            ends: census.ends.into_iter().map(end).collect(),
        }
    }
}

/// Maximum length of an exact fraction in the text report, in characters; longer ones are only in
/// the JSON.
const READABLE: usize = 48;

/// Formats a number with all its digits, or in scientific notation if it has more than 24.
fn readable(number: &BigUint) -> String {
    let digits = number.to_string();
    match digits.len() {
        length if length > 24 => format!("{}.{}e{}", &digits[..1], &digits[1..4], length - 1),
        _ => digits,
    }
}

impl CommandReport for CensusReport {
    fn text(&self) -> String {
        let row = |end: &OutcomeShare| {
            let fraction = if end.chance.len() <= READABLE { &end.chance } else { "see --json" };
            let decimal = format!("{:.6}", end.decimal);
            vec![end.outcome.to_string(), readable(&end.games), fraction.to_owned(), decimal]
        };
        let head = ["end", "games", "chance at random", ""];
        format!(
            "{}\n\ncomplete games  {}\npositions       {}\nlongest game    {}\nperfect play    {}\n\n{}",
            paint(LOUD, &self.game),
            readable(&self.games),
            self.positions,
            plural(self.longest.into(), "move"),
            self.perfect,
            figures(&head, self.ends.iter().map(row))
        )
    }
}

impl CommandReport for PlyRange {
    fn text(&self) -> String {
        let row = |(ply, count): (usize, &u64)| vec![ply.to_string(), count.to_string()];
        let rows = self.plies.iter().enumerate().map(row);
        format!("{}\n\n{}", paint(LOUD, &self.game), figures(&["ply", "positions"], rows))
    }
}
