//! Codes and feedback of Mastermind.

use ludion::plain_words::plain_message;
use ludion::registry::AnyRiddle;
use ludion::riddle::Riddle;
use ludion::riddles::mastermind::breaker::tree::StrategyTree;
use ludion::riddles::mastermind::{Mastermind, PegFeedback};

use super::{error, first_line, registry};
use crate::FuzzTarget;

/// Returns the sizes that the first line of an input gives: pegs, colours, and `no` for codes
/// without repeats.
fn rules(line: &str) -> Result<Mastermind, String> {
    let mut words = line.split_whitespace();
    let mut size = || words.next().and_then(|word| word.parse().ok()).unwrap_or(4);
    let (pegs, colours) = (size(), size());
    Mastermind::new(pegs, colours, words.next() != Some("no")).map_err(error)
}

/// Codes: the first line has the sizes, the rest the code.
pub(super) const MASTERMIND_CODE: FuzzTarget = FuzzTarget {
    name: "mastermind_code",
    about: "code of Mastermind, such as 1122 or 10-3-7",
    tokens: &["-", ",", ";", " ", "1122", "10", "256", "0"],
    run: |input| {
        let (line, code) = first_line(input);
        let rules = rules(&line)?;
        let read = rules.read_code(&code).map_err(error)?;
        assert_eq!(rules.read_code(&rules.show_code(&read)), Ok(read.clone()));
        assert!(rules.solved(rules.answer(&read, &read)));
        Ok(())
    },
};

/// Feedback and specs of riddles: the first line has the sizes, the rest the feedback.
pub(super) const MASTERMIND_FEEDBACK: FuzzTarget = FuzzTarget {
    name: "mastermind_feedback",
    about: "feedback of Mastermind, such as 2b1w, and specs of riddles",
    tokens: &["b", "w", "B", "2b1w", ",", "/", "+", "65535", "65536", "mastermind(", ")"],
    run: |input| {
        let (line, feedback) = first_line(input);
        let named: Result<std::sync::Arc<dyn AnyRiddle>, _> = registry().riddle(&line);
        let _ = named.map_err(error);
        let rules = rules(&line)?;
        let read = PegFeedback::read(&feedback, rules.pegs).map_err(error)?;
        assert_eq!(PegFeedback::read(&read.to_string(), rules.pegs), Ok(read));
        assert!(read.index(rules.pegs) < PegFeedback::index_count(rules.pegs));
        Ok(())
    },
};

/// Strategy trees as the store keeps them.
pub(super) const STRATEGY_TREE: FuzzTarget = FuzzTarget {
    name: "strategy_tree",
    about: "strategy tree of Mastermind in JSON, as the store keeps it",
    tokens: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "0",
        "1",
        "\"pegs\"",
        "\"colours\"",
        "\"repeats\"",
        "true",
    ],
    run: |input| {
        let tree: StrategyTree =
            serde_json::from_slice(input).map_err(|why| plain_message(&why.to_string()))?;
        let shown = serde_json::to_string(&tree).expect("plain data");
        let again: StrategyTree = serde_json::from_str(&shown).expect("JSON that was written");
        assert_eq!(again, tree);
        Ok(())
    },
};
