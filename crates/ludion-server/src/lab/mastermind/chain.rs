//! Diagnostics of the Markov chain of the Mallows distribution, with the command line's charts.

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::riddles::mastermind::experiment::chain::{
    ChainDiagnostics, ChainOptions, SeriesDiagnostics,
};
use serde::{Deserialize, Serialize};

use super::{LARGEST, within};
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::queued_task::{error_event, result_event, run_queued};
use crate::pictures::ChainCharts;

/// A request for diagnostics.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ChainRequest {
    look: ChainOptions,
    #[serde(default)]
    seed: u64,
}

/// Longest chain: autocorrelations are summed along a good part of it, for each lag.
const MAX_LENGTH: usize = 100_000;
/// Longest burn-in.
const MAX_BURN_IN: usize = 200_000;
const MAX_LAGS: usize = 500;
const MAX_COORDINATES: usize = 8;
/// The size of a chart in pixels.
const SIZE: [u32; 2] = [560, 340];

/// Events: `waiting`, then `seen`.
pub(in crate::lab) async fn chain(
    State(running): State<SharedLabState>,
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
    // Parameters out of range are rejected before the request waits in the queue.
    ChainOptions { burn_in: 0, length: 1, ..look }.diagnose(seed)?;
    run_queued(running, move |_| match look.diagnose(seed) {
        Ok(seen) => result_event("seen", &ChainResponse::of(&seen, seed)),
        Err(error) => error_event(error),
    })
}

/// The diagnostics without the steps of the chain.
#[derive(Serialize)]
struct ChainResponse<'a> {
    note: String,
    pegs: Vec<PegDiagnostics<'a>>,
    exact: &'a [f64],
    shares: Vec<f64>,
    counts: &'a [u64],
    fit: Option<ludion::optimise::diagnostics::ChiSquaredTest>,
    /// SVGs: three for each peg, then the distribution of the distance.
    charts: Vec<String>,
}

#[derive(Serialize)]
struct PegDiagnostics<'a> {
    all: &'a SeriesDiagnostics,
    thinned: &'a SeriesDiagnostics,
}

impl<'a> ChainResponse<'a> {
    fn of(seen: &'a ChainDiagnostics, seed: u64) -> Self {
        let charts = ChainCharts { seen, seed };
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
