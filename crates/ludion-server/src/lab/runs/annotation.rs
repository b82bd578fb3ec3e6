//! `POST /api/runs/{run}/annotation`: tags and a note, which users write about a run.

use axum::Json;
use axum::extract::State;
use ludion_store::RunAnnotation;
use serde::Deserialize;

use super::paths::RunPath;
use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;

/// What is to be kept about a run; a field that is left out stays as it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AnnotationRequest {
    tags: Option<Vec<String>>,
    note: Option<String>,
}

/// Largest number of tags of a run.
const MAX_TAGS: usize = 20;
/// Largest number of characters of a tag.
const MAX_TAG: usize = 40;
/// Largest number of characters of a note.
const MAX_NOTE: usize = 10_000;

/// Serves `POST /api/runs/{run}/annotation`.
pub(crate) async fn annotate(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
    JsonBody(request): JsonBody<AnnotationRequest>,
) -> Result<Json<RunAnnotation>, LabError> {
    let tags = request.tags.map(checked_tags).transpose()?;
    if request.note.as_ref().is_some_and(|note| note.chars().count() > MAX_NOTE) {
        return Err(LabError::Bad(format!("a note has at most {MAX_NOTE} characters")));
    }
    let kept = lab.blocking(move |lab| {
        let mut store = lab.open_store()?;
        let known = store.annotation(id)?;
        let annotation = RunAnnotation {
            tags: tags.unwrap_or(known.tags),
            note: request.note.unwrap_or(known.note),
            repeat_of: known.repeat_of,
        };
        store.annotate(id, &annotation)?;
        Ok(annotation)
    });
    Ok(Json(kept.await?))
}

/// Returns tags without blanks around them and without duplicates.
fn checked_tags(tags: Vec<String>) -> Result<Vec<String>, LabError> {
    let mut kept = Vec::new();
    for tag in tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()) {
        if tag.chars().count() > MAX_TAG || tag.contains([',', '\n']) {
            return Err(LabError::Bad(format!(
                "{tag:?} is no tag; a tag has at most {MAX_TAG} characters and no comma"
            )));
        }
        if !kept.iter().any(|known| known == tag) {
            kept.push(tag.to_owned());
        }
    }
    if kept.len() > MAX_TAGS {
        return Err(LabError::Bad(format!("{} tags are too many; at most {MAX_TAGS}", kept.len())));
    }
    Ok(kept)
}
