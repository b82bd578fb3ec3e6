//! Sentences that say what follows from the results of a match or of a list of ratings.

use ludion_players::arena::elo::{EloReport, Estimate};
use ludion_players::arena::ratings::Rating;
use ludion_players::arena::repeated_pairs::RepeatedPairs;
use ludion_players::arena::sprt::{Sprt, SprtDecision};

/// Elo differences that a further match may be planned to resolve, the largest first.
const RESOLUTIONS: [f64; 6] = [100.0, 50.0, 20.0, 10.0, 5.0, 2.0];

/// Returns what follows from a match between two players, or `None` before its first pair.
pub(crate) fn of_match(
    [a, b]: [&str; 2],
    pairs: u64,
    strength: Option<&EloReport>,
    sprt: Option<(&Sprt, SprtDecision)>,
) -> Option<String> {
    let estimate = strength?.elo;
    if let Some((test, decision)) = sprt {
        let Sprt { elo0, elo1, .. } = *test;
        return Some(match decision {
            SprtDecision::Upper => {
                format!("{a} passes against {b}: {} fits better than {}", elo(elo1), elo(elo0))
            }
            SprtDecision::Lower => {
                let (less, more) = (elo(elo0), elo(elo1));
                format!("{a} does not pass against {b}: {less} fits better than {more}")
            }
            SprtDecision::Open => format!("the test has not decided after {pairs} pairs"),
        });
    }
    Some(if estimate.low > 0.0 {
        format!("{a} is stronger than {b}: {}", interval(&estimate))
    } else if estimate.high < 0.0 {
        let Estimate { value, error, low, high } = estimate;
        let turned = Estimate { value: -value, error, low: -high, high: -low };
        format!("{b} is stronger than {a}: {}", interval(&turned))
    } else {
        format!(
            "these games do not tell which is stronger: {}{}",
            interval(&estimate),
            more(&estimate, pairs)
        )
    })
}

/// Returns what follows from the last match of a tuning, in which the best candidate plays again.
pub(crate) fn of_tuning(elo: &Estimate) -> &'static str {
    if elo.low > 0.0 {
        "better than its opponent"
    } else if elo.high < 0.0 {
        "worse than its opponent"
    } else {
        "neither better nor worse, as far as these games tell"
    }
}

/// Returns a warning if many pairs of a run repeat earlier ones.
pub(crate) fn repeated_pairs(repeated: &RepeatedPairs) -> Option<String> {
    let RepeatedPairs { repeated: again, compared, .. } = repeated;
    repeated.is_misleading().then(|| {
        format!(
            "{again} of {compared} pairs repeat an earlier pair move for move: they tell nothing new, and \
             the intervals are too narrow; play from more openings (--opening, --openings)"
        )
    })
}

/// Writes an Elo difference with its sign.
pub(crate) fn elo(difference: f64) -> String {
    if difference == 0.0 { "0 Elo".to_owned() } else { format!("{difference:+} Elo") }
}

/// Writes an estimate with the ends of its interval.
fn interval(elo: &Estimate) -> String {
    let end = |value: f64| format!("{:+.0}", value + 0.0);
    match (elo.low.is_finite(), elo.high.is_finite()) {
        (true, true) => format!("{} to {} Elo (95 %)", end(elo.low), end(elo.high)),
        (true, false) => format!("more than {} Elo (95 %)", end(elo.low)),
        (false, true) => format!("less than {} Elo (95 %)", end(elo.high)),
        (false, false) => "any difference is possible".to_owned(),
    }
}

/// Says how many pairs would resolve the next smaller difference.
fn more(elo: &Estimate, pairs: u64) -> String {
    let finer = RESOLUTIONS.into_iter().find(|finer| *finer < 0.7 * elo.error);
    let Some(finer) = finer.filter(|_| elo.error.is_finite() && pairs >= 5) else {
        return String::new();
    };
    // The error shrinks with the square root of the number of pairs.
    let needed = pairs as f64 * (elo.error / finer).powi(2);
    let digits = 10_f64.powf(needed.log10().floor() - 1.0);
    let needed = (needed / digits).ceil() * digits;
    format!("; about {needed} pairs would tell it within {finer} Elo")
}

/// Returns what follows from a list of ratings, the highest first: whether the first is ahead of the
/// second.
pub(crate) fn of_ratings(players: &[(&str, Rating)]) -> Option<String> {
    let [(best, first), (next, second), ..] = players else { return None };
    let gap = first.elo - second.elo;
    // Half the width of the 95 % interval of the difference, if the errors were independent.
    let error = first.error.hypot(second.error);
    Some(if gap > error {
        format!("{best} is the strongest: {gap:+.0} ± {error:.0} Elo before {next}")
    } else {
        format!("{best} leads, but {gap:+.0} ± {error:.0} Elo before {next} may be chance")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion_players::arena::elo::PairCounts;
    use ludion_players::arena::sprt::EloScale;

    fn verdict(counts: PairCounts) -> String {
        let strength = EloReport::from_counts(&counts.score_counts());
        of_match(["a", "b"], counts.total(), strength.as_ref(), None).expect("a verdict")
    }

    #[test]
    fn a_match_is_judged_by_its_interval() {
        let none = PairCounts::default();
        let won = PairCounts { two_wins: 60, win_loss: 30, two_losses: 10, ..none };
        assert_eq!(verdict(won), "a is stronger than b: +134 to +258 Elo (95 %)");
        let lost = PairCounts { two_wins: 10, win_loss: 30, two_losses: 60, ..none };
        assert_eq!(verdict(lost), "b is stronger than a: +134 to +258 Elo (95 %)");
        let even = PairCounts { two_wins: 26, win_loss: 50, two_losses: 24, ..none };
        assert_eq!(
            verdict(even),
            "these games do not tell which is stronger: -41 to +56 Elo (95 %); about 590 pairs would \
             tell it within 20 Elo"
        );
        assert!(verdict(PairCounts { two_wins: 100, ..none }).contains("more than +"));
        assert_eq!(of_match(["a", "b"], 0, None, None), None);
    }

    #[test]
    fn a_sequential_test_is_judged_by_its_decision() {
        let test =
            Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: EloScale::Normalised };
        let counts = PairCounts { two_wins: 9, two_losses: 3, ..PairCounts::default() };
        let strength = EloReport::from_counts(&counts.score_counts());
        let judged =
            |decision| of_match(["a", "b"], 12, strength.as_ref(), Some((&test, decision)));
        let upper = judged(SprtDecision::Upper).expect("a verdict");
        assert_eq!(upper, "a passes against b: +20 Elo fits better than 0 Elo");
        let open = judged(SprtDecision::Open).expect("a verdict");
        assert_eq!(open, "the test has not decided after 12 pairs");
    }

    #[test]
    fn ratings_are_judged_by_the_first_two_places() {
        let rating = |elo| Rating { elo, error: 30.0 };
        let list = [("a", rating(100.0)), ("b", rating(20.0)), ("c", rating(-120.0))];
        let verdict = of_ratings(&list).expect("a verdict");
        assert_eq!(verdict, "a is the strongest: +80 ± 42 Elo before b");
        let close = [("a", rating(30.0)), ("b", rating(20.0))];
        assert!(of_ratings(&close).expect("a verdict").ends_with("may be chance"));
        assert_eq!(of_ratings(&list[..1]), None);
    }
}
