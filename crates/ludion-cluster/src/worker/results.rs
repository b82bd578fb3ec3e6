//! Sends results to the coordinator. Results of several chunks share a message, within the maximum
//! size of a message. The chunks are acknowledged after the server has stored their results.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::worker_run::{FinishedChunk, WorkerRun};
use crate::run_key::TaggedMessage;
use crate::run_streams::RETRY_DELAY;
use crate::stored_message::{MessageId, StoredMessage};
use crate::wire::{ChunkResults, ResultBatch, WORKER_HEADER, encode, tagged};

/// Time that results wait for others to share a message with.
const BATCH_DELAY: Duration = Duration::from_millis(2);
/// Maximum number of bytes that a job adds to a message besides its result.
const JOB_OVERHEAD: usize = 24;
/// Number of bytes of a message that are reserved for headers.
const HEADER_SIZE: usize = 4096;

impl WorkerRun {
    /// Task that sends the results of finished chunks until the run is closed.
    pub(super) async fn send_results(
        self: Arc<Self>,
        mut finished: mpsc::UnboundedReceiver<FinishedChunk>,
    ) {
        let mut next_id = 0_u64;
        while !self.is_closed() {
            let mut chunks = Vec::new();
            let received =
                tokio::time::timeout(RETRY_DELAY, finished.recv_many(&mut chunks, 1)).await;
            if received.is_err() {
                continue;
            }
            tokio::time::sleep(BATCH_DELAY).await;
            while let Ok(more) = finished.try_recv() {
                chunks.push(more);
            }
            let leases: Vec<(u64, bool)> =
                chunks.iter().map(|chunk| (chunk.lease, chunk.is_complete)).collect();
            let max_payload = self.dispatcher.connection.client().max_payload();
            let max_size = max_payload.saturating_sub(HEADER_SIZE);
            let messages = pack(chunks, self.dispatcher.worker.threads as u32, max_size);
            let count = messages.len() as u64;
            let sent = messages.into_iter().zip(next_id..);
            let sent = sent.map(|(bytes, id)| self.publish(bytes, id));
            futures_util::future::join_all(sent).await;
            next_id += count;
            self.end_leases(&leases).await;
        }
    }

    /// Publishes a result message, and retries until the server has stored it.
    async fn publish(&self, payload: Vec<u8>, id: u64) {
        let Some(key) = self.key() else { return };
        let worker = self.dispatcher.worker.name.as_str();
        let mut headers = tagged(key, TaggedMessage::Results, worker, &payload);
        headers.insert(WORKER_HEADER, worker);
        let message = StoredMessage { subject: self.subjects.results(), headers, payload };
        let mut id = MessageId::new(format!("{}.{id}", self.unique_id));
        while !self.is_closed()
            && message.publish(&self.dispatcher.connection, &mut id).await.is_err()
        {
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
}

/// Packs results into messages of at most `max_size` bytes. A result that is too large for any
/// message is replaced by a failure.
fn pack(finished: Vec<FinishedChunk>, threads: u32, max_size: usize) -> Vec<Vec<u8>> {
    let (mut messages, mut batch, mut size) = (Vec::new(), ResultBatch::default(), 0);
    batch.threads = threads;
    for FinishedChunk { chunk, results, duration, .. } in finished {
        let seconds_per_job = duration.as_secs_f64() / results.len().max(1) as f64;
        let empty = || ChunkResults { chunk, seconds: 0.0, results: Vec::new() };
        let mut chunk_results = empty();
        for (job, mut outcome) in results {
            let bytes = outcome.as_ref().map_or_else(String::len, Vec::len) + JOB_OVERHEAD;
            if bytes > max_size {
                outcome =
                    Err(format!("its result has {bytes} bytes; the server allows {max_size}"));
            }
            let bytes = bytes.min(max_size);
            if size + bytes > max_size {
                batch.chunks.push(std::mem::replace(&mut chunk_results, empty()));
                messages.push(encode(&batch));
                batch.chunks.clear();
                size = 0;
            }
            size += bytes;
            chunk_results.seconds += seconds_per_job;
            chunk_results.results.push((job, outcome));
        }
        size += JOB_OVERHEAD;
        batch.chunks.push(chunk_results);
    }
    messages.push(encode(&batch));
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_packed_into_messages_of_limited_size_without_loss() {
        let results = |first: u64| (first..first + 10).map(|job| (job, Ok(vec![7; 90]))).collect();
        let finished = (0..5).map(|chunk| FinishedChunk {
            lease: chunk,
            chunk,
            results: results(10 * chunk),
            is_complete: true,
            duration: Duration::from_millis(10),
        });
        let messages = pack(finished.collect(), 2, 400);
        assert!(messages.len() > 10 && messages.iter().all(|m| m.len() <= 400 + JOB_OVERHEAD));
        let mut jobs = Vec::new();
        let mut seconds = 0.0;
        for message in &messages {
            let batch: ResultBatch = postcard::from_bytes(message).expect("results");
            for chunk in batch.chunks {
                seconds += chunk.seconds;
                assert!(chunk.results.iter().all(|(job, _)| job / 10 == chunk.chunk));
                jobs.extend(chunk.results.into_iter().map(|(job, _)| job));
            }
        }
        assert_eq!(jobs, (0..50).collect::<Vec<_>>());
        assert!((seconds - 0.05).abs() < 1e-9, "{seconds}");
        let huge = FinishedChunk {
            lease: 0,
            chunk: 0,
            results: vec![(3, Ok(vec![0; 500]))],
            is_complete: true,
            duration: Duration::ZERO,
        };
        let batch: ResultBatch =
            postcard::from_bytes(&pack(vec![huge], 1, 400)[0]).expect("results");
        assert!(matches!(&batch.chunks[0].results[..],
            [(3, Err(message))] if message.contains("524 bytes")));
    }
}
