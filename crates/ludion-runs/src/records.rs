//! Games as records in a format like PGN: tags, then numbered moves with the player's value, time and
//! nodes in braces. A record is exact: a run that is written and read again has the same games.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use ludion_players::arena::game::GameEnd;
use ludion_players::arena::pair::{GameRecord, GameResult, GameSettings, MoveRecord, SpentEffort};
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind};
use ludion_players::game::{Side, Status};
use ludion_players::outcome::{AnyOutcome, Duel};
use ludion_players::player::Budget;
use ludion_players::registry::{AnyGame, Registry};
use ludion_store::{RunId, RunState, Store, StoredGame, StoredRun};

use crate::result_check::ResultCheck;
use crate::{GamePair, RunError, sgf};

/// How a record is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordStyle {
    /// For people: values and times are rounded.
    Readable,
    /// For programs: values and times are exact, and the first game has the plan of the run.
    Exact,
}

/// Longest line in characters, unless one word is longer.
const MAX_WIDTH: usize = 80;

const TOO_LONG: &str = "too many plies";
const ON_TIME: &str = "time forfeit";
const FORFEIT: &str = "forfeit: ";
const ADJUDICATION: &str = "adjudication: ";
/// The reason of a game of another program that its rules have not ended.
const ENDS_EARLY: &str = "the record ends before the game";

/// Writes one game of a run.
#[must_use]
pub fn text(run: &StoredRun, game: &StoredGame, style: RecordStyle) -> String {
    let is_exact = style == RecordStyle::Exact;
    let [first, second] = game.result.seats.map(|player| run.plan.player_name(player as usize));
    let result = result_word(game.result.end.duel());
    let none = GameRecord::default();
    let record = game.result.record.as_deref().unwrap_or(&none);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        text += &format!("[{name} \"{value}\"]\n");
    };
    tag("Event", &format!("{} {}", run.plan.kind.name(), run.id));
    tag("Date", &run.began);
    tag("Round", &format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1));
    tag("Game", &run.plan.game);
    tag("First", first);
    tag("Second", second);
    tag("Result", result);
    if let Some(start) = &record.start {
        tag("Start", start);
    }
    if is_exact {
        tag("Opening", &record.opening.len().to_string());
    }
    match &game.result.end {
        GameEnd::Rules(_) => {}
        GameEnd::Forfeit { reason, .. } => tag("Termination", &format!("{FORFEIT}{reason}")),
        GameEnd::Endless => tag("Termination", TOO_LONG),
        GameEnd::Time { .. } => tag("Termination", ON_TIME),
        GameEnd::Adjudicated { reason, .. } => {
            tag("Termination", &format!("{ADJUDICATION}{reason}"));
        }
    }
    if is_exact && game.number == 0 {
        tag("Plan", &serde_json::to_string(&run.plan).unwrap_or_default());
    }
    text += "\n";
    let mut words: Vec<String> =
        record.opening.iter().enumerate().map(|(i, m)| format!("{}. {m}", i + 1)).collect();
    for (i, ply) in record.plies.iter().enumerate() {
        words.push(format!("{}. {}", record.opening.len() + i + 1, move_words(ply, style)));
    }
    words.push(result.to_owned());
    text + &wrap(&words) + "\n\n"
}

pub(crate) fn result_word(duel: Duel) -> &'static str {
    match duel {
        Duel::Won(Side::First) => "1-0",
        Duel::Won(Side::Second) => "0-1",
        Duel::Drawn => "1/2-1/2",
    }
}

/// Writes a move with its comment.
fn move_words(ply: &MoveRecord, style: RecordStyle) -> String {
    let MoveRecord { play, value, nodes, time, .. } = ply;
    match style {
        RecordStyle::Readable => {
            let value = value.map_or_else(String::new, |value| format!("{value:+.3} "));
            format!("{play} {{{value}{:.3}s {nodes}n}}", time.as_secs_f64())
        }
        RecordStyle::Exact => {
            let value = value.map_or_else(String::new, |value| format!("{value:+} "));
            format!("{play} {{{value}{}.{:09}s {nodes}n}}", time.as_secs(), time.subsec_nanos())
        }
    }
}

fn wrap(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > MAX_WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

/// A game as it stands in a file: tags and words, not yet checked by the rules.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordText {
    /// Number of the line where it begins, from 1.
    pub line: usize,
    /// The tags by name.
    pub tags: HashMap<String, String>,
    /// The moves, each with its comment if it has one.
    pub moves: Vec<(String, Option<String>)>,
    /// Whether the result after the moves has been read.
    pub(crate) is_complete: bool,
}

/// Splits a file of records, or of games in SGF or GGF, into games.
///
/// # Errors
/// When a tag, a bracket or a comment is not closed; the message has the line.
pub fn split(text: &str) -> Result<Vec<RecordText>, RunError> {
    if sgf::is_sgf(text) {
        return sgf::split(text);
    }
    let mut games: Vec<RecordText> = Vec::new();
    let mut comment: Option<(usize, String)> = None;
    for (i, line) in text.lines().enumerate() {
        let mut rest = line.trim();
        if comment.is_none() && rest.starts_with('[') && rest.ends_with(']') {
            if games.last().is_none_or(|game| game.is_complete || !game.moves.is_empty()) {
                games.push(RecordText { line: i + 1, ..RecordText::default() });
            }
            let (name, value) = parse_tag(rest)
                .ok_or_else(|| RunError::Wrong(format!("line {}: the tag is not closed", i + 1)))?;
            games.last_mut().expect("a game was begun").tags.insert(name, value);
            continue;
        }
        while !rest.is_empty() {
            if let Some((_, comment_text)) = &mut comment {
                let (inside, after) =
                    rest.split_once('}').map_or((rest, None), |(a, b)| (a, Some(b)));
                *comment_text += inside;
                comment_text.push(' ');
                let Some(after) = after else { break };
                let (_, words) = comment.take().expect("a comment was begun");
                let last = games.last_mut().and_then(|game| game.moves.last_mut());
                if let Some((_, comment)) = last {
                    *comment = Some(words.trim().to_owned());
                }
                rest = after.trim_start();
            } else if let Some(after) = rest.strip_prefix('{') {
                (comment, rest) = (Some((i + 1, String::new())), after);
            } else {
                let end = rest.find([' ', '\t', '{']).unwrap_or(rest.len()).max(1);
                let (word, after) = rest.split_at(end);
                add_word(&mut games, word, i + 1);
                rest = after.trim_start();
            }
        }
    }
    match comment {
        Some((line, _)) => Err(RunError::Wrong(format!("line {line}: the comment is not closed"))),
        None => Ok(games),
    }
}

/// Reads `[Name "value"]`.
fn parse_tag(text: &str) -> Option<(String, String)> {
    let (name, rest) = text.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_suffix(']')?.trim_end();
    let quoted = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let (mut value, mut chars) = (String::new(), quoted.chars());
    while let Some(c) = chars.next() {
        value.push(if c == '\\' { chars.next()? } else { c });
    }
    Some((name.to_owned(), value))
}

/// Adds a word of the moves to the last game: a move, or the result.
fn add_word(games: &mut Vec<RecordText>, word: &str, line: usize) {
    let number = word.trim_end_matches('.');
    if number.len() < word.len() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return;
    }
    if games.last().is_none_or(|game| game.is_complete) {
        games.push(RecordText { line, ..RecordText::default() });
    }
    let game = games.last_mut().expect("a game was begun");
    match word {
        "1-0" | "0-1" | "1/2-1/2" | "*" => game.is_complete = true,
        _ => game.moves.push((word.to_owned(), None)),
    }
}

/// Reads the value, time and nodes of a comment such as `+0.125 0.012s 1000n`; other words are ignored.
fn parse_comment(comment: &str) -> (Option<f64>, Duration, u64) {
    let (mut value, mut time, mut nodes) = (None, Duration::ZERO, 0);
    for word in comment.split_whitespace() {
        if let Some(seconds) = word.strip_suffix('s') {
            time = parse_seconds(seconds).unwrap_or(time);
        } else if let Some(count) = word.strip_suffix('n') {
            nodes = count.parse().unwrap_or(nodes);
        } else if let Ok(number) = word.parse::<f64>() {
            value = value.or(Some(number).filter(|number| number.is_finite()));
        }
    }
    (value, time, nodes)
}

/// Reads seconds with up to nine digits after the point, exactly.
fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let nanos: u32 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    Some(Duration::new(whole.parse().ok()?, nanos))
}

/// The games of a file, with the plan of the run to which they belong.
pub struct ReadRecords {
    /// The plan; that of the file, or one made from the players and their games.
    pub plan: GamesPlan,
    /// The complete pairs with their numbers in the schedule.
    pub pairs: Vec<(u64, GamePair)>,
    /// Number of games without a partner with seats swapped, which are left out.
    pub left_out: usize,
}

/// Reads a file of records, and plays every game by its rules.
///
/// # Errors
/// When the file has no games, or a game is wrong; the message has its line.
pub fn read(registry: &Registry, text: &str) -> Result<ReadRecords, RunError> {
    let texts = split(text)?;
    let Some(first) = texts.first() else {
        return Err(RunError::Wrong("it has no games".to_owned()));
    };
    let spec = first.tags.get("Game").ok_or_else(|| at(first, "it has no tag Game"))?.clone();
    let game = registry.game(&spec)?;
    let plan = first.tags.get("Plan").map(|plan| serde_json::from_str::<GamesPlan>(plan));
    let plan = plan.transpose().map_err(|_| at(first, "its plan cannot be read"))?;
    match plan {
        Some(plan) => read_planned(&*game, &spec, plan, &texts),
        None => read_foreign(&*game, &spec, &texts),
    }
}

fn at(text: &RecordText, what: impl std::fmt::Display) -> RunError {
    RunError::Wrong(format!("the game at line {}: {what}", text.line))
}

/// Reads the games of a run that this program wrote.
fn read_planned(
    game: &dyn AnyGame,
    spec: &str,
    plan: GamesPlan,
    texts: &[RecordText],
) -> Result<ReadRecords, RunError> {
    let mut games: BTreeMap<u64, GameResult> = BTreeMap::new();
    for text in texts {
        let round = text.tags.get("Round").and_then(|round| round.split_once('.'));
        let number = round.and_then(|(pair, game)| {
            let (pair, game): (u64, u64) = (pair.parse().ok()?, game.parse().ok()?);
            let is_one = pair >= 1 && pair <= plan.schedule.total() && (1..=2).contains(&game);
            is_one.then(|| 2 * (pair - 1) + game - 1)
        });
        let number = number.ok_or_else(|| at(text, "its round is not one of the plan"))?;
        let [a, b] = plan.schedule.pair(number / 2).players;
        let seats = if number.is_multiple_of(2) { [a, b] } else { [b, a] };
        let names = ["First", "Second"].map(|tag| text.tags.get(tag).map(String::as_str));
        if names != seats.map(|player| Some(plan.player_name(player as usize))) {
            return Err(at(text, "its players are not those of its round in the plan"));
        }
        let result = read_game(game, spec, text, seats)?;
        if matches!(&result.end, GameEnd::Adjudicated { reason, .. } if reason == ENDS_EARLY) {
            return Err(at(text, "it ends before its result is known"));
        }
        games.insert(number, result);
    }
    let numbers = games.keys().filter(|number| number.is_multiple_of(2)).map(|number| number / 2);
    let pairs: Vec<(u64, GamePair)> = numbers
        .filter_map(|number| {
            let pair = [games.get(&(2 * number))?, games.get(&(2 * number + 1))?];
            Some((number, pair.map(GameResult::clone)))
        })
        .collect();
    let left_out = games.len() - 2 * pairs.len();
    Ok(ReadRecords { plan, pairs, left_out })
}

/// Reads games of other programs: those of two players are paired by their seats.
fn read_foreign(
    game: &dyn AnyGame,
    spec: &str,
    texts: &[RecordText],
) -> Result<ReadRecords, RunError> {
    let mut players: Vec<String> = Vec::new();
    let mut meetings: Vec<([u32; 2], [Vec<GameResult>; 2])> = Vec::new();
    for text in texts {
        let mut seats = [0; 2];
        for (seat, name) in seats.iter_mut().zip(["First", "Second"]) {
            let player = text.tags.get(name);
            let player = player.ok_or_else(|| at(text, format_args!("it has no tag {name}")))?;
            *seat =
                players.iter().position(|known| known == player).unwrap_or(players.len()) as u32;
            if *seat as usize == players.len() {
                players.push(player.clone());
            }
        }
        if seats[0] == seats[1] {
            return Err(at(text, "both players have the same name"));
        }
        let mut result = read_game(game, spec, text, seats)?;
        // The limit of another program is not known.
        if result.end == GameEnd::Endless {
            result.end = GameEnd::Adjudicated { duel: Duel::Drawn, reason: TOO_LONG.to_owned() };
        }
        let ordered = [seats[0].min(seats[1]), seats[0].max(seats[1])];
        let found = meetings.iter().position(|(players, _)| *players == ordered);
        let found = found.unwrap_or_else(|| {
            meetings.push((ordered, [Vec::new(), Vec::new()]));
            meetings.len() - 1
        });
        meetings[found].1[usize::from(seats != ordered)].push(result);
    }
    let pairs_of = |games: &[Vec<GameResult>; 2]| games[0].len().min(games[1].len());
    let most = meetings.iter().map(|(_, games)| pairs_of(games)).max().unwrap_or(0) as u64;
    let schedule = PairSchedule {
        meetings: meetings.iter().map(|(players, _)| *players).collect(),
        pairs: most,
    };
    let count = meetings.len() as u64;
    let mut pairs = Vec::new();
    for (i, (_, [first, second])) in (0..).zip(meetings) {
        let zipped = (0..).zip(first.into_iter().zip(second));
        pairs.extend(zipped.map(|(n, (a, b))| (n * count + i, [a, b])));
    }
    pairs.sort_by_key(|(number, _)| *number);
    let kind = if players.len() == 2 { PlanKind::Match } else { PlanKind::Tournament };
    let plies = pairs.iter().flat_map(|(_, pair)| pair.iter().map(|game| game.plies));
    let longest = plies.fold(10_000, u32::max);
    let terms = GameSettings { budget: Budget::UNLIMITED, opening: 0, longest, seed: 0 };
    let mut plan = GamesPlan::new(kind, game.spec(), players, schedule, terms);
    plan.hindrances = Some(vec!["the games were played by another program".to_owned()]);
    let left_out = texts.len() - 2 * pairs.len();
    Ok(ReadRecords { plan, pairs, left_out })
}

/// Plays a game of a file by its rules.
fn read_game(
    game: &dyn AnyGame,
    spec: &str,
    text: &RecordText,
    seats: [u32; 2],
) -> Result<GameResult, RunError> {
    if text.tags.get("Game").is_some_and(|other| other != spec) {
        return Err(at(text, format_args!("it is not a game of {spec}")));
    }
    let start = text.tags.get("Start").cloned();
    let mut position = match &start {
        None => game.start(),
        Some(start) => game.read(start).map_err(|error| at(text, error))?,
    };
    let opening_plies = text.tags.get("Opening").and_then(|n| n.parse::<usize>().ok()).unwrap_or(0);
    let (mut record, mut spent) =
        (GameRecord { start, ..GameRecord::default() }, [SpentEffort::default(); 2]);
    for (i, (play, comment)) in text.moves.iter().enumerate() {
        let side = position.status().turn();
        let played = position.play(play);
        let (Some(side), Ok(())) = (side, &played) else {
            let reason =
                played.err().map_or_else(|| "the game is over".to_owned(), |e| e.to_string());
            return Err(at(text, format_args!("move {}: {reason}", i + 1)));
        };
        if i < opening_plies {
            record.opening.push(play.clone());
            continue;
        }
        let (value, time, nodes) = parse_comment(comment.as_deref().unwrap_or_default());
        spent[side.index()].add(nodes, time);
        record.plies.push(MoveRecord { side, play: play.clone(), value, nodes, time });
    }
    let end = game_end(text, &position.status())?;
    let plies = text.moves.len() as u32;
    Ok(GameResult { seats, end, plies, spent, record: Some(Box::new(record)), line: None })
}

/// Returns how a game ended, by the rules or by its tags.
fn game_end(text: &RecordText, status: &Status<AnyOutcome>) -> Result<GameEnd, RunError> {
    let duel = match text.tags.get("Result").map(String::as_str) {
        Some("1-0") => Duel::Won(Side::First),
        Some("0-1") => Duel::Won(Side::Second),
        Some("1/2-1/2") => Duel::Drawn,
        _ => return Err(at(text, "it has no result; write 1-0, 0-1 or 1/2-1/2")),
    };
    let side = match status {
        Status::Over(AnyOutcome::Duel(by_rules)) if *by_rules == duel => {
            return Ok(GameEnd::Rules(duel));
        }
        Status::Over(_) => return Err(at(text, "its result is not that of its last position")),
        Status::Turn(side) => *side,
    };
    let termination = text.tags.get("Termination").map_or("", String::as_str);
    let loser = match duel {
        Duel::Won(winner) => Some(winner.other()),
        Duel::Drawn => None,
    };
    Ok(match (termination, loser) {
        (TOO_LONG, None) => GameEnd::Endless,
        (ON_TIME, Some(by)) if by == side => GameEnd::Time { by },
        (other, Some(by)) if other.starts_with(FORFEIT) && by == side => {
            GameEnd::Forfeit { by, reason: other[FORFEIT.len()..].to_owned() }
        }
        (other, _) => {
            let reason = other.strip_prefix(ADJUDICATION).unwrap_or(match other {
                "" => ENDS_EARLY,
                other => other,
            });
            GameEnd::Adjudicated { duel, reason: reason.to_owned() }
        }
    })
}

/// Stores the games of a file as a new run, and returns its number.
///
/// # Errors
/// When the games are not those of their plan, or the store fails.
pub fn store(
    registry: &Registry,
    store: &mut Store,
    read: &ReadRecords,
) -> Result<RunId, RunError> {
    let game = registry.game(&read.plan.game)?;
    let check = ResultCheck::of_rules(&game);
    for (number, pair) in &read.pairs {
        let is_right = |(i, result)| check.accepts_stored(&read.plan, 2 * number + i, result);
        if !(0..).zip(pair).all(is_right) {
            let pair = number + 1;
            return Err(RunError::Wrong(format!(
                "round {pair} is not a pair of games of its plan"
            )));
        }
    }
    let run = store.begin(&read.plan, None)?;
    store.keep(run, &read.pairs)?;
    let is_whole = read.pairs.len() as u64 == read.plan.schedule.total();
    store.set_state(run, if is_whole { RunState::Finished } else { RunState::Stopped })?;
    Ok(run)
}
