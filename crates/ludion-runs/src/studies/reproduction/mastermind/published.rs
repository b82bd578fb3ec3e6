//! The published tables. Rows are numbers of pegs, columns numbers of colours; `NAN` stands for a
//! cell that was left out or cannot be read.

/// Numbers of pegs and of colours of all tables.
pub(super) const SIZES: [usize; 7] = [4, 6, 10, 15, 20, 30, 40];

/// A published table.
pub(super) type PublishedTable = [[f64; 7]; 7];

const NO: f64 = f64::NAN;

/// Independent pegs: median iteration of convergence.
pub(super) const INDEPENDENT_MEDIAN: PublishedTable = [
    [8.0, 8.0, 9.0, 10.0, 9.5, 10.0, 10.0],
    [9.0, 10.0, 11.0, 11.0, 11.0, 11.0, 12.0],
    [11.0, 12.0, 13.0, 13.5, 14.0, 14.0, 14.0],
    [12.0, 13.0, 15.0, 16.0, 17.0, 17.5, 18.0],
    [13.0, 14.0, 16.0, 18.0, 19.5, 19.5, 19.5],
    [14.0, 16.0, 19.0, 21.0, 23.0, 24.0, 24.0],
    [16.0, 17.0, 19.0, 22.0, 23.0, 27.0, 27.0],
];

/// Independent pegs: wrong runs of ten.
pub(super) const INDEPENDENT_WRONG: PublishedTable = [
    [0.0; 7],
    [0.0; 7],
    [0.0; 7],
    [0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0],
    [0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0],
    [1.0, 1.0, 3.0, 3.0, 4.0, 1.0, 2.0],
    [1.0, 0.0, 2.0, 4.0, 6.0, 3.0, 3.0],
];

/// Independent pegs: mean error, 1 − gamma at the end.
pub(super) const INDEPENDENT_ERROR: PublishedTable = [
    [0.0; 7],
    [0.0; 7],
    [0.0; 7],
    [0.0, 0.0, 0.003, 0.003, 0.005, 0.0, 0.0],
    [0.0, 0.006, 0.005, 0.0, 0.005, 0.005, 0.0],
    [0.003, 0.005, 0.010, 0.006, 0.008, NO, 0.007],
    [0.003, 0.0, 0.005, 0.005, 0.009, 0.004, NO],
];

/// Permutations: median iteration of convergence.
pub(super) const PERMUTATION_MEDIAN: PublishedTable = [
    [7.0, 8.0, 9.0, 9.0, 9.0, 10.0, 10.0],
    [NO, 8.0, 9.5, 10.0, 10.0, 11.0, 11.0],
    [NO, NO, 10.0, 12.0, 12.0, 13.0, 13.0],
    [NO, NO, NO, 12.0, 14.0, 15.0, 15.0],
    [NO, NO, NO, NO, 14.0, 17.0, 17.0],
    [NO, NO, NO, NO, NO, 18.0, 19.0],
    [NO, NO, NO, NO, NO, NO, 21.0],
];

/// Permutations: wrong runs of ten, and the mean error.
pub(super) const PERMUTATION_ZERO: PublishedTable = [
    [0.0; 7],
    [NO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [NO, NO, 0.0, 0.0, 0.0, 0.0, 0.0],
    [NO, NO, NO, 0.0, 0.0, 0.0, 0.0],
    [NO, NO, NO, NO, 0.0, 0.0, 0.0],
    [NO, NO, NO, NO, NO, 0.0, 0.0],
    [NO, NO, NO, NO, NO, NO, 0.0],
];

/// Mallows: median iteration at which x* is the secret, of the runs that found it.
pub(super) const MALLOWS_MEDIAN: PublishedTable = [
    [14.5, 4.0, 8.5, 17.0, 25.5, 21.5, 91.0],
    [NO, 6.0, 15.0, 19.0, 90.0, NO, NO],
    [NO, NO, 9.0, 31.0, 73.5, NO, NO],
    [NO, NO, NO, 14.0, 49.0, NO, NO],
    [NO, NO, NO, NO, 23.0, NO, NO],
    [NO, NO, NO, NO, NO, 95.0, NO],
    [NO; 7],
];

/// Mallows: runs of ten that did not find the secret.
pub(super) const MALLOWS_WRONG: PublishedTable = [
    [0.0, 0.0, 0.0, 0.0, 4.0, 8.0, 6.0],
    [NO, 0.0, 0.0, 2.0, 6.0, 10.0, 10.0],
    [NO, NO, 0.0, 3.0, 6.0, 10.0, 10.0],
    [NO, NO, NO, 0.0, 7.0, 10.0, 10.0],
    [NO, NO, NO, NO, 0.0, 10.0, 10.0],
    [NO, NO, NO, NO, NO, 7.0, 10.0],
    [NO, NO, NO, NO, NO, NO, 10.0],
];

/// Mallows: mean error, 1 − gamma at the end.
pub(super) const MALLOWS_ERROR: PublishedTable = [
    [0.025, 0.312, 0.462, 0.525, 0.550, 0.662, 0.725],
    [NO, 0.208, 0.425, 0.492, 0.567, 0.633, 0.725],
    [NO, NO, 0.295, 0.440, 0.530, 0.640, 0.700],
    [NO, NO, NO, 0.360, 0.460, 0.587, 0.667],
    [NO, NO, NO, NO, 0.385, 0.528, 0.622],
    [NO, NO, NO, NO, NO, 0.425, 0.535],
    [NO, NO, NO, NO, NO, NO, 0.450],
];

/// Independent pegs: mean seconds of a run.
pub(super) const INDEPENDENT_SECONDS: PublishedTable = [
    [0.03, 0.05, 0.08, 0.13, 0.17, 0.31, 0.38],
    [0.05, 0.11, 0.18, 0.3, 0.4, 0.67, 0.94],
    [0.15, 0.31, 0.54, 0.93, 1.3, 2.3, 3.0],
    [0.34, 0.62, 1.3, 2.2, 3.3, 5.6, 8.0],
    [0.59, 1.2, 2.4, 4.3, 6.5, 11.0, 16.0],
    [1.4, 2.9, 5.9, 10.7, 16.9, 29.6, 43.5],
    [2.9, 5.5, 11.3, 20.7, 30.9, 59.6, 87.9],
];

/// Permutations: mean seconds of a run.
pub(super) const PERMUTATION_SECONDS: PublishedTable = [
    [0.06, 0.11, 0.2, 0.34, 0.48, 0.78, 1.1],
    [NO, 0.22, 0.46, 0.77, 1.1, 1.9, 2.8],
    [NO, NO, 1.25, 2.3, 3.4, 5.8, 8.6],
    [NO, NO, NO, 5.3, 8.5, 15.3, 22.0],
    [NO, NO, NO, NO, 15.0, 29.3, 43.5],
    [NO, NO, NO, NO, NO, 68.6, 108.7],
    [NO, NO, NO, NO, NO, NO, 210.9],
];

/// Mallows: mean seconds of a run, of which one row can be read.
pub(super) const MALLOWS_SECONDS: PublishedTable =
    [[1.0, 0.0, 2.0, 4.0, 6.0, 5.0, 26.0], [NO; 7], [NO; 7], [NO; 7], [NO; 7], [NO; 7], [NO; 7]];
