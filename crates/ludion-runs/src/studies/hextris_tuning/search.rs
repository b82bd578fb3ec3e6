//! The search for weights, which starts from weights known to be good.

use ludion_hextris::solver::evaluation::BoardWeights;
use ludion_hextris::solver::tuning::{TUNABLE_WEIGHTS, WEIGHT_RANGES, WeightRange};
use ludion_hextris::solver::weight_presets::WEIGHT_PRESETS;
use ludion_optimise::cross_entropy::points::PointDistribution;
use ludion_optimise::space::{AxisScale, AxisValue, SearchSpace, SpaceAxis, SpacePoint};
use ludion_optimise::{Maximiser, SetupError};

use super::HextrisTuningSettings;
use crate::tuning::maximiser;

/// Standard deviation of the first distribution of cross-entropy around the default weights, as a
/// share of the range of each weight.
const DEVIATION: f64 = 0.1;

/// Returns the search for weights by the method of the settings, before its first generation.
pub(super) fn weight_search(
    settings: &HextrisTuningSettings,
) -> Result<Box<dyn Maximiser<Candidate = SpacePoint>>, SetupError> {
    let axis = |range: &WeightRange| {
        SpaceAxis::real(range.name, range.min.into(), range.max.into(), AxisScale::Linear)
    };
    let space = SearchSpace::new(WEIGHT_RANGES.iter().map(axis).collect())?;
    let starts = WEIGHT_PRESETS.iter().map(|style| space.clamp(&values(style)));
    let starts: Vec<SpacePoint> = starts.collect::<Result<_, _>>()?;
    let law = PointDistribution::around(space, &starts[0], DEVIATION)?;
    maximiser(settings.by, settings.generations, law, starts, settings.seed)
}

/// Converts weights to the values of a point by way of their decimal digits, because widening the
/// 32-bit float 2.04 does not give the 64-bit float 2.04.
fn values(weights: &BoardWeights) -> Vec<AxisValue> {
    let widened = |value: f32| value.to_string().parse().unwrap_or(f64::from(value));
    weights.values().into_iter().map(|value| AxisValue::Real(widened(value))).collect()
}

/// Converts a point of the search space to weights.
pub(super) fn point_weights(point: &SpacePoint) -> BoardWeights {
    let mut values = [0.0; TUNABLE_WEIGHTS];
    for (value, at) in values.iter_mut().zip(point.values()) {
        if let AxisValue::Real(number) = at {
            *value = *number as f32;
        }
    }
    BoardWeights::from_values(values)
}

#[cfg(test)]
mod tests {
    use ludion_players::arena::plan::TuningMethod;

    use super::*;

    #[test]
    fn the_first_candidates_are_the_weights_known_to_be_good() {
        let (by, generations, seed) = (TuningMethod::Genetic, 1, 1);
        let (train, held_out) = (Vec::new(), Vec::new());
        let settings =
            HextrisTuningSettings { by, generations, states: 1, seeds: 1, train, held_out, seed };
        let mut search = weight_search(&settings).expect("a space");
        let first: Vec<BoardWeights> =
            search.ask().iter().take(WEIGHT_PRESETS.len()).map(point_weights).collect();
        assert_eq!(first, WEIGHT_PRESETS);
    }
}
