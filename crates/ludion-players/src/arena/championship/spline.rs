//! Penalised splines: cubic B-splines over [0, 1] with a penalty on third differences of the
//! coefficients (Eilers and Marx 1996). The penalty is a prior: a third difference is normal with
//! standard deviation τ. The evidence of the data weights different τ.
//!
//! Third differences leave parabolas free, the simplest curves with an optimum, so the curve can
//! have an optimum even with few data.

use crate::random::Rng;

/// Number of equal segments into which the knots divide [0, 1].
const SEGMENTS: usize = 20;
/// Number of coefficients of a curve, one for each B-spline.
const COEFFICIENTS: usize = SEGMENTS + 3;

type Vector = [f64; COEFFICIENTS];
type Matrix = [Vector; COEFFICIENTS];

/// Returns the index of the first B-spline that is not 0 at `place`, from 0 to 1, and the values of
/// this B-spline and the next three.
pub(super) fn basis(place: f64) -> (usize, [f64; 4]) {
    let scaled = place.clamp(0.0, 1.0) * SEGMENTS as f64;
    let first = (scaled as usize).min(SEGMENTS - 1);
    let t = scaled - first as f64;
    let u = 1.0 - t;
    let inner = |t: f64| (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0;
    (first, [u * u * u / 6.0, inner(t), inner(u), t * t * t / 6.0])
}

/// The posterior distribution of a smooth curve: a normal distribution of its coefficients.
pub(super) struct SplineFit {
    mean: Vector,
    /// The Cholesky factor of the inverse of the coefficients' covariance matrix.
    root: Matrix,
    /// The logarithm of the marginal likelihood of the data under this model, up to a constant.
    pub(super) evidence: f64,
}

impl SplineFit {
    /// Fits a curve to the points `(place, value, variance)`; third differences of the coefficients
    /// have the prior standard deviation `tau`. With fewer than three points the curve is a line or
    /// a constant. `None` without points.
    pub(super) fn new(data: &[(f64, f64, f64)], tau: f64) -> Option<SplineFit> {
        let order = data.len().min(3);
        if order == 0 {
            return None;
        }
        let mut matrix = [[0.0; COEFFICIENTS]; COEFFICIENTS];
        penalise(&mut matrix, order, tau.powi(-2));
        let mut right = [0.0; COEFFICIENTS];
        let mut squares = 0.0;
        for &(place, value, variance) in data {
            let (first, weights) = basis(place);
            for (i, a) in weights.iter().enumerate() {
                right[first + i] += a * value / variance;
                for (j, b) in weights.iter().enumerate() {
                    matrix[first + i][first + j] += a * b / variance;
                }
            }
            squares += value * value / variance;
        }
        let root = cholesky(matrix)?;
        let half = forward(&root, right);
        let explained: f64 = half.iter().map(|v| v * v).sum();
        let determinant: f64 = (0..COEFFICIENTS).map(|i| root[i][i].ln()).sum();
        let evidence =
            -((COEFFICIENTS - order) as f64) * tau.ln() - determinant - (squares - explained) / 2.0;
        Some(SplineFit { mean: backward(&root, half), root, evidence })
    }

    /// Returns the posterior mean of the coefficients.
    pub(super) fn mean(&self) -> &Vector {
        &self.mean
    }

    /// Draws the coefficients of one curve from the posterior.
    pub(super) fn draw(&self, rng: &mut Rng) -> Vector {
        let noise = backward(&self.root, std::array::from_fn(|_| normal(rng)));
        std::array::from_fn(|i| self.mean[i] + noise[i])
    }
}

/// Returns the value of the curve with these coefficients at a point, given the [`basis`] there.
pub(super) fn value(coefficients: &Vector, (first, weights): &(usize, [f64; 4])) -> f64 {
    weights.iter().zip(&coefficients[*first..]).map(|(a, b)| a * b).sum()
}

fn penalise(matrix: &mut Matrix, order: usize, weight: f64) {
    let signs: &[f64] = match order {
        3 => &[-1.0, 3.0, -3.0, 1.0],
        2 => &[1.0, -2.0, 1.0],
        _ => &[-1.0, 1.0],
    };
    for first in 0..=COEFFICIENTS - signs.len() {
        for (i, a) in signs.iter().enumerate() {
            for (j, b) in signs.iter().enumerate() {
                matrix[first + i][first + j] += weight * a * b;
            }
        }
    }
}

fn cholesky(matrix: Matrix) -> Option<Matrix> {
    let mut root = [[0.0; COEFFICIENTS]; COEFFICIENTS];
    for i in 0..COEFFICIENTS {
        for j in 0..=i {
            let done: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            let rest = matrix[i][j] - done;
            if i != j {
                root[i][j] = rest / root[j][j];
            } else if rest > 0.0 && rest.is_finite() {
                root[i][i] = rest.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(root)
}

/// Solves `root · x = right` for a lower triangular `root` by forward substitution.
fn forward(root: &Matrix, right: Vector) -> Vector {
    let mut x = [0.0; COEFFICIENTS];
    for i in 0..COEFFICIENTS {
        let done: f64 = (0..i).map(|k| root[i][k] * x[k]).sum();
        x[i] = (right[i] - done) / root[i][i];
    }
    x
}

/// Solves `rootᵀ · x = right` for a lower triangular `root` by backward substitution.
fn backward(root: &Matrix, right: Vector) -> Vector {
    let mut x = [0.0; COEFFICIENTS];
    for i in (0..COEFFICIENTS).rev() {
        let done: f64 = (i + 1..COEFFICIENTS).map(|k| root[k][i] * x[k]).sum();
        x[i] = (right[i] - done) / root[i][i];
    }
    x
}

/// Draws a standard normal number by the Box-Muller method.
fn normal(rng: &mut Rng) -> f64 {
    let (radius, angle) = (1.0 - rng.unit(), rng.unit());
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_basis_sums_to_one_and_a_parabola_comes_back() {
        for i in 0..=50 {
            let sum: f64 = basis(f64::from(i) / 50.0).1.iter().sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
        let parabola = |x: f64| 0.3 + 0.8 * x - 0.7 * x * x;
        let data: Vec<(f64, f64, f64)> =
            (0..=10).map(|i| f64::from(i) / 10.0).map(|x| (x, parabola(x), 1e-4)).collect();
        let fit = SplineFit::new(&data, 1e-4).unwrap();
        for i in 0..=40 {
            let x = f64::from(i) / 40.0;
            assert!((value(fit.mean(), &basis(x)) - parabola(x)).abs() < 1e-6, "at {x}");
        }
    }

    #[test]
    fn draws_vary_as_the_data_do() {
        let fit = SplineFit::new(&[(0.5, 0.4, 0.01)], 1e-4).unwrap();
        let mut rng = Rng::new(1);
        let values: Vec<f64> = (0..4000).map(|_| value(&fit.draw(&mut rng), &basis(0.5))).collect();
        let mean = values.iter().sum::<f64>() / 4000.0;
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / 4000.0;
        assert!((mean - 0.4).abs() < 0.01 && (variance - 0.01).abs() < 0.001, "{mean} {variance}");
    }
}
