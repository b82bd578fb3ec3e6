//! Section 5.2 and 5.3: UCT as the sheet writes it, with one descent a decision.

use ludion_players::player::{Budget, NoObserver};
use ludion_players::random::derive_seed;

use super::monte_carlo::{
    decide, decision_jobs, decision_positions, decisions_table, sum_by_player,
};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::KeptValues;
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// Start, matches left, depth, games for an untried action, and the published total.
const TOTALS: [(u32, u32, u32, u64, u64); 3] =
    [(7, 7, 2, 100, 600), (10, 10, 4, 100, 1200), (13, 4, 2, 500, 2000)];

pub(super) fn counts() -> WorkItem {
    let head = ItemHead {
        id: "uct-counts",
        kind: ItemKind::Table,
        place: "section 5.3.3",
        title: "Numbers of random games of UCT",
        published: "The sheet gives no counts. The course's other material says how many random games \
                    one decision plays at misère Matches: 600 at 7 matches with depth 2 and 100 games an action, 1200 at 10 with \
                    depth 4 and 100, 2000 with 4 left, depth 2 and 500.",
        method: "The sheet's algorithm with many seeds; given is the share of seeds with the \
                 published total.",
        command: "ludion analyse \"matches(7, misere)\" --player \"uct(depth=2, sims=100, sheet)\" \
                  --details",
    };
    let measure = |context: &JobContext<'_>| -> Result<[u64; 3], JobFailure> {
        let (n, left, depth, sims, published) = TOTALS[context.number as usize];
        let game = context.game(&format!("matches({n}, misere)"))?;
        let position = game.read(&format!("{left} first")).map_err(failed)?;
        let mut player = game.player(&format!("uct(depth={depth}, sims={sims}, sheet)"))?;
        let (seeds, mut equal, mut other) = (context.size.pick([5, 200, 2000]), 0, 0);
        for i in 0..seeds {
            player.begin(derive_seed(context.seed(), &[i]));
            let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver);
            let games = choice.map_err(failed)?.simulations;
            if games == published { equal += 1 } else { other = games }
        }
        Ok([equal, seeds, other])
    };
    WorkItem::measured(
        head,
        |_| 3,
        measure,
        |_: &JudgeContext<'_>, found: &[[u64; 3]]| {
            let compare =
                |(total, [equal, seeds, other]): (&(_, u32, u32, u64, u64), &[u64; 3])| {
                    let (_, left, depth, sims, published): (u32, u32, u32, u64, u64) = *total;
                    let what = format!("{left} matches, depth {depth}, {sims} games an action");
                    let ours = match *other {
                        0 => format!("{published} for all of {seeds} seeds"),
                        other => format!("{published} for {equal} of {seeds} seeds, else {other}"),
                    };
                    Comparison {
                        measured: Some(MeasuredValue::share(*equal, *seeds)),
                        verdict: Verdict::exact(2 * equal > *seeds),
                        ..Comparison::text(what, published.to_string(), ours)
                    }
                };
            Finding::all(
                TOTALS.iter().zip(found).map(compare).collect(),
                "The totals are those of the algorithm. At 10 matches the published 1200 is the usual \
             total, not the only one: four new positions with three actions each. If the descent \
             takes so many matches that a position with two actions is reached, it is 1100.",
            )
        },
    )
}

const GAMES_AN_ACTION: u64 = 20;

fn depth_one_players() -> Vec<String> {
    let sims = GAMES_AN_ACTION;
    vec![
        format!("uct(depth=1, sims={sims}, sheet)"),
        format!("ucb(sims={sims})"),
        format!("montecarlo(sims={sims})"),
    ]
}

pub(super) fn depth_one() -> WorkItem {
    let head = ItemHead {
        id: "uct-depth-1",
        kind: ItemKind::Claim,
        place: "section 5.3, the parameter pf",
        title: "UCT at depth 1 is like UCB",
        published: "At depth 1 the expected results are similar to those of the class UCB.",
        method: "Right decisions of UCT at depth 1, UCB and flat Monte-Carlo with 20 games an action \
                 in the same random positions of three solved games. *Similar* is read as: within five \
                 points.",
        command: "ludion match \"hexapawn(4, 4)\" \"uct(depth=1, sims=20, sheet)\" \"ucb(sims=20)\" \
                  --opening 2 -n 50",
    };
    let measure = |context: &JobContext<'_>| {
        decide(context, &depth_one_players(), 2 * decision_positions(context.size))
    };
    WorkItem::measured(head, decision_jobs, measure, |_: &JudgeContext<'_>, found| {
        let sums = sum_by_player(found);
        let share = |i: usize| sums.get(i).map_or(MeasuredValue::share(0, 0), KeptValues::share);
        let compare = |what: &str, other: MeasuredValue, published: &str| {
            let gap = share(0).difference(other);
            let verdict = Verdict::figure(other, share(0), 0.05, 0.05);
            let ours = (gap.percent(), 1, " points");
            Comparison::estimate(what, published, ours, verdict)
        };
        let like_ucb = compare("right decisions, UCT minus UCB", share(1), "similar");
        let flat = compare("right decisions, UCT minus Monte-Carlo", share(2), "");
        Finding::new(
            like_ucb.verdict,
            "In results they are as close as the intervals say. In what they do they differ: at \
             depth 1 the single descent plays nbSim games for every action and then returns, so it \
             is flat Monte-Carlo, and nothing is distributed by the formula of UCB.",
        )
        .comparing([like_ucb, flat])
        .table(decisions_table("Right decisions in per cent", &depth_one_players(), found))
    })
    .seconds([0.0, 0.5, 15.0])
}

fn answer_players() -> Vec<String> {
    vec![
        "uct(depth=3, sims=5, sheet)".to_owned(),
        "uct(depth=1, sims=5, games=45)".to_owned(),
        "uct(depth=1, sims=1, games=1000)".to_owned(),
    ]
}

pub(super) fn answer() -> WorkItem {
    let head = ItemHead {
        id: "uct",
        kind: ItemKind::Exercise,
        place: "sections 5.2 and 5.3.1",
        title: "UCT: one descent a decision",
        published: "`decision` makes one descent and returns the action that maximises the formula \
                    with the exploration term. What the player is worth is not said.",
        method: "Right decisions of the sheet's UCT (depth 3, 5 games an action: up to 45 games) \
                 beside repeated descents with as many games and with 1000, which answer with the \
                 best utility.",
        command: "ludion match \"hexapawn(4, 4)\" \"uct(depth=3, sims=5, sheet)\" \
                  \"uct(depth=1, sims=5, games=45)\" --opening 2 -n 50",
    };
    let measure = |context: &JobContext<'_>| {
        decide(context, &answer_players(), decision_positions(context.size))
    };
    let jobs = |size: RunSize| decision_jobs(size);
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found| {
        let shares = sum_by_player(found);
        let comparisons = answer_players().into_iter().zip(&shares).map(|(player, kept)| {
            Comparison::share(
                format!("right decisions, `{player}`"),
                "",
                kept.share(),
                Verdict::Unknowable,
            )
        });
        let comparisons: Vec<Comparison> = comparisons.collect();
        Finding::new(
            Verdict::Unknowable,
            "Nothing was published to compare with. A single descent visits one line of play, so the \
             tree does not steer the games; and the exploration term, which is for trying actions, \
             is a bonus for the actions tried least when it decides the answer. Only repeated \
             descents make UCT what its name says.",
        )
        .comparing(comparisons)
        .table(decisions_table("Right decisions in per cent", &answer_players(), found))
    })
    .seconds([0.0, 1.5, 40.0])
}
