//! Compares the search methods on a player whose strength is known, at equal numbers of games.
//!
//! The player loses 400·Σ(x − optimum)² Elo by its parameters x, each from 0 to 1; games are drawn with
//! the probabilities that follow from Elo. Every method begins at 0.5 and has the same number of games.
//! The table shows how many Elo its result is below the optimum, in the mean over 40 optima, with the
//! standard error: `cargo run --release -p ludion-optimise --example noisy_tuning`.

use ludion_core::random::{Rng, derive_seed};
use ludion_optimise::Maximiser;
use ludion_optimise::cmaes::{CmaEs, CmaEsOptions};
use ludion_optimise::cross_entropy::points::PointDistribution;
use ludion_optimise::cross_entropy::{
    CrossEntropy, CrossEntropyOptions, DistributionFamily, SampleSize,
};
use ludion_optimise::genetic::{GeneticOptions, GeneticSearch};
use ludion_optimise::space::{AxisScale, SearchSpace, SpaceAxis, SpacePoint};
use ludion_optimise::spsa::{Spsa, SpsaOptions};

/// Number of optima that every method searches.
const OPTIMA: u64 = 40;
/// Number of games in the match of a candidate.
const MATCH: u32 = 40;

fn main() {
    println!("axes  games   genetic        cross-entropy  cma-es         spsa");
    for axes in [1, 3, 6] {
        for games in [1_000, 4_000, 16_000] {
            let loss = |method: Method| {
                let losses: Vec<f64> =
                    (0..OPTIMA).map(|number| loss(method, axes, games, number)).collect();
                let mean = losses.iter().sum::<f64>() / OPTIMA as f64;
                let squares: f64 = losses.iter().map(|loss| (loss - mean).powi(2)).sum();
                let error = (squares / (OPTIMA * (OPTIMA - 1)) as f64).sqrt();
                format!("{mean:5.1} ± {error:4.1}")
            };
            let row = [genetic, cross_entropy, cma_es, spsa].map(loss);
            println!("{axes:4}  {games:5}   {}", row.join("   "));
        }
    }
}

/// A player with a known optimum.
struct KnownPlayer {
    space: SearchSpace,
    optimum: Vec<f64>,
}

impl KnownPlayer {
    fn elo(&self, point: &SpacePoint) -> f64 {
        let x = self.space.to_unit_cube(point);
        -400.0 * x.iter().zip(&self.optimum).map(|(x, best)| (x - best).powi(2)).sum::<f64>()
    }
}

/// Plays a match and returns the mean score of the first player.
fn play(difference: f64, games: u32, rng: &mut Rng) -> f64 {
    let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
    let wins = (0..games).filter(|_| rng.unit() < expected).count();
    wins as f64 / f64::from(games)
}

type Method = fn(&KnownPlayer, u32, u64) -> SpacePoint;

/// Returns the Elo that the result of a method is below the optimum.
fn loss(method: Method, axes: usize, games: u32, number: u64) -> f64 {
    let mut rng = Rng::new(derive_seed(1, &[axes as u64, number]));
    let axis = |i| SpaceAxis::real(format!("x{i}"), 0.0, 1.0, AxisScale::Linear);
    let space = SearchSpace::new((0..axes).map(axis).collect()).expect("a space");
    let optimum = (0..axes).map(|_| 0.1 + 0.8 * rng.unit()).collect();
    let player = KnownPlayer { space, optimum };
    -player.elo(&method(&player, games, derive_seed(2, &[axes as u64, number])))
}

/// Runs a search whose candidates play matches against the player that the search begins with.
fn search(
    player: &KnownPlayer,
    mut maximiser: impl Maximiser<Candidate = SpacePoint>,
    seed: u64,
) -> SpacePoint {
    let opponent = player.elo(&player.space.point_at(&[]));
    let mut rng = Rng::new(seed);
    ludion_optimise::maximise(&mut maximiser, |point| {
        play(player.elo(point) - opponent, MATCH, &mut rng)
    })
    .expect("scores");
    maximiser.best().expect("a result").0
}

fn genetic(player: &KnownPlayer, games: u32, seed: u64) -> SpacePoint {
    let start = player.space.point_at(&[]);
    // Of twelve candidates four are kept and not played again.
    let generations = (games / MATCH).saturating_sub(12) / 8 + 1;
    let options = GeneticOptions { generations, ..GeneticOptions::default() };
    let made = GeneticSearch::new(player.space.clone(), options, vec![start], seed);
    search(player, made.expect("a search"), seed)
}

fn cross_entropy(player: &KnownPlayer, games: u32, seed: u64) -> SpacePoint {
    let wide = PointDistribution::wide(player.space.clone()).expect("a distribution");
    let options = CrossEntropyOptions {
        samples: SampleSize::Fixed(16),
        rho: 0.25,
        iterations: (games / MATCH / 16).max(1),
        ..wide.defaults()
    };
    search(player, CrossEntropy::new(wide, options, seed).expect("a search"), seed)
}

fn cma_es(player: &KnownPlayer, games: u32, seed: u64) -> SpacePoint {
    let candidates = 12;
    let generations = (games / MATCH / candidates).max(1);
    let options = CmaEsOptions { candidates: Some(candidates as usize), generations };
    let start = player.space.point_at(&[]);
    let made = CmaEs::new(player.space.clone(), options, &start, seed);
    search(player, made.expect("a search"), seed)
}

fn spsa(player: &KnownPlayer, games: u32, seed: u64) -> SpacePoint {
    // A comparison is a pair of games between its two points.
    let options = SpsaOptions::new(10, (games / 20).max(1));
    let mut spsa =
        Spsa::new(player.space.clone(), options, &player.space.point_at(&[]), seed).expect("one");
    let mut rng = Rng::new(seed);
    while spsa.finished().is_none() {
        let pairs = spsa.ask().chunks(2);
        let compare = |pair: &[SpacePoint]| {
            let score = play(player.elo(&pair[0]) - player.elo(&pair[1]), 2, &mut rng);
            [score, 1.0 - score]
        };
        let scores: Vec<f64> = pairs.flat_map(compare).collect();
        spsa.tell(&scores).expect("scores");
    }
    spsa.best().expect("a result").0
}
