//! Learning: the folder in which the laboratory looks for archives of games and for trained
//! models, what each of them is, and the player that thinks by it. The command line makes them;
//! here they are only read.

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

/// What there is to learn from, and what was learned.
#[derive(Serialize)]
pub(super) struct LearningResponse {
    /// Where it lies; nothing where there is no folder.
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

/// Which games of which archive.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveQuery {
    file: String,
    /// The number of the first game to show.
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

/// `name(key="text", …)`.
fn spec(name: &str, values: &[(&str, &str)]) -> Spec {
    let given = |&(key, text): &(&str, &str)| SpecValue {
        name: Some(key.to_owned()),
        text: text.to_owned(),
        quoted: true,
    };
    Spec { name: name.to_owned(), values: values.iter().map(given).collect() }
}
