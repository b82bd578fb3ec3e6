//! The search methods of a tuning, with their settings.

use ludion_optimise::cmaes::{CmaEs, CmaEsOptions};
use ludion_optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions as EntropyOptions, DistributionFamily, SampleSize,
    points::PointDistribution,
};
use ludion_optimise::genetic::{GeneticOptions, GeneticSearch};
use ludion_optimise::space::SpacePoint;
use ludion_optimise::spsa::{Spsa, SpsaOptions};
use ludion_optimise::{Maximiser, SetupError};
use ludion_players::arena::plan::{TuningMethod, TuningOptions};

use super::OpenPlayer;
use crate::RunError;

/// Number of candidates in a generation of cross-entropy: a few more than the genetic algorithm
/// has, because the distribution is fitted to them.
const SAMPLES: usize = 16;
/// Share of the candidates, the best ones, that the distribution is fitted to.
const ELITE_SHARE: f64 = 0.25;
/// Number of candidates in a generation of CMA-ES: more than the default for few axes, because scores
/// are noisy.
const CMA_ES_CANDIDATES: usize = 12;

/// Largest number of comparisons in a generation of SPSA: every thread makes their players.
const MAX_COMPARISONS: u64 = 1000;

/// Checks that the method of a tuning can search the open parameters with so many pairs of games.
///
/// # Errors
/// When it cannot; the message says why.
pub(crate) fn check_method(
    tuning: &TuningOptions,
    open: &OpenPlayer,
    pairs: u64,
) -> Result<(), RunError> {
    if tuning.by == TuningMethod::Spsa && pairs > MAX_COMPARISONS {
        return Err(RunError::Wrong(format!(
            "a generation of spsa has up to {MAX_COMPARISONS} pairs, not {pairs}; take more generations"
        )));
    }
    let search = of_tuning(tuning, open, pairs, 0);
    search.map(drop).map_err(|error| RunError::Wrong(error.to_string()))
}

/// Returns the search of a tuning in which a candidate, or with SPSA a generation, has `pairs` pairs of
/// games.
///
/// # Errors
/// When the method cannot search the open parameters.
pub(super) fn of_tuning(
    tuning: &TuningOptions,
    open: &OpenPlayer,
    pairs: u64,
    seed: u64,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    let TuningOptions { by, generations, .. } = *tuning;
    if by == TuningMethod::Spsa {
        let comparisons = u32::try_from(pairs).unwrap_or(u32::MAX);
        let options = SpsaOptions::new(comparisons, generations);
        return Ok(Box::new(Spsa::new(open.space.clone(), options, &open.start, seed)?));
    }
    let wide = PointDistribution::wide(open.space.clone())?;
    maximiser(by, generations, wide, vec![open.start.clone()], seed)
}

/// Returns the search method `by`: cross-entropy starts from `distribution`, the genetic algorithm
/// from the points `starts`, the others from the first of these points.
///
/// # Errors
/// When a point is not in the space.
pub fn maximiser(
    by: TuningMethod,
    generations: u32,
    distribution: PointDistribution,
    starts: Vec<SpacePoint>,
    seed: u64,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    let space = distribution.space().clone();
    let start = starts.first().cloned().unwrap_or_else(|| space.point_at(&[]));
    Ok(match by {
        TuningMethod::Genetic => {
            let options = GeneticOptions { generations, ..GeneticOptions::default() };
            Box::new(GeneticSearch::new(space, options, starts, seed)?)
        }
        TuningMethod::CrossEntropy => {
            let options = EntropyOptions {
                samples: SampleSize::Fixed(SAMPLES),
                rho: ELITE_SHARE,
                iterations: generations,
                ..distribution.defaults()
            };
            Box::new(CrossEntropy::new(distribution, options, seed)?)
        }
        TuningMethod::CmaEs => {
            let options = CmaEsOptions { candidates: Some(CMA_ES_CANDIDATES), generations };
            Box::new(CmaEs::new(space, options, &start, seed)?)
        }
        TuningMethod::Spsa => {
            let options = SpsaOptions::new(SAMPLES as u32 / 2, generations);
            Box::new(Spsa::new(space, options, &start, seed)?)
        }
    })
}
