//! Players that exchange text: external bots and remote people.
//!
//! A [`TextPlayer`] passes text to such a player and back. [`TextPlayerAdapter`] makes a [`Player`]
//! of it: it writes the state as text, asks for a move, and checks it against the rules. An illegal
//! move is an error with a reason, which the arena records.

use std::time::Instant;

use crate::game::Game;
use crate::player::{Budget, Choice, ClockTimes, MoveRequest, Player, PlayerError, RootLine};
use crate::repetition::GamePath;

/// A request for a move in which state and moves are text.
pub struct TextMoveRequest<'a> {
    /// The state to move in, in the notation of the game.
    pub state: &'a str,
    /// Whether the state is the start position of the game.
    pub at_start: bool,
    /// The moves from the start position to the state, where the rules about repetitions make them
    /// matter; otherwise none.
    pub moves: &'a [String],
    /// All legal moves in the notation of the game, in the order in which it lists them.
    pub legal: &'a [String],
    /// The time, nodes, simulations or depth that the player may spend on this move.
    pub budget: Budget,
    /// The clocks of the game; `None` in a game without clocks.
    pub clock: Option<ClockTimes>,
    /// A function that returns whether the player should stop thinking and reply.
    pub stop: &'a dyn Fn() -> bool,
}

/// The reply to a [`TextMoveRequest`]: a move and statistics. All of it is untrusted.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TextMoveReply {
    /// The chosen move, in the notation of the game.
    pub play: String,
    /// The player's estimate of the state for the side to move: −1 to 1 in a duel, points in a
    /// puzzle.
    pub value: Option<f64>,
    /// The number of nodes that the player reports to have visited.
    pub nodes: u64,
    /// The number of simulations that the player reports to have run.
    pub simulations: u64,
    /// The search depth that the player reports, in plies.
    pub depth: u32,
    /// The continuation that the player expects, beginning with the chosen move.
    pub variation: Vec<String>,
}

/// A player that gets states and returns moves as text.
pub trait TextPlayer: Send {
    /// Starts a new game with this random seed; `game` is the spec of the game. A player that
    /// failed in the previous game can play again. If the start fails, the first call of
    /// [`TextPlayer::ask`] returns the error.
    fn begin(&mut self, game: &str, seed: u64);

    /// Asks for a move in the current game.
    ///
    /// # Errors
    /// When there is no reply; the error is a sentence with the reason.
    fn ask(&mut self, text_request: &TextMoveRequest<'_>) -> Result<TextMoveReply, String>;

    /// Tells the player that its last reply was illegal; it gets no more requests in this game.
    fn dismiss(&mut self);

    /// Returns the name that the player gives itself; `None` if it gives none or does not start.
    fn own_name(&mut self) -> Option<String> {
        None
    }
}

/// Wraps a [`TextPlayer`], so that it can be used as a [`Player`] of any game.
pub struct TextPlayerAdapter {
    game: String,
    text_player: Box<dyn TextPlayer>,
    begun: bool,
}

/// The upper limit for node and simulation counts that a text player reports, so that sums cannot
/// overflow.
const MAX_REPORTED_COUNT: u64 = 1 << 40;

impl TextPlayerAdapter {
    /// Creates an adapter for playing the game with the spec `game`.
    #[must_use]
    pub fn new(game: &str, text_player: Box<dyn TextPlayer>) -> Self {
        TextPlayerAdapter { game: game.to_owned(), text_player, begun: false }
    }

    fn begin_game(&mut self, seed: u64) {
        self.begun = true;
        self.text_player.begin(&self.game, seed);
    }
}

impl<G: Game> Player<G> for TextPlayerAdapter {
    fn begin(&mut self, seed: u64) {
        self.begin_game(seed);
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (g, s) = (request.game, request.state);
        let moves = request.moves();
        if moves.is_empty() {
            return Err(PlayerError::Over);
        }
        if !self.begun {
            self.begin_game(0);
        }
        let legal: Vec<String> = moves.iter().map(|&m| g.show_move(s, m)).collect();
        let began = Instant::now();
        let text_request = TextMoveRequest {
            state: &g.show_state(s),
            at_start: *s == g.start() && request.path.is_empty(),
            moves: &moves_from_start(request),
            legal: &legal,
            budget: request.budget,
            clock: request.clock,
            stop: &|| request.observer.should_stop(),
        };
        let reply = self.text_player.ask(&text_request).map_err(PlayerError::Failed)?;
        let best = request.path.read_legal_move(g, s, &reply.play).map_err(|error| {
            self.text_player.dismiss();
            PlayerError::Failed(format!("the bot answered {error}"))
        })?;
        Ok(Choice {
            lines: vec![RootLine {
                value: reply.value.filter(|value| value.is_finite()),
                variation: legal_variation(g, request.path, s, best, &reply.variation),
                ..RootLine::new(best)
            }],
            nodes: reply.nodes.min(MAX_REPORTED_COUNT),
            simulations: reply.simulations.min(MAX_REPORTED_COUNT),
            depth: reply.depth,
            time: began.elapsed(),
            ..Choice::bare(best)
        })
    }

    fn own_name(&mut self) -> Option<String> {
        self.text_player.own_name()
    }
}

/// Returns the moves from the start position by the path of the request to its state; none if the
/// path is empty or does not begin at the start position.
fn moves_from_start<G: Game>(request: &MoveRequest<'_, G>) -> Vec<String> {
    let (g, mut s, mut path) = (request.game, request.game.start(), GamePath::new());
    let keys = request.path.keys_after(GamePath::EMPTY).unwrap_or_default();
    if keys.first() != Some(&g.repetition_key(&s)) {
        return Vec::new();
    }
    let (mut texts, mut moves) = (Vec::with_capacity(keys.len()), Vec::new());
    for next in 1..=keys.len() {
        moves.clear();
        path.moves(g, &s, &mut moves);
        let leads_on = |m: &G::Move| {
            let after = g.after(&s, *m);
            match keys.get(next) {
                Some(&key) => g.repetition_key(&after) == key,
                None => after == *request.state,
            }
        };
        let Some(m) = moves.iter().copied().find(leads_on) else { return Vec::new() };
        texts.push(g.show_move(&s, m));
        path.play(g, &mut s, m);
    }
    texts
}

/// Parses the moves `texts` from `s` up to the first illegal one. Returns only `best` if they do
/// not begin with it.
pub(crate) fn legal_variation<G: Game>(
    g: &G,
    path: &GamePath,
    s: &G::State,
    best: G::Move,
    texts: &[String],
) -> Vec<G::Move> {
    let (mut s, mut path, mut line) = (s.clone(), path.clone(), Vec::new());
    for text in texts {
        let Ok(m) = path.read_legal_move(g, &s, text) else { break };
        path.play(g, &mut s, m);
        line.push(m);
    }
    if line.first() == Some(&best) { line } else { vec![best] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion::games::tictactoe::TicTacToe;

    /// A text player that always gives the same reply and records whether it was dismissed.
    struct ScriptedTextPlayer {
        reply: Result<TextMoveReply, String>,
        dismissed: std::sync::Arc<std::sync::atomic::AtomicBool>,
    }

    impl TextPlayer for ScriptedTextPlayer {
        fn begin(&mut self, game: &str, _seed: u64) {
            assert_eq!(game, "tictactoe");
        }

        fn ask(&mut self, text_request: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
            assert!(text_request.at_start);
            assert_eq!((text_request.state, text_request.legal.len()), (".../.../...", 9));
            self.reply.clone()
        }

        fn dismiss(&mut self) {
            self.dismissed.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn choose_with(
        reply: Result<TextMoveReply, String>,
    ) -> (Result<Choice<u8>, PlayerError>, bool) {
        let dismissed = std::sync::Arc::default();
        let scripted = ScriptedTextPlayer { reply, dismissed: std::sync::Arc::clone(&dismissed) };
        let mut player = TextPlayerAdapter::new("tictactoe", Box::new(scripted));
        let start = TicTacToe.start();
        let choice = player.choose(&MoveRequest::new(&TicTacToe, &start, Budget::UNLIMITED));
        (choice, dismissed.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn reply(play: &str, variation: &[&str]) -> TextMoveReply {
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
    fn a_reply_is_checked_and_its_counts_are_bounded() {
        let (choice, dismissed) = choose_with(Ok(reply("B2", &["b2", "a1", "a1", "c3"])));
        let choice = choice.unwrap();
        assert!(!dismissed);
        assert_eq!((choice.best, choice.nodes), (4, MAX_REPORTED_COUNT));
        let line = choice.best_line().unwrap();
        assert_eq!((line.value, line.variation.len()), (None, 2));
        assert_eq!(choose_with(Ok(reply("b2", &["a1"]))).0.unwrap().lines[0].variation, [4]);
    }

    #[test]
    fn an_illegal_reply_is_an_error_and_dismisses_the_player() {
        let (refused, dismissed) = choose_with(Ok(reply("banana", &[])));
        assert!(dismissed);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "the bot answered \"banana\": not a legal move; legal: a3 b3 c3 a2 b2 c2 a1 b1 c1"
        );
        let (refused, dismissed) = choose_with(Err("it fell silent".to_owned()));
        assert!(!dismissed);
        assert_eq!(refused.unwrap_err().to_string(), "it fell silent");
    }
}
