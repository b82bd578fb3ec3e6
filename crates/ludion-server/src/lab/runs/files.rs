//! What is taken away from a run: its picture as SVG, its games as CSV, everything as JSON.
//! Tables are written while they are sent, so that a run of any length fits.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use ludion_runs::RunError;
use ludion_runs::export::{self, ExportRows};
use ludion_store::{JobOutput, RunId, RunPlan, Store, StoredRun};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::details::found;
use super::paths::RunPath;
use crate::lab::SharedLabState;
use crate::lab::body::QueryParameters;
use crate::lab::error::LabError;

/// The picture of a run.
pub(crate) async fn plot(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Response, LabError> {
    let svg = running.off(move |running| {
        let store = running.open_store()?;
        let found = found(running, &store, &store.any_run(id)?)?;
        let picture = found
            .picture
            .as_ref()
            .ok_or_else(|| LabError::Unknown(format!("run {id} is of a kind without a picture")))?;
        Ok(picture.drawing().svg())
    });
    let about = [(CONTENT_TYPE, "image/svg+xml"), (CACHE_CONTROL, "no-cache")];
    Ok((about, svg.await?).into_response())
}

/// What a row of a table is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportQuery {
    #[serde(default)]
    table: ExportTable,
}

#[derive(Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum ExportTable {
    #[default]
    Games,
    Moves,
}

/// The games or the moves of a run as a table.
pub(crate) async fn csv(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
    QueryParameters(which): QueryParameters<ExportQuery>,
) -> Result<Response, LabError> {
    let (rows, name) = match which.table {
        ExportTable::Games => (ExportRows::Games, "games"),
        ExportTable::Moves => (ExportRows::Moves, "moves"),
    };
    let (store, run) = opened(&running, id).await?;
    if let RunPlan::Study(study) = &run.plan {
        let kind = &study.kind;
        let sentence = format!("run {id} is a {kind}, which has no games; take it as JSON");
        return Err(LabError::Bad(sentence));
    }
    let name = format!("ludion-run{id}-{name}.csv");
    Ok(download("text/csv; charset=utf-8", &name, move |out| {
        export::csv(&store, &store.run(id)?, rows, out)
    }))
}

/// A run with all that came of it.
pub(crate) async fn json(
    State(running): State<SharedLabState>,
    RunPath(id): RunPath,
) -> Result<Response, LabError> {
    let (store, run) = opened(&running, id).await?;
    Ok(download("application/json", &format!("ludion-run{id}.json"), move |out| match &run.plan {
        RunPlan::Games(_) => export::json(&store, &store.run(id)?, out),
        RunPlan::Study(_) => {
            let outputs: Vec<JobOutput<Value>> = store.outputs(id)?;
            Ok(writeln!(out, "{}", json!({ "run": run, "outputs": outputs }))?)
        }
    }))
}

async fn opened(
    running: &SharedLabState,
    id: RunId,
) -> Result<(Store, StoredRun<RunPlan>), LabError> {
    let opened = running.off(move |running| {
        let store = running.open_store()?;
        let run = store.any_run(id)?;
        Ok((store, run))
    });
    opened.await
}

/// A file that is written while it is sent.
fn download(
    kind: &'static str,
    name: &str,
    write: impl FnOnce(&mut BufWriter<ResponseWriter>) -> Result<(), RunError> + Send + 'static,
) -> Response {
    let (sender, receiver) = channel(PENDING);
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(PIECE, ResponseWriter(sender.clone()));
        let written = write(&mut out).and_then(|()| Ok(out.flush()?));
        if let Err(error) = written {
            // The file breaks off, so that nobody takes it for the whole.
            let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
        }
    });
    let about = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (about, Body::from_stream(ResponseChunks(receiver))).into_response()
}

/// Bytes of a piece, and pieces on their way at most.
const PIECE: usize = 1 << 16;
const PENDING: usize = 4;

/// Where a file is written to. Writing fails when the client is gone.
struct ResponseWriter(Sender<io::Result<Bytes>>);

impl Write for ResponseWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Bytes::copy_from_slice(bytes);
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(piece)).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What was written, piece by piece.
struct ResponseChunks(Receiver<io::Result<Bytes>>);

impl Stream for ResponseChunks {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}
