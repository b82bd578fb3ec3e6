//! Who is in a generation, and how a child takes after its parents.

use serde::{Deserialize, Serialize};

use super::super::space::{AxisRange, SearchSpace, SpacePoint};
use super::GeneticOptions;
use crate::random::Rng;

/// Where a candidate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CandidateOrigin {
    /// Given at the start, with this number from 0.
    Start(usize),
    /// Kept from the generation before, where it had this rank from 0.
    Kept(usize),
    /// A child of the two kept ones of these ranks.
    Child(usize, usize),
    /// Drawn at random.
    New,
}

/// The first generation: all that was given, filled up at random.
pub(super) fn first_plan(options: &GeneticOptions, starts: usize) -> Vec<CandidateOrigin> {
    let fill = (options.kept + options.children + options.new).saturating_sub(starts);
    (0..starts).map(CandidateOrigin::Start).chain((0..fill).map(|_| CandidateOrigin::New)).collect()
}

/// A later generation, of which `kept` are from the one before: then children, then new ones.
pub(super) fn plan(options: &GeneticOptions, kept: usize) -> Vec<CandidateOrigin> {
    let children = pairs(kept).cycle().take(options.children);
    (0..kept)
        .map(CandidateOrigin::Kept)
        .chain(children.map(|(first, second)| CandidateOrigin::Child(first, second)))
        .chain((0..options.new).map(|_| CandidateOrigin::New))
        .collect()
}

/// All pairs of `0..count`, those of the best first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (1..count).flat_map(|second| (0..second).map(move |first| (first, second)))
}

/// The share of the first parent: `r1/(r1+r2)`, measured from `floor`.
pub(super) fn share(first: f64, second: f64, floor: f64) -> f64 {
    let (first, second) = (first - floor, second - floor);
    let share = first / (first + second);
    if share.is_finite() { share } else { 0.5 }
}

/// Mixes two parents value by value, each with its own random part.
pub(super) fn mix(
    space: &SearchSpace,
    parents: [&SpacePoint; 2],
    share: f64,
    rng: &mut Rng,
) -> SpacePoint {
    let [first, second] = parents.map(|point| space.cube(point));
    let values = space.axes().iter().zip(first.iter().zip(&second));
    let mixed: Vec<f64> = values
        .map(|(axis, (a, b))| {
            let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
            let c = share + sign * rng.unit();
            match axis.range {
                AxisRange::Choice(_) if c > 0.5 => *a,
                AxisRange::Choice(_) => *b,
                AxisRange::Integer { .. } | AxisRange::Real { .. } => c * a + (1.0 - c) * b,
            }
        })
        .collect();
    space.at(&mixed)
}

#[cfg(test)]
mod tests {
    use super::super::super::space::{AxisScale, AxisValue, SpaceAxis};
    use super::*;

    #[test]
    fn equal_parents_of_whole_numbers_have_equal_children() {
        let axis = SpaceAxis::integer("n", 0, 10, AxisScale::Linear);
        let space = SearchSpace::new(vec![axis, SpaceAxis::choice("w", &["a", "b"])]).unwrap();
        let point = |w: &str| {
            space.point(&[AxisValue::Integer(7), AxisValue::Choice(w.to_owned())]).unwrap()
        };
        let (first, second, mut rng) = (point("a"), point("b"), Rng::new(2));
        let children: Vec<SpacePoint> =
            (0..400).map(|_| mix(&space, [&first, &second], 0.5, &mut rng)).collect();
        assert!(children.iter().all(|child| child.values()[0] == AxisValue::Integer(7)));
        let like_first = children.iter().filter(|child| **child == first).count();
        assert!((150..250).contains(&like_first), "{like_first} of 400 took the first's word");
    }

    #[test]
    fn shares_of_parents_are_those_of_their_scores() {
        assert_eq!(share(3.0, 1.0, 0.0), 0.75);
        assert_eq!(share(-1.0, -3.0, -5.0), 4.0 / 6.0);
        assert_eq!(share(0.0, 0.0, 0.0), 0.5);
    }

    #[test]
    fn a_single_parent_has_no_children() {
        let options = GeneticOptions { kept: 4, ..GeneticOptions::default() };
        assert_eq!(
            plan(&options, 1),
            [CandidateOrigin::Kept(0), CandidateOrigin::New, CandidateOrigin::New]
        );
    }
}
