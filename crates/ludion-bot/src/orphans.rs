//! Processes of bots whose supervisor was killed. On Linux this program is the "subreaper" of its
//! descendants, so that such processes become its children, and it kills them.
//!
//! The children of this program are the supervisors, which are known here, processes that other code
//! of the program has started, which are in the session of the program, and orphans of bots, which
//! are not: a supervisor founds a session of its own, and a process cannot join another session.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, set_child_subreaper,
    waitid, waitpid,
};

use crate::process_table::ProcessTable;

/// Process ids of the running supervisors.
static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
/// Time after which the orphans that are still there are left alone: no process that can be killed
/// takes so long to end.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Size of the stack of a thread that watches a supervisor.
const STACK_SIZE: usize = 1 << 17;

fn supervisors() -> MutexGuard<'static, BTreeSet<i32>> {
    SUPERVISORS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a supervisor, and watches it: when it is killed, its orphans are killed.
pub(crate) fn start_supervisor(command: &mut Command) -> io::Result<Child> {
    static SUBREAPER: Once = Once::new();
    SUBREAPER.call_once(|| {
        // Without this, orphans of a killed supervisor are not found.
        let _ = set_child_subreaper(Some(getpid()));
    });
    // The lock is held until the supervisor is known, so that it is never taken for an orphan.
    let mut known = supervisors();
    let supervisor = command.spawn()?;
    let pid = Pid::from_child(&supervisor);
    known.insert(pid.as_raw_pid());
    drop(known);
    // Without the thread, orphans are killed when the bot is used the next time.
    let watcher = std::thread::Builder::new().stack_size(STACK_SIZE);
    let _ = watcher.spawn(move || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(pid), options);
        if let Ok(Some(status)) = ended
            && !status.exited()
        {
            kill_orphans();
        }
    });
    Ok(supervisor)
}

/// Waits for the end of a supervisor, which must have ended or been killed, and returns its exit
/// status; `None` if a signal killed it. Then its orphans are killed.
pub(crate) fn end_supervisor(supervisor: &mut Child) -> Option<i32> {
    let pid = Pid::from_child(supervisor).as_raw_pid();
    let code = supervisor.wait().ok().and_then(|status| status.code());
    supervisors().remove(&pid);
    if code.is_none() {
        kill_orphans();
    }
    code
}

/// Kills the orphans of bots among the children of this program, with their descendants.
fn kill_orphans() {
    let known = supervisors();
    let (own, began) = (getpid(), Instant::now());
    let mut pause = Duration::from_millis(1);
    while began.elapsed() < TIMEOUT {
        let Some(table) = ProcessTable::read() else { return };
        let session = table.session(own);
        let orphans: Vec<Pid> = table
            .children(own)
            .filter(|(pid, of)| Some(*of) != session && !known.contains(&pid.as_raw_pid()))
            .map(|(pid, _)| pid)
            .collect();
        if orphans.is_empty() {
            return;
        }
        for &orphan in &orphans {
            let _ = kill_process(orphan, Signal::KILL);
            table.kill_descendants(orphan);
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
        for orphan in orphans {
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
    }
}
