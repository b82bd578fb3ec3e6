//! Handling of Ctrl-C and of the signals that end a program: SIGINT, SIGTERM and SIGHUP. The first
//! one sets a flag: jobs under way are dropped, what is finished is kept, and standard error says
//! so at once. A second one ends the program at once.
//!
//! A signal that the program was started to ignore stays ignored: `nohup` does that with SIGHUP,
//! and a shell script with the SIGINT of a program in the background.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag as signal_flag;

use crate::failure::CommandFailure;

/// Whether work under way is to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether the next signal ends the program at once.
static ARMED: AtomicBool = AtomicBool::new(false);
/// Number of the last signal that arrived; 0 before the first.
static SIGNAL: AtomicUsize = AtomicUsize::new(0);
/// What standard error says at the first signal, after `stopping: `; `None` once the command has said
/// that it was stopped.
static NOTICE: Mutex<Option<String>> = Mutex::new(Some(String::new()));

/// Installs the handlers once.
static HANDLERS: Once = Once::new();

/// Leaves the signals to the program that runs the commands: no handlers are installed, unless they
/// are already. That program sets the flag itself.
pub(crate) fn leave_signals() {
    HANDLERS.call_once(|| ());
}

/// The signals that are handled.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];
/// Exit code of a program that a signal has ended, without the number of the signal.
const EXIT_CODE_BASE: i32 = 128;

/// Time for which a repeated signal counts as the same: `timeout` and a closed terminal send theirs
/// twice, to the program and to its process group.
#[cfg(unix)]
const SAME_SIGNAL: Duration = Duration::from_millis(100);

/// Returns the flag that the first signal sets; the first call installs the handlers.
pub(crate) fn flag() -> &'static AtomicBool {
    HANDLERS.call_once(|| {
        let signals = SIGNALS.into_iter().filter(|&signal| !is_ignored(signal));
        let signals: Vec<i32> = signals.collect();
        let has_watcher = watch(&signals);
        for signal in signals {
            // If a handler cannot be installed, the signal ends the program; what is stored is not
            // lost.
            let _ = handle(signal, has_watcher);
        }
    });
    &STOP
}

/// Installs the handler of a signal. Its actions run in this order: end the program if it is armed,
/// keep the number of the signal, set the flag.
fn handle(signal: i32, has_watcher: bool) -> std::io::Result<()> {
    let number = usize::try_from(signal).unwrap_or_default();
    signal_flag::register_conditional_shutdown(signal, EXIT_CODE_BASE + signal, &ARMED)?;
    signal_flag::register_usize(signal, &SIGNAL, number)?;
    if !has_watcher {
        signal_flag::register(signal, &ARMED)?;
    }
    signal_flag::register(signal, &STOP)?;
    Ok(())
}

/// Starts a thread that writes the notice at the first signal; returns whether it runs.
#[cfg(unix)]
fn watch(signals: &[i32]) -> bool {
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    let Ok((mut wake, waker)) = UnixStream::pair() else { return false };
    let watch = move || {
        if wake.read_exact(&mut [0]).is_ok() {
            write_notice();
            std::thread::sleep(SAME_SIGNAL);
            ARMED.store(true, Ordering::SeqCst);
        }
    };
    if ludion::threads::start_service("signals", watch).is_none() {
        return false;
    }
    let register = |&signal: &i32| {
        let waker = waker.try_clone()?;
        signal_hook::low_level::pipe::register(signal, waker)
    };
    signals.iter().all(|signal| register(signal).is_ok())
}

#[cfg(not(unix))]
fn watch(_signals: &[i32]) -> bool {
    false
}

/// Returns whether the program was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, the call only writes the current one to `action`, which is of
    // its type; all zeros are a valid value of it, so it is initialised even after an error.
    let (result, action) = unsafe {
        let result = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        (result, action.assume_init())
    };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
fn is_ignored(_signal: i32) -> bool {
    false
}

fn notice() -> MutexGuard<'static, Option<String>> {
    NOTICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets what standard error says at the first signal: what happens to the work under way, and how to
/// resume it.
pub(crate) fn announce(text: String) {
    *notice() = Some(text);
}

/// Says that the command is about to say itself that it was stopped.
pub(crate) fn withdraw_notice() {
    *notice() = None;
}

/// Writes the notice of the first signal. The notice is locked, so that the last message of the
/// command does not come before it.
#[cfg(unix)]
fn write_notice() {
    match notice().as_deref() {
        None => {}
        Some("") => crate::progress::note("stopping; Ctrl-C again ends at once"),
        Some(text) => {
            crate::progress::note(&format!("stopping: {text}; Ctrl-C again ends at once"));
        }
    }
}

/// Returns the number of the signal that has arrived; SIGINT if there is none.
fn signal() -> i32 {
    match SIGNAL.load(Ordering::Relaxed) {
        0 => SIGINT,
        number => i32::try_from(number).unwrap_or(SIGINT),
    }
}

/// Returns the exit code of a command that was stopped: 130 after Ctrl-C, 143 after SIGTERM, 129
/// after SIGHUP.
pub(crate) fn exit_code() -> u8 {
    u8::try_from(EXIT_CODE_BASE + signal()).unwrap_or(u8::MAX)
}

/// Returns the result of a server that was stopped: success after Ctrl-C, which is the way to close
/// it, and otherwise the exit code of the signal.
pub(crate) fn server_result() -> Result<(), CommandFailure> {
    if signal() == SIGINT { Ok(()) } else { Err(CommandFailure::Signalled) }
}

/// Interval at which a server reads the flag.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Waits until a signal arrives.
pub(crate) async fn stopped() {
    while !flag().load(Ordering::Relaxed) {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}
