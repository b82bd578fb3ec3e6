//! The priority of threads that compute: lower than that of the threads that answer requests, so that
//! pages stay quick while searches and runs use all cores.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

/// The nice value of a thread that computes. It gets a third of the time of a thread that answers
/// requests where both want the same core, and all of it otherwise.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// Lowers the priority of the current thread and of those that it starts, where the system has
/// priorities of threads. It cannot be raised again.
pub(super) fn lower() {
    // Without a process, Linux means the thread that calls.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICE);
}

/// Runs a closure on a thread of lower priority; on this thread if the system starts no other.
pub(super) fn run_lowered<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let take = || work.lock().ok().and_then(|mut work| work.take()).expect("it is run once");
    thread::scope(|scope| {
        let lowered = || {
            lower();
            take()()
        };
        match thread::Builder::new().spawn_scoped(scope, lowered) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => take()(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_thread_of_the_work_has_a_lower_priority() {
        let nice = || rustix::process::getpriority_process(None).expect("a priority");
        let before = nice();
        assert_eq!(run_lowered(nice), NICE.max(before));
        assert_eq!(nice(), before);
    }
}
