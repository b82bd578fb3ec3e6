//! Problems, solutions and commands of hexagonal Tetris.

use std::sync::OnceLock;

use ludion::games::hextris::problems;
use ludion::games::hextris::{HextrisReferee, HextrisSolution, JsonProblem, Phrases, Problem};

use super::{error, text};
use crate::FuzzTarget;

const JSON_TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "null",
    "true",
    "1.5",
    "-0",
    "\"id\"",
    "\"width\"",
    "\"height\"",
    "\"units\"",
    "\"members\"",
    "\"pivot\"",
    "\"x\"",
    "\"y\"",
    "\"filled\"",
    "\"sourceLength\"",
    "\"sourceSeeds\"",
    "\"problemId\"",
    "\"seed\"",
    "\"tag\"",
    "\"solution\"",
];

/// Problems in the JSON of the contest.
pub(super) const PROBLEM: FuzzTarget = FuzzTarget {
    name: "hextris_problem",
    about: "problem of hexagonal Tetris in JSON",
    tokens: JSON_TOKENS,
    run: |input| {
        let problem = Problem::from_json(&text(input)).map_err(error)?;
        let shown = serde_json::to_string(problem.json()).expect("plain data");
        let again: JsonProblem = serde_json::from_str(&shown).expect("JSON that was written");
        assert_eq!(&again, problem.json());
        let phrases = Phrases::known();
        let referee = HextrisReferee::new(&problem, &phrases);
        if let Some(&seed) = problem.seeds().first() {
            let _ = referee.score(seed, "ei!lapppaddkk");
        }
        Ok(())
    },
};

/// Solutions in the JSON of the contest.
pub(super) const SOLUTIONS: FuzzTarget = FuzzTarget {
    name: "hextris_solutions",
    about: "solutions of hexagonal Tetris in JSON",
    tokens: JSON_TOKENS,
    run: |input| {
        let list = HextrisSolution::list_from_json(&text(input)).map_err(error)?;
        let shown = serde_json::to_string(&list).expect("plain data");
        assert_eq!(HextrisSolution::list_from_json(&shown), Ok(list));
        Ok(())
    },
};

/// Commands of a solution, scored by the referee.
pub(super) const COMMANDS: FuzzTarget = FuzzTarget {
    name: "hextris_commands",
    about: "commands of a game of hexagonal Tetris",
    tokens: &["ei!", "r'lyeh", "yuggoth", "\t", "\n", "p", "a", "l", "d", "k", "bbb", "aaa"],
    run: |input| {
        static PROBLEM: OnceLock<Problem> = OnceLock::new();
        let problem = PROBLEM.get_or_init(|| problems::find("dot").expect("a problem").problem());
        let phrases = Phrases::known();
        let score = HextrisReferee::new(problem, &phrases).score(problem.seeds()[0], &text(input));
        score.error_message().map_or(Ok(()), Err)
    },
};
