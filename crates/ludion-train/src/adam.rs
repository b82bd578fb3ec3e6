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
        let moments = [&mut self.means[..], &mut self.squares[..]];
        let step = AdamStep { step_size, kept: 1.0, averaging: 0.0 };
        adam_step(AdamSlices { parameters, gradient, moments, averages: &mut [] }, step);
    }
}

/// The numbers of a step of Adam that all parameters share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct AdamStep {
    /// The learning rate with the bias correction.
    pub(crate) step_size: f32,
    /// The factor by which parameters are multiplied before the step; 1 without weight decay.
    pub(crate) kept: f32,
    /// The share that averages of the parameters keep.
    pub(crate) averaging: f32,
}

/// The parameters of a step of Adam with what belongs to each of them.
pub(crate) struct AdamSlices<'a> {
    pub(crate) parameters: &'a mut [f32],
    pub(crate) gradient: &'a [f32],
    /// The running means of the gradient and of its square.
    pub(crate) moments: [&'a mut [f32]; 2],
    /// The running means of the parameters; empty if there are none.
    pub(crate) averages: &'a mut [f32],
}

/// Updates the moments, then the parameters by one step of Adam, then the averages of the parameters.
/// Parameters of 0 whose gradient was always 0, as in padding, do not change. Every number is computed
/// by itself, so the instruction set does not change the result.
pub(crate) fn adam_step(slices: AdamSlices<'_>, step: AdamStep) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the feature.
            return unsafe { update_avx512(slices, step) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature.
            return unsafe { update_avx2(slices, step) };
        }
    }
    update(slices, step);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn update_avx512(slices: AdamSlices<'_>, step: AdamStep) {
    update(slices, step);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2(slices: AdamSlices<'_>, step: AdamStep) {
    update(slices, step);
}

#[inline(always)]
fn update(slices: AdamSlices<'_>, step: AdamStep) {
    let AdamSlices { parameters, gradient, moments, averages } = slices;
    if averages.is_empty() {
        return move_parameters(parameters, gradient, moments, step);
    }
    // The parameters stay in the first-level cache from one loop to the other.
    const PART: usize = 1024;
    let [means, squares] = moments;
    let moments = means.chunks_mut(PART).zip(squares.chunks_mut(PART));
    let parts = parameters.chunks_mut(PART).zip(gradient.chunks(PART)).zip(moments);
    for (((parameters, gradient), (means, squares)), averages) in
        parts.zip(averages.chunks_mut(PART))
    {
        move_parameters(parameters, gradient, [means, squares], step);
        for (average, &parameter) in averages.iter_mut().zip(&*parameters) {
            *average = parameter + step.averaging * (*average - parameter);
        }
    }
}

#[inline(always)]
fn move_parameters(
    parameters: &mut [f32],
    gradient: &[f32],
    [means, squares]: [&mut [f32]; 2],
    AdamStep { step_size, kept, .. }: AdamStep,
) {
    let moments = means.iter_mut().zip(squares);
    for ((p, &g), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
        *mean = BETA1 * *mean + (1.0 - BETA1) * g;
        *square = BETA2 * *square + (1.0 - BETA2) * (g * g);
        *p = kept * *p - step_size * *mean / (square.sqrt() + EPSILON);
    }
}

#[cfg(test)]
mod tests {
    use ludion_players::random::Rng;

    use super::*;

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        const COUNT: usize = 2_500;
        let mut rng = Rng::new(3);
        let mut random = || (0..COUNT).map(|_| rng.unit() as f32 - 0.5).collect::<Vec<_>>();
        let gradient = random();
        let [parameters, means, averages] = [random(), random(), random()];
        let squares: Vec<f32> = random().iter().map(|x| x * x).collect();
        let step = AdamStep { step_size: 0.01, kept: 0.99, averaging: 0.9 };
        for averages in [averages, vec![]] {
            let [widest, portable] = [adam_step, update].map(|update| {
                let mut parts =
                    [parameters.clone(), means.clone(), squares.clone(), averages.clone()];
                let [parameters, means, squares, averages] = &mut parts;
                let (moments, gradient) = ([&mut means[..], &mut squares[..]], &gradient[..]);
                update(AdamSlices { parameters, gradient, moments, averages }, step);
                parts
            });
            assert_eq!(widest, portable);
            assert_ne!(widest[0], parameters);
        }
    }
}
