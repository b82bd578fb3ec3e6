//! Ctrl-C: the first time, long work ends after what is under way; the second time, at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// The exit code of a program that was interrupted.
pub(crate) const CODE: u8 = 130;

/// Set once somebody asked to stop.
pub(crate) fn flag() -> &'static AtomicBool {
    HANDLER.get_or_init(|| {
        // Where no handler can be set, Ctrl-C ends the program; what is kept stays kept.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(CODE.into());
            }
        });
    });
    &STOP
}

/// How soon a server sees it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Done once somebody asked to stop.
pub(crate) async fn stopped() {
    while !flag().load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
