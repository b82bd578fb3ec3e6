//! Sections 3.f and 5: phrases as steps of the search, what spelling by dynamic programming gains, the
//! rank of the team and its server.

use ludion_hextris::solver::baseline::{self, BaselineWeights};
use ludion_hextris::solver::evaluation::BoardWeights;
use ludion_hextris::solver::{SolveBudget, SolveMethod, SolveOptions, solve};
use ludion_hextris::{HextrisReferee, Phrases, Problem};
use serde::{Deserialize, Serialize};

use super::solver::{play, seeds};
use super::{SLOTS, job_problems};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem, failed};

/// Logarithm of the score with phrases tried first / the score without phrases, and the share of
/// points from phrases.
type PhraseGain = Vec<[f64; 2]>;

pub(super) fn phrase_use() -> WorkItem {
    let head = ItemHead {
        id: "phrase-steps",
        kind: ItemKind::Claim,
        place: "section 3.f",
        title: "Phrases as steps of the search",
        published: "Teams that used the phrases took the lead; phrases as single steps that are tried \
                    first seemed to be enough to score.",
        method: "The score with the 18 phrases divided by that with none, over problems, and the share \
                 of the points that comes from phrases.",
        command: "ludion hextris solve -f tetrahexes --solver baseline --no-phrases -t 2",
    };
    WorkItem::measured(head, |_| SLOTS, measure_phrase_gain, judge_phrase_gain)
        .seconds([0.0, 0.5, 4.0])
}

fn measure_phrase_gain(context: &JobContext<'_>) -> Result<PhraseGain, JobFailure> {
    let gain = |(_, problem): (String, Problem)| {
        let [score, power] = play(context, &problem, &BaselineWeights::default())?;
        let none = Phrases::none();
        let mut plain = 0.0;
        let seeds: Vec<u32> = problem.seeds().iter().copied().take(seeds(context.size)).collect();
        for &seed in &seeds {
            let stop = || context.check_stop().is_err();
            let weights = BaselineWeights::default();
            let commands = baseline::continue_game((&problem, &none, seed), "", &weights, &stop);
            context.check_stop()?;
            let points = HextrisReferee::new(&problem, &none).score(seed, &commands).score;
            plain += points as f64 / seeds.len() as f64;
        }
        Ok([(score.max(1.0) / plain.max(1.0)).ln(), power / score.max(1.0)])
    };
    job_problems(context).into_iter().map(gain).collect()
}

fn judge_phrase_gain(_: &JudgeContext<'_>, found: &[PhraseGain]) -> Finding {
    let rows: Vec<&[f64; 2]> = found.iter().flatten().collect();
    let of = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>();
    let (gain, share) = (MeasuredValue::mean(&of(0)), MeasuredValue::mean(&of(1)));
    let ratio =
        MeasuredValue { value: gain.value.exp(), low: gain.low.exp(), high: gain.high.exp() };
    let verdict = Verdict::positive(gain);
    Finding::new(verdict, "Without phrases there is no way to the top of the table.").comparing([
        Comparison::estimate("score with phrases / without", "above 1", (ratio, 2, ""), verdict),
        Comparison::share("share of points from phrases", "", share, Verdict::Unknowable),
    ])
}

/// Points of phrases of the solver and of one that spells whole games by dynamic programming, and
/// the whole scores of both.
#[derive(Serialize, Deserialize)]
struct SpellingGain {
    power: [f64; 2],
    score: [f64; 2],
}

pub(super) fn dynamic_programming() -> WorkItem {
    let head = ItemHead {
        id: "dynamic-programming",
        kind: ItemKind::Claim,
        place: "section 3.f",
        title: "What dynamic programming would have gained",
        published: "An improvement would compute, by dynamic programming, the path with most phrases for \
                    each cell. Not to have thought of it surely cost about ten places.",
        method: "Points of the solver beside those of Ludion's, which plans locks by a beam search and \
                 spells the whole game by dynamic programming (one beam of 30 states, so that the run is \
                 repeatable). Places cannot be computed, points can.",
        command: "ludion hextris solve -f tetrahexes -t 2",
    };
    WorkItem::measured(head, |_| SLOTS, measure_spelling, judge_spelling).seconds([0.0, 6.5, 40.0])
}

fn measure_spelling(context: &JobContext<'_>) -> Result<Vec<SpellingGain>, JobFailure> {
    let phrases = Phrases::known();
    let gain = |(_, problem): (String, Problem)| {
        let [score, power] = play(context, &problem, &BaselineWeights::default())?;
        let options = SolveOptions {
            method: SolveMethod::Beam(BoardWeights::default()),
            effort: SolveBudget::Rounds { rounds: 1, states: 30 },
            threads: 1,
            megabytes: 256,
            seed: context.seed(),
        };
        let mut json = problem.json().clone();
        json.source_seeds.truncate(seeds(context.size));
        let few = [Problem::new(json).map_err(failed)?];
        let solved = solve(&few, &phrases, &options, &|_| ());
        context.check_stop()?;
        let games = solved.len().max(1);
        let sum = |points: fn(&ludion_hextris::SolutionScore) -> u64| {
            let all = solved.iter().map(|game| points(&game.verdict) as f64);
            all.sum::<f64>() / games as f64
        };
        Ok(SpellingGain {
            power: [power, sum(|score| score.power_score)],
            score: [score, sum(|score| score.score)],
        })
    };
    job_problems(context).into_iter().map(gain).collect()
}

fn judge_spelling(_: &JudgeContext<'_>, found: &[Vec<SpellingGain>]) -> Finding {
    let rows: Vec<&SpellingGain> = found.iter().flatten().collect();
    let ratio = |pair: fn(&SpellingGain) -> [f64; 2]| {
        let logs = rows.iter().map(|row| pair(row));
        let logs: Vec<f64> = logs.map(|[a, b]| (b.max(1.0) / a.max(1.0)).ln()).collect();
        let mean = MeasuredValue::mean(&logs);
        let ratio =
            MeasuredValue { value: mean.value.exp(), low: mean.low.exp(), high: mean.high.exp() };
        (ratio, Verdict::positive(mean))
    };
    let (power, verdict) = ratio(|row| row.power);
    let (score, all) = ratio(|row| row.score);
    Finding::new(
        verdict,
        "Spelling by dynamic programming gains points as the authors thought. How many places that \
         would have been is in no document; on the contest's problems Ludion's scores are above the \
         best team's (docs/hextris.md).",
    )
    .comparing([
        Comparison::estimate(
            "points of phrases, dynamic programming / steps",
            "above 1",
            (power, 2, ""),
            verdict,
        ),
        Comparison::estimate("score, Ludion's solver / the report's", "", (score, 2, ""), all),
    ])
}

pub(super) fn rank() -> WorkItem {
    let head = ItemHead {
        id: "rank",
        kind: ItemKind::Claim,
        place: "section 3.f",
        title: "The rank that the scores would have had",
        published: "About ten places were lost.",
        method: "",
        command: "ludion hextris bench --problems icfp2015 -t 20",
    };
    WorkItem::unknowable(
        head,
        "Neither the rank of the team nor the scores of the others are in the report, and the ranking of \
         the contest is not part of Ludion. What is known are the best scores by problem: \
         docs/hextris.md compares with them.",
    )
}

pub(super) fn server() -> WorkItem {
    let head = ItemHead {
        id: "server",
        kind: ItemKind::Exercise,
        place: "section 5",
        title: "The submission server and the replay",
        published: "A server takes solutions as in the contest, and every game can be replayed in the \
                    browser step by step.",
        method: "",
        command: "ludion hextris serve",
    };
    WorkItem::unknowable(
        head,
        "Whether the address of the report still answers is not checked by this program. Ludion has a \
         server with the contest's requests and a page that replays every command.",
    )
}
