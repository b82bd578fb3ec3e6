//! Sections 4.1 to 4.3 and 5.1: players that value moves by random games.

use ludion_players::random::derive_seed;
use serde::{Deserialize, Serialize};

use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::matches::{
    KeptValues, MatchCounts, MatchSpec, kept_values, random_position, with_best_moves,
};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, RunSize, WorkItem};

/// Returns the utility of the sheet.
fn scoring(wins: f64, losses: f64, draws: f64) -> f64 {
    (wins - losses + 0.5 * draws) / (wins + losses + draws)
}

pub(super) fn utility() -> WorkItem {
    let head = ItemHead {
        id: "utility",
        kind: ItemKind::Claim,
        place: "section 4.1",
        title: "The range of the utility",
        published: "scoring(w, l, d) = (w − l + 0.5 d) / (w + l + d) is between −1 and 1.",
        method: "The least and the greatest utility over all counts of at most 60 games, and the \
                 utility of drawn games for both sides.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| {
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for w in 0..=60 {
            for l in 0..=60 - w {
                for d in 0..=60 - w - l {
                    if w + l + d > 0 {
                        let u = scoring(f64::from(w), f64::from(l), f64::from(d));
                        (least, greatest) = (least.min(u), greatest.max(u));
                    }
                }
            }
        }
        Ok([least, greatest, scoring(0.0, 0.0, 1.0)])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[[f64; 3]]| {
            let [least, greatest, drawn] = found.first().copied().unwrap_or_default();
            Finding::all(
                vec![
                    Comparison::exact("least utility", -1.0, least),
                    Comparison::exact("greatest utility", 1.0, greatest),
                ],
                format!(
                    "The range is as stated. The utility is no zero-sum value, though: a draw is worth \
                 {drawn} to both sides, so where draws are possible what one side gains is not what \
                 the other loses, and swapping wins and losses on the way up a tree does not give \
                 the opponent's utility with its sign changed."
                ),
            )
        },
    )
}

/// Numbers of misère matches with the exact probability that the side to move wins at random.
const ODDS: [(u32, f64, &str); 3] =
    [(4, 2.0 / 3.0, "2/3"), (5, 4.0 / 9.0, "4/9"), (7, 77.0 / 162.0, "77/162")];

pub(super) fn random_games() -> WorkItem {
    let head = ItemHead {
        id: "simulation",
        kind: ItemKind::Table,
        place: "section 4.1, the method `simulation`",
        title: "Outcomes of random games",
        published: "`simulation(n)` plays n random games and counts wins, losses and draws. The sheet \
                    gives no figures.",
        method: "Random games with 4, 5 and 7 misère matches left. The column *published* has the exact \
                 chances, which follow from the rules by recursion.",
        command: "ludion count \"matches(7, misere)\"",
    };
    let measure = |context: &JobContext<'_>| -> Result<[u64; 2], JobFailure> {
        let n = ODDS[context.number as usize].0;
        let games = context.size.pick([1000, 100_000, 10_000_000]);
        let position = context.game(&format!("matches({n}, misere)"))?.start();
        Ok([position.playouts(games, context.seed())[0], games])
    };
    WorkItem::measured(
        head,
        |_| 3,
        measure,
        |context: &JudgeContext<'_>, found: &[[u64; 2]]| {
            let resolution = context.size.pick([0.01, 0.005, 0.001]);
            let compare = |((n, chance, text), [wins, games]): (&(u32, f64, &str), &[u64; 2])| {
                let ours = MeasuredValue::share(*wins, *games);
                let verdict = Verdict::figure(MeasuredValue::exact(*chance), ours, 0.0, resolution);
                let exact = format!("{text} = {:.2} %", 100.0 * chance);
                let what = format!("side to move wins, {n} matches");
                Comparison::estimate(what, exact, (ours.percent(), 2, " %"), verdict)
            };
            let comparisons: Vec<Comparison> = ODDS.iter().zip(found).map(compare).collect();
            let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
            let reason = "Random games have the exact chances as their long-run shares.";
            Finding::new(Verdict::table(&verdicts), reason).comparing(comparisons)
        },
    )
    .seconds([0.0, 0.0, 0.0])
}

/// Games on which decisions are compared with exact solutions, with the plies played at random
/// before.
const SOLVED: [(&str, usize); 3] =
    [("matches(21, misere)", 4), ("hexapawn(4, 4)", 4), ("morpion(3)", 3)];

/// Decisions of several players in the same positions of one game.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PlayersDecisions(pub(super) Vec<KeptValues>);

/// Lets players decide in random positions of a game of [`SOLVED`], chosen by the number of the job.
pub(super) fn decide(
    context: &JobContext<'_>,
    players: &[String],
    positions: u64,
) -> Result<PlayersDecisions, JobFailure> {
    let (name, plies) = SOLVED[context.number as usize % SOLVED.len()];
    let game = context.game(name)?;
    let place = |i: u64| {
        let seed = derive_seed(context.seed(), &[i]);
        random_position(&*game, plies + (seed % 3) as usize, seed)
    };
    let positions = with_best_moves((0..positions).map(place).collect())?;
    let each = players.iter().map(|player| kept_values(context, &*game, player, &positions));
    Ok(PlayersDecisions(each.collect::<Result<_, _>>()?))
}

/// Sums the decisions of each player over jobs.
pub(super) fn sum_by_player(found: &[PlayersDecisions]) -> Vec<KeptValues> {
    let players = found.first().map_or(0, |first| first.0.len());
    (0..players).map(|i| KeptValues::sum(found.iter().filter_map(|one| one.0.get(i)))).collect()
}

/// Makes a table with a row for each player and a column for each game.
pub(super) fn decisions_table(
    caption: &str,
    names: &[String],
    found: &[PlayersDecisions],
) -> FindingTable {
    let row = |(i, name): (usize, &String)| {
        let mut cells = vec![format!("`{name}`")];
        for game in 0..SOLVED.len() {
            let jobs = found.iter().skip(game).step_by(SOLVED.len());
            let sum = KeptValues::sum(jobs.filter_map(|one| one.0.get(i)));
            cells.push(sum.share().percent().text(1));
        }
        cells
    };
    let mut columns = vec!["player".to_owned()];
    columns.extend(SOLVED.iter().map(|(game, _)| format!("`{game}`")));
    let rows = names.iter().enumerate().map(row).collect();
    FindingTable { caption: caption.to_owned(), columns, rows, verdict: None }
}

/// Number of jobs of items that compare decisions.
pub(super) fn decision_jobs(size: RunSize) -> u64 {
    SOLVED.len() as u64 * size.pick([1, 4, 20])
}

/// Number of positions of a job.
pub(super) fn decision_positions(size: RunSize) -> u64 {
    size.pick([6, 400, 2000])
}

const SIMULATIONS: [u64; 4] = [1, 10, 100, 1000];

fn monte_carlo_players() -> Vec<String> {
    SIMULATIONS.iter().map(|sims| format!("montecarlo(sims={sims})")).collect()
}

/// For each number of random games the decisions, and the root mean square error of the share of wins.
#[derive(Serialize, Deserialize)]
struct MoreGames {
    decisions: PlayersDecisions,
    errors: Vec<f64>,
}

pub(super) fn more_games() -> WorkItem {
    let head = ItemHead {
        id: "montecarlo",
        kind: ItemKind::Claim,
        place: "sections 4 and 4.2",
        title: "More random games are better (Randy_MC)",
        published: "The larger N, the better the approximation.",
        method: "1, 10, 100 and 1000 random games: the error of the share of wins at 7 misère matches, \
                 of which the exact chance is 77/162; and the right decisions of flat Monte-Carlo with \
                 as many games for every action in random positions of three solved games.",
        command: "ludion analyse \"matches(21, misere)\" --player \"montecarlo(sims=1000)\"",
    };
    let measure = |context: &JobContext<'_>| -> Result<MoreGames, JobFailure> {
        let players = monte_carlo_players();
        let decisions = decide(context, &players, decision_positions(context.size))?;
        let error = |sims: &u64| approximation_error(context, *sims);
        let errors = SIMULATIONS.iter().map(error).collect::<Result<_, _>>()?;
        Ok(MoreGames { decisions, errors })
    };
    WorkItem::measured(head, decision_jobs, measure, judge_more_games).seconds([0.0, 1.5, 35.0])
}

/// Returns the root mean square error of the share of wins in this many random games.
fn approximation_error(context: &JobContext<'_>, sims: u64) -> Result<f64, JobFailure> {
    let (n, chance, _) = ODDS[2];
    let position = context.game(&format!("matches({n}, misere)"))?.start();
    let repeats = context.size.pick([10, 100, 100]);
    let square = |i: u64| {
        let wins = position.playouts(sims, derive_seed(context.seed(), &[sims, i]))[0];
        (wins as f64 / sims as f64 - chance).powi(2)
    };
    Ok(((0..repeats).map(square).sum::<f64>() / repeats as f64).sqrt())
}

fn judge_more_games(_: &JudgeContext<'_>, found: &[MoreGames]) -> Finding {
    let decisions: Vec<PlayersDecisions> = found.iter().map(|one| one.decisions.clone()).collect();
    let shares: Vec<MeasuredValue> =
        sum_by_player(&decisions).iter().map(KeptValues::share).collect();
    let error = |i: usize| {
        MeasuredValue::mean(&found.iter().map(|one| one.errors[i]).collect::<Vec<f64>>())
    };
    let steps = || SIMULATIONS.windows(2).enumerate();
    let mut comparisons = Vec::new();
    for (i, sims) in steps() {
        let gain = error(i + 1).difference(error(i));
        let what = format!("error of the share of wins, {} games instead of {}", sims[1], sims[0]);
        let verdict = Verdict::positive(error(i).difference(error(i + 1)));
        comparisons.push(Comparison::estimate(
            what,
            "less",
            (gain.percent(), 1, " points"),
            verdict,
        ));
    }
    let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
    for (i, sims) in steps() {
        let gain = shares[i + 1].difference(shares[i]);
        let what = format!("right decisions, {} games instead of {}", sims[1], sims[0]);
        let ours = (gain.percent(), 1, " points");
        comparisons.push(Comparison::estimate(what, "", ours, Verdict::Unknowable));
    }
    let reason = "The approximation of the chances gets better with the number of games. It does not \
                  make the decision right in the limit, because a random opponent is not a good one: \
                  in a position where the strongest reply is one of many, the mean over replies \
                  misleads however many games are played. The table shows where the gain ends.";
    Finding::new(Verdict::all(&verdicts), reason).comparing(comparisons).table(decisions_table(
        "Right decisions in per cent",
        &monte_carlo_players(),
        &decisions,
    ))
}

/// Games in which random games at the leaves are tested, with the plies of random openings.
const LEAVES: [(&str, u32); 3] = [("hexapawn(4, 4)", 2), ("morpion(5)", 2), ("connect4", 2)];
const LEAF_PLAYERS: [[&str; 2]; 2] = [
    ["negalphabeta(depth=2, eval=playouts(sims=20))", "negalphabeta(depth=2, eval=none)"],
    ["memory(depth=2, eval=playouts(sims=20))", "memory(depth=2, eval=none)"],
];

/// Plays matches of each game and each pair of players; the job number selects both.
fn matches_of(
    context: &JobContext<'_>,
    games: &[(&str, u32)],
    players: &[[&str; 2]],
    pairs: u64,
) -> Result<MatchCounts, JobFailure> {
    let number = context.number as usize;
    let (game, opening) = games[number % games.len()];
    let players = players[number / games.len() % players.len()];
    MatchSpec::new(game, players, pairs).opening(opening).play(context)
}

fn match_comparisons(
    games: &[(&str, u32)],
    players: &[[&str; 2]],
    found: &[MatchCounts],
) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for (p, [a, b]) in players.iter().enumerate() {
        for (g, (game, _)) in games.iter().enumerate() {
            let first = p * games.len() + g;
            let jobs = found.iter().skip(first).step_by(games.len() * players.len());
            let sum = MatchCounts::sum(jobs);
            let verdict = Verdict::positive(sum.score().minus(0.5));
            let what = format!("`{a}` against `{b}`, `{game}`");
            let mut one = Comparison::share(what, "above 50 %", sum.score(), verdict);
            one.ours = format!("{}: {}", sum.text(), one.ours);
            comparisons.push(one);
        }
    }
    comparisons
}

pub(super) fn leaves() -> WorkItem {
    let head = ItemHead {
        id: "alphabeta-mc",
        kind: ItemKind::Claim,
        place: "section 4.3",
        title: "Random games at the leaves (NegAlphaBeta_MC, NegAlphaBeta_Memory_MC)",
        published: "Leaves that are not over get WIN times the utility of random games instead of 0. \
                    The interest is to see whether this small change makes a more efficient player.",
        method: "Matches of both versions against the same search without random games, depth 2, \
                 20 games a leaf, from random openings of two plies with seats swapped.",
        command: "ludion match connect4 \"memory(depth=2, eval=playouts(sims=20))\" \
                  \"memory(depth=2, eval=none)\" --opening 2 -n 20",
    };
    let jobs = |size: RunSize| 6 * size.pick([1, 2, 10]);
    let measure = |context: &JobContext<'_>| {
        matches_of(context, &LEAVES, &LEAF_PLAYERS, context.size.pick([1, 10, 50]))
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        Finding::all(
            match_comparisons(&LEAVES, &LEAF_PLAYERS, found),
            "Without the change the search sees only wins and losses within two plies and otherwise \
             takes the first move. A question is answered here, not a figure: the verdict is about \
             the answer yes.",
        )
    })
    .seconds([0.0, 1.0, 20.0])
}

const DEEPENING: [[&str; 2]; 1] = [[
    "deepening(depth=3, secs=0, eval=playouts(sims=20))",
    "deepening(depth=3, secs=0, eval=none)",
]];

pub(super) fn deepening() -> WorkItem {
    let head = ItemHead {
        id: "deepening-mc",
        kind: ItemKind::Exercise,
        place: "section 5.1",
        title: "Iterative deepening with random games (IterativeDeepening_MC)",
        published: "A first, rather simple improvement mixes iterative deepening with simulations at \
                    the leaves.",
        method: "Matches at depth 3 with 20 games a leaf against the same search without, from \
                 random openings of two plies with seats swapped. The time is not limited, so that \
                 the run is repeatable.",
        command: "ludion match connect4 \"deepening(depth=3, secs=0, eval=playouts(sims=20))\" \
                  \"deepening(depth=3, secs=0, eval=none)\" --opening 2 -n 10",
    };
    let jobs = |size: RunSize| 3 * size.pick([1, 2, 10]);
    let measure = |context: &JobContext<'_>| {
        matches_of(context, &LEAVES, &DEEPENING, context.size.pick([1, 10, 50]))
    };
    WorkItem::measured(head, jobs, measure, |_: &JudgeContext<'_>, found: &[MatchCounts]| {
        Finding::all(
            match_comparisons(&LEAVES, &DEEPENING, found),
            "An improvement is expected, and the verdict is about it: does the version with random \
             games win more than half of the points?",
        )
    })
    .seconds([0.0, 1.5, 40.0])
}
