//! Messages of parsers of JSON and TOML in the words of users: without the types of this program.

/// Names of types in messages of parsers, with what a user may write.
const TYPES: [(&str, &str); 14] = [
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number, 0 or more"),
    ("u128", "a whole number, 0 or more"),
    ("usize", "a whole number, 0 or more"),
    ("i8", "a whole number from -128 to 127"),
    ("i16", "a whole number from -32768 to 32767"),
    ("i32", "a whole number from -2147483648 to 2147483647"),
    ("i64", "a whole number"),
    ("i128", "a whole number"),
    ("isize", "a whole number"),
    ("f32", "a number"),
    ("f64", "a number"),
];

/// Phrases in messages of parsers, with plainer ones.
const PHRASES: [(&str, &str); 11] = [
    (" as i128", ""),
    (" as u128", ""),
    ("unknown variant", "unknown word"),
    ("unit variant", "a word"),
    ("newtype variant", "a word"),
    ("variant identifier", "a word"),
    ("a sequence", "a list"),
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: map", "invalid type: object"),
    ("a map", "an object"),
    ("a borrowed string", "a string"),
];

/// Returns the message of a parser with the names of types after `expected` replaced by words: `u32`
/// becomes `a whole number from 0 to 4294967295`, `struct Cell` becomes `an object`.
#[must_use]
pub fn plain_message(message: &str) -> String {
    let Some((before, expected)) = message.rsplit_once("expected ") else {
        return with_plain_phrases(message);
    };
    let (what, after) = match expected.find([',', ' ']) {
        Some(end) => expected.split_at(end),
        None => (expected, ""),
    };
    let plain = TYPES.iter().find(|(name, _)| *name == what).map(|(_, words)| *words);
    let rest = match (what, plain) {
        (_, Some(words)) => format!("{words}{after}"),
        ("struct" | "enum", None) => {
            let name = after.trim_start();
            let after = name.find([',', ' ']).map_or("", |end| &name[end..]);
            format!("{}{after}", if what == "struct" { "an object" } else { "a word" })
        }
        _ => with_plain_phrases(expected),
    };
    format!("{}expected {rest}", with_plain_phrases(before))
}

fn with_plain_phrases(message: &str) -> String {
    let replace = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
    PHRASES.iter().fold(message.to_owned(), replace)
}

#[cfg(test)]
mod tests {
    use super::plain_message;

    #[test]
    fn names_of_types_become_words() {
        for (message, plain) in [
            (
                "invalid type: string \"a\", expected u32 at line 1 column 5",
                "invalid type: string \"a\", expected a whole number from 0 to 4294967295 at line 1 \
                 column 5",
            ),
            (
                "invalid value: integer `-1`, expected u64",
                "invalid value: integer `-1`, expected a whole number, 0 or more",
            ),
            ("invalid type: map, expected f64", "invalid type: object, expected a number"),
            (
                "invalid type: null, expected struct Cell at line 2",
                "invalid type: null, expected an object at line 2",
            ),
            ("unknown variant `x`, expected `a` or `b`", "unknown word `x`, expected `a` or `b`"),
            ("missing field `y`", "missing field `y`"),
            (
                "invalid type: integer `9` as i128, expected u32",
                "invalid type: integer `9`, expected a whole number from 0 to 4294967295",
            ),
        ] {
            assert_eq!(plain_message(message), plain);
        }
    }
}
