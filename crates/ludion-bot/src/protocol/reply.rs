//! Lines sent by a bot: the replies as types, their text form and its parser.

use std::fmt;

use serde::Serialize;

/// A reply of a bot, one line. Its numbers are claims of the bot and are not checked.
#[derive(Clone, PartialEq, Debug)]
pub enum BotReply {
    /// `id name NAME`: the name of the bot.
    Name(String),
    /// `id author AUTHOR`: the author of the bot.
    Author(String),
    /// `option name NAME type …`: an option that the bot has.
    Option(BotOption),
    /// `feature …`: a protocol extension that the bot supports. The line itself is an extension of
    /// UGI.
    Feature(BotFeature),
    /// `ugiok`: ends the identification of the bot.
    UgiOk,
    /// `readyok`: the reply to `isready`.
    ReadyOk,
    /// `info …`: figures of the search so far.
    Info(SearchInfo),
    /// `bestmove M`: the chosen move.
    BestMove(String),
    /// `response …`: the reply to a query.
    Response(String),
    /// `error …`: the reason why the bot cannot execute a command. An extension of UGI.
    Error(String),
}

/// An option of a bot. Only the range of options of type `spin` (integers) is parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotOption {
    /// Name of the option.
    pub name: String,
    /// Smallest and largest value of an option of type `spin`; `None` for other types.
    pub range: Option<(u64, u64)>,
}

/// Extension of the protocol that a bot supports.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BotFeature {
    /// `feature game [NAME…]`: the bot supports the command `game` and plays these games, or all
    /// games if none is named.
    Game(Vec<String>),
    /// `feature legal`: the bot wants the legal moves with every position.
    Legal,
    /// `feature simulations`: the bot supports `go simulations N`.
    Simulations,
    /// `feature query`: the bot answers every query, including `query legal`.
    Query,
    /// `feature observe`: the bot supports the command `observe`.
    Observe,
}

/// A bot's evaluation of a position from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum BotScore {
    /// Expected result from −1 to +1 in a duel, or points in a puzzle. An extension of UGI.
    Value(f64),
    /// Hundredths of a pawn, the unit of chess programs.
    Centipawns(i64),
    /// Number of moves to a win, or, if negative, to a loss.
    Mate(i64),
}

impl BotScore {
    /// Converts the score to a value from −1 to +1, or to points in a puzzle. Centipawns are
    /// converted with the Elo curve: `2 / (1 + 10^(−cp/400)) − 1`.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            BotScore::Value(value) => value,
            BotScore::Centipawns(cp) => 2.0 / (1.0 + 10_f64.powf(-cp as f64 / 400.0)) - 1.0,
            BotScore::Mate(moves) => {
                if moves > 0 {
                    1.0
                } else {
                    -1.0
                }
            }
        }
    }
}

/// Arguments of an `info` line, each `None` or empty if the line does not have it. Unknown
/// arguments are skipped.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SearchInfo {
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Number of states visited.
    pub nodes: Option<u64>,
    /// Number of simulations run. An extension of UGI.
    pub simulations: Option<u64>,
    /// Time spent, in milliseconds.
    pub time: Option<u64>,
    /// Evaluation of the position.
    pub score: Option<BotScore>,
    /// Principal variation, which takes the rest of the line.
    pub pv: Vec<String>,
    /// Number of the variation, from 1, if the bot reports several.
    pub multipv: Option<u32>,
    /// Free text, which takes the rest of the line.
    pub string: Option<String>,
}

impl BotReply {
    /// Parses a line; returns `None` if it is not part of the protocol and is to be ignored.
    #[must_use]
    pub fn parse(line: &str) -> Option<BotReply> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "id" => match rest.split_once(char::is_whitespace)? {
                ("name", name) => Some(BotReply::Name(name.trim().to_owned())),
                ("author", author) => Some(BotReply::Author(author.trim().to_owned())),
                _ => None,
            },
            "option" => parse_option(rest).map(BotReply::Option),
            "feature" => parse_feature(rest).map(BotReply::Feature),
            "ugiok" => Some(BotReply::UgiOk),
            "readyok" => Some(BotReply::ReadyOk),
            "info" => Some(BotReply::Info(parse_info(rest))),
            "bestmove" => {
                Some(BotReply::BestMove(rest.split_whitespace().next().unwrap_or("").to_owned()))
            }
            "response" => Some(BotReply::Response(rest.to_owned())),
            "error" => Some(BotReply::Error(rest.to_owned())),
            _ => None,
        }
    }
}

fn parse_option(rest: &str) -> Option<BotOption> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let type_at = words.iter().position(|&word| word == "type")?;
    if words.first() != Some(&"name") || type_at < 2 {
        return None;
    }
    let number_after = |name: &str| {
        let at = words.iter().skip(type_at).position(|&word| word == name)?;
        words.get(type_at + at + 1)?.parse::<u64>().ok()
    };
    let is_spin = words.get(type_at + 1) == Some(&"spin");
    let range = number_after("min").zip(number_after("max"));
    let range = range.filter(|&(min, max)| is_spin && min <= max);
    Some(BotOption { name: words[1..type_at].join(" "), range })
}

fn parse_feature(rest: &str) -> Option<BotFeature> {
    let mut words = rest.split_whitespace();
    match words.next()? {
        "game" => Some(BotFeature::Game(words.map(str::to_owned).collect())),
        "legal" => Some(BotFeature::Legal),
        "simulations" => Some(BotFeature::Simulations),
        "query" => Some(BotFeature::Query),
        "observe" => Some(BotFeature::Observe),
        _ => None,
    }
}

fn parse_info(rest: &str) -> SearchInfo {
    let mut info = SearchInfo::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
        match word {
            "depth" => info.depth = number().and_then(|depth| u32::try_from(depth).ok()),
            "nodes" => info.nodes = number(),
            "simulations" => info.simulations = number(),
            "time" => info.time = number(),
            "multipv" => info.multipv = number().and_then(|line| u32::try_from(line).ok()),
            "score" => info.score = parse_score(words.next(), words.next()),
            "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
            "string" => info.string = Some(words.by_ref().collect::<Vec<_>>().join(" ")),
            _ => {}
        }
    }
    info
}

fn parse_score(kind: Option<&str>, number: Option<&str>) -> Option<BotScore> {
    match (kind?, number?) {
        ("value", value) => value.parse().ok().map(BotScore::Value),
        ("cp", cp) => cp.parse().ok().map(BotScore::Centipawns),
        ("mate", moves) => moves.parse().ok().map(BotScore::Mate),
        _ => None,
    }
}

impl fmt::Display for BotReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotReply::Name(name) => write!(f, "id name {name}"),
            BotReply::Author(author) => write!(f, "id author {author}"),
            BotReply::Option(BotOption { name, range: Some((min, max)) }) => {
                write!(f, "option name {name} type spin default {min} min {min} max {max}")
            }
            BotReply::Option(BotOption { name, range: None }) => {
                write!(f, "option name {name} type string")
            }
            BotReply::Feature(feature) => write!(f, "feature {feature}"),
            BotReply::UgiOk => f.write_str("ugiok"),
            BotReply::ReadyOk => f.write_str("readyok"),
            BotReply::Info(info) => write!(f, "info{info}"),
            BotReply::BestMove(play) => write!(f, "bestmove {play}"),
            BotReply::Response(text) => write!(f, "response {text}"),
            BotReply::Error(message) => write!(f, "error {message}"),
        }
    }
}

impl fmt::Display for BotFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotFeature::Game(names) if names.is_empty() => f.write_str("game"),
            BotFeature::Game(names) => write!(f, "game {}", names.join(" ")),
            BotFeature::Legal => f.write_str("legal"),
            BotFeature::Simulations => f.write_str("simulations"),
            BotFeature::Query => f.write_str("query"),
            BotFeature::Observe => f.write_str("observe"),
        }
    }
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("simulations", self.simulations),
            ("time", self.time),
            ("multipv", self.multipv.map(u64::from)),
        ];
        for (word, number) in numbers {
            if let Some(number) = number {
                write!(f, " {word} {number}")?;
            }
        }
        match self.score {
            Some(BotScore::Value(value)) => write!(f, " score value {value}")?,
            Some(BotScore::Centipawns(cp)) => write!(f, " score cp {cp}")?,
            Some(BotScore::Mate(moves)) => write!(f, " score mate {moves}")?,
            None => {}
        }
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        match &self.string {
            Some(string) => write!(f, " string {string}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word() -> impl Strategy<Value = String> {
        "[a-z0-9/.,:()=-]{1,8}".prop_filter("not a word of the protocol", |word| word != "type")
    }

    fn text() -> impl Strategy<Value = String> {
        proptest::collection::vec(word(), 1..4).prop_map(|words| words.join(" "))
    }

    fn info_line() -> impl Strategy<Value = SearchInfo> {
        let score = prop_oneof![
            (-1.0..1.0).prop_map(BotScore::Value),
            any::<i64>().prop_map(BotScore::Centipawns),
            any::<i64>().prop_map(BotScore::Mate),
        ];
        let number = || proptest::option::of(any::<u64>());
        let small = || proptest::option::of(any::<u32>());
        let numbers = (small(), number(), number(), number(), small());
        let pv = proptest::collection::vec(word(), 0..4);
        (numbers, proptest::option::of(score), pv, proptest::option::of(text())).prop_map(
            |((depth, nodes, simulations, time, multipv), score, pv, string)| {
                // Both the variation and the free text take the rest of the line.
                let string = string.filter(|_| pv.is_empty());
                SearchInfo { depth, nodes, simulations, time, score, pv, multipv, string }
            },
        )
    }

    fn reply() -> impl Strategy<Value = BotReply> {
        let feature = prop_oneof![
            proptest::collection::vec(word(), 0..3).prop_map(BotFeature::Game),
            Just(BotFeature::Legal),
            Just(BotFeature::Simulations),
            Just(BotFeature::Query),
            Just(BotFeature::Observe),
        ];
        let range = proptest::option::of((0..10_u64, 10..=u64::MAX));
        prop_oneof![
            text().prop_map(BotReply::Name),
            text().prop_map(BotReply::Author),
            (text(), range).prop_map(|(name, range)| BotReply::Option(BotOption { name, range })),
            feature.prop_map(BotReply::Feature),
            Just(BotReply::UgiOk),
            Just(BotReply::ReadyOk),
            info_line().prop_map(BotReply::Info),
            word().prop_map(BotReply::BestMove),
            text().prop_map(BotReply::Response),
            text().prop_map(BotReply::Error),
        ]
    }

    proptest! {
        #[test]
        fn the_text_of_a_reply_parses_as_the_same_reply(reply in reply()) {
            prop_assert_eq!(BotReply::parse(&reply.to_string()), Some(reply));
        }

        #[test]
        fn any_line_is_a_reply_or_ignored(line in ".{0,60}") {
            let _ = BotReply::parse(&line);
        }
    }

    #[test]
    fn the_known_arguments_of_uci_lines_are_parsed() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp 400 upperbound nps 5 pv 4 4 3";
        let Some(BotReply::Info(info)) = BotReply::parse(line) else { panic!("an info line") };
        assert_eq!((info.depth, info.pv.len()), (Some(12), 3));
        assert!((info.score.unwrap().value() - 9.0 / 11.0).abs() < 1e-12);
        assert_eq!(
            BotReply::parse("bestmove 4 ponder 3"),
            Some(BotReply::BestMove("4".to_owned()))
        );
        assert_eq!(BotReply::parse("bestmove"), Some(BotReply::BestMove(String::new())));
        assert_eq!(BotReply::parse("hello there"), None);
        assert_eq!(BotScore::Mate(-3).value(), -1.0);
    }
}
