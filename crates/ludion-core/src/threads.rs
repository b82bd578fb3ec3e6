//! Helper threads of a computation: started together, ended before the caller goes on.
//!
//! The closures are trait objects, because a spawn that is compiled anew for every closure of every
//! game is a notable part of the build.

use std::thread;

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
    thread::scope(|scope| {
        let start = |i| thread::Builder::new().spawn_scoped(scope, move || help(i)).is_ok();
        let started = (0..count).take_while(|&i| start(i)).count();
        main(started);
    });
}
