//! Sections 3.1 to 3.3: alpha-beta with a memory of positions, and iterative deepening.

use std::sync::Mutex;
use std::time::Instant;

use ludion_players::player::{
    Budget, Choice, MemoryEntry, NoObserver, Observer, SearchDetails, StopOnFlag,
};
use ludion_players::random::derive_seed;
use serde::{Deserialize, Serialize};

use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, plain};
use crate::studies::reproduction::matches::{random_position, unfinished_positions};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// An observer that asks for the entries of a memory.
#[derive(Default)]
struct MemoryObserver(Mutex<SearchDetails>);

impl Observer<String> for MemoryObserver {
    fn details_limit(&self) -> Option<usize> {
        Some(50)
    }

    fn report_details(&self, details: &SearchDetails) {
        if let Ok(mut known) = self.0.lock() {
            details.clone_into(&mut known);
        }
    }
}

/// A decision with the contents of the memory after it.
#[derive(Serialize, Deserialize)]
struct MemoryContents {
    best: String,
    entries: Vec<String>,
    calls: u64,
}

/// Returns an entry in the form of the sheet: depth, exact, score and best action.
fn show_entry(entry: &MemoryEntry) -> String {
    let best = entry.best.as_deref().unwrap_or("None");
    let score = plain(entry.score);
    format!("{}: ({}, {}, {score}, {best})", entry.state, entry.depth, entry.exact)
}

/// Lets a player with a new memory decide at 4 matches, and again if `twice`.
fn decide_at_four(
    context: &JobContext<'_>,
    player: &str,
    twice: bool,
) -> Result<MemoryContents, JobFailure> {
    let game = context.game("matches(13, misere)")?;
    let position = game.read("4 first").map_err(failed)?;
    let (mut player, observer) = (game.player(player)?, MemoryObserver::default());
    let mut choose = || player.choose(&*position, Budget::UNLIMITED, &observer).map_err(failed);
    let mut choice = choose()?;
    if twice {
        choice = choose()?;
    }
    let details = observer.0.into_inner().unwrap_or_default();
    let entries = details.memory.iter().map(show_entry).collect();
    Ok(MemoryContents { best: choice.best, entries, calls: choice.nodes })
}

fn compare_memory(published: [&str; 5], ours: &MemoryContents) -> Vec<Comparison> {
    let mut comparisons = vec![Comparison::text("chosen action", "3", ours.best.clone())];
    let entries = published.iter().enumerate();
    comparisons.extend(entries.map(|(n, entry)| {
        let ours = ours.entries.get(n).cloned().unwrap_or_default();
        Comparison::text(format!("{n} matches left"), *entry, ours)
    }));
    comparisons
}

pub(super) fn table() -> WorkItem {
    let head = ItemHead {
        id: "memory",
        kind: ItemKind::Table,
        place: "section 3.1",
        title: "Contents of the memory after a decision",
        published: "A dictionary stores for every position the depth, whether the score is exact, \
                    the score and the best action. The course's other material states its contents after \
                    a decision at depth 3 with 4 matches left, misère.",
        method: "The player of the sheet, kept here with all its faults, decides once with an empty \
                 memory. Entries are (depth, exact, score, best action).",
        command: "ludion analyse \"matches(13, misere)\" --from \"4 first\" --player \
                  \"memory(depth=3, sheet)\" --details",
    };
    let measure =
        |context: &JobContext<'_>| decide_at_four(context, "memory(depth=3, sheet)", false);
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[MemoryContents]| {
            let published = [
                "0: (0, true, 100, None)",
                "1: (2, true, -100, 1)",
                "2: (2, false, 0, 1)",
                "3: (2, false, 0, 1)",
                "4: (3, true, 100, 3)",
            ];
            Finding::all(
                found.iter().flat_map(|ours| compare_memory(published, ours)).collect(),
                "The entries are the same. Two of them show the fault that the next item counts: 2 and 3 \
             matches are wins for the side to move (take 1 or 2, leave the last), yet the score \
             stored is 0, a bound left over from a cut.",
            )
        },
    )
}

/// The games on which the memories are compared with minimax, with depth and limit of positions.
const SOUNDNESS: [(&str, u32); 3] =
    [("matches(32, misere)", 6), ("hexapawn(4, 3)", 6), ("morpion(3)", 4)];

/// Wrong decisions of the sheet's memory, of a sound memory, and the number of positions.
type WrongDecisions = [u64; 3];

pub(super) fn soundness() -> WorkItem {
    let head = ItemHead {
        id: "memory-errors",
        kind: ItemKind::Claim,
        place: "section 3.1, fourth step",
        title: "Is a remembered result as good as a searched one?",
        published: "If a position is in the memory and exact, or was searched at least as deep, the \
                    remembered action or score is returned; if it was searched less deep, its score \
                    raises alpha. The sheet takes this for sound.",
        method: "Both memories, the sheet's and a sound one (side to move in the key, bounds marked \
                 as bounds, no shallow score as alpha), decide in all positions of a game one after \
                 the other with the memory kept. A decision is wrong if minimax of the same depth \
                 gives the chosen move a lower value than the best. Tiny runs look at 60 positions, \
                 quick ones at 1000 at most.",
        command: "",
    };
    let jobs = |_: RunSize| SOUNDNESS.len() as u64;
    WorkItem::measured(head, jobs, count_wrong, judge_soundness).seconds([0.0, 0.0, 0.0])
}

fn count_wrong(context: &JobContext<'_>) -> Result<WrongDecisions, JobFailure> {
    let (name, depth) = SOUNDNESS[context.number as usize];
    let game = context.game(name)?;
    let positions = unfinished_positions(&*game, context.size.pick([60, 1000, 6000]));
    let mut wrong = [0, 0, positions.len() as u64];
    for (i, memory) in ["sheet", "mb=1"].into_iter().enumerate() {
        let mut player = game.player(&format!("memory(depth={depth}, {memory})"))?;
        let mut reference = game.player(&format!("minimax(depth={depth})"))?;
        for position in &positions {
            context.check_stop()?;
            let choose = |player: &mut dyn ludion_players::registry::AnyPlayer| {
                player.choose(&**position, Budget::UNLIMITED, &NoObserver).map_err(failed)
            };
            let (all, chosen) = (choose(&mut *reference)?, choose(&mut *player)?.best);
            let value = |choice: &Choice<String>, m: &str| {
                choice.lines.iter().find(|line| line.play == m).and_then(|line| line.value)
            };
            wrong[i] += u64::from(value(&all, &chosen) < value(&all, &all.best));
        }
    }
    Ok(wrong)
}

fn judge_soundness(_: &JudgeContext<'_>, found: &[WrongDecisions]) -> Finding {
    let mut comparisons = Vec::new();
    for ((game, depth), [sheet, sound, positions]) in SOUNDNESS.iter().zip(found) {
        let what = |whose: &str| format!("wrong decisions, `{game}`, depth {depth}, {whose}");
        let of = |wrong: &u64| format!("{wrong} of {positions}");
        let compare = |whose: &str, wrong: &u64| Comparison {
            measured: Some(MeasuredValue::exact(*wrong as f64)),
            verdict: Verdict::exact(*wrong == 0),
            ..Comparison::text(what(whose), "none", of(wrong))
        };
        comparisons.push(compare("memory of the sheet", sheet));
        comparisons.push(Comparison { published: String::new(), ..compare("sound memory", sound) });
    }
    let sheets = found.iter().any(|[sheet, ..]| *sheet > 0);
    let sound = found.iter().all(|[_, sound, _]| *sound == 0);
    let (verdict, reason) = match (sheets, sound) {
        (true, true) => (
            Verdict::Refuted,
            "The sheet's memory chooses worse moves than minimax of the same depth; the sound one \
             never does. There are three faults: the key leaves out the side to move, a bound from a \
             cut is stored and returned as if it were the value, and the score of a shallower search \
             raises alpha although a deeper search may lower it.",
        ),
        (false, true) => {
            (Verdict::InsideNoise, "Too few positions were looked at to meet a wrong decision.")
        }
        (_, false) => (
            Verdict::Unknowable,
            "The memory that should be sound errs as well, so the comparison says nothing.",
        ),
    };
    Finding::new(verdict, reason).comparing(comparisons)
}

/// The games on which the order of moves is compared, with the depth of the search and the number
/// of random plies before.
const ORDER: [(&str, u32, usize); 3] =
    [("hexapawn(5, 5)", 7, 4), ("morpion(5)", 4, 6), ("connect4", 6, 6)];

/// Calls without and with the remembered move first, from one position.
type OrderCalls = [u64; 2];

pub(super) fn best_first() -> WorkItem {
    let head = ItemHead {
        id: "best-first",
        kind: ItemKind::Claim,
        place: "section 3.2",
        title: "The remembered best action first",
        published: "There is no certainty, but in practice trying the remembered best action first \
                    gives good rates of cuts, so that computing is faster.",
        method: "From random positions of three games a sound memory searches depths 1, 2, … with \
                 and without the heuristic. Compared are the calls of all depths together; an \
                 interval is that of the mean of ln(calls with / calls without) over positions.",
        command: "ludion analyse connect4 --player \"memory(depth=6, best-first)\" --json",
    };
    let jobs = |size: RunSize| 3 * size.pick([2, 40, 400]);
    WorkItem::measured(head, jobs, count_order_calls, judge_order).seconds([0.0, 0.0, 0.0])
}

fn count_order_calls(context: &JobContext<'_>) -> Result<OrderCalls, JobFailure> {
    let (name, depth, plies) = ORDER[context.number as usize % ORDER.len()];
    let game = context.game(name)?;
    let depth = if context.size == RunSize::Tiny { depth - 2 } else { depth };
    let position = random_position(&*game, plies, context.seed());
    let mut calls = [0; 2];
    for (i, order) in ["standard", "best-first"].into_iter().enumerate() {
        let mut player = game.player(&format!("memory(depth={depth}, order={order}, mb=4)"))?;
        for depth in 1..=depth {
            context.check_stop()?;
            let budget = Budget { depth: Some(depth), ..Budget::UNLIMITED };
            calls[i] += player.choose(&*position, budget, &NoObserver).map_err(failed)?.nodes;
        }
    }
    Ok(calls)
}

fn judge_order(_: &JudgeContext<'_>, calls: &[OrderCalls]) -> Finding {
    let mut comparisons = Vec::new();
    for (i, (game, depth, _)) in ORDER.iter().enumerate() {
        let logs: Vec<f64> = calls
            .iter()
            .skip(i)
            .step_by(ORDER.len())
            .map(|[without, with]| (*with as f64 / (*without).max(1) as f64).ln())
            .collect();
        let mean = MeasuredValue::mean(&logs);
        let fewer = MeasuredValue { value: -mean.value, low: -mean.high, high: -mean.low };
        let ratio =
            MeasuredValue { value: mean.value.exp(), low: mean.low.exp(), high: mean.high.exp() };
        comparisons.push(Comparison::estimate(
            format!("calls with / without, `{game}`, depths 1 to {depth}"),
            "below 1",
            (ratio, 3, ""),
            Verdict::positive(fewer),
        ));
    }
    Finding::all(
        comparisons,
        "The means are geometric. The heuristic saves few calls, perhaps because the evaluation of the \
         sheet is 0 until a game is over, so that most actions look alike and the remembered one is \
         hardly better than the first.",
    )
}

pub(super) fn deepening_table() -> WorkItem {
    let head = ItemHead {
        id: "deepening",
        kind: ItemKind::Table,
        place: "section 3.3",
        title: "Iterative deepening: contents of the memory, basic and advanced version",
        published: "IterativeDeepening searches depth after depth with the memory kept; the course's \
                    other material states the memory after a decision at depth 3 with 4 matches left, \
                    misère. The advanced version begins one deeper than the remembered depth.",
        method: "The player of the sheet decides with an empty memory (basic), and a second time \
                 with the memory of the first (advanced). The loop of the sheet begins at depth 0, \
                 which has no best action; here it begins at 1.",
        command: "ludion analyse \"matches(13, misere)\" --from \"4 first\" --player \
                  \"deepening(depth=3, secs=0, sheet)\" --details",
    };
    let measure = |context: &JobContext<'_>| {
        let twice = context.number == 1;
        let start = if twice { ", start=advanced" } else { "" };
        let player = format!("deepening(depth=3, secs=0, sheet{start})");
        decide_at_four(context, &player, twice)
    };
    WorkItem::measured(
        head,
        |_| 2,
        measure,
        |_: &JudgeContext<'_>, found: &[MemoryContents]| {
            let published = [
                "0: (0, true, 100, None)",
                "1: (1, true, -100, 1)",
                "2: (2, true, 100, 1)",
                "3: (2, true, 100, 2)",
                "4: (3, true, 100, 3)",
            ];
            let mut comparisons: Vec<Comparison> =
                found.iter().take(1).flat_map(|ours| compare_memory(published, ours)).collect();
            if let Some(again) = found.get(1) {
                comparisons.push(Comparison::text("advanced, second decision", "3", &*again.best));
                let calls = again.calls as f64;
                comparisons.push(Comparison::exact("calls of that decision", 0.0, calls));
            }
            Finding::all(
                comparisons,
                "The entries are the same. The advanced version finds its depth in the memory and has to \
             answer from it without a search; written as on the sheet its loop would not run at all, \
             and there would be no action to return.",
            )
        },
    )
}

/// The time limit of the item about time, in seconds.
const LIMIT: f64 = 0.05;

pub(super) fn time_limit() -> WorkItem {
    let head = ItemHead {
        id: "deepening-time",
        kind: ItemKind::Claim,
        place: "section 3.3",
        title: "Does the parameter `secondes` limit the time?",
        published: "The parameter `secondes` is the maximum duration in seconds.",
        method: "Decisions at Connect Four with a limit of 50 ms and of depth 30: by the sheet's loop, \
                 which looks at the clock between two depths only, with a sound memory; by a search \
                 that looks at it all the time; and by the sheet's loop with its own memory. Given is \
                 the time used divided by the limit.",
        command: "ludion analyse connect4 --player \"deepening(depth=30, secs=0.05, sheet)\"",
    };
    let jobs = |size: RunSize| size.pick([2, 10, 40]);
    WorkItem::measured(head, jobs, measure_overrun, judge_overrun).clock().seconds([0.5, 1.5, 5.0])
}

/// Time used of the limit by the sheet's loop with a sound memory, by a search that watches the
/// clock, and by the sheet's loop with its own memory.
fn measure_overrun(context: &JobContext<'_>) -> Result<[f64; 3], JobFailure> {
    let game = context.game("connect4")?;
    let seed = derive_seed(context.item_seed, &[context.number]);
    let position = random_position(&*game, 6, seed);
    let began = Instant::now();
    let mut memory = game.player("memory(depth=30, eval=own)")?;
    let mut depth = 1;
    while depth <= 30 && began.elapsed().as_secs_f64() < LIMIT {
        let budget = Budget { depth: Some(depth), ..Budget::UNLIMITED };
        memory.choose(&*position, budget, &StopOnFlag(context.stop)).map_err(failed)?;
        depth += 1;
    }
    let mut shares = [began.elapsed().as_secs_f64() / LIMIT, 0.0, 0.0];
    for (share, sheet) in shares[1..].iter_mut().zip(["", ", sheet"]) {
        let mut player = game.player(&format!("deepening(depth=30, secs={LIMIT}{sheet})"))?;
        let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).map_err(failed)?;
        *share = choice.time.as_secs_f64() / LIMIT;
    }
    Ok(shares)
}

fn judge_overrun(_: &JudgeContext<'_>, shares: &[[f64; 3]]) -> Finding {
    let of = |i: usize| -> Vec<f64> { shares.iter().map(|all| all[i]).collect() };
    let [sheet, ours, flawed] = [of(0), of(1), of(2)].map(|sample| MeasuredValue::mean(&sample));
    let over = Verdict::positive(sheet.minus(1.1));
    let verdict = match over {
        Verdict::Confirmed => Verdict::Refuted,
        Verdict::Refuted => Verdict::Confirmed,
        other => other,
    };
    let compare = |what: &str, published: &str, value, verdict| {
        Comparison::estimate(what, published, (value, 2, ""), verdict)
    };
    Finding::new(
        verdict,
        "The loop asks for the time before it begins a depth and then finishes it, and the last depth \
         takes several times as long as all before it. So `secondes` limits when the last depth \
         begins, not how long a decision takes. With the sheet's own memory the question does not \
         arise: shallow scores raise alpha so far that nearly everything is cut, and all thirty depths \
         are over in no time, with the errors that `memory-errors` counts.",
    )
    .comparing([
        compare("time / limit, loop of the sheet, sound memory", "at most 1", sheet, verdict),
        compare("time / limit, clock watched during the search", "", ours, Verdict::Unknowable),
        compare("time / limit, loop and memory of the sheet", "", flawed, Verdict::Unknowable),
    ])
}
