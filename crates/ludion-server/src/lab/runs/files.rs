//! Downloads of a run: its picture as SVG, its games as CSV, the whole run as JSON. A table is sent
//! while it is written, so that a run of any length can be downloaded with little memory.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use ludion_runs::export::{self, ExportRows};
use ludion_runs::{RunError, present_run};
use ludion_store::{JobOutput, RunId, RunPlan, Store, StoredRun};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::details::findings;
use super::paths::RunPath;
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// Serves `GET /api/runs/{run}/plot.svg`: the picture of a run.
pub(crate) async fn plot(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Response, LabError> {
    let svg = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let findings = findings(lab, &store, &store.any_run(id)?)?;
        let picture = findings
            .picture
            .as_ref()
            .ok_or_else(|| LabError::Unknown(format!("run {id} is of a kind without a picture")))?;
        Ok(picture.drawing().svg())
    });
    let headers = [(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "no-cache")];
    Ok((headers, svg.await?).into_response())
}

/// The query of a CSV download: whether the table has a row for each game or for each move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportQuery {
    #[serde(default)]
    table: ExportRows,
}

/// Serves `GET /api/runs/{run}/export.csv`: the games or moves of a run, or the table of a study.
pub(crate) async fn csv(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(query): QueryParameters<ExportQuery>,
) -> Result<Response, LabError> {
    let rows = query.table;
    let name = match rows {
        ExportRows::Games => "games",
        ExportRows::Moves => "moves",
    };
    let (store, run) = open_run(&lab, id).await?;
    let name = format!("ludion-run{id}-{name}.csv");
    if let RunPlan::Study(study) = &run.plan {
        let kind = study.kind.clone();
        let found = lab.blocking(move |lab| Ok(findings(lab, &store, &run)?)).await?;
        let Some(table) = found.table.clone() else {
            let sentence = format!("run {id} is a {kind}, which has no games; take it as JSON");
            return Err(LabError::Bad(sentence));
        };
        let name = format!("ludion-run{id}.csv");
        return Ok(download("text/csv; charset=utf-8", &name, move |out| table.write_csv(out)));
    }
    let registry = lab.full_registry.clone();
    Ok(download("text/csv; charset=utf-8", &name, move |out| {
        let run = present_run(&registry, store.run(id)?);
        export::csv(&store, &run, rows, out, &mut |_| ())
    }))
}

/// Serves `GET /api/runs/{run}/export.json`: a run with all its results.
pub(crate) async fn json(
    State(lab): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Response, LabError> {
    let (store, run) = open_run(&lab, id).await?;
    let registry = lab.full_registry.clone();
    Ok(download("application/json", &format!("ludion-run{id}.json"), move |out| match &run.plan {
        RunPlan::Games(_) => {
            let run = present_run(&registry, store.run(id)?);
            export::json(&store, &run, out, &mut |_| ())
        }
        RunPlan::Study(_) => {
            let outputs: Vec<JobOutput<Value>> = store.outputs(id)?;
            Ok(writeln!(out, "{}", json!({ "run": run, "outputs": outputs }))?)
        }
    }))
}

/// Opens the store and reads a run.
async fn open_run(
    lab: &SharedLabState,
    id: RunId,
) -> Result<(Store, StoredRun<RunPlan>), LabError> {
    let opened = lab.blocking(move |lab| {
        let store = lab.open_store()?;
        let run = store.any_run(id)?;
        Ok((store, run))
    });
    opened.await
}

/// Returns a response that sends a file while `write` writes it on another thread.
fn download(
    kind: &'static str,
    name: &str,
    write: impl FnOnce(&mut BufWriter<ResponseWriter>) -> Result<(), RunError> + Send + 'static,
) -> Response {
    let (sender, receiver) = channel(MAX_PENDING);
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(CHUNK_BYTES, ResponseWriter(sender.clone()));
        let written = write(&mut out).and_then(|()| Ok(out.flush()?));
        if let Err(error) = written {
            // The error aborts the transfer, so that the client does not take the file for
            // complete.
            let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
        }
    });
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, Body::from_stream(ResponseChunks(receiver))).into_response()
}

/// Size of the chunks in which a file is sent, in bytes.
const CHUNK_BYTES: usize = 1 << 16;
/// Maximum number of chunks that wait to be sent; then the writing thread waits.
const MAX_PENDING: usize = 4;

/// Writes into a response; fails when the client has disconnected.
struct ResponseWriter(Sender<io::Result<Bytes>>);

impl Write for ResponseWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let chunk = Bytes::copy_from_slice(bytes);
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(chunk)).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The chunks of a file as the stream of a response's body.
struct ResponseChunks(Receiver<io::Result<Bytes>>);

impl Stream for ResponseChunks {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}
