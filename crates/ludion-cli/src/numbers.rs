//! Whole numbers of the command line, with a sentence on what is allowed; arguments that use it
//! allow negative numbers, so that these get the sentence too.

use std::ops::RangeInclusive;

/// Reads a number within `range`.
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
