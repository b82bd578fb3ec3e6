//! Players of the registry that answer in text. They know no game, so one of them sits down
//! at every game; how their text travels is the business of whoever adds them.

use std::sync::Arc;

use super::entry::PlayerInfo;
use crate::param::{Args, ParamError, Spec};
use crate::players::text_player::{TextPlayer, TextPlayerAdapter};

/// Makes a voice of its parameters. It is not to begin any work before it is asked.
pub type MakeTextPlayer = dyn Fn(&Args) -> Result<Box<dyn TextPlayer>, ParamError> + Send + Sync;

/// A voice under its name: what [`Registry::with_text_player`](super::Registry::with_voice) takes.
#[derive(Clone)]
pub struct NamedTextPlayer {
    /// Its name, help and parameters.
    pub info: PlayerInfo,
    /// Makes one.
    pub make: Arc<MakeTextPlayer>,
}

impl NamedTextPlayer {
    /// The player with the parameters of `spec`, for the game that `game` names.
    pub(super) fn build(
        &self,
        game: &str,
        spec: &Spec,
    ) -> Result<(Args, TextPlayerAdapter), ParamError> {
        let args = Args::new(self.info.name, self.info.params, spec)?;
        let remote = TextPlayerAdapter::new(game, (self.make)(&args)?);
        Ok((args, remote))
    }
}

/// The voices of a registry; every game made by it holds them.
#[derive(Clone, Default)]
pub(super) struct TextPlayers(Arc<Vec<NamedTextPlayer>>);

impl TextPlayers {
    pub(super) fn iter(&self) -> impl Iterator<Item = &NamedTextPlayer> + Clone {
        self.0.iter()
    }

    pub(super) fn find(&self, name: &str) -> Option<&NamedTextPlayer> {
        self.iter().find(|text_player| text_player.info.name == name)
    }

    /// Adds a voice; one of the same name is replaced.
    pub(super) fn add(&mut self, text_player: NamedTextPlayer) {
        let text_players = Arc::make_mut(&mut self.0);
        text_players.retain(|known| known.info.name != text_player.info.name);
        text_players.push(text_player);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tictactoe::TicTacToe;
    use crate::param::Param;
    use crate::player::{Budget, NoObserver};
    use crate::players::text_player::{TextMoveReply, TextMoveRequest};
    use crate::registry::{GameBuilder, Registry};

    /// Plays the last legal move.
    struct LastMovePlayer;

    impl TextPlayer for LastMovePlayer {
        fn begin(&mut self, _game: &str, _seed: u64) {}

        fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
            let play = question.legal.last().expect("a move while the game runs").clone();
            Ok(TextMoveReply { play, ..TextMoveReply::default() })
        }

        fn dismiss(&mut self) {}
    }

    const PARAMS: &[Param] = &[Param::text("cmd", "", "a text")];

    #[test]
    fn a_voice_sits_at_every_game_also_those_added_later_and_keeps_its_text_quoted() {
        let info = PlayerInfo { name: "last", help: "the last move", params: PARAMS, spends: &[] };
        let text_player =
            NamedTextPlayer { info, make: Arc::new(|_| Ok(Box::new(LastMovePlayer))) };
        let registry = Registry::standard()
            .with_text_player(text_player)
            .with(GameBuilder::<TicTacToe>::duel());
        for entry in registry.games() {
            assert!(entry.players().iter().any(|player| player.name == "last"), "{}", entry.name);
            let game = registry.game(entry.name).unwrap();
            let mut player = game.player(r#"last("a --x=1, 2 \"b\"")"#).unwrap();
            assert_eq!(player.spec(), r#"last(cmd="a --x=1, 2 \"b\"")"#);
            let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
            assert_eq!(Some(&choice.best), game.start().moves().last());
            let seats = ["last".to_owned(), "random".to_owned()];
            assert_eq!(game.referee(&seats).is_ok(), !entry.puzzle, "{}", entry.name);
        }
        let error = registry.game("dice").unwrap().player("lst").err().unwrap().to_string();
        assert!(error.contains("did you mean last?"), "{error}");
    }
}
