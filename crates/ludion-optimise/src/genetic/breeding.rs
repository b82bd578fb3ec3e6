//! The composition of a generation, and crossover of two parents.

use serde::{Deserialize, Serialize};

use super::super::space::{AxisRange, SearchSpace, SpacePoint};
use super::GeneticOptions;
use ludion_core::random::Rng;

/// How a candidate came into its generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateOrigin {
    /// A start candidate given by the caller, with its index from 0.
    Start(usize),
    /// One of the best of the previous generation, with its rank there from 0.
    Kept(usize),
    /// A child of two kept candidates, with the ranks of its parents from 0.
    Child(usize, usize),
    /// Drawn at random from the search space.
    New,
}

/// Lists the origins of the candidates of the first generation: all start candidates, then random
/// ones.
pub(super) fn first_origins(options: &GeneticOptions, starts: usize) -> Vec<CandidateOrigin> {
    let fill = (options.kept + options.children + options.new).saturating_sub(starts);
    (0..starts).map(CandidateOrigin::Start).chain((0..fill).map(|_| CandidateOrigin::New)).collect()
}

/// Lists the origins of the candidates of a later generation: `kept` best ones of the previous
/// generation, their children, then random ones.
pub(super) fn next_origins(options: &GeneticOptions, kept: usize) -> Vec<CandidateOrigin> {
    let children = pairs(kept).cycle().take(options.children);
    (0..kept)
        .map(CandidateOrigin::Kept)
        .chain(children.map(|(first, second)| CandidateOrigin::Child(first, second)))
        .chain((0..options.new).map(|_| CandidateOrigin::New))
        .collect()
}

/// Iterates over all pairs of different numbers below `count`, ordered by the larger number.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (1..count).flat_map(|second| (0..second).map(move |first| (first, second)))
}

/// Returns the weight of the first parent in a crossover, `r1/(r1+r2)`, where r1 and r2 are the
/// parents' scores minus `floor`; 0.5 if both are 0.
pub(super) fn first_parent_weight(first: f64, second: f64, floor: f64) -> f64 {
    let (first, second) = (first - floor, second - floor);
    let weight = first / (first + second);
    if weight.is_finite() { weight } else { 0.5 }
}

/// Returns a child that combines two parents value by value; a random number from −1 to 1 is added
/// to the weight of the first parent, separately for each value.
pub(super) fn crossover(
    space: &SearchSpace,
    parents: [&SpacePoint; 2],
    first_weight: f64,
    rng: &mut Rng,
) -> SpacePoint {
    let [first, second] = parents.map(|point| space.to_unit_cube(point));
    let values = space.axes().iter().zip(first.iter().zip(&second));
    let mixed: Vec<f64> = values
        .map(|(axis, (a, b))| {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            let c = first_weight + sign * rng.unit();
            match axis.range {
                AxisRange::Choice(_) if c > 0.5 => *a,
                AxisRange::Choice(_) => *b,
                AxisRange::Integer { .. } | AxisRange::Real { .. } => c * a + (1.0 - c) * b,
            }
        })
        .collect();
    space.point_at(&mixed)
}

#[cfg(test)]
mod tests {
    use super::super::super::space::{AxisScale, AxisValue, SpaceAxis};
    use super::*;

    #[test]
    fn parents_with_equal_integers_have_children_with_the_same_integer() {
        let axis = SpaceAxis::integer("n", 0, 10, AxisScale::Linear);
        let space = SearchSpace::new(vec![axis, SpaceAxis::choice("w", &["a", "b"])]).unwrap();
        let point = |w: &str| {
            space.point(&[AxisValue::Integer(7), AxisValue::Choice(w.to_owned())]).unwrap()
        };
        let (first, second, mut rng) = (point("a"), point("b"), Rng::new(2));
        let children: Vec<SpacePoint> =
            (0..400).map(|_| crossover(&space, [&first, &second], 0.5, &mut rng)).collect();
        assert!(children.iter().all(|child| child.values()[0] == AxisValue::Integer(7)));
        let like_first = children.iter().filter(|child| **child == first).count();
        assert!((150..250).contains(&like_first), "{like_first} of 400 took the first's word");
    }

    #[test]
    fn parents_are_weighted_by_their_scores() {
        assert_eq!(first_parent_weight(3.0, 1.0, 0.0), 0.75);
        assert_eq!(first_parent_weight(-1.0, -3.0, -5.0), 4.0 / 6.0);
        assert_eq!(first_parent_weight(0.0, 0.0, 0.0), 0.5);
    }

    #[test]
    fn a_single_parent_has_no_children() {
        let options = GeneticOptions { kept: 4, ..GeneticOptions::default() };
        assert_eq!(
            next_origins(&options, 1),
            [CandidateOrigin::Kept(0), CandidateOrigin::New, CandidateOrigin::New]
        );
    }
}
