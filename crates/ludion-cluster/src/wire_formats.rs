//! The decoders of all messages, for fuzz tests.

use ludion_runs::cluster::{RunStatus, WorkerStatus};
use ludion_runs::residuals::WorkerResidual;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::run_key::RunKey;
use crate::wire::{
    AnnouncementHeader, AttachmentInfo, ChunkResults, JobChunk, ResultBatch, RunAnnouncement,
    RunOrder, RunPhase, RunSubjects, WireJobSpec, WorkerMessage, WorkerMessageKind, encode,
    printable, to_json,
};

/// Number of jobs of the run for which chunks are decoded.
const JOBS: u64 = 1 << 20;

/// Decodes bytes as every kind of message. Panics if a value that was decoded is not the same after
/// it was encoded and decoded again.
pub fn decode_every_way(payload: &[u8]) {
    if let Some(chunk) = JobChunk::decode(payload, JOBS) {
        assert!(chunk.jobs().all(|job| job < JOBS), "a chunk beyond the run");
        assert_eq!(JobChunk::decode(&encode(&chunk), JOBS), Some(chunk));
    }
    if let Some(batch) = ResultBatch::decode(payload) {
        let bytes = encode(&batch);
        assert_eq!(ResultBatch::decode(&bytes).map(|again| encode(&again)), Some(bytes));
    }
    if let Ok(order) = postcard::from_bytes::<RunOrder>(payload) {
        let bytes = encode(&order);
        let again = postcard::from_bytes::<RunOrder>(&bytes).map(|again| encode(&again));
        assert_eq!(again, Ok(bytes));
    }
    json_round_trip::<RunAnnouncement>(payload);
    json_round_trip::<WorkerMessage>(payload);
    json_round_trip::<RunStatus>(payload);
    json_round_trip::<WorkerStatus>(payload);
    let _ = serde_json::from_slice::<AnnouncementHeader>(payload);
    let text = String::from_utf8_lossy(payload);
    if let Some(run) = RunSubjects::from_stream(&text).or_else(|| RunSubjects::parse(&text)) {
        assert!(
            RunSubjects::from_stream(&run.work_stream()).is_some_and(|again| again.id == run.id)
        );
    }
    assert!(!printable(&text).contains(char::is_control));
}

fn json_round_trip<T: Serialize + DeserializeOwned>(payload: &[u8]) {
    if let Ok(value) = serde_json::from_slice::<T>(payload) {
        let bytes = to_json(&value);
        let again = serde_json::from_slice::<T>(&bytes).map(|again| to_json(&again)).ok();
        assert_eq!(again, Some(bytes));
    }
}

/// Returns one message of every kind, with a name for it.
#[must_use]
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    let residual = WorkerResidual {
        worker: "w1".to_owned(),
        results: 3,
        mean: 0.75,
        others: Some(0.5),
        residual: None,
        probability: Some(1e-7),
    };
    let status = RunStatus {
        id: "00ff".to_owned(),
        kind: "games".to_owned(),
        about: "match tictactoe".to_owned(),
        version: "0.2.0".to_owned(),
        done: 3,
        jobs: 100,
        jobs_per_second: 2.5,
        seconds_left: Some(39.0),
        by_worker: vec![("w1".to_owned(), 3)],
        residuals: vec![residual],
    };
    let announcement = RunAnnouncement {
        status: status.clone(),
        spec_parts: 1,
        times_created: 1,
        excluded: vec!["w2".to_owned()],
        phase: RunPhase::Open,
    };
    let message = |kind| to_json(&WorkerMessage { worker: "w1".to_owned(), kind });
    let results = vec![(3, Ok(vec![1, 2])), (4, Err("job 4 panicked".to_owned()))];
    let chunk = ChunkResults { chunk: 7, seconds: 0.5, results };
    let attachment = AttachmentInfo { name: "m".to_owned(), hash: "00ab".to_owned(), size: 9 };
    let spec = WireJobSpec {
        kind: "games".to_owned(),
        spec: b"{}".to_vec(),
        attachments: vec![attachment],
    };
    let mut samples = vec![
        ("announcement", to_json(&announcement)),
        ("status", to_json(&status)),
        ("refuses", message(WorkerMessageKind::RefusesRun("no bots".to_owned()))),
        ("holds", message(WorkerMessageKind::StillRunning(7))),
        ("damaged", message(WorkerMessageKind::AttachmentDamaged("00ab".to_owned()))),
        ("chunk", encode(&JobChunk::new(7, 1, &[3, 4, 5, 900]))),
        ("results", encode(&ResultBatch { threads: 2, chunks: vec![chunk] })),
        ("stream", b"ludion-00ff-work".to_vec()),
    ];
    if let Ok(key) = RunKey::random() {
        samples.push(("order", encode(&RunOrder { key, jobs: 100, spec })));
    }
    samples
}
