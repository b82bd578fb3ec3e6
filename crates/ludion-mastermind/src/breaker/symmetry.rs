//! Symmetry of guesses: permutations of places and colours that leave every guess so far unchanged.
//! Of guesses that such a permutation maps to each other, only the smallest needs to be considered.

use super::super::Mastermind;

/// Maximum number of pegs for which permutations of places are considered; there are `pegs!` of
/// them.
const MAX_PEGS: usize = 6;
/// Image of a colour that is not determined yet, because the colour occurs in no guess so far.
const UNUSED: u16 = u16::MAX;

/// The permutations of places and colours that leave all guesses so far unchanged.
#[derive(Clone)]
pub struct CodeSymmetry {
    colours: usize,
    /// For each colour, whether it occurs in a guess so far.
    used: Vec<bool>,
    permutations: Vec<CodePermutation>,
}

/// A permutation of places together with the images of used colours; unused colours may be permuted
/// freely.
#[derive(Clone)]
struct CodePermutation {
    places: Vec<u8>,
    colours: Vec<u16>,
}

impl CodeSymmetry {
    /// Returns the symmetry before the first guess: all permutations of colours, and for codes of
    /// at most six pegs all permutations of places.
    #[must_use]
    pub fn new(rules: &Mastermind) -> Self {
        let pegs = rules.pegs as u8;
        let place_orders = if rules.pegs <= MAX_PEGS {
            all_permutations((0..pegs).collect())
        } else {
            vec![(0..pegs).collect()]
        };
        let permutation = |places| CodePermutation { places, colours: vec![UNUSED; rules.colours] };
        CodeSymmetry {
            colours: rules.colours,
            used: vec![false; rules.colours],
            permutations: place_orders.into_iter().map(permutation).collect(),
        }
    }

    /// Returns the permutations that also leave another guess unchanged.
    #[must_use]
    pub fn after_guess(&self, guess: &[u16]) -> Self {
        let mut left = self.clone();
        left.permutations.retain_mut(|permutation| permutation.fixes(guess));
        for &colour in guess {
            left.used[usize::from(colour)] = true;
        }
        left
    }

    /// Returns whether a colour occurs in a guess so far.
    #[must_use]
    pub fn is_used(&self, colour: u16) -> bool {
        self.used[usize::from(colour)]
    }

    /// Returns whether only the identity is left, so that no two guesses are equivalent.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        let unused = self.used.iter().filter(|&&used| !used).count();
        self.permutations.len() == 1 && unused <= 1
    }

    /// Returns whether the guess is the smallest of the guesses that the permutations map to each
    /// other.
    #[must_use]
    pub fn is_canonical(&self, guess: &[u16]) -> bool {
        self.permutations.iter().all(|permutation| !self.lowers(permutation, guess))
    }

    /// Returns whether the permutation maps the guess to a smaller one; the images of unused
    /// colours are the unused colours in order of appearance.
    fn lowers(&self, permutation: &CodePermutation, guess: &[u16]) -> bool {
        let mut seen: Vec<u16> = Vec::new();
        let mut unused = (0..self.colours as u16).filter(|&c| !self.used[usize::from(c)]);
        let mut images: Vec<u16> = Vec::new();
        for (place, &from) in permutation.places.iter().enumerate() {
            let colour = guess[usize::from(from)];
            let image = if self.used[usize::from(colour)] {
                permutation.colours[usize::from(colour)]
            } else if let Some(at) = seen.iter().position(|&other| other == colour) {
                images[at]
            } else {
                let next = unused.next().expect("an unused colour for each");
                seen.push(colour);
                images.push(next);
                next
            };
            if image != guess[place] {
                return image < guess[place];
            }
        }
        false
    }
}

impl CodePermutation {
    /// Returns whether the permutation can leave the guess unchanged, and sets the images of the
    /// guess's colours accordingly.
    fn fixes(&mut self, guess: &[u16]) -> bool {
        for (place, &from) in self.places.iter().enumerate() {
            let (colour, wanted) = (usize::from(guess[usize::from(from)]), guess[place]);
            if self.colours[colour] == UNUSED && !self.colours.contains(&wanted) {
                self.colours[colour] = wanted;
            }
            if self.colours[colour] != wanted {
                return false;
            }
        }
        true
    }
}

/// Returns all permutations of these items.
fn all_permutations(items: Vec<u8>) -> Vec<Vec<u8>> {
    if items.len() <= 1 {
        return vec![items];
    }
    let starting_with = |first: &u8| {
        let rest = items.iter().copied().filter(|item| item != first).collect();
        let first = *first;
        all_permutations(rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    items.iter().flat_map(starting_with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class_count(rules: &Mastermind, symmetry: &CodeSymmetry) -> usize {
        rules.codes().filter(|code| symmetry.is_canonical(code)).count()
    }

    #[test]
    fn first_guesses_correspond_to_the_partitions_of_the_pegs() {
        let rules = |pegs, colours, repeats| Mastermind::new(pegs, colours, repeats).unwrap();
        for (rules, expected) in [
            (rules(4, 6, true), 5),
            (rules(5, 8, true), 7),
            (rules(4, 3, true), 4),
            (rules(6, 6, true), 11),
            (rules(4, 10, false), 1),
        ] {
            assert_eq!(class_count(&rules, &CodeSymmetry::new(&rules)), expected, "{rules:?}");
        }
    }

    /// Counts the orbits of guesses by Burnside's lemma, with every permutation that leaves the
    /// history unchanged.
    #[test]
    fn canonical_guesses_are_the_orbits_counted_by_burnside() {
        let cases = [
            (4, 4, true, vec![vec![0, 0, 1, 2]]),
            (4, 5, true, vec![vec![0, 0, 1, 1], vec![0, 2, 1, 3]]),
            (3, 5, false, vec![vec![0, 1, 2]]),
            (4, 5, false, vec![vec![0, 1, 2, 3], vec![1, 0, 3, 2]]),
        ];
        for (pegs, colours, repeats, history) in cases {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            let symmetry =
                history.iter().fold(CodeSymmetry::new(&rules), |s, guess| s.after_guess(guess));
            let (mut fixed, mut permutations) = (0, 0);
            for places in all_permutations((0..pegs as u8).collect()) {
                for colour_image in all_permutations((0..colours as u8).collect()) {
                    let image = |code: &Vec<u16>| -> Vec<u16> {
                        let from = places.iter().map(|&p| code[usize::from(p)]);
                        from.map(|c| u16::from(colour_image[usize::from(c)])).collect()
                    };
                    if history.iter().all(|guess| image(guess) == *guess) {
                        permutations += 1;
                        fixed += rules.codes().filter(|code| image(code) == *code).count();
                    }
                }
            }
            assert_eq!(
                class_count(&rules, &symmetry) * permutations,
                fixed,
                "{rules:?} {history:?}"
            );
        }
    }
}
