//! Compares an output with the golden output of 0.1.0.
//!
//! Every key of the golden output must exist and have the same value. New keys are allowed. The
//! exceptions, each in a constant or function below:
//!
//! - measured times are compared by type;
//! - sentences for people, and values that depend on the version, must exist;
//! - lists that grow with the program, such as the list of games, may have new entries;
//! - numbers with a fraction may differ by one part in a million, because the mathematical
//!   functions of systems differ;
//! - the rule set `seed` of checkers may be called `simple`.
//!
//! Outputs whose values differ in every run have golden files named `*.shape.*`. Of these only keys
//! and types are compared.

use std::collections::BTreeMap;

use serde_json::Value;

/// Keys of measured times and rates.
const MEASURED: &[&str] = &[
    "seconds",
    "time",
    "took",
    "mean_seconds",
    "slowest_guess",
    "seconds_a_guess",
    "games_per_second",
    "nodes_per_second",
];

/// Keys of sentences and pictures for people.
const PROSE: &[&str] = &[
    "help",
    "error",
    "sentence",
    "complaint",
    "conclusion",
    "note",
    "doubt",
    "caption",
    "charts",
    "title",
    "summary",
    "description",
];

/// Keys of lists that may have new entries. Lists of objects with a `name` or `file` always may.
const GROWING_LISTS: &[&str] = &["players", "examples", "options", "required", "enum"];

/// Whether a value depends on the version of the program. The results that a store caches for
/// tunings are valid for one version only, so another version computes them again.
fn is_free(path: &str, key: &str, golden: &Value) -> bool {
    match key {
        "version" | "computed" => true,
        // The number of codes that a strategy of Mastermind can list grows with its speed.
        "most_codes" => true,
        // Matches and tournaments had no picture.
        "picture" => golden.is_null(),
        // A learning without `--out` wrote no file.
        "out" => golden.is_null() && path.starts_with("learn.json.settings"),
        "known" => golden.is_number() || path.starts_with("resume-25.json"),
        "run" => path.starts_with("resume-25.json.c"),
        // Games of another version are another source in an archive, with a header of its own.
        "bytes" | "bytes_per_game" | "sources" => {
            path.starts_with("generate-more.json") || path.starts_with("data-info.json")
        }
        _ => false,
    }
}

/// Keys that live events omit before the first result.
const OPTIONAL_KEYS: &[&str] = &["figures", "generation", "generations"];

/// Live events that are not sent when the work finishes at once.
const OPTIONAL_EVENTS: &[&str] = &["waiting", "standing"];

/// What is compared.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// Keys, types and values.
    Values,
    /// Keys and types.
    Shape,
}

/// The differences between a golden file and an output. The name of the file decides how they are
/// compared.
pub(crate) fn differences(name: &str, golden: &str, now: &str) -> Vec<String> {
    let mode = if name.contains(".shape.") { Mode::Shape } else { Mode::Values };
    let mut found = Vec::new();
    match name.rsplit('.').next() {
        Some("json") => match (json(golden), json(now)) {
            (Ok(golden), Ok(now)) => {
                let (golden, now) = (inlined(&golden, &golden), inlined(&now, &now));
                compare(name, "", &golden, &now, mode, &mut found);
            }
            _ => found.push(format!("{name}: no JSON: {now}")),
        },
        Some("sse") => compare_events(name, &events(golden), &events(now), mode, &mut found),
        // The content of a picture is for people.
        Some("svg") if now.starts_with("<svg ") => {}
        _ => found.extend(first_other_line(name, golden, now)),
    }
    found
}

fn json(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text)
}

fn first_other_line(name: &str, golden: &str, now: &str) -> Option<String> {
    if golden == now {
        return None;
    }
    let same = golden.lines().zip(now.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("the end").to_owned();
    Some(format!("{name}, line {}: {} was {}", same + 1, line(now), line(golden)))
}

/// Compares two values at `path`; `key` is the last part of the path, empty for list entries.
pub(crate) fn compare(
    path: &str,
    key: &str,
    golden: &Value,
    now: &Value,
    mode: Mode,
    found: &mut Vec<String>,
) {
    if is_free(path, key, golden) {
        return;
    }
    let mode = if MEASURED.contains(&key) { Mode::Shape } else { mode };
    let mut differ = |why: &str| found.push(format!("{path}: {why}: {now} was {golden}"));
    match (golden, now) {
        (Value::Object(golden), Value::Object(now)) => {
            for (key, golden) in golden {
                let path = format!("{path}.{key}");
                // A request may require fewer fields than before.
                if key == "required" && path.contains("requestBody") {
                    continue;
                }
                match now.get(key) {
                    Some(now) => compare(&path, key, golden, now, mode, found),
                    None if mode == Mode::Shape && OPTIONAL_KEYS.contains(&&key[..]) => {}
                    None => found.push(format!("{path} is missing")),
                }
            }
        }
        (Value::Array(golden), Value::Array(now)) if mode == Mode::Shape => {
            if let (Some(golden), Some(now)) = (golden.first(), now.first()) {
                compare(&format!("{path}[0]"), "", golden, now, mode, found);
            }
        }
        (Value::Array(golden), Value::Array(now)) => {
            compare_lists(path, key, golden, now, found);
        }
        // An optional value may be null in one of the outputs.
        (Value::Null, _) | (_, Value::Null) if mode == Mode::Shape => {}
        _ if kind(golden) != kind(now) => differ("another type"),
        _ if mode == Mode::Shape => {}
        (Value::String(_), _) if PROSE.contains(&key) => {}
        (Value::String(golden), Value::String(now)) if same_text(golden, now) => {}
        (Value::Number(_), Value::Number(_)) if same_number(golden, now) => {}
        _ if golden == now => {}
        _ => differ("another value"),
    }
}

fn compare_lists(path: &str, key: &str, golden: &[Value], now: &[Value], found: &mut Vec<String>) {
    let each = |i: usize, golden: &Value, now: &Value, found: &mut Vec<String>| {
        // The entries of a list of sentences are sentences.
        let key = if PROSE.contains(&key) { key } else { "" };
        compare(&format!("{path}[{i}]"), key, golden, now, Mode::Values, found);
    };
    if let Some(names) = golden.iter().map(name).collect::<Option<Vec<_>>>()
        && !names.is_empty()
    {
        for (i, (wanted, golden)) in names.into_iter().zip(golden).enumerate() {
            match now.iter().find(|now| name(now) == Some(wanted)) {
                Some(now) => each(i, golden, now, found),
                None => found.push(format!("{path}: {wanted} is missing")),
            }
        }
        return;
    }
    if GROWING_LISTS.contains(&key) {
        let mut rest = now.iter();
        for golden in golden {
            let is_same = |now: &Value| match (golden.as_str(), now.as_str()) {
                (Some(golden), Some(now)) => same_text(golden, now),
                _ => golden == now,
            };
            if !rest.any(is_same) {
                found.push(format!("{path}: {golden} is missing or in another place"));
            }
        }
        return;
    }
    if golden.len() != now.len() {
        found.push(format!("{path}: {} entries, there were {}", now.len(), golden.len()));
        return;
    }
    for (i, (golden, now)) in golden.iter().zip(now).enumerate() {
        each(i, golden, now, found);
    }
}

fn name(value: &Value) -> Option<&str> {
    value.get("name").or(value.get("file"))?.as_str()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether two texts are the same. Times such as 2026-01-31T12:00:00Z may differ. This is the only
/// place that knows the new name of a rule set: `seed` became an alias of `simple`.
fn same_text(golden: &str, now: &str) -> bool {
    let is_time = |text: &str| text.len() == 20 && text.ends_with('Z') && text.contains('T');
    golden == now || (golden, now) == ("seed", "simple") || (is_time(golden) && is_time(now))
}

fn same_number(golden: &Value, now: &Value) -> bool {
    match (golden.as_f64(), now.as_f64()) {
        (Some(a), Some(b)) if golden.is_f64() || now.is_f64() => {
            (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3)
        }
        _ => golden == now,
    }
}

/// An OpenAPI document with every reference replaced by its target and without the list of schemas:
/// the names of schemas are names of types, which may change. Other documents stay as they are.
fn inlined(document: &Value, value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let place = fields.get("$ref").and_then(Value::as_str);
            if let Some(target) = place.and_then(|place| document.pointer(&place[1..])) {
                return inlined(document, target);
            }
            // A request that was allowed is the first alternative to those that came later.
            if let Some(first) = fields.get("anyOf").and_then(|all| all.get(0)) {
                return inlined(document, first);
            }
            let has_schemas = document.get("openapi").is_some() && fields.contains_key("schemas");
            let fields = fields.iter().filter(|(key, _)| !(has_schemas && *key == "schemas"));
            fields.map(|(key, value)| (key.clone(), inlined(document, value))).collect()
        }
        Value::Array(values) => values.iter().map(|value| inlined(document, value)).collect(),
        other => other.clone(),
    }
}

/// Parses server-sent events into names and data.
fn events(text: &str) -> Vec<(String, Value)> {
    let field = |event: &str, name: &str| {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.map(|line| line.trim().to_owned())
    };
    let event = |event: &str| {
        let data = json(&field(event, "data:")?).ok()?;
        Some((field(event, "event:")?, data))
    };
    text.split("\n\n").filter_map(event).collect()
}

/// Compares the last event in the given mode and the other events by keys and types. How many of
/// the others are sent depends on the speed of the work and of the reader.
fn compare_events(
    name: &str,
    golden: &[(String, Value)],
    now: &[(String, Value)],
    mode: Mode,
    found: &mut Vec<String>,
) {
    let by_name = |events: &[(String, Value)]| -> BTreeMap<String, Value> {
        events.iter().cloned().collect()
    };
    let last = golden.last().map(|(event, _)| event.clone()).unwrap_or_default();
    let all = by_name(now);
    for (event, golden) in by_name(golden) {
        let path = format!("{name}: {event}");
        let mode = if event == last { mode } else { Mode::Shape };
        match all.get(&event) {
            Some(now) => compare(&path, "", &golden, now, mode, found),
            None if OPTIONAL_EVENTS.contains(&&event[..]) => {}
            None => found.push(format!("{path} is missing")),
        }
    }
    if now.last().map(|(event, _)| event) != Some(&last) {
        found.push(format!("{name}: {last} is not the last event"));
    }
}
