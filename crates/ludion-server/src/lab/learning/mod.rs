//! Learning: the data folder with its archives and models, what each contains, and the player that
//! uses it. The command line creates these files; the laboratory only reads them.

mod archive;
mod folder;
mod model;

use axum::Json;
use axum::extract::State;
use ludion::spec::{Spec, SpecValue};
use serde::{Deserialize, Serialize};

use super::SharedLabState;
use super::body::QueryParameters;
use super::error::LabError;
use archive::ArchiveSample;
use folder::DataFile;
pub(crate) use folder::DataFolder;

/// The archives and models of the data folder.
#[derive(Serialize)]
pub(super) struct LearningResponse {
    /// The folder's path, if there is one.
    folder: Option<String>,
    things: Vec<DataFile>,
}

pub(super) async fn learning(
    State(running): State<SharedLabState>,
) -> Result<Json<LearningResponse>, LabError> {
    let found = running.off(|running| {
        let folder = &running.data;
        let things = folder.things(&running.registry)?;
        Ok(LearningResponse { folder: folder.name(), things })
    });
    Ok(Json(found.await?))
}

/// Selects games of an archive.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveQuery {
    file: String,
    /// Number of the first game.
    #[serde(default)]
    from: u64,
}

pub(super) async fn games(
    State(running): State<SharedLabState>,
    QueryParameters(which): QueryParameters<ArchiveQuery>,
) -> Result<Json<ArchiveSample>, LabError> {
    let sample = running.off(move |running| {
        let path = running.data.find(&which.file)?;
        archive::sample(&running.registry, &path, which.from)
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
