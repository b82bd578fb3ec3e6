//! The optimal strategy: the tree with the smallest total number of guesses, found by exact search
//! as Koyama and Lai (1993) did for four pegs and six colours (5625 guesses).
//!
//! The search uses the symmetry of the guesses so far, considers guesses that split the codes alike
//! only once, and stores the costs of sets of codes.

pub mod bound;
mod cost_bounds;
mod feedback_matrix;
mod parallel;
mod renumbering;
mod search;

use super::super::Mastermind;
use super::codes::{CodeIndex, CodeTable, TooManyCodesError};
use super::symmetry::CodeSymmetry;
use super::tree::{OnProgress, StrategyTree, TreeBuildOptions};

use cost_bounds::{CostLowerBound, CostTable, IMPOSSIBLE, UNLIMITED};
use feedback_matrix::{FeedbackBits, FeedbackMatrix};
use search::{CodeSetNode, OptimalSearch, new_buffer_stack};

pub use super::tree::OnProgress as OnSearchProgress;

/// Maximum number of codes for which an optimal strategy tree is searched; 4 pegs of 9 colours take five
/// minutes of one core.
pub const MAX_CODES: usize = 6561;
/// Maximum number of pegs for which an optimal strategy tree is searched; up to this number, each
/// feedback has a bit of its own in 16 bits.
pub const MAX_PEGS: usize = 4;

/// Reasons why no optimal strategy tree is computed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptimalTreeError {
    /// The rules have too many codes.
    #[error("{0}")]
    TooMany(#[from] TooManyCodesError),
    /// The codes have this number of pegs, more than [`MAX_PEGS`].
    #[error("optimal is for codes of at most {MAX_PEGS} pegs, not of {0}")]
    Pegs(usize),
    /// No tree finds every code within this number of guesses.
    #[error("no strategy finds every code within {0} guesses")]
    Worst(usize),
}

/// Returns the strategy tree with the smallest total number of guesses over all secrets, optionally
/// among the trees that find every code within `worst` guesses. The result does not depend on the
/// number of threads.
///
/// # Errors
/// Returns an error if the rules are too large, or if no tree finds every code within `worst`
/// guesses.
pub fn optimal(
    rules: &Mastermind,
    worst: Option<usize>,
    threads: usize,
) -> Result<StrategyTree, OptimalTreeError> {
    optimal_with_progress(rules, worst, threads, &|_, _| ())
}

/// Computes [`optimal`] and reports progress to `observer`; the work done jumps where guesses are
/// pruned.
///
/// # Errors
/// Returns the same errors as [`optimal`].
pub fn optimal_with_progress(
    rules: &Mastermind,
    worst: Option<usize>,
    threads: usize,
    observer: OnProgress<'_>,
) -> Result<StrategyTree, OptimalTreeError> {
    if rules.pegs > MAX_PEGS {
        return Err(OptimalTreeError::Pegs(rules.pegs));
    }
    let codes = CodeTable::with_limit(rules, MAX_CODES)?;
    // Every guess of an optimal tree finds or excludes a code, so larger limits have no effect.
    let guesses = worst.filter(|&worst| worst < codes.len()).unwrap_or(UNLIMITED);
    let search = OptimalSearch::new(&codes, guesses);
    let all = codes.indices();
    let matrix = FeedbackMatrix::new(&codes, &all, &all, search.cost_table.keys());
    let rows = rows(&all);
    let symmetry = CodeSymmetry::new(rules);
    let root = CodeSetNode { matrix: &matrix, rows: &rows, guesses, symmetry: Some(&symmetry) };
    if search.parallel_root_cost(root, threads, observer) >= IMPOSSIBLE {
        return Err(OptimalTreeError::Worst(guesses));
    }
    Ok(StrategyTree::build(&codes, TreeBuildOptions::with_threads(threads), |set, path| {
        if set.len() <= 2 {
            return set[0];
        }
        let history = path.iter().map(|&guess| codes.code(guess));
        let symmetry =
            history.fold(symmetry.clone(), |symmetry, guess| symmetry.after_guess(guess));
        let guesses = if guesses == UNLIMITED { UNLIMITED } else { guesses - path.len() };
        let node =
            CodeSetNode { rows: &self::rows(set), guesses, symmetry: Some(&symmetry), ..root };
        search.choose(node, &mut new_buffer_stack(rules))
    }))
}

/// Converts codes to their rows in the matrix of all codes, which are equal to their indices.
fn rows(set: &[CodeIndex]) -> Vec<u16> {
    set.iter().map(|&code| code as u16).collect()
}

impl<'a> OptimalSearch<'a> {
    fn new(codes: &'a CodeTable, guesses: usize) -> Self {
        // Of the feedbacks, one means that the code is found, and one is impossible.
        let width = codes.feedback_count().saturating_sub(2);
        const { assert!((MAX_PEGS + 1) * (MAX_PEGS + 2) / 2 <= FeedbackBits::BITS as usize) };
        let estimate = |n: usize| {
            let n = n.max(1) as f64;
            (16.0 * n * (1.0 + 0.5 * n.ln())) as u32
        };
        OptimalSearch {
            codes,
            lower_bound: CostLowerBound::new(codes.len(), width, guesses),
            cost_table: CostTable::new(codes.len()),
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

    /// Returns the smallest cost of a set of codes by brute force.
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
            let left = classes.into_iter().filter(|(feedback, _)| *feedback != codes.solved());
            let costs = left.map(|(_, class)| plain(codes, &class, guesses - 1));
            costs.fold(set.len() as u32, |sum, cost| (sum + cost).min(IMPOSSIBLE))
        };
        (0..codes.len() as CodeIndex).map(cost).min().unwrap()
    }

    #[test]
    fn small_rules_cost_what_brute_force_finds() {
        for rules in [
            rules(1, 1, true),
            rules(1, 4, true),
            rules(2, 2, true),
            rules(2, 4, true),
            rules(3, 2, true),
            rules(2, 5, false),
            rules(3, 3, false),
        ] {
            let codes = CodeTable::new(&rules).unwrap();
            for worst in [3, 4, 9] {
                let expected = plain(&codes, &codes.indices(), worst);
                let found = optimal(&rules, Some(worst), 1).map(|tree| tree.total_guesses() as u32);
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
    fn four_pegs_of_six_colours_need_5625_guesses_and_one_more_within_five() {
        let best = optimal(&rules(4, 6, true), None, 2).unwrap();
        assert_eq!((best.total_guesses(), best.max_guesses()), (5625, 6));
        let five = optimal(&rules(4, 6, true), Some(5), 1).unwrap();
        assert_eq!((five.total_guesses(), five.max_guesses()), (5626, 5));
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        for rules in [rules(4, 5, true), rules(4, 6, false)] {
            let trees = [1, 2, 3].map(|threads| optimal(&rules, None, threads).unwrap());
            assert!(trees[0] == trees[1] && trees[0] == trees[2], "{rules:?}");
        }
    }

    #[test]
    fn progress_increases_up_to_the_total() {
        let seen = std::sync::Mutex::new(Vec::new());
        let tree = optimal_with_progress(&rules(4, 5, true), None, 1, &|done, total| {
            seen.lock().unwrap().push((done, total));
        });
        assert_eq!(tree, optimal(&rules(4, 5, true), None, 1));
        let seen = seen.into_inner().unwrap();
        assert!(seen.len() > 10 && seen.is_sorted(), "{} reports", seen.len());
        assert!(seen.iter().all(|(done, total)| done <= total));
        assert!(seen.last().is_some_and(|(done, total)| done == total));
    }

    #[test]
    fn few_pegs_of_many_colours_are_solved_and_limits_beyond_fifteen_guesses_hold() {
        let best = optimal(&rules(1, 40, true), None, 1).unwrap();
        assert_eq!((best.total_guesses(), best.max_guesses()), (820, 40));
        let within = |worst| optimal(&rules(1, 40, true), Some(worst), 1);
        assert_eq!(within(39), Err(OptimalTreeError::Worst(39)));
        assert_eq!(within(40).unwrap(), best);
        let two = optimal(&rules(2, 17, true), None, 1).unwrap();
        assert_eq!((two.total_guesses(), two.max_guesses()), (2198, 11));
    }

    #[test]
    #[ignore = "takes five minutes of one core"]
    fn four_pegs_of_nine_colours_need_34666_guesses() {
        let best = optimal(&rules(4, 9, true), None, 2).unwrap();
        assert_eq!((best.total_guesses(), best.max_guesses()), (34_666, 7));
    }

    #[test]
    #[ignore = "takes a minute and a half of one core"]
    fn four_different_digits_of_ten_need_26274_guesses() {
        let best = optimal(&rules(4, 10, false), None, 2).unwrap();
        assert_eq!((best.total_guesses(), best.max_guesses()), (26274, 7));
    }

    #[test]
    fn rules_that_are_too_large_are_refused() {
        let refused = |rules: Mastermind| optimal(&rules, None, 1).unwrap_err().to_string();
        assert_eq!(refused(rules(5, 4, true)), "optimal is for codes of at most 4 pegs, not of 5");
        assert!(refused(rules(4, 10, true)).contains("at most 6561 are listed"));
    }
}
