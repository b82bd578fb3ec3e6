//! One run: what it is, how far it has come, and its figures.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use ludion_runs::study::Found;
use ludion_runs::{Error, Figures, Picture};
use ludion_store::{Planned, Run, State as Kept, Store};
use serde::Serialize;
use serde_json::Value;

use super::list::Listed;
use super::number::Number;
use crate::lab::reply::Refusal;
use crate::lab::{Running, Shared};

/// A run with all that is known of it.
#[derive(Serialize)]
pub(crate) struct Details {
    #[serde(flatten)]
    listed: Listed,
    /// Everything needed to do it again.
    plan: Planned,
    /// What came of it so far, as the command line writes it for machines.
    figures: Value,
    /// What kind of picture there is of it.
    picture: Option<&'static str>,
    /// Why there are no figures.
    error: Option<String>,
}

pub(crate) async fn details(
    State(running): State<Shared>,
    Number(id): Number,
) -> Result<Json<Details>, Refusal> {
    let details = running.off(move |running| {
        let store = running.beside()?;
        let run = store.any_run(id)?;
        let listed = Listed::of(&running.desk, &store, &run);
        let (found, error) = match found(running, &store, &run) {
            Ok(found) => (found, None),
            Err(error) => {
                let nothing = Found { figures: Value::Null, picture: None };
                (Arc::new(nothing), Some(error.to_string()))
            }
        };
        let picture = found.picture.as_ref().map(|picture| match picture {
            Picture::Chart(_) => "chart",
            Picture::Heat(_) => "heat",
            Picture::Panels { .. } => "panels",
        });
        Ok(Details { listed, plan: run.plan, figures: found.figures.clone(), picture, error })
    });
    Ok(Json(details.await?))
}

/// What is known of a run: by whoever conducts it here, else by the store.
pub(super) fn found(
    running: &Running,
    store: &Store,
    run: &Run<Planned>,
) -> Result<Arc<Found>, Error> {
    if let Some(found) = running.desk.find(run.id).and_then(|live| live.found()) {
        return Ok(Arc::new(found));
    }
    if run.state == Kept::Finished {
        return running.desk.finished.of(run.id, || stored(running, store, run));
    }
    stored(running, store, run).map(Arc::new)
}

/// What the store knows of a run.
fn stored(running: &Running, store: &Store, run: &Run<Planned>) -> Result<Found, Error> {
    match &run.plan {
        Planned::Study(study) => {
            let kind = running.desk.kind_of(&study.kind)?;
            (kind.found)(store, &store.study(run.id)?)
        }
        Planned::Games(_) => {
            let figures = Figures::stored(&running.registry, store, &store.run(run.id)?)?;
            let picture = figures.picture();
            let figures = serde_json::to_value(figures)
                .map_err(|error| Error::Failed(format!("the answer is no JSON: {error}")))?;
            Ok(Found { figures, picture })
        }
    }
}
