//! Helper threads of a computation: started together, ended before the caller goes on. The system
//! may refuse a thread, because memory or the number of processes is limited. Then fewer threads do
//! the work, in the end the calling one alone. No other code of the workspace may call
//! `std::thread::spawn` or `Scope::spawn`, which panic then.
//!
//! The closures are trait objects, because a spawn that is compiled anew for every closure of every
//! game is a notable part of the build.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle, Scope};

use crate::memory;

/// Runs `main` on this thread while up to `count` helper threads run `help`, and returns when all
/// have ended. `help` gets the number of its helper, from 0.
///
/// `main` gets the number of helpers that were started: fewer than `count` if the system has no
/// more threads or memory. So no caller may depend on a helper to finish its work.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
/// let sum = AtomicU32::new(0);
/// let add = |n: usize| drop(sum.fetch_add(n as u32, Relaxed));
/// ludion_core::threads::with_helpers(3, &add, &mut |started| assert!(started <= 3));
/// assert_eq!(sum.into_inner(), 3);
/// ```
///
/// # Panics
/// When `main` or a helper panics.
pub fn with_helpers(count: usize, help: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut(usize)) {
    if count == 0 {
        return main(0);
    }
    thread::scope(|scope| main(start(scope, count, help)));
}

/// Returns how many threads the system can start now beside the running ones, at most `most`. It
/// starts them and lets them end. For code that starts threads by itself and cannot do with fewer,
/// such as an async runtime.
#[must_use]
pub fn startable(most: usize) -> usize {
    let (end, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let wait = |_| {
        // Returns an error when the sender is dropped.
        let ended: &Receiver<()> = &ended.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = ended.recv();
    };
    thread::scope(|scope| {
        let started = start(scope, most, &wait);
        drop(end);
        started
    })
}

/// Starts a thread that runs beside the rest of the program, and waits until it runs. Returns `None`
/// if the system has no thread or too little memory for one.
///
/// It waits because a thread that finds no memory for its signal stack when it begins panics: until
/// then the caller must not use what memory there is.
pub fn start_service(name: &str, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    if !memory::has_room(0) {
        return None;
    }
    let (begin, begun) = channel::<()>();
    let run = move || {
        drop(begin);
        work();
    };
    let thread = Builder::new().name(name.to_owned()).spawn(run).ok()?;
    // Returns an error when the sender is dropped.
    let _ = begun.recv();
    Some(thread)
}

/// Address space of a thread: its stack, and the heap that the C library reserves for it. More than
/// enough in most cases.
const THREAD_BYTES: usize = 80 << 20;

/// Starts up to `count` threads in `scope`. Thread `i` calls `work(i)`. Returns how many threads the
/// system has started; those with higher numbers do not exist.
pub fn start<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    work: &'scope (dyn Fn(usize) + Sync),
) -> usize {
    if !memory::has_room(count.saturating_mul(THREAD_BYTES)) {
        return start_carefully(scope, count, work);
    }
    // The only error is that of the system.
    let is_started = |&i: &usize| Builder::new().spawn_scoped(scope, move || work(i)).is_ok();
    (0..count).take_while(is_started).count()
}

/// Starts threads one after the other while there is memory for more; then all begin to work. A
/// thread that finds no memory when it begins would panic.
fn start_carefully<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    work: &'scope (dyn Fn(usize) + Sync),
) -> usize {
    let gate = Arc::new(StartGate::default());
    let is_started = |&i: &usize| {
        let own = Arc::clone(&gate);
        let run = move || {
            own.arrive_and_wait();
            work(i);
        };
        let is_started = memory::has_room(0) && Builder::new().spawn_scoped(scope, run).is_ok();
        if is_started {
            gate.wait_for(i + 1);
        }
        is_started
    };
    let started = (0..count).take_while(is_started).count();
    gate.open();
    started
}

/// Keeps started threads from their work until all are started.
#[derive(Default)]
struct StartGate {
    /// Number of threads that have arrived, and whether they may go on.
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl StartGate {
    fn arrive_and_wait(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        self.changed.notify_all();
        drop(self.changed.wait_while(state, |(_, is_open)| !*is_open));
    }

    /// Waits until that many threads have arrived.
    fn wait_for(&self, threads: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.changed.wait_while(state, |(arrived, _)| *arrived < threads));
    }

    fn open(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_service_runs_until_its_work_ends() {
        let (send, received) = channel();
        let service = start_service("answer", move || send.send(42).expect("a receiver"));
        assert_eq!(received.recv(), Ok(42));
        service.expect("a thread").join().expect("no panic");
    }

    #[test]
    fn every_started_thread_works_once() {
        let done = [AtomicU64::new(0), AtomicU64::new(0)];
        let work = done.each_ref().map(|done| {
            move |i: usize| {
                done.fetch_or(1 << i, Ordering::Relaxed);
            }
        });
        let started = thread::scope(|scope| {
            [start(scope, 20, &work[0]), start_carefully(scope, 20, &work[1])]
        });
        assert_eq!(done.map(AtomicU64::into_inner), started.map(|started| (1 << started) - 1));
    }
}
