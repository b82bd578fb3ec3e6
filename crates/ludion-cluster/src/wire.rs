//! What goes between machines, and under which names. What any version must understand is JSON:
//! announcements, notes and roll calls. What only programs of the same version exchange, chunks,
//! orders and reports, is in the encoding of `postcard`.

use ludion_runs::cluster::RunStatus;
use serde::{Deserialize, Serialize};

/// Where coordinators say what is under way.
pub(crate) const RUNS: &str = "ludion.runs";
/// Where all coordinators are asked what is under way.
pub(crate) const CALL_RUNS: &str = "ludion.call.runs";
/// Where all workers are asked how they are.
pub(crate) const CALL_WORKERS: &str = "ludion.call.workers";
/// The bucket of models and data.
pub(crate) const THINGS: &str = "ludion-things";
/// The consumer that all workers share.
pub(crate) const WORKERS: &str = "workers";
/// The consumer of the coordinator.
pub(crate) const COORDINATOR: &str = "coordinator";
/// The header of a report that says who sends it.
pub(crate) const SENDER: &str = "Ludion-Worker";

/// The names of one run.
#[derive(Clone)]
pub(crate) struct RunNames {
    pub(crate) id: String,
}

impl RunNames {
    /// A run that nobody else has.
    pub(crate) fn draw() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes)?;
        Ok(RunNames { id: format!("{:016x}", u64::from_le_bytes(bytes)) })
    }

    pub(crate) fn of(id: &str) -> Self {
        RunNames { id: id.to_owned() }
    }

    /// The run whose stream has this name.
    pub(crate) fn of_stream(stream: &str) -> Option<Self> {
        let rest = stream.strip_prefix("ludion-")?;
        let (id, what) = rest.rsplit_once('-')?;
        ["order", "work", "results"].contains(&what).then(|| RunNames::of(id))
    }

    /// Keeps the order as long as the run lasts, however old it is.
    pub(crate) fn order_stream(&self) -> String {
        format!("ludion-{}-order", self.id)
    }

    pub(crate) fn work_stream(&self) -> String {
        format!("ludion-{}-work", self.id)
    }

    pub(crate) fn result_stream(&self) -> String {
        format!("ludion-{}-results", self.id)
    }

    /// Where chunks go.
    pub(crate) fn work(&self) -> String {
        format!("ludion.run.{}.work", self.id)
    }

    /// Where a piece of the order is.
    pub(crate) fn order(&self, piece: &str) -> String {
        format!("ludion.run.{}.order.{piece}", self.id)
    }

    /// Where reports go.
    pub(crate) fn results(&self) -> String {
        format!("ludion.run.{}.results", self.id)
    }

    /// Where workers say what is to be said besides.
    pub(crate) fn notes(&self) -> String {
        format!("ludion.run.{}.notes", self.id)
    }
}

/// A coordinator says that its run is under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunAnnouncement {
    pub(crate) status: RunStatus,
    /// In how many pieces the order is.
    pub(crate) pieces: u32,
    /// How often the run was opened on the server: what could not be fetched before may be there.
    pub(crate) opened: u32,
    /// Workers that are not to work at it.
    pub(crate) barred: Vec<String>,
    pub(crate) phase: RunPhase,
}

/// What any version can read of an announcement.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct AnnouncementHead {
    pub(crate) status: RunHead,
    /// How far the run is, in a word.
    pub(crate) phase: String,
}

/// What any version can read of a run.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RunHead {
    pub(crate) id: String,
    pub(crate) version: String,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunPhase {
    /// Chunks are handed out.
    Open,
    /// What is under way is finished, nothing else is begun.
    Stopping,
    /// Nobody waits for results any more.
    Over,
}

/// Something a worker says to the coordinator of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct WorkerMessage {
    pub(crate) worker: String,
    pub(crate) says: WorkerMessageKind,
}

/// What it says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum WorkerMessageKind {
    /// It does not work at the run, and why.
    Refuses(String),
    /// It works at this chunk for some time already.
    Holds(u64),
}

/// Work written down.
#[derive(Serialize, Deserialize)]
pub(crate) struct WireJobSpec {
    pub(crate) kind: String,
    pub(crate) spec: Vec<u8>,
    #[serde(rename = "things")]
    pub(crate) attachments: Vec<AttachmentLabel>,
}

/// A thing in the object store.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct AttachmentLabel {
    /// What the order calls it.
    pub(crate) name: String,
    /// The SHA-256 of its bytes.
    pub(crate) hash: String,
    /// How many there are.
    pub(crate) size: u64,
}

/// Jobs that are done one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct JobChunk {
    pub(crate) number: u64,
    /// The jobs, as first numbers and how many follow one another.
    spans: Vec<(u64, u64)>,
}

impl JobChunk {
    pub(crate) fn new(number: u64, jobs: &[u64]) -> Self {
        let mut spans: Vec<(u64, u64)> = Vec::new();
        for &job in jobs {
            match spans.last_mut() {
                Some((first, count)) if first.checked_add(*count) == Some(job) => *count += 1,
                _ => spans.push((job, 1)),
            }
        }
        JobChunk { number, spans }
    }

    pub(crate) fn jobs(&self) -> impl Iterator<Item = u64> + '_ {
        self.spans.iter().flat_map(|&(first, count)| first..first.saturating_add(count))
    }
}

/// Results of a worker.
#[derive(PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ChunkReport {
    /// How many threads it has.
    pub(crate) threads: u32,
    pub(crate) parts: Vec<ChunkPart>,
}

/// Results of jobs of one chunk, perhaps not of all.
#[derive(PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct ChunkPart {
    pub(crate) chunk: u64,
    /// Seconds that these jobs took.
    pub(crate) seconds: f64,
    pub(crate) results: Vec<(u64, JobOutcome)>,
}

/// A result, or a sentence why there is none.
pub(crate) type JobOutcome = Result<Vec<u8>, String>;

pub(crate) fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("plain data is written to memory")
}

pub(crate) fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_keeps_its_jobs_whatever_gaps_they_have() {
        for jobs in [vec![], vec![7], vec![0, 1, 2, 9, 10, 4, u64::MAX - 1]] {
            let chunk: JobChunk =
                postcard::from_bytes(&encode(&JobChunk::new(3, &jobs))).expect("bytes");
            assert_eq!(chunk.jobs().collect::<Vec<_>>(), jobs);
        }
        assert_eq!(encode(&JobChunk::new(1, &(0..5000).collect::<Vec<_>>())).len(), 5);
    }

    #[test]
    fn a_run_is_known_by_the_names_of_its_streams() {
        let names = RunNames::of("00ff");
        for stream in [names.order_stream(), names.work_stream(), names.result_stream()] {
            assert_eq!(RunNames::of_stream(&stream).map(|names| names.id), Some("00ff".to_owned()));
        }
        assert!(RunNames::of_stream("ludion-things").is_none());
    }

    #[test]
    fn an_announcement_of_a_version_to_come_still_says_which_it_is() {
        let text = r#"{"status": {"id": "00ff", "version": "9.0", "mood": 3}, "phase": "paused"}"#;
        assert!(serde_json::from_str::<RunAnnouncement>(text).is_err());
        let head: AnnouncementHead = serde_json::from_str(text).expect("the head");
        assert_eq!((&head.status.version[..], &head.phase[..]), ("9.0", "paused"));
    }
}
