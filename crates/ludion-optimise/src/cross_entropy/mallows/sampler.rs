//! The exact sampler of the Mallows distribution: draws the distance to the centre, then the places
//! that differ, then their symbols.

use super::distance::DistanceDistribution;
use ludion_core::random::Rng;

/// Sampler of independent words from a Mallows distribution.
pub(super) struct MallowsSampler<'a> {
    centre: &'a [u16],
    /// Symbols that do not occur in the centre.
    outside: Vec<u16>,
    /// Probabilities of the distances 0 to n between the centre and a word of n symbols.
    distances: Vec<f64>,
    /// The places of a word in any order; a draw moves those that differ from the centre to the
    /// front.
    places: Vec<usize>,
    /// Symbols available for the places that differ from the centre, in the order in which they are
    /// assigned.
    symbols: Vec<u16>,
}

impl<'a> MallowsSampler<'a> {
    pub(super) fn new(centre: &'a [u16], symbols: usize, lambda: f64) -> Self {
        let mut used = vec![false; symbols];
        for &symbol in centre {
            used[usize::from(symbol)] = true;
        }
        let outside = (0..symbols).filter(|&s| !used[s]).map(|s| s as u16).collect();
        let distances = DistanceDistribution::new(centre.len(), symbols, lambda).probabilities();
        let (places, filling) = ((0..centre.len()).collect(), Vec::with_capacity(symbols));
        MallowsSampler { centre, outside, distances, places, symbols: filling }
    }

    /// Draws a word and appends its symbols to `word`, which must be empty.
    pub(super) fn draw(&mut self, rng: &mut Rng, word: &mut Vec<u16>) {
        let distance = self.distance(rng);
        shuffle_front(&mut self.places, distance, rng);
        let places = &self.places[..distance];
        self.symbols.clear();
        self.symbols.extend(places.iter().map(|&place| self.centre[place]));
        self.symbols.extend(&self.outside);
        // At least a third of the attempts succeed.
        while !try_filling(self.centre, places, &mut self.symbols, rng) {}
        word.extend(self.centre);
        for (&place, &symbol) in places.iter().zip(&self.symbols) {
            word[place] = symbol;
        }
    }

    fn distance(&self, rng: &mut Rng) -> usize {
        let mut rest = rng.unit();
        for (distance, p) in self.distances.iter().enumerate() {
            rest -= p;
            if rest < 0.0 {
                return distance;
            }
        }
        // The probabilities may sum to slightly less than 1; the remainder goes to the likeliest
        // distance, which is certainly possible.
        let likeliest = (0..self.distances.len())
            .max_by(|&a, &b| self.distances[a].total_cmp(&self.distances[b]));
        likeliest.expect("distance 0 exists")
    }
}

/// Assigns a random selection of `symbols` to the places, and returns false as soon as a place
/// would keep its symbol of the centre.
///
/// A failed filling is discarded as a whole, so that all valid ones are equally likely.
fn try_filling(centre: &[u16], places: &[usize], symbols: &mut [u16], rng: &mut Rng) -> bool {
    places.iter().enumerate().all(|(i, &place)| {
        let j = i + rng.below(symbols.len() - i);
        symbols.swap(i, j);
        symbols[i] != centre[place]
    })
}

/// Moves a uniformly random selection of `count` items, in random order, to the front.
pub(super) fn shuffle_front<T>(items: &mut [T], count: usize, rng: &mut Rng) {
    for i in 0..count {
        let j = i + rng.below(items.len() - i);
        items.swap(i, j);
    }
}
