//! Somebody who answers in text: a program of somebody else, a person far away.
//!
//! The library does not know how text travels; a [`TextPlayer`] does. [`TextPlayerSeat`] puts a state
//! into words, has the voice asked, and holds the answer against the rules: what is no
//! legal move is refused with its reason, so that the arena can record it.

use std::time::Instant;

use crate::game::Game;
use crate::notation::NotationError;
use crate::player::{Budget, Choice, MoveRequest, Player, PlayerError, RootLine};

/// One question in words.
pub struct TextMoveRequest<'a> {
    /// The state in the notation of its game.
    pub state: &'a str,
    /// Whether it is the state in which every game begins.
    pub at_start: bool,
    /// The legal moves in their notation and the order of the game.
    pub legal: &'a [String],
    /// What may be spent.
    pub budget: Budget,
    /// Whether the answer is wanted now.
    pub stop: &'a dyn Fn() -> bool,
}

/// One answer in words, with what the speaker says of it. Nothing of it is taken on trust.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TextMoveReply {
    /// The move.
    pub play: String,
    /// What it is worth to the side that moves: −1 to +1 in a duel, points in a puzzle.
    pub value: Option<f64>,
    /// States visited.
    pub nodes: u64,
    /// Random games played.
    pub simulations: u64,
    /// Plies looked ahead.
    pub depth: u32,
    /// The moves expected, the chosen one first.
    pub variation: Vec<String>,
}

/// Answers questions in text.
pub trait TextPlayer: Send {
    /// A new game of `game` begins; randomness comes from `seed`. Whoever failed in the last
    /// game gets another chance. What goes wrong here is said when the first move is asked.
    fn begin(&mut self, game: &str, seed: u64);

    /// Asks for a move in the game that began last.
    ///
    /// # Errors
    /// Why there is no answer, in a sentence.
    fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String>;

    /// The last answer was no legal move: the speaker is not to be asked again in this game.
    fn dismiss(&mut self);
}

/// A player that lends its seat to a voice.
pub struct TextPlayerSeat {
    game: String,
    text_player: Box<dyn TextPlayer>,
    begun: bool,
}

/// What a voice says it visited counts no further than this, so that sums stay sums.
const MAX_COUNTED: u64 = 1 << 40;

impl TextPlayerSeat {
    /// A player of the game that `game` names, speaking through `text_player`.
    #[must_use]
    pub fn new(game: &str, text_player: Box<dyn TextPlayer>) -> Self {
        TextPlayerSeat { game: game.to_owned(), text_player, begun: false }
    }

    fn begin_game(&mut self, seed: u64) {
        self.begun = true;
        self.text_player.begin(&self.game, seed);
    }
}

impl<G: Game> Player<G> for TextPlayerSeat {
    fn begin(&mut self, seed: u64) {
        self.begin_game(seed);
    }

    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (g, s) = (turn.game, turn.state);
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        if moves.is_empty() {
            return Err(PlayerError::Over);
        }
        if !self.begun {
            self.begin_game(0);
        }
        let legal: Vec<String> = moves.iter().map(|&m| g.show_move(s, m)).collect();
        let began = Instant::now();
        let question = TextMoveRequest {
            state: &g.show_state(s),
            at_start: *s == g.start(),
            legal: &legal,
            budget: turn.budget,
            stop: &|| turn.observer.stop(),
        };
        let answer = self.text_player.ask(&question).map_err(PlayerError::Failed)?;
        let best = legal_move(g, s, &answer.play).map_err(|error| {
            self.text_player.dismiss();
            PlayerError::Failed(format!("the bot answered {error}"))
        })?;
        Ok(Choice {
            lines: vec![RootLine {
                value: answer.value.filter(|value| value.is_finite()),
                variation: legal_variation(g, s, best, &answer.variation),
                ..RootLine::of(best)
            }],
            nodes: answer.nodes.min(MAX_COUNTED),
            simulations: answer.simulations.min(MAX_COUNTED),
            depth: answer.depth,
            time: began.elapsed(),
            ..Choice::bare(best)
        })
    }
}

/// The legal move that `text` means. A game may read generously; the rules decide.
pub(crate) fn legal_move<G: Game>(
    g: &G,
    s: &G::State,
    text: &str,
) -> Result<G::Move, NotationError> {
    let m = g.read_move(s, text)?;
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    if moves.contains(&m) { Ok(m) } else { Err(NotationError::new(text, "not a legal move")) }
}

/// The moves of `texts` as far as they are legal, if they begin with `best`.
pub(crate) fn legal_variation<G: Game>(
    g: &G,
    s: &G::State,
    best: G::Move,
    texts: &[String],
) -> Vec<G::Move> {
    let (mut s, mut line) = (s.clone(), Vec::new());
    for text in texts {
        let Ok(m) = legal_move(g, &s, text) else { break };
        g.play(&mut s, m);
        line.push(m);
    }
    if line.first() == Some(&best) { line } else { vec![best] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;

    /// Says the same whatever it is asked, and counts what happens to it.
    struct ScriptedTextPlayer {
        says: Result<TextMoveReply, String>,
        dismissed: std::sync::Arc<std::sync::atomic::AtomicBool>,
    }

    impl TextPlayer for ScriptedTextPlayer {
        fn begin(&mut self, game: &str, _seed: u64) {
            assert_eq!(game, "tictactoe");
        }

        fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
            assert!(question.at_start);
            assert_eq!((question.state, question.legal.len()), (".../.../...", 9));
            self.says.clone()
        }

        fn dismiss(&mut self) {
            self.dismissed.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn asked(says: Result<TextMoveReply, String>) -> (Result<Choice<u8>, PlayerError>, bool) {
        let dismissed = std::sync::Arc::default();
        let parrot = ScriptedTextPlayer { says, dismissed: std::sync::Arc::clone(&dismissed) };
        let mut remote = TextPlayerSeat::new("tictactoe", Box::new(parrot));
        let start = TicTacToe.start();
        let choice = remote.choose(&MoveRequest::new(&TicTacToe, &start, Budget::UNLIMITED));
        (choice, dismissed.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn answer(play: &str, variation: &[&str]) -> TextMoveReply {
        let variation = variation.iter().map(|&text| text.to_owned()).collect();
        TextMoveReply {
            play: play.to_owned(),
            value: Some(f64::NAN),
            nodes: u64::MAX,
            variation,
            ..TextMoveReply::default()
        }
    }

    #[test]
    fn an_answer_is_held_against_the_rules_and_its_boasts_are_bounded() {
        let (choice, dismissed) = asked(Ok(answer("B2", &["b2", "a1", "a1", "c3"])));
        let choice = choice.unwrap();
        assert!(!dismissed);
        assert_eq!((choice.best, choice.nodes), (4, MAX_COUNTED));
        let line = choice.best_line().unwrap();
        assert_eq!((line.value, line.variation.len()), (None, 2));
        assert_eq!(asked(Ok(answer("b2", &["a1"]))).0.unwrap().lines[0].variation, [4]);
    }

    #[test]
    fn what_is_no_legal_move_is_refused_with_the_legal_ones_and_the_voice_dismissed() {
        let (refused, dismissed) = asked(Ok(answer("banana", &[])));
        assert!(dismissed);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "the bot answered \"banana\": not a legal move; legal: a3 b3 c3 a2 b2 c2 a1 b1 c1"
        );
        let (refused, dismissed) = asked(Err("it fell silent".to_owned()));
        assert!(!dismissed);
        assert_eq!(refused.unwrap_err().to_string(), "it fell silent");
    }
}
