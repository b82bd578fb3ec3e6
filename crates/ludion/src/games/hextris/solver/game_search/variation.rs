//! Variations of the best game where spelling is quick: its first locks are kept, the rest is
//! planned anew by a narrow beam of other weights, and all of it is spelled. So plans are judged
//! by what they earn in the end, not by what a row come down seems to earn. Where a game is
//! short, that is what decides.

use super::super::super::unit::Placement;
use super::super::beam::BeamWidth;
use super::super::clock::Deadline;
use super::super::evaluation::BoardWeights;
use super::{CHEAP, CHOSEN, GameSearch, WIDTHS};
use crate::random::{Rng, derive_seed};

/// Varying is worth it where so many games can be spelled in the time that is left.
const ENOUGH: f64 = 100.0;
/// Beams of variations have one state, or so many times twice as many.
const DOUBLINGS: usize = 6;

/// A game with its score as it was spelled.
#[derive(Clone, Debug)]
pub(super) struct SpelledPlan {
    score: u64,
    placements: Vec<Placement>,
}

impl GameSearch<'_> {
    /// Whether there is time for variations.
    pub(super) fn is_quick(&self, until: Deadline<'_>) -> bool {
        let length = self.found().length;
        !self.phrases.list().is_empty()
            && ENOUGH * self.takes(CHEAP.1, length) < until.left().as_secs_f64()
    }

    /// Takes note of a game that was spelled; an equal one is taken too, so that the search does
    /// not stand still.
    pub(super) fn favour(&self, score: u64, placements: &[Placement]) {
        let mut found = self.found();
        if found.favourite.as_ref().is_none_or(|favourite| score >= favourite.score) {
            found.favourite = Some(SpelledPlan { score, placements: placements.to_vec() });
        }
    }

    /// Tries variations until the time is over.
    pub(super) fn vary_until(&self, until: Deadline<'_>, seed: u64) {
        let mut rng = Rng::new(derive_seed(seed, &[self.problem.id().into(), self.seed.into()]));
        while !until.has_passed() {
            let Some(favourite) = self.found().favourite.clone() else { return };
            let placements = self.variation(&favourite.placements, until, &mut rng);
            if placements == favourite.placements {
                continue;
            }
            let late = || until.has_passed();
            let spelled = |width| self.spell(self.problem, self.seed, &placements, width, &late);
            let Some(cheap) = spelled(CHEAP.0) else { return };
            let score = self.offer(cheap.commands);
            self.favour(score, &placements);
            if score > favourite.score
                && let Some(thorough) = spelled(WIDTHS[0].0)
            {
                self.offer(thorough.commands);
            }
        }
    }

    /// A game with the same beginning, and from some unit on another plan.
    fn variation(&self, known: &[Placement], until: Deadline<'_>, rng: &mut Rng) -> Vec<Placement> {
        let kept = rng.below(known.len().max(1));
        let near = self.chosen(rng.below(CHOSEN)).near(rng);
        let descent = near.descent * (0.25 + 1.75 * rng.unit()) as f32;
        let weights = BoardWeights { descent, ..near };
        let units = self.units();
        let mut board = self.problem.board().clone();
        for (&unit, &at) in units.iter().zip(&known[..kept]) {
            self.problem.units()[unit].lock(&mut board, at);
        }
        let (states, stop) = (1 << rng.below(DOUBLINGS), Some(until));
        let breadth = BeamWidth { states, until: stop, stop };
        let rest = self.ground.with_board(&board).search(&weights, &units[kept..], breadth);
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
    use super::super::super::styles::STYLES;
    use super::super::SearchSetup;
    use super::*;
    use crate::games::hextris::solver::SolveProgress;

    #[test]
    fn variations_are_valid_games_that_begin_alike_and_the_best_is_kept() {
        let problem = problems::find("tetrahexes").expect("one of ours").problem();
        let (phrases, ground) = (Phrases::known(), AnyPreparedProblem::new(&problem));
        let (problem, phrases, ground) = (&problem, &phrases, &ground);
        let (speller, total) = (&Speller::new(phrases), &AtomicU64::new(0));
        let (weights, bytes) = (STYLES[0], 1 << 24);
        let (number, observer) = (0, &|_: SolveProgress| ());
        let setting = SearchSetup {
            number,
            problem,
            phrases,
            speller,
            ground,
            weights,
            bytes,
            total,
            observer,
        };
        let game = GameSearch::new(setting, problem.seeds()[0]);
        let plan = game.try_weights(STYLES[0], 2, None, None);
        let (never, mut rng) = (|| Duration::ZERO, Rng::new(1));
        let until = Deadline::new(&never, Duration::from_secs(1));
        let mut others = 0;
        for _ in 0..5 {
            let placements = game.variation(&plan.placements, until, &mut rng);
            others += usize::from(placements != plan.placements);
            let text = game.write_plainly(&placements, 0, || false);
            let verdict = game.referee().judge(game.seed, &text);
            assert!(!verdict.status.is_error(), "{:?}", verdict.error);
            assert_eq!(verdict.locked, placements.len());
        }
        assert!(others > 0);
        game.favour(10, &plan.placements);
        game.favour(9, &[]);
        let kept = game.found().favourite.clone().expect("one was offered");
        assert_eq!((kept.score, kept.placements), (10, plan.placements));
    }
}
