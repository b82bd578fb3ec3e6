//! What is made small, and its slope at the output.

use ludion::learn::model::LossFunction;

/// The loss of an output.
pub(crate) fn loss(kind: LossFunction, output: f64, target: f64) -> f64 {
    match kind {
        LossFunction::Squares => (output - target).powi(2),
        // −t·ln p − (1−t)·ln(1−p) with p = 1/(1+e^−z), in a form that cannot overflow.
        LossFunction::Logistic => output.max(0.0) - output * target + (-output.abs()).exp().ln_1p(),
    }
}

/// The slope of the loss at an output.
pub(crate) fn slope(kind: LossFunction, output: f64, target: f64) -> f64 {
    match kind {
        LossFunction::Squares => 2.0 * (output - target),
        LossFunction::Logistic => prediction(kind, output) - target,
    }
}

/// What an output says of the target.
pub(crate) fn prediction(kind: LossFunction, output: f64) -> f64 {
    match kind {
        LossFunction::Squares => output,
        LossFunction::Logistic => 1.0 / (1.0 + (-output).exp()),
    }
}

/// The output that says the mean of the targets, to begin with.
pub(crate) fn first_output(kind: LossFunction, mean: f64) -> f64 {
    match kind {
        LossFunction::Squares => mean,
        LossFunction::Logistic => {
            let mean = mean.clamp(1e-3, 1.0 - 1e-3);
            (mean / (1.0 - mean)).ln()
        }
    }
}
