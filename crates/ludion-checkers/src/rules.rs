//! The rule sets of checkers as data: one value for each point on which national variants
//! differ.
//!
//! Sources: the rules of the world federation FMJD (international, Brazilian, Russian), of
//! the WCDF (English), of the FID (Italian) and of the WFD (Frisian). The third
//! occurrence of a position is a draw where the game is built so. One rule is omitted: the Frisian
//! limit of three consecutive moves with one king. The simple rules
//! are those of *Deep Checker* (Correnson, Martayan and Sourisseau, 2021).

use serde::Serialize;

/// The colour of a side's pieces, as used in FEN and PDN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SideColour {
    /// The white pieces.
    White,
    /// The black pieces.
    Black,
}

/// How far a king moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingRange {
    /// Kings move one square, like men, but in all directions.
    Short,
    /// Kings move any number of empty squares.
    Flying,
}

/// When a man becomes a king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromotionRule {
    /// Men are never promoted; there are no kings.
    Never,
    /// A man is promoted if its move ends on the far row.
    AtMoveEnd,
    /// A man is promoted as soon as it reaches the far row, even during a capture, which it then
    /// continues as a king.
    InPassing,
}

/// Which capture must be chosen if several are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CapturePriority {
    /// Any capture may be chosen, but it must be completed.
    Any,
    /// A capture of the most pieces must be chosen.
    Most,
    /// A capture of the most pieces must be chosen; among these one made by a king, then one of
    /// the most kings, then one that captures kings earliest.
    Italian,
    /// A capture of the highest value must be chosen, where a king counts slightly less than two
    /// men; among these one made by a king.
    Frisian,
}

/// How the dark squares are numbered, seen with the first side at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SquareNumbering {
    /// Squares are numbered from the top left; the top left corner is light.
    Plain,
    /// Squares are numbered from the bottom right: `Plain` turned by 180°, because diagrams of
    /// these rules show the first side at the top.
    Rotated,
    /// Squares are numbered from the top left of the mirrored board, whose top left corner is
    /// dark.
    Mirrored,
}

/// The numbers of consecutive plies, all king moves without a capture, after which the game is
/// drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawLimits {
    /// The limit in all positions that the other limits do not cover.
    pub quiet: u8,
    /// The limit if one side has a king and nothing else, and the other side has three pieces, at
    /// least one of them a king.
    pub three_to_one: u8,
    /// The limit if one side has a king and nothing else, and the other side has one or two pieces,
    /// at least one of them a king.
    pub two_to_one: u8,
}

/// A rule set of checkers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckersRules {
    /// The name of the rule set in specs.
    pub name: &'static str,
    /// The number of squares per side of the usual board.
    pub size: u8,
    /// The colour that moves first.
    pub first: SideColour,
    /// How the squares are numbered in notation.
    pub numbering: SquareNumbering,
    /// The number of the rule set in the PDN tag `GameType`; 0 if it has none.
    pub game_type: u8,
    /// How far kings move.
    pub kings: KingRange,
    /// When men become kings.
    pub promotion: PromotionRule,
    /// Whether men may also capture backwards.
    pub men_capture_backwards: bool,
    /// Whether men may capture kings.
    pub men_capture_kings: bool,
    /// Whether captures are possible along rows and columns as well as diagonally.
    pub orthogonal: bool,
    /// Which capture must be chosen if several are possible.
    pub priority: CapturePriority,
    /// The numbers of king moves without a capture after which a game is drawn.
    pub draws: DrawLimits,
}

const INTERNATIONAL: CheckersRules = CheckersRules {
    name: "international",
    size: 10,
    first: SideColour::White,
    numbering: SquareNumbering::Plain,
    game_type: 20,
    kings: KingRange::Flying,
    promotion: PromotionRule::AtMoveEnd,
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
    numbering: SquareNumbering::Rotated,
    game_type: 21,
    kings: KingRange::Short,
    men_capture_backwards: false,
    priority: CapturePriority::Any,
    draws: DrawLimits { quiet: 80, three_to_one: 80, two_to_one: 80 },
    ..INTERNATIONAL
};

/// The simple rules: international rules on 8×8 without promotion. Games cannot be drawn, and
/// no position can repeat.
pub const SIMPLE: CheckersRules = CheckersRules {
    name: "simple",
    size: 8,
    game_type: 0,
    promotion: PromotionRule::Never,
    draws: DrawLimits { quiet: u8::MAX, three_to_one: u8::MAX, two_to_one: u8::MAX },
    ..INTERNATIONAL
};

/// All rule sets; the first is the default.
pub const ALL: [CheckersRules; 7] = [
    SIMPLE,
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

    /// The names of the rule sets with kings: all but the first.
    pub(crate) const WITH_KINGS: [&'static str; ALL.len() - 1] = {
        let mut names = [""; ALL.len() - 1];
        let mut i = 0;
        while i < names.len() {
            names[i] = ALL[i + 1].name;
            i += 1;
        }
        names
    };

    /// Returns the rule set called `name`; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<CheckersRules> {
        ALL.into_iter().find(|rules| rules.name == name)
    }
}
