//! Parses integers of the command line, with errors that say what is allowed. Arguments that use
//! this parser set `allow_negative_numbers`, so that negative numbers get the same error.

use std::ops::RangeInclusive;

/// Returns a parser for integers within `range`.
pub(crate) fn within(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| match (range.start(), range.end()) {
            (least, &u64::MAX) => format!("a whole number from {least} on is allowed"),
            (least, most) => format!("a whole number from {least} to {most} is allowed"),
        })
    }
}
