//! The record of a self-play game and its binary format. Numbers are variable-length integers;
//! probabilities and values are rounded to 1/10000.

use crate::game::Side;
use crate::learn::policy_value::WdlProbabilities;
use crate::learn::varint::{put, take};
use crate::outcome::Duel;

/// What a full search found out about a state of a self-play game.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchedMove {
    /// The ply of the state, from 0.
    pub ply: usize,
    /// The improved policy: a probability for each legal move, in their order.
    pub policy: Vec<f32>,
    /// The probabilities of the result for the side to move.
    pub value: WdlProbabilities,
}

/// The resignation of a side in a self-play game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resignation {
    /// The side that resigned.
    pub side: Side,
    /// Whether the game was played on, to check the resignation.
    pub played_on: bool,
}

/// A self-play game of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayRecord {
    /// All moves of the game, each as an index in the list of legal moves.
    pub moves: Vec<u16>,
    /// The fully searched states, by ply.
    pub searched: Vec<SearchedMove>,
    /// The outcome of the game, or the one that was proven; a game that reached the ply limit is
    /// drawn.
    pub end: Duel,
    /// The first resignation; `None` if no side resigned.
    pub resignation: Option<Resignation>,
}

/// Error of decoding or replaying a self-play game whose bytes or moves are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the stored game is invalid or has an illegal move")]
pub struct SelfPlayRecordError;

/// The number that stands for the probability 1.
const ONE: f32 = 10_000.0;

fn put_share(out: &mut Vec<u8>, share: f32) {
    put(out, (share.clamp(0.0, 1.0) * ONE).round() as u64);
}

fn take_share(bytes: &mut &[u8]) -> Option<f32> {
    let share = take(bytes)? as f32 / ONE;
    (share <= 1.0).then_some(share)
}

impl SelfPlayRecord {
    /// Appends the bytes of the game to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        put(out, self.moves.len() as u64);
        self.moves.iter().for_each(|&index| put(out, index.into()));
        put(out, self.searched.len() as u64);
        for SearchedMove { ply, policy, value } in &self.searched {
            put(out, *ply as u64);
            put(out, policy.len() as u64);
            policy.iter().for_each(|&p| put_share(out, p));
            put_share(out, value.win);
            put_share(out, value.loss);
        }
        out.push(match self.end {
            Duel::Drawn => 0,
            Duel::Won(Side::First) => 1,
            Duel::Won(Side::Second) => 2,
        });
        out.push(match self.resignation {
            None => 0,
            Some(Resignation { side, played_on }) => {
                1 + 2 * u8::from(played_on) + u8::from(side == Side::Second)
            }
        });
    }

    /// Reads a game from the front of `bytes` and advances `bytes` past it.
    ///
    /// # Errors
    /// When the bytes are not a valid game.
    pub fn take(bytes: &mut &[u8]) -> Result<Self, SelfPlayRecordError> {
        SelfPlayRecord::read(bytes).ok_or(SelfPlayRecordError)
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let moves = take_list(bytes, |bytes| u16::try_from(take(bytes)?).ok())?;
        let searched = take_list(bytes, |bytes| {
            let ply = usize::try_from(take(bytes)?).ok().filter(|&ply| ply < moves.len())?;
            let policy = take_list(bytes, take_share)?;
            let (win, loss) = (take_share(bytes)?, take_share(bytes)?);
            let value = WdlProbabilities { win, draw: (1.0 - win - loss).max(0.0), loss };
            Some(SearchedMove { ply, policy, value })
        })?;
        let [end, resignation] = *bytes.split_off(..2)? else { return None };
        let end = match end {
            0 => Duel::Drawn,
            1 => Duel::Won(Side::First),
            2 => Duel::Won(Side::Second),
            _ => return None,
        };
        let resignation = match resignation {
            0 => None,
            code @ 1..=4 => {
                let side = if code % 2 == 1 { Side::First } else { Side::Second };
                Some(Resignation { side, played_on: code > 2 })
            }
            _ => return None,
        };
        Some(SelfPlayRecord { moves, searched, end, resignation })
    }
}

impl Default for SelfPlayRecord {
    /// Returns the record of a game before its first move.
    fn default() -> Self {
        let (moves, searched) = (Vec::new(), Vec::new());
        SelfPlayRecord { moves, searched, end: Duel::Drawn, resignation: None }
    }
}

/// Reads a list with its length. An entry takes at least a byte, so the length of `bytes` limits the
/// memory that an invalid length can claim.
fn take_list<T>(
    bytes: &mut &[u8],
    mut entry: impl FnMut(&mut &[u8]) -> Option<T>,
) -> Option<Vec<T>> {
    let count = usize::try_from(take(bytes)?).ok().filter(|&count| count <= bytes.len())?;
    (0..count).map(|_| entry(bytes)).collect()
}
