//! A look at the chain of the Mallows law: figures, and the pictures of the command line.

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
use crate::lab::queued_task::{failed, in_turn, told};
use crate::pictures::ChainCharts;

/// A look that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct ChainRequest {
    look: ChainOptions,
    #[serde(default)]
    seed: u64,
}

/// Steps that count, at most: the memory of a chain that hardly moves is looked for along a good
/// part of them, for each of them.
const MAX_LENGTH: usize = 100_000;
/// Steps before them, at most.
const MAX_BURN_IN: usize = 200_000;
const MAX_LAGS: usize = 500;
const MAX_COORDINATES: usize = 8;
/// The size of a picture.
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
    // What is out of its range is refused before it is anybody's turn.
    ChainOptions { burn_in: 0, length: 1, ..look }.diagnose(seed)?;
    in_turn(running, move |_| match look.diagnose(seed) {
        Ok(seen) => told("seen", &ChainResponse::of(&seen, seed)),
        Err(error) => failed(error),
    })
}

/// What was seen, without the steps themselves.
#[derive(Serialize)]
struct ChainResponse<'a> {
    note: String,
    pegs: Vec<PegDiagnostics<'a>>,
    exact: &'a [f64],
    shares: Vec<f64>,
    counts: &'a [u64],
    fit: Option<ludion::optimise::diagnostics::ChiSquaredTest>,
    /// SVGs: three for each peg, and the law of the distance.
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
