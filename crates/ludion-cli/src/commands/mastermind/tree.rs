//! `ludion mastermind tree`: writes the complete tree of a strategy to a file, reads one, checks it by
//! playing it against every code, and bounds the best possible one.

use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::optimal::bound::least_total_guesses;
use ludion::riddles::mastermind::breaker::tree::StrategyTree;
use ludion::riddles::mastermind::breaker::tree::outline::{TreeDocument, read_text, write_text};
use ludion_store::open_regular_file;
use serde::Serialize;

use super::sizes::{SizeArgs, spec};
use super::trees::PreparedStrategy;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::output::{CommandReport, LOUD, QUIET, paint, time};
use crate::runs::StoreArgs;

/// Size limit of a file with a tree.
const MAX_TREE_BYTES: u64 = 64 << 20;

/// Write a strategy to a file or read one, and play it against every code
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion mastermind tree --pegs 3 --colours 4 --strategy optimal --export tree.json
  ludion mastermind tree --pegs 3 --colours 4 --strategy size --export tree.txt --bound
  ludion mastermind tree --pegs 3 --colours 4 --strategy mixed --export -

A file named .json has the form {\"pegs\", \"colours\", \"repeats\", \"nodes\": [{\"guess\",
\"answers\": [[\"0b1w\", node or code]]}]}; any other is text such as
{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}, in which 10 is one black
peg. A text has no sizes, so --pegs and --colours must be those of the tree.")]
pub(super) struct TreeArgs {
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    store: StoreArgs,
    /// The strategy: a name that `ludion mastermind break --strategies` lists
    #[arg(long, value_name = "NAME", default_value = "auto", conflicts_with = "import")]
    strategy: String,
    /// Read the tree from this file
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Write the tree to this file; - is the standard output
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// The form of the file [default: json if its name ends so, else text]
    #[arg(long, value_enum)]
    format: Option<TreeFormat>,
    /// Also prove a lower bound of the total number of guesses of any strategy
    #[arg(long)]
    bound: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TreeFormat {
    /// A list of nodes
    Json,
    /// Nested braces
    Text,
}

impl TreeArgs {
    pub(super) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let began = Instant::now();
        let (tree, name) = self.tree(context)?;
        let took = began.elapsed();
        let replayed = tree.replay_every_code().filter(|found| found == tree.codes_by_depth());
        let Some(found) = replayed else {
            return Err(CommandFailure::Failed(
                "a replay of the tree found other guesses".to_owned(),
            ));
        };
        if let Some(path) = &self.export {
            let text = self.write(path, &tree)?;
            if path.as_os_str() == "-" {
                return context.output.write(&text);
            }
            std::fs::write(path, text).map_err(|error| {
                CommandFailure::Failed(format!("{} cannot be written: {error}", path.display()))
            })?;
        }
        let rules = tree.rules();
        let bound = self.bound.then(|| prove_bound(rules, context)).transpose()?;
        let total = tree.total_guesses();
        context.output.report(&TreeReport {
            riddle: spec(rules),
            strategy: name,
            codes: found.iter().sum(),
            total,
            mean: total as f64 / found.iter().sum::<u64>() as f64,
            worst: tree.max_guesses(),
            distribution: found,
            seconds: took.as_secs_f64(),
            least: bound.map(|(least, _)| least),
            bound_seconds: bound.map(|(_, took)| took.as_secs_f64()),
            file: self.export.as_ref().map(|path| path.display().to_string()),
        })
    }

    /// Returns the tree and what to call it.
    fn tree(&self, context: &CommandContext) -> Result<(StrategyTree, String), CommandFailure> {
        let rules = self.sizes.rules()?;
        let Some(path) = &self.import else {
            let prepared =
                PreparedStrategy::new(rules, &self.strategy, None, context, &self.store)?;
            let name = prepared.strategy.name;
            let none =
                || CommandFailure::Usage(format!("{name} has no tree; its guesses are random"));
            return Ok((prepared.tree(context)?.ok_or_else(none)?, name.to_owned()));
        };
        let name = path.display().to_string();
        let refuse = |error: &dyn std::fmt::Display| {
            CommandFailure::Usage(format!("{name} is no strategy tree: {error}"))
        };
        let text = read_limited(path)
            .map_err(|error| CommandFailure::Usage(format!("{name} cannot be read: {error}")))?;
        let tree = match self.format(path) {
            TreeFormat::Text => read_text(&rules, &text).map_err(|error| refuse(&error))?,
            TreeFormat::Json => {
                let document: TreeDocument =
                    serde_json::from_str(&text).map_err(|error| refuse(&error))?;
                document.tree().map_err(|error| refuse(&error))?
            }
        };
        Ok((tree, name.clone()))
    }

    fn format(&self, path: &std::path::Path) -> TreeFormat {
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        self.format.unwrap_or(if is_json { TreeFormat::Json } else { TreeFormat::Text })
    }

    fn write(&self, path: &std::path::Path, tree: &StrategyTree) -> Result<String, CommandFailure> {
        match self.format(path) {
            TreeFormat::Text => Ok(write_text(tree)),
            TreeFormat::Json => serde_json::to_string(&TreeDocument::new(tree))
                .map(|text| text + "\n")
                .map_err(|error| CommandFailure::Failed(format!("the tree is no JSON: {error}"))),
        }
    }
}

/// Returns a proven lower bound of the total number of guesses, and the time of the proof.
fn prove_bound(
    rules: &Mastermind,
    context: &CommandContext,
) -> Result<(u64, Duration), CommandFailure> {
    let began = Instant::now();
    let codes = CodeTable::new(rules).map_err(|error| CommandFailure::Usage(error.to_string()))?;
    let progress = context.progress("first guesses");
    let least = least_total_guesses(&codes, &|done, total| {
        progress.update(done, Some(total), String::new);
    });
    progress.finish();
    Ok((least, began.elapsed()))
}

/// A strategy tree that was replayed against every code.
#[derive(Serialize)]
struct TreeReport {
    riddle: String,
    /// Name of the strategy or of the file.
    strategy: String,
    codes: u64,
    total: u64,
    mean: f64,
    worst: usize,
    /// Numbers of codes found by the first guess, by the second, and so on.
    distribution: Vec<u64>,
    seconds: f64,
    /// Proven lower bound of the total of any strategy.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

impl CommandReport for TreeReport {
    fn text(&self) -> String {
        let mut text = format!(
            "{}: {}, replayed against all {} codes\ntotal {}, mean {}, worst {}\n",
            paint(LOUD, &self.riddle),
            self.strategy,
            self.codes,
            self.total,
            paint(LOUD, &format!("{:.4}", self.mean)),
            self.worst
        );
        if let Some(least) = self.least {
            let mean = least as f64 / self.codes as f64;
            text +=
                &format!("every strategy needs {least} guesses or more, {mean:.4} in the mean\n");
        }
        if let Some(file) = &self.file {
            text += &format!("written to {file}\n");
        }
        text + &paint(QUIET, &time(Duration::from_secs_f64(self.seconds))) + "\n"
    }
}

/// Reads a text file of at most [`MAX_TREE_BYTES`] bytes.
fn read_limited(path: &std::path::Path) -> std::io::Result<String> {
    let mut text = String::new();
    open_regular_file(path)?.take(MAX_TREE_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_TREE_BYTES {
        return Err(std::io::Error::other("it is larger than 64 MB, which no tree is"));
    }
    Ok(text)
}
