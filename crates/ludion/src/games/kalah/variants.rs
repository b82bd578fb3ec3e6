//! The variants of Kalah: what is captured, when a game ends, and which side gets the seeds that are
//! left; and the parameters with which users choose them.

use super::Kalah;
use super::sowing::MAX_HOUSES;
use crate::named::NamedGame;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;

/// When the last seed of a move captures. It must have fallen into an own house that was empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureRule {
    /// If the opposite house has seeds, these and the last seed are captured.
    Opposite,
    /// The last seed is captured even if the opposite house is empty.
    EmptyToo,
    /// Nothing is captured.
    Never,
}

/// When a game ends for lack of seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndRule {
    /// As soon as all houses of either side are empty.
    Either,
    /// When all houses of the side to move are empty.
    Mover,
}

/// Which side gets the seeds that are left in the houses at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemainingSeedsRule {
    /// The side on whose houses they are.
    Owner,
    /// The other side, whose houses are empty.
    Opponent,
    /// Neither side.
    Neither,
}

impl Kalah {
    /// The game with 6 houses on each side, 4 seeds in each, and the usual rules.
    pub const STANDARD: Kalah = Kalah {
        houses: 6,
        seeds: 4,
        capture: CaptureRule::Opposite,
        end: EndRule::Either,
        rest: RemainingSeedsRule::Owner,
        majority: false,
        relay: false,
    };
}

impl NamedGame for Kalah {
    const NAME: &'static str = "kalah";
    const TITLE: &'static str = "Kalah";
    const RULES: &'static str = "Take all seeds of one of your houses and sow them one by one counter-clockwise, into your \
        store but not into your opponent's. A last seed in your store gives you another move; a last \
        seed in your own empty house captures the seeds opposite. The player with more seeds in the \
        end wins.";
    const HELP: &'static str = "sow seeds around the board; capture more than the other side";
    const PARAMS: &'static [Param] = &[
        Param::int("houses", 6, 1, MAX_HOUSES as i64, "houses on each side"),
        Param::int("seeds", 4, 1, 12, "seeds in each house at the start"),
        Param::choice(
            "capture",
            &["opposite", "empty", "none"],
            "a last seed in an own empty house captures: if there are seeds opposite; always; never",
        ),
        Param::choice(
            "end",
            &["either", "mover"],
            "the game ends when the houses of either side are empty, or those of the side to move",
        ),
        Param::choice(
            "rest",
            &["owner", "opponent", "neither"],
            "the side that gets the seeds left in the houses at the end",
        ),
        Param::flag("majority", "the game ends as soon as a side has more than half of the seeds"),
        Param::flag("relay", "a last seed in a house with seeds is sown on with them"),
    ];
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["kalah(4, 3, majority)", "kalah(3, 2, empty, mover)", "kalah(1, 3)"],
    )];
    const EXAMPLES: &'static [&'static str] = &[
        "kalah",
        "kalah(4, 3, majority)",
        "kalah(3, 2, empty, mover)",
        "kalah(6, 6, none, rest=opponent)",
        "kalah(7, 12, relay, rest=neither)",
        "kalah(1, 3)",
    ];

    fn build(args: &Args) -> Result<Self, ParamError> {
        Ok(Kalah {
            houses: args.size("houses") as u32,
            seeds: args.size("seeds") as u32,
            capture: match args.text("capture") {
                "opposite" => CaptureRule::Opposite,
                "empty" => CaptureRule::EmptyToo,
                _ => CaptureRule::Never,
            },
            end: if args.text("end") == "either" { EndRule::Either } else { EndRule::Mover },
            rest: match args.text("rest") {
                "owner" => RemainingSeedsRule::Owner,
                "opponent" => RemainingSeedsRule::Opponent,
                _ => RemainingSeedsRule::Neither,
            },
            majority: args.flag("majority"),
            relay: args.flag("relay"),
        })
    }
}
