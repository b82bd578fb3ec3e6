//! A proven lower bound of the total number of guesses of any strategy, also for rules that are too
//! large to be solved.
//!
//! Every first guess is tried, and every second guess for each answer to it, up to symmetry. The codes
//! left after two guesses need at least as many guesses as their [number](super::cost_bounds) implies.

use super::super::codes::CodeTable;
use super::super::exhaustive::symmetry;
use super::super::score::canonical_guesses;
use super::super::symmetry::CodeSymmetry;
use super::super::tree::OnProgress;
use super::cost_bounds::{CostLowerBound, UNLIMITED};

/// Returns a number of guesses, over all codes as secrets, that every strategy needs at least.
#[must_use]
pub fn least_total_guesses(codes: &CodeTable, on_progress: OnProgress<'_>) -> u64 {
    let width = codes.feedback_count().saturating_sub(2);
    let least = CostLowerBound::new(codes.len(), width, UNLIMITED);
    let (rules, all) = (codes.rules(), codes.indices());
    let first_guesses = canonical_guesses(codes, &all, &CodeSymmetry::new(rules));
    let solved = codes.solved();
    let mut best = u64::MAX;
    for (done, &first) in first_guesses.iter().enumerate() {
        on_progress(done as u64, first_guesses.len() as u64);
        let symmetry = symmetry(rules, std::iter::once(codes.code(first)));
        let mut total = all.len() as u64;
        for (feedback, class) in codes.split(first, &all) {
            if feedback != solved {
                total += least_after_guess(codes, &class, &symmetry, &least);
            }
        }
        best = best.min(total);
    }
    if codes.len() == 1 { 1 } else { best }
}

/// Returns a lower bound of the total number of guesses that find each code of `set`, from the best
/// split by one guess.
fn least_after_guess(
    codes: &CodeTable,
    set: &[u32],
    symmetry: &CodeSymmetry,
    least: &CostLowerBound,
) -> u64 {
    if set.len() <= 2 {
        return u64::from(least.get(set.len(), UNLIMITED));
    }
    let solved = usize::from(codes.solved());
    let mut sizes = [0; 256];
    let bounds = canonical_guesses(codes, set, symmetry).into_iter().filter_map(|guess| {
        codes.count(guess, set, &mut sizes);
        let is_useful = sizes[..solved].iter().all(|&size| (size as usize) < set.len());
        let classes = sizes[..solved].iter().map(|&size| least.get(size as usize, UNLIMITED));
        is_useful.then(|| set.len() as u64 + classes.map(u64::from).sum::<u64>())
    });
    bounds.min().expect("a code of the set splits it")
}

#[cfg(test)]
mod tests {
    use super::super::super::super::Mastermind;
    use super::super::optimal;
    use super::*;

    #[test]
    fn no_strategy_is_below_the_bound() {
        for (pegs, colours, repeats) in
            [(1, 9, true), (2, 5, true), (3, 4, true), (4, 4, true), (3, 5, false)]
        {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            let codes = CodeTable::new(&rules).unwrap();
            let bound = least_total_guesses(&codes, &|_, _| ());
            let best = optimal(&rules, None, 1).unwrap().total_guesses();
            assert!(bound <= best && bound * 10 >= best * 8, "{rules:?}: {bound} {best}");
        }
    }
}
