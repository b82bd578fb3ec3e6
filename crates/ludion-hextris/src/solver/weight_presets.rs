//! Presets of evaluation weights, found by tuning or by hand, which beam search tries first on an
//! unknown problem; and random changes of weights.

use super::evaluation::BoardWeights;
use super::tuning::TUNABLE_WEIGHTS;
use ludion_core::random::Rng;

/// Evaluation weights without relief, each suited to some kind of problem; tuning starts from them.
pub const WEIGHT_PRESETS: [BoardWeights; 5] = [
    // For boards of all sizes and all kinds of units.
    BoardWeights {
        descent: 5.0,
        height: 47.0,
        steepness: 2.18,
        relief: 0.0,
        room: 0.9,
        buried: 5.2,
        sealed: 1.13,
        covered: 5.6,
        leaning: 1.23,
        lone: 5.0,
        change: 5.6,
        fullness: 14.4,
        eagerness: 4.3,
        clear: -42.0,
        horizon: 12.5,
    },
    // For small boards with small units, where covered cells are soon open again.
    BoardWeights {
        descent: 5.0,
        height: 20.0,
        steepness: 2.0,
        relief: 0.0,
        room: 0.5,
        buried: 8.0,
        sealed: 12.0,
        covered: 8.0,
        leaning: 1.0,
        lone: 4.0,
        change: 3.0,
        fullness: 20.0,
        eagerness: 3.0,
        clear: 0.0,
        horizon: 10.0,
    },
    // For large units mixed with single cells.
    BoardWeights {
        descent: 5.0,
        height: 40.0,
        steepness: 3.7,
        relief: 0.0,
        room: 1.5,
        buried: 1.7,
        sealed: 3.8,
        covered: 7.6,
        leaning: 0.9,
        lone: 3.6,
        change: 2.6,
        fullness: 17.0,
        eagerness: 8.0,
        clear: 6.0,
        horizon: 29.0,
    },
    // Rows are kept nearly full until two or more are cleared at once, which earns 150 points per
    // row.
    BoardWeights { clear: -140.0, ..PATIENT },
    PATIENT,
];

/// Evaluation weights that the solver tries first, in this order.
pub const SOLVER_PRESETS: [BoardWeights; 7] = {
    let [general, small, mixed, doubles, triples] = WEIGHT_PRESETS;
    [LOW_STACK, general, small, mixed, doubles, triples, OVERHANGS]
};

/// Evaluation weights that the solver tries first in a game without phrases, in this order.
pub const SOLVER_PRESETS_WITHOUT_PHRASES: [BoardWeights; 8] = {
    let [low_stack, general, small, mixed, doubles, triples, overhangs] = SOLVER_PRESETS;
    [low_stack, OBSTACLES_FIRST, general, small, mixed, doubles, triples, overhangs]
};

/// Weights for boards of all sizes, in long games above all: full rows are taken for empty ones, so that
/// the stack stays low.
const LOW_STACK: BoardWeights = BoardWeights {
    descent: 5.0,
    height: 47.0,
    steepness: 0.74,
    relief: 0.66,
    room: 0.9,
    buried: 4.8,
    sealed: 1.1,
    covered: 6.2,
    leaning: 1.3,
    lone: 2.4,
    change: 5.0,
    fullness: 12.7,
    eagerness: 2.8,
    clear: -43.0,
    horizon: 13.7,
};

/// Weights for single cells among large units, under overhangs that have to be cleared away.
const OVERHANGS: BoardWeights = BoardWeights {
    descent: 5.0,
    height: 33.0,
    steepness: 0.38,
    relief: 1.2,
    room: 0.47,
    buried: 1.4,
    sealed: 0.8,
    covered: 2.8,
    leaning: 0.9,
    lone: 3.8,
    change: 0.25,
    fullness: 13.3,
    eagerness: 5.7,
    clear: 0.2,
    horizon: 30.0,
};

/// Weights for obstacles high on the board where descents are worth nothing: full cells cost less the
/// higher they are, so that rows with obstacles are filled and cleared from the top.
const OBSTACLES_FIRST: BoardWeights = BoardWeights {
    descent: 0.0,
    height: 39.0,
    steepness: -0.93,
    relief: 1.0,
    room: 0.0,
    buried: 0.56,
    sealed: 0.62,
    covered: 5.1,
    leaning: 0.3,
    lone: -0.3,
    change: 2.8,
    fullness: 0.53,
    eagerness: 2.5,
    clear: -24.0,
    horizon: 10.4,
};

/// Weights with which rows are kept nearly full until three or more are cleared at once: the
/// penalty of 180 points per cleared row exceeds the 150 per row that two rows earn, but not the
/// 200 of three.
const PATIENT: BoardWeights = BoardWeights {
    descent: 5.0,
    height: 25.0,
    steepness: 4.2,
    relief: 0.0,
    room: 0.4,
    buried: 0.7,
    sealed: 0.8,
    covered: 7.2,
    leaning: 0.9,
    lone: 1.4,
    change: 1.1,
    fullness: 13.3,
    eagerness: 10.0,
    clear: -180.0,
    horizon: 7.0,
};

/// Number of units up to which the presets are right; for longer games they are multiplied.
const UNSCALED_UNITS: usize = 400;
/// Greatest factor of [`BoardWeights::for_length`].
const MAX_LENGTH_FACTOR: f64 = 4.0;

impl BoardWeights {
    /// Returns a copy in which weights are changed at random: some tunable ones mostly by less than half
    /// of their values, all together by a factor, or `relief`. `descent` stays unchanged.
    #[must_use]
    pub fn perturbed(&self, rng: &mut Rng) -> Self {
        let mut weights = *self;
        let mut changed = false;
        while !changed {
            for weight in weights.tunable_mut() {
                if rng.unit() < 0.3 {
                    let up = (rng.unit() + rng.unit() - 1.0) as f32;
                    // The minimum of 0.5 lets weights near zero grow.
                    *weight += up * weight.abs().max(0.5);
                    changed = true;
                }
            }
            if rng.unit() < 0.2 {
                weights = weights.multiplied((2.0 * rng.unit() - 1.0).exp2() as f32);
                changed = true;
            }
            if rng.unit() < 0.2 {
                weights.relief = (1.5 * rng.unit() - 0.25).max(0.0) as f32;
                changed = true;
            }
        }
        weights
    }

    /// Returns the weights for a game of `units` units: in a long game the board matters longer, so it is
    /// worth more points.
    #[must_use]
    pub fn for_length(&self, units: usize) -> Self {
        let longer = (units as f64 / UNSCALED_UNITS as f64).clamp(1.0, MAX_LENGTH_FACTOR);
        self.multiplied(longer as f32)
    }

    /// Returns the weights with everything that the board is worth multiplied by `factor`.
    fn multiplied(&self, factor: f32) -> Self {
        let mut weights = *self;
        let BoardWeights { steepness, eagerness, horizon, .. } = weights;
        for weight in weights.tunable_mut() {
            *weight *= factor;
        }
        BoardWeights { steepness, eagerness, horizon, ..weights }
    }

    /// Returns references to the tunable weights: all fields but `descent`, in their order.
    pub(super) fn tunable_mut(&mut self) -> [&mut f32; TUNABLE_WEIGHTS] {
        [
            &mut self.height,
            &mut self.steepness,
            &mut self.room,
            &mut self.buried,
            &mut self.sealed,
            &mut self.covered,
            &mut self.leaning,
            &mut self.lone,
            &mut self.change,
            &mut self.fullness,
            &mut self.eagerness,
            &mut self.clear,
            &mut self.horizon,
        ]
    }
}
