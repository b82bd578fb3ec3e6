//! The weights of a balanced pattern model. Between two phases they are interpolated by the number of
//! pieces, so both weights of a content are stored side by side:
//!
//! ```text
//! v = ((1 − t)·Σ w₀ + t·Σ w₁) / draw divisor        t the share of the later phase
//! ```

use super::PatternModel;
use super::evaluator::set_bits;
use super::layout::BALANCED_COUNTS;
use crate::grid::{Balance, MAX_BALANCE_FEATURES, PieceBitboards};

/// Number of steps between two phases.
const BLEND_STEPS: i64 = 4096;

/// The weights of neighbouring phases, stored so that the content of a pattern leads directly to
/// them.
#[derive(Clone, Debug)]
pub(super) struct BlendedWeights {
    /// The weights of each content of each pattern in a phase and in the next one, pattern after
    /// pattern and phase after phase.
    entries: Vec<[i16; 2]>,
    /// Number of entries per phase.
    stride: usize,
    phases: Vec<PieceWeights>,
    /// The phase by the number of pieces, from 0 to 64, and the share of the next phase in
    /// [`BLEND_STEPS`].
    blend: [(u8, u16); 65],
}

/// The weights of one phase and the next one that do not belong to patterns.
#[derive(Clone, Debug)]
struct PieceWeights {
    /// The weights of own kings and of the opponent's kings by the bit of their cell.
    kings: [Vec<[i32; 2]>; 2],
    /// The weights of each man more than the opponent has, of each king, and of having a king at all.
    counts: [[i32; 2]; BALANCED_COUNTS as usize],
    /// The weights of the features of the balance.
    features: [[i32; 2]; MAX_BALANCE_FEATURES],
    having_the_move: [i32; 2],
}

impl BlendedWeights {
    pub(super) fn new(model: &PatternModel) -> Self {
        let layout = &model.layout;
        let stride = *layout.offsets().last().expect("offsets begin with 0") as usize;
        let chunks: Vec<&[i16]> =
            model.weights.chunks_exact(layout.weights_per_phase() as usize).collect();
        let (mut entries, mut phases) = (Vec::new(), Vec::new());
        for (i, &weights) in chunks.iter().enumerate().take(chunks.len().max(2) - 1) {
            let both = [weights, chunks.get(i + 1).unwrap_or(&weights)];
            entries.extend((0..stride as u32).map(|entry| {
                let tied = layout.tied_weight(entry);
                both.map(|weights| tied.of(weights))
            }));
            phases.push(PieceWeights::new(model, both));
        }
        let mut blend = [(0, 0); 65];
        for (pieces, blend) in blend.iter_mut().enumerate() {
            let (phase, share) = layout.blend(pieces as u32);
            *blend = (phase as u8, (share * BLEND_STEPS as f32) as u16);
        }
        BlendedWeights { entries, stride, phases, blend }
    }

    #[inline]
    fn blend(&self, pieces: &PieceBitboards) -> (usize, i64) {
        let (phase, share) = self.blend[pieces.count() as usize];
        (phase.into(), share.into())
    }

    /// Returns the weights of all contents of all patterns in the phases of these pieces.
    #[inline]
    pub(super) fn entries(&self, pieces: &PieceBitboards) -> &[[i16; 2]] {
        &self.entries[self.blend(pieces).0 * self.stride..][..self.stride]
    }

    /// Returns the log-odds of a state in multiples of [`UNIT`](super::UNIT); `sums` are the sums of
    /// its pattern weights in both phases.
    #[inline]
    pub(super) fn log_odds(
        &self,
        mut sums: [i32; 2],
        pieces: &PieceBitboards,
        balance: &Balance,
    ) -> i32 {
        let (phase, share) = self.blend(pieces);
        self.phases[phase].add_to(&mut sums, pieces, balance);
        let blended = i64::from(sums[0]) * (BLEND_STEPS - share) + i64::from(sums[1]) * share;
        (blended / (BLEND_STEPS * i64::from(balance.draw_divisor))) as i32
    }
}

impl PieceWeights {
    /// Returns the weights of a phase and the next one, given all weights of both.
    fn new(model: &PatternModel, both: [&[i16]; 2]) -> Self {
        let layout = &model.layout;
        let weight = |index: usize| both.map(|weights| i32::from(weights[index]));
        let cells = &layout.board.cells;
        let mut kings = [vec![[0; 2]; 64], vec![[0; 2]; 64]];
        for (i, place) in cells.iter().enumerate().filter(|_| layout.board.kings) {
            let own = weight(layout.first_king_weight() as usize + i);
            kings[0][usize::from(place.bit)] = own;
            // The cells are in the order of rows, so the rotated board has them in reverse.
            let rotated = cells[cells.len() - 1 - i].bit;
            kings[1][usize::from(rotated)] = own.map(|weight| -weight);
        }
        let first = layout.first_count_weight() as usize;
        let features = first + BALANCED_COUNTS as usize;
        let used = layout.balance_features() as usize;
        PieceWeights {
            kings,
            counts: std::array::from_fn(|i| weight(first + i)),
            features: std::array::from_fn(|i| if i < used { weight(features + i) } else { [0; 2] }),
            having_the_move: weight(features + used),
        }
    }

    /// Adds the weights of kings, piece counts, the balance and having the move to `sums`.
    #[inline]
    fn add_to(&self, sums: &mut [i32; 2], pieces: &PieceBitboards, balance: &Balance) {
        let PieceBitboards { men, kings } = pieces;
        let mut add = |weights: [i32; 2], by: i32| {
            sums[0] += weights[0] * by;
            sums[1] += weights[1] * by;
        };
        add(self.having_the_move, 1);
        for (weights, by) in self.counts.into_iter().zip(piece_differences(pieces)) {
            add(weights, by);
        }
        for (weights, by) in self.features.into_iter().zip(balance.features) {
            add(weights, by.into());
        }
        if kings[0] | kings[1] != 0 {
            for side in [0, 1] {
                set_bits(kings[side]).for_each(|bit| add(self.kings[side][bit], 1));
            }
        }
        debug_assert!(men[0] & men[1] == 0, "a cell has one piece");
    }
}

/// Returns how many men and kings the side to move has more than the opponent, and the difference
/// that having a king at all makes.
#[inline]
pub(super) fn piece_differences(pieces: &PieceBitboards) -> [i32; BALANCED_COUNTS as usize] {
    let PieceBitboards { men, kings } = pieces;
    let difference = |sets: &[u64; 2]| sets[0].count_ones() as i32 - sets[1].count_ones() as i32;
    let has = |set: u64| i32::from(set != 0);
    [difference(men), difference(kings), has(kings[0]) - has(kings[1])]
}
