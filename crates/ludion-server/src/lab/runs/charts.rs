//! `GET /api/runs/{run}/charts`: the charts of a run as data, which pages draw with their own axes.

use axum::Json;
use axum::extract::State;
use ludion_plot::Chart;
use ludion_runs::RunPicture;
use serde::Serialize;

use super::details::findings;
use super::paths::RunPath;
use crate::lab::SharedLabState;
use crate::lab::error::LabError;

/// The charts of a run.
#[derive(Serialize)]
pub(crate) struct ChartsResponse {
    /// The charts in order; empty for a run whose picture has none.
    charts: Vec<Chart>,
    /// Whether the picture has parts that are no charts, such as heat maps.
    partial: bool,
}

/// Serves `GET /api/runs/{run}/charts`.
pub(crate) async fn charts(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Json<ChartsResponse>, LabError> {
    let found = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let findings = findings(lab, &store, &store.any_run(id)?)?;
        let mut response = ChartsResponse { charts: Vec::new(), partial: false };
        if let Some(picture) = &findings.picture {
            response.add(picture);
        }
        Ok(response)
    });
    Ok(Json(found.await?))
}

impl ChartsResponse {
    fn add(&mut self, picture: &RunPicture) {
        match picture {
            RunPicture::Chart(chart) => self.charts.push(chart.clone()),
            RunPicture::Heat(_) => self.partial = true,
            RunPicture::Panels { panels, .. } => panels.iter().for_each(|panel| self.add(panel)),
        }
    }
}
