//! The optimiser Adam (Kingma & Ba, 2015): a step is the running mean of the gradient divided by
//! the root of the running mean of its square, both with bias correction.

/// The decay rate β₁ of the mean of the gradient.
const BETA1: f32 = 0.9;
/// The decay rate β₂ of the mean of the squared gradient.
const BETA2: f32 = 0.999;
/// The term ε of the denominator that keeps steps finite.
const EPSILON: f32 = 1e-8;

/// The bias correction of Adam, which depends on the number of steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AdamStepSize {
    /// The powers β₁ᵗ and β₂ᵗ after t steps.
    pub(crate) beta_powers: [f64; 2],
}

impl Default for AdamStepSize {
    fn default() -> Self {
        AdamStepSize { beta_powers: [1.0; 2] }
    }
}

impl AdamStepSize {
    /// Advances to the next step and returns its step size: the learning rate with the bias
    /// correction.
    pub(crate) fn advance(&mut self, rate: f64) -> f32 {
        self.beta_powers[0] *= f64::from(BETA1);
        self.beta_powers[1] *= f64::from(BETA2);
        (rate * (1.0 - self.beta_powers[1]).sqrt() / (1.0 - self.beta_powers[0])) as f32
    }
}

/// The moments of Adam for a list of parameters: the running means of their gradients and of the
/// squared gradients.
#[derive(Clone, Debug)]
pub(crate) struct AdamMoments {
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl AdamMoments {
    /// Returns the moments of `count` parameters, all zero.
    pub(crate) fn new(count: usize) -> Self {
        AdamMoments { means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// Updates the moments with the gradient, then the parameters by one step.
    pub(crate) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], step_size: f32) {
        adam_step(parameters, gradient, [&mut self.means, &mut self.squares], step_size, 1.0);
    }
}

/// Updates the moments, the means of the gradient and of its square, then the parameters by one step
/// of Adam. Before that the parameters are multiplied by `kept`, which is 1 without weight decay.
/// Parameters of 0 whose gradient was always 0, as in padding, do not change.
pub(crate) fn adam_step(
    parameters: &mut [f32],
    gradient: &[f32],
    [means, squares]: [&mut [f32]; 2],
    step_size: f32,
    kept: f32,
) {
    let moments = means.iter_mut().zip(squares);
    for ((p, &g), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
        *mean = BETA1 * *mean + (1.0 - BETA1) * g;
        *square = BETA2 * *square + (1.0 - BETA2) * (g * g);
        *p = kept * *p - step_size * *mean / (square.sqrt() + EPSILON);
    }
}
