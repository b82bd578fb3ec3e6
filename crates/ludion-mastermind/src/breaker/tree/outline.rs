//! Outlines of strategy trees, as they are read from files and written to them: guesses with the
//! branches for their answers, not yet checked against the rules.
//!
//! There are two forms. JSON lists the nodes; a branch leads to the index of another node or to the
//! last code. The text is nested, `{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA}}`: a guess, then the
//! strategy for each answer (black pegs, then white ones), then a code where only one is left. Colours
//! are letters if there are at most 26, otherwise numbers; answers have the form `1b2w` if there are
//! more than nine pegs.

use serde::{Deserialize, Serialize};

use super::super::super::{Code, Mastermind, PegFeedback};
use super::super::codes::{CodeIndex, CodeTable};
use super::{MAX_CODES, StrategyTree, TreeBranch};
use ludion_core::riddle::Riddle;

/// Maximum depth of a tree that is read.
const MAX_DEPTH: usize = 1000;
/// Maximum number of colours that are written as letters.
const LETTERS: usize = 26;

/// Error returned when a text is not a strategy tree of the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct TreeOutlineError(String);

impl TreeOutlineError {
    fn new(reason: impl Into<String>) -> Self {
        TreeOutlineError(reason.into())
    }
}

/// A strategy tree as JSON.
#[derive(Serialize, Deserialize)]
pub struct TreeDocument {
    pegs: usize,
    colours: usize,
    repeats: bool,
    /// Total number of guesses over all codes; not read.
    #[serde(default)]
    total: u64,
    /// Number of guesses for the code that takes the most; not read.
    #[serde(default)]
    worst: usize,
    /// The nodes; the first one is the first guess.
    nodes: Vec<DocumentNode>,
}

/// A guess with its branches.
#[derive(Clone, Serialize, Deserialize)]
struct DocumentNode {
    guess: String,
    answers: Vec<(String, DocumentBranch)>,
}

/// Continuation after an answer.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum DocumentBranch {
    Node(usize),
    Code(String),
}

impl TreeDocument {
    /// Converts a tree to its document.
    #[must_use]
    pub fn new(tree: &StrategyTree) -> Self {
        let Mastermind { pegs, colours, repeats } = tree.rules;
        let answers: Vec<PegFeedback> = PegFeedback::all(pegs).collect();
        let branch = |(feedback, branch): &(u8, TreeBranch)| {
            let next = match branch {
                TreeBranch::Node(node) => DocumentBranch::Node(*node as usize),
                TreeBranch::Guess(code) => DocumentBranch::Code(tree.rules.show_code(code)),
            };
            (answers[usize::from(*feedback)].to_string(), next)
        };
        let nodes = tree.nodes.iter().map(|node| DocumentNode {
            guess: tree.rules.show_code(&node.guess),
            answers: node.branches.iter().map(branch).collect(),
        });
        TreeDocument {
            pegs,
            colours,
            repeats,
            total: tree.total_guesses(),
            worst: tree.max_guesses(),
            nodes: nodes.collect(),
        }
    }

    /// Checks the document and converts it to a tree.
    ///
    /// # Errors
    /// Returns an error if the document is not a strategy that finds every code of its rules.
    pub fn tree(&self) -> Result<StrategyTree, TreeOutlineError> {
        let rules = Mastermind::new(self.pegs, self.colours, self.repeats)
            .map_err(|error| TreeOutlineError::new(error.to_string()))?;
        let mut left = self.nodes.len();
        check_outline(&rules, self.outline(&rules, 0, 0, &mut left)?)
    }

    /// Converts a node and those below it to an outline; `left` is the number of nodes that were not
    /// visited.
    fn outline(
        &self,
        rules: &Mastermind,
        node: usize,
        depth: usize,
        left: &mut usize,
    ) -> Result<TreeOutline, TreeOutlineError> {
        let missing = || TreeOutlineError::new(format!("the tree has no node {node}"));
        let DocumentNode { guess, answers } = self.nodes.get(node).ok_or_else(missing)?;
        if depth > MAX_DEPTH || *left == 0 {
            return Err(TreeOutlineError::new(
                "the nodes of the tree refer to each other in a circle",
            ));
        }
        *left -= 1;
        let mut branches = Vec::new();
        for (answer, branch) in answers {
            let below = match branch {
                DocumentBranch::Node(node) => self.outline(rules, *node, depth + 1, left)?,
                DocumentBranch::Code(code) => TreeOutline::last(read_code(rules, code)?),
            };
            branches.push((read_answer(rules, answer)?, below));
        }
        Ok(TreeOutline { guess: read_code(rules, guess)?, branches })
    }
}

/// A guess with the outlines for its answers.
struct TreeOutline {
    guess: Code,
    branches: Vec<(PegFeedback, TreeOutline)>,
}

impl TreeOutline {
    fn last(guess: Code) -> Self {
        TreeOutline { guess, branches: Vec::new() }
    }
}

fn read_code(rules: &Mastermind, text: &str) -> Result<Code, TreeOutlineError> {
    let letters = rules.colours <= LETTERS && text.chars().any(|c| c.is_ascii_alphabetic());
    let numbers = || {
        let number = |c: char| (c.to_ascii_uppercase() as u32).wrapping_sub('A' as u32) + 1;
        text.chars().map(|c| number(c).to_string()).collect::<Vec<_>>().join("-")
    };
    let read = if letters { rules.read_code(&numbers()) } else { rules.read_code(text) };
    read.map_err(|error| TreeOutlineError::new(format!("guess {text:?}: {error}")))
}

fn read_answer(rules: &Mastermind, text: &str) -> Result<PegFeedback, TreeOutlineError> {
    let digits: Vec<char> = text.chars().collect();
    let read = match digits[..] {
        [black, white] if black.is_ascii_digit() && white.is_ascii_digit() => {
            rules.read_answer(&format!("{black} {white}"))
        }
        _ => rules.read_answer(text),
    };
    read.map_err(|error| TreeOutlineError::new(error.to_string()))
}

/// Converts an outline to a tree, whose guesses find every code.
fn check_outline(
    rules: &Mastermind,
    outline: TreeOutline,
) -> Result<StrategyTree, TreeOutlineError> {
    let refuse = |error: String| TreeOutlineError::new(error);
    let codes = CodeTable::with_limit(rules, MAX_CODES).map_err(|e| refuse(e.to_string()))?;
    let mut guesses = Vec::new();
    list_guesses(&codes, &outline, &codes.indices(), &mut guesses)?;
    StrategyTree::new(&codes, guesses).map_err(|error| refuse(error.to_string()))
}

/// Appends the guesses of an outline in the order of the serialised form, for these remaining codes.
fn list_guesses(
    codes: &CodeTable,
    outline: &TreeOutline,
    set: &[CodeIndex],
    guesses: &mut Vec<CodeIndex>,
) -> Result<(), TreeOutlineError> {
    let rules = codes.rules();
    let text = rules.show_code(&outline.guess);
    let unknown = || TreeOutlineError::new(format!("{text} is not a code of the rules"));
    let guess = codes.index_of(&outline.guess).ok_or_else(unknown)?;
    if set.len() > 1 || codes.len() == 1 {
        guesses.push(guess);
    } else if set != [guess] {
        let wanted = rules.show_code(codes.code(set[0]));
        let reason = format!("the tree guesses {text} where only {wanted} is left");
        return Err(TreeOutlineError::new(reason));
    }
    let mut used = 0;
    for (feedback, class) in codes.split(guess, set) {
        if feedback == codes.solved() {
            continue;
        }
        if class.len() == set.len() {
            let reason = format!("guess {text} of the tree distinguishes no codes");
            return Err(TreeOutlineError::new(reason));
        }
        let is_wanted = |answer: &PegFeedback| codes.feedback_index(*answer) == Some(feedback);
        let Some((_, below)) = outline.branches.iter().find(|(answer, _)| is_wanted(answer)) else {
            let secret = rules.show_code(codes.code(class[0]));
            let reason = format!("the tree has no guess after {text} if the code is {secret}");
            return Err(TreeOutlineError::new(reason));
        };
        used += 1;
        list_guesses(codes, below, &class, guesses)?;
    }
    if used < outline.branches.len() {
        let reason = format!("the tree has an answer to {text} that no code left can give");
        return Err(TreeOutlineError::new(reason));
    }
    Ok(())
}

/// Writes a tree as nested text.
#[must_use]
pub fn write_text(tree: &StrategyTree) -> String {
    let mut text = String::new();
    write_node(tree, 0, &mut text);
    text.push('\n');
    text
}

fn write_node(tree: &StrategyTree, node: usize, text: &mut String) {
    let rules = &tree.rules;
    let answers: Vec<PegFeedback> = PegFeedback::all(rules.pegs).collect();
    let node = &tree.nodes[node];
    if node.branches.is_empty() {
        return text.push_str(&show_code(rules, &node.guess));
    }
    *text += &format!("{{{}:{{", show_code(rules, &node.guess));
    for (at, (feedback, branch)) in node.branches.iter().enumerate() {
        let answer = answers[usize::from(*feedback)];
        let comma = if at > 0 { "," } else { "" };
        let answer = if rules.pegs <= 9 {
            format!("{}{}", answer.black, answer.white)
        } else {
            answer.to_string()
        };
        *text += &format!("{comma}{answer}:");
        match branch {
            TreeBranch::Node(node) => write_node(tree, *node as usize, text),
            TreeBranch::Guess(code) => text.push_str(&show_code(rules, code)),
        }
    }
    text.push_str("}}");
}

fn show_code(rules: &Mastermind, code: &Code) -> String {
    if rules.colours > LETTERS {
        return rules.show_code(code);
    }
    code.iter().map(|&colour| char::from(b'A' + colour as u8)).collect()
}

/// Reads a tree of these rules from nested text and checks it; white space is ignored.
///
/// # Errors
/// Returns an error if the text is not a strategy that finds every code.
pub fn read_text(rules: &Mastermind, text: &str) -> Result<StrategyTree, TreeOutlineError> {
    let text: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut reader = OutlineReader { rules, text: &text, at: 0 };
    let outline = reader.strategy(0)?;
    if reader.at < text.len() {
        return Err(reader.unexpected("the end"));
    }
    check_outline(rules, outline)
}

/// Reads nested text.
struct OutlineReader<'a> {
    rules: &'a Mastermind,
    text: &'a [char],
    at: usize,
}

impl OutlineReader<'_> {
    fn unexpected(&self, wanted: &str) -> TreeOutlineError {
        let found: String = self.text[self.at..].iter().take(12).collect();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("{found:?}") };
        TreeOutlineError::new(format!(
            "expected {wanted} at character {}, and there is {found}",
            self.at + 1
        ))
    }

    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.text.get(self.at) == Some(&wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, wanted: char) -> Result<(), TreeOutlineError> {
        if self.take(wanted) { Ok(()) } else { Err(self.unexpected(&format!("{wanted:?}"))) }
    }

    /// Reads the characters up to a brace, a colon, a comma or the end.
    fn word(&mut self) -> String {
        let rest = self.text[self.at..].iter();
        let word: String = rest.take_while(|c| !"{}:,".contains(**c)).collect();
        self.at += word.chars().count();
        word
    }

    fn strategy(&mut self, depth: usize) -> Result<TreeOutline, TreeOutlineError> {
        if depth > MAX_DEPTH {
            return Err(TreeOutlineError::new(format!(
                "the tree is deeper than {MAX_DEPTH} guesses"
            )));
        }
        if !self.take('{') {
            let word = self.word();
            return Ok(TreeOutline::last(read_code(self.rules, &word)?));
        }
        let word = self.word();
        let guess = read_code(self.rules, &word)?;
        self.expect(':')?;
        self.expect('{')?;
        let mut branches = Vec::new();
        while !self.take('}') {
            if !branches.is_empty() {
                self.expect(',')?;
            }
            let answer = self.word();
            self.expect(':')?;
            branches.push((read_answer(self.rules, &answer)?, self.strategy(depth + 1)?));
        }
        self.expect('}')?;
        Ok(TreeOutline { guess, branches })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::exhaustive;
    use super::super::super::score::GuessCriterion;
    use super::super::TreeBuildOptions;
    use super::*;

    fn tree(pegs: usize, colours: usize) -> StrategyTree {
        let rules = Mastermind::new(pegs, colours, true).unwrap();
        let codes = CodeTable::new(&rules).unwrap();
        exhaustive::tree(&codes, GuessCriterion::Size, TreeBuildOptions::with_threads(1))
    }

    #[test]
    fn trees_are_read_as_they_are_written_in_both_forms() {
        for (pegs, colours) in [(3, 4), (2, 30), (1, 200), (11, 2), (4, 1), (4, 6)] {
            let tree = tree(pegs, colours);
            assert_eq!(read_text(tree.rules(), &write_text(&tree)).as_ref(), Ok(&tree));
            let json = serde_json::to_string(&TreeDocument::new(&tree)).unwrap();
            let document: TreeDocument = serde_json::from_str(&json).unwrap();
            assert_eq!(document.tree().as_ref(), Ok(&tree));
        }
    }

    /// The example of the rules of a public contest, which needs 21 guesses.
    #[test]
    fn a_published_tree_is_read() {
        let rules = Mastermind::new(2, 3, true).unwrap();
        let text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
        assert_eq!(read_text(&rules, text).map(|tree| tree.total_guesses()), Ok(21));
    }

    #[test]
    fn wrong_trees_are_refused_with_the_reason() {
        let rules = Mastermind::new(2, 3, true).unwrap();
        let refused = |text: &str| read_text(&rules, text).unwrap_err().to_string();
        let all = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}";
        for (old, new, reason) in [
            (",00:CC", "", "the tree has no guess after 12 if the code is 33"),
            ("02:BA", "02:CC", "the tree guesses 33 where only 21 is left"),
            ("00:CC", "00:CC,20:AB", "the tree has an answer to 12 that no code left can give"),
            (
                "{AC:{10:AA,01:CB,00:BB}}",
                "{CC:{00:AA}}",
                "the tree has no guess after 11 if the code is 22",
            ),
            ("00:CC}}", "00:CC}", "expected '}' at character"),
            ("AB", "AD", "expected a colour, 1 to 3,"),
            ("{BC:{01:CA}}", "{AA:{01:CA}}", "the tree has"),
        ] {
            let reasoned = refused(&all.replacen(old, new, 1));
            assert!(reasoned.contains(reason), "{new}: {reasoned}");
        }
        let deep = "{AB:{00:".repeat(5000);
        assert!(refused(&deep).contains("deeper than"));
        let circle = r#"{"pegs":2,"colours":3,"repeats":true,
            "nodes":[{"guess":"12","answers":[["0b0w",0]]}]}"#;
        let document: TreeDocument = serde_json::from_str(circle).unwrap();
        assert!(document.tree().unwrap_err().to_string().contains("in a circle"));
    }
}
