//! A look at the chain of the Mallows law: figures, and the pictures of the command line.

use axum::extract::State;
use axum::response::IntoResponse;
use ludion::riddles::mastermind::laboratory::chain::{Look, Memory, Seen};
use serde::{Deserialize, Serialize};

use super::{LARGEST, within};
use crate::lab::Shared;
use crate::lab::body::Body;
use crate::lab::reply::Refusal;
use crate::lab::turn::{failed, in_turn, told};
use crate::pictures::ChainCharts;

/// A look that is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct Request {
    look: Look,
    #[serde(default)]
    seed: u64,
}

/// Steps that count, at most: the memory of a chain that hardly moves is looked for along a good
/// part of them, for each of them.
const MOST_LENGTH: usize = 100_000;
/// Steps before them, at most.
const MOST_BURN_IN: usize = 200_000;
const MOST_LAGS: usize = 500;
const MOST_COORDINATES: usize = 8;
/// The size of a picture.
const SIZE: [u32; 2] = [560, 340];

/// Events: `waiting`, then `seen`.
pub(in crate::lab) async fn chain(
    State(running): State<Shared>,
    Body(Request { look, seed }): Body<Request>,
) -> Result<impl IntoResponse, Refusal> {
    within("pegs", look.pegs, LARGEST)?;
    within("colours", look.colours, LARGEST)?;
    within("lags", look.lags, MOST_LAGS)?;
    within("coordinates", look.coordinates, MOST_COORDINATES)?;
    within("steps of the burn-in", look.burn_in.saturating_mul(look.colours), MOST_BURN_IN)?;
    within("length", look.length, MOST_LENGTH)?;
    if look.lambda == 0.0 && look.pegs == look.colours {
        let why = "with lambda 0 and as many colours as pegs the chain takes turns between even \
                   and odd orders and comes to no law";
        return Err(Refusal::Bad(why.to_owned()));
    }
    // What is out of its range is refused before it is anybody's turn.
    Look { burn_in: 0, length: 1, ..look }.look(seed)?;
    in_turn(running, move |_| match look.look(seed) {
        Ok(seen) => told("seen", &Answer::of(&seen, seed)),
        Err(error) => failed(error),
    })
}

/// What was seen, without the steps themselves.
#[derive(Serialize)]
struct Answer<'a> {
    note: String,
    pegs: Vec<Peg<'a>>,
    exact: &'a [f64],
    shares: Vec<f64>,
    counts: &'a [u64],
    fit: Option<ludion::optimise::diagnostics::Test>,
    /// SVGs: three for each peg, and the law of the distance.
    charts: Vec<String>,
}

#[derive(Serialize)]
struct Peg<'a> {
    all: &'a Memory,
    thinned: &'a Memory,
}

impl<'a> Answer<'a> {
    fn of(seen: &'a Seen, seed: u64) -> Self {
        let charts = ChainCharts { seen, seed };
        let pegs = seen.coordinates.iter().map(|peg| Peg { all: &peg.all, thinned: &peg.thinned });
        Answer {
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
