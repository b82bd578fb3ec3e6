//! The search for weights, which starts from weights known to be good.

use ludion_hextris::solver::baseline::BaselineWeights;
use ludion_hextris::solver::evaluation::BoardWeights;
use ludion_hextris::solver::tuning::{
    BASELINE_WEIGHTS, MAX_BASELINE_WEIGHT, MAX_DRAWN_BASELINE_WEIGHT, TUNABLE_WEIGHTS,
    WEIGHT_RANGES, WeightRange,
};
use ludion_hextris::solver::weight_presets::WEIGHT_PRESETS;
use ludion_optimise::cross_entropy::points::PointDistribution;
use ludion_optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis, SpacePoint};
use ludion_optimise::{Maximiser, SetupError};

use super::{HextrisTuningSettings, TunedSolver, TunedWeights};
use crate::tuning::maximiser;

/// Standard deviation of the first distribution of cross-entropy around the default weights, as a
/// share of the range of each weight.
const DEVIATION: f64 = 0.1;

/// Returns the search for weights by the method of the settings, before its first generation.
pub(super) fn weight_search(
    settings: &HextrisTuningSettings,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    let (space, starts) = match settings.solver {
        TunedSolver::Beam => {
            let axis = |range: &WeightRange| {
                SpaceAxis::real(range.name, range.min.into(), range.max.into(), AxisScale::Linear)
            };
            let space = SearchSpace::new(WEIGHT_RANGES.iter().map(axis).collect())?;
            let starts = WEIGHT_PRESETS.iter().map(|style| space.clamp(&values(style)));
            let starts = starts.collect::<Result<Vec<SpacePoint>, _>>()?;
            (space, starts)
        }
        TunedSolver::Baseline => {
            let (drawn, max) = (MAX_DRAWN_BASELINE_WEIGHT, MAX_BASELINE_WEIGHT);
            let axis = |name: &&str| SpaceAxis::integer_drawn_up_to(*name, drawn, max);
            let space = SearchSpace::new(BASELINE_WEIGHTS.iter().map(axis).collect())?;
            let default = BaselineWeights::default().values();
            let start = space.point(&default.map(|value| AxisValue::Integer(value as i64)))?;
            (space, vec![start])
        }
    };
    let law = PointDistribution::around(space, &starts[0], DEVIATION)?;
    maximiser(settings.by, settings.generations, law, starts, settings.seed)
}

/// Converts weights to the values of a point by way of their decimal digits, because widening the
/// 32-bit float 2.04 does not give the 64-bit float 2.04.
fn values(weights: &BoardWeights) -> Vec<AxisValue> {
    let widened = |value: f32| value.to_string().parse().unwrap_or(f64::from(value));
    weights.values().into_iter().map(|value| AxisValue::Real(widened(value))).collect()
}

/// Converts a point of the search space of `solver` to weights.
pub(super) fn point_weights(solver: TunedSolver, point: &SpacePoint) -> TunedWeights {
    match solver {
        TunedSolver::Beam => {
            let values: [f64; TUNABLE_WEIGHTS] = numbers(point);
            TunedWeights::Beam(BoardWeights::from_values(values.map(|value| value as f32)))
        }
        TunedSolver::Baseline => {
            TunedWeights::Baseline(BaselineWeights::from_values(numbers(point)))
        }
    }
}

/// Returns the numbers of a point.
fn numbers<const N: usize>(point: &SpacePoint) -> [f64; N] {
    let mut numbers = [0.0; N];
    for (number, at) in numbers.iter_mut().zip(point.values()) {
        *number = match at {
            AxisValue::Real(value) => *value,
            AxisValue::Integer(value) => *value as f64,
            AxisValue::Choice(_) => 0.0,
        };
    }
    numbers
}

#[cfg(test)]
mod tests {
    use ludion_players::arena::plan::TuningMethod;

    use super::*;

    fn first_candidates(solver: TunedSolver) -> Vec<TunedWeights> {
        let (by, generations, seed) = (TuningMethod::Genetic, 1, 1);
        let (train, held_out) = (Vec::new(), Vec::new());
        let (states, seeds) = (Some(1), 1);
        let settings =
            HextrisTuningSettings { solver, by, generations, states, seeds, train, held_out, seed };
        let mut search = weight_search(&settings).expect("a space");
        search.ask().iter().map(|point| point_weights(solver, point)).collect()
    }

    #[test]
    fn the_first_candidates_are_the_weights_known_to_be_good() {
        let first = first_candidates(TunedSolver::Beam);
        assert_eq!(first[..WEIGHT_PRESETS.len()], WEIGHT_PRESETS.map(TunedWeights::Beam));
    }

    #[test]
    fn the_baseline_begins_with_its_default_weights_and_eleven_drawn_from_0_to_10() {
        let first = first_candidates(TunedSolver::Baseline);
        assert_eq!((first.len(), first[0]), (12, TunedSolver::Baseline.default_weights()));
        for weights in &first[1..] {
            let TunedWeights::Baseline(weights) = weights else { panic!("{weights:?}") };
            let is_drawn = |value: &f64| value.fract() == 0.0 && (0.0..=10.0).contains(value);
            assert!(weights.values().iter().all(is_drawn), "{weights:?}");
        }
    }
}
