//! The rule sets as data: what national games of draughts disagree about, one value each.
//!
//! Sources: the rules of the world federation FMJD (international, Brazilian, Russian), of
//! the WCDF (English), of the FID (Italian) and of the WFD (Frisian). Two things are
//! simplified, since a state does not know its past: repeated positions are not counted, the
//! counters of [`DrawLimits`] stand for them; and the Frisian limit of three moves in a row with
//! one king is left out.

use serde::Serialize;

/// The colour of a side, as FEN and PDN name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SideColour {
    /// White.
    White,
    /// Black.
    Black,
}

/// How far a king goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingRange {
    /// One square, like a man but in all directions.
    Short,
    /// Any number of free squares.
    Flying,
}

/// When a man becomes a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromotionRule {
    /// Never: there are no kings.
    Never,
    /// When its move ends on the far row.
    AtTheEnd,
    /// On touching the far row; it goes on capturing as a king.
    InPassing,
}

/// Which captures must be made where there are several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CapturePriority {
    /// Any, as long as it is carried to its end.
    Any,
    /// The most pieces.
    Most,
    /// The most pieces; then with a king; then the most kings; then the kings earliest.
    Italian,
    /// The most value, a king counting slightly less than two men; then with a king.
    Frisian,
}

/// How the squares are numbered, seen with the first side at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareNumbering {
    /// From the top left, the left square of the top row being light.
    Plain,
    /// From the bottom right: the first side starts at the top of printed boards.
    Turned,
    /// From the top left of a board on which that square is dark.
    Mirrored,
}

/// After how many plies of kings alone, without a capture, the game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawLimits {
    /// In general.
    pub quiet: u8,
    /// With a king against three pieces, one of them a king.
    pub three_to_one: u8,
    /// With a king against two pieces or one, one of them a king.
    pub two_to_one: u8,
}

/// One rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckersRules {
    /// Its name, as people type it.
    pub name: &'static str,
    /// Squares a side of the usual board.
    pub size: u8,
    /// Who moves first.
    pub first: SideColour,
    /// How the squares are numbered.
    pub numbering: SquareNumbering,
    /// Its number in the tag `GameType` of PDN; 0 for none.
    pub game_type: u8,
    /// How far kings go.
    pub kings: KingRange,
    /// When men become kings.
    pub promotion: PromotionRule,
    /// Whether men capture backwards too.
    pub men_capture_backwards: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether captures go along rows and columns too.
    pub orthogonal: bool,
    /// Which captures must be made.
    pub priority: CapturePriority,
    /// When a game is drawn.
    pub draws: DrawLimits,
}

const INTERNATIONAL: CheckersRules = CheckersRules {
    name: "international",
    size: 10,
    first: SideColour::White,
    numbering: SquareNumbering::Plain,
    game_type: 20,
    kings: KingRange::Flying,
    promotion: PromotionRule::AtTheEnd,
    men_capture_backwards: true,
    men_capture_kings: true,
    orthogonal: false,
    priority: CapturePriority::Most,
    draws: DrawLimits { quiet: 50, three_to_one: 32, two_to_one: 10 },
};

const ENGLISH: CheckersRules = CheckersRules {
    name: "english",
    size: 8,
    first: SideColour::Black,
    numbering: SquareNumbering::Turned,
    game_type: 21,
    kings: KingRange::Short,
    men_capture_backwards: false,
    priority: CapturePriority::Any,
    draws: DrawLimits { quiet: 80, three_to_one: 80, two_to_one: 80 },
    ..INTERNATIONAL
};

/// International rules on 64 squares without promotion: no draws, no cycles.
pub const SEED: CheckersRules = CheckersRules {
    name: "simple",
    size: 8,
    game_type: 0,
    promotion: PromotionRule::Never,
    draws: DrawLimits { quiet: u8::MAX, three_to_one: u8::MAX, two_to_one: u8::MAX },
    ..INTERNATIONAL
};

/// Every rule set, the default first.
pub const ALL: [CheckersRules; 7] = [
    SEED,
    CheckersRules {
        name: "brazilian",
        size: 8,
        game_type: 26,
        draws: DrawLimits { quiet: 40, three_to_one: 40, two_to_one: 10 },
        ..INTERNATIONAL
    },
    CheckersRules {
        name: "russian",
        size: 8,
        game_type: 25,
        promotion: PromotionRule::InPassing,
        priority: CapturePriority::Any,
        draws: DrawLimits { quiet: 30, three_to_one: 30, two_to_one: 10 },
        ..INTERNATIONAL
    },
    ENGLISH,
    CheckersRules {
        name: "italian",
        first: SideColour::White,
        numbering: SquareNumbering::Mirrored,
        game_type: 22,
        men_capture_kings: false,
        priority: CapturePriority::Italian,
        ..ENGLISH
    },
    INTERNATIONAL,
    CheckersRules {
        name: "frisian",
        game_type: 40,
        orthogonal: true,
        priority: CapturePriority::Frisian,
        draws: DrawLimits { quiet: 50, three_to_one: 50, two_to_one: 14 },
        ..INTERNATIONAL
    },
];

impl CheckersRules {
    /// The names of all rule sets, in the order of [`ALL`].
    pub const NAMES: [&'static str; ALL.len()] = {
        let mut names = [""; ALL.len()];
        let mut i = 0;
        while i < names.len() {
            names[i] = ALL[i].name;
            i += 1;
        }
        names
    };

    /// The rule set of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<CheckersRules> {
        ALL.into_iter().find(|rules| rules.name == name)
    }
}
