//! Names that 0.1.0 had in this module.
#![deprecated(since = "0.2.0", note = "the module is called `named`")]

pub use crate::named::{
    NamedGame as ListedGame, NamedPlayer as ListedPlayer, NamedRiddle as ListedRiddle,
    PlayerParts as Kit,
};
