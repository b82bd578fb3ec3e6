//! The order of a run: its pieces are fetched, with the models and data that they name, and opened.

use std::sync::Arc;

use ludion_runs::remote::OpenedJobSet;

use super::ReceivedJob;
use super::worker_run::WorkerRun;
use crate::server_run::RETRY;
use crate::wire::WireJobSpec;
use crate::{ClusterError, attachments};

/// How often an order is asked for before the run is refused.
const TRIES: u32 = 10;

impl WorkerRun {
    pub(super) async fn opened(
        self: &Arc<Self>,
        pieces: u32,
    ) -> Result<Arc<dyn OpenedJobSet>, String> {
        let order = self.order(pieces).await.map_err(|error| error.to_string())?;
        let stream = &self.staff.link.stream;
        let attachments =
            attachments::fetch(stream, &self.staff.worker.folder, &order.attachments).await;
        let attachments = attachments.map_err(|error| error.to_string())?;
        let staff = Arc::clone(&self.staff);
        // Models take their time to be read.
        let opened = tokio::task::spawn_blocking(move || {
            let WireJobSpec { kind, spec, .. } = &order;
            (staff.worker.opener)(ReceivedJob { kind, spec, attachments })
        });
        opened.await.map_err(|_| "the order could not be opened".to_owned())?
    }

    async fn order(&self, pieces: u32) -> Result<WireJobSpec, ClusterError> {
        let mut tries = 0;
        loop {
            match self.pieces(pieces).await {
                Ok(bytes) => {
                    return postcard::from_bytes(&bytes)
                        .map_err(|error| ClusterError::server("give the order")(error.into()));
                }
                Err(error) if tries == TRIES || self.is_closed() => return Err(error),
                Err(_) => tries += 1,
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    async fn pieces(&self, pieces: u32) -> Result<Vec<u8>, ClusterError> {
        let failed = ClusterError::server("give the order");
        let stream = self.staff.link.stream.get_stream_no_info(self.names.order_stream()).await;
        let stream = stream.map_err(|error| failed(error.into()))?;
        let mut bytes = Vec::new();
        for number in 0..pieces {
            let subject = self.names.order(&number.to_string());
            let piece = stream.get_last_raw_message_by_subject(&subject).await;
            bytes.extend_from_slice(&piece.map_err(|error| failed(error.into()))?.payload);
        }
        Ok(bytes)
    }
}
