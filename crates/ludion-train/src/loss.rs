//! The loss functions, their derivatives, and the predictions that belong to them.

use ludion_players::learn::model::LossFunction;

/// Returns the loss of one output of a network, given the target.
pub(crate) fn loss(kind: LossFunction, output: f64, target: f64) -> f64 {
    match kind {
        LossFunction::Squares => (output - target).powi(2),
        // −t·ln p − (1−t)·ln(1−p) with p = 1/(1+e^−z), in a form that cannot overflow.
        LossFunction::Logistic => output.max(0.0) - output * target + (-output.abs()).exp().ln_1p(),
    }
}

/// Returns the derivative of the loss of one output with respect to the output.
pub(crate) fn derivative(kind: LossFunction, output: f64, target: f64) -> f64 {
    match kind {
        LossFunction::Squares => 2.0 * (output - target),
        LossFunction::Logistic => prediction(kind, output) - target,
    }
}

/// Converts an output of a network to the target that it predicts; the outputs of the logistic loss
/// are log-odds of a probability.
pub(crate) fn prediction(kind: LossFunction, output: f64) -> f64 {
    match kind {
        LossFunction::Squares => output,
        LossFunction::Logistic => 1.0 / (1.0 + (-output).exp()),
    }
}

/// Returns the output with which a network predicts `mean`; with the mean of the targets, this is
/// the output of a network before training.
pub(crate) fn first_output(kind: LossFunction, mean: f64) -> f64 {
    match kind {
        LossFunction::Squares => mean,
        LossFunction::Logistic => {
            let mean = mean.clamp(1e-3, 1.0 - 1e-3);
            (mean / (1.0 - mean)).ln()
        }
    }
}
