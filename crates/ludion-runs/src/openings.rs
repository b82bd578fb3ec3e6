//! Files of openings, one a line, and the making of such files. A line is a list of moves from the
//! start position (`4 4 3`), or `fen STATE` and, if wanted, `moves M M …`, as bots get positions. What
//! follows ` # ` is a comment.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ludion_players::arena::conditions::Opening;
use ludion_players::arena::executor::{Executor, JobSet, ThreadExecutor};
use ludion_players::game::Status;
use ludion_players::player::{Budget, PlayerError, StopOnFlag};
use ludion_players::random::{Rng, derive_seed};
use ludion_players::registry::{AnyGame, AnyPlayer};
use serde::Serialize;

use crate::RunError;

/// The largest file of openings that is read, in bytes.
pub const MAX_FILE: u64 = 64 << 20;
/// The largest number of openings of a run.
pub const MAX_OPENINGS: usize = 100_000;

/// Parses a file of openings. Moves and positions are written as the game writes them.
///
/// # Errors
/// When a line is no opening of the game, or the file has none or too many; the message has the line.
pub fn parse(game: &dyn AnyGame, text: &str) -> Result<Vec<Opening>, RunError> {
    let mut openings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split_once(" #").map_or(line, |(line, _)| line).trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = parse_line(game, line)
            .map_err(|reason| RunError::Wrong(format!("line {}: {reason}", i + 1)))?;
        openings.push(opening);
    }
    match openings.len() {
        0 => Err(RunError::Wrong("it has no opening".to_owned())),
        1..=MAX_OPENINGS => Ok(openings),
        count => Err(RunError::Wrong(format!(
            "it has {count} openings, and a run takes up to {MAX_OPENINGS}"
        ))),
    }
}

/// Parses one line of a file of openings.
fn parse_line(game: &dyn AnyGame, line: &str) -> Result<Opening, String> {
    let (start, moves) = match line.split_once(char::is_whitespace).unwrap_or((line, "")) {
        ("fen", rest) => match rest.split_once(" moves ") {
            Some((state, moves)) => (Some(state), moves),
            None => (Some(rest), ""),
        },
        ("startpos", rest) => {
            (None, rest.trim().strip_prefix("moves").map_or(rest, str::trim_start))
        }
        ("moves", rest) => (None, rest),
        _ => return parse_plain(game, line),
    };
    read_opening(game, start, moves)
}

/// Parses a line without a first word that says what it is: moves, or else a position.
fn parse_plain(game: &dyn AnyGame, line: &str) -> Result<Opening, String> {
    read_opening(game, None, line).or_else(|as_moves| {
        read_opening(game, Some(line), "").map_err(|as_state| {
            format!("it is neither moves ({as_moves}) nor a position ({as_state})")
        })
    })
}

/// Reads a position and moves from it, and returns them as the game writes them.
fn read_opening(game: &dyn AnyGame, start: Option<&str>, moves: &str) -> Result<Opening, String> {
    let mut position = match start {
        None => game.start(),
        Some(text) => game.read(text.trim()).map_err(|error| error.to_string())?,
    };
    let start = start.map(|_| position.show());
    let moves = position.play_line(moves).map_err(|error| error.to_string())?;
    match position.status() {
        Status::Turn(_) => Ok(Opening { start, moves }),
        Status::Over(_) => Err("the game is over after it".to_owned()),
    }
}

/// An opening as a line of a file.
#[must_use]
pub fn line(opening: &Opening) -> String {
    let moves = opening.moves.join(" ");
    match (&opening.start, moves.is_empty()) {
        (None, _) => format!("moves {moves}").trim_end().to_owned(),
        (Some(start), true) => format!("fen {start}"),
        (Some(start), false) => format!("fen {start} moves {moves}"),
    }
}

/// How openings are made: random moves, after which a player judges the position.
pub struct OpeningMaker {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Spec of the player that judges.
    pub player: String,
    /// What the player may spend on a position.
    pub budget: Budget,
    /// Number of random plies.
    pub plies: u32,
    /// Largest absolute value of a position that counts as balanced, from 0 to 1.
    pub balance: f64,
    /// Seed of the random moves and of the player.
    pub seed: u64,
}

/// A random opening with the judgement of its position.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgedOpening {
    /// The moves.
    pub moves: Vec<String>,
    /// The position after them.
    pub state: String,
    /// The value for the side to move, from −1 to 1; `None` if the player gave none.
    pub value: Option<f64>,
}

/// The openings that were made, and how many were drawn for them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MadeOpenings {
    /// The balanced openings, in the order in which they were drawn; no position twice.
    pub openings: Vec<JudgedOpening>,
    /// Number of random openings that were drawn.
    pub drawn: u64,
    /// Number of different positions after them.
    pub positions: usize,
    /// Whether the search ended because no new positions came.
    pub is_exhausted: bool,
}

/// Number of openings drawn for each one that is asked for, at most.
const DRAWS_FOR_EACH: u64 = 1000;

/// Number of openings drawn before it is said that none has a position, or that none has a value.
const DRAWS_WITHOUT_RESULT: u64 = 1000;

/// Number of openings drawn without a new position, for each known position, before all are taken as
/// known.
const DRAWS_FOR_NEW: u64 = 10;

impl OpeningMaker {
    /// Makes up to `count` balanced openings on `threads` threads; fewer if `stop` is set, or if few
    /// random positions are balanced. The same seed gives the same openings on any number of threads.
    /// Calls `on_drawn` with the numbers of openings found and drawn so far.
    ///
    /// # Errors
    /// When the player cannot be made, fails, or gives no values.
    pub fn make(
        &self,
        count: usize,
        threads: usize,
        stop: &AtomicBool,
        on_drawn: &mut dyn FnMut(usize, u64),
    ) -> Result<MadeOpenings, RunError> {
        self.game.player(&self.player)?;
        let mut made =
            MadeOpenings { openings: Vec::new(), drawn: 0, positions: 0, is_exhausted: false };
        let (mut failure, mut has_values, mut seen) = (None, false, HashSet::new());
        let mut last_new = 0;
        let mut jobs = 0..DRAWS_FOR_EACH.saturating_mul(count as u64);
        let mut sink = |_: u64, drawn: Result<Option<JudgedOpening>, PlayerError>| {
            made.drawn += 1;
            match drawn {
                Err(error) => {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
                Ok(Some(opening)) => {
                    has_values |= opening.value.is_some();
                    let is_balanced = opening.value.is_some_and(|v| v.abs() <= self.balance);
                    if seen.insert(opening.state.clone()) {
                        last_new = made.drawn;
                        if is_balanced {
                            made.openings.push(opening);
                        }
                    }
                }
                Ok(None) => {}
            }
            on_drawn(made.openings.len(), made.drawn);
            made.positions = seen.len();
            let without_new = DRAWS_WITHOUT_RESULT + DRAWS_FOR_NEW * made.positions as u64;
            made.is_exhausted = made.drawn - last_new >= without_new;
            let is_done = made.openings.len() == count
                || made.is_exhausted
                || (made.drawn >= DRAWS_WITHOUT_RESULT && !has_values);
            if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let done = ThreadExecutor(threads).execute(self, &mut jobs, stop, &mut sink);
        done.map_err(|error| RunError::Failed(error.to_string()))?;
        match failure {
            Some(error) => Err(RunError::Failed(format!("{}: {error}", self.player))),
            None if made.positions == 0 && made.drawn >= DRAWS_WITHOUT_RESULT => {
                Err(RunError::Wrong(format!(
                    "none of {} random games of {} goes on after {} plies; try fewer",
                    made.drawn,
                    self.game.spec(),
                    self.plies
                )))
            }
            None if !has_values && made.drawn >= DRAWS_WITHOUT_RESULT => {
                Err(RunError::Wrong(format!(
                    "{} gives no values, so it cannot judge positions; choose a player that searches",
                    self.player
                )))
            }
            None => Ok(made),
        }
    }

    /// Draws random moves and judges the position after them; `None` if the game ends before.
    fn draw(
        &self,
        player: &mut dyn AnyPlayer,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Option<JudgedOpening>, PlayerError> {
        let seed = derive_seed(self.seed, &[number]);
        let (mut rng, mut position) = (Rng::new(seed), self.game.start());
        let mut moves = Vec::new();
        for _ in 0..self.plies {
            let legal = position.moves();
            if legal.is_empty() {
                return Ok(None);
            }
            let m = legal[rng.below(legal.len())].clone();
            position.play(&m).expect("a listed move is legal");
            moves.push(m);
        }
        if matches!(position.status(), Status::Over(_)) {
            return Ok(None);
        }
        player.begin(derive_seed(seed, &[1]));
        let choice = player.choose(&*position, self.budget, &StopOnFlag(stop))?;
        let value = choice.best_line().and_then(|line| line.value);
        Ok(Some(JudgedOpening { moves, state: position.show(), value }))
    }
}

impl JobSet for OpeningMaker {
    type Worker = Box<dyn AnyPlayer>;
    type Output = Result<Option<JudgedOpening>, PlayerError>;

    fn worker(&self) -> Self::Worker {
        self.game.player(&self.player).expect("the same spec made a player before")
    }

    fn job(
        &self,
        player: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Option<Self::Output> {
        let drawn = self.draw(&mut **player, number, stop);
        (!stop.load(Ordering::Relaxed)).then_some(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written_alike() {
        let game = ludion::registry::standard().game("connect4").expect("a game");
        let text = "# two openings\n4 4 3\n\n445  # without spaces\nstartpos moves 1 2\nstartpos\n\
                    fen ......./......./......./......./...o.../...x...\n\
                    fen ......./......./......./......./...o.../...x... moves 3\n\
                    ......./......./......./......./...o.../...x...\n";
        let openings = parse(&*game, text).expect("openings");
        assert_eq!(openings.len(), 7);
        assert_eq!(openings[1].moves, ["4", "4", "5"]);
        assert_eq!(openings[4], openings[6]);
        let again: String = openings.iter().map(|opening| line(opening) + "\n").collect();
        assert_eq!(parse(&*game, &again).expect("openings"), openings);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let game = ludion::registry::standard().game("connect4").expect("a game");
        let refused = |text| parse(&*game, text).unwrap_err().to_string();
        assert!(refused("4 4\n4 9").starts_with("line 2: it is neither moves"));
        assert!(refused("fen nonsense").starts_with("line 1: "));
        assert_eq!(refused("# nothing\n"), "it has no opening");
        assert!(refused("4 1 4 1 4 1 4").contains("the game is over after it"));
        let over = refused("moves 4 1 4 1 4 1 4");
        assert!(over.ends_with("the game is over after it"), "{over}");
    }

    #[test]
    fn made_openings_are_balanced_distinct_and_the_same_on_any_number_of_threads() {
        let game = ludion::registry::standard().game("tictactoe").expect("a game");
        let maker = OpeningMaker {
            game: Arc::clone(&game),
            player: "deepening(depth=9)".to_owned(),
            budget: Budget::UNLIMITED,
            plies: 2,
            balance: 0.1,
            seed: 3,
        };
        let never = AtomicBool::new(false);
        let make = |threads| maker.make(20, threads, &never, &mut |_, _| {}).expect("openings");
        let made = make(1);
        assert_eq!(made, make(3));
        assert_eq!(made.openings.len(), 20);
        let limits = ludion_players::solution::SolveLimits::default();
        for opening in &made.openings {
            let position = game.read(&opening.state).expect("a position");
            let solution = position.solve(limits, &StopOnFlag(&never)).expect("a solution");
            assert_eq!(solution.value.verdict, ludion_players::outcome::Wdl::Draw);
        }
        let random = OpeningMaker { player: "random".to_owned(), ..maker };
        let error = random.make(5, 1, &never, &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.starts_with("random gives no values"), "{error}");
    }
}
