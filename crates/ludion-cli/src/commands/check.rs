//! `ludion check`: plays random games and holds each position against the laws that every
//! game must keep. For people with a game of their own.

use clap::Args;
use ludion::laws::Broken;
use ludion::param::Spec;
use ludion::registry::Error;
use serde::Serialize;

use crate::Context;
use crate::failure::Failure;
use crate::output::Report;
use crate::table::figures;

/// Check the laws that every game must keep
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion check                         every game and its examples
  ludion check hexapawn                one game and its examples
  ludion check \"connect4(5, 4)\" --games 500")]
pub(crate) struct Check {
    /// The games to check; all when none is given
    games: Vec<String>,
    /// Random games to play of each
    #[arg(long = "games", value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
}

#[derive(Serialize)]
struct Answer {
    games: u32,
    seed: u64,
    checked: Vec<Checked>,
}

#[derive(Serialize)]
struct Checked {
    game: String,
    states: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Breach>,
}

#[derive(Serialize)]
struct Breach {
    law: &'static str,
    state: String,
    detail: String,
}

impl Check {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let mut answer = Answer { games: self.count, seed: context.seed, checked: Vec::new() };
        let mut sentences = Vec::new();
        for spec in self.specs(context)? {
            let game = context.registry.game(&spec)?;
            let checked = match game.check_laws(self.count as usize, context.seed) {
                Ok(states) => Checked { game: spec, states, broken: None },
                Err(broken) => {
                    sentences.push(format!("{spec} breaks a law: {broken}"));
                    let Broken { law, state, detail } = broken;
                    let broken = Some(Breach { law, state, detail });
                    Checked { game: spec, states: 0, broken }
                }
            };
            answer.checked.push(checked);
        }
        context.output.report(&answer)?;
        if sentences.is_empty() { Ok(()) } else { Err(Failure::Failed(sentences.join("\n"))) }
    }

    /// What to check: of a bare name every example, of a name with values just that.
    fn specs(&self, context: &Context) -> Result<Vec<String>, Failure> {
        if self.games.is_empty() {
            let entries = context.registry.games().iter();
            return Ok(entries.flat_map(|e| examples(e.name, e.examples)).collect());
        }
        let mut specs = Vec::new();
        for text in &self.games {
            if Spec::parse(text).map_err(Error::from)?.values.is_empty() {
                let entry = context.registry.entry(text)?;
                specs.extend(examples(entry.name, entry.examples));
            } else {
                specs.push(context.registry.game(text)?.spec().to_owned());
            }
        }
        Ok(specs)
    }
}

/// The plain game and its examples, the plain one once.
fn examples(name: &str, examples: &[&str]) -> Vec<String> {
    let others = examples.iter().filter(|&&example| example != name);
    std::iter::once(&name).chain(others).map(|&text| text.to_owned()).collect()
}

impl Report for Answer {
    fn text(&self) -> String {
        let row = |checked: &Checked| {
            let (states, word) = match checked.broken {
                None => (checked.states.to_string(), "all laws kept"),
                Some(_) => (String::new(), "a law is broken"),
            };
            vec![checked.game.clone(), states, word.to_owned()]
        };
        figures(&["game", "states", ""], self.checked.iter().map(row))
    }
}
