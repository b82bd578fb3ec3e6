//! Adam (Kingma & Ba, 2015): steps by the running mean of the gradient over the root of the
//! running mean of its square, both corrected for having begun at zero.

/// How much of the running mean of the gradient is kept.
const KEEP_MEAN: f32 = 0.9;
/// How much of the running mean of the square is kept.
const KEEP_SQUARE: f32 = 0.999;
/// Keeps the quotient finite where the gradient vanishes.
const EPSILON: f32 = 1e-8;

/// The number of steps so far, as what is left of the beginning.
#[derive(Clone, Debug)]
pub(crate) struct AdamSteps {
    rate: f64,
    left: [f64; 2],
}

impl AdamSteps {
    pub(crate) fn new(rate: f64) -> Self {
        AdamSteps { rate, left: [1.0; 2] }
    }

    /// The length of the next step, both corrections in it.
    pub(crate) fn tick(&mut self) -> f32 {
        self.left[0] *= f64::from(KEEP_MEAN);
        self.left[1] *= f64::from(KEEP_SQUARE);
        (self.rate * (1.0 - self.left[1]).sqrt() / (1.0 - self.left[0])) as f32
    }
}

/// The running means of some parameters.
#[derive(Clone, Debug)]
pub(crate) struct AdamMoments {
    means: Vec<f32>,
    squares: Vec<f32>,
}

impl AdamMoments {
    pub(crate) fn new(count: usize) -> Self {
        AdamMoments { means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// Takes a gradient in and moves the parameters against it. Where the gradient was always
    /// 0, as in padding, nothing moves.
    pub(crate) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], length: f32) {
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((p, &g), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * g;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * (g * g);
            *p -= length * *mean / (square.sqrt() + EPSILON);
        }
    }
}
