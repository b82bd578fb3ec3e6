//! Helper threads of a computation: started together, ended before the caller goes on. The system
//! may refuse a thread, because memory or the number of processes is limited. Then fewer threads do
//! the work, in the end the calling one alone. No other code of the workspace may call
//! `std::thread::spawn` or `Scope::spawn`, which panic then.
//!
//! The closures are trait objects, because a spawn that is compiled anew for every closure of every
//! game is a notable part of the build.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, Scope};

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

/// Starts up to `count` threads in `scope`. Thread `i` calls `work(i)`. Returns how many threads the
/// system has started; those with higher numbers do not exist. No thread is started that would leave
/// too little memory.
pub fn start<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    work: &'scope (dyn Fn(usize) + Sync),
) -> usize {
    // The only error is that of the system.
    let is_started = |&i: &usize| {
        memory::has_reserve(memory::THREAD_RESERVE)
            && Builder::new().spawn_scoped(scope, move || work(i)).is_ok()
    };
    (0..count).take_while(is_started).count()
}
