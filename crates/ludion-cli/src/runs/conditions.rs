//! Options of openings, clocks and adjudication, with the names and the meaning that they have in
//! cutechess and fastchess.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use ludion::arena::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use ludion::arena::clock::TimeControl;
use ludion::arena::conditions::{GameConditions, Opening, OpeningList, OpeningOrder};
use ludion_runs::openings;
use ludion_runs::tournament_file::TournamentFile;
use ludion_store::read_file_or_pipe;

use crate::CommandContext;
use crate::failure::CommandFailure;

/// Openings, clocks and adjudication of the games of a run.
#[derive(Args, Clone)]
#[command(next_help_heading = "Openings, clocks and adjudication")]
pub(crate) struct ConditionsArgs {
    /// File of openings, one a line: moves, or `fen STATE`; each is played twice with seats swapped
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    openings: Option<PathBuf>,
    /// Order in which the pairs of games use the openings [default: sequential]
    #[arg(long, value_name = "ORDER", value_enum, requires = "openings")]
    openings_order: Option<OrderArg>,
    /// Position in which all games begin, in the notation of the game
    #[arg(long, value_name = "STATE")]
    from: Option<String>,
    /// Clocks in seconds: 10+0.1 for a game with an increment a move, 40/60 for every 40 moves
    #[arg(long, value_name = "TIME", conflicts_with = "budget")]
    tc: Option<TimeControl>,
    /// Milliseconds by which a player may overstep its clock [default: 0]
    #[arg(long, value_name = "MS", requires = "tc",
          value_parser = clap::value_parser!(u64).range(0..=MAX_TIME_MARGIN))]
    time_margin: Option<u64>,
    /// End a game as lost when both players agree: moves=4,value=0.95
    #[arg(long, value_name = "RULE", value_parser = resign_rule)]
    resign: Option<ResignRule>,
    /// End a game as drawn when both players agree: moves=8,value=0.02,from=40
    #[arg(long, value_name = "RULE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// End a game when the exact solver finds its result within so many states after a move
    #[arg(long, value_name = "STATES", num_args = 0..=1, default_missing_value = "100000",
          value_parser = clap::value_parser!(u64).range(1..))]
    adjudicate: Option<u64>,
}

/// The longest time by which a player may overstep its clock, in milliseconds.
const MAX_TIME_MARGIN: u64 = 60_000;

/// Order of openings as it is typed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderArg {
    /// As in the file
    Sequential,
    /// In an order that is drawn with the seed
    Random,
    /// Each pair of games draws one of them
    Drawn,
}

impl ConditionsArgs {
    /// Returns whether the games do not begin at the start position.
    pub(crate) fn has_openings(&self) -> bool {
        self.openings.is_some() || self.from.is_some()
    }

    /// Returns whether the games have clocks.
    pub(crate) fn has_clocks(&self) -> bool {
        self.tc.is_some()
    }

    /// Removes the clocks.
    pub(crate) fn without_clocks(&mut self) {
        (self.tc, self.time_margin) = (None, None);
    }

    /// Returns these conditions, with those of a tournament file where none is given. Openings and a
    /// position of the command line both replace those of the file.
    pub(crate) fn or_of_file(&self, file: &TournamentFile) -> Result<Self, CommandFailure> {
        let of_file = |name: &str, error: String| {
            CommandFailure::Usage(format!("in the file, {name}: {error}"))
        };
        if file.openings.is_some() && file.from.is_some() {
            return Err(of_file("from", "openings are given as well".to_owned()));
        }
        let range = |name: &str, value: Option<u64>, least: u64, most: u64| match value {
            Some(value) if !(least..=most).contains(&value) => {
                Err(of_file(name, format!("{value} is not allowed; it is {least} to {most}")))
            }
            value => Ok(value),
        };
        fn parsed<T>(
            text: Option<&String>,
            parse: impl Fn(&str) -> Result<T, String>,
            refuse: impl Fn(String) -> CommandFailure,
        ) -> Result<Option<T>, CommandFailure> {
            text.map(|text| parse(text).map_err(refuse)).transpose()
        }
        let mut merged = self.clone();
        if !self.has_openings() {
            merged.openings = file.openings.as_ref().map(PathBuf::from);
            merged.from = file.from.clone();
            let order = |text: &str| OrderArg::from_str(text, false);
            let order = |text: &str| {
                order(text).map_err(|_| "it is sequential, random or drawn".to_owned())
            };
            merged.openings_order = parsed(file.openings_order.as_ref(), order, |error| {
                of_file("openings-order", error)
            })?;
        }
        if self.tc.is_none() {
            let clock = |text: &str| text.parse::<TimeControl>().map_err(|error| error.to_string());
            merged.tc = parsed(file.tc.as_ref(), clock, |error| of_file("tc", error))?;
            merged.time_margin = range("time-margin", file.time_margin, 0, MAX_TIME_MARGIN)?;
        }
        if self.resign.is_none() {
            let refuse = |error| of_file("resign", error);
            merged.resign = parsed(file.resign.as_ref(), resign_rule, refuse)?;
        }
        if self.draw.is_none() {
            merged.draw = parsed(file.draw.as_ref(), draw_rule, |error| of_file("draw", error))?;
        }
        let states = range("adjudicate", file.adjudicate, 1, u64::MAX)?;
        merged.adjudicate = self.adjudicate.or(states);
        Ok(merged)
    }

    /// Reads the file of openings, and returns the conditions of games of `game`.
    pub(crate) fn read(
        &self,
        context: &CommandContext,
        game: &str,
    ) -> Result<GameConditions, CommandFailure> {
        let order = match self.openings_order {
            None | Some(OrderArg::Sequential) => OpeningOrder::Sequential,
            Some(OrderArg::Random) => OpeningOrder::Random,
            Some(OrderArg::Drawn) => OpeningOrder::Drawn,
        };
        let openings = match (&self.openings, &self.from) {
            (Some(path), _) => Some(read_list(context, game, path, order)?),
            (None, Some(state)) => Some(one_position(context, game, state)?),
            (None, None) => None,
        };
        Ok(GameConditions {
            openings,
            clock: self.tc,
            time_margin: Duration::from_millis(self.time_margin.unwrap_or(0)),
            adjudication: AdjudicationRules {
                resign: self.resign,
                draw: self.draw,
                solver_nodes: self.adjudicate,
            },
        })
    }
}

/// Reads a file of openings of a game.
fn read_list(
    context: &CommandContext,
    game: &str,
    path: &Path,
    order: OpeningOrder,
) -> Result<OpeningList, CommandFailure> {
    let name = path.display().to_string();
    let wrong = |error: String| CommandFailure::Usage(format!("{name}: {error}"));
    let game = context.registry.game(game)?;
    let bytes = read_file_or_pipe(path, openings::MAX_FILE)
        .map_err(|error| CommandFailure::Usage(format!("{name} cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not valid UTF-8".to_owned()))?;
    let openings = openings::parse(&*game, &text).map_err(|error| wrong(error.to_string()))?;
    let source = path.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
    Ok(OpeningList { source, order, openings })
}

/// Returns a list with one position and no moves.
fn one_position(
    context: &CommandContext,
    game: &str,
    state: &str,
) -> Result<OpeningList, CommandFailure> {
    let position = context.registry.game(game)?.read(state)?;
    let start = Some(position.show());
    let opening = Opening { start, moves: Vec::new() };
    let source = position.show();
    Ok(OpeningList { source, order: OpeningOrder::Sequential, openings: vec![opening] })
}

/// Parses the values of a rule, such as `moves=4,value=0.95`, over its defaults.
fn rule_values<const N: usize>(text: &str, defaults: [(&str, f64); N]) -> Result<[f64; N], String> {
    let mut values = defaults.map(|(_, value)| value);
    let names = defaults.map(|(name, _)| name);
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(i) = names.iter().position(|known| *known == name.trim()) else {
            return Err(format!(
                "{name:?} is not part of the rule; write {}",
                names.join("=…,") + "=…"
            ));
        };
        let is_allowed = |value: &f64| match names[i] {
            "value" => (0.0..=1.0).contains(value),
            "moves" => (1.0..=10_000.0).contains(value) && value.fract() == 0.0,
            _ => (0.0..=1e6).contains(value) && value.fract() == 0.0,
        };
        let allowed = match names[i] {
            "value" => "a number from 0 to 1",
            "moves" => "a whole number from 1 to 10000",
            _ => "a whole number from 0 to 1000000",
        };
        values[i] = value
            .trim()
            .parse()
            .ok()
            .filter(is_allowed)
            .ok_or_else(|| format!("{name} is {value:?}, and it must be {allowed}"))?;
    }
    Ok(values)
}

fn resign_rule(text: &str) -> Result<ResignRule, String> {
    let [moves, value] = rule_values(text, [("moves", 4.0), ("value", 0.95)])?;
    Ok(ResignRule { moves: moves as u32, value })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let defaults = [("moves", 8.0), ("value", 0.02), ("from", 40.0)];
    let [moves, value, from] = rule_values(text, defaults)?;
    Ok(DrawRule { moves: moves as u32, value, from: from as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_defaults_and_name_what_is_wrong() {
        assert_eq!(resign_rule("value=0.9"), Ok(ResignRule { moves: 4, value: 0.9 }));
        assert_eq!(draw_rule("from=0, moves=2"), Ok(DrawRule { moves: 2, value: 0.02, from: 0 }));
        let refused = resign_rule("score=3").unwrap_err();
        assert_eq!(refused, "\"score\" is not part of the rule; write moves=…,value=…");
        assert!(resign_rule("value=2").unwrap_err().contains("a number from 0 to 1"));
        assert!(draw_rule("moves=0").unwrap_err().contains("a whole number from 1 to 10000"));
    }
}
