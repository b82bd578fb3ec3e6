//! Section 3, question 6: the tree that is kept from move to move, and the published code for it.

use ludion_players::game::Status;
use ludion_players::random::{Rng, derive_seed};

use super::formula::sequential;
use super::phi_tree::{CounterFault, PhiTree};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::{KeptValues, MatchCounts, MatchSpec};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

const SIMULATIONS: [u64; 3] = [100, 500, 2000];

pub(super) fn gain() -> WorkItem {
    let head = ItemHead {
        id: "kept-tree",
        kind: ItemKind::Claim,
        place: "section 3",
        title: "What the kept tree gains",
        published: "JMCTS is to become better by keeping what was computed before, so that it decides \
                    better. By how much is not said.",
        method: "Matches at Connect Four between the player with the kept tree and the same player \
                 with a new tree for every move, a = 10, equal simulations a move, random openings of \
                 two plies with seats swapped.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, sims=1000)\" \
                  \"mcts(select=phi, a=10, sims=1000, fresh)\" --opening 2 -n 200",
    };
    let jobs = |size: RunSize| 3 * size.pick([1, 4, 10]);
    let measure = |context: &JobContext<'_>| {
        let sims = SIMULATIONS[context.number as usize % SIMULATIONS.len()];
        let kept = sequential(10.0, sims);
        let fresh = kept.replace(')', ", fresh)");
        let pairs = context.size.pick([1, 50, 200]);
        MatchSpec::new("connect4", [kept.as_str(), fresh.as_str()], pairs).opening(2).play(context)
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        let score =
            |i: usize| MatchCounts::sum(found.iter().skip(i).step_by(SIMULATIONS.len())).score();
        let comparisons: Vec<Comparison> = SIMULATIONS
            .iter()
            .enumerate()
            .map(|(i, sims)| {
                let what = format!("score with the kept tree, {sims} simulations a move");
                let verdict = Verdict::positive(score(i).minus(0.5));
                Comparison::share(what, "above 50 %", score(i), verdict)
            })
            .collect();
        let all = MatchCounts::sum(found).score();
        let verdict = Verdict::positive(all.minus(0.5));
        Finding::new(
            verdict,
            format!(
                "Over all numbers of simulations the score is {} %. The kept part of the tree adds \
                 the simulations that the move before spent below the reply that was made.",
                all.percent().text(1)
            ),
        )
        .comparing(comparisons)
    })
    .seconds([0.0, 5.0, 50.0])
}

const TREE_SIMULATIONS: [u64; 4] = [10, 50, 200, 1000];

pub(super) fn code() -> WorkItem {
    let head = ItemHead {
        id: "kept-tree-code",
        kind: ItemKind::Figure,
        place: "section 3, figure 1",
        title: "The code that finds the branch of the opponent",
        published: "The root becomes the best child; then the child of that root whose position is \
                    the current one becomes the root. If none is found, the root stays.",
        method: "The published search, rewritten as it is, plays Connect Four against random moves. \
                 Counted is how often the reply has a node in the tree; if it has not, the published \
                 code goes on with the position before the reply, in which the other side moves.",
        command: "",
    };
    let jobs = |size: RunSize| TREE_SIMULATIONS.len() as u64 * size.pick([1, 2, 10]);
    WorkItem::measured(head, jobs, count_found, |_: &JudgeContext<'_>, found: &[KeptValues]| {
        let share = |i: usize| {
            KeptValues::sum(found.iter().skip(i).step_by(TREE_SIMULATIONS.len())).share()
        };
        let last = TREE_SIMULATIONS.len() - 1;
        let comparisons: Vec<Comparison> = TREE_SIMULATIONS
            .iter()
            .enumerate()
            .map(|(i, sims)| {
                let what = format!("replies with a node in the tree, {sims} simulations");
                let verdict = match i == last {
                    true => Verdict::exact(share(i).value == 1.0),
                    false => Verdict::Unknowable,
                };
                let published = if i == last { "100 %" } else { "" };
                Comparison::share(what, published, share(i), verdict)
            })
            .collect();
        Finding::new(
            comparisons[last].verdict,
            "The code takes for granted that the reply is found. With many simulations it nearly always \
             is. Where it is missing, the code goes wrong without a sign: it answers for the opponent. \
             A root that is not found has to be made new.",
        )
        .comparing(comparisons)
    })
    .seconds([0.0, 0.0, 1.0])
}

/// Plays games of the published search against random moves; returns how often the reply has a node
/// in the tree.
fn count_found(context: &JobContext<'_>) -> Result<KeptValues, JobFailure> {
    let sims = TREE_SIMULATIONS[context.number as usize % TREE_SIMULATIONS.len()];
    let game = context.game("connect4")?;
    let mut counts = KeptValues::default();
    for number in 0..context.size.pick([1, 5, 20]) {
        let mut rng = Rng::new(derive_seed(context.seed(), &[number]));
        let mut position = game.start();
        while let Status::Turn(_) = position.status() {
            context.check_stop()?;
            let mut tree = PhiTree::new(position.copy(), 10.0, 1, CounterFault::None);
            let (own, chosen) = tree.search(sims, &mut rng);
            position.play(&chosen).map_err(failed)?;
            if position.status().turn().is_none() {
                break;
            }
            let replies = position.moves();
            let reply = &replies[rng.below(replies.len())];
            counts.kept += u64::from(tree.has_reply(own, reply));
            counts.decisions += 1;
            position.play(reply).map_err(failed)?;
        }
    }
    Ok(counts)
}
