//! Who else does jobs, and what is under way on other machines.

use axum::Json;
use axum::extract::State;
use ludion_runs::crew::Status;
use serde::Serialize;

use crate::lab::Shared;
use crate::lab::reply::Refusal;

/// What other machines do; nothing where this laboratory knows of none.
#[derive(Serialize)]
pub(crate) struct Cluster {
    cluster: Option<Status>,
}

pub(crate) async fn cluster(State(running): State<Shared>) -> Result<Json<Cluster>, Refusal> {
    let asked = running.off(|running| {
        let Some(crew) = &running.cluster else { return Ok(Cluster { cluster: None }) };
        let status = crew.status().map_err(|error| Refusal::Away(error.to_string()))?;
        Ok(Cluster { cluster: Some(status) })
    });
    Ok(Json(asked.await?))
}
