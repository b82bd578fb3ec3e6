//! Results on their way: those of many chunks go together in reports that the server lets through,
//! and chunks are acknowledged once it has stored them.

use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;
use tokio::sync::mpsc;

use super::worker_run::{FinishedChunk, WorkerRun};
use crate::server_run::RETRY;
use crate::wire::{ChunkPart, ChunkReport, SENDER, encode};

/// How long results wait for others to go with.
const LINGER: Duration = Duration::from_millis(2);
/// A job has so many bytes besides its result, at most.
const OVERHEAD: usize = 24;
/// Headers and the rest of a report have this much room.
const MARGIN: usize = 4096;

impl WorkerRun {
    /// Sends results, those of many chunks together.
    pub(super) async fn send(
        self: Arc<Self>,
        mut finished: mpsc::UnboundedReceiver<FinishedChunk>,
    ) {
        let mut sent = 0_u64;
        while !self.is_closed() {
            let mut some = Vec::new();
            if tokio::time::timeout(RETRY, finished.recv_many(&mut some, 1)).await.is_err() {
                continue;
            }
            tokio::time::sleep(LINGER).await;
            while let Ok(more) = finished.try_recv() {
                some.push(more);
            }
            let takings: Vec<u64> = some.iter().map(|done| done.taking).collect();
            let room = self.staff.link.client.max_payload().saturating_sub(MARGIN);
            let reports = pack(some, self.staff.worker.threads as u32, room);
            let deliveries = reports.iter().zip(sent..).map(|(bytes, id)| self.deliver(bytes, id));
            futures_util::future::join_all(deliveries).await;
            sent += reports.len() as u64;
            self.acknowledge(&takings).await;
        }
    }

    /// Hands a report to the server, as often as it takes.
    async fn deliver(&self, report: &[u8], id: u64) {
        let id = format!("{}.{id}", self.mark);
        while !self.is_closed() {
            let mut headers = HeaderMap::new();
            headers.insert(SENDER, self.staff.worker.name.as_str());
            let message = PublishMessage::build()
                .headers(headers)
                .message_id(&id)
                .payload(report.to_vec().into());
            let sent = self.staff.link.stream.send_publish(self.names.results(), message).await;
            if let Ok(sent) = sent
                && sent.await.is_ok()
            {
                return;
            }
            tokio::time::sleep(RETRY).await;
        }
    }
}

/// Reports of at most `room` bytes. A result that fits into none is refused by its size.
fn pack(finished: Vec<FinishedChunk>, threads: u32, room: usize) -> Vec<Vec<u8>> {
    let (mut reports, mut report, mut size) = (Vec::new(), ChunkReport::default(), 0);
    report.threads = threads;
    for FinishedChunk { chunk, results, took, .. } in finished {
        let each = took.as_secs_f64() / results.len().max(1) as f64;
        let mut part = ChunkPart { chunk, seconds: 0.0, results: Vec::new() };
        for (job, mut done) in results {
            let bytes = done.as_ref().map_or_else(String::len, Vec::len) + OVERHEAD;
            if bytes > room {
                done = Err(format!(
                    "its result has {bytes} bytes, and the server lets through {room}"
                ));
            }
            let bytes = bytes.min(room);
            if size + bytes > room {
                report.parts.push(std::mem::replace(
                    &mut part,
                    ChunkPart { chunk, seconds: 0.0, results: Vec::new() },
                ));
                reports.push(encode(&report));
                report.parts.clear();
                size = 0;
            }
            size += bytes;
            part.seconds += each;
            part.results.push((job, done));
        }
        size += OVERHEAD;
        report.parts.push(part);
    }
    reports.push(encode(&report));
    reports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_fit_into_messages_and_nothing_is_lost_on_the_way() {
        let results = |first: u64| (first..first + 10).map(|job| (job, Ok(vec![7; 90]))).collect();
        let finished = (0..5).map(|chunk| FinishedChunk {
            taking: chunk,
            chunk,
            results: results(10 * chunk),
            took: Duration::from_millis(10),
        });
        let reports = pack(finished.collect(), 2, 400);
        assert!(reports.len() > 10 && reports.iter().all(|report| report.len() <= 400 + OVERHEAD));
        let mut jobs = Vec::new();
        let mut seconds = 0.0;
        for report in &reports {
            let report: ChunkReport = postcard::from_bytes(report).expect("a report");
            for part in report.parts {
                seconds += part.seconds;
                assert!(part.results.iter().all(|(job, _)| job / 10 == part.chunk));
                jobs.extend(part.results.into_iter().map(|(job, _)| job));
            }
        }
        assert_eq!(jobs, (0..50).collect::<Vec<_>>());
        assert!((seconds - 0.05).abs() < 1e-9, "{seconds}");
        let huge = FinishedChunk {
            taking: 0,
            chunk: 0,
            results: vec![(3, Ok(vec![0; 500]))],
            took: Duration::ZERO,
        };
        let report: ChunkReport =
            postcard::from_bytes(&pack(vec![huge], 1, 400)[0]).expect("a report");
        assert!(
            matches!(&report.parts[0].results[..], [(3, Err(why))] if why.contains("524 bytes"))
        );
    }
}
