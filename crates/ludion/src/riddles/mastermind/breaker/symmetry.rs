//! Which guesses are the same guess: what has been asked cannot tell apart places that were
//! always treated alike, nor colours that were never used, nor any exchange of both that leaves
//! every question as it was. Of guesses that such an exchange turns into each other only the
//! smallest needs to be looked at.

use super::super::Mastermind;

/// Most pegs whose places are exchanged; there are `pegs!` ways.
const MAX_PEGS: usize = 6;
/// What stands for a colour that was not used yet.
const UNUSED: u16 = u16::MAX;

/// The exchanges of places and colours that leave all questions so far as they are.
#[derive(Clone)]
pub struct CodeSymmetry {
    colours: usize,
    /// Which colours have been used.
    used: Vec<bool>,
    exchanges: Vec<CodePermutation>,
}

/// The peg that comes to each place, and what used colours become; colours not used yet may
/// become each other.
#[derive(Clone)]
struct CodePermutation {
    places: Vec<u8>,
    colours: Vec<u16>,
}

impl CodeSymmetry {
    /// Before the first question: all exchanges of colours, and of the places of short codes.
    #[must_use]
    pub fn of(rules: &Mastermind) -> Self {
        let pegs = rules.pegs as u8;
        let orders = if rules.pegs <= MAX_PEGS {
            orders((0..pegs).collect())
        } else {
            vec![(0..pegs).collect()]
        };
        let exchange = |places| CodePermutation { places, colours: vec![UNUSED; rules.colours] };
        CodeSymmetry {
            colours: rules.colours,
            used: vec![false; rules.colours],
            exchanges: orders.into_iter().map(exchange).collect(),
        }
    }

    /// What is left of it when this has been asked too.
    #[must_use]
    pub fn asked(&self, guess: &[u16]) -> Self {
        let mut left = self.clone();
        left.exchanges.retain_mut(|exchange| exchange.keeps(guess));
        for &colour in guess {
            left.used[usize::from(colour)] = true;
        }
        left
    }

    /// Whether every guess is alone of its kind.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        let unused = self.used.iter().filter(|&&used| !used).count();
        self.exchanges.len() == 1 && unused <= 1
    }

    /// Whether no exchange makes a smaller guess of this one.
    #[must_use]
    pub fn is_smallest(&self, guess: &[u16]) -> bool {
        self.exchanges.iter().all(|exchange| !self.lowers(exchange, guess))
    }

    /// Whether the exchange, with unused colours numbered as they come, lowers the guess.
    fn lowers(&self, exchange: &CodePermutation, guess: &[u16]) -> bool {
        let mut met: Vec<u16> = Vec::new();
        let mut unused = (0..self.colours as u16).filter(|&c| !self.used[usize::from(c)]);
        let mut given: Vec<u16> = Vec::new();
        for (place, &from) in exchange.places.iter().enumerate() {
            let colour = guess[usize::from(from)];
            let image = if self.used[usize::from(colour)] {
                exchange.colours[usize::from(colour)]
            } else if let Some(at) = met.iter().position(|&other| other == colour) {
                given[at]
            } else {
                let next = unused.next().expect("as many as are met");
                met.push(colour);
                given.push(next);
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
    /// Whether it can leave the guess as it is; the colours are bound accordingly.
    fn keeps(&mut self, guess: &[u16]) -> bool {
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

/// All orders of these things.
fn orders(things: Vec<u8>) -> Vec<Vec<u8>> {
    if things.len() <= 1 {
        return vec![things];
    }
    let beginning = |first: &u8| {
        let rest = things.iter().copied().filter(|thing| thing != first).collect();
        let first = *first;
        orders(rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    things.iter().flat_map(beginning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(rules: &Mastermind, symmetry: &CodeSymmetry) -> usize {
        rules.codes().filter(|code| symmetry.is_smallest(code)).count()
    }

    #[test]
    fn first_guesses_are_the_ways_to_add_up_to_the_pegs() {
        let rules = |pegs, colours, repeats| Mastermind::new(pegs, colours, repeats).unwrap();
        for (rules, expected) in [
            (rules(4, 6, true), 5),
            (rules(5, 8, true), 7),
            (rules(4, 3, true), 4),
            (rules(6, 6, true), 11),
            (rules(4, 10, false), 1),
        ] {
            assert_eq!(kinds(&rules, &CodeSymmetry::of(&rules)), expected, "{rules:?}");
        }
    }

    /// The orbits of guesses under every exchange of places and colours that keeps the questions,
    /// counted by Burnside's lemma, the exchanges tried one by one.
    #[test]
    fn kinds_of_guesses_are_the_orbits_that_burnside_counts() {
        let cases = [
            (4, 4, true, vec![vec![0, 0, 1, 2]]),
            (4, 5, true, vec![vec![0, 0, 1, 1], vec![0, 2, 1, 3]]),
            (3, 5, false, vec![vec![0, 1, 2]]),
            (4, 5, false, vec![vec![0, 1, 2, 3], vec![1, 0, 3, 2]]),
        ];
        for (pegs, colours, repeats, asked) in cases {
            let rules = Mastermind::new(pegs, colours, repeats).unwrap();
            let symmetry = asked.iter().fold(CodeSymmetry::of(&rules), |s, guess| s.asked(guess));
            let (mut fixed, mut exchanges) = (0, 0);
            for places in orders((0..pegs as u8).collect()) {
                for paint in orders((0..colours as u8).collect()) {
                    let image = |code: &Vec<u16>| -> Vec<u16> {
                        let from = places.iter().map(|&p| code[usize::from(p)]);
                        from.map(|c| u16::from(paint[usize::from(c)])).collect()
                    };
                    if asked.iter().all(|guess| image(guess) == *guess) {
                        exchanges += 1;
                        fixed += rules.codes().filter(|code| image(code) == *code).count();
                    }
                }
            }
            assert_eq!(kinds(&rules, &symmetry) * exchanges, fixed, "{rules:?} {asked:?}");
        }
    }
}
