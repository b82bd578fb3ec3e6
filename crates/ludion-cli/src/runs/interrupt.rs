//! Handling of Ctrl-C: the first time, a run ends after the jobs that have begun; the second time,
//! the program exits at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
static HANDLER: OnceLock<()> = OnceLock::new();

/// Exit code of an interrupted program.
pub(crate) const EXIT_CODE: u8 = 130;

/// Returns the flag that Ctrl-C sets; the first call installs the handler.
pub(crate) fn flag() -> &'static AtomicBool {
    HANDLER.get_or_init(|| {
        // If the handler cannot be installed, Ctrl-C ends the program; stored results are not lost.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(EXIT_CODE.into());
            }
        });
    });
    &STOP
}

/// Interval at which a server reads the flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Waits until Ctrl-C is pressed.
pub(crate) async fn stopped() {
    while !flag().load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
