//! The weights of a pattern model whose phases have weights of their own.

use super::PatternModel;
use super::evaluator::set_bits;
use crate::grid::PieceBitboards;

/// The weights of all phases, stored so that the content of a pattern leads directly to its weight.
#[derive(Clone, Debug)]
pub(super) struct PhasedWeights {
    /// The weight of each content of each pattern, pattern after pattern and phase after phase.
    entries: Vec<i16>,
    /// Number of pattern weights per phase in `entries`.
    stride: usize,
    phases: Vec<PhaseWeights>,
    /// The phase of a state by its number of pieces, from 0 to 64; each phase has its own weights.
    phase_of: [u8; 65],
}

/// The weights of one phase that belong to kings and piece counts, not to patterns.
#[derive(Clone, Debug)]
struct PhaseWeights {
    /// The weights of own kings and of the opponent's kings by the bit of their cell.
    kings: [Vec<i32>; 2],
    /// The weights of each own man, opponent's man, own king and opponent's king, and the weight of
    /// being the side to move.
    counts: [i32; 5],
}

impl PhasedWeights {
    pub(super) fn new(model: &PatternModel) -> Self {
        let layout = &model.layout;
        let stride = *layout.offsets().last().expect("offsets begin with 0") as usize;
        let mut entries = Vec::with_capacity(stride * layout.phases as usize);
        let per_phase = layout.weights_per_phase() as usize;
        let mut phases = Vec::new();
        for weights in model.weights.chunks_exact(per_phase) {
            let weight = |entry| layout.tied_weight(entry).of(weights);
            entries.extend((0..stride as u32).map(weight));
            phases.push(PhaseWeights::new(model, weights));
        }
        let mut phase_of = [0; 65];
        for (pieces, phase) in phase_of.iter_mut().enumerate() {
            *phase = layout.phase(pieces as u32) as u8;
        }
        PhasedWeights { entries, stride, phases, phase_of }
    }

    #[inline]
    fn phase(&self, pieces: &PieceBitboards) -> usize {
        self.phase_of[pieces.count() as usize].into()
    }

    /// Returns the weights of all contents of all patterns in the phase of these pieces.
    #[inline]
    pub(super) fn entries(&self, pieces: &PieceBitboards) -> &[i16] {
        &self.entries[self.phase(pieces) * self.stride..][..self.stride]
    }

    /// Returns the sum of the weights of kings, piece counts and having the move.
    #[inline]
    pub(super) fn piece_sum(&self, pieces: &PieceBitboards) -> i32 {
        let phase = &self.phases[self.phase(pieces)];
        let PieceBitboards { men, kings } = pieces;
        let [mine, theirs, my_kings, their_kings, having_the_move] = phase.counts;
        let mut sum = having_the_move
            + mine * men[0].count_ones() as i32
            + theirs * men[1].count_ones() as i32;
        if kings[0] | kings[1] != 0 {
            for (side, each) in [(0, my_kings), (1, their_kings)] {
                sum += each * kings[side].count_ones() as i32;
                sum += set_bits(kings[side]).map(|bit| phase.kings[side][bit]).sum::<i32>();
            }
        }
        sum
    }
}

impl PhaseWeights {
    /// Returns the weights of one phase, given all weights of the phase.
    fn new(model: &PatternModel, weights: &[i16]) -> Self {
        let layout = &model.layout;
        let kings = [0, 1].map(|side| {
            let mut by_bit = vec![0; 64];
            let cells = &layout.board.cells;
            for (i, place) in cells.iter().enumerate().filter(|_| layout.board.kings) {
                let weight = layout.first_king_weight() as usize + side * cells.len() + i;
                by_bit[usize::from(place.bit)] = weights[weight].into();
            }
            by_bit
        });
        let mut counts = [0; 5];
        let first = layout.first_count_weight() as usize;
        for (count, &weight) in counts.iter_mut().zip(&weights[first..]) {
            *count = weight.into();
        }
        PhaseWeights { kings, counts }
    }
}
