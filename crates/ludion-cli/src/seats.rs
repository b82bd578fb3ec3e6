//! Players of the two sides: a person at the keyboard, or a player of the registry by name.

use std::borrow::Cow;

use ludion::game::Side;
use ludion::named::PlayerScope;
use ludion::notation::nearest;
use ludion::param::Spec;
use ludion::random::derive_seed;
use ludion::registry::{AnyGame, AnyPlayer, GameEntry, PlayerInfo, RegistryError};

use crate::failure::CommandFailure;

/// Description of the human player, which is listed with the players of every game.
pub(crate) static HUMAN: PlayerInfo = PlayerInfo {
    name: Cow::Borrowed("human"),
    help: Cow::Borrowed("you, at the keyboard"),
    params: Cow::Borrowed(&[]),
    spends: Cow::Borrowed(&[]),
    aliases: Cow::Borrowed(&[]),
    overrides: Cow::Borrowed(&[]),
    hazards: Cow::Borrowed(&[]),
    quick: None,
    scope: PlayerScope::AllGames,
};

/// Player of one side.
pub(crate) enum SeatPlayer {
    /// A person at the keyboard.
    Person,
    /// A player of the registry.
    Player {
        /// The player that chooses the moves.
        player: Box<dyn AnyPlayer>,
        /// The name that the player gives itself, as a bot does.
        own_name: Option<String>,
    },
}

impl SeatPlayer {
    /// Makes the player that the spec `text` names, seeded as `side` of game 0 of a run with this
    /// seed.
    pub(crate) fn new(
        game: &dyn AnyGame,
        entry: &GameEntry,
        text: &str,
        (seed, side): (u64, Side),
    ) -> Result<Self, CommandFailure> {
        let spec = Spec::parse(text).map_err(RegistryError::from)?;
        if spec.name == HUMAN.name {
            HUMAN.args(&spec).map_err(RegistryError::from)?;
            return Ok(SeatPlayer::Person);
        }
        let mut player = game.player(text).map_err(|error| with_human(error, entry))?;
        let own_name = player.own_name();
        player.begin(derive_seed(seed, &[0, side.index() as u64]));
        Ok(SeatPlayer::Player { player, own_name })
    }

    /// Returns the spec of the player, or `human`.
    pub(crate) fn spec(&self) -> &str {
        match self {
            SeatPlayer::Person => &HUMAN.name,
            SeatPlayer::Player { player, .. } => player.spec(),
        }
    }

    /// Returns the name that the player gives itself, otherwise its spec, or `human`.
    pub(crate) fn name(&self) -> &str {
        match self {
            SeatPlayer::Player { own_name: Some(name), .. } => name,
            _ => self.spec(),
        }
    }

    /// Returns whether a person plays this side.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, SeatPlayer::Person)
    }
}

/// Adds `human` to the known names in an error message, because the registry does not know it.
fn with_human(error: RegistryError, entry: &GameEntry) -> RegistryError {
    let RegistryError::Unknown { what, name, .. } = error else { return error };
    let known: Vec<&str> =
        std::iter::once(&HUMAN).chain(entry.players()).map(|p| &*p.name).collect();
    let meant = nearest(&name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    RegistryError::Unknown { what, name, meant, known: known.join(", ") }
}
