//! `ludion play`: a game in the terminal, each seat a person or a player. What a person
//! says is read in `keyboard`; when no person plays, the game is played to its end.

use clap::Args;
use ludion::game::{Side, Status};
use ludion::outcome::AnyOutcome;
use ludion::player::{Budget, Choice, NoObserver};
use ludion::registry::{AnyPlayer, GameEntry};
use serde::Serialize;

use crate::CommandContext;
use crate::draw::{colour, draw};
use crate::failure::CommandFailure;
use crate::keyboard::{HELP, KeyboardInput, listen};
use crate::output::{CommandReport, LOUD, QUIET, paint, plural, time};
use crate::position_args::{GameHistory, PositionArgs};
use crate::seats::SeatPlayer;

/// Play a game in the terminal
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion play connect4
  ludion play hexapawn --first minimax --second human
  ludion play \"matches(21, misere)\" --first random --second \"minimax(depth=6)\" --seed 7
  ludion play tictactoe --moves \"b2 a1\" --second human

At your turn type a move as it is written in the list of legal moves, or one of
undo, hint, moves, help, quit.")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    place: PositionArgs,
    /// Who moves first: human, or a player such as "minimax(depth=4)" [default: human]
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// Who moves second [default: the strongest player that answers at once]
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// What a player may spend on a move, such as 100ms or 5000sims [default: what its
    /// parameters say]
    #[arg(long, value_name = "BUDGET", allow_hyphen_values = true)]
    budget: Option<Budget>,
}

impl PlayArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        let entry = context.registry.entry(&self.place.game)?;
        let record = self.place.open(&context.registry)?;
        let seats = self.seats(entry, &record, context.seed)?;
        if context.output.json && seats.iter().any(SeatPlayer::is_person) {
            return Err(CommandFailure::Usage(
                "a person cannot play in JSON; name a player for every seat with --first and \
                 --second"
                    .to_owned(),
            ));
        }
        GameSession { context, entry, record, seats, budget: self.budget.unwrap_or_default() }
            .play()
    }

    /// Who sits where; a puzzle has one seat only.
    fn seats(
        &self,
        entry: &GameEntry,
        record: &GameHistory,
        seed: u64,
    ) -> Result<Vec<SeatPlayer>, CommandFailure> {
        let first = self.first.as_deref().unwrap_or("human");
        let seat = |text: &str, side| SeatPlayer::new(&*record.game, entry, text, (seed, side));
        let mut seats = vec![seat(first, Side::First)?];
        match &self.second {
            Some(second) if entry.puzzle => {
                return Err(CommandFailure::Usage(format!(
                    "{} is a puzzle for one, so there is no seat for {second:?}",
                    entry.name
                )));
            }
            Some(second) => seats.push(seat(second, Side::Second)?),
            None if entry.puzzle => {}
            None => seats.push(seat(entry.default_player(), Side::Second)?),
        }
        Ok(seats)
    }
}

/// A game that is being played.
struct GameSession<'a> {
    context: &'a CommandContext,
    entry: &'a GameEntry,
    record: GameHistory,
    seats: Vec<SeatPlayer>,
    budget: Budget,
}

/// Whether the game goes on after a person's turn.
enum AfterInput {
    Turn,
    Quit,
}

impl GameSession<'_> {
    fn play(mut self) -> Result<(), CommandFailure> {
        self.say(&self.opening())?;
        loop {
            let side = match self.record.position().status() {
                Status::Turn(side) => side,
                Status::Over(outcome) => return self.close(outcome),
            };
            match &mut self.seats[side.index()] {
                SeatPlayer::Player(player) => {
                    let choice = ask(&mut **player, &self.record, self.budget)?;
                    self.record.play(&choice.best)?;
                    let player = self.seats[side.index()].name();
                    self.say(&announcement(&self.record, side, player, &choice))?;
                }
                SeatPlayer::Person => {
                    self.say(&format!("\n{}\n", draw(&self.record.scene())))?;
                    if matches!(self.person(side)?, AfterInput::Quit) {
                        return self.say("good bye\n");
                    }
                }
            }
        }
    }

    /// Says something to people; machines get one object at the end.
    fn say(&self, text: &str) -> Result<(), CommandFailure> {
        if self.context.output.json { Ok(()) } else { self.context.output.write(text) }
    }

    fn has_person(&self) -> bool {
        self.seats.iter().any(SeatPlayer::is_person)
    }

    fn opening(&self) -> String {
        let seat = |(side, seat): (Side, &SeatPlayer)| {
            format!("{} {}", paint(colour(side), &side.to_string()), seat.name())
        };
        let seats: Vec<String> = Side::BOTH.into_iter().zip(&self.seats).map(seat).collect();
        let mut text = format!("{}: {}\n", paint(LOUD, self.record.game.spec()), seats.join(", "));
        text += &if self.has_person() {
            paint(QUIET, "type a move, or undo, hint, moves, help, quit") + "\n"
        } else {
            format!("\n{}\n", draw(&self.record.scene()))
        };
        text
    }

    /// Listens to a person until a move is made, moves are taken back, or enough is enough.
    fn person(&mut self, side: Side) -> Result<AfterInput, CommandFailure> {
        loop {
            self.say(&format!("{}> ", paint(colour(side), &side.to_string())))?;
            match listen()? {
                KeyboardInput::Nothing => {}
                KeyboardInput::Quit => return Ok(AfterInput::Quit),
                KeyboardInput::End => {
                    self.say("\n")?;
                    return Ok(AfterInput::Quit);
                }
                KeyboardInput::Help => self.say(HELP)?,
                KeyboardInput::Moves => {
                    self.say(&(self.record.position().moves().join(" ") + "\n"))?
                }
                KeyboardInput::Hint => {
                    let hint = self.hint()?;
                    self.say(&hint)?;
                }
                KeyboardInput::Undo if self.undo() => return Ok(AfterInput::Turn),
                KeyboardInput::Undo => self.say("there is no move of yours to take back\n")?,
                KeyboardInput::Move(text) => match self.record.play(&text) {
                    Ok(()) => return Ok(AfterInput::Turn),
                    Err(error) => self.say(&format!("{error}\n"))?,
                },
            }
        }
    }

    /// Takes back to the previous turn of a person.
    fn undo(&mut self) -> bool {
        let persons = |&plies: &usize| {
            let turn = self.record.ago(plies).and_then(|position| position.status().turn());
            turn.is_some_and(|side| self.seats[side.index()].is_person())
        };
        let back = (1..=self.record.moves().len()).find(persons);
        if let Some(plies) = back {
            self.record.take_back(plies);
        }
        back.is_some()
    }

    fn hint(&self) -> Result<String, CommandFailure> {
        let name = self.entry.default_player();
        let mut player = self.record.game.player(name)?;
        player.begin(self.context.seed);
        let choice = ask(&mut *player, &self.record, self.budget)?;
        Ok(format!("hint: {}  {}\n", choice.best, paint(QUIET, &thought(name, &choice))))
    }

    fn close(&self, outcome: AnyOutcome) -> Result<(), CommandFailure> {
        self.context.output.report(&PlayReport {
            game: self.record.game.spec(),
            seed: self.context.seed,
            players: self.seats.iter().map(SeatPlayer::name).collect(),
            start: self.record.start().show(),
            moves: self.record.moves(),
            state: self.record.position().show(),
            outcome,
            picture: draw(&self.record.scene()),
        })
    }
}

fn ask(
    player: &mut dyn AnyPlayer,
    record: &GameHistory,
    budget: Budget,
) -> Result<Choice<String>, CommandFailure> {
    Ok(player.choose(record.position(), budget, &NoObserver)?)
}

/// A player's move, and in a quiet voice what it thought.
fn announcement(record: &GameHistory, side: Side, player: &str, choice: &Choice<String>) -> String {
    format!(
        "{:>3}. {} plays {}  {}\n",
        record.moves().len(),
        paint(colour(side), &side.to_string()),
        paint(LOUD, &choice.best),
        paint(QUIET, &thought(player, choice))
    )
}

/// What a player found out: what its move is worth to it, and what that took.
fn thought(player: &str, choice: &Choice<String>) -> String {
    let line = choice.best_line();
    let worth = line.and_then(|line| match (line.proven, line.value) {
        (Some(proof), _) => {
            let plies = proof.plies.map(|n| format!(" in {}", plural(n.into(), "move")));
            Some(format!("a sure {}{}", proof.verdict, plies.unwrap_or_default()))
        }
        (None, Some(value)) => Some(format!("value {value:+.2}")),
        (None, None) => None,
    });
    let counted = |n: u64, thing| (n > 0).then(|| plural(n, thing));
    let worked = choice.nodes > 0 || choice.simulations > 0;
    let parts = [
        worth,
        counted(choice.nodes, "node"),
        counted(choice.simulations, "random game"),
        worked.then(|| time(choice.time)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { player.to_owned() } else { format!("{player}: {}", parts.join(", ")) }
}

/// A finished game.
#[derive(Serialize)]
struct PlayReport<'a> {
    game: &'a str,
    seed: u64,
    players: Vec<&'a str>,
    start: String,
    moves: &'a [String],
    state: String,
    outcome: AnyOutcome,
    #[serde(skip)]
    picture: String,
}

impl CommandReport for PlayReport<'_> {
    fn text(&self) -> String {
        let moves = plural(self.moves.len() as u64, "move");
        let outcome = paint(LOUD, &self.outcome.to_string());
        format!("\n{}\n{outcome} after {moves}\n", self.picture)
    }
}
