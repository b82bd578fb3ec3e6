//! The best way to break codes: the tree with the fewest guesses in total, found by exact search
//! as Koyama and Lai (1993) did for four pegs of six colours (5625), with the symmetries of what
//! was asked, guesses that split alike looked at once, and a memory of sets.

mod floor;
mod memory;
mod search;
mod share;
mod view;

use super::super::Mastermind;
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};
use super::symmetry::CodeSymmetry;
use super::tree::StrategyTree;
use floor::{CostLowerBound, ENDLESS, IMPOSSIBLE};
use memory::CostTable;
use search::{CodeSetNode, OptimalSearch, desks};
use view::{CodeSetView, FeedbackBits};

/// Most codes that are searched.
pub const MAX_CODES: usize = 5040;
/// Most pegs whose answers have a bit each.
pub const MAX_PEGS: usize = 4;

/// Why there is no best tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptimalTreeError {
    /// Too many codes.
    #[error("{0}")]
    TooMany(#[from] TooManyCodesError),
    /// Too many pegs.
    #[error("optimal is for codes of at most {MAX_PEGS} pegs, not of {0}")]
    Pegs(usize),
    /// No tree finds every code so soon.
    #[error("no way of guessing finds every code within {0} guesses")]
    Worst(usize),
}

/// The tree with the fewest guesses in total, or with the fewest among those that find every code
/// within `worst` guesses. It does not depend on the number of threads.
///
/// # Errors
/// When the riddle is too large, or no tree is as good.
pub fn optimal(
    rules: &Mastermind,
    worst: Option<usize>,
    threads: usize,
) -> Result<StrategyTree, OptimalTreeError> {
    watched(rules, worst, threads, &|_, _| ())
}

/// Told how far a search has come, from any of its threads: so much of so much. Guesses that turn
/// out to need no search are passed in leaps.
pub type OnSearchProgress<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// [`optimal`], with somebody who watches.
///
/// # Errors
/// As there.
pub fn watched(
    rules: &Mastermind,
    worst: Option<usize>,
    threads: usize,
    observer: OnSearchProgress<'_>,
) -> Result<StrategyTree, OptimalTreeError> {
    if rules.pegs > MAX_PEGS {
        return Err(OptimalTreeError::Pegs(rules.pegs));
    }
    let codes = CodeTable::list_up_to(rules, MAX_CODES)?;
    // More guesses than this are as good as any number: no best tree is so deep.
    let guesses = worst.filter(|&worst| worst < ENDLESS).unwrap_or(ENDLESS);
    let search = OptimalSearch::new(&codes);
    let all = codes.numbers();
    let view = CodeSetView::new(&codes, &all, &all, search.memory.keys());
    let rows = rows(&all);
    let symmetry = CodeSymmetry::of(rules);
    let root = CodeSetNode { view: &view, rows: &rows, guesses, symmetry: Some(&symmetry) };
    if search.shared_cost_of_all(root, threads, observer) >= IMPOSSIBLE {
        return Err(OptimalTreeError::Worst(guesses));
    }
    Ok(StrategyTree::grow(&codes, threads, |set, path| {
        if set.len() <= 2 {
            return set[0];
        }
        let asked = path.iter().map(|&guess| codes.code(guess));
        let symmetry = asked.fold(symmetry.clone(), |symmetry, guess| symmetry.asked(guess));
        let guesses = if guesses == ENDLESS { ENDLESS } else { guesses - path.len() };
        let node =
            CodeSetNode { rows: &self::rows(set), guesses, symmetry: Some(&symmetry), ..root };
        search.choose(node, &mut desks())
    }))
}

/// Codes as rows of the view of all.
fn rows(set: &[CodeIndex]) -> Vec<u16> {
    set.iter().map(|&code| code as u16).collect()
}

impl<'a> OptimalSearch<'a> {
    fn new(codes: &'a CodeTable) -> Self {
        // One of the answers says that the code is found, and one cannot be given.
        let width = codes.kinds() - 2;
        const { assert!((MAX_PEGS + 1) * (MAX_PEGS + 2) / 2 <= FeedbackBits::BITS as usize) };
        let estimate = |n: usize| {
            let n = n.max(1) as f64;
            (16.0 * n * (1.0 + 0.5 * n.ln())) as u32
        };
        OptimalSearch {
            codes,
            floor: CostLowerBound::new(codes.len(), width),
            memory: CostTable::new(codes.len()),
            width: width + 1,
            estimates: (0..=codes.len()).map(estimate).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(pegs: usize, colours: usize, repeats: bool) -> Mastermind {
        Mastermind::new(pegs, colours, repeats).unwrap()
    }

    /// The least cost by trying everything.
    fn plain(codes: &CodeTable, set: &[CodeIndex], guesses: usize) -> u32 {
        match (set.len(), guesses) {
            (_, 0) => return IMPOSSIBLE,
            (1, _) => return 1,
            _ => {}
        }
        let cost = |guess| {
            let classes = codes.split(guess, set);
            if classes.len() == 1 && classes[0].0 != codes.solved() {
                return IMPOSSIBLE;
            }
            let left = classes.into_iter().filter(|(answer, _)| *answer != codes.solved());
            let costs = left.map(|(_, class)| plain(codes, &class, guesses - 1));
            costs.fold(set.len() as u32, |sum, cost| (sum + cost).min(IMPOSSIBLE))
        };
        (0..codes.len() as CodeIndex).map(cost).min().unwrap()
    }

    #[test]
    fn small_riddles_cost_what_trying_everything_finds() {
        for rules in [
            rules(1, 4, true),
            rules(2, 2, true),
            rules(2, 4, true),
            rules(3, 2, true),
            rules(2, 5, false),
            rules(3, 3, false),
        ] {
            let codes = CodeTable::list(&rules).unwrap();
            for worst in [3, 4, 9] {
                let expected = plain(&codes, &codes.numbers(), worst);
                let found = optimal(&rules, Some(worst), 1).map(|tree| tree.total() as u32);
                let expected = if expected < IMPOSSIBLE {
                    Ok(expected)
                } else {
                    Err(OptimalTreeError::Worst(worst))
                };
                assert_eq!(found, expected, "{rules:?} within {worst}");
            }
        }
    }

    #[test]
    fn four_pegs_of_six_colours_take_5625_and_one_more_if_never_six() {
        let best = optimal(&rules(4, 6, true), None, 2).unwrap();
        assert_eq!((best.total(), best.worst()), (5625, 6));
        let five = optimal(&rules(4, 6, true), Some(5), 1).unwrap();
        assert_eq!((five.total(), five.worst()), (5626, 5));
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        for rules in [rules(4, 5, true), rules(4, 6, false)] {
            let trees = [1, 2, 3].map(|threads| optimal(&rules, None, threads).unwrap());
            assert!(trees[0] == trees[1] && trees[0] == trees[2], "{rules:?}");
        }
    }

    #[test]
    fn who_watches_sees_a_search_go_forward_to_its_end() {
        let seen = std::sync::Mutex::new(Vec::new());
        let tree = watched(&rules(4, 5, true), None, 1, &|done, total| {
            seen.lock().unwrap().push((done, total));
        });
        assert_eq!(tree, optimal(&rules(4, 5, true), None, 1));
        let seen = seen.into_inner().unwrap();
        assert!(seen.len() > 10 && seen.is_sorted(), "{} reports", seen.len());
        assert!(seen.iter().all(|(done, total)| done <= total));
        assert!(seen.last().is_some_and(|(done, total)| done == total));
    }

    #[test]
    #[ignore = "takes a minute and a half of one core"]
    fn four_of_ten_digits_take_26274() {
        let best = optimal(&rules(4, 10, false), None, 2).unwrap();
        assert_eq!((best.total(), best.worst()), (26274, 7));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let refused = |rules: Mastermind| optimal(&rules, None, 1).unwrap_err().to_string();
        assert_eq!(refused(rules(5, 4, true)), "optimal is for codes of at most 4 pegs, not of 5");
        assert!(refused(rules(4, 9, true)).contains("at most 5040 are listed"));
    }
}
