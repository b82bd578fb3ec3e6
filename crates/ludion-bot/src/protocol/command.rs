//! What is said to a bot.

use std::fmt;
use std::str::FromStr;

use super::go::Go;

/// A line to a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `ugi`: say who you are, then `ugiok`.
    Ugi,
    /// `isready`: say `readyok` once everything before is done.
    IsReady,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The option.
        name: String,
        /// Its value; none for a button.
        value: Option<String>,
    },
    /// `game SPEC`: which game is played from now on. An extension.
    Game(String),
    /// `uginewgame`: the next position is of another game than the last.
    NewGame,
    /// `position startpos|fen STATE [moves M…]`.
    Position {
        /// Where the moves begin.
        origin: Origin,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `legal M…`: the legal moves of the position just given. An extension.
    Legal(Vec<String>),
    /// `go …`: choose a move.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `query …`: a question about the position.
    Query(Query),
    /// `observe MOVE answer WHAT`: what became of a move where something is hidden. An
    /// extension.
    Observe {
        /// The move, or the guess.
        play: String,
        /// What was seen of it.
        answer: String,
    },
    /// `quit`: end.
    Quit,
}

/// Where the moves of a position begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The state in which every game begins.
    Start,
    /// A state in the notation of its game.
    State(String),
}

/// What can be asked about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Whether the game is over.
    GameOver,
    /// Whether it is the turn of the first side.
    FirstToMove,
    /// How the game ended.
    Result,
    /// The legal moves. An extension.
    Legal,
}

impl Query {
    /// Every query.
    pub const ALL: [Query; 4] = [Query::GameOver, Query::FirstToMove, Query::Result, Query::Legal];
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Query::GameOver => "gameover",
            Query::FirstToMove => "p1turn",
            Query::Result => "result",
            Query::Legal => "legal",
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ugi => f.write_str("ugi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            Command::Game(spec) => write!(f, "game {spec}"),
            Command::NewGame => f.write_str("uginewgame"),
            Command::Position { origin, moves } => {
                match origin {
                    Origin::Start => f.write_str("position startpos")?,
                    Origin::State(state) => write!(f, "position fen {state}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Legal(moves) => write!(f, "legal {}", moves.join(" ")),
            Command::Go(go) => write!(f, "go{go}"),
            Command::Stop => f.write_str("stop"),
            Command::Query(query) => write!(f, "query {query}"),
            Command::Observe { play, answer } => write!(f, "observe {play} answer {answer}"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

/// Why a line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    /// A command nobody knows; to be ignored.
    #[error("{0:?} is no command")]
    Unknown(String),
    /// A known command in a wrong form.
    #[error("the form is: {0}")]
    Form(&'static str),
}

/// Splits `text` at the first word that is `word`, as UCI reads its lines.
fn split_at_word<'a>(text: &'a str, word: &str) -> (&'a str, Option<&'a str>) {
    let mut at = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        if part.trim_end() == word {
            return (text[..at].trim(), Some(text[at + part.len()..].trim()));
        }
        at += part.len();
    }
    (text.trim(), None)
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Self, CommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "ugi" => Ok(Command::Ugi),
            "isready" => Ok(Command::IsReady),
            "setoption" => set_option(rest),
            "game" if rest.is_empty() => Err(CommandError::Form("game NAME(VALUES)")),
            "game" => Ok(Command::Game(rest.to_owned())),
            "uginewgame" => Ok(Command::NewGame),
            "position" => position(rest),
            "legal" => Ok(Command::Legal(words(rest))),
            "go" => rest.parse().map(Command::Go),
            "stop" => Ok(Command::Stop),
            "query" => query(rest),
            "observe" => observe(rest),
            "quit" => Ok(Command::Quit),
            _ => Err(CommandError::Unknown(word.to_owned())),
        }
    }
}

fn set_option(rest: &str) -> Result<Command, CommandError> {
    let form = CommandError::Form("setoption name NAME [value VALUE]");
    let ("", Some(named)) = split_at_word(rest, "name") else { return Err(form) };
    let (name, value) = split_at_word(named, "value");
    if name.is_empty() {
        return Err(form);
    }
    Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let form = CommandError::Form("position startpos|fen STATE [moves M…]");
    let (from, moves) = split_at_word(rest, "moves");
    let origin = match from.split_once(char::is_whitespace) {
        None if from == "startpos" => Origin::Start,
        Some(("fen", state)) => Origin::State(state.trim().to_owned()),
        _ => return Err(form),
    };
    Ok(Command::Position { origin, moves: words(moves.unwrap_or("")) })
}

fn query(rest: &str) -> Result<Command, CommandError> {
    let known = Query::ALL.into_iter().find(|query| query.to_string() == rest);
    known.map(Command::Query).ok_or(CommandError::Form("query gameover|p1turn|result|legal"))
}

fn observe(rest: &str) -> Result<Command, CommandError> {
    let (play, answer) = split_at_word(rest, "answer");
    match answer {
        Some(answer) if !play.is_empty() => {
            Ok(Command::Observe { play: play.to_owned(), answer: answer.to_owned() })
        }
        _ => Err(CommandError::Form("observe MOVE answer WHAT")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Result<Command, CommandError> {
        line.parse()
    }

    #[test]
    fn lines_of_plain_ugi_and_of_the_extensions_are_read() {
        let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(
            read("position fen 3 face 2 first moves 4 5 "),
            Ok(Command::Position {
                origin: Origin::State("3 face 2 first".to_owned()),
                moves: moves(&["4", "5"])
            })
        );
        assert_eq!(
            read("  position   startpos\r"),
            Ok(Command::Position { origin: Origin::Start, moves: Vec::new() })
        );
        assert_eq!(read("query p1turn"), Ok(Command::Query(Query::FirstToMove)));
        assert_eq!(
            read("observe AABB answer 1 black, 2 white"),
            Ok(Command::Observe { play: "AABB".into(), answer: "1 black, 2 white".into() })
        );
        assert_eq!(
            read("setoption name Hash Size value 1 2"),
            Ok(Command::SetOption { name: "Hash Size".into(), value: Some("1 2".into()) })
        );
    }

    #[test]
    fn wrong_forms_are_named_and_unknown_words_told_apart() {
        assert_eq!(read("hello"), Err(CommandError::Unknown("hello".to_owned())));
        assert_eq!(read(""), Err(CommandError::Unknown(String::new())));
        for line in
            ["position", "position fen", "game", "query", "query x", "observe a", "setoption x"]
        {
            assert!(matches!(read(line), Err(CommandError::Form(_))), "{line}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        "[a-z0-9/.,:()=-]{1,8}".prop_filter("not a word of the protocol", |word| {
            !["moves", "value", "name", "answer"].contains(&word.as_str())
        })
    }

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(word(), 1..4).prop_map(|words| words.join(" "))
    }

    fn moves() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec(word(), 0..5)
    }

    fn command() -> impl Strategy<Value = Command> {
        let origin = prop_oneof![Just(Origin::Start), text().prop_map(Origin::State)];
        prop_oneof![
            Just(Command::Ugi),
            Just(Command::IsReady),
            Just(Command::NewGame),
            Just(Command::Stop),
            Just(Command::Quit),
            (text(), proptest::option::of(text()))
                .prop_map(|(name, value)| Command::SetOption { name, value }),
            text().prop_map(Command::Game),
            (origin, moves()).prop_map(|(origin, moves)| Command::Position { origin, moves }),
            moves().prop_map(Command::Legal),
            proptest::sample::select(&Query::ALL[..]).prop_map(Command::Query),
            (text(), text()).prop_map(|(play, answer)| Command::Observe { play, answer }),
        ]
    }

    proptest! {
        #[test]
        fn a_shown_command_is_read_back(command in command()) {
            prop_assert_eq!(read(&command.to_string()), Ok(command));
        }

        #[test]
        fn any_line_is_a_command_or_an_error(line in ".{0,60}") {
            let _ = read(&line);
        }
    }
}
