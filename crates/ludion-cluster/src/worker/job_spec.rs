//! Fetches the job specification of a run with its attachments and opens it as a runnable job set.

use std::sync::Arc;

use ludion_runs::remote::OpenedJobSet;

use super::ReceivedJobSpec;
use super::worker_run::WorkerRun;
use crate::run_streams::RETRY_DELAY;
use crate::wire::WireJobSpec;
use crate::{ClusterError, attachments};

/// Number of retries of a failed fetch of the job specification before the run is refused.
const MAX_RETRIES: u32 = 10;

impl WorkerRun {
    /// Fetches the job specification and its attachments and opens the job set. The error is the
    /// reason why the run is refused.
    pub(super) async fn open_jobs(
        self: &Arc<Self>,
        spec_parts: u32,
    ) -> Result<Arc<dyn OpenedJobSet>, String> {
        let spec = self.fetch_spec(spec_parts).await.map_err(|error| error.to_string())?;
        let jetstream = &self.dispatcher.connection.jetstream;
        let folder = &self.dispatcher.worker.folder;
        let attachments = attachments::fetch(jetstream, folder, &spec.attachments).await;
        let attachments = attachments.map_err(|error| error.to_string())?;
        let dispatcher = Arc::clone(&self.dispatcher);
        // The opener reads models from files, which would block the async threads.
        let opened = tokio::task::spawn_blocking(move || {
            let WireJobSpec { kind, spec, .. } = &spec;
            (dispatcher.worker.opener)(ReceivedJobSpec { kind, spec, attachments })
        });
        opened.await.map_err(|_| "opening the job specification panicked".to_owned())?
    }

    async fn fetch_spec(&self, parts: u32) -> Result<WireJobSpec, ClusterError> {
        let mut retries = 0;
        loop {
            match self.fetch_spec_bytes(parts).await {
                Ok(bytes) => {
                    return postcard::from_bytes(&bytes).map_err(|error| fetch_error(error.into()));
                }
                Err(error) if retries == MAX_RETRIES || self.is_closed() => return Err(error),
                Err(_) => retries += 1,
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn fetch_spec_bytes(&self, parts: u32) -> Result<Vec<u8>, ClusterError> {
        let jetstream = &self.dispatcher.connection.jetstream;
        let stream = jetstream.get_stream_no_info(self.subjects.spec_stream()).await;
        let stream = stream.map_err(|error| fetch_error(error.into()))?;
        let mut bytes = Vec::new();
        for index in 0..parts {
            let subject = self.subjects.spec_part(&index.to_string());
            let part = stream.get_last_raw_message_by_subject(&subject).await;
            bytes.extend_from_slice(&part.map_err(|error| fetch_error(error.into()))?.payload);
        }
        Ok(bytes)
    }
}

fn fetch_error(error: async_nats::Error) -> ClusterError {
    ClusterError::server("return the job specification")(error)
}
