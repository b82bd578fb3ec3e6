//! Ctrl-C: the first time, a run ends after the jobs that have begun; the second time, the program
//! ends at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// The exit code of an interrupted program.
pub(crate) const EXIT_CODE: u8 = 130;

/// The flag that Ctrl-C sets; the first call installs the handler.
pub(crate) fn flag() -> &'static AtomicBool {
    HANDLER.get_or_init(|| {
        // Without a handler Ctrl-C ends the program; stored results stay stored.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
    &STOP
}

/// How often a server reads the flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Completes after Ctrl-C.
pub(crate) async fn stopped() {
    while !flag().load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
