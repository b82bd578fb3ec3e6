//! Verdicts: what a measurement says about a published figure or statement.
//!
//! A figure with a sampling error is compared by the interval of the difference: two estimates with
//! the half-widths h₁ and h₂ of their 95 % intervals differ if their distance exceeds
//! √(h₁² + h₂²). A statement that one quantity exceeds another is compared by the interval of their
//! difference. A table is refuted if more of its cells are than 5 % of them by chance.

use serde::{Deserialize, Serialize};

use ludion_mastermind::experiment::Median;
use ludion_players::arena::championship::score::MeanScore;
use ludion_players::arena::elo::GameCounts;

/// What a measurement says about what was published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// The measurement agrees, and it is precise enough to have disagreed.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// The measurement excludes what was published.
    #[serde(rename = "refuted")]
    Refuted,
    /// The intervals are too wide to tell what was published from its opposite.
    #[serde(rename = "inside the noise")]
    InsideNoise,
    /// What was published does not say enough to be compared.
    #[serde(rename = "cannot be known from what was published")]
    Unknowable,
}

impl Verdict {
    /// All verdicts, in the order in which reports count them.
    pub const ALL: [Verdict; 4] =
        [Verdict::Confirmed, Verdict::Refuted, Verdict::InsideNoise, Verdict::Unknowable];

    /// Returns the verdict in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted => "refuted",
            Verdict::InsideNoise => "inside the noise",
            Verdict::Unknowable => "cannot be known from what was published",
        }
    }

    /// Returns the sign that stands for the verdict in the cells of a table.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Verdict::Confirmed => "✓",
            Verdict::Refuted => "✗",
            Verdict::InsideNoise => "≈",
            Verdict::Unknowable => "?",
        }
    }

    /// Returns the verdict on a statement that is decided without a sampling error.
    #[must_use]
    pub fn exact(holds: bool) -> Self {
        if holds { Verdict::Confirmed } else { Verdict::Refuted }
    }

    /// Returns the verdict on the statement that a quantity, given as an estimate, is above 0.
    #[must_use]
    pub fn positive(difference: MeasuredValue) -> Self {
        match difference {
            MeasuredValue { low, .. } if low > 0.0 => Verdict::Confirmed,
            MeasuredValue { high, .. } if high < 0.0 => Verdict::Refuted,
            _ => Verdict::InsideNoise,
        }
    }

    /// Returns the verdict on a published figure, where differences up to `tolerance` do not matter,
    /// and an interval of the difference of more than ± `resolution` says nothing.
    #[must_use]
    pub fn figure(
        published: MeasuredValue,
        ours: MeasuredValue,
        tolerance: f64,
        resolution: f64,
    ) -> Self {
        let distance = (ours.value - published.value).abs();
        let (below, above) = match ours.value >= published.value {
            true => (published.high - published.value, ours.value - ours.low),
            false => (published.value - published.low, ours.high - ours.value),
        };
        let margin = below.hypot(above);
        match () {
            () if distance > margin + tolerance => Verdict::Refuted,
            () if margin > resolution => Verdict::InsideNoise,
            () => Verdict::Confirmed,
        }
    }

    /// Returns the verdict on the statement that the value with index `claimed` is the best of
    /// several: confirmed if it alone is not worse than the best one by more than the interval of
    /// their difference, refuted if it is worse.
    #[must_use]
    pub fn optimum(claimed: usize, values: &[MeasuredValue]) -> Self {
        let best = values.iter().copied().reduce(|a, b| if b.value > a.value { b } else { a });
        let (Some(best), Some(ours)) = (best, values.get(claimed)) else {
            return Verdict::Unknowable;
        };
        let is_worse = |value: &MeasuredValue| {
            let margin = (best.value - best.low).hypot(value.high - value.value);
            best.value - value.value > margin
        };
        match values.iter().filter(|value| !is_worse(value)).count() {
            _ if is_worse(ours) => Verdict::Refuted,
            1 => Verdict::Confirmed,
            _ => Verdict::InsideNoise,
        }
    }

    /// Returns the verdict on several statements that must all hold.
    #[must_use]
    pub fn all(parts: &[Verdict]) -> Self {
        let has = |verdict| parts.contains(&verdict);
        match () {
            () if has(Verdict::Refuted) => Verdict::Refuted,
            () if has(Verdict::InsideNoise) => Verdict::InsideNoise,
            () if has(Verdict::Confirmed) => Verdict::Confirmed,
            () => Verdict::Unknowable,
        }
    }

    /// Returns the verdict on a table of estimates from the verdicts on its cells. One cell in twenty
    /// is refuted by chance, so the table is refuted only if so many are that chance would do it in
    /// fewer than 5 % of such tables.
    #[must_use]
    pub fn table(cells: &[Verdict]) -> Self {
        let judged: Vec<_> = cells.iter().filter(|cell| **cell != Verdict::Unknowable).collect();
        let count = |verdict| judged.iter().filter(|cell| ***cell == verdict).count();
        let (refuted, confirmed) = (count(Verdict::Refuted), count(Verdict::Confirmed));
        match () {
            () if judged.is_empty() => Verdict::Unknowable,
            () if refuted > 0 && chance_of_at_least(refuted, judged.len()) < 0.05 => {
                Verdict::Refuted
            }
            () if 2 * confirmed >= judged.len() => Verdict::Confirmed,
            () => Verdict::InsideNoise,
        }
    }
}

/// Returns the probability that at least `hits` of `cells` are refuted if each is with 5 %.
fn chance_of_at_least(hits: usize, cells: usize) -> f64 {
    let mut term = 0.95_f64.powi(cells as i32);
    let mut below = 0.0;
    for k in 0..hits {
        below += term;
        term *= (cells - k) as f64 / (k + 1) as f64 * (0.05 / 0.95);
    }
    1.0 - below
}

/// A number with its 95 % interval; an exact number has an interval of length 0.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasuredValue {
    /// The number.
    pub value: f64,
    /// The low end of the interval.
    pub low: f64,
    /// The high end of the interval.
    pub high: f64,
}

impl MeasuredValue {
    /// Creates a number without a sampling error.
    #[must_use]
    pub const fn exact(value: f64) -> Self {
        MeasuredValue { value, low: value, high: value }
    }

    /// Computes the share of successes and its interval (Agresti and Coull).
    #[must_use]
    pub fn share(successes: u64, total: u64) -> Self {
        let losses = total.saturating_sub(successes);
        MeasuredValue::score(&GameCounts { wins: successes, losses, draws: 0 })
    }

    /// Computes the mean score of games and its interval; a draw is half a win.
    #[must_use]
    pub fn score(games: &GameCounts) -> Self {
        let MeanScore { value, low, high } = MeanScore::from_counts(games);
        MeasuredValue { value, low, high }
    }

    /// Computes the mean of a sample and its interval by the normal distribution; fewer than two
    /// numbers have an interval without ends.
    #[must_use]
    pub fn mean(sample: &[f64]) -> Self {
        let n = sample.len() as f64;
        let value = sample.iter().sum::<f64>() / n.max(1.0);
        let square: f64 = sample.iter().map(|x| (x - value).powi(2)).sum();
        let margin = match sample.len() {
            0 | 1 => f64::INFINITY,
            _ => Z95 * (square / (n - 1.0) / n).sqrt(),
        };
        MeasuredValue { value, low: value - margin, high: value + margin }
    }

    /// Takes a median with its interval, which has no ends for fewer than six numbers.
    #[must_use]
    pub fn median(median: &Median) -> Self {
        MeasuredValue {
            value: median.median,
            low: median.low.unwrap_or(f64::NEG_INFINITY),
            high: median.high.unwrap_or(f64::INFINITY),
        }
    }

    /// Returns the number minus another one.
    #[must_use]
    pub fn minus(self, other: f64) -> Self {
        MeasuredValue { value: self.value - other, low: self.low - other, high: self.high - other }
    }

    /// Returns the difference to another, independent estimate.
    #[must_use]
    pub fn difference(self, other: MeasuredValue) -> Self {
        let value = self.value - other.value;
        let down = (self.value - self.low).hypot(other.high - other.value);
        let up = (self.high - self.value).hypot(other.value - other.low);
        MeasuredValue { value, low: value - down, high: value + up }
    }

    /// Returns the value and its interval times a factor that is not negative.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let MeasuredValue { value, low, high } = self;
        MeasuredValue { value: factor * value, low: factor * low, high: factor * high }
    }

    /// Returns the value in per cent.
    #[must_use]
    pub fn percent(self) -> Self {
        self.times(100.0)
    }

    /// Formats the number and its interval with this many decimals, as `34.3 (31.4 to 37.3)`.
    #[must_use]
    pub fn text(self, decimals: usize) -> String {
        let MeasuredValue { value, low, high } = self;
        let interval = match () {
            () if low == high => String::new(),
            () if low.is_finite() && high.is_finite() => {
                format!(" ({low:.decimals$} to {high:.decimals$})")
            }
            () => " (too few for an interval)".to_owned(),
        };
        format!("{value:.decimals$}{interval}")
    }
}

/// The quantile of the normal distribution for intervals of 95 %.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    fn share(successes: u64, total: u64) -> MeasuredValue {
        MeasuredValue::share(successes, total)
    }

    #[test]
    fn a_planted_false_figure_is_refuted_and_a_true_one_confirmed() {
        let ours = share(343, 1000);
        assert_eq!(Verdict::figure(share(18, 50), ours, 0.0, 0.2), Verdict::Confirmed);
        assert_eq!(Verdict::figure(share(39, 50), ours, 0.0, 0.2), Verdict::Refuted);
        assert_eq!(Verdict::figure(share(39, 50), share(4, 5), 0.0, 0.2), Verdict::InsideNoise);
        let median = MeasuredValue::exact(9.0);
        assert_eq!(
            Verdict::figure(MeasuredValue::exact(10.0), median, 1.0, 2.0),
            Verdict::Confirmed
        );
        assert_eq!(Verdict::figure(MeasuredValue::exact(12.0), median, 1.0, 2.0), Verdict::Refuted);
    }

    #[test]
    fn a_direction_is_decided_only_if_its_interval_has_one_sign() {
        for (wins, total, expected) in [
            (60, 100, Verdict::Confirmed),
            (40, 100, Verdict::Refuted),
            (55, 100, Verdict::InsideNoise),
            (55, 10_000, Verdict::Refuted),
            (5500, 10_000, Verdict::Confirmed),
        ] {
            assert_eq!(Verdict::positive(share(wins, total).minus(0.5)), expected, "{wins}");
        }
    }

    #[test]
    fn an_optimum_needs_to_stand_out() {
        let scores = |wins: [u64; 4]| wins.map(|wins| share(wins, 100)).to_vec();
        assert_eq!(Verdict::optimum(1, &scores([50, 61, 52, 48])), Verdict::InsideNoise);
        assert_eq!(Verdict::optimum(1, &scores([30, 90, 32, 28])), Verdict::Confirmed);
        assert_eq!(Verdict::optimum(0, &scores([30, 90, 32, 28])), Verdict::Refuted);
        assert_eq!(Verdict::optimum(4, &scores([30, 90, 32, 28])), Verdict::Unknowable);
    }

    #[test]
    fn a_table_may_have_a_wrong_cell_in_twenty_but_not_many() {
        let table = |refuted: usize, confirmed: usize| {
            let mut cells = vec![Verdict::Refuted; refuted];
            cells.resize(refuted + confirmed, Verdict::Confirmed);
            Verdict::table(&cells)
        };
        assert_eq!(table(0, 49), Verdict::Confirmed);
        assert_eq!(table(3, 46), Verdict::Confirmed);
        assert_eq!(table(8, 41), Verdict::Refuted);
        assert_eq!(table(2, 0), Verdict::Refuted);
        assert_eq!(Verdict::table(&[Verdict::Unknowable; 3]), Verdict::Unknowable);
        assert_eq!(Verdict::table(&[Verdict::InsideNoise; 3]), Verdict::InsideNoise);
        // 0.05 + … : the chance of one or more of twenty is 64 %, of four or more 1.6 %.
        assert!((chance_of_at_least(1, 20) - 0.6415).abs() < 1e-4);
        assert!((chance_of_at_least(4, 20) - 0.0159).abs() < 1e-4);
    }

    #[test]
    fn all_parts_of_a_statement_must_hold() {
        use Verdict::{Confirmed, InsideNoise, Refuted, Unknowable};
        assert_eq!(Verdict::all(&[Confirmed, Unknowable]), Confirmed);
        assert_eq!(Verdict::all(&[Confirmed, InsideNoise]), InsideNoise);
        assert_eq!(Verdict::all(&[Confirmed, InsideNoise, Refuted]), Refuted);
        assert_eq!(Verdict::all(&[]), Unknowable);
    }

    #[test]
    fn differences_and_means_have_the_known_intervals() {
        let mean = MeasuredValue::mean(&[1.0, 2.0, 3.0]);
        assert!((mean.high - 2.0 - Z95 / 3f64.sqrt()).abs() < 1e-12);
        let a = MeasuredValue { value: 5.0, low: 2.0, high: 8.0 };
        let b = MeasuredValue { value: 1.0, low: -3.0, high: 5.0 };
        assert_eq!(a.difference(b), MeasuredValue { value: 4.0, low: -1.0, high: 9.0 });
        assert_eq!(a.text(1), "5.0 (2.0 to 8.0)");
        assert_eq!(MeasuredValue::exact(3.0).text(0), "3");
        assert_eq!(MeasuredValue::mean(&[1.0]).text(0), "1 (too few for an interval)");
    }
}
