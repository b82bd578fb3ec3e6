//! Learning: the archives and models of the data folder, each with a summary and a player that uses
//! it. Requests, learning runs and the command line create these files.

mod archive;
mod folder;
mod generate;
mod model;
mod train;

use axum::Json;
use axum::extract::State;
use ludion_players::spec::{Spec, SpecValue};
use serde::{Deserialize, Serialize};

use super::SharedLabState;
use super::body::QueryParameters;
use super::error::LabError;
use archive::ArchiveSample;
use folder::DataFile;
pub(crate) use folder::{DataFolder, NETWORK_EXTENSION, PATTERNS_EXTENSION};
pub(super) use generate::generate;
pub(super) use train::train;

/// The answer of `GET /api/learning`.
#[derive(Serialize)]
pub(super) struct LearningResponse {
    /// The folder's path, if there is one.
    folder: Option<String>,
    /// The archives and models in the folder.
    things: Vec<DataFile>,
}

/// Serves `GET /api/learning`.
pub(super) async fn learning(
    State(lab): State<SharedLabState>,
) -> Result<Json<LearningResponse>, LabError> {
    let found = lab.blocking(|lab| {
        let folder = &lab.data;
        let things = folder.files(&lab.registry)?;
        Ok(LearningResponse { folder: folder.name(), things })
    });
    Ok(Json(found.await?))
}

/// The query of a sample: which archive, and from which game on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveQuery {
    /// Name of the archive in the data folder.
    file: String,
    /// Number of the first game that is listed, from 0.
    #[serde(default)]
    from: u64,
}

/// Serves `GET /api/learning/games`.
pub(super) async fn games(
    State(lab): State<SharedLabState>,
    QueryParameters(which): QueryParameters<ArchiveQuery>,
) -> Result<Json<ArchiveSample>, LabError> {
    let sample = lab.blocking(move |lab| {
        let path = lab.data.find(&which.file)?;
        archive::sample(&lab.registry, &path, which.from)
    });
    Ok(Json(sample.await?))
}

/// Makes the spec `name(key="text", …)`.
fn spec(name: &str, values: &[(&str, &str)]) -> Spec {
    let given = |&(key, text): &(&str, &str)| SpecValue {
        name: Some(key.to_owned()),
        text: text.to_owned(),
        quoted: true,
    };
    Spec { name: name.to_owned(), values: values.iter().map(given).collect() }
}
