//! The async runtime of a server. Tokio panics if the system starts no thread for it, and lets a
//! request wait for ever that needs one more; so the threads are tried before.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use ludion_players::threads;
use tokio::runtime::{Builder, Runtime};

/// Time for which an idle thread is kept. One is started with the server and takes the requests one
/// after the other if the system starts no more.
const KEEP_ALIVE: Duration = Duration::from_secs(3600);
/// Time that the first thread may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Starts the async runtime of a server, with a thread for each core or fewer if the system does not
/// start as many.
///
/// # Errors
/// When the system starts fewer than two threads.
pub fn start_runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // One thread more is for requests that read files.
    let workers = match threads::startable(cores + 1) {
        0 | 1 => {
            return Err(io::Error::other("a server needs two threads; the system starts fewer"));
        }
        startable => startable - 1,
    };
    let runtime = build(workers).map_err(|error| {
        io::Error::new(error.kind(), format!("the threads of the server do not start: {error}"))
    })?;
    let first = runtime.spawn_blocking(|| ());
    match runtime.block_on(async { tokio::time::timeout(START_TIMEOUT, first).await }) {
        Ok(_) => Ok(runtime),
        Err(_) => {
            runtime.shutdown_background();
            Err(io::Error::other("the threads of the server do not start"))
        }
    }
}

/// Builds a runtime with this number of threads. If one of them does not start, Tokio panics; that is
/// an error here, and its message is not printed.
fn build(workers: usize) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(workers).thread_keep_alive(KEEP_ALIVE).enable_all();
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let built = panic::catch_unwind(AssertUnwindSafe(|| builder.build()));
    panic::set_hook(hook);
    built.unwrap_or_else(|_| Err(io::Error::other("the system starts too few")))
}
