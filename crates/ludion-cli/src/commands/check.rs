//! `ludion check`: plays random games and checks the laws that every game must satisfy in each
//! position. For authors of games.

use clap::Args;
use ludion::laws::LawViolation;
use ludion::param::Spec;
use ludion::registry::{GameEntry, RegistryError};
use serde::Serialize;

use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::CommandReport;
use crate::table::figures;

/// Check the laws that every game must satisfy
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion check                         every game and its examples
  ludion check hexapawn                one game and its examples
  ludion check \"connect4(5, 4)\" --games 500")]
pub(crate) struct CheckArgs {
    /// The games to check [default: all]
    games: Vec<String>,
    /// Number of random games to play of each game
    #[arg(long = "games", value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
}

#[derive(Serialize)]
struct LawCheckReport {
    games: u32,
    seed: u64,
    checked: Vec<CheckedVariant>,
}

#[derive(Serialize)]
struct CheckedVariant {
    game: String,
    states: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<ReportedViolation>,
}

#[derive(Serialize)]
struct ReportedViolation {
    law: &'static str,
    state: String,
    detail: String,
}

impl CheckArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let mut answer =
            LawCheckReport { games: self.count, seed: context.seed, checked: Vec::new() };
        let mut sentences = Vec::new();
        let (specs, progress) = (self.specs(context)?, context.progress("games"));
        let (each, total) = (u64::from(self.count), u64::from(self.count) * specs.len() as u64);
        progress.update(0, Some(total), String::new);
        for (spec, number) in specs.into_iter().zip(0..) {
            let game = context.registry.game(&spec)?;
            let on_game = &mut |games: usize| {
                progress.update(number * each + games as u64, Some(total), || spec.clone());
            };
            let (count, seed) = (self.count as usize, context.seed);
            let checked = match game.check_laws_with_progress(count, seed, on_game) {
                Ok(states) => CheckedVariant { game: spec, states, broken: None },
                Err(broken) => {
                    sentences.push(format!("{spec} breaks a law: {broken}"));
                    let LawViolation { law, state, detail } = broken;
                    let broken = Some(ReportedViolation { law, state, detail });
                    CheckedVariant { game: spec, states: 0, broken }
                }
            };
            answer.checked.push(checked);
        }
        progress.finish();
        context.output.report(&answer)?;
        if sentences.is_empty() {
            Ok(())
        } else {
            Err(CommandFailure::Failed(sentences.join("\n")))
        }
    }

    /// Returns the specs to check: for a bare name all examples of the game, for a name with
    /// parameters only that spec.
    fn specs(&self, context: &CommandContext) -> Result<Vec<String>, CommandFailure> {
        if self.games.is_empty() {
            let entries = context.registry.games().iter();
            return Ok(entries.flat_map(examples).collect());
        }
        let mut specs = Vec::new();
        for text in &self.games {
            if Spec::parse(text).map_err(RegistryError::from)?.values.is_empty() {
                let entry = context.registry.entry(text)?;
                specs.extend(examples(entry));
            } else {
                specs.push(context.registry.game(text)?.spec().to_owned());
            }
        }
        Ok(specs)
    }
}

/// Returns the spec with default parameters and the examples, without duplicates.
fn examples(entry: &GameEntry) -> Vec<String> {
    let others = entry.examples.iter().filter(|&example| *example != entry.name);
    std::iter::once(&entry.name).chain(others).map(|text| text.clone().into_owned()).collect()
}

impl CommandReport for LawCheckReport {
    fn text(&self) -> String {
        let row = |checked: &CheckedVariant| {
            let (states, word) = match checked.broken {
                None => (checked.states.to_string(), "all laws kept"),
                Some(_) => (String::new(), "a law is broken"),
            };
            vec![checked.game.clone(), states, word.to_owned()]
        };
        figures(&["game", "states", ""], self.checked.iter().map(row))
    }
}
