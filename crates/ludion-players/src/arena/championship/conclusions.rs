//! The conclusions of a championship in English sentences.

use super::curve::{CurveOptimum, ScoreCurve};
use super::entrants::OpenParameter;
use super::grid::ScoreGrid;
use super::score::HomogeneityTest;

/// The best value of a parameter counts as located if its 95 % interval covers at most this share
/// of the range of the values tried.
const MAX_RESOLVED_SHARE: f64 = 0.8;

impl ScoreCurve {
    /// Returns whether the games locate the best value of the parameter: the values differ
    /// significantly, and the 95 % interval of the best one is clearly narrower than the range
    /// tried.
    #[must_use]
    pub fn optimum_is_resolved(&self) -> bool {
        let place = |value: f64| if self.logarithmic { value.ln() } else { value };
        let range = match self.values.as_slice() {
            [low, .., high] => place(*high) - place(*low),
            _ => return false,
        };
        let narrow =
            |best: &CurveOptimum| place(best.high) - place(best.low) <= MAX_RESOLVED_SHARE * range;
        self.homogeneity.is_resolved() && self.optimum.as_ref().is_some_and(narrow)
    }

    /// Returns a sentence about the best value of the parameter called `name` and how certain it
    /// is.
    #[must_use]
    pub fn in_words(&self, name: &str) -> String {
        let Some(best) = self.optimum.filter(|_| self.homogeneity.is_resolved()) else {
            return nothing(name, self.games, &self.homogeneity);
        };
        let p = p_value(&self.homogeneity);
        let [low, high] = [best.low, best.high].map(number);
        if !self.optimum_is_resolved() {
            return format!(
                "the values of {name} differ ({p}), but which is best is not resolved \
                 (95 %: {low} to {high})"
            );
        }
        let x = number(best.x);
        let [first, last] = [self.values[0], self.values[self.values.len() - 1]];
        if best.x == first || best.x == last {
            let end = if best.x == first { "lower" } else { "upper" };
            return format!(
                "best at the {end} end of the range, {name} = {x} (95 %: {low} to {high}; {p}); \
                 the optimum may lie outside"
            );
        }
        format!("best near {name} = {x} (95 %: {low} to {high}; {p}){}", worse(&best))
    }
}

fn worse(best: &CurveOptimum) -> String {
    let [below, beyond] = [best.worse_below, best.worse_beyond].map(|value| value.map(number));
    match (below, beyond) {
        (Some(below), Some(beyond)) => format!("; below {below} and beyond {beyond} it is worse"),
        (Some(below), None) => format!("; below {below} it is worse"),
        (None, Some(beyond)) => format!("; beyond {beyond} it is worse"),
        (None, None) => String::new(),
    }
}

impl ScoreGrid {
    /// Returns a sentence about the best combination of the parameters `axes`. Rows of the grid are
    /// the values of the first parameter, columns those of the last.
    #[must_use]
    pub fn in_words(&self, axes: &[OpenParameter]) -> String {
        let names: Vec<&str> = axes.iter().map(|axis| axis.name.as_str()).collect();
        let Some(best) = self.best.filter(|_| self.homogeneity.is_resolved()) else {
            return nothing(&names.join(" and "), self.games, &self.homogeneity);
        };
        let places = if axes.len() == 2 { vec![best.0, best.1] } else { vec![best.1] };
        let cell: Vec<String> = axes
            .iter()
            .zip(places)
            .filter_map(|(axis, i)| Some(format!("{} = {}", axis.name, axis.values.get(i)?.text)))
            .collect();
        let score = 100.0 * self.scores[best.0][best.1].value;
        let others = match self.contenders.len().saturating_sub(1) {
            0 => "all others are worse".to_owned(),
            1 => "one other is not worse as far as the games tell".to_owned(),
            others => format!("{others} others are not worse as far as the games tell"),
        };
        let p = p_value(&self.homogeneity);
        format!("{} scored best, {score:.1} % ({p}); {others}", cell.join(", "))
    }
}

fn nothing(name: &str, games: u64, test: &HomogeneityTest) -> String {
    if games == 0 {
        return format!("nothing is known of {name}: no games were played");
    }
    format!(
        "no value of {name} is better than another as far as {} {} tell{} ({})",
        thousands(games),
        if games == 1 { "game" } else { "games" },
        if games == 1 { "s" } else { "" },
        p_value(test)
    )
}

fn p_value(test: &HomogeneityTest) -> String {
    if test.p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {:.*}", if test.p < 0.1 { 3 } else { 2 }, test.p)
    }
}

/// Formats a number with two significant digits; a number of 100 or more is rounded to an integer
/// and keeps all its digits.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let decimals = (1.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
