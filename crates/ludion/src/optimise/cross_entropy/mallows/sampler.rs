//! Words drawn from the Mallows law, without a chain: first the distance to the centre, then
//! which places differ, then what stands there.

use super::distance::DistanceDistribution;
use crate::random::Rng;

/// Draws words around `centre` of symbols out of `symbols`.
pub(super) struct MallowsSampler<'a> {
    centre: &'a [u16],
    /// The symbols that are not in the centre.
    outside: Vec<u16>,
    /// The law of the distance.
    law: Vec<f64>,
    /// The places of a word, in any order.
    places: Vec<usize>,
    /// The symbols that may fill the places that differ.
    symbols: Vec<u16>,
}

impl<'a> MallowsSampler<'a> {
    pub(super) fn new(centre: &'a [u16], symbols: usize, lambda: f64) -> Self {
        let mut used = vec![false; symbols];
        for &symbol in centre {
            used[usize::from(symbol)] = true;
        }
        let outside = (0..symbols).filter(|&s| !used[s]).map(|s| s as u16).collect();
        let law = DistanceDistribution::new(centre.len(), symbols, lambda).law();
        let (places, filling) = ((0..centre.len()).collect(), Vec::with_capacity(symbols));
        MallowsSampler { centre, outside, law, places, symbols: filling }
    }

    /// Writes a word into `word`, which is empty.
    pub(super) fn draw(&mut self, rng: &mut Rng, word: &mut Vec<u16>) {
        let distance = self.distance(rng);
        shuffle_front(&mut self.places, distance, rng);
        let places = &self.places[..distance];
        self.symbols.clear();
        self.symbols.extend(places.iter().map(|&place| self.centre[place]));
        self.symbols.extend(&self.outside);
        // Between a third and all of the fillings have no place with its old symbol.
        while !fills(self.centre, places, &mut self.symbols, rng) {}
        word.extend(self.centre);
        for (&place, &symbol) in places.iter().zip(&self.symbols) {
            word[place] = symbol;
        }
    }

    fn distance(&self, rng: &mut Rng) -> usize {
        let mut rest = rng.unit();
        for (distance, p) in self.law.iter().enumerate() {
            rest -= p;
            if rest < 0.0 {
                return distance;
            }
        }
        // What rounding left over goes to the likeliest, which can be drawn for certain.
        let likeliest = (0..self.law.len()).max_by(|&a, &b| self.law[a].total_cmp(&self.law[b]));
        likeliest.expect("the law has the distance 0 at least")
    }
}

/// Shuffles `symbols` until a place would keep its old symbol. A filling that fails is dropped
/// as a whole, so that those that do not are all equally likely.
fn fills(centre: &[u16], places: &[usize], symbols: &mut [u16], rng: &mut Rng) -> bool {
    places.iter().enumerate().all(|(i, &place)| {
        let j = i + rng.below(symbols.len() - i);
        symbols.swap(i, j);
        symbols[i] != centre[place]
    })
}

/// Puts a uniform choice of `count` items, in uniform order, at the front.
pub(super) fn shuffle_front<T>(items: &mut [T], count: usize, rng: &mut Rng) {
    for i in 0..count {
        let j = i + rng.below(items.len() - i);
        items.swap(i, j);
    }
}
