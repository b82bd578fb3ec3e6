//! Worker: a program that runs the jobs of all runs announced on a server and shares its threads
//! between them.
//!
//! `dispatcher` listens for announcements and starts a `worker_run` for every run, which fetches
//! the job specification (`job_spec`), pulls chunks and sends the results (`results`). The jobs run
//! on the threads of `thread_pool`.

mod dispatcher;
mod job_spec;
mod results;
mod thread_pool;
mod worker_run;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludion_core::threads;
use ludion_runs::remote::OpenedJobSet;

use crate::connection::Connection;
use crate::runtime::AsyncRuntime;
use crate::wire::RunSubjects;
use crate::{ClusterError, Credentials, ServerAddress};
use dispatcher::Dispatcher;

/// A job specification as a worker receives it.
pub struct ReceivedJobSpec<'a> {
    /// Kind of work, which selects the handler.
    pub kind: &'a str,
    /// The jobs, serialised by the code for their kind.
    pub spec: &'a [u8],
    /// Paths of the downloaded attachments, by the names they have in the specification.
    pub attachments: HashMap<String, PathBuf>,
}

/// Function that opens a job specification as a runnable job set, or returns the reason why it
/// cannot.
pub type JobSetOpener =
    Box<dyn Fn(ReceivedJobSpec<'_>) -> Result<Arc<dyn OpenedJobSet>, String> + Send + Sync>;

/// Worker that runs jobs for all coordinators on the same server.
pub struct Worker {
    /// Name of the worker, which should be unique in the cluster.
    pub name: String,
    /// Version of the program. Runs of another version are refused.
    pub version: String,
    /// Number of threads that run jobs.
    pub threads: usize,
    /// Folder in which attachments are cached.
    pub folder: PathBuf,
    /// Function that opens received job specifications.
    pub opener: JobSetOpener,
}

/// Event of a worker that the user should see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerEvent<'a> {
    /// The worker is connected for the first time and runs jobs from now on.
    Ready,
    /// A message about the connection or about a refused run.
    Notice(&'a str),
    /// What the worker has done so far; comes several times in a second.
    Progress {
        /// Number of jobs done since the worker started.
        jobs: u64,
        /// Number of threads that are running jobs.
        busy_threads: u32,
    },
}

/// Callback for the events of a worker.
type OnWorkerEvent<'a> = &'a (dyn Fn(WorkerEvent<'_>) + Sync);

/// Maximum number of characters in the name of a worker.
const MAX_NAME_LENGTH: usize = 100;

/// Checks the name of a worker. It must be one line of text because it is sent in a header.
///
/// # Errors
/// When the name is empty, too long, or contains control characters.
pub fn check_worker_name(name: &str) -> Result<(), ClusterError> {
    let is_allowed = |c: char| c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric();
    let is_trimmed = !name.is_empty() && name.trim() == name;
    let is_short = name.chars().count() <= MAX_NAME_LENGTH;
    if is_trimmed && is_short && name.chars().all(is_allowed) {
        return Ok(());
    }
    Err(ClusterError::InvalidName(format!(
        "the name of a worker must be letters, digits and punctuation on one line, at most \
         {MAX_NAME_LENGTH} characters"
    )))
}

/// Delay before the worker tries again to connect.
const CONNECT_RETRY_DELAY: Duration = Duration::from_millis(500);
/// Interval at which the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl Worker {
    /// Runs jobs until `stop` is set; the jobs under way then go back to their runs. Waits for a
    /// server that does not run yet, and reconnects when the connection is lost.
    ///
    /// # Errors
    /// When the name, the address or the credentials are not usable, or the system starts no
    /// thread.
    pub fn run(
        self,
        address: &ServerAddress,
        credentials: &Credentials,
        stop: &AtomicBool,
        on_event: OnWorkerEvent<'_>,
    ) -> Result<(), ClusterError> {
        check_worker_name(&self.name)?;
        let runtime = AsyncRuntime::start()?;
        let unique_id = RunSubjects::random()
            .map_err(|error| ClusterError::Local(format!("no random id for the worker: {error}")))?
            .id;
        let connection = self.connect(address, credentials, stop, on_event);
        let Some(connection) = runtime.block_on(connection)? else {
            return Ok(());
        };
        on_event(WorkerEvent::Ready);
        let dispatcher = Arc::new(Dispatcher::new(self, connection, unique_id));
        let run_tasks = |_| dispatcher.threads.run_tasks();
        std::thread::scope(|scope| {
            let wanted = dispatcher.worker.threads.max(1);
            match threads::start(scope, wanted, &run_tasks) {
                0 => return Err(ClusterError::Local("the system starts no thread".to_owned())),
                started if started < wanted => on_event(WorkerEvent::Notice(&format!(
                    "the system starts only {started} of {wanted} threads"
                ))),
                _ => {}
            }
            let result = runtime.block_on(dispatcher.run(stop, on_event));
            dispatcher.threads.close();
            result
        })
    }

    /// Retries until a server accepts the connection, and reports why it waits. Returns `None` if
    /// the worker is stopped meanwhile.
    async fn connect(
        &self,
        address: &ServerAddress,
        credentials: &Credentials,
        stop: &AtomicBool,
        on_event: OnWorkerEvent<'_>,
    ) -> Result<Option<Connection>, ClusterError> {
        let mut last_reason = String::new();
        loop {
            let reason = tokio::select! {
                connection = Connection::open(address, credentials, &self.name) => match connection {
                    Ok(connection) => return Ok(Some(connection)),
                    Err(error @ ClusterError::Local(_)) => return Err(error),
                    Err(error) => error.to_string(),
                },
                () = wait_for_stop(stop) => return Ok(None),
            };
            if reason != last_reason {
                on_event(WorkerEvent::Notice(&format!("waiting: {reason}")));
                last_reason = reason;
            }
            tokio::time::sleep(CONNECT_RETRY_DELAY).await;
        }
    }
}

/// Waits until the stop flag is set.
async fn wait_for_stop(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_worker_is_one_line_of_at_most_100_characters() {
        for good in ["kitchen-12", "Küche 3", "a"] {
            assert!(check_worker_name(good).is_ok(), "{good}");
        }
        for bad in ["", " a", "a\nb", "a\r\nNats-Msg-Id: 7", "\u{7f}", &"a".repeat(101)] {
            assert!(check_worker_name(bad).is_err(), "{bad:?}");
        }
    }
}
