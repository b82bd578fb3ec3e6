//! The player `knn`: scores moves by exact k-nearest-neighbour regression with Hamming distance,
//! on the labelled moves or positions of an archive.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{ScoreChoice, choose};
use crate::game::Game;
use crate::learn::labelling::{Labelling, LabellingError, RowEncoder};
use crate::learn::labels::{Label, LoserLabel};
use crate::learn::neighbours::NeighbourIndex;
use crate::learn::rows::LabelledRows;
use crate::named::{NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Plays the move whose nearest neighbours in the archive have the highest mean label.
pub struct KnnPlayer {
    rows: Arc<NeighbourIndex>,
    encoder: RowEncoder,
    k: usize,
    choice: ScoreChoice,
}

impl KnnPlayer {
    /// Creates a player that compares moves with the `k` nearest of `rows`. `rows` must not be
    /// empty, and must be those of `encoder`.
    #[must_use]
    pub fn new(rows: Arc<NeighbourIndex>, encoder: RowEncoder, k: usize) -> Self {
        KnnPlayer { rows, encoder, k, choice: ScoreChoice::Argmax }
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for KnnPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.encoder, self.choice, |rows| {
            let values = self.rows.values(rows, self.k).into_iter();
            values.map(|value| value.expect("there are rows, and k is not 0")).collect()
        })
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for KnnPlayer {
    const NAME: &'static str = "knn";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str = "the move most like those that did well in an archive of games";
    const PARAMS: &'static [Param] = &[
        Param::text("data", "", "the file that `ludion generate` wrote"),
        Param::int("k", 4, 1, 1000, "number of neighbours"),
        Param::choice(
            "label",
            &["distance", "winloss", "captures", "parity"],
            "label of moves or positions; captures and parity: where pieces are captured",
        ),
        LoserLabel::PARAM.only_if("label", &["distance", "winloss", "parity"]),
        Param::int("games", 0, 0, i64::MAX, "number of games of the file to use; 0: all"),
        ScoreChoice::PARAM,
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let name = args.text("data");
        if name.is_empty() {
            return Err(args.together("data is empty; `ludion generate` writes a data file"));
        }
        let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
        let label: Label = args.text("label").parse().expect("the parameter allows no other");
        let lost =
            if label.is_of_moves() { LoserLabel::build(args) } else { LoserLabel::default() };
        let (labelling, max_games) = (Labelling { label, lost }, args.size("games"));
        let unfit = |error: LabellingError| args.together(error.to_string());
        labelling.check(&*game.game, &game.spec).map_err(unfit)?;
        let rows = parts.assets.keep(
            name,
            &format!("knn {} {labelling} {max_games}", game.spec),
            |bytes| {
                let samples = samples((&*game.game, &game.spec), bytes, labelling, max_games);
                samples
                    .map(|rows| NeighbourIndex::new(&rows))
                    .map_err(|error| format!("{name}: {error}"))
            },
        );
        let wanted = "a file that `ludion generate` wrote";
        let refuse = |error| args.refuse("data", name, format!("{wanted}: {error}"));
        let rows = rows.map_err(refuse)?;
        let (k, choice) = (args.size("k"), ScoreChoice::build(args));
        let encoder = RowEncoder::new(&*game.game, labelling);
        Ok(KnnPlayer { choice, ..KnnPlayer::new(rows, encoder, k) })
    }
}

/// Returns the labelled rows of the first `max_games` games of an archive; of all games if it is 0.
fn samples<G: Game<Outcome = Duel>>(
    game: (&G, &str),
    bytes: &[u8],
    labelling: Labelling,
    max_games: usize,
) -> Result<LabelledRows, LabellingError> {
    let (mut all, mut games) = (LabelledRows::new(RowEncoder::new(game.0, labelling).width()), 0);
    labelling.each_game(game, bytes, &mut |rows| {
        all.append(rows);
        games += 1;
        if games == max_games { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if all.is_empty() { Err(LabellingError::Empty) } else { Ok(all) }
}
