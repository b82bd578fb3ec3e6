//! A program that does jobs for whoever asks, and shares its threads between them.
//!
//! `staff` listens for runs; `shift` is one run as this worker sees it, `order` how it begins and
//! `reports` what comes of it; `bench` is where the threads are.

mod dispatcher;
mod order;
mod reports;
mod thread_pool;
mod worker_run;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ludion_runs::remote::OpenedJobSet;

use crate::access::Connection;
use crate::runtime::AsyncRuntime;
use crate::wire::RunNames;
use crate::{ClusterError, Credentials, ServerAddress};
use dispatcher::Dispatcher;

/// Work that was handed to a worker.
pub struct ReceivedJob<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// The work, written down as its kind does.
    pub spec: &'a [u8],
    /// The files of models and data, by the names that the spec has for them.
    pub attachments: HashMap<String, PathBuf>,
}

/// Opens work that was handed over, or says in a sentence why not.
pub type OpenReceivedJob =
    Box<dyn Fn(ReceivedJob<'_>) -> Result<Arc<dyn OpenedJobSet>, String> + Send + Sync>;

/// A program that does jobs.
pub struct Worker {
    /// What it is called; no two of a cluster should have the same name.
    pub name: String,
    /// The version of the program.
    pub version: String,
    /// Threads that do jobs.
    pub threads: usize,
    /// Where models and data are kept.
    pub folder: PathBuf,
    /// How it opens work.
    pub opener: OpenReceivedJob,
}

/// What somebody should know of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerEvent<'a> {
    /// It is connected for the first time and does jobs from now on.
    Ready,
    /// Something else, in a sentence.
    Remark(&'a str),
}

/// Told what somebody should know.
type OnWorkerEvent<'a> = &'a (dyn Fn(WorkerEvent<'_>) + Sync);

/// The most letters of a name.
const MAX_NAME: usize = 100;

/// Refuses what a worker cannot be called: its name stands in a line of every message.
///
/// # Errors
/// Says what a name is.
pub fn check_name(name: &str) -> Result<(), ClusterError> {
    let plain = |c: char| c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric();
    let whole = !name.is_empty() && name.trim() == name && name.chars().count() <= MAX_NAME;
    if whole && name.chars().all(plain) {
        return Ok(());
    }
    Err(ClusterError::Name(format!(
        "a worker is called by letters, digits and signs on one line, {MAX_NAME} at most"
    )))
}

/// How long after a server was not there it is looked for again.
const AGAIN: Duration = Duration::from_millis(500);
/// How often this program looks whether somebody stopped it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl Worker {
    /// Does jobs until somebody asks to stop; what is under way then is finished. A server that is
    /// not there yet, or not any more, is waited for.
    ///
    /// # Errors
    /// When the name, the address or the credentials cannot be used.
    pub fn run(
        self,
        address: &ServerAddress,
        access: &Credentials,
        stop: &AtomicBool,
        tell: OnWorkerEvent<'_>,
    ) -> Result<(), ClusterError> {
        check_name(&self.name)?;
        let engine = AsyncRuntime::start()?;
        let mark = RunNames::draw()
            .map_err(|error| ClusterError::File(format!("no name could be drawn: {error}")))?
            .id;
        let Some(link) = engine.block_on(self.connect(address, access, stop, tell))? else {
            return Ok(());
        };
        tell(WorkerEvent::Ready);
        let staff = Arc::new(Dispatcher::new(self, link, mark));
        std::thread::scope(|scope| {
            for _ in 0..staff.worker.threads.max(1) {
                scope.spawn(|| staff.bench.work());
            }
            let done = engine.block_on(staff.attend(stop, tell));
            staff.bench.close();
            done
        })
    }

    /// Connects as soon as there is a server that lets us in, and says what it waits for; nothing
    /// where somebody stopped it meanwhile.
    async fn connect(
        &self,
        address: &ServerAddress,
        access: &Credentials,
        stop: &AtomicBool,
        tell: OnWorkerEvent<'_>,
    ) -> Result<Option<Connection>, ClusterError> {
        let mut said = String::new();
        loop {
            let why = tokio::select! {
                link = Connection::open(address, access, &self.name) => match link {
                    Ok(link) => return Ok(Some(link)),
                    Err(error @ (ClusterError::Address(_) | ClusterError::File(_))) => return Err(error),
                    Err(error) => error.to_string(),
                },
                () = stopped(stop) => return Ok(None),
            };
            if why != said {
                tell(WorkerEvent::Remark(&format!("waiting: {why}")));
                said = why;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// Done once somebody asked to stop.
async fn stopped(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_on_one_line() {
        for good in ["kitchen-12", "Küche 3", "a"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", " a", "a\nb", "a\r\nNats-Msg-Id: 7", "\u{7f}", &"a".repeat(101)] {
            assert!(check_name(bad).is_err(), "{bad:?}");
        }
    }
}
