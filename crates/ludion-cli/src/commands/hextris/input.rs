//! Input of the subcommands: problems from files, standard input or built-in ones by name;
//! solutions; phrases of power, which score points when a solution spells them.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use clap::Args;
use ludion::games::hextris::problems::{self, NamedProblem, PROBLEMS};
use ludion::games::hextris::{HextrisSolution, Phrases, Problem};
use ludion::notation::nearest;
use ludion_store::open_file_or_pipe;

use crate::failure::CommandFailure;

/// Size limit of an input file in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Problems, phrases and solutions on the command line.
#[derive(Args)]
pub(super) struct HextrisInputArgs {
    /// A problem: a file, - for standard input, or the name of a built-in one
    #[arg(long = "problem", short = 'f', value_name = "FILE", required = true)]
    problems: Vec<String>,
    #[command(flatten)]
    phrases: PhraseArgs,
    /// The file of solutions, - for standard input; files before the last are further problems
    #[arg(value_name = "SOLUTIONS.json", required = true)]
    files: Vec<String>,
}

/// Phrases of power, which score points when a solution spells them.
#[derive(Args)]
pub(super) struct PhraseArgs {
    /// A phrase of power [default: the 18 of the contest]
    #[arg(short = 'p', long = "phrase", value_name = "PHRASE")]
    phrases: Vec<String>,
    /// Use no phrases of power, so that only moves score
    #[arg(long, conflicts_with = "phrases")]
    no_phrases: bool,
}

impl PhraseArgs {
    /// Returns whether one of the options is given.
    pub(super) fn is_given(&self) -> bool {
        self.no_phrases || !self.phrases.is_empty()
    }

    pub(super) fn read(&self) -> Result<Phrases, CommandFailure> {
        match (&self.phrases[..], self.no_phrases) {
            ([], true) => Ok(Phrases::none()),
            ([], false) => Ok(Phrases::known()),
            (phrases, _) => {
                Phrases::new(phrases).map_err(|error| CommandFailure::Usage(error.to_string()))
            }
        }
    }
}

/// The problems, phrases and solutions that were read.
pub(super) struct LoadedInput {
    pub(super) problems: Vec<Problem>,
    pub(super) phrases: Phrases,
    pub(super) solutions: Vec<HextrisSolution>,
}

impl HextrisInputArgs {
    pub(super) fn load(&self) -> Result<LoadedInput, CommandFailure> {
        let (solutions, further) = self.files.split_last().expect("a file at least is required");
        let names: Vec<&String> = self.problems.iter().chain(further).collect();
        let piped = names.iter().filter(|name| *name == &"-").count();
        if piped + usize::from(solutions == "-") > 1 {
            return Err(CommandFailure::Usage(
                "- is given twice, standard input is one file".to_owned(),
            ));
        }
        let problems = load_problems(&names)?;
        let list = HextrisSolution::list_from_json(&read(solutions)?)
            .map_err(|error| CommandFailure::Usage(format!("{solutions}: {error}")))?;
        for (number, solution) in list.iter().enumerate() {
            if find(&problems, solution).is_none() {
                return Err(unknown_problem(solutions, number, solution, &problems));
            }
        }
        Ok(LoadedInput { problems, phrases: self.phrases.read()?, solutions: list })
    }
}

impl LoadedInput {
    /// Returns the problem that a solution is for.
    pub(super) fn problem(&self, solution: &HextrisSolution) -> &Problem {
        find(&self.problems, solution).expect("solutions of other problems were refused")
    }
}

fn find<'a>(problems: &'a [Problem], solution: &HextrisSolution) -> Option<&'a Problem> {
    problems.iter().find(|problem| problem.id() == solution.problem_id)
}

fn unknown_problem(
    file: &str,
    number: usize,
    solution: &HextrisSolution,
    problems: &[Problem],
) -> CommandFailure {
    let ids: Vec<String> = problems.iter().map(|problem| problem.id().to_string()).collect();
    CommandFailure::Usage(format!(
        "{file}: [{number}].problemId: {} is no problem that was given; those are {}",
        solution.problem_id,
        ids.join(", ")
    ))
}

/// Loads the problems of a contest by their ids: those with the given names, or all built-in ones if
/// there are no names.
pub(super) fn load_contest_problems<'a>(
    names: impl IntoIterator<Item = &'a String>,
) -> Result<BTreeMap<u32, Problem>, CommandFailure> {
    let problems = match &names.into_iter().collect::<Vec<_>>()[..] {
        [] => PROBLEMS.iter().map(NamedProblem::problem).collect(),
        names => load_problems(names)?,
    };
    Ok(problems.into_iter().map(|problem| (problem.id(), problem)).collect())
}

pub(super) fn load_problems(names: &[&String]) -> Result<Vec<Problem>, CommandFailure> {
    let mut problems: Vec<Problem> = Vec::new();
    for name in names {
        let problem = load_problem(name)?;
        if problems.iter().any(|known| known.id() == problem.id()) {
            return Err(CommandFailure::Usage(format!(
                "{name}: id: problem {} is given twice",
                problem.id()
            )));
        }
        problems.push(problem);
    }
    Ok(problems)
}

/// Loads a problem: a built-in one by its name, otherwise a file.
pub(super) fn load_problem(name: &str) -> Result<Problem, CommandFailure> {
    if let Some(named) = problems::find(name) {
        return Ok(named.problem());
    }
    if name != "-" && !name.contains(['.', '/', '\\']) && !Path::new(name).exists() {
        return Err(CommandFailure::Usage(no_problem(name)));
    }
    let text = read(name)?;
    Problem::from_json(&text).map_err(|error| CommandFailure::Usage(format!("{name}: {error}")))
}

/// Returns the error message for a name that is neither a file nor a built-in problem.
fn no_problem(name: &str) -> String {
    let names = PROBLEMS.iter().map(|named| named.name);
    let known: Vec<&str> = names.clone().collect();
    let meant = match &nearest(name, names)[..] {
        [] => String::new(),
        near => format!(", did you mean {}?", near.join(" or ")),
    };
    format!("no problem and no file is called {name:?}{meant}; there are {}", known.join(", "))
}

pub(super) fn read(name: &str) -> Result<String, CommandFailure> {
    let cannot =
        |error: std::io::Error| CommandFailure::Usage(format!("{name} cannot be read: {error}"));
    let file: Box<dyn Read> = match name {
        "-" => Box::new(std::io::stdin()),
        _ => Box::new(open_file_or_pipe(Path::new(name)).map_err(cannot)?),
    };
    let mut text = String::new();
    file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(cannot)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(CommandFailure::Usage(format!("{name} is longer than {MAX_BYTES} bytes")));
    }
    Ok(text)
}
