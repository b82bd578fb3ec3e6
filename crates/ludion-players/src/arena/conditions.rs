//! The conditions of a run of games beyond its budget: openings from a list, clocks, adjudication.
//! They are part of the plan, so that a run is repeated from what is stored.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::adjudication::AdjudicationRules;
use super::clock::TimeControl;

/// The conditions of the games of a run; by default games begin at the start position, without clocks
/// and without adjudication.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct GameConditions {
    /// The openings of the games; `None` if all begin at the start position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningList>,
    /// The time of each side; `None` for games without clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// The time by which a side may overstep its clock.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub time_margin: Duration,
    /// When games are ended before their rules end them.
    #[serde(default, skip_serializing_if = "AdjudicationRules::is_empty")]
    pub adjudication: AdjudicationRules,
}

/// The openings of a run. Each is used by a pair of games, so that both players have either seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningList {
    /// Where the openings come from, such as the name of a file.
    pub source: String,
    /// In which order the pairs of games use them.
    pub order: OpeningOrder,
    /// The openings; at least one.
    pub openings: Vec<Opening>,
}

/// The order in which the pairs of games use a list of openings. Meetings of other players use the same
/// openings, unless each pair draws its own.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OpeningOrder {
    /// As the list has them; after the last one it begins again.
    #[default]
    Sequential,
    /// In an order that is drawn with the seed of the run; after the last one it begins again.
    Random,
    /// Each pair of games draws one of them.
    Drawn,
}

impl OpeningOrder {
    /// Returns the word for the order, as it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            OpeningOrder::Sequential => "sequential",
            OpeningOrder::Random => "random",
            OpeningOrder::Drawn => "drawn",
        }
    }
}

/// The beginning of a game: a position, and moves made from there.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// The position in the notation of the game; `None` for the start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves in the notation of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// Error of an opening that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("opening {number}: {reason}")]
pub struct OpeningError {
    /// The number of the opening in its list, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}
