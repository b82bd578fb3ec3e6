//! Messages between coordinators and workers, and the NATS subjects and streams that they use.
//! Messages that every version must understand are JSON: announcements, worker messages and status
//! responses. Messages between programs of the same version are encoded with `postcard`: job
//! specifications, chunks and results.

use async_nats::HeaderMap;
use ludion_runs::cluster::RunStatus;
use serde::{Deserialize, Serialize};

use crate::run_key::{RunKey, TAG_HEADER, TaggedMessage};

/// Subject on which coordinators announce their runs.
pub(crate) const RUNS_SUBJECT: &str = "ludion.runs";
/// Subject of requests that ask all coordinators for their runs.
pub(crate) const LIST_RUNS_SUBJECT: &str = "ludion.call.runs";
/// Subject of requests that ask all workers for their status.
pub(crate) const LIST_WORKERS_SUBJECT: &str = "ludion.call.workers";
/// Bucket of the object store that holds attachments.
pub(crate) const ATTACHMENT_BUCKET: &str = "ludion-things";
/// Durable consumer of the work stream, shared by all workers.
pub(crate) const WORKERS_CONSUMER: &str = "workers";
/// Durable consumer of the result stream, used by the coordinator.
pub(crate) const COORDINATOR_CONSUMER: &str = "coordinator";
/// Header of a result message that names the worker that sent it.
pub(crate) const WORKER_HEADER: &str = "Ludion-Worker";

/// Maximum length of the id of a run.
const MAX_ID_LENGTH: usize = 64;
/// Maximum number of jobs in a chunk.
pub(crate) const MAX_CHUNK_JOBS: u64 = 1 << 14;
/// Maximum number of threads of a worker that count.
const MAX_WORKER_THREADS: u32 = 1 << 14;

/// Id of a run, from which the names of its subjects and streams are derived.
#[derive(Clone)]
pub(crate) struct RunSubjects {
    pub(crate) id: String,
}

impl RunSubjects {
    /// Draws a random id for a new run.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes)?;
        Ok(RunSubjects { id: format!("{:016x}", u64::from_le_bytes(bytes)) })
    }

    /// Returns the subjects of the run with an id that was received, or `None` if no run can have
    /// this id. Dots, spaces and wildcards would make other subjects of it.
    pub(crate) fn parse(id: &str) -> Option<Self> {
        let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_id = is_plain && (1..=MAX_ID_LENGTH).contains(&id.len());
        is_id.then(|| RunSubjects { id: id.to_owned() })
    }

    /// Returns the run that a stream belongs to, or `None` for other streams.
    pub(crate) fn from_stream(stream: &str) -> Option<Self> {
        let rest = stream.strip_prefix("ludion-")?;
        let (id, kind) = rest.rsplit_once('-')?;
        if !["order", "work", "results"].contains(&kind) {
            return None;
        }
        RunSubjects::parse(id)
    }

    /// Returns the name of the stream that keeps the job specification during the run.
    pub(crate) fn spec_stream(&self) -> String {
        format!("ludion-{}-order", self.id)
    }

    /// Returns the name of the work queue of chunks.
    pub(crate) fn work_stream(&self) -> String {
        format!("ludion-{}-work", self.id)
    }

    /// Returns the name of the queue of results.
    pub(crate) fn result_stream(&self) -> String {
        format!("ludion-{}-results", self.id)
    }

    /// Returns the subject of chunks.
    pub(crate) fn work(&self) -> String {
        format!("ludion.run.{}.work", self.id)
    }

    /// Returns the subject of the part of the job specification with the index `part`, or of all
    /// parts for `*`. The part with the index 0 is message 1 of the stream, and so on.
    pub(crate) fn spec_part(&self, part: &str) -> String {
        format!("ludion.run.{}.order.{part}", self.id)
    }

    /// Returns the subject of results.
    pub(crate) fn results(&self) -> String {
        format!("ludion.run.{}.results", self.id)
    }

    /// Returns the subject of messages from workers to the coordinator.
    pub(crate) fn worker_messages(&self) -> String {
        format!("ludion.run.{}.notes", self.id)
    }
}

/// Announcement of a run, published by its coordinator every second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunAnnouncement {
    pub(crate) status: RunStatus,
    /// Number of messages that the job specification is split into.
    #[serde(rename = "pieces")]
    pub(crate) spec_parts: u32,
    /// How often the streams were created, or the attachments uploaded again. When it changes, workers retry a run that they refused.
    #[serde(rename = "opened")]
    pub(crate) times_created: u32,
    /// Names of the workers that are excluded from the run.
    #[serde(rename = "barred")]
    pub(crate) excluded: Vec<String>,
    pub(crate) phase: RunPhase,
}

/// The fields of an announcement that every version can read.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AnnouncementHeader {
    pub(crate) status: RunHeader,
    /// The phase as text, because another version may have other phases.
    pub(crate) phase: String,
}

/// The fields of a run's status that every version can read.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RunHeader {
    pub(crate) id: String,
    pub(crate) version: String,
}

/// Phase of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunPhase {
    /// Chunks are being handed out.
    Open,
    /// Workers interrupt their jobs, send the results they have and start no other chunks.
    Stopping,
    /// The coordinator accepts no more results.
    Over,
}

/// Message of a worker to the coordinator of a run, besides its results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct WorkerMessage {
    pub(crate) worker: String,
    #[serde(rename = "says")]
    pub(crate) kind: WorkerMessageKind,
}

/// Content of a worker's message.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerMessageKind {
    /// The worker does not take part in the run, for this reason.
    #[serde(rename = "refuses")]
    RefusesRun(String),
    /// The worker is still running jobs of the chunk with this number.
    #[serde(rename = "holds")]
    StillRunning(u64),
    /// The attachment with this name is missing on the server, or damaged.
    #[serde(rename = "damaged")]
    AttachmentDamaged(String),
}

/// What a worker needs to take part in a run. It is stored on the server before the run is announced
/// and does not change.
#[derive(Serialize, Deserialize)]
pub(crate) struct RunOrder {
    /// Key of the tags of all messages of the run.
    pub(crate) key: RunKey,
    /// Number of jobs of the run; their numbers are below it.
    pub(crate) jobs: u64,
    pub(crate) spec: WireJobSpec,
}

/// A job specification as it is sent. The attachments are sent separately, through the object
/// store.
#[derive(Serialize, Deserialize)]
pub(crate) struct WireJobSpec {
    pub(crate) kind: String,
    pub(crate) spec: Vec<u8>,
    #[serde(rename = "things")]
    pub(crate) attachments: Vec<AttachmentInfo>,
}

/// Name, hash and size of an attachment in the object store.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct AttachmentInfo {
    /// Name by which the job specification refers to the attachment.
    pub(crate) name: String,
    /// SHA-256 of the content, in hexadecimal digits.
    pub(crate) hash: String,
    /// Size in bytes.
    pub(crate) size: u64,
}

/// Several jobs that are handed out together, and that one thread runs one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct JobChunk {
    /// Number by which the coordinator identifies the chunk.
    pub(crate) number: u64,
    /// How often the chunk was handed out, this time included.
    pub(crate) attempt: u32,
    /// Job numbers as ranges, each as the first number and the count.
    ranges: Vec<(u64, u64)>,
}

impl JobChunk {
    pub(crate) fn new(number: u64, attempt: u32, jobs: &[u64]) -> Self {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for &job in jobs {
            match ranges.last_mut() {
                Some((first, count)) if first.checked_add(*count) == Some(job) => *count += 1,
                _ => ranges.push((job, 1)),
            }
        }
        JobChunk { number, attempt, ranges }
    }

    /// Decodes a chunk of a run with this number of jobs; `None` if it is none: if it has no job,
    /// more than [`MAX_CHUNK_JOBS`], or one beyond the plan.
    pub(crate) fn decode(payload: &[u8], jobs: u64) -> Option<Self> {
        let chunk: JobChunk = postcard::from_bytes(payload).ok()?;
        let mut total = 0_u64;
        for &(first, count) in &chunk.ranges {
            let end = first.checked_add(count)?;
            total = total.checked_add(count)?;
            if count == 0 || end > jobs || total > MAX_CHUNK_JOBS {
                return None;
            }
        }
        (total > 0).then_some(chunk)
    }

    pub(crate) fn jobs(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().flat_map(|&(first, count)| first..first + count)
    }
}

/// Message of one worker with results of one or several chunks.
#[derive(PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ResultBatch {
    /// Number of threads of the worker.
    pub(crate) threads: u32,
    pub(crate) chunks: Vec<ChunkResults>,
}

impl ResultBatch {
    /// Decodes results; `None` if the bytes are none.
    pub(crate) fn decode(payload: &[u8]) -> Option<Self> {
        let mut batch: ResultBatch = postcard::from_bytes(payload).ok()?;
        batch.threads = batch.threads.min(MAX_WORKER_THREADS);
        Some(batch)
    }
}

/// Results of jobs of one chunk, possibly not of all its jobs.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ChunkResults {
    /// Number of the chunk.
    pub(crate) chunk: u64,
    /// Seconds that these jobs took.
    pub(crate) seconds: f64,
    /// Job numbers with their outcomes.
    pub(crate) results: Vec<(u64, JobOutcome)>,
}

/// Encoded result of a job, or the message of its failure.
pub(crate) type JobOutcome = Result<Vec<u8>, String>;

/// Returns the headers of a message with its tag.
pub(crate) fn tagged(key: &RunKey, kind: TaggedMessage, sender: &str, payload: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(TAG_HEADER, key.tag(kind, sender, payload));
    headers
}

/// Returns whether a message has the right tag.
pub(crate) fn is_authentic(
    key: &RunKey,
    kind: TaggedMessage,
    sender: &str,
    message: &async_nats::Message,
) -> bool {
    let tag = header(message, TAG_HEADER);
    tag.is_some_and(|tag| key.verifies(kind, sender, &message.payload, tag))
}

/// Returns the value of a header of a message.
pub(crate) fn header<'a>(message: &'a async_nats::Message, name: &str) -> Option<&'a str> {
    Some(message.headers.as_ref()?.get(name)?.as_str())
}

/// Returns whether a status response may be sent to the subject that a request names: not to one of
/// Ludion or of the server, where a forged request would make it a forged message.
pub(crate) fn is_reply_subject(subject: &str) -> bool {
    !subject.starts_with("ludion.") && !subject.starts_with('$')
}

/// Maximum number of characters of a received text that is shown.
const MAX_SHOWN: usize = 500;

/// Returns a received text as it is shown to the user: on one line, without control characters, and
/// not too long.
pub(crate) fn printable(text: &str) -> String {
    text.chars().take(MAX_SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Serialises a value with `postcard`.
pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data can be serialised")
}

/// Serialises a value as JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data can be serialised")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_keeps_its_jobs_in_order_and_with_gaps() {
        for jobs in [vec![], vec![7], vec![0, 1, 2, 9, 10, 4, u64::MAX - 1]] {
            let chunk: JobChunk =
                postcard::from_bytes(&encode(&JobChunk::new(3, 1, &jobs))).expect("bytes");
            assert_eq!(chunk.jobs().collect::<Vec<_>>(), jobs);
        }
        assert_eq!(encode(&JobChunk::new(1, 1, &(0..5000).collect::<Vec<_>>())).len(), 6);
    }

    #[test]
    fn a_chunk_beyond_the_plan_or_the_largest_size_is_refused() {
        let decode = |ranges: &[(u64, u64)], jobs| {
            let chunk = JobChunk { number: 1, attempt: 1, ranges: ranges.to_vec() };
            JobChunk::decode(&encode(&chunk), jobs)
        };
        for good in [&[(0, 100)][..], &[(99, 1)], &[(5, 1), (0, 3)]] {
            assert!(decode(good, 100).is_some(), "{good:?}");
        }
        let ranges = |count| (0..count).map(|job| (job, 1)).collect::<Vec<_>>();
        let bad: [&[(u64, u64)]; 8] = [
            &[],
            &[(0, 0)],
            &[(0, 101)],
            &[(100, 1)],
            &[(0, u64::MAX)],
            &[(u64::MAX, 2)],
            &[(0, 1), (u64::MAX, u64::MAX)],
            &[(0, u64::MAX), (0, u64::MAX)],
        ];
        for bad in bad {
            assert_eq!(decode(bad, 100), None, "{bad:?}");
        }
        assert!(decode(&[(0, MAX_CHUNK_JOBS)], u64::MAX).is_some());
        assert!(decode(&[(0, MAX_CHUNK_JOBS + 1)], u64::MAX).is_none());
        assert!(decode(&ranges(MAX_CHUNK_JOBS), u64::MAX).is_some());
        assert!(decode(&ranges(MAX_CHUNK_JOBS + 1), u64::MAX).is_none());
        assert!(JobChunk::decode(&[255; 40], u64::MAX).is_none());
    }

    #[test]
    fn an_id_with_dots_spaces_or_wildcards_is_that_of_no_run() {
        assert!(RunSubjects::parse("00ff").is_some());
        for id in ["", "*", ">", "a.b", "a b", "a\r\nb", "é", &"0".repeat(65)] {
            assert!(RunSubjects::parse(id).is_none(), "{id:?}");
        }
    }

    #[test]
    fn a_received_text_is_shown_on_one_line_without_control_characters() {
        assert_eq!(printable("a\u{1b}[2Jb\r\nc\u{9b}"), "a [2Jb  c ");
        assert_eq!(printable(&"é".repeat(10_000)).chars().count(), MAX_SHOWN);
    }

    #[test]
    fn the_name_of_a_stream_gives_the_id_of_its_run() {
        let run = RunSubjects::parse("00ff").expect("an id");
        for stream in [run.spec_stream(), run.work_stream(), run.result_stream()] {
            assert_eq!(
                RunSubjects::from_stream(&stream).map(|run| run.id),
                Some("00ff".to_owned())
            );
        }
        assert!(RunSubjects::from_stream("ludion-things").is_none());
    }

    #[test]
    fn the_header_of_an_announcement_of_a_later_version_is_readable() {
        let text = r#"{"status": {"id": "00ff", "version": "9.0", "mood": 3}, "phase": "paused"}"#;
        assert!(serde_json::from_str::<RunAnnouncement>(text).is_err());
        let header: AnnouncementHeader = serde_json::from_str(text).expect("the header");
        assert_eq!((&header.status.version[..], &header.phase[..]), ("9.0", "paused"));
    }
}
