//! Genetic algorithm with elitism: keep the best candidates, cross their pairs, add random
//! candidates.
//!
//! By default a generation has twelve candidates, as in the tuning of a hexagonal Tetris player for
//! the ICFP contest 2015: the 4 best of the previous generation, 6 children (one for each pair of
//! them) and 2 random candidates. A value of a child is `c·first + (1−c)·second` with probability
//! 0.9, where `c = r1/(r1+r2) ± random`, `r1` and `r2` are the scores of the parents and `random`
//! is uniform in 0 to 1; otherwise it mutates to a random value.
//!
//! There are two differences from that tuner: a mean of integers is rounded instead of truncated
//! (truncation biased every value downwards), and children are clamped to their axes. Means are
//! taken on the scale of the axis. On an axis of words, the child takes the first parent's word if
//! c is above 0.5. Negative scores are taken relative to the worst of the generation.
//!
//! A candidate that was scored before is not asked for again, unless scores are noisy and
//! [`GeneticOptions::reevaluate`] is set; then its score is the mean of all its evaluations.

mod breeding;

use serde::{Deserialize, Serialize};

pub use breeding::CandidateOrigin;

use super::history::GenerationScores;
use super::space::{SearchSpace, SpacePoint};
use super::{Maximiser, ScoresError, SetupError, StopReason, check_scores, check_setting};
use ludion_core::random::{Rng, derive_seed};

/// Maximum number of times a candidate is drawn until it differs from all others of its generation;
/// then it is left out.
const ATTEMPTS: u64 = 20;
/// Maximum number of candidates in a generation.
const MAX_CANDIDATES: usize = 100_000;

/// Settings of a genetic search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct GeneticOptions {
    /// Number of best candidates of a generation that stay in the next one and become parents.
    pub kept: usize,
    /// Number of children per generation; the best pairs of parents come first.
    pub children: usize,
    /// Number of random candidates per generation.
    pub new: usize,
    /// Probability that a value of a child is replaced by a random one.
    pub mutation: f64,
    /// Whether candidates are scored again in each generation and their scores averaged.
    pub reevaluate: bool,
    /// Number of generations after which the search is finished.
    pub generations: u32,
}

impl Default for GeneticOptions {
    fn default() -> Self {
        let (kept, children, new) = (4, 6, 2);
        GeneticOptions { kept, children, new, mutation: 0.1, reevaluate: false, generations: 30 }
    }
}

impl GeneticOptions {
    fn check(&self) -> Result<(), SetupError> {
        let GeneticOptions { kept, children, new, mutation, generations, .. } = *self;
        let fresh = children.saturating_add(new);
        check_setting("kept", kept, "1 to 100000", (1..=MAX_CANDIDATES).contains(&kept))?;
        check_setting(
            "children and new",
            fresh,
            "1 to 100000",
            (1..=MAX_CANDIDATES).contains(&fresh),
        )?;
        check_setting(
            "kept",
            kept,
            "2 or more where there are children",
            kept >= 2 || children == 0,
        )?;
        check_setting("mutation", mutation, "0 to 1", (0.0..=1.0).contains(&mutation))?;
        check_setting("generations", generations, "1 or more", generations >= 1)
    }
}

/// A candidate of the current generation.
#[derive(Clone, PartialEq, Debug)]
pub struct GeneticCandidate {
    /// The candidate's point in the search space.
    pub point: SpacePoint,
    /// How the candidate came into the generation.
    pub origin: CandidateOrigin,
}

/// A candidate that was scored at least once.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoredCandidate {
    /// The candidate's point in the search space.
    pub point: SpacePoint,
    /// Mean of the scores that the candidate received.
    pub score: f64,
    /// Number of times the candidate was scored.
    pub count: u32,
}

/// Serialised state of a genetic search; the other fields of [`GeneticSearch`] are derived from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GeneticState {
    space: SearchSpace,
    options: GeneticOptions,
    starts: Vec<SpacePoint>,
    seed: u64,
    /// Every candidate scored so far, in the order of its first score.
    records: Vec<ScoredCandidate>,
    /// Indices of the kept candidates in `records`, best first.
    kept: Vec<usize>,
    /// Score that counts as 0 when parents are weighted: 0, or the worst score of the last
    /// generation if that is negative.
    floor: f64,
    history: Vec<GenerationScores>,
}

/// State of a genetic search between two generations.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "GeneticState", into = "GeneticState")]
pub struct GeneticSearch {
    state: GeneticState,
    members: Vec<GeneticCandidate>,
    asked: Vec<SpacePoint>,
}

impl From<GeneticSearch> for GeneticState {
    fn from(genetic: GeneticSearch) -> Self {
        genetic.state
    }
}

impl TryFrom<GeneticState> for GeneticSearch {
    type Error = SetupError;

    fn try_from(state: GeneticState) -> Result<Self, SetupError> {
        state.options.check()?;
        for point in state.starts.iter().chain(state.records.iter().map(|r| &r.point)) {
            if state.space.point(point.values())? != *point {
                return Err(SetupError::Inconsistent("a point is not rounded"));
            }
        }
        let started = !state.history.is_empty();
        if state.kept.iter().any(|&i| i >= state.records.len()) || started == state.kept.is_empty()
        {
            return Err(SetupError::Inconsistent(
                "the kept candidates are not among the scored ones",
            ));
        }
        let mut genetic = GeneticSearch { state, members: Vec::new(), asked: Vec::new() };
        genetic.next_generation();
        Ok(genetic)
    }
}

impl GeneticSearch {
    /// Starts a search whose first generation has the candidates `starts` (for example the current
    /// parameters) and random ones.
    pub fn new(
        space: SearchSpace,
        options: GeneticOptions,
        starts: Vec<SpacePoint>,
        seed: u64,
    ) -> Result<Self, SetupError> {
        let (records, kept, history) = (Vec::new(), Vec::new(), Vec::new());
        let state =
            GeneticState { space, options, starts, seed, records, kept, floor: 0.0, history };
        GeneticSearch::try_from(state)
    }

    /// Returns the search space.
    #[must_use]
    pub fn space(&self) -> &SearchSpace {
        &self.state.space
    }

    /// Returns the candidates of the current generation, including those whose scores are known.
    #[must_use]
    pub fn members(&self) -> &[GeneticCandidate] {
        &self.members
    }

    /// Returns every candidate scored so far, in the order in which they were first scored.
    #[must_use]
    pub fn records(&self) -> &[ScoredCandidate] {
        &self.state.records
    }

    fn find_record(&self, point: &SpacePoint) -> Option<usize> {
        self.state.records.iter().position(|record| record.point == *point)
    }

    /// Creates the members of the next generation and selects those that must be scored.
    fn next_generation(&mut self) {
        self.members.clear();
        let first = self.state.history.is_empty();
        let (starts, kept) = (self.state.starts.len(), self.state.kept.len());
        let origins = if first {
            breeding::first_origins(&self.state.options, starts)
        } else {
            breeding::next_origins(&self.state.options, kept)
        };
        for (place, origin) in origins.into_iter().enumerate() {
            self.add_member(place as u64, origin);
        }
        let unknown = |m: &&GeneticCandidate| {
            self.state.options.reevaluate || self.find_record(&m.point).is_none()
        };
        self.asked = self.members.iter().filter(unknown).map(|m| m.point.clone()).collect();
    }

    /// Adds a candidate of this origin to the generation; leaves it out if [`ATTEMPTS`] draws give
    /// only candidates that are already there.
    fn add_member(&mut self, place: u64, origin: CandidateOrigin) {
        let generation = self.state.history.len() as u64;
        for attempt in 0..ATTEMPTS {
            let mut rng = Rng::new(derive_seed(self.state.seed, &[generation, place, attempt]));
            let point = self.state.draw(origin, &mut rng);
            if self.members.iter().all(|member| member.point != point) {
                self.members.push(GeneticCandidate { point, origin });
                return;
            }
        }
    }
}

impl GeneticState {
    fn draw(&self, origin: CandidateOrigin, rng: &mut Rng) -> SpacePoint {
        let kept = |rank: usize| &self.records[self.kept[rank]];
        match origin {
            CandidateOrigin::Start(i) => self.starts[i].clone(),
            CandidateOrigin::Kept(rank) => kept(rank).point.clone(),
            CandidateOrigin::Child(first, second) => {
                let (first, second) = (kept(first), kept(second));
                let weight = breeding::first_parent_weight(first.score, second.score, self.floor);
                let mixed =
                    breeding::crossover(&self.space, [&first.point, &second.point], weight, rng);
                self.space.mutate(&mixed, self.options.mutation, rng)
            }
            CandidateOrigin::New => self.space.random(rng),
        }
    }
}

impl Maximiser for GeneticSearch {
    type Candidate = SpacePoint;

    fn ask(&mut self) -> &[SpacePoint] {
        if self.finished().is_some() { &[] } else { &self.asked }
    }

    fn tell(&mut self, scores: &[f64]) -> Result<(), ScoresError> {
        check_scores(self.ask().len(), scores)?;
        if self.finished().is_some() {
            return Ok(());
        }
        for (point, &score) in std::mem::take(&mut self.asked).into_iter().zip(scores) {
            match self.find_record(&point) {
                Some(i) => self.state.records[i].add(score),
                None => self.state.records.push(ScoredCandidate { point, score, count: 1 }),
            }
        }
        let known = |m: &GeneticCandidate| {
            self.find_record(&m.point).expect("every member has its score by now")
        };
        let mut ranked: Vec<usize> = self.members.iter().map(known).collect();
        let score = |i: &usize| self.state.records[*i].score;
        let all: Vec<f64> = ranked.iter().map(score).collect();
        // A stable sort keeps the earlier of two equal candidates.
        ranked.sort_by(|a, b| score(b).total_cmp(&score(a)));
        ranked.truncate(self.state.options.kept);
        self.state.kept = ranked;
        self.state.floor = all.iter().copied().fold(0.0, f64::min);
        let leader = self.best().map_or(f64::NEG_INFINITY, |(_, score)| score);
        let number = self.state.history.len() as u32 + 1;
        self.state.history.push(GenerationScores::new(number, scores.len(), &all, leader));
        self.next_generation();
        Ok(())
    }

    fn finished(&self) -> Option<StopReason> {
        let over = self.state.history.len() as u32 >= self.state.options.generations;
        over.then_some(StopReason::Generations)
    }

    /// Returns the best candidate so far and its score.
    ///
    /// With [`GeneticOptions::reevaluate`], candidates scored only once are ignored as soon as any
    /// candidate was scored twice, so that one lucky score does not make a best candidate.
    fn best(&self) -> Option<(SpacePoint, f64)> {
        let records = &self.state.records;
        let any_twice = self.state.options.reevaluate && records.iter().any(|r| r.count > 1);
        let min_count = if any_twice { 2 } else { 1 };
        let trusted = records.iter().rev().filter(|record| record.count >= min_count);
        trusted
            .max_by(|a, b| a.score.total_cmp(&b.score))
            .map(|record| (record.point.clone(), record.score))
    }

    fn generations(&self) -> Vec<GenerationScores> {
        self.state.history.clone()
    }
}

impl ScoredCandidate {
    /// Updates the candidate's mean score and count with one more score.
    fn add(&mut self, score: f64) {
        self.count += 1;
        self.score += (score - self.score) / f64::from(self.count);
    }
}

#[cfg(test)]
mod tests {
    use super::super::space::{AxisScale, AxisValue, SpaceAxis};
    use super::*;

    /// Returns a space of six integer weights from 0 to 10, the parameters of a player of hexagonal
    /// Tetris.
    fn weights() -> SearchSpace {
        let names = ["height", "above", "lines", "trapped", "beside", "phrases"];
        SearchSpace::new(
            names.map(|name| SpaceAxis::integer(name, 0, 10, AxisScale::Linear)).to_vec(),
        )
        .unwrap()
    }

    fn sum(point: &SpacePoint) -> f64 {
        let gene =
            |value: &AxisValue| if let AxisValue::Integer(v) = value { *v as f64 } else { 0.0 };
        point.values().iter().map(gene).sum()
    }

    #[test]
    fn a_generation_is_four_kept_six_children_of_their_pairs_and_two_new() {
        let start = weights().point(&[3, 2, 1, 10, 1, 10].map(AxisValue::Integer)).unwrap();
        let mut genetic =
            GeneticSearch::new(weights(), GeneticOptions::default(), vec![start.clone()], 1)
                .unwrap();
        assert_eq!(genetic.ask().len(), 12);
        assert_eq!(genetic.ask()[0], start);
        let scores: Vec<f64> = genetic.ask().iter().map(sum).collect();
        genetic.tell(&scores).unwrap();
        let origins: Vec<CandidateOrigin> = genetic.members().iter().map(|m| m.origin).collect();
        use CandidateOrigin::{Child, Kept, New};
        assert_eq!(origins[..4], [Kept(0), Kept(1), Kept(2), Kept(3)]);
        let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)];
        assert_eq!(origins[4..10], pairs.map(|(a, b)| Child(a, b)));
        assert_eq!(origins[10..], [New, New]);
        let mut best = scores;
        best.sort_by(|a, b| b.total_cmp(a));
        let kept: Vec<f64> = genetic.members()[..4].iter().map(|m| sum(&m.point)).collect();
        assert_eq!(kept, best[..4]);
        assert!(genetic.ask().len() <= 8, "kept candidates are not scored again");
    }

    #[test]
    fn a_value_of_a_child_is_the_weighted_mean_with_a_random_part() {
        let space =
            SearchSpace::new(vec![SpaceAxis::real("x", -10.0, 10.0, AxisScale::Linear)]).unwrap();
        let starts = [0.0, 1.0].map(|x| space.point(&[AxisValue::Real(x)]).unwrap()).to_vec();
        let options = GeneticOptions {
            kept: 2,
            children: 1,
            new: 0,
            mutation: 0.0,
            ..GeneticOptions::default()
        };
        let children: Vec<f64> = (0..4_000)
            .map(|seed| {
                let mut genetic =
                    GeneticSearch::new(space.clone(), options, starts.clone(), seed).unwrap();
                let far = genetic.ask().len() - 2;
                genetic.tell(&[&[1.0, 3.0], &vec![0.0; far][..]].concat()).unwrap();
                let AxisValue::Real(x) = genetic.members()[2].point.values()[0] else { panic!() };
                x
            })
            .collect();
        // The better parent, at x = 1, has the weight 3/4, so the child x = c·1 + (1−c)·0 = c is
        // uniform in −1/4 to 7/4.
        let mean = children.iter().sum::<f64>() / children.len() as f64;
        assert!((mean - 0.75).abs() < 0.04, "{mean}");
        assert!(children.iter().all(|x| (-0.25..=1.75).contains(x)));
        assert!(children.iter().any(|x| *x < -0.2) && children.iter().any(|x| *x > 1.7));
    }

    #[test]
    fn candidates_are_scored_again_only_when_reevaluation_is_on() {
        let space =
            SearchSpace::new(vec![SpaceAxis::integer("n", 0, 19, AxisScale::Linear)]).unwrap();
        let run = |reevaluate| {
            let options = GeneticOptions { reevaluate, ..GeneticOptions::default() };
            let mut genetic = GeneticSearch::new(space.clone(), options, Vec::new(), 4).unwrap();
            let mut asked = Vec::new();
            while genetic.finished().is_none() {
                asked.extend_from_slice(genetic.ask());
                let scores: Vec<f64> = genetic.ask().iter().map(sum).collect();
                genetic.tell(&scores).unwrap();
            }
            let met: std::collections::HashSet<SpacePoint> = asked.iter().cloned().collect();
            assert_eq!(met.len(), genetic.records().len());
            (asked.len(), met.len())
        };
        let (asked, met) = run(false);
        assert_eq!(asked, met);
        let (asked, met) = run(true);
        assert!(asked > 10 * met, "{met} candidates asked for {asked} times");
    }

    #[test]
    fn scores_of_one_candidate_are_averaged() {
        let mut record =
            ScoredCandidate { point: weights().random(&mut Rng::new(1)), score: 4.0, count: 1 };
        record.add(1.0);
        record.add(1.0);
        assert_eq!((record.score, record.count), (2.0, 3));
    }

    #[test]
    fn invalid_settings_and_scores_are_refused() {
        let with = |options| GeneticSearch::new(weights(), options, Vec::new(), 1);
        let refused = |options| with(options).unwrap_err().to_string();
        let good = GeneticOptions::default();
        assert_eq!(
            refused(GeneticOptions { kept: 0, ..good }),
            "kept is 0; allowed is 1 to 100000"
        );
        assert!(refused(GeneticOptions { kept: 1, ..good }).contains("2 or more"));
        assert!(refused(GeneticOptions { children: 0, new: 0, ..good }).contains("1 to 100000"));
        assert!(refused(GeneticOptions { mutation: f64::NAN, ..good }).contains("0 to 1"));
        assert!(refused(GeneticOptions { generations: 0, ..good }).contains("1 or more"));
        let mut genetic = with(good).unwrap();
        assert_eq!(genetic.tell(&[1.0]), Err(ScoresError::Count { asked: 12, got: 1 }));
        let mut scores = vec![0.0; 12];
        scores[3] = f64::INFINITY;
        assert_eq!(
            genetic.tell(&scores).unwrap_err().to_string(),
            "the score of candidate 4 is inf; scores must be finite numbers"
        );
    }
}
