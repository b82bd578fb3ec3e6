//! Who sits at a game: a person at the keyboard or a player of the registry, by name.

use ludion::game::Side;
use ludion::notation::nearest;
use ludion::param::{Args, Spec};
use ludion::random::derive_seed;
use ludion::registry::{AnyGame, AnyPlayer, Error, GameEntry, PlayerInfo};

use crate::failure::Failure;

/// The person, listed among the players of every game.
pub(crate) const HUMAN: PlayerInfo =
    PlayerInfo { name: "human", help: "you, at the keyboard", params: &[], spends: &[] };

/// Who moves for one side.
pub(crate) enum Seat {
    /// A person at the keyboard.
    Person,
    /// A player of the registry.
    Player(Box<dyn AnyPlayer>),
}

impl Seat {
    /// Whom `text` names, seeded for `side` of the first game of a run.
    pub(crate) fn new(
        game: &dyn AnyGame,
        entry: &GameEntry,
        text: &str,
        (seed, side): (u64, Side),
    ) -> Result<Self, Failure> {
        let spec = Spec::parse(text).map_err(Error::from)?;
        if spec.name == HUMAN.name {
            Args::new(HUMAN.name, HUMAN.params, &spec).map_err(Error::from)?;
            return Ok(Seat::Person);
        }
        let mut player = game.player(text).map_err(|error| with_human(error, entry))?;
        player.begin(derive_seed(seed, &[0, side.index() as u64]));
        Ok(Seat::Player(player))
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        match self {
            Seat::Person => HUMAN.name,
            Seat::Player(player) => player.spec(),
        }
    }

    /// Whether a person sits there.
    pub(crate) fn is_person(&self) -> bool {
        matches!(self, Seat::Person)
    }
}

/// The registry knows no person; whoever mistypes one should hear of it.
fn with_human(error: Error, entry: &GameEntry) -> Error {
    let Error::Unknown { what, name, .. } = error else { return error };
    let known: Vec<&str> = std::iter::once(&HUMAN).chain(entry.players()).map(|p| p.name).collect();
    let meant = nearest(&name, known.iter().copied()).into_iter().map(str::to_owned).collect();
    Error::Unknown { what, name, meant, known: known.join(", ") }
}
