//! Tests of the search methods against enumeration, against each other, and against known means.

use super::super::super::PegFeedback;
use super::*;

fn rules(pegs: usize, colours: usize, repeats: bool) -> Mastermind {
    Mastermind::new(pegs, colours, repeats).unwrap()
}

/// Returns a secret and random guesses with their feedback.
fn random_history(rules: &Mastermind, count: usize, seed: u64) -> (Code, Vec<GuessAndFeedback>) {
    let mut rng = Rng::new(seed);
    let secret = rules.draw_secret(&mut rng);
    let guesses = (0..count).map(|_| rules.draw_secret(&mut rng));
    let history = guesses.map(|guess| (guess.clone(), rules.answer(&secret, &guess))).collect();
    (secret, history)
}

/// Plays a game and returns its guesses, which must be valid codes.
fn play(breaker: &mut SearchBreaker, seed: u64) -> Vec<Code> {
    let rules = breaker.rules;
    let secret = rules.draw_secret(&mut Rng::new(derive_seed(seed, &[1])));
    breaker.begin(derive_seed(seed, &[2]));
    let mut history = Vec::new();
    while history.len() < 100 {
        let guess = breaker.guess(&history).unwrap();
        assert_eq!(rules.read_code(&rules.show_code(&guess)).as_ref(), Ok(&guess));
        let feedback = rules.answer(&secret, &guess);
        history.push((guess, feedback));
        if rules.solved(feedback) {
            break;
        }
    }
    history.into_iter().map(|(guess, _)| guess).collect()
}

fn mean(rules: Mastermind, method: SearchMethod, games: u64) -> f64 {
    let mut breaker = SearchBreaker::new(rules, method);
    let guesses: usize = (0..games).map(|seed| play(&mut breaker, seed).len()).sum();
    guesses as f64 / games as f64
}

#[test]
fn enumeration_finds_exactly_the_consistent_codes() {
    for (rules, history) in
        [(rules(4, 5, true), 2), (rules(4, 7, false), 2), (rules(5, 4, true), 1)]
    {
        for seed in 0..10 {
            let (_, history) = random_history(&rules, history, seed);
            let fits = |code: &Code| history.iter().all(|(g, a)| rules.answer(code, g) == *a);
            let expected: Vec<Code> = rules.codes().filter(fits).collect();
            let past = History::new(rules, &history);
            let found = exact::enumerate(&past, 10_000, 1_000_000, &mut Rng::new(seed)).unwrap();
            assert_eq!(found.total, Some(expected.len() as u64));
            let mut codes = found.codes;
            codes.sort();
            assert_eq!(codes, expected);
        }
    }
}

#[test]
fn every_method_finds_only_consistent_codes() {
    for rules in [rules(8, 9, true), rules(8, 9, false)] {
        let (secret, history) = random_history(&rules, 6, 4);
        let past = History::new(rules, &history);
        assert_eq!(past.energy(&secret), 0);
        for method in SearchMethod::ALL {
            let found = SearchBreaker::new(rules, method).find(&past, &mut Rng::new(1));
            assert!(!found.codes.is_empty(), "{} found nothing", method.name());
            for code in found.codes {
                let feedback = history.iter().map(|(guess, _)| rules.answer(&code, guess));
                assert!(
                    feedback.eq(history.iter().map(|(_, feedback)| *feedback)),
                    "{}",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn annealing_meets_all_consistent_codes_when_they_are_few() {
    let rules = rules(6, 9, true);
    let (_, history) = random_history(&rules, 5, 9);
    let past = History::new(rules, &history);
    let all = exact::enumerate(&past, 1000, 1_000_000, &mut Rng::new(1)).unwrap().codes;
    assert!((10..900).contains(&all.len()), "{} codes", all.len());
    let met = Annealing::new(&past).find(&past, &[], 1000, &mut Rng::new(2)).codes;
    assert!(met.len() * 20 >= all.len() * 19, "{} of {}", met.len(), all.len());
}

#[test]
fn no_code_is_left_only_if_that_is_proven() {
    let history = |guess: Code, black| vec![(guess, PegFeedback { black, white: 0 })];
    // The first feedback says that all pegs but one have the first colour, the second that none
    // has.
    let contradiction = |pegs: usize| {
        let (all, none) = (history(vec![0; pegs], pegs as u16 - 1), history(vec![0; pegs], 0));
        [all, none].concat()
    };
    for method in SearchMethod::ALL {
        let mut breaker = SearchBreaker::new(rules(5, 8, true), method);
        assert_eq!(breaker.guess(&contradiction(5)), Err(NoCodeLeftError), "{}", method.name());
    }
    // Only enumeration could prove that no code is left, and here the tree is too large.
    let large = rules(20, 20, true);
    let (_, mut past) = random_history(&large, 25, 3);
    past[24].1 = PegFeedback { black: 0, white: past[24].1.white + 3 };
    let guess = strongest_search(large).guess(&past).unwrap();
    assert!(past.iter().all(|(history, _)| *history != guess));
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for method in SearchMethod::ALL {
        let mut breaker = SearchBreaker::new(rules(4, 5, true), method);
        let first = play(&mut breaker, 5);
        play(&mut breaker, 6);
        assert_eq!(play(&mut breaker, 5), first, "{}", method.name());
    }
}

#[test]
fn codes_without_repeats_are_broken_by_guesses_without_repeats() {
    // `play` refuses guesses with repeats; the optimal mean is 5.21.
    assert!(mean(rules(4, 10, false), SearchMethod::Mixed, 3) < 6.5);
}

#[test]
#[ignore = "takes some ten seconds; ./test --all runs it"]
fn codes_of_eight_pegs_without_repeats_are_broken_by_genetic_search() {
    assert!(mean(rules(8, 8, false), SearchMethod::Genetic, 2) < 10.0);
}

// The measured means are near 5.5, 9.2 and 22.1 guesses, with standard deviations per game of 0.7, 1.0
// and 2.1.

#[test]
fn small_codes_are_broken_in_as_few_guesses_as_measured() {
    assert!(mean(rules(5, 8, true), SearchMethod::Mixed, 4) <= 6.5);
}

#[test]
#[ignore = "takes half a minute of one core; ./test --all runs it"]
fn more_and_large_codes_are_broken_in_as_few_guesses_as_measured() {
    assert!(mean(rules(5, 8, true), SearchMethod::Mixed, 12) <= 6.0);
    assert!(mean(rules(4, 10, false), SearchMethod::Mixed, 10) < 6.0);
    assert!(mean(rules(10, 10, true), SearchMethod::Mixed, 3) <= 10.5);
    assert!(mean(rules(20, 20, true), SearchMethod::Mixed, 1) <= 27.0);
}

#[test]
#[ignore = "takes some ten seconds; ./test --all runs it"]
fn a_code_of_forty_pegs_is_found_from_random_guesses() {
    let rules = rules(40, 40, true);
    let (secret, history) = random_history(&rules, 100, 1);
    let mut breaker = strongest_search(rules);
    breaker.begin(1);
    assert_eq!(breaker.guess(&history), Ok(secret));
    assert!(!breaker.no_consistent_code());
}

#[test]
#[ignore = "takes half a minute of one core; ./test --all runs it"]
fn a_code_of_forty_pegs_is_broken_in_less_than_sixty_guesses() {
    assert!(mean(rules(40, 40, true), SearchMethod::Mixed, 1) < 60.0);
}

#[test]
fn the_other_methods_are_nearly_as_strong() {
    for method in [SearchMethod::Annealing, SearchMethod::CrossEntropy, SearchMethod::Genetic] {
        let mean = mean(rules(5, 8, true), method, 4);
        assert!(mean <= 6.8, "{}: {mean}", method.name());
    }
}

#[test]
fn codes_too_large_for_tempering_are_broken_by_halving() {
    for (pegs, colours, most) in [(60, 20, 190), (100, 6, 190), (116, 6, 210), (60, 8, 140)] {
        let rules = rules(pegs, colours, true);
        let mut breaker = SearchBreaker::new(rules, SearchMethod::Mixed);
        for seed in 0..3 {
            let secret = rules.draw_secret(&mut Rng::new(seed));
            let mut history: Vec<GuessAndFeedback> = Vec::new();
            breaker.begin(seed);
            while !history.last().is_some_and(|&(_, feedback)| rules.solved(feedback)) {
                let guess = breaker.guess(&history).unwrap();
                let feedback = rules.answer(&secret, &guess);
                history.push((guess, feedback));
                assert!(history.len() < most, "{pegs} {colours}");
            }
        }
    }
    assert!(!is_halved(&rules(40, 40, true), 50));
}
