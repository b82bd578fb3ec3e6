//! `ludion play`: plays a game in the terminal. Each side is a person at the keyboard or a player;
//! without a person the game is played to its end.

use clap::Args;
use ludion::game::{Side, Status};
use ludion::named::NamedRiddle;
use ludion::outcome::AnyOutcome;
use ludion::player::{Budget, Choice, NoObserver};
use ludion::registry::{AnyPlayer, GameEntry, RegistryError, RiddleEntry};
use ludion::riddles::mastermind::Mastermind;
use ludion::spec::Spec;
use serde::Serialize;

use super::mastermind;
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
  ludion play \"mastermind(4, 6)\"

At your turn type a move as it is written in the list of legal moves, or one of
undo, hint, moves, help, quit.")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Player of the first side: human, or a player such as "minimax(depth=4)" [default: human]
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// Player of the second side [default: the strongest player that answers at once]
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// Budget of each player for a move, such as 100ms or 5000sims [default: from its parameters]
    #[arg(long, value_name = "BUDGET", allow_hyphen_values = true)]
    budget: Option<Budget>,
}

impl PlayArgs {
    pub(crate) fn run(&self, context: &CommandContext) -> Result<(), CommandFailure> {
        if let Ok(riddle) = context.registry.riddle_entry(&self.position.game)
            && riddle.name == Mastermind::NAME
        {
            return self.play_mastermind(context, riddle);
        }
        let entry = context.registry.entry(&self.position.game)?;
        let history = self.position.open(&context.registry)?;
        let seats = self.seats(entry, &history, context.seed)?;
        if context.output.json && seats.iter().any(SeatPlayer::is_person) {
            return Err(CommandFailure::Usage(
                "a person cannot play in JSON; name a player for every seat with --first and \
                 --second"
                    .to_owned(),
            ));
        }
        GameSession { context, entry, history, seats, budget: self.budget.unwrap_or_default() }
            .play()
    }

    /// Plays Mastermind with the parameters of the spec, as `ludion mastermind play` does.
    fn play_mastermind(
        &self,
        context: &CommandContext,
        riddle: &RiddleEntry,
    ) -> Result<(), CommandFailure> {
        let given = [
            ("--first", self.first.is_some()),
            ("--second", self.second.is_some()),
            ("--budget", self.budget.is_some()),
            ("--from or --moves", self.position.has_state()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            return Err(CommandFailure::Usage(format!(
                "{option} is for games with moves, and mastermind is a riddle that you solve; \
                 leave it out, or get guesses from: ludion mastermind advise"
            )));
        }
        let spec = Spec::parse(&self.position.game).map_err(RegistryError::from)?;
        let args = riddle.args(&spec).map_err(RegistryError::from)?;
        mastermind::play::play(
            context,
            Mastermind::build(&args).map_err(RegistryError::from)?,
            None,
        )
    }

    /// Makes the players of the sides; a puzzle has one side only.
    fn seats(
        &self,
        entry: &GameEntry,
        history: &GameHistory,
        seed: u64,
    ) -> Result<Vec<SeatPlayer>, CommandFailure> {
        let first = self.first.as_deref().unwrap_or("human");
        let seat = |text: &str, side| SeatPlayer::new(&*history.game, entry, text, (seed, side));
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
            None => {
                let default = entry.default_player(history.game.spec());
                seats.push(seat(default, Side::Second)?);
            }
        }
        Ok(seats)
    }
}

/// A game that is being played in the terminal, with the players of its sides.
struct GameSession<'a> {
    context: &'a CommandContext,
    entry: &'a GameEntry,
    history: GameHistory,
    seats: Vec<SeatPlayer>,
    budget: Budget,
}

/// What to do after the input of a person: continue or quit the game.
enum AfterInput {
    Continue,
    Quit,
}

impl GameSession<'_> {
    fn play(mut self) -> Result<(), CommandFailure> {
        self.print(&self.header())?;
        // Moves that are printed as they are made show by themselves how far the game is.
        let is_shown = !self.context.output.json || self.has_person();
        let progress = self.context.progress_unless(is_shown, "plies");
        let progress = progress.depends_on("the players and the length of the game");
        let mut plies = 0;
        loop {
            let side = match self.history.position().status() {
                Status::Turn(side) => side,
                Status::Over(outcome) => return self.finish(outcome),
            };
            match &mut self.seats[side.index()] {
                SeatPlayer::Player { player, .. } => {
                    let choice = choose(&mut **player, &self.history, self.budget)?;
                    self.history.play(&choice.best)?;
                    plies += 1;
                    progress.update(plies, None, String::new);
                    let player = self.seats[side.index()].name();
                    self.print(&move_line(&self.history, side, player, &choice))?;
                }
                SeatPlayer::Person => {
                    self.print(&format!("\n{}\n", draw(&self.history.scene())))?;
                    if matches!(self.read_input(side)?, AfterInput::Quit) {
                        return self.print("good bye\n");
                    }
                }
            }
        }
    }

    /// Prints text unless `--json` is given, with which only the report at the end is written.
    fn print(&self, text: &str) -> Result<(), CommandFailure> {
        if self.context.output.json { Ok(()) } else { self.context.output.write(text) }
    }

    fn has_person(&self) -> bool {
        self.seats.iter().any(SeatPlayer::is_person)
    }

    fn header(&self) -> String {
        let seat = |(side, seat): (Side, &SeatPlayer)| {
            format!("{} {}", paint(colour(side), &side.to_string()), seat.name())
        };
        let seats: Vec<String> = Side::BOTH.into_iter().zip(&self.seats).map(seat).collect();
        let mut text = format!("{}: {}\n", paint(LOUD, self.history.game.spec()), seats.join(", "));
        text += &if self.has_person() {
            paint(QUIET, "type a move, or undo, hint, moves, help, quit") + "\n"
        } else {
            format!("\n{}\n", draw(&self.history.scene()))
        };
        text
    }

    /// Reads the input of a person until a move is played or taken back, or the person quits.
    fn read_input(&mut self, side: Side) -> Result<AfterInput, CommandFailure> {
        loop {
            self.print(&format!("{}> ", paint(colour(side), &side.to_string())))?;
            match listen()? {
                KeyboardInput::Nothing => {}
                KeyboardInput::Quit => return Ok(AfterInput::Quit),
                KeyboardInput::End => {
                    self.print("\n")?;
                    return Ok(AfterInput::Quit);
                }
                KeyboardInput::Help => self.print(HELP)?,
                KeyboardInput::Moves => {
                    self.print(&(self.history.position().moves().join(" ") + "\n"))?;
                }
                KeyboardInput::Hint => {
                    let hint = self.hint()?;
                    self.print(&hint)?;
                }
                KeyboardInput::Undo if self.undo() => return Ok(AfterInput::Continue),
                KeyboardInput::Undo => self.print("there is no move of yours to take back\n")?,
                KeyboardInput::Move(text) => match self.history.play(&text) {
                    Ok(()) => return Ok(AfterInput::Continue),
                    Err(error) => self.print(&format!("{error}\n"))?,
                },
            }
        }
    }

    /// Takes moves back to the previous turn of a person; returns whether there was such a turn.
    fn undo(&mut self) -> bool {
        let is_persons_turn = |&plies: &usize| {
            let turn = self.history.ago(plies).and_then(|position| position.status().turn());
            turn.is_some_and(|side| self.seats[side.index()].is_person())
        };
        let back = (1..=self.history.moves().len()).find(is_persons_turn);
        if let Some(plies) = back {
            self.history.take_back(plies);
        }
        back.is_some()
    }

    fn hint(&self) -> Result<String, CommandFailure> {
        let name = self.entry.default_player(self.history.game.spec());
        let mut player = self.history.game.player(name)?;
        player.begin(self.context.seed);
        let choice = choose(&mut *player, &self.history, self.budget)?;
        Ok(format!("hint: {}  {}\n", choice.best, paint(QUIET, &value_and_cost(name, &choice))))
    }

    fn finish(&self, outcome: AnyOutcome) -> Result<(), CommandFailure> {
        self.context.output.report(&PlayReport {
            game: self.history.game.spec(),
            seed: self.context.seed,
            players: self.seats.iter().map(SeatPlayer::spec).collect(),
            start: self.history.start().show(),
            moves: self.history.moves(),
            state: self.history.position().show(),
            outcome,
            picture: draw(&self.history.scene()),
        })
    }
}

fn choose(
    player: &mut dyn AnyPlayer,
    history: &GameHistory,
    budget: Budget,
) -> Result<Choice<String>, CommandFailure> {
    Ok(player.choose(history.position(), budget, &NoObserver)?)
}

/// Formats a player's move with its value and cost.
fn move_line(history: &GameHistory, side: Side, player: &str, choice: &Choice<String>) -> String {
    format!(
        "{:>3}. {} plays {}  {}\n",
        history.moves().len(),
        paint(colour(side), &side.to_string()),
        paint(LOUD, &choice.best),
        paint(QUIET, &value_and_cost(player, choice))
    )
}

/// Formats the value that a player gave its move, and the cost of the search.
fn value_and_cost(player: &str, choice: &Choice<String>) -> String {
    let line = choice.best_line();
    let value = line.and_then(|line| match (line.proven, line.value) {
        (Some(proof), _) => {
            let plies = proof.plies.map(|n| format!(" in {}", plural(n.into(), "move")));
            Some(format!("a sure {}{}", proof.verdict, plies.unwrap_or_default()))
        }
        (None, Some(value)) => Some(format!("value {value:+.2}")),
        (None, None) => None,
    });
    let counted = |n: u64, noun| (n > 0).then(|| plural(n, noun));
    let has_searched = choice.nodes > 0 || choice.simulations > 0;
    let parts = [
        value,
        counted(choice.nodes, "node"),
        counted(choice.simulations, "random game"),
        has_searched.then(|| time(choice.time)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { player.to_owned() } else { format!("{player}: {}", parts.join(", ")) }
}

/// Report of a finished game.
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
