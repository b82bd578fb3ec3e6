//! Scores of Hub, which count men, as values from −1 to 1 and back.

/// The lead in men whose value is halfway to a win.
const HALF_WAY: f64 = 2.0;
/// The largest score that is written.
const MAX_SCORE: f64 = 99.0;

/// Converts a lead in men to a value.
pub(super) fn value_of(men: f64) -> f64 {
    if men.is_finite() { men / (men.abs() + HALF_WAY) } else { 0.0 }
}

/// Converts a value to a lead in men.
pub(super) fn men_of(value: f64) -> f64 {
    let room = 1.0 - value.abs();
    if room <= HALF_WAY / (MAX_SCORE + HALF_WAY) {
        MAX_SCORE * value.signum()
    } else {
        HALF_WAY * value / room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_values_convert_back() {
        for men in [-99.0, -3.5, 0.0, 0.25, 1.0, 40.0] {
            assert!((men_of(value_of(men)) - men).abs() < 1e-6, "{men}");
        }
        assert!(men_of(1.0) == 99.0 && men_of(-1.0) == -99.0);
        assert!(value_of(1.0) > 0.3 && value_of(f64::NAN) == 0.0);
    }
}
