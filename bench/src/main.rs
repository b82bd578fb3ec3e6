//! Benchmarks of Ludion against similar libraries. All contenders do the same work in turn, in one
//! process, on one thread, measured in CPU time; the ratios are the results.
//!
//! ```text
//! cargo run --release -p ludion-bench            all suites
//! cargo run --release -p ludion-bench -- perft   suites whose name contains a word
//! cargo run --release -p ludion-bench -- --json  one object for machines
//! ```

mod board_games;
mod harness;
mod peers;
mod searches;
mod strength;
mod suites;

use std::process::ExitCode;

/// The suite that measures playing strength, not speed.
const STRENGTH: &str = "connect4-strength";

fn main() -> ExitCode {
    let (options, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    if let Some(unknown) = options.iter().find(|option| *option != "--json") {
        eprintln!("error: unknown option {unknown}; there is --json");
        return ExitCode::from(2);
    }
    let wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let suites: Vec<_> = suites::ALL.iter().filter(|(name, _)| wanted(name)).collect();
    if suites.is_empty() && !wanted(STRENGTH) {
        let names = suites::ALL.iter().map(|(name, _)| *name).chain([STRENGTH]);
        let names: Vec<&str> = names.collect();
        eprintln!("error: no suite has such a name; there are: {}", names.join(", "));
        return ExitCode::from(2);
    }
    let mut results = serde_json::Map::new();
    for (name, suite) in suites {
        let result = suite().run();
        if options.is_empty() {
            println!("{name}\n{result}");
        } else {
            results.insert((*name).to_owned(), result.json());
        }
    }
    if wanted(STRENGTH) {
        let scores = strength::measure();
        if options.is_empty() {
            println!("{}", strength::text(&scores));
        } else {
            results.insert(STRENGTH.to_owned(), strength::json(&scores));
        }
    }
    if !options.is_empty() {
        println!("{}", serde_json::Value::Object(results));
    }
    ExitCode::SUCCESS
}
