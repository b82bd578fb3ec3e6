//! Softmax with an exponential function of its own, because the last bit of the platform's differs
//! between platforms. It uses additions and multiplications alone, which are the same everywhere.

use serde::{Deserialize, Serialize};

/// The probabilities of win, draw and loss, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WdlProbabilities {
    /// The probability of a win.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability of a loss.
    pub loss: f32,
}

impl WdlProbabilities {
    /// Converts the logits of win, draw and loss to probabilities.
    #[must_use]
    pub fn from_logits(mut logits: [f32; 3]) -> Self {
        softmax(&mut logits);
        let [win, draw, loss] = logits;
        WdlProbabilities { win, draw, loss }
    }

    /// Returns the expected result, from −1 for a sure loss to 1 for a sure win.
    #[must_use]
    pub fn expected_result(self) -> f32 {
        self.win - self.loss
    }
}

/// Replaces logits by their probabilities, which are positive and sum to 1 up to rounding. If no
/// logit is finite or one is infinite, all probabilities are equal.
pub fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    if !highest.is_finite() {
        let count = logits.len() as f32;
        logits.fill(1.0 / count);
        return;
    }
    for x in &mut *logits {
        *x = exp(*x - highest);
    }
    let sum: f32 = logits.iter().sum();
    for x in logits {
        *x /= sum;
    }
}

/// Returns eˣ for x from −87 to 0, within 2 units in the last place; smaller numbers and NaN give
/// e⁻⁸⁷.
///
/// With n = x/ln 2, rounded, and r = x − n·ln 2, it is 2ⁿ·eʳ, and eʳ is a polynomial (Moshier's
/// Cephes library).
#[inline]
fn exp(x: f32) -> f32 {
    /// A number so large that adding it rounds to a whole number, found in the lowest bits.
    const ROUND: f32 = 12_582_912.0; // 1.5·2²³
    /// ln 2 in two parts; products of the first one with small whole numbers are exact.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const COEFFICIENTS: [f32; 6] =
        [1.987_569_2e-4, 1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5];
    let x = x.max(-87.0);
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2[0] - n * LN_2[1];
    let polynomial = COEFFICIENTS.iter().fold(0.0, |sum, c| sum * r + c);
    let power = f32::from_bits((shifted.to_bits().wrapping_add(127)) << 23);
    (polynomial * (r * r) + r + 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_right_to_two_units_in_the_last_place() {
        for i in 0..=870_000 {
            let x = -(i as f32) / 1e4;
            let exact = f64::from(x).exp();
            let error = (f64::from(exp(x)) / exact - 1.0).abs();
            assert!(error < 2.4e-7, "exp({x}) is {} instead of {exact}", exp(x));
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!((exp(-1e30), exp(f32::NAN)), (exp(-87.0), exp(-87.0)));
    }

    #[test]
    fn probabilities_sum_to_one_and_odd_logits_give_no_odd_probabilities() {
        let mut logits = [1.0, 2.0, -300.0, 2.0];
        softmax(&mut logits);
        assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((logits[1] / logits[0] - std::f32::consts::E).abs() < 1e-6);
        assert!(logits[2] > 0.0 && logits[1] == logits[3]);
        for odd in [[f32::INFINITY, 0.0], [f32::NAN; 2], [f32::NEG_INFINITY; 2]] {
            let mut odd = odd;
            softmax(&mut odd);
            assert_eq!(odd, [0.5, 0.5]);
        }
        softmax(&mut []);
    }
}
