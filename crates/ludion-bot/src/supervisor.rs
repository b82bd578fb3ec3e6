//! Supervisor of a bot: a process between Ludion and the bot, which kills the bot and all its
//! descendants when Ludion ends.
//!
//! The supervisor is the same program, started again. Its standard error is one end of a pair of
//! sockets; Ludion holds the other end. When Ludion ends, even by SIGKILL, the socket closes and
//! the supervisor kills the bot. On Linux the supervisor is the "subreaper" of its descendants:
//! orphaned processes become its children, so that even daemons are found. On other systems it
//! kills its process group.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{self, Pid, Signal, WaitOptions, WaitStatus};

/// Environment variable that is set only for a supervisor.
pub(crate) const SUPERVISOR_VARIABLE: &str = "LUDION_SUPERVISES_A_BOT";
/// First argument of a supervisor process; the second is the command of the bot.
pub(crate) const SUPERVISOR_ARGUMENT: &str = "supervise-a-bot";
/// Exit status if the bot cannot be started, as in shells.
const CANNOT_EXECUTE: i32 = 126;

/// If this process was started as a supervisor, supervises the bot and exits the process. A program
/// that uses bots must call this before anything else.
pub fn supervise_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if std::env::var_os(SUPERVISOR_VARIABLE).is_none()
        || args.next().is_none_or(|first| first != SUPERVISOR_ARGUMENT)
    {
        return;
    }
    let Some(command) = args.next() else { return };
    let mut bot = Command::new("sh");
    bot.arg("-c").arg(command).env_remove(SUPERVISOR_VARIABLE).stderr(Stdio::piped());
    let status = supervise(&mut bot).unwrap_or_else(|error| {
        eprintln!("the shell for the bot cannot be started: {error}");
        CANNOT_EXECUTE
    });
    std::process::exit(status);
}

/// Runs the bot until it or Ludion ends; returns the exit status of the bot as a shell reports it.
fn supervise(bot: &mut Command) -> io::Result<i32> {
    let lifeline = UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?);
    let mut ludion_stderr = lifeline.try_clone()?;
    #[cfg(target_os = "linux")]
    process::set_child_subreaper(Some(process::getpid()))?;
    let mut bot = bot.spawn()?;
    let pid = Pid::from_child(&bot);
    let mut bot_stderr = bot.stderr.take().expect("standard error was piped");
    std::thread::spawn(move || {
        // Nothing is ever sent on this socket: reading ends when the other end closes.
        let _ = io::copy(&mut &lifeline, &mut io::sink());
        loop {
            kill_descendants();
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    // Forward the standard error of the bot to Ludion as long as the bot runs.
    let forwarding = std::thread::spawn(move || io::copy(&mut bot_stderr, &mut ludion_stderr));
    let mut status = CANNOT_EXECUTE;
    while let Ok(Some((ended, wait_status))) = process::wait(WaitOptions::empty()) {
        if ended == pid {
            status = shell_status(wait_status);
            break;
        }
    }
    reap_all();
    // Every process that could write to the pipe is dead, so the copy ends.
    let _ = forwarding.join();
    Ok(status)
}

/// Kills all descendants and waits until none is left.
fn reap_all() {
    loop {
        kill_descendants();
        match process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(_) => return,
        }
    }
}

/// Returns the exit status as a shell reports it: after a signal, 128 plus the signal number.
fn shell_status(status: WaitStatus) -> i32 {
    status
        .exit_status()
        .or(status.terminating_signal().map(|signal| 128 + signal))
        .unwrap_or(CANNOT_EXECUTE)
}

#[cfg(target_os = "linux")]
fn kill_descendants() {
    let Some(descendants) = descendants(process::getpid()) else {
        return kill_group();
    };
    for pid in descendants {
        // An error means that the process has ended meanwhile.
        let _ = process::kill_process(pid, Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_descendants() {
    kill_group();
}

/// Kills the process group of this process, for systems that cannot list descendants.
fn kill_group() {
    let _ = process::kill_current_process_group(Signal::KILL);
}

/// Returns the descendants of `root` from the list of all processes, or `None` if there is no such
/// list.
#[cfg(target_os = "linux")]
fn descendants(root: Pid) -> Option<Vec<Pid>> {
    let mut parents: Vec<(Pid, Pid)> = Vec::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some((pid, parent)) = Pid::from_raw(pid).zip(parse_parent(&stat)) {
            parents.push((pid, parent));
        }
    }
    // If this process is not in the list, the list belongs to another namespace.
    parents.iter().find(|&&(pid, _)| pid == root)?;
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&ancestor) = found.get(next) {
        next += 1;
        let children = parents.iter().filter(|(_, parent)| *parent == ancestor);
        found.extend(children.map(|&(pid, _)| pid));
    }
    found.remove(0);
    Some(found)
}

/// Parses the parent process id in a line of `/proc/PID/stat`. It is the second word after the
/// process name, which is in parentheses and may contain any characters.
#[cfg(target_os = "linux")]
fn parse_parent(stat: &str) -> Option<Pid> {
    let (_, after_name) = stat.rsplit_once(')')?;
    Pid::from_raw(after_name.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn descendants_are_found_by_any_name() {
        assert_eq!(parse_parent("12 (a) b) S 7 12 12 0"), Pid::from_raw(7));
        assert_eq!(parse_parent("nothing"), None);
        let mut child = Command::new("sh").args(["-c", "sleep 50 & wait"]).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let all = || descendants(process::getpid()).unwrap();
        while descendants(pid).unwrap().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sleeper = descendants(pid).unwrap()[0];
        assert!(all().contains(&pid) && all().contains(&sleeper));
        process::kill_process(sleeper, Signal::KILL).unwrap();
        child.wait().unwrap();
    }
}
