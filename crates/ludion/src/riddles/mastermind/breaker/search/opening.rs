//! The first guess, when nothing is known: only how often its colours come in it matters, since
//! pegs and colours can be exchanged.
//!
//! With one colour the white pegs tell nothing; with all different ones they count the colours
//! of the secret, which hardly vary. The best lies between, at two or three pegs of a colour. It
//! is found by the entropy of the answers over codes drawn at random.

use super::super::super::{Code, Mastermind};
use super::choice::{CodesLeft, SampleScorer};
use super::lanes::CodeLanes;
use crate::random::Rng;
use crate::riddle::Riddle;

/// Codes drawn to judge first guesses by.
const SAMPLE: usize = 8192;
/// Up to so many pegs all ways to share them out among colours are tried.
const ALL_WAYS: usize = 10;

/// The first guess: the same in every game.
pub(super) fn opening(rules: Mastermind) -> Code {
    if !rules.repeats {
        return (0..rules.pegs as u16).collect();
    }
    let mut rng = Rng::new(0);
    let codes: Vec<Code> = (0..SAMPLE).map(|_| rules.draw_secret(&mut rng)).collect();
    let lanes = CodeLanes::new(&rules, codes.iter());
    let mut judge = SampleScorer::new(rules, &lanes, CodesLeft::Many);
    let mut best: Option<(Code, f64)> = None;
    for amounts in shares(rules) {
        let spread = amounts.iter().enumerate();
        let code: Code = spread.flat_map(|(i, &c)| std::iter::repeat_n(i as u16, c)).collect();
        let worth = judge.worth_of(&code);
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((code, worth));
        }
    }
    best.map_or_else(|| vec![0; rules.pegs], |(code, _)| code)
}

/// Ways to share the pegs out among colours, larger amounts first: all of them for few pegs, the
/// even ones for many.
fn shares(rules: Mastermind) -> Vec<Vec<usize>> {
    let most = rules.colours.min(rules.pegs);
    if rules.pegs > ALL_WAYS {
        let even = |k: usize| (0..k).map(|i| (rules.pegs + k - 1 - i) / k).collect();
        return (1..=most).map(even).collect();
    }
    let mut ways = vec![(Vec::new(), rules.pegs)];
    let mut whole = Vec::new();
    while let Some((way, left)) = ways.pop() {
        if left == 0 {
            whole.push(way);
        } else if way.len() < most {
            let largest = way.last().map_or(left, |&last: &usize| last.min(left));
            ways.extend((1..=largest).map(|next| ([&way[..], &[next]].concat(), left - next)));
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pegs_are_shared_out_in_every_way_once() {
        // Partitions of n: 1, 2, 3, 5, 7, 11, 15, 22, 30, 42.
        let ways = |pegs, colours| shares(Mastermind::new(pegs, colours, true).unwrap());
        assert_eq!(ways(10, 12).len(), 42);
        assert_eq!(ways(5, 2), [vec![5], vec![4, 1], vec![3, 2]].map(|w| w.to_vec()));
        assert!(ways(20, 12).iter().all(|way| way.iter().sum::<usize>() == 20));
    }

    #[test]
    fn the_first_guess_at_the_common_size_is_the_known_one() {
        // Of the five kinds of first guesses at 4 pegs and 6 colours 1234 has the most entropy,
        // 3.057 bits, then 1123 with 3.044.
        assert_eq!(opening(Mastermind::new(4, 6, true).unwrap()), [0, 1, 2, 3]);
        let distinct = Mastermind::new(4, 10, false).unwrap();
        assert_eq!(opening(distinct), [0, 1, 2, 3]);
    }
}
