//! Section 4: leaf and tree parallelism at equal time, and why the second parallel version failed.

use std::num::NonZero;
use std::time::Duration;

use ludion_players::game::Status;
use ludion_players::player::Budget;
use ludion_players::random::{Rng, derive_seed};
use serde::{Deserialize, Serialize};

use super::phi_tree::{CounterFault, PhiTree};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::{KeptValues, MatchCounts, MatchSpec};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// Results of a match at equal time, with the threads and the nodes a second of both players.
#[derive(Serialize, Deserialize)]
struct TimedMatch {
    counts: MatchCounts,
    threads: usize,
    nodes_per_second: [f64; 2],
}

/// Returns the number of threads that the machine can run at once.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Plays a match at equal time between two players; `None` stands for the sequential one.
fn play_timed(
    context: &JobContext<'_>,
    modes: [Option<&str>; 2],
    values: [f64; 2],
    (milliseconds, pairs): (u64, u64),
) -> Result<TimedMatch, JobFailure> {
    let threads = cores().max(2);
    let player = |i: usize| {
        let parallel = modes[i]
            .map_or_else(String::new, |mode| format!(", threads={threads}, parallel={mode}"));
        format!("mcts(select=phi, a={}{parallel})", values[i])
    };
    let (ours, theirs) = (player(0), player(1));
    let time = Some(Duration::from_millis(milliseconds));
    let budget = Budget { time, ..Budget::UNLIMITED };
    let players = [ours.as_str(), theirs.as_str()];
    let spec = MatchSpec::new("connect4", players, pairs).budget(budget).opening(2);
    let counts = spec.play(context)?;
    let rate = |i: usize| counts.nodes[i] as f64 / counts.seconds[i].max(1e-9);
    Ok(TimedMatch { nodes_per_second: [rate(0), rate(1)], threads, counts })
}

fn effort(size: RunSize) -> (u64, u64) {
    size.pick([(1, 1), (5, 20), (100, 50)])
}

/// The published duels: a of JMCTSp and of JMCTS, and the games that they won.
const DUELS: [([f64; 2], [u64; 2]); 4] = [
    ([1.0, 1.0], [65, 30]),
    ([10.0, 10.0], [46, 47]),
    ([11.0, 11.0], [52, 40]),
    ([11.0, 10.0], [39, 53]),
];

pub(super) fn duels() -> WorkItem {
    let head = ItemHead {
        id: "leaf-duels",
        kind: ItemKind::Table,
        place: "section 4.1",
        title: "JMCTSp against JMCTS at equal time",
        published: "100 games each, starts alternating, 100 ms a move, four threads; JMCTSp is \
                    slightly better than JMCTS: 65 to 30 with a = 1 for both, 46 to 47 with a = 10, 52 \
                    to 40 with a = 11, 39 to 53 with a = 11 for JMCTSp and 10 for JMCTS.",
        method: "The same duels with as many threads as this machine has cores, two random plies and \
                 seats swapped; full runs play 100 games at 100 ms, quick ones 40 at 5 ms. Shares are \
                 of decided games.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, threads=2, parallel=leaf)\" \
                  \"mcts(select=phi, a=10)\" --budget 100ms --opening 2 -n 50 --threads 1",
    };
    let measure = |context: &JobContext<'_>| {
        let (values, _) = DUELS[context.number as usize];
        play_timed(context, [Some("leaf"), None], values, effort(context.size))
    };
    WorkItem::measured(head, |_| 4, measure, judge_duels).clock().seconds([1.0, 18.0, 1300.0])
}

fn decided(counts: &MatchCounts) -> MeasuredValue {
    MeasuredValue::share(counts.games.wins, counts.games.wins + counts.games.losses)
}

fn judge_duels(_: &JudgeContext<'_>, found: &[TimedMatch]) -> Finding {
    let mut comparisons = Vec::new();
    for (([a, b], [wins, losses]), ours) in DUELS.iter().zip(found) {
        let published = MeasuredValue::share(*wins, wins + losses);
        let verdict = Verdict::figure(published, decided(&ours.counts), 0.0, 0.15);
        let what = format!("JMCTSp with a = {a}, JMCTS with a = {b}");
        let text = format!("{wins} : {losses} = {:.0} %", 100.0 * published.value);
        let mut one = Comparison::share(what, text, decided(&ours.counts), verdict);
        one.ours = format!("{} = {}", ours.counts.text(), one.ours);
        comparisons.push(one);
    }
    let total = MatchCounts::sum(found.iter().map(|one| &one.counts));
    let pooled = decided(&total);
    let published = MeasuredValue::share(202, 372);
    comparisons.push(Comparison::share(
        "JMCTSp in all four together",
        format!("202 : 170 = {}", published.percent().text(1)),
        pooled,
        Verdict::positive(pooled.minus(0.5)),
    ));
    let threads = found.first().map_or(0, |one| one.threads);
    let speed = |i: usize| {
        found.iter().map(|one| one.nodes_per_second[i]).sum::<f64>() / found.len().max(1) as f64
    };
    let reason = format!(
        "The published four duels together are 54 % (49 to 59) for JMCTSp: only the one with a = 1 is \
         outside chance, perhaps because four games a leaf act like a larger a. Here, with {threads} threads, \
         JMCTSp searched {:.0} nodes a millisecond and JMCTS {:.0}. More games from the same leaf tell \
         less than games from other leaves.",
        speed(0) / 1e3,
        speed(1) / 1e3
    );
    Finding::new(Verdict::positive(pooled.minus(0.5)), reason).comparing(comparisons)
}

pub(super) fn tree() -> WorkItem {
    let head = ItemHead {
        id: "tree-parallel",
        kind: ItemKind::Claim,
        place: "section 4.2",
        title: "Who is best at equal time: JMCTS, JMCTSp or JMCTSP?",
        published: "The question is asked and not answered, because JMCTSP did not work.",
        method: "A tree parallelism that works (threads are kept apart by virtual losses and leases of \
                 subtrees) against the sequential player and against leaf parallelism, a = 10, at \
                 equal time on as many threads as this machine has cores; full runs 50 games at 100 ms, \
                 quick ones 80 at 5 ms.",
        command: "ludion match connect4 \"mcts(select=phi, a=10, threads=2)\" \"mcts(select=phi, a=10)\" \
                  --budget 100ms --opening 2 -n 50 --threads 1",
    };
    let measure = |context: &JobContext<'_>| {
        let opponent = if context.number.is_multiple_of(2) { None } else { Some("leaf") };
        let effort = context.size.pick([(1, 1), (5, 20), (100, 25)]);
        play_timed(context, [Some("tree"), opponent], [10.0, 10.0], effort)
    };
    let jobs = |size: RunSize| 2 * size.pick([1, 2, 1]);
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[TimedMatch]| {
        let total = |i: usize| {
            MatchCounts::sum(found.iter().skip(i).step_by(2).map(|one| &one.counts))
        };
        let threads = found.first().map_or(0, |one| one.threads);
        let rate = |i: usize| found.iter().step_by(2).map(|one| one.nodes_per_second[i]).sum::<f64>();
        let speed = rate(0) / rate(1).max(1e-9);
        let line = |name: &str, i: usize| {
            let (counts, what) = (total(i), format!("JMCTSP with {threads} threads against {name}"));
            let score = counts.score();
            let verdict = Verdict::positive(score.minus(0.5));
            let mut one = Comparison::share(what, "", score, verdict);
            one.ours = format!("{}: {}", counts.text(), one.ours);
            one
        };
        Finding::new(
            Verdict::Unknowable,
            format!(
                "The report has no answer to compare with. Here tree parallelism on {threads} threads \
                 searches {speed:.2} times as many nodes in the same time as one thread. Threads only \
                 gain on cores that have nothing else to do."
            ),
        )
        .comparing([line("JMCTS", 0), line("JMCTSp", 1)])
    })
    .clock()
    .seconds([0.5, 20.0, 330.0])
}

/// Moves in the first open column with the fault and without, of all moves.
type ColumnCounts = [KeptValues; 2];

pub(super) fn same_column() -> WorkItem {
    let head = ItemHead {
        id: "same-column",
        kind: ItemKind::Figure,
        place: "section 4.2, figures 4 and 5",
        title: "Why JMCTSP always plays in the same column",
        published: "The functions *Calcul* and *Jouer* of JMCTSP. The authors think that they are close \
                    to the goal, but the player always plays in the same column.",
        method: "The published search, rewritten as it is with four threads that take turns, once with \
                 the fault of the authors' program (the counters that φ compares are the sums over \
                 the threads on the node itself, not on each child) and once with the counters of the \
                 children. Counted are the moves in the first open column in games against random \
                 moves.",
        command: "",
    };
    let jobs = |size: RunSize| size.pick([1, 4, 20]);
    WorkItem::measured(head, jobs, count_columns, |_: &JudgeContext<'_>, found: &[ColumnCounts]| {
        let share = |i: usize| KeptValues::sum(found.iter().map(|both| &both[i])).share();
        let verdict = Verdict::exact(share(0).value == 1.0);
        Finding::new(
            verdict,
            "With counters of the node itself all children that were visited have the same φ, and an \
             unvisited one has 1. So the first visits go to each child once, and from then on φ cannot \
             tell them apart: the first child wins every tie, in the descent and in the answer. With \
             the counters of the children, one line changed, the player plays. The code in figures 4 \
             and 5 is not where the fault is.",
        )
        .comparing([
            Comparison::share("moves in the first column, with the fault", "all", share(0), verdict),
            Comparison::share(
                "moves in the first column, counters of the children",
                "",
                share(1),
                Verdict::Unknowable,
            ),
        ])
    })
    .seconds([0.0, 0.0, 1.5])
}

fn count_columns(context: &JobContext<'_>) -> Result<ColumnCounts, JobFailure> {
    let game = context.game("connect4")?;
    let mut counts = [KeptValues::default(); 2];
    for (count, fault) in counts.iter_mut().zip([CounterFault::OnTheNode, CounterFault::None]) {
        for number in 0..context.size.pick([1, 5, 20]) {
            let mut rng = Rng::new(derive_seed(context.seed(), &[number]));
            let mut position = game.start();
            while let Status::Turn(_) = position.status() {
                context.check_stop()?;
                let mut tree = PhiTree::new(position.copy(), 10.0, 4, fault);
                let (index, chosen) = tree.search(context.size.pick([40, 200, 400]), &mut rng);
                count.kept += u64::from(index == 0);
                count.decisions += 1;
                position.play(&chosen).map_err(failed)?;
                if position.status().turn().is_some() {
                    let replies = position.moves();
                    position.play(&replies[rng.below(replies.len())]).map_err(failed)?;
                }
            }
        }
    }
    Ok(counts)
}

pub(super) fn best_a() -> WorkItem {
    let head = ItemHead {
        id: "best-a-of-jmctsp",
        kind: ItemKind::Claim,
        place: "section 4.2",
        title: "The best a of JMCTSP",
        published: "The question is asked; no value is given.",
        method: "",
        command: "",
    };
    WorkItem::unknowable(
        head,
        "The player of the report did not work, so there is no value to compare with. With threads \
         that share a tree the result also depends on their timing; the championships above are the \
         ones that can be repeated.",
    )
}
