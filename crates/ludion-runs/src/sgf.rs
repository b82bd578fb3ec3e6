//! Games in the formats that their players use: SGF, the Smart Game Format (A. Hollosi, FF[4], 1999),
//! for Go, Gomoku and Hex, and GGF, the format of the Generic Game Server, for Othello. Both are
//! properties with values in brackets: `(;GM[1]SZ[9]KM[7.5];B[ee];W[cc])`.
//!
//! Of a tree of variations the main line is read. Positions that are set up are refused.

use std::collections::HashMap;

use ludion_players::erased::AnyGame;
use ludion_players::param::Spec;
use ludion_players::scene::SceneLayout;
use ludion_store::{StoredGame, StoredRun};

use crate::RunError;
use crate::records::{RecordText, result_word};

/// A game that has such files.
struct FileGame {
    /// Its name in the registry.
    name: &'static str,
    /// The value of the property `GM`.
    code: &'static str,
    points: PointNotation,
}

/// How a move names a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PointNotation {
    /// Two letters: the column from the left, the row from the top.
    Letters {
        /// The letters of columns in the notation of the game.
        columns: &'static str,
    },
    /// As in the notation of the game.
    Names,
}

const GAMES: [FileGame; 4] = [
    FileGame {
        name: "go",
        code: "1",
        points: PointNotation::Letters { columns: "ABCDEFGHJKLMNOPQRST" },
    },
    FileGame {
        name: "gomoku",
        code: "4",
        points: PointNotation::Letters { columns: "abcdefghijklmnopqrstuvwxyz" },
    },
    FileGame { name: "hex", code: "11", points: PointNotation::Names },
    FileGame { name: "othello", code: "Othello", points: PointNotation::Names },
];

/// The names that files have for a pass and a swap, with ours.
const WORDS: [(&str, &str); 5] =
    [("", "pass"), ("tt", "pass"), ("pa", "pass"), ("swap-pieces", "swap"), ("swap-sides", "swap")];

/// Properties of a game, in the order of the file, with the line of each.
type Properties = Vec<(usize, String, String)>;

/// Returns whether a text is in one of these formats rather than a record.
pub(crate) fn is_sgf(text: &str) -> bool {
    text.trim_start().starts_with('(')
}

/// Splits a file into games.
///
/// # Errors
/// When the file has another form, or a game of it is not one of these; the message has the line.
pub(crate) fn split(text: &str) -> Result<Vec<RecordText>, RunError> {
    let mut games: Vec<RecordText> = parse(text)?.iter().map(record).collect::<Result<_, _>>()?;
    // Files do not say whether a swap was allowed; where one was, it was in all games.
    if games.iter().any(|game| game.moves.iter().any(|(m, _)| m == "swap")) {
        for spec in games.iter_mut().filter_map(|game| game.tags.get_mut("Game")) {
            *spec = spec.replace(')', ", swap)");
        }
    }
    Ok(games)
}

/// Parses the main lines of all games.
fn parse(text: &str) -> Result<Vec<Properties>, RunError> {
    let wrong = |line: usize, what: &str| RunError::Wrong(format!("line {line}: {what}"));
    let (mut games, mut depth, mut is_over) = (Vec::<Properties>::new(), 0, false);
    let (mut name, mut line, mut chars) = (String::new(), 1, text.chars());
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '(' if depth == 0 => {
                games.push(Vec::new());
                (depth, is_over) = (1, false);
            }
            '(' => depth += 1,
            ')' if depth > 0 => (depth, is_over) = (depth - 1, true),
            '[' if depth > 0 => {
                let (begin, mut value) = (line, String::new());
                loop {
                    match chars.next().ok_or_else(|| wrong(begin, "a bracket is not closed"))? {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        c => {
                            line += usize::from(c == '\n');
                            value.push(c);
                        }
                    }
                }
                if !is_over {
                    let game = games.last_mut().expect("a game was begun");
                    game.push((begin, name.clone(), value));
                }
                // A name in front of several values belongs to all of them.
                let is_next = chars.as_str().trim_start().starts_with('[');
                if !is_next {
                    name.clear();
                }
            }
            c if c.is_ascii_uppercase() && depth > 0 => name.push(c),
            c if c.is_ascii_lowercase() || c == ';' || c.is_whitespace() => {}
            _ => return Err(wrong(line, "this is neither a record nor SGF")),
        }
    }
    if depth > 0 {
        return Err(wrong(line, "a parenthesis is not closed"));
    }
    Ok(games)
}

/// Translates a game into the words of a record.
fn record(properties: &Properties) -> Result<RecordText, RunError> {
    let line = properties.first().map_or(1, |property| property.0);
    let wrong = |line, what: String| RunError::Wrong(format!("the game at line {line}: {what}"));
    let find = |name: &str| properties.iter().find(|(_, found, _)| found == name);
    let value = |name: &str| find(name).map(|(.., value)| value.trim());
    if let Some((line, name, _)) = ["AB", "AW", "HA"].iter().find_map(|name| find(name)) {
        return Err(wrong(*line, format!("stones that are set up ({name}) are not read")));
    }
    let code = value("GM").unwrap_or("1");
    let game = GAMES.iter().find(|game| game.code.eq_ignore_ascii_case(code));
    let game =
        game.ok_or_else(|| wrong(line, format!("games of the kind GM[{code}] are not read")))?;
    let (spec, rows) = spec(game, value);
    let mut moves: Vec<(String, Option<String>)> = Vec::new();
    for (line, name, text) in properties.iter().filter(|(_, name, _)| name == "B" || name == "W") {
        if (name == "B") != moves.len().is_multiple_of(2) {
            return Err(wrong(*line, format!("it is not the turn of {name}")));
        }
        // GGF has an evaluation and a time behind the move.
        let point = text.split('/').next().unwrap_or_default().trim();
        moves.push((game.read_move(point, rows), None));
    }
    let result = value("RE").map_or("*", |result| match result.as_bytes() {
        [b'B' | b'+', ..] => "1-0",
        [b'W' | b'-', ..] => "0-1",
        [b'0' | b'D', ..] => "1/2-1/2",
        _ => "*",
    });
    let tags = [
        ("Game", spec.as_str()),
        ("First", value("PB").unwrap_or("Black")),
        ("Second", value("PW").unwrap_or("White")),
        ("Result", result),
    ];
    let tags = HashMap::from(tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
    Ok(RecordText { line, tags, moves, is_complete: true })
}

/// Returns the spec of the game of a file, and the number of rows of its board.
fn spec<'a>(game: &FileGame, value: impl Fn(&str) -> Option<&'a str>) -> (String, usize) {
    let default = if game.name == "gomoku" { "15" } else { "19" };
    match game.name {
        // `TY` is the size, perhaps with letters behind it.
        "othello" => {
            let size: String =
                value("TY").unwrap_or("8").chars().take_while(char::is_ascii_digit).collect();
            (format!("othello({size})"), 0)
        }
        name => {
            let size = value("SZ").unwrap_or(if name == "hex" { "11" } else { default });
            let (cols, rows) = size.split_once(':').unwrap_or((size, size));
            let spec = match name {
                "go" => format!("go({size}, komi={})", value("KM").unwrap_or("0")),
                "gomoku" => format!("gomoku({cols}, {rows})"),
                _ => format!("hex({size})"),
            };
            (spec, rows.parse().unwrap_or(0))
        }
    }
}

impl FileGame {
    /// Returns a move of a file in the notation of the game; as it is if it is none.
    fn read_move(&self, text: &str, rows: usize) -> String {
        let lower = text.to_ascii_lowercase();
        if let Some((_, word)) = WORDS.iter().find(|(name, _)| *name == lower) {
            return (*word).to_owned();
        }
        if let (PointNotation::Letters { columns }, [x, y]) = (self.points, text.as_bytes()) {
            let [x, y] = [x, y].map(|letter| usize::from(letter.wrapping_sub(b'a')));
            if let (Some(column), Some(row)) = (columns.chars().nth(x), rows.checked_sub(y)) {
                return format!("{column}{row}");
            }
        }
        text.to_owned()
    }

    /// Returns a move in the notation of the game as it stands in a file.
    fn write_move(&self, text: &str, rows: usize) -> String {
        match (text, self.points) {
            ("pass", PointNotation::Letters { .. }) => String::new(),
            ("pass", PointNotation::Names) => "PA".to_owned(),
            ("swap", _) => "swap-pieces".to_owned(),
            (_, PointNotation::Names) => text.to_owned(),
            (_, PointNotation::Letters { columns }) => {
                let column = text.chars().next().and_then(|c| columns.find(c));
                let row = text.get(1..).and_then(|row| row.parse::<usize>().ok());
                let letter = |place: usize| char::from(b'a' + place as u8);
                match (column, row.and_then(|row| rows.checked_sub(row))) {
                    (Some(x), Some(y)) => format!("{}{}", letter(x), letter(y)),
                    _ => text.to_owned(),
                }
            }
        }
    }
}

/// Writes one game of a run.
///
/// # Errors
/// When its game has no such files, or the game does not begin at the start.
pub fn text(game: &dyn AnyGame, run: &StoredRun, stored: &StoredGame) -> Result<String, RunError> {
    let spec = Spec::parse(game.full_spec()).map_err(|error| RunError::Wrong(error.to_string()))?;
    let file_game = GAMES.iter().find(|file| file.name == spec.name).ok_or_else(|| {
        let names = GAMES.map(|game| game.name).join(", ");
        RunError::Wrong(format!("there is no SGF of {}; there is of {names}", spec.name))
    })?;
    let record = stored.result.record.as_deref();
    if record.is_some_and(|record| record.start.is_some()) {
        return Err(RunError::Wrong("SGF is written of games from the start only".to_owned()));
    }
    let (cols, rows) = match game.start().scene().layout {
        SceneLayout::Grid { cols, rows } | SceneLayout::Rhombus { cols, rows } => (cols, rows),
        _ => (0, 0),
    };
    let size = if cols == rows { rows.to_string() } else { format!("{cols}:{rows}") };
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let [first, second] = stored.result.seats.map(|i| escape(run.plan.player_name(i as usize)));
    let komi = spec.values.iter().find(|value| value.name.as_deref() == Some("komi"));
    let komi = komi.map_or_else(String::new, |komi| format!("KM[{}]", komi.text));
    let is_othello = file_game.name == "othello";
    let result = match (result_word(stored.result.end.duel()), is_othello) {
        ("1-0", false) => "B+",
        ("0-1", false) => "W+",
        ("1-0", true) => "+1",
        ("0-1", true) => "-1",
        _ => "0",
    };
    let kind = file_game.code;
    let head = match is_othello {
        true => format!("(;GM[{kind}]PC[Ludion]PB[{first}]PW[{second}]TY[{size}]RE[{result}]"),
        false => format!(
            "(;FF[4]GM[{kind}]AP[Ludion]SZ[{size}]{komi}PB[{first}]PW[{second}]RE[{result}]"
        ),
    };
    let opening = record.iter().flat_map(|record| &record.opening);
    let plies = record.iter().flat_map(|record| record.plies.iter().map(|ply| &ply.play));
    let moves = opening.chain(plies).enumerate().map(|(i, m)| {
        let mark = if is_othello { "" } else { ";" };
        format!("{mark}{}[{}]", ["B", "W"][i % 2], file_game.write_move(m, rows.into()))
    });
    Ok(format!("{head}{}{})\n", moves.collect::<String>(), if is_othello { ";" } else { "" }))
}
