//! Threads that need not start. The system may refuse a thread: memory or the number of processes is
//! limited. Then fewer threads do the work, in the end the calling one alone, with the same result.

use std::thread::{Builder, Scope};

/// Starts up to `count` threads in `scope`. Thread `i` calls `work(i)`. Returns how many threads the
/// system has started; those with higher numbers do not exist.
pub fn start<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    count: usize,
    work: &'scope (dyn Fn(usize) + Sync),
) -> usize {
    let is_started = |&thread: &usize| {
        // The only error is that of the system.
        Builder::new().spawn_scoped(scope, move || work(thread)).is_ok()
    };
    (0..count).take_while(is_started).count()
}
