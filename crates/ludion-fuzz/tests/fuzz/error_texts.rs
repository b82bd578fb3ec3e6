//! The text of an error names what was given and what is allowed, in the words of users. Random bad
//! values go to every parameter of every game, player and riddle; and the text of every error type
//! in the sources is read.

use std::fs;
use std::path::{Path, PathBuf};

use ludion::param::{Args, Param, ParamError, ParamKind};
use ludion::random::Rng;
use ludion::registry;
use ludion::spec::{Spec, SpecValue};
use ludion_fuzz::error_text::{faults, names};

/// Number of random values for each parameter.
const VALUES: usize = 60;

/// Returns random text that is a value of no parameter: it has a letter that starts no number or
/// word of a parameter, and random characters after it.
fn rubbish(rng: &mut Rng) -> String {
    const LETTERS: &[char] = &[
        'q', 'Z', '0', '9', '-', '.', 'é', '_', '%', '(', ')', '"', '\\', ' ', '\n', '\u{1b}', ':',
    ];
    let length = [1, 4, 12, 200][rng.below(4)];
    let tail = (0..rng.below(length)).map(|_| LETTERS[rng.below(LETTERS.len())]);
    std::iter::once('q').chain(tail).collect()
}

/// Returns a value that the parameter does not allow; `None` if it allows any text.
fn bad_value(param: &Param, rng: &mut Rng) -> Option<String> {
    let edge = |min: f64, max: f64, low: bool| if low { min - 1.0 } else { max + 1.0 };
    match &param.kind {
        ParamKind::Text { .. } => None,
        ParamKind::Int { min, max, .. } if rng.below(2) == 0 => {
            let low = rng.below(2) == 0;
            let beyond = if low { min.checked_sub(1) } else { max.checked_add(1) };
            Some(beyond.map_or_else(|| rubbish(rng), |number| number.to_string()))
        }
        ParamKind::Real { min, max, .. } if rng.below(2) == 0 && max.is_finite() => {
            let number = edge(*min, *max, rng.below(2) == 0);
            // A step of one is lost in the rounding of a large number.
            let is_beyond = number < *min || number > *max;
            Some(if is_beyond { number.to_string() } else { rubbish(rng) })
        }
        _ => Some(rubbish(rng)),
    }
}

/// Checks the text of a refused value of a parameter.
fn check_refusal(owner: &str, param: &Param, value: &str, error: &ParamError) {
    let text = error.to_string();
    let case = format!("{owner}({}={value:?}): {text}", param.name);
    assert_eq!(faults(&text, value), Vec::<String>::new(), "{case}");
    assert!(text.contains(owner) && text.contains(&*param.name), "{case}");
    assert!(names(&text, value), "it does not name what was given: {case}");
    assert!(text.contains(&param.allowed()), "it does not say what is allowed: {case}");
    assert!(!text.contains(['\n', '\u{1b}']), "it has control characters: {case}");
    assert!(text.chars().count() < 300 + param.allowed().chars().count(), "it is long: {case}");
}

fn check_params(owner: &str, params: &[Param], rng: &mut Rng, count: &mut usize) {
    let read = |values: Vec<SpecValue>| {
        let spec = Spec { name: owner.to_owned(), values };
        Args::new(owner.to_owned(), params.to_vec(), &spec)
    };
    let value = |name: &str, text: &str| SpecValue {
        name: Some(name.to_owned()),
        text: text.to_owned(),
        quoted: true,
    };
    for param in params {
        for _ in 0..VALUES {
            let Some(bad) = bad_value(param, rng) else { continue };
            let error = read(vec![value(&param.name, &bad)]).expect_err(&bad);
            check_refusal(owner, param, &bad, &error);
            *count += 1;
        }
        let default = param.default_text();
        let twice = vec![value(&param.name, &default), value(&param.name, &default)];
        if let Err(error) = read(twice) {
            let text = error.to_string();
            assert!(text.contains(&*param.name), "{text}");
            assert_eq!(faults(&text, &default), Vec::<String>::new(), "{text}");
        }
    }
    for _ in 0..VALUES {
        let name = rubbish(rng);
        let text = read(vec![value(&name, "1")]).expect_err(&name).to_string();
        assert!(names(&text, &name), "it does not name what was given: {text}");
        assert_eq!(faults(&text, &name), Vec::<String>::new(), "{text}");
        let lists_all = params.iter().all(|param| text.contains(&*param.name));
        assert!(lists_all && text.contains("it has"), "it does not say what is allowed: {text}");
        *count += 1;
    }
}

#[test]
fn a_bad_value_of_any_parameter_is_refused_by_name_with_what_is_allowed() {
    let (registry, mut rng, mut count) = (registry::standard(), Rng::new(20), 0);
    for game in registry.games() {
        check_params(&game.name, &game.params, &mut rng, &mut count);
    }
    for player in registry.players() {
        check_params(&player.name, &player.params, &mut rng, &mut count);
    }
    for riddle in registry.riddles() {
        check_params(&riddle.name, &riddle.params, &mut rng, &mut count);
    }
    assert!(count > 3000, "only {count} values were tried");
}

#[test]
fn an_unknown_name_is_refused_with_all_names() {
    let (registry, mut rng) = (registry::standard(), Rng::new(21));
    let tictactoe = registry.game("tictactoe").unwrap();
    for _ in 0..200 {
        let name: String = rubbish(&mut rng).chars().filter(|c| c.is_alphanumeric()).collect();
        let refusals = [
            (registry.game(&name).err(), "there are matches, "),
            (registry.riddle(&name).err(), "there are mastermind"),
            (tictactoe.player(&name).err(), "there are "),
        ];
        for (error, allowed) in refusals {
            let text = error.expect("an unknown name").to_string();
            assert!(names(&text, &name) && text.contains(allowed), "{text}");
            assert_eq!(faults(&text, &name), Vec::<String>::new(), "{text}");
        }
    }
}

/// Words by which an error says what is allowed, what is needed, or what to do.
const GUIDANCE: [&str; 53] = [
    "allowed",
    "must",
    "need",
    "there are",
    "there is",
    "it has",
    "the form is",
    "expected",
    "written",
    "at most",
    "at least",
    " to {",
    "such as",
    "write ",
    "use ",
    "try again",
    "can be",
    "legal",
    "name ",
    "should",
    "reads version",
    "knows version",
    "begins with",
    "may help",
    "does not begin",
    "not for",
    "not of",
    "not from",
    "not on",
    "stop that",
    "resumed",
    "see:",
    "read-only",
    "plays duels",
    "takes",
    "within",
    "too many",
    "too few",
    "puzzle",
    "only",
    "start it with",
    "is for",
    "more room",
    "comes first",
    "allow",
    "given once",
    "says how",
    "names a file",
    "above",
    "has one or two",
    "go into one list",
    "compares two",
    "games are",
];

/// Errors about a state of the world, to which nothing that is typed would be an alternative; or
/// whose text another error completes. Each with the reason.
const WITHOUT_GUIDANCE: &[(&str, &str)] = &[
    ("the game is over", "no move exists"),
    ("has no effect", "the sentence goes on with what gives it an effect"),
    ("the training was stopped", "the user stopped it"),
    ("cannot be started: {0}", "the system says why"),
    ("a player has changed since", "what has changed follows"),
    ("damaged", "a file changed by accident"),
    ("checksum", "a file changed by accident"),
    ("moves of game {0} are missing", "a file changed by accident"),
    ("there are moves after the last game", "a file changed by accident"),
    ("is not over after its last move", "a file changed by accident"),
    ("the stored game is invalid", "a file changed by accident"),
    ("invalid data", "a file changed by accident"),
    ("metadata of the model are invalid", "a file changed by accident"),
    ("inconsistent", "a file changed by accident"),
    ("not found by the search", "the outcome of a search"),
    ("cannot be written", "the reason follows"),
    ("could not be written", "the reason follows"),
    ("cannot be opened", "the reason follows"),
    ("cannot be used", "the reason follows"),
    ("could not be started", "the reason follows"),
    ("cannot {action}", "the reason follows"),
    ("no NATS server answers", "the reason follows"),
    ("denies access", "the reason follows"),
    ("the store failed", "the reason follows"),
    ("the server failed", "a bug of the server"),
    ("the bot", "what a bot did"),
    ("the disk is full", "the state of the disk"),
    ("wants its token", "says where the token is"),
    ("the token is not", "says what is wrong"),
    ("already", "the name is taken"),
    ("{law}", "a bug of a game"),
    ("so its complete games cannot be counted", "a property of the game"),
    ("no code fits", "the answers contradict each other"),
    ("no strategy finds", "the outcome of a search"),
    ("does not distinguish", "a file changed by accident"),
    ("the training settings say", "a file changed by accident"),
    ("previous layer has", "a file changed by accident"),
    ("its shape needs", "a file changed by accident"),
    ("would exceed", "says the quota"),
    ("has no game", "says how many there are"),
    ("has bits beyond", "a bug of the caller"),
    ("is listed twice", "each cell is listed once"),
    ("{error}", "another error follows"),
    ("{reason}", "another error follows"),
    ("complete safetensors file", "says what a model is"),
    ("training diverged", "says what may help"),
];

/// Returns all Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the texts of all attributes `#[error("…")]` of a source file, without their escapes.
fn error_attributes(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for part in source.split("#[error(").skip(1) {
        let Some(quoted) = part.trim_start().strip_prefix('"') else { continue };
        let mut text = String::new();
        let mut characters = quoted.chars();
        while let Some(c) = characters.next().filter(|c| *c != '"') {
            match c {
                '\\' => match characters.next() {
                    // A line that is continued: its indentation is no part of the text.
                    Some('\n') => {
                        let rest = characters.as_str().trim_start();
                        characters = rest.chars();
                    }
                    Some(other) => text.push(other),
                    None => break,
                },
                c => text.push(c),
            }
        }
        texts.push(text);
    }
    texts
}

#[test]
fn the_text_of_every_error_type_is_a_sentence_with_what_is_allowed() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let (mut files, mut wrong, mut count) = (Vec::new(), Vec::new(), 0);
    for entry in fs::read_dir(&crates).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    for file in files {
        for text in error_attributes(&fs::read_to_string(&file).unwrap()) {
            count += 1;
            let mut problems = faults(&text, "");
            let is_other_error = text == "{0}"
                || text == "{}"
                || text.starts_with("{field}")
                || text.starts_with("{name}: {");
            let is_guided = GUIDANCE.iter().any(|word| text.contains(word))
                || WITHOUT_GUIDANCE.iter().any(|(part, _)| text.contains(part));
            if !is_other_error && !is_guided && !text.contains("{problem}") {
                problems.push("does not say what is allowed".to_owned());
            }
            if !problems.is_empty() {
                let file = file.strip_prefix(&crates).unwrap().display().to_string();
                wrong.push(format!("{file}: {text:?} {}", problems.join(", ")));
            }
        }
    }
    assert!(count > 150, "only {count} texts were found");
    assert_eq!(wrong, Vec::<String>::new());
}
