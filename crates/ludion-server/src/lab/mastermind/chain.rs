//! `POST /api/mastermind/chain`: diagnostics of the Markov chain that samples the Mallows
//! distribution, with the command line's charts.

use axum::extract::State;
use axum::response::IntoResponse;
use ludion_mastermind::experiment::chain::{ChainDiagnostics, ChainOptions, SeriesDiagnostics};
use serde::{Deserialize, Serialize};

use super::{LARGEST, within};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{error_event, result_event, run_queued};
use crate::pictures::MarkovChainCharts;

/// A request for the diagnostics of a chain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ChainRequest {
    /// Settings of the chain and its diagnostics.
    look: ChainOptions,
    #[serde(default)]
    seed: u64,
}

/// Maximum number of steps of a chain after its burn-in: each lag of the autocorrelation costs a
/// pass over them.
const MAX_LENGTH: usize = 100_000;
/// Maximum number of steps of a burn-in.
const MAX_BURN_IN: usize = 200_000;
/// Maximum number of lags of an autocorrelation.
const MAX_LAGS: usize = 500;
/// Maximum number of pegs whose series are diagnosed.
const MAX_COORDINATES: usize = 8;
/// Width and height of a chart in pixels.
const SIZE: [u32; 2] = [560, 340];

/// Serves `POST /api/mastermind/chain`. Events: `waiting` while too many searches run, then `seen`
/// or `error`.
pub(in crate::lab) async fn chain(
    State(lab): State<SharedLabState>,
    JsonBody(ChainRequest { look, seed }): JsonBody<ChainRequest>,
) -> Result<impl IntoResponse, LabError> {
    within("pegs", look.pegs, LARGEST)?;
    within("colours", look.colours, LARGEST)?;
    within("lags", look.lags, MAX_LAGS)?;
    within("coordinates", look.coordinates, MAX_COORDINATES)?;
    within("steps of the burn-in", look.burn_in.saturating_mul(look.colours), MAX_BURN_IN)?;
    within("length", look.length, MAX_LENGTH)?;
    if look.lambda == 0.0 && look.pegs == look.colours {
        let why = "with lambda 0 and as many colours as pegs the chain takes turns between even \
                   and odd orders and comes to no law";
        return Err(LabError::Bad(why.to_owned()));
    }
    // A chain of one step finds parameters out of range before the request waits in the queue.
    ChainOptions { burn_in: 0, length: 1, ..look }.diagnose(seed)?;
    run_queued(lab, move |_| match look.diagnose(seed) {
        Ok(seen) => result_event("seen", &ChainResponse::of(&seen, seed)),
        Err(error) => error_event(error),
    })
}

/// The diagnostics without the steps of the chain.
#[derive(Serialize)]
struct ChainResponse<'a> {
    /// The settings of the chain in words.
    note: String,
    pegs: Vec<PegDiagnostics<'a>>,
    /// Exact probability of each distance to the centre of the Mallows distribution.
    exact: &'a [f64],
    /// Relative frequency of each distance to the centre in the thinned chain.
    shares: Vec<f64>,
    /// Number of codes of the thinned chain at each distance to the centre.
    counts: &'a [u64],
    /// Chi-squared test of the counts against the exact probabilities.
    fit: Option<ludion_optimise::diagnostics::ChiSquaredTest>,
    /// Charts as SVG: three for each peg, then the distribution of the distance to the centre.
    charts: Vec<String>,
}

/// Diagnostics of the colours of one peg along the chain.
#[derive(Serialize)]
struct PegDiagnostics<'a> {
    /// Diagnostics of all steps after the burn-in.
    all: &'a SeriesDiagnostics,
    /// Diagnostics of the steps that are left after thinning.
    thinned: &'a SeriesDiagnostics,
}

impl<'a> ChainResponse<'a> {
    fn of(seen: &'a ChainDiagnostics, seed: u64) -> Self {
        let charts = MarkovChainCharts { seen, seed };
        let pegs = seen
            .coordinates
            .iter()
            .map(|peg| PegDiagnostics { all: &peg.all, thinned: &peg.thinned });
        ChainResponse {
            note: charts.note(),
            pegs: pegs.collect(),
            exact: &seen.exact,
            shares: charts.shares(),
            counts: &seen.counts,
            fit: seen.fit,
            charts: charts.all().iter().map(|chart| chart.draw(SIZE).svg()).collect(),
        }
    }
}
