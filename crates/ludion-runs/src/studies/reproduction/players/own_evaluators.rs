//! Section 5.4: the exercise to write an evaluation for Morpion or Hexapawn.

use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::{MatchCounts, MatchSpec};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};

/// The games with an evaluation, and the plies of random openings.
const GAMES: [(&str, u32); 4] =
    [("morpion(3)", 2), ("morpion(5)", 3), ("hexapawn(4, 5)", 2), ("hexapawn(5, 5)", 2)];

pub(super) fn evaluators() -> WorkItem {
    let head = ItemHead {
        id: "ultimate",
        kind: ItemKind::Exercise,
        place: "section 5.4",
        title: "An evaluation for Morpion and for Hexapawn",
        published: "The exercise: change the evaluation for Morpion or Hexapawn in a class Ultimate. \
                    If it is effective, it must favour the victory of Ultimate over its opponent.",
        method: "Ludion's evaluations of both games (lines that are still open; pawns and their way \
                 to the far row) in Ultimate at depth 2, against the same search without, from \
                 random openings with seats swapped.",
        command: "ludion match \"hexapawn(5, 5)\" \"ultimate(depth=2)\" \"memory(depth=2)\" \
                  --opening 2 -n 100",
    };
    let jobs = |size: RunSize| 4 * size.pick([1, 1, 4]);
    let measure = |context: &JobContext<'_>| {
        let (game, opening) = GAMES[context.number as usize % GAMES.len()];
        let players = ["ultimate(depth=2)", "memory(depth=2)"];
        let pairs = context.size.pick([2, 500, 1000]);
        MatchSpec::new(game, players, pairs).opening(opening).play(context)
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        let compare = |(i, (game, _)): (usize, &(&str, u32))| {
            let sum = MatchCounts::sum(found.iter().skip(i).step_by(GAMES.len()));
            let verdict = Verdict::positive(sum.score().minus(0.5));
            let mut one =
                Comparison::share(format!("`{game}`"), "above 50 %", sum.score(), verdict);
            one.ours = format!("{}: {}", sum.text(), one.ours);
            one
        };
        let comparisons: Vec<Comparison> = GAMES.iter().enumerate().map(compare).collect();
        // One game with one evaluation solves the exercise; both games have to be among them here.
        let solves = |game: &str| {
            let of_game = comparisons.iter().filter(|one| one.what.contains(game));
            of_game.map(|one| one.verdict).any(|verdict| verdict == Verdict::Confirmed)
        };
        let verdict = match solves("morpion") && solves("hexapawn") {
            true => Verdict::Confirmed,
            false => Verdict::InsideNoise,
        };
        Finding::new(
            verdict,
            "The exercise can be solved for both games: with an evaluation the same search wins more \
             than half of the points. Not on every board: where a line is refuted, the evaluation \
             misjudges what two plies cannot see.",
        )
        .comparing(comparisons)
    })
    .seconds([0.0, 0.5, 2.0])
}
