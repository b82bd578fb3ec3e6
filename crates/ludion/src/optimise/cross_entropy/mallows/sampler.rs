//! Words drawn from the Mallows law, without a chain: first the distance to the centre, then
//! which places differ, then what stands there.

use super::distance::Distances;
use crate::random::Rng;

/// Draws words around `centre` of symbols out of `symbols`.
pub(super) struct Sampler<'a> {
    centre: &'a [u16],
    /// The symbols that are not in the centre.
    outside: Vec<u16>,
    /// The law of the distance.
    law: Vec<f64>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(centre: &'a [u16], symbols: usize, lambda: f64) -> Self {
        let mut used = vec![false; symbols];
        for &symbol in centre {
            used[usize::from(symbol)] = true;
        }
        let outside = (0..symbols).filter(|&s| !used[s]).map(|s| s as u16).collect();
        let law = Distances::new(centre.len(), symbols, lambda).law();
        Sampler { centre, outside, law }
    }

    pub(super) fn draw(&self, rng: &mut Rng) -> Vec<u16> {
        let distance = self.distance(rng);
        let mut places: Vec<usize> = (0..self.centre.len()).collect();
        shuffle_front(&mut places, distance, rng);
        places.truncate(distance);
        let mut symbols: Vec<u16> = places.iter().map(|&place| self.centre[place]).collect();
        symbols.extend(&self.outside);
        // Between a third and all of the fillings have no place with its old symbol.
        loop {
            shuffle_front(&mut symbols, distance, rng);
            if places.iter().zip(&symbols).all(|(&place, &symbol)| self.centre[place] != symbol) {
                break;
            }
        }
        let mut word = self.centre.to_vec();
        for (&place, &symbol) in places.iter().zip(&symbols) {
            word[place] = symbol;
        }
        word
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

/// Puts a uniform choice of `count` items, in uniform order, at the front.
pub(super) fn shuffle_front<T>(items: &mut [T], count: usize, rng: &mut Rng) {
    for i in 0..count {
        let j = i + rng.below(items.len() - i);
        items.swap(i, j);
    }
}
