//! Rules for the text of an error: one sentence in lower case without a full stop, without names
//! of the implementation. Tests of several crates check texts by them.

/// Texts that only the implementation uses: types and debug output of Rust.
const INTERNAL: [&str; 17] = [
    "unwrap",
    "Some(",
    "None",
    "Ok(",
    "Err(",
    "struct ",
    "unit variant",
    "unknown variant",
    "panicked",
    "RefCell",
    "Utf8Error",
    "ParseIntError",
    "ParseFloatError",
    "NotationError",
    "ParamError",
    "serde",
    "enum ",
];

/// Names of number types in Rust, which are wrong as whole words; `i8` and `i16` are cells of boards.
const TYPES: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i32", "i64", "i128", "isize", "f32", "f64"];

/// Returns what is wrong with the text of an error, in words; `given` is what the user typed, whose
/// own words the error may repeat.
#[must_use]
pub fn faults(text: &str, given: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.trim().is_empty() {
        return vec!["is empty".to_owned()];
    }
    let first_word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_name = first_word.len() > 1 && first_word.chars().all(char::is_uppercase);
    if first_word.starts_with(char::is_uppercase) && !is_name && !given.contains(first_word) {
        faults.push("begins with a capital letter".to_owned());
    }
    if text.ends_with('.') && !given.trim_end().ends_with('.') && !text.ends_with("..") {
        faults.push("ends with a full stop".to_owned());
    }
    for internal in INTERNAL.iter().filter(|word| text.contains(**word)) {
        if !given.contains(internal) {
            faults.push(format!("has the internal name {internal:?}"));
        }
    }
    // A path of Rust has names on both sides of its colons.
    let is_path = |(left, right): (&str, &str)| {
        left.ends_with(char::is_alphanumeric) && right.starts_with(char::is_alphabetic)
    };
    if text.split_once("::").is_some_and(is_path) && !given.contains("::") {
        faults.push("has a path of the implementation".to_owned());
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    for word in words.filter(|word| TYPES.contains(word)) {
        if !given.contains(word) {
            faults.push(format!("has the internal name {word:?}"));
        }
    }
    faults
}

/// Returns whether `text` repeats `given`, as it is or with escapes, whole or its beginning.
#[must_use]
pub fn names(text: &str, given: &str) -> bool {
    let escaped = format!("{given:?}");
    let escaped = &escaped[1..escaped.len() - 1];
    let start = |whole: &str| whole.chars().take(30).collect::<String>();
    text.contains(given) || text.contains(&start(given)) || text.contains(&start(escaped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_about_the_input_has_no_fault() {
        for text in [
            "matches: n = 0 is not allowed; n is 1 to 200",
            "\"x::y\" at line 1",
            "NATS is not reachable",
            "the field 3 is wrong, such as 1, 2, ...",
        ] {
            assert_eq!(faults(text, "x::y"), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn names_of_the_implementation_capitals_and_full_stops_are_faults() {
        for text in [
            "",
            "The game is over",
            "the game is over.",
            "invalid type: string \"a\", expected u32",
            "expected struct JsonProblem",
            "got Some(3)",
            "ludion::game is wrong",
        ] {
            assert_eq!(faults(text, "a").len(), 1, "{text}");
        }
    }
}
