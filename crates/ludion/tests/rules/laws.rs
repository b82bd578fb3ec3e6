//! Every registered game obeys the laws of games, in its example variants and in random variants;
//! and the laws catch games that break them.

use ludion::game::{Game, Status, count_replies};
use ludion::games::tictactoe::{TicTacToe, TicTacToeState};
use ludion::laws::{LawViolation, check};
use ludion::notation::NotationError;
use ludion::outcome::{Duel, DuelTally, Outcome};
use ludion::param::ParamKind;
use ludion::random::Rng;
use ludion::registry;
use ludion::scene::{Coord, Scene, Symmetry};

#[test]
fn every_registered_game_obeys_the_laws() {
    let registry = registry::standard();
    for entry in registry.games() {
        assert!(!entry.examples.is_empty(), "{} has no example", entry.name);
        for example in &entry.examples {
            let game = registry.game(example).unwrap();
            // The time of a check grows with the cube of the number of moves.
            let games = match game.start().moves().len() {
                0..20 => 40,
                20..=60 => 8,
                _ => 2,
            };
            let states =
                game.check_laws(games, 2024).unwrap_or_else(|broken| panic!("{example}: {broken}"));
            assert!(states > 1, "{example}: only {states} state was reached");
        }
    }
}

/// Draws a value within the range of a parameter, with extra weight on its ends.
fn value(kind: &ParamKind, rng: &mut Rng) -> String {
    match kind {
        &ParamKind::Int { min, max, .. } => {
            let range = usize::try_from(max.min(min + 100_000) - min).unwrap() + 1;
            match rng.below(4) {
                0 => min.to_string(),
                1 => max.to_string(),
                _ => (min + rng.below(range) as i64).to_string(),
            }
        }
        &ParamKind::Real { min, max, .. } => (min + rng.unit() * (max - min)).to_string(),
        ParamKind::Flag => ["yes", "no"][rng.below(2)].to_owned(),
        ParamKind::Choice { options, .. } => {
            let options: Vec<&str> = options.iter().collect();
            options[rng.below(options.len())].to_owned()
        }
        ParamKind::Text { default } => default.clone().into_owned(),
    }
}

#[test]
fn random_variants_are_refused_or_obey_the_laws() {
    check_random_variants(5, 6);
}

#[test]
#[ignore = "takes half a minute; ./test --all runs it"]
fn many_random_variants_are_refused_or_obey_the_laws() {
    check_random_variants(5, 40);
    check_random_variants(6, 40);
}

/// Checks the laws on random variants of every game, this many for each.
fn check_random_variants(seed: u64, count: usize) {
    let (registry, mut rng) = (registry::standard(), Rng::new(seed));
    for entry in registry.games() {
        let mut built = 0;
        for _ in 0..count {
            let values: Vec<String> = entry
                .params
                .iter()
                .map(|p| format!("{}={}", p.name, value(&p.kind, &mut rng)))
                .collect();
            let text = format!("{}({})", entry.name, values.join(", "));
            let Ok(game) = registry.game(&text) else { continue };
            // One random game is enough for states with a thousand moves.
            let many = game.start().moves().len() > 60;
            let games = if many { 1 } else { 3 };
            if !many {
                game.check_laws(games, 1).unwrap_or_else(|broken| panic!("{text}: {broken}"));
            }
            game.start().perft(2, 1);
            built += 1;
        }
        assert!(built > 0, "no variant of {} could be built", entry.name);
    }
}

/// A way to break a law.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    KeyForgetsAStone,
    MovesAfterTheEnd,
    MoveTwice,
    MovesWrittenAlike,
    StateReadWrong,
    WrongCount,
    WrongReplies,
    PlayoutPrefersTheFirstCell,
    BatchPrefersTheFirstCell,
    TouchesNothing,
    TransformsNothing,
}

/// Tic-tac-toe with a flaw.
struct Flawed(Flaw);

impl Game for Flawed {
    type State = TicTacToeState;
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> TicTacToeState {
        TicTacToe.start()
    }
    fn status(&self, s: &TicTacToeState) -> Status<Duel> {
        TicTacToe.status(s)
    }
    fn moves(&self, s: &TicTacToeState, out: &mut Vec<u8>) {
        let before = out.len();
        TicTacToe.moves(s, out);
        match self.0 {
            Flaw::MovesAfterTheEnd if out.len() == before => out.push(0),
            Flaw::MoveTwice if out.len() > before => out.push(out[before]),
            _ => {}
        }
    }
    fn play(&self, s: &mut TicTacToeState, m: u8) {
        TicTacToe.play(s, m);
    }
    fn key(&self, s: &TicTacToeState) -> u64 {
        let key = TicTacToe.key(s);
        if self.0 == Flaw::KeyForgetsAStone { key & !1 } else { key }
    }
    fn count_moves(&self, s: &TicTacToeState, scratch: &mut Vec<u8>) -> usize {
        let count = TicTacToe.count_moves(s, scratch);
        match self.0 {
            Flaw::MovesAfterTheEnd if count == 0 => 1,
            Flaw::MoveTwice if count > 0 => count + 1,
            Flaw::WrongCount => count + 1,
            _ => count,
        }
    }
    fn count_replies(&self, s: &TicTacToeState, scratch: &mut Vec<u8>) -> u64 {
        count_replies(self, s, scratch) + u64::from(self.0 == Flaw::WrongReplies)
    }
    fn playout(&self, mut s: TicTacToeState, rng: &mut Rng, scratch: &mut Vec<u8>) -> Duel {
        if self.0 == Flaw::PlayoutPrefersTheFirstCell && self.status(&s).turn().is_some() {
            TicTacToe.moves(&s, scratch);
            TicTacToe.play(&mut s, scratch[0]);
            scratch.clear();
        }
        TicTacToe.playout(s, rng, scratch)
    }
    fn playouts(
        &self,
        s: &TicTacToeState,
        count: u64,
        rng: &mut Rng,
        scratch: &mut Vec<u8>,
        tally: &mut DuelTally,
    ) {
        let flawed = Flawed(match self.0 {
            Flaw::BatchPrefersTheFirstCell => Flaw::PlayoutPrefersTheFirstCell,
            _ => Flaw::None,
        });
        (0..count).for_each(|_| flawed.playout(*s, rng, scratch).count(tally));
    }
    fn show_state(&self, s: &TicTacToeState) -> String {
        TicTacToe.show_state(s)
    }
    fn read_state(&self, text: &str) -> Result<TicTacToeState, NotationError> {
        let s = TicTacToe.read_state(text)?;
        Ok(if self.0 == Flaw::StateReadWrong {
            TicTacToe.transform(&s, Symmetry::Mirror)
        } else {
            s
        })
    }
    fn show_move(&self, s: &TicTacToeState, m: u8) -> String {
        TicTacToe.show_move(s, if self.0 == Flaw::MovesWrittenAlike { m / 2 } else { m })
    }
    fn scene(&self, s: &TicTacToeState) -> Scene {
        TicTacToe.scene(s)
    }
    fn touches(&self, s: &TicTacToeState, m: u8) -> Vec<Coord> {
        if self.0 == Flaw::TouchesNothing { Vec::new() } else { TicTacToe.touches(s, m) }
    }
    fn symmetries(&self) -> Vec<Symmetry> {
        TicTacToe.symmetries()
    }
    fn transform(&self, s: &TicTacToeState, symmetry: Symmetry) -> TicTacToeState {
        if self.0 == Flaw::TransformsNothing { *s } else { TicTacToe.transform(s, symmetry) }
    }
}

#[test]
fn every_flaw_is_caught_by_the_law_it_breaks() {
    for (flaw, law) in [
        (Flaw::KeyForgetsAStone, "different states have different keys"),
        (Flaw::MovesAfterTheEnd, "there are moves exactly while the game is not over"),
        (Flaw::MoveTwice, "no move is listed twice"),
        (Flaw::MovesWrittenAlike, "a shown move is read back"),
        (Flaw::StateReadWrong, "a shown state is read back"),
        (Flaw::WrongCount, "count_moves counts the moves and leaves the buffer unchanged"),
        (Flaw::WrongReplies, "count_replies counts sequences of two moves"),
        (Flaw::PlayoutPrefersTheFirstCell, "playout draws uniformly random moves"),
        (Flaw::BatchPrefersTheFirstCell, "playouts draws uniformly random moves"),
        (Flaw::TouchesNothing, "a move is clicked on cells or buttons of the scene"),
        (Flaw::TransformsNothing, "symmetric states have symmetric scenes"),
    ] {
        match check(&Flawed(flaw), 60, 1) {
            Err(LawViolation { law: broken, .. }) => assert_eq!(broken, law, "{flaw:?}"),
            Ok(states) => panic!("{flaw:?} was not caught in {states} states"),
        }
    }
    assert!(check(&Flawed(Flaw::None), 60, 1).is_ok());
}
