//! Lines sent to a bot: the commands as types, their text form and its parser.

use std::fmt;
use std::str::FromStr;

use ludion_players::notation::quoted_excerpt;

use super::go::GoParameters;

/// A command to a bot, one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotCommand {
    /// `ugi`: asks the bot to identify itself and reply `ugiok`.
    Ugi,
    /// `isready`: asks the bot to reply `readyok` once all earlier commands are done.
    IsReady,
    /// `setoption name NAME [value VALUE]`: sets an option.
    SetOption {
        /// Name of the option.
        name: String,
        /// Value of the option; `None` for an option of type button.
        value: Option<String>,
    },
    /// `game SPEC`: changes the game to the one with this spec. An extension of UGI.
    Game(String),
    /// `uginewgame`: starts a new game, so that the next position does not follow the last one.
    NewGame,
    /// `position startpos|fen STATE [moves M…]`: sets the position.
    Position {
        /// State before the moves.
        origin: PositionOrigin,
        /// Moves played from that state.
        moves: Vec<String>,
    },
    /// `legal M…`: lists the legal moves of the last position. An extension of UGI.
    Legal(Vec<String>),
    /// `go …`: asks the bot to choose a move within these limits.
    Go(GoParameters),
    /// `stop`: asks the bot to reply `bestmove` now.
    Stop,
    /// `query …`: asks a question about the last position.
    Query(PositionQuery),
    /// `observe MOVE answer FEEDBACK`: gives the feedback to a move in a game with hidden
    /// information. An extension of UGI.
    Observe {
        /// The move or guess.
        play: String,
        /// The feedback, in the notation of the game.
        answer: String,
    },
    /// `quit`: asks the bot to end.
    Quit,
}

/// State from which the moves of a `position` command are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PositionOrigin {
    /// The start state of the game.
    Start,
    /// This state, in the notation of the game.
    State(String),
}

/// Question about a position in a `query` command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionQuery {
    /// Whether the game is over.
    GameOver,
    /// Whether the first side is to move.
    FirstToMove,
    /// What the result of the game is.
    Result,
    /// What the legal moves are. An extension of UGI.
    Legal,
}

impl PositionQuery {
    /// All queries.
    pub const ALL: [PositionQuery; 4] = [
        PositionQuery::GameOver,
        PositionQuery::FirstToMove,
        PositionQuery::Result,
        PositionQuery::Legal,
    ];
}

impl fmt::Display for PositionQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionQuery::GameOver => "gameover",
            PositionQuery::FirstToMove => "p1turn",
            PositionQuery::Result => "result",
            PositionQuery::Legal => "legal",
        })
    }
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotCommand::Ugi => f.write_str("ugi"),
            BotCommand::IsReady => f.write_str("isready"),
            BotCommand::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            BotCommand::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            BotCommand::Game(spec) => write!(f, "game {spec}"),
            BotCommand::NewGame => f.write_str("uginewgame"),
            BotCommand::Position { origin, moves } => {
                match origin {
                    PositionOrigin::Start => f.write_str("position startpos")?,
                    PositionOrigin::State(state) => write!(f, "position fen {state}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            BotCommand::Legal(moves) => write!(f, "legal {}", moves.join(" ")),
            BotCommand::Go(go) => write!(f, "go{go}"),
            BotCommand::Stop => f.write_str("stop"),
            BotCommand::Query(query) => write!(f, "query {query}"),
            BotCommand::Observe { play, answer } => write!(f, "observe {play} answer {answer}"),
            BotCommand::Quit => f.write_str("quit"),
        }
    }
}

/// Reasons why a line cannot be parsed as a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotCommandError {
    /// The first word, given here, is not a command; such a line is ignored.
    #[error(
        "{} is not a command; commands are ugi, isready, setoption, game, uginewgame, position, legal, \
         go, stop, query, observe and quit",
        quoted_excerpt(.0)
    )]
    Unknown(String),
    /// The arguments of a known command are malformed.
    #[error("the form is: {form}, not {}", quoted_excerpt(given))]
    Form {
        /// The correct form.
        form: &'static str,
        /// The line, or its arguments.
        given: String,
    },
}

/// Returns the error of a command of another form.
pub(super) fn malformed(form: &'static str, given: &str) -> BotCommandError {
    BotCommandError::Form { form, given: given.to_owned() }
}

/// Splits `text` into the parts before and after the first occurrence of `word` as a whole word.
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

impl FromStr for BotCommand {
    type Err = BotCommandError;

    fn from_str(line: &str) -> Result<Self, BotCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "ugi" => Ok(BotCommand::Ugi),
            "isready" => Ok(BotCommand::IsReady),
            "setoption" => parse_set_option(rest),
            "game" if rest.is_empty() => Err(malformed("game NAME(VALUES)", line)),
            "game" => Ok(BotCommand::Game(rest.to_owned())),
            "uginewgame" => Ok(BotCommand::NewGame),
            "position" => parse_position(rest),
            "legal" => Ok(BotCommand::Legal(words(rest))),
            "go" => rest.parse().map(BotCommand::Go),
            "stop" => Ok(BotCommand::Stop),
            "query" => parse_query(rest),
            "observe" => parse_observe(rest),
            "quit" => Ok(BotCommand::Quit),
            _ => Err(BotCommandError::Unknown(word.to_owned())),
        }
    }
}

fn parse_set_option(rest: &str) -> Result<BotCommand, BotCommandError> {
    let form = malformed("setoption name NAME [value VALUE]", rest);
    let ("", Some(named)) = split_at_word(rest, "name") else { return Err(form) };
    let (name, value) = split_at_word(named, "value");
    if name.is_empty() {
        return Err(form);
    }
    Ok(BotCommand::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
}

fn parse_position(rest: &str) -> Result<BotCommand, BotCommandError> {
    let form = malformed("position startpos|fen STATE [moves M…]", rest);
    let (from, moves) = split_at_word(rest, "moves");
    let origin = match from.split_once(char::is_whitespace) {
        None if from == "startpos" => PositionOrigin::Start,
        Some(("fen", state)) => PositionOrigin::State(state.trim().to_owned()),
        _ => return Err(form),
    };
    Ok(BotCommand::Position { origin, moves: words(moves.unwrap_or("")) })
}

fn parse_query(rest: &str) -> Result<BotCommand, BotCommandError> {
    let found = PositionQuery::ALL.into_iter().find(|query| query.to_string() == rest);
    found
        .map(BotCommand::Query)
        .ok_or_else(|| malformed("query gameover|p1turn|result|legal", rest))
}

fn parse_observe(rest: &str) -> Result<BotCommand, BotCommandError> {
    let (play, answer) = split_at_word(rest, "answer");
    match answer {
        Some(answer) if !play.is_empty() => {
            Ok(BotCommand::Observe { play: play.to_owned(), answer: answer.to_owned() })
        }
        _ => Err(malformed("observe MOVE answer FEEDBACK", rest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(line: &str) -> Result<BotCommand, BotCommandError> {
        line.parse()
    }

    #[test]
    fn commands_of_ugi_and_of_the_extensions_are_parsed() {
        let moves = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(
            parse("position fen 3 face 2 first moves 4 5 "),
            Ok(BotCommand::Position {
                origin: PositionOrigin::State("3 face 2 first".to_owned()),
                moves: moves(&["4", "5"])
            })
        );
        assert_eq!(
            parse("  position   startpos\r"),
            Ok(BotCommand::Position { origin: PositionOrigin::Start, moves: Vec::new() })
        );
        assert_eq!(parse("query p1turn"), Ok(BotCommand::Query(PositionQuery::FirstToMove)));
        assert_eq!(
            parse("observe AABB answer 1 black, 2 white"),
            Ok(BotCommand::Observe { play: "AABB".into(), answer: "1 black, 2 white".into() })
        );
        assert_eq!(
            parse("setoption name Hash Size value 1 2"),
            Ok(BotCommand::SetOption { name: "Hash Size".into(), value: Some("1 2".into()) })
        );
    }

    #[test]
    fn malformed_and_unknown_commands_have_different_errors() {
        assert_eq!(parse("hello"), Err(BotCommandError::Unknown("hello".to_owned())));
        assert_eq!(parse(""), Err(BotCommandError::Unknown(String::new())));
        for line in
            ["position", "position fen", "game", "query", "query x", "observe a", "setoption x"]
        {
            assert!(matches!(parse(line), Err(BotCommandError::Form { .. })), "{line}");
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

    fn command() -> impl Strategy<Value = BotCommand> {
        let origin =
            prop_oneof![Just(PositionOrigin::Start), text().prop_map(PositionOrigin::State)];
        prop_oneof![
            Just(BotCommand::Ugi),
            Just(BotCommand::IsReady),
            Just(BotCommand::NewGame),
            Just(BotCommand::Stop),
            Just(BotCommand::Quit),
            (text(), proptest::option::of(text()))
                .prop_map(|(name, value)| BotCommand::SetOption { name, value }),
            text().prop_map(BotCommand::Game),
            (origin, moves()).prop_map(|(origin, moves)| BotCommand::Position { origin, moves }),
            moves().prop_map(BotCommand::Legal),
            proptest::sample::select(&PositionQuery::ALL[..]).prop_map(BotCommand::Query),
            (text(), text()).prop_map(|(play, answer)| BotCommand::Observe { play, answer }),
        ]
    }

    proptest! {
        #[test]
        fn the_text_of_a_command_parses_as_the_same_command(command in command()) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }

        #[test]
        fn any_line_is_a_command_or_an_error(line in ".{0,60}") {
            let _ = parse(&line);
        }
    }
}
