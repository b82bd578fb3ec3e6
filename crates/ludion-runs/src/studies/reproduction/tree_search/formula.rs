//! Sections 1 to 3: the formula φ, the player on Matches, and who wins at 21 matches.

use ludion_players::game::{Side, Status};
use ludion_players::outcome::{AnyOutcome, Duel};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::AnyPosition;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use serde::{Deserialize, Serialize};

use super::phi_tree;
use crate::RunPicture;
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::matches::{
    JudgedPosition, KeptValues, best_moves, winner_words, with_best_moves,
};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// The values of a and the numbers of simulations whose decisions at Matches are compared.
const VALUES: [f64; 5] = [0.001, 0.1, 1.0, 10.0, 100.0];
const SIMULATIONS: [u64; 4] = [30, 100, 1000, 10_000];

/// Right decisions by value of a and number of simulations.
#[derive(Serialize, Deserialize)]
struct FormulaDecisions(Vec<Vec<KeptValues>>);

/// Returns a player like that of the report with this a and this many simulations a move. It also
/// uses results that are proven, and answers with the most visited move.
pub(super) fn sequential(a: f64, simulations: u64) -> String {
    format!("mcts(select=phi, a={a}, sims={simulations})")
}

pub(super) fn formula() -> WorkItem {
    let head = ItemHead {
        id: "phi",
        kind: ItemKind::Claim,
        place: "sections 1 and 3",
        title: "Selection by φ, with a > 0",
        published: "The child is chosen by φ(a, W, C) = (a + W) / (a + C); a must be above 0.",
        method: "The search of the report, rewritten as it is: right decisions at misère Matches with \
                 2 to 21 left, where there is exactly one, for five values of a and four numbers of \
                 simulations. The statement tested is that a has \
                 to be well above 0: at a = 0.001 the formula is all but the share won.",
        command: "ludion analyse \"matches(21, misere)\" --from \"20 first\" --player \
                  \"mcts(select=phi, a=10, sims=1000)\"",
    };
    let jobs = |size: RunSize| size.pick([1, 5, 50]);
    WorkItem::measured(head, jobs, decide_matches, judge_formula).seconds([0.0, 1.5, 13.0])
}

fn decide_matches(context: &JobContext<'_>) -> Result<FormulaDecisions, JobFailure> {
    let game = context.game("matches(21, misere)")?;
    let position = |n: u32| game.read(&format!("{n} first")).map_err(failed);
    let positions = (2..=21).map(position).collect::<Result<Vec<_>, _>>()?;
    let positions = with_best_moves(positions)?;
    let simulations = match context.size {
        RunSize::Tiny => &SIMULATIONS[..2],
        _ => &SIMULATIONS[..],
    };
    let row = |a: &f64| {
        let decide = |sims: &u64| tree_decisions(context, *a, *sims, &positions);
        simulations.iter().map(decide).collect::<Result<Vec<_>, _>>()
    };
    Ok(FormulaDecisions(VALUES.iter().map(row).collect::<Result<Vec<_>, _>>()?))
}

/// Lets the search of the report decide in each position.
pub(super) fn tree_decisions(
    context: &JobContext<'_>,
    a: f64,
    simulations: u64,
    positions: &[JudgedPosition],
) -> Result<KeptValues, JobFailure> {
    let mut counts = KeptValues::default();
    for (i, (position, best)) in positions.iter().enumerate() {
        context.check_stop()?;
        let mut rng = Rng::new(derive_seed(context.seed(), &[i as u64]));
        let chosen = phi_tree::choose(&**position, a, simulations, &mut rng);
        counts.kept += u64::from(best.contains(&chosen));
        counts.decisions += 1;
    }
    Ok(counts)
}

fn judge_formula(_: &JudgeContext<'_>, found: &[FormulaDecisions]) -> Finding {
    let columns = found.first().map_or(0, |first| first.0[0].len());
    let share = |a: usize, s: usize| KeptValues::sum(found.iter().map(|one| &one.0[a][s])).share();
    let (greedy, broad) = (share(0, columns - 1), share(3, columns - 1));
    let gain = broad.difference(greedy);
    let sims = SIMULATIONS[columns - 1];
    let series = |(i, a): (usize, &f64)| ChartSeries {
        name: format!("a = {a}"),
        points: (0..columns).map(|s| point(SIMULATIONS[s] as f64, share(i, s))).collect(),
        ..ChartSeries::default()
    };
    let chart = Chart {
        title: "Right decisions at misère Matches".to_owned(),
        note: "2 to 21 matches left, positions with one winning move".to_owned(),
        x: PlotAxis::log("simulations a move"),
        y: PlotAxis::linear("right decisions").unit(NumberUnit::Percent),
        series: VALUES.iter().enumerate().map(series).collect(),
        ..Chart::default()
    };
    let mut comparisons = vec![Comparison::estimate(
        format!("right decisions, a = 10 minus a = 0.001, {sims} simulations"),
        "above 0",
        (gain.percent(), 1, " points"),
        Verdict::positive(gain),
    )];
    comparisons.extend(VALUES.iter().enumerate().map(|(i, a)| {
        let what = format!("right decisions, a = {a}, {sims} simulations");
        Comparison::share(what, "", share(i, columns - 1), Verdict::Unknowable)
    }));
    Finding::new(
        Verdict::positive(gain),
        "Without a the search follows the child with the best share so far: one lost random game and \
         a child is never looked at again. With a a child that was visited seldom keeps a value near \
         1, and is tried. How many simulations 100 ms a move are is not said in the report.",
    )
    .comparing(comparisons)
    .figure("Right decisions by number of simulations", RunPicture::Chart(chart))
}

/// Returns a point of a chart for a share.
pub(super) fn point(x: f64, share: MeasuredValue) -> ChartPoint {
    ChartPoint::new(x, share.value, [share.low, share.high])
}

pub(super) fn matches() -> WorkItem {
    let head = ItemHead {
        id: "matches",
        kind: ItemKind::Claim,
        place: "section 2, questions 1 to 5",
        title: "JMCTS plays Matches",
        published: "The game of Matches was set up for human players and JMCTS. No result is given.",
        method: "The search of the report with a = 10 moves second from 21 matches, where it can win \
                 (see the claim below), against an opponent that takes a random number and wins as \
                 soon as JMCTS errs once.",
        command: "ludion match \"matches(21, misere)\" \"mcts(select=phi, a=10, sims=10000)\" \
                  \"alphabeta(depth=21)\" --opening 0 -n 50",
    };
    let measure = |context: &JobContext<'_>| {
        let sims = [100, 1000, 10_000][context.number as usize];
        let games = context.size.pick([2, 25, 250]);
        let second = |position: &dyn AnyPosition, rng: &mut Rng| {
            Ok(phi_tree::choose(position, 10.0, sims, rng))
        };
        let kept = count_second_wins(context, games, &mut perfect, second)?;
        Ok(KeptValues { kept, decisions: games })
    };
    WorkItem::measured(
        head,
        |_| 3,
        measure,
        |_: &JudgeContext<'_>, found: &[KeptValues]| {
            let comparisons = [100, 1000, 10_000].iter().zip(found).map(|(sims, won)| {
                let what = format!("won from the second seat, {sims} simulations a move");
                Comparison::share(what, "", won.share(), Verdict::Unknowable)
            });
            let comparisons: Vec<Comparison> = comparisons.collect();
            Finding::new(
            Verdict::Unknowable,
            "Nothing was published to compare with. The table says how many simulations the player \
             needs to hold a won game to its end.",
        )
        .comparing(comparisons)
        },
    )
    .seconds([0.0, 0.5, 5.0])
}

/// Exact winners and games between two equal players at 21 matches.
#[derive(Serialize, Deserialize)]
struct TwentyOne {
    winner: String,
    /// Numbers of matches from 1 to 40 at which leaving 1 modulo 4 is not the way to win.
    exceptions: u64,
    /// Games of two equal players that the second one won, of all.
    second: [u64; 2],
}

pub(super) fn first_player() -> WorkItem {
    let head = ItemHead {
        id: "first-player",
        kind: ItemKind::Claim,
        place: "section 3",
        title: "Is who begins at 21 matches certain to win?",
        published: "To win one leaves 1 modulo 4 matches after each move. So by beginning the player \
                    is certain to win, and a tournament at Matches would explain nothing.",
        method: "The exact winner at 21 matches; the rule at 1 to 40 matches; and games between two \
                 equal players of the report with 3,000 simulations a move (full: 10,000).",
        command: "ludion solve \"matches(21, misere)\"",
    };
    WorkItem::measured(head, |_| 1, measure_twenty_one, judge_twenty_one).seconds([0.0, 1.5, 40.0])
}

fn measure_twenty_one(context: &JobContext<'_>) -> Result<TwentyOne, JobFailure> {
    let census = |n: u32| -> Result<String, JobFailure> {
        let position = context.game(&format!("matches({n}, misere)"))?.start();
        Ok(winner_words(position.census(1_000_000).map_err(failed)?.perfect).to_owned())
    };
    let mut exceptions = 0;
    for n in 1..=40 {
        let winner: String = census(n)?;
        exceptions += u64::from((winner == "second") != (n % 4 == 1));
    }
    let games = context.size.pick([2, 100, 1000]);
    let sims = context.size.pick([100, 3000, 10_000]);
    let choose =
        |position: &dyn AnyPosition, rng: &mut Rng| Ok(phi_tree::choose(position, 10.0, sims, rng));
    let second = count_second_wins(context, games, &mut { choose }, choose)?;
    Ok(TwentyOne { winner: census(21)?, exceptions, second: [second, games] })
}

fn judge_twenty_one(_: &JudgeContext<'_>, found: &[TwentyOne]) -> Finding {
    let mut comparisons = Vec::new();
    for TwentyOne { winner, exceptions, second: [second, games] } in found {
        comparisons.push(Comparison::text("winner at 21 matches", "first", winner));
        let what = "numbers of matches at which the rule fails, of 40";
        comparisons.push(Comparison::exact(what, 0.0, *exceptions as f64));
        let share = MeasuredValue::share(*second, *games);
        let verdict = Verdict::positive(MeasuredValue {
            value: 0.5 - share.value,
            low: 0.5 - share.high,
            high: 0.5 - share.low,
        });
        let what = "games of two equal players won by the second";
        comparisons.push(Comparison::share(what, "below 50 %", share, verdict));
    }
    Finding::all(
        comparisons,
        "The rule is right and its conclusion is the opposite of what was written: 21 is 1 modulo \
         4, so who begins already has the lost number. Certain to win is who comes second. The \
         rest of the argument stands: with a player that knows the rule the seat decides.",
    )
}

/// Function that chooses a move.
type ChooseFn<'a> = &'a mut dyn FnMut(&dyn AnyPosition, &mut Rng) -> Result<String, JobFailure>;

/// Chooses the winning move if there is one, otherwise a random one.
fn perfect(position: &dyn AnyPosition, rng: &mut Rng) -> Result<String, JobFailure> {
    let mut moves = match best_moves(position)? {
        Some(best) => best,
        None => position.moves(),
    };
    Ok(moves.swap_remove(rng.below(moves.len())))
}

/// Plays games from 21 misère matches and counts those that the second side wins.
fn count_second_wins(
    context: &JobContext<'_>,
    games: u64,
    first: ChooseFn<'_>,
    mut second: impl FnMut(&dyn AnyPosition, &mut Rng) -> Result<String, JobFailure>,
) -> Result<u64, JobFailure> {
    let game = context.game("matches(21, misere)")?;
    let mut wins = 0;
    for number in 0..games {
        let mut rng = Rng::new(derive_seed(context.seed(), &[number]));
        let mut position = game.start();
        while let Status::Turn(side) = position.status() {
            context.check_stop()?;
            let m = match side {
                Side::First => first(&*position, &mut rng)?,
                Side::Second => second(&*position, &mut rng)?,
            };
            position.play(&m).map_err(failed)?;
        }
        let won = Status::Over(AnyOutcome::Duel(Duel::Won(Side::Second)));
        wins += u64::from(position.status() == won);
    }
    Ok(wins)
}
