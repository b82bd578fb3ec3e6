//! The player `knn`: scores moves by exact k-nearest-neighbour regression with Hamming distance,
//! on the labelled moves or boards of an archive.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::{ScoreChoice, choose};
use crate::learn::dataset::LabelledSample;
use crate::learn::labelling::{Labelling, LabellingError};
use crate::learn::labels::{Label, LoserLabel};
use crate::learn::neighbours::NeighbourIndex;
use crate::men::MenOnlyGame;
use crate::named::{NamedPlayer, PlayerParts};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Plays the move whose nearest neighbours in the archive have the highest mean label.
pub struct KnnPlayer {
    rows: Arc<NeighbourIndex>,
    labelling: Labelling,
    k: usize,
    choice: ScoreChoice,
}

impl KnnPlayer {
    /// Creates a player that compares moves with the `k` nearest of `rows`. `rows` must not be
    /// empty, and must be labelled by `labelling`.
    #[must_use]
    pub fn new(rows: Arc<NeighbourIndex>, labelling: Labelling, k: usize) -> Self {
        KnnPlayer { rows, labelling, k, choice: ScoreChoice::Argmax }
    }
}

impl<G: MenOnlyGame> Player<G> for KnnPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.labelling, self.choice, |keys| {
            let values = self.rows.values(keys, self.k).into_iter();
            values.map(|value| value.expect("there are rows, and k is not 0")).collect()
        })
    }
}

impl<G: MenOnlyGame> NamedPlayer<G> for KnnPlayer {
    const NAME: &'static str = "knn";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str =
        "the move most like those that did well in an archive; games with men only on 32 squares";
    const PARAMS: &'static [Param] = &[
        Param::text("data", "", "the file that `ludion generate` wrote"),
        Param::int("k", 4, 1, 1000, "number of neighbours"),
        Param::choice(
            "label",
            &["distance", "winloss", "captures", "parity"],
            "label of moves or boards; parity: distance with a wrong winner",
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
        let rows = parts.assets.keep(
            name,
            &format!("knn {} {labelling} {max_games}", game.spec),
            |bytes| {
                let samples = samples((&*game.game, &game.spec), bytes, labelling, max_games);
                samples.map(NeighbourIndex::new).map_err(|error| format!("{name}: {error}"))
            },
        );
        let wanted = "a file that `ludion generate` wrote";
        let refuse = |error| args.refuse("data", name, format!("{wanted}: {error}"));
        let rows = rows.map_err(refuse)?;
        let (k, choice) = (args.size("k"), ScoreChoice::build(args));
        Ok(KnnPlayer { choice, ..KnnPlayer::new(rows, labelling, k) })
    }
}

/// Returns the samples of the first `max_games` games of an archive; of all games if it is 0.
fn samples<G: MenOnlyGame>(
    game: (&G, &str),
    bytes: &[u8],
    labelling: Labelling,
    max_games: usize,
) -> Result<Vec<LabelledSample>, LabellingError> {
    let (mut all, mut games) = (Vec::new(), 0);
    labelling.each_game(game, bytes, &mut |samples| {
        all.extend(samples);
        games += 1;
        if games == max_games { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if all.is_empty() { Err(LabellingError::Empty) } else { Ok(all) }
}
