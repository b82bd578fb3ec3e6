//! Variations of the best placement plan, for games whose commands are chosen quickly: the
//! placements of the first units are kept, those of the others are found again by a beam search
//! with few states and other weights, and commands are chosen for the whole game. Placement plans
//! are thus compared by their real scores instead of estimates, which matters most in short games.

use super::super::super::unit::Placement;
use super::super::beam::BeamLimits;
use super::super::clock::Deadline;
use super::super::evaluation::BoardWeights;
use super::spelling_effort::{CHEAP, THOROUGH};
use super::{GameSearch, MAX_BEST_WEIGHTS};
use ludion_core::random::{Rng, derive_seed};

/// Variations are tried only if the remaining time suffices to choose the commands of the whole
/// game quickly at least this many times.
const MIN_VARIATIONS: f64 = 100.0;
/// The beam search of a variation keeps 2ᵏ states, where k is a random integer from 0 to this
/// number minus 1.
const STATE_EXPONENTS: usize = 6;

/// The placements of a plan, with the score of the solution after a quick choice of its commands.
#[derive(Clone, Debug)]
pub(super) struct ScoredPlan {
    score: u64,
    placements: Vec<Placement>,
}

impl GameSearch<'_> {
    /// Returns whether commands are chosen quickly enough for variations to be tried before the
    /// deadline.
    pub(super) fn is_quick(&self, until: Deadline<'_>) -> bool {
        let length = self.found().length;
        !self.phrases.list().is_empty()
            && MIN_VARIATIONS * self.spelling_seconds(CHEAP, length) < until.left().as_secs_f64()
    }

    /// Records `placements` as the best placement plan if its solution scores at least as much as
    /// that of the best plan so far. Equal scores replace the best plan too, so that later
    /// variations start from different plans.
    pub(super) fn update_best_plan(&self, score: u64, placements: &[Placement]) {
        let mut found = self.found();
        if found.best_plan.as_ref().is_none_or(|best_plan| score >= best_plan.score) {
            found.best_plan = Some(ScoredPlan { score, placements: placements.to_vec() });
        }
    }

    /// Tries random variations of the best placement plan until the deadline, and keeps those that
    /// score better.
    pub(super) fn vary_until(&self, until: Deadline<'_>, seed: u64) {
        let mut rng = Rng::new(derive_seed(seed, &[self.problem.id().into(), self.seed.into()]));
        while !until.has_passed() {
            let Some(best_plan) = self.found().best_plan.clone() else { return };
            let placements = self.variation(&best_plan.placements, until, &mut rng);
            if placements == best_plan.placements {
                continue;
            }
            let late = || until.has_passed();
            let spelled = |effort| self.spell(self.problem, self.seed, &placements, effort, &late);
            let Some(cheap) = spelled(CHEAP) else { return };
            let score = self.offer(cheap.commands);
            self.update_best_plan(score, &placements);
            if score > best_plan.score
                && let Some(thorough) = spelled(THOROUGH)
            {
                self.offer(thorough.commands);
            }
        }
    }

    /// Returns a variation of the placement plan `known`: the same placements up to a random unit,
    /// and placements found by a new beam search from there on.
    fn variation(&self, known: &[Placement], until: Deadline<'_>, rng: &mut Rng) -> Vec<Placement> {
        let kept = rng.below(known.len().max(1));
        let perturbed = self.best_weights(rng.below(MAX_BEST_WEIGHTS)).perturbed(rng);
        let descent = perturbed.descent * (0.25 + 1.75 * rng.unit()) as f32;
        let weights = BoardWeights { descent, ..perturbed };
        let units = self.units();
        let mut board = self.problem.board().clone();
        for (&unit, &at) in units.iter().zip(&known[..kept]) {
            self.problem.units()[unit].lock(&mut board, at);
        }
        let (states, stop) = (1 << rng.below(STATE_EXPONENTS), Some(until));
        let limits = BeamLimits { states, until: stop, stop };
        let rest = self.prepared.with_board(&board).search(&weights, &units[kept..], limits);
        [&known[..kept], &rest.placements].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    use super::super::super::super::phrases::Phrases;
    use super::super::super::super::problems;
    use super::super::super::prepared::AnyPreparedProblem;
    use super::super::super::spell::Speller;
    use super::super::super::weight_presets::WEIGHT_PRESETS;
    use super::super::SearchContext;
    use super::*;
    use crate::solver::SolveProgress;

    #[test]
    fn variations_are_valid_games_and_the_best_is_kept() {
        let problem = problems::find("tetrahexes").expect("a built-in problem").problem();
        let (phrases, prepared) = (Phrases::known(), AnyPreparedProblem::new(&problem));
        let (problem, phrases, prepared) = (&problem, &phrases, &prepared);
        let (speller, total) = (&Speller::new(phrases), &AtomicU64::new(0));
        let (weights, bytes) = (WEIGHT_PRESETS[0], 1 << 24);
        let (number, observer) = (0, &|_: SolveProgress| ());
        let context = SearchContext {
            number,
            problem,
            phrases,
            speller,
            prepared,
            weights,
            bytes,
            total,
            observer,
        };
        let game = GameSearch::new(context, problem.seeds()[0]);
        let plan = game.try_weights(WEIGHT_PRESETS[0], 2, None, None);
        let (never, mut rng) = (|| Duration::ZERO, Rng::new(1));
        let until = Deadline::new(&never, Duration::from_secs(1));
        let mut others = 0;
        for _ in 0..5 {
            let placements = game.variation(&plan.placements, until, &mut rng);
            others += usize::from(placements != plan.placements);
            let text = game.write_shortest_paths(&placements, 0, || false);
            let verdict = game.referee().score(game.seed, &text);
            assert!(!verdict.status.is_error(), "{:?}", verdict.error);
            assert_eq!(verdict.locked, placements.len());
        }
        assert!(others > 0);
        game.update_best_plan(10, &plan.placements);
        game.update_best_plan(9, &[]);
        let kept = game.found().best_plan.clone().expect("one was offered");
        assert_eq!((kept.score, kept.placements), (10, plan.placements));
    }
}
