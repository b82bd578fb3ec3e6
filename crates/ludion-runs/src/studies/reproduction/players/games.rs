//! The games of the sheet with all variants, the numbers of recursive calls, and the theory of
//! Matches.

use ludion_players::player::{Budget, NoObserver};
use serde::{Deserialize, Serialize};

use crate::studies::JobFailure;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::matches::{mover_wins, winner_words};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{
    ItemHead, ItemKind, JobContext, RunSize, WorkItem, failed,
};

/// The variants of the games that are counted; the first ones at the tiny size.
const VARIANTS: [&str; 30] = [
    "matches(13)",
    "matches(13, misere)",
    "hexapawn",
    "divide(7, 17, sorted)",
    "matches(21)",
    "matches(21, misere)",
    "divide(13, 17)",
    "dice(20, 3)",
    "dice(40, 1)",
    "marienbad(3)",
    "marienbad(3, misere)",
    "marienbad(3, take=3)",
    "marienbad(8, quarter)",
    "hexapawn(3, 3, cylinder)",
    "hexapawn(3, 3, forced)",
    "hexapawn(3, 3, cylinder, forced)",
    "hexapawn(3, 5)",
    "hexapawn(5, 3)",
    "hexapawn(3, 4)",
    "hexapawn(4, 3)",
    "hexapawn(4, 4)",
    "hexapawn(4, 4, forced)",
    "hexapawn(4, 5)",
    "tictactoe",
    "morpion(3)",
    "morpion(3, torus)",
    "morpion(3, phase=1)",
    "morpion(3, phase=2)",
    "morpion(3, torus, phase=1)",
    "morpion(3, torus, phase=2)",
];

/// Limit of the moves between positions that a census follows.
const CENSUS_LIMIT: u64 = 30_000_000;

/// Counts of a variant.
#[derive(Serialize, Deserialize)]
struct VariantCounts {
    positions: u64,
    games: String,
    longest: u32,
    winner: String,
    /// The probability that the first player wins if both play at random.
    chance: f64,
}

pub(super) fn variants() -> WorkItem {
    let head = ItemHead {
        id: "games",
        kind: ItemKind::Exercise,
        place: "section 1 and the sheets before",
        title: "The games and their variants",
        published: "The sheet uses Matches, Divide, Hexapawn and Morpion; Dice and Marienbad come \
                    from the sheets before. It gives no counts and no winners.",
        method: "A walk over all positions of each variant counts them and the complete games, and \
                 finds who wins under perfect play and how often the first player wins at random. \
                 Morpion of 5 and 7, Hexapawn of 5 by 5 and Marienbad with random rows are left out: \
                 the first ones are too large for a walk, the last one has no fixed start.",
        command: "ludion count \"hexapawn(4, 4)\"",
    };
    let jobs = |size: RunSize| size.pick([4, VARIANTS.len() as u64, VARIANTS.len() as u64]);
    WorkItem::measured(head, jobs, count_variant, judge_variants).seconds([0.0, 2.0, 2.0])
}

fn count_variant(context: &JobContext<'_>) -> Result<VariantCounts, JobFailure> {
    let game = context.game(VARIANTS[context.number as usize])?;
    let census = game.start().census(CENSUS_LIMIT).map_err(failed)?;
    let first = census.ends.iter().find(|end| winner_words(end.outcome) == "first");
    let chance = first.map_or(0.0, |end| fraction(&end.chance.to_string()));
    Ok(VariantCounts {
        positions: census.positions,
        games: census.games.to_string(),
        longest: census.longest,
        winner: winner_words(census.perfect).to_owned(),
        chance,
    })
}

/// Returns the value of a fraction such as `77/162`, whose parts can be long.
fn fraction(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let number = |digits: &str| digits.parse::<f64>().unwrap_or(f64::NAN);
    number(above) / number(below)
}

fn judge_variants(
    _: &crate::studies::reproduction::JudgeContext<'_>,
    counts: &[VariantCounts],
) -> Finding {
    let row = |(variant, count): (&&str, &VariantCounts)| {
        vec![
            format!("`{variant}`"),
            count.positions.to_string(),
            count.games.clone(),
            count.longest.to_string(),
            count.winner.clone(),
            format!("{:.4}", count.chance),
        ]
    };
    let head = ["variant", "positions", "complete games", "longest", "winner", "random first win"];
    Finding::new(
        Verdict::Unknowable,
        "Nothing was published to compare with; the table says what each game is worth, so that the \
         items below can be judged against it. All counts are exact.",
    )
    .table(FindingTable {
        caption: "Exact counts of every variant".to_owned(),
        columns: head.map(str::to_owned).to_vec(),
        rows: VARIANTS.iter().zip(counts).map(row).collect(),
        verdict: None,
    })
}

/// The searches whose recursive calls are counted, and the games with depth and published calls.
const SEARCHES: [&str; 4] = ["minimax", "negamax", "alphabeta", "negalphabeta"];
const CALLS: [(&str, u32, [u64; 4]); 3] = [
    ("matches(13)", 5, [357, 357, 71, 111]),
    ("hexapawn", 10, [251, 251, 64, 95]),
    ("morpion(3)", 5, [18729, 18729, 1078, 1930]),
];

pub(super) fn calls() -> WorkItem {
    let head = ItemHead {
        id: "calls",
        kind: ItemKind::Table,
        place: "section 1, the attribute nbCalls",
        title: "Recursive calls of MinMax, NegaMax, AlphaBeta and NegAlphaBeta",
        published: "The classes of the course count their recursive calls. The sheet gives no counts; \
                    those compared with are of the course's other material, for a decision at the start \
                    of three games.",
        method: "The same four searches at the same depth, calls counted without the root.",
        command: "ludion analyse \"matches(13)\" --player \"alphabeta(depth=5)\" --json",
    };
    WorkItem::measured(head, |_| 3, count_calls, judge_calls)
}

fn count_calls(context: &JobContext<'_>) -> Result<Vec<u64>, JobFailure> {
    let (game, depth, _) = CALLS[context.number as usize];
    let game = context.game(game)?;
    let nodes = |search: &&str| {
        let mut player = game.player(&format!("{search}(depth={depth})"))?;
        let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver);
        Ok(choice.map_err(failed)?.nodes)
    };
    SEARCHES.iter().map(nodes).collect()
}

fn judge_calls(
    _: &crate::studies::reproduction::JudgeContext<'_>,
    counted: &[Vec<u64>],
) -> Finding {
    let mut comparisons = Vec::new();
    for ((game, depth, published), ours) in CALLS.iter().zip(counted) {
        for ((search, published), ours) in SEARCHES.iter().zip(published).zip(ours) {
            let what = format!("{search}, `{game}`, depth {depth}");
            comparisons.push(Comparison::exact(what, *published as f64, *ours as f64));
        }
    }
    Finding::all(
        comparisons,
        "Calls depend on the order of moves and on where a search cuts, so equal counts mean that \
         the searches are the same. NegAlphaBeta calls more than AlphaBeta because the course's \
         version gives every move of the root the full window.",
    )
}

/// The largest number of matches whose winner is computed.
const MOST_MATCHES: u64 = 40;

pub(super) fn matches_theory() -> WorkItem {
    let head = ItemHead {
        id: "matches-theory",
        kind: ItemKind::Claim,
        place: "section 5.4, point 3",
        title: "Which numbers of matches are lost",
        published: "If the last match wins, a multiple of 4 is a losing position; if it loses, \
                    4p + 1 is.",
        method: "The winner of every position of 1 to 40 matches in both variants, by a walk over \
                 all games, compared with the rule.",
        command: "ludion solve \"matches(21, misere)\"",
    };
    WorkItem::measured(
        head,
        |_| 1,
        count_exceptions,
        |_, exceptions: &[[u64; 2]]| {
            let of = |i: usize| exceptions.first().map_or(0.0, |both| both[i] as f64);
            Finding::all(
                vec![
                    Comparison::exact("exceptions of 40, last match wins", 0.0, of(0)),
                    Comparison::exact("exceptions of 40, last match loses", 0.0, of(1)),
                ],
                "The rule holds for every number: whatever the opponent takes, the answer that makes \
             four in all keeps the remainder.",
            )
        },
    )
}

fn count_exceptions(context: &JobContext<'_>) -> Result<[u64; 2], JobFailure> {
    let mut exceptions = [0; 2];
    for (variant, (rules, lost_at)) in [("", 0), (", misere", 1)].into_iter().enumerate() {
        for n in 1..=MOST_MATCHES {
            let position = context.game(&format!("matches({n}{rules})"))?.start();
            let census = position.census(CENSUS_LIMIT).map_err(failed)?;
            let is_won = mover_wins(&*position, census.perfect);
            exceptions[variant] += u64::from(is_won != (n % 4 != lost_at));
        }
    }
    Ok(exceptions)
}
