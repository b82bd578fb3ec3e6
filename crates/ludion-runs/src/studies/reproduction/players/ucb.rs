//! Section 4.4: UCB, its numbers of games, its strength, and its exploration factor.

use ludion_players::player::{Budget, NoObserver, RootLine};

use super::monte_carlo::{
    PlayersDecisions, decide, decision_jobs, decision_positions, decisions_table, sum_by_player,
};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::KeptValues;
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem, failed};

const COUNTED: [(&str, u64); 3] = [("matches(13)", 50), ("tictactoe", 30), ("connect4", 20)];

pub(super) fn counts() -> WorkItem {
    let head = ItemHead {
        id: "ucb-counts",
        kind: ItemKind::Claim,
        place: "section 4.4",
        title: "Numbers of simulations of Randy_MC and UCB",
        published: "Monte-Carlo plays nbSim games for each of the nAct actions. UCB plays one each \
                    and then (nbSim − 1) · nAct, so as many: nbSim · nAct.",
        method: "The games that both players count in a decision at the start of three games.",
        command: "ludion analyse tictactoe --player \"ucb(sims=30)\" --details",
    };
    let measure = |context: &JobContext<'_>| -> Result<[u64; 4], JobFailure> {
        let (name, sims) = COUNTED[context.number as usize];
        let game = context.game(name)?;
        let position = game.start();
        let mut counts = [0; 4];
        for (count, player) in counts.iter_mut().zip(["montecarlo", "ucb"]) {
            let mut player = game.player(&format!("{player}(sims={sims})"))?;
            player.begin(context.seed());
            let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver);
            let choice = choice.map_err(failed)?;
            *count = choice.simulations;
            if counts_least(&choice.lines) == 0 {
                return Err(failed("an action was never tried"));
            }
        }
        counts[2] = position.moves().len() as u64;
        counts[3] = sims;
        Ok(counts)
    };
    WorkItem::measured(
        head,
        |_| 3,
        measure,
        |_: &JudgeContext<'_>, found: &[[u64; 4]]| {
            let mut comparisons = Vec::new();
            for ((game, sims), [monte_carlo, ucb, actions, _]) in COUNTED.iter().zip(found) {
                let published = (sims * actions) as f64;
                for (name, ours) in [("Randy_MC", monte_carlo), ("UCB", ucb)] {
                    let what = format!("{name}, `{game}`, nbSim {sims}, {actions} actions");
                    comparisons.push(Comparison::exact(what, published, *ours as f64));
                }
            }
            Finding::all(
                comparisons,
                "Both players play as many games, UCB distributes them otherwise.",
            )
        },
    )
}

/// Returns the number of visits of the action that was tried least.
fn counts_least(lines: &[RootLine<String>]) -> u64 {
    lines.iter().map(|line| line.visits).min().unwrap_or(0)
}

const EQUAL_GAMES: [u64; 3] = [5, 20, 100];

fn ucb_and_monte_carlo() -> Vec<String> {
    let both = |sims: &u64| [format!("montecarlo(sims={sims})"), format!("ucb(sims={sims})")];
    EQUAL_GAMES.iter().flat_map(both).collect()
}

pub(super) fn strength() -> WorkItem {
    let head = ItemHead {
        id: "ucb",
        kind: ItemKind::Claim,
        place: "section 4.4",
        title: "UCB improves Monte-Carlo",
        published: "UCB is an improvement of the Monte-Carlo method: instead of distributing the \
                    simulations equally it prefers the most promising action so far.",
        method: "Right decisions of both with equally many games in random positions of three solved \
                 games, 5, 20 and 100 games an action.",
        command: "ludion match \"hexapawn(4, 4)\" \"ucb(sims=20)\" \"montecarlo(sims=20)\" \
                  --opening 2 -n 50",
    };
    let measure = |context: &JobContext<'_>| {
        decide(context, &ucb_and_monte_carlo(), 2 * decision_positions(context.size))
    };
    WorkItem::measured(head, decision_jobs, measure, |_: &JudgeContext<'_>, found: &[PlayersDecisions]| {
        let sums = sum_by_player(found);
        let pairs = EQUAL_GAMES.iter().zip(sums.chunks(2));
        let comparisons: Vec<Comparison> = pairs
            .map(|(sims, both)| {
                let gain = both[1].share().difference(both[0].share());
                let what = format!("right decisions, UCB instead of Monte-Carlo, {sims} games");
                let ours = (gain.percent(), 1, " points");
                Comparison::estimate(what, "more", ours, Verdict::positive(gain))
            })
            .collect();
        Finding::all(
            comparisons,
            "With equally many games UCB tells the best actions from each other more sharply and the \
             bad ones less. That helps if the choice is by visits or by a bound; the sheet chooses by \
             the best utility, and an action that was tried a few times only can have it by luck.",
        )
        .table(decisions_table("Right decisions in per cent", &ucb_and_monte_carlo(), found))
    })
    .seconds([0.0, 1.5, 30.0])
}

const EXPLORATION: [f64; 6] = [0.0, 0.1, 0.3, 0.6, 1.0, 2.0];

fn ucb_players() -> Vec<String> {
    EXPLORATION.iter().map(|c| format!("ucb(sims=20, c={c})")).collect()
}

pub(super) fn exploration() -> WorkItem {
    let head = ItemHead {
        id: "ucb-c",
        kind: ItemKind::Claim,
        place: "section 4.4",
        title: "The exploration factor C = 0.3",
        published: "C = 0.3 generally gives good results where values are in [−1, 1].",
        method: "Right decisions of UCB with 20 games an action for six values of C. *Good* is read \
                 as: not worse than the best of the six.",
        command: "ludion championship \"hexapawn(4, 4)\" \"ucb(sims=20, c=0.1..2.1:0.5)\" -n 10",
    };
    let measure = |context: &JobContext<'_>| {
        decide(context, &ucb_players(), 2 * decision_positions(context.size))
    };
    WorkItem::measured(head, decision_jobs, measure, |_: &JudgeContext<'_>, found: &[PlayersDecisions]| {
        let shares: Vec<MeasuredValue> =
            sum_by_player(found).iter().map(KeptValues::share).collect();
        // Good means among the best, which an optimum that does not stand out confirms.
        let verdict = match Verdict::optimum(2, &shares) {
            Verdict::InsideNoise => Verdict::Confirmed,
            other => other,
        };
        let rows = EXPLORATION.iter().zip(&shares);
        let comparisons = rows.map(|(c, share)| {
            let published = if *c == 0.3 { "good" } else { "" };
            let verdict = if *c == 0.3 { verdict } else { Verdict::Unknowable };
            Comparison::share(format!("right decisions, C = {c}"), published, *share, verdict)
        });
        let comparisons: Vec<Comparison> = comparisons.collect();
        Finding::new(
            verdict,
            "0.3 is compared with the best of the six by the interval of the difference. Values that \
             the intervals do not tell from the best are equally good as far as these games show.",
        )
        .comparing(comparisons)
        .table(decisions_table("Right decisions in per cent", &ucb_players(), found))
    })
    .seconds([0.0, 1.0, 25.0])
}
