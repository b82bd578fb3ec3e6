//! Plays the move whose nearest neighbours among the moves or boards of an archive turned out
//! best: regression by the k nearest by Hamming distance, exact.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::choose;
use crate::learn::dataset::LabelledPosition;
use crate::learn::labelling::{Labelling, LabellingError};
use crate::learn::labels::LossLabel;
use crate::learn::neighbours::NeighbourIndex;
use crate::men::MenOnlyGame;
use crate::named::{NamedPlayer, PlayerParts};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Asks the nearest neighbours.
pub struct KnnPlayer {
    rows: Arc<NeighbourIndex>,
    lesson: Labelling,
    k: usize,
}

impl KnnPlayer {
    /// Asks the `k` nearest of `rows`, of which there is one, labelled by `lesson`.
    #[must_use]
    pub fn new(rows: Arc<NeighbourIndex>, lesson: Labelling, k: usize) -> Self {
        KnnPlayer { rows, lesson, k }
    }
}

impl<G: MenOnlyGame> Player<G> for KnnPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.lesson, |keys| {
            let values = self.rows.values(keys, self.k).into_iter();
            values.map(|value| value.expect("there are rows, and k is not 0")).collect()
        })
    }
}

impl<G: MenOnlyGame> NamedPlayer<G> for KnnPlayer {
    const NAME: &'static str = "knn";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str =
        "the move most like those that did well in an archive; men alone on 32 squares";
    const PARAMS: &'static [Param] = &[
        Param::text("data", "", "the file that `ludion generate` wrote"),
        Param::int("k", 4, 1, 1000, "neighbours asked"),
        Param::choice(
            "label",
            &["distance", "winloss", "captures", "parity"],
            "what is said of their moves or boards; parity: distance with the winner mistaken",
        ),
        Param::choice("lost", &["negative", "zero"], "what a loser's move counts: -1 or 0"),
        Param::int("games", 0, 0, i64::MAX, "games of the file that count; 0: all"),
    ];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let name = args.text("data");
        if name.is_empty() {
            return Err(args.together("data names no file; `ludion generate` writes one"));
        }
        let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
        let label = args.text("label").parse().expect("the parameter allows no other");
        let lost = if args.text("lost") == "zero" { LossLabel::Zero } else { LossLabel::Negative };
        let (lesson, most) = (Labelling { label, lost }, args.size("games"));
        let rows =
            parts.assets.keep(name, &format!("knn {} {lesson} {most}", game.spec), |bytes| {
                let samples = samples((&*game.game, &game.spec), bytes, lesson, most);
                samples.map(NeighbourIndex::new).map_err(|error| format!("{name}: {error}"))
            });
        let rows = rows.map_err(|error| args.together(error))?;
        Ok(KnnPlayer::new(rows, lesson, args.size("k")))
    }
}

/// All samples of the first `most` games, or of all for 0.
fn samples<G: MenOnlyGame>(
    game: (&G, &str),
    bytes: &[u8],
    lesson: Labelling,
    most: usize,
) -> Result<Vec<LabelledPosition>, LabellingError> {
    let (mut all, mut games) = (Vec::new(), 0);
    lesson.each_game(game, bytes, &mut |samples| {
        all.extend(samples);
        games += 1;
        if games == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if all.is_empty() { Err(LabellingError::Empty) } else { Ok(all) }
}
