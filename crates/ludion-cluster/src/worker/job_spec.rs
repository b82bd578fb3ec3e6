//! Fetches the order of a run with its attachments and opens it as a runnable job set.

use std::sync::Arc;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::GetStreamErrorKind;
use ludion_runs::remote::OpenedJobSet;

use super::ReceivedJobSpec;
use super::worker_run::WorkerRun;
use crate::ClusterError;
use crate::attachments::{self, FetchError};
use crate::run_streams::RETRY_DELAY;
use crate::wire::{RunOrder, WireJobSpec, WorkerMessageKind};

/// Number of retries of a failed fetch of the order before the run is refused.
const MAX_RETRIES: u32 = 10;
/// Maximum number of messages of an order.
const MAX_PARTS: i64 = 1024;

/// Reasons why a worker does not open an announced run.
pub(super) enum OpenError {
    /// The server has no such run: it is over, or its announcement was forged.
    NoSuchRun,
    /// The worker refuses the run, with this reason.
    Refused(String),
}

impl From<ClusterError> for OpenError {
    fn from(error: ClusterError) -> Self {
        OpenError::Refused(error.to_string())
    }
}

impl WorkerRun {
    /// Fetches the attachments of a job specification and opens the job set.
    pub(super) async fn open_jobs(
        self: &Arc<Self>,
        spec: WireJobSpec,
    ) -> Result<Arc<dyn OpenedJobSet>, OpenError> {
        let jetstream = &self.dispatcher.connection.jetstream();
        let folder = &self.dispatcher.worker.folder;
        let attachments = match attachments::fetch(jetstream, folder, &spec.attachments).await {
            Ok(attachments) => attachments,
            Err(FetchError::Local(error)) => return Err(error.into()),
            Err(FetchError::Damaged { name, reason }) => {
                self.send_note(WorkerMessageKind::AttachmentDamaged(name)).await;
                return Err(OpenError::Refused(reason));
            }
        };
        let dispatcher = Arc::clone(&self.dispatcher);
        // The opener reads models from files, which would block the async threads.
        let opened = tokio::task::spawn_blocking(move || {
            let WireJobSpec { kind, spec, .. } = &spec;
            (dispatcher.worker.opener)(ReceivedJobSpec { kind, spec, attachments })
        });
        let panicked = |_| OpenError::Refused("opening the job specification panicked".to_owned());
        opened.await.map_err(panicked)?.map_err(OpenError::Refused)
    }

    /// Fetches the order of the run from its stream.
    pub(super) async fn fetch_order(&self) -> Result<RunOrder, OpenError> {
        let mut retries = 0;
        loop {
            match self.fetch_order_bytes().await {
                Ok(bytes) => {
                    let order = postcard::from_bytes(&bytes);
                    return Ok(order.map_err(|error| fetch_error(error.into()))?);
                }
                Err(OpenError::Refused(_)) if retries < MAX_RETRIES && !self.is_closed() => {
                    retries += 1;
                }
                Err(error) => return Err(error),
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn fetch_order_bytes(&self) -> Result<Vec<u8>, OpenError> {
        let jetstream = &self.dispatcher.connection.jetstream();
        let stream = match jetstream.get_stream(self.subjects.spec_stream()).await {
            Ok(stream) => stream,
            Err(error) => {
                // The coordinator creates the stream before it announces the run.
                return Err(match error.kind() {
                    GetStreamErrorKind::JetStream(cause)
                        if cause.error_code() == ErrorCode::STREAM_NOT_FOUND =>
                    {
                        OpenError::NoSuchRun
                    }
                    _ => fetch_error(error.into()).into(),
                });
            }
        };
        // The parts are the first messages, and there is no room for others.
        let parts = stream.cached_info().config.max_messages.clamp(0, MAX_PARTS);
        let mut bytes = Vec::new();
        for sequence in 1..=parts as u64 {
            let part = stream.get_raw_message(sequence).await;
            bytes.extend_from_slice(&part.map_err(|error| fetch_error(error.into()))?.payload);
        }
        Ok(bytes)
    }
}

fn fetch_error(error: async_nats::Error) -> ClusterError {
    ClusterError::server("return the job specification")(error)
}
