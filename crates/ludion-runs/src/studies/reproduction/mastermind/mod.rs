//! *Mastermind et permutations* (Antunez, Lesauvage and Quartier-la-Tente 2020): secrets of
//! Mastermind found by the cross-entropy method with three distributions.

mod chain;
mod distributions;
mod lambda;
mod published;
mod scores;
mod tables;
mod times;

use super::work::{PublishedWork, WorkItem};

/// The study of Mastermind by cross-entropy.
pub(super) const WORK: PublishedWork = PublishedWork {
    name: "mastermind",
    title: "Mastermind et permutations",
    authors: "Kim Antunez, Romain Lesauvage and Alain Quartier-la-Tente, ENSAE",
    year: "2020",
    source: "Repository `ARKEnsae/Mastermind_Simulation`, slides and report, in French; figures that \
             the slides do not show are from the result files of the repository",
    about: "A secret code of n pegs in m colours is to be found. The cross-entropy method draws N codes \
            from a distribution, asks for the score of each, keeps the best tenth (the elite), fits the \
            distribution to the elite, and begins again, until the distribution is the secret. This is \
            not the game, in which every answer costs a guess: one run asks for hundreds to hundreds of \
            thousands of scores. The study has three distributions: independent pegs (question 1), pegs \
            drawn without replacement (question 2), and permutations around a centre x* with a \
            probability that falls with the Hamming distance, drawn by a Markov chain (question 3). \
            Each is run ten times at up to 49 sizes.",
    terms: &[
        (
            "score",
            "S = (2 · black + white) / 2n; black pegs have the right colour in the right place, \
                   white ones the right colour elsewhere",
        ),
        ("gamma", "the score that the best tenth of the codes reaches"),
        (
            "convergence",
            "the first iteration t after which gamma was the same d times in a row, d = 5",
        ),
        (
            "stop",
            "the first iteration with gamma = 1; for the third distribution the one after which x* \
                  is the secret",
        ),
        ("wrong run", "a run that ends at another code than the secret"),
        (
            "published count",
            "the white pegs as the program of the study counted them, see the first \
                             item",
        ),
    ],
    items,
};

fn items() -> Vec<WorkItem> {
    vec![
        scores::counting(),
        scores::first_results(),
        tables::independent(),
        tables::independent_right(),
        distributions::drawing(),
        distributions::discarding(),
        tables::permutation(),
        tables::permutation_right(),
        distributions::faster(),
        times::times(),
        chain::burn_in(),
        chain::autocorrelation(),
        chain::test_inside(),
        lambda::large(),
        lambda::centre(),
        lambda::normaliser(),
        lambda::choice(),
        tables::mallows(),
        tables::mallows_corrected(),
        distributions::one_secret(),
    ]
}
