//! The player at Connect Four, and the conclusion of the report.

use serde::{Deserialize, Serialize};

use super::formula::{sequential, tree_decisions};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::{
    KeptValues, MatchCounts, MatchSpec, random_position, with_best_moves,
};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};
use ludion_players::random::derive_seed;

/// Games against random moves and right decisions at Connect Four.
#[derive(Serialize, Deserialize)]
struct ConnectFourPlay {
    random: MatchCounts,
    decisions: Vec<KeptValues>,
}

const SIMULATIONS: [u64; 3] = [100, 1000, 10_000];

pub(super) fn connect_four() -> WorkItem {
    let head = ItemHead {
        id: "connect4",
        kind: ItemKind::Claim,
        place: "sections 2 and 5",
        title: "JMCTS plays Connect Four",
        published: "JMCTS is a performing artificial intelligence. No result against another player \
                    is given.",
        method: "Games of Ludion's player with φ, a = 10, against random moves with 100 simulations a \
                 move; and right decisions of the search of the report, rewritten as it is, in \
                 positions after 14 to 22 random plies, compared with an exact solver.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, sims=1000)\" random -n 50",
    };
    let jobs = |size: RunSize| size.pick([1, 8, 60]);
    WorkItem::measured(head, jobs, play, judge).seconds([0.0, 1.0, 14.0])
}

fn play(context: &JobContext<'_>) -> Result<ConnectFourPlay, JobFailure> {
    let game = context.game("connect4")?;
    let weak = sequential(10.0, 100);
    let random = MatchSpec::new("connect4", [weak.as_str(), "random"], 10).play(context)?;
    let count = context.size.pick([2, 25, 50]);
    let position = |i: u64| {
        let seed = derive_seed(context.seed(), &[i]);
        random_position(&*game, 14 + (seed % 9) as usize, seed)
    };
    let positions = with_best_moves((0..count).map(position).collect())?;
    let decide = |sims: &u64| tree_decisions(context, 10.0, *sims, &positions);
    let decisions = SIMULATIONS.iter().map(decide).collect::<Result<_, _>>()?;
    Ok(ConnectFourPlay { random, decisions })
}

fn judge(_: &JudgeContext<'_>, found: &[ConnectFourPlay]) -> Finding {
    let random = MatchCounts::sum(found.iter().map(|one| &one.random));
    let verdict = Verdict::positive(random.score().minus(0.5));
    let mut comparisons = vec![Comparison::share(
        "score against random moves, 100 simulations",
        "above 50 %",
        random.score(),
        verdict,
    )];
    comparisons.extend(SIMULATIONS.iter().enumerate().map(|(i, sims)| {
        let kept = KeptValues::sum(found.iter().filter_map(|one| one.decisions.get(i)));
        let what = format!("right decisions, {sims} simulations");
        Comparison::share(what, "", kept.share(), Verdict::Unknowable)
    }));
    Finding::new(
        verdict,
        "*Performing* is read as: better than random moves. How much better is beside it.",
    )
    .comparing(comparisons)
}

pub(super) fn conclusion() -> WorkItem {
    let head = ItemHead {
        id: "conclusion",
        kind: ItemKind::Claim,
        place: "section 5",
        title: "The improvements together",
        published: "The algorithm was improved by keeping its memory and by running in parallel.",
        method: "The player with the kept tree and the best a of the report (10) against the first \
                 player, with a new tree for every move and a = 1, at equal simulations. Items above \
                 test each improvement by itself, and those in parallel at equal time.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, sims=1000)\" \
                  \"mcts(select=phi, a=1, sims=1000, fresh)\" --opening 2 -n 100",
    };
    let jobs = |size: RunSize| size.pick([1, 4, 20]);
    let measure = |context: &JobContext<'_>| {
        let players = [sequential(10.0, 1000), sequential(1.0, 1000).replace(')', ", fresh)")];
        let players = [players[0].as_str(), players[1].as_str()];
        let pairs = context.size.pick([1, 50, 100]);
        MatchSpec::new("connect4", players, pairs).opening(2).play(context)
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        let sum = MatchCounts::sum(found);
        let verdict = Verdict::positive(sum.score().minus(0.5));
        let what = "score of the improved player, 1000 simulations a move";
        Finding::new(
            verdict,
            "The tree that is kept is free simulations, and a = 1 is too small (see the championship); \
             together they make the difference given here.",
        )
        .comparing([Comparison::share(what, "above 50 %", sum.score(), verdict)])
    })
    .seconds([0.0, 2.0, 20.0])
}
