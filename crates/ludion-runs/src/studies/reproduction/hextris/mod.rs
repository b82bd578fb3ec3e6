//! *Participation à l'ICFP 2015* (de Falco and Fleck): the solver of the team TaupeGoons for
//! hexagonal Tetris, and the genetic tuning of its weights.

mod geometry;
mod notation;
mod published;
mod reached;
mod solver;
mod spelling;
mod tuning;

use ludion_hextris::{PROBLEMS, Problem};

use super::work::{JobContext, PublishedWork, RunSize, WorkItem};
use crate::studies::hextris_tuning::NamedJsonProblem;

/// The report about the contest.
pub(super) const WORK: PublishedWork = PublishedWork {
    name: "hextris",
    title: "Participation à l'ICFP 2015",
    authors: "Marc de Falco and Jean-Julien Fleck",
    year: "2015",
    source: "M. de Falco and J.-J. Fleck, *Participation à l'ICFP 2015*, in French; the program is in \
             the repository `MarcdeFalco/icfp15`",
    about: "The programming contest of the conference ICFP 2015 asked for a program that plays \
            hexagonal Tetris: units fall on a board of hexagonal cells, full rows vanish and give \
            points, and the string of commands gives more points if it spells certain phrases, the \
            *phrases of power*. The report explains the board, how its team searched all places where \
            a unit can lock, by which features it chose among them, and how it tuned the weights of the \
            features with a genetic algorithm. It has no table of results; the scores of the team are \
            known from the contest.",
    terms: &[
        ("unit", "a piece: some cells and a pivot about which it turns"),
        (
            "lock",
            "a unit locks where it stands if a command would move it onto a full cell or off the \
                  board",
        ),
        ("placement", "where a unit is: its pivot and how it is turned"),
        (
            "baseline",
            "the solver of the report, built here from its description and its program, with \
                      its own weights",
        ),
        (
            "ratio",
            "a score divided by that of the default weights 3, 2, 1, 100, 1, 100 on the same \
                   problem",
        ),
        (
            "problems",
            "by default sixteen of Ludion's own, of which runs leave out the largest; the \
                      contest's with `--problems FOLDER`",
        ),
    ],
    items,
};

fn items() -> Vec<WorkItem> {
    vec![
        notation::generator(),
        geometry::clearing(),
        notation::commands(),
        notation::phrases(),
        geometry::coordinates(),
        geometry::symmetry(),
        reached::paths(),
        solver::scores(),
        solver::indicators(),
        reached::reached(),
        spelling::phrase_use(),
        spelling::dynamic_programming(),
        spelling::rank(),
        tuning::tuning(),
        tuning::third_generation(),
        tuning::equal_genes(),
        tuning::mutations(),
        spelling::server(),
    ]
}

/// Number of jobs over which problems are distributed.
const SLOTS: u64 = 16;

/// Greatest work of a problem that is used, in cells of the board times units.
fn max_work(size: RunSize) -> usize {
    size.pick([10_000, 300_000, 6_000_000])
}

fn work(problem: &Problem) -> usize {
    problem.width() * problem.height() * problem.source_length()
}

/// Returns the problems of a run: those that the user gave, or the built-in ones, without the largest.
fn problems(given: &[NamedJsonProblem], size: RunSize) -> Vec<(String, Problem)> {
    let all: Vec<(String, Problem)> = match given.is_empty() {
        true => PROBLEMS.iter().map(|one| (one.name.to_owned(), one.problem())).collect(),
        false => given
            .iter()
            .filter_map(|one| Some((one.name.clone(), Problem::new(one.problem.clone()).ok()?)))
            .collect(),
    };
    let mut small: Vec<(String, Problem)> =
        all.iter().filter(|(_, problem)| work(problem) <= max_work(size)).cloned().collect();
    if small.is_empty() {
        small = all;
        small.sort_by_key(|(_, problem)| work(problem));
        small.truncate(1);
    }
    small.truncate(size.pick([2, usize::MAX, usize::MAX]));
    small
}

/// Returns the problems of this job: every [`SLOTS`]-th.
fn job_problems(context: &JobContext<'_>) -> Vec<(String, Problem)> {
    let all = problems(context.problems, context.size).into_iter();
    all.skip(context.number as usize).step_by(SLOTS as usize).collect()
}
