//! The process between us and a bot, which sees to it that nothing of the bot outlives us.
//!
//! It is our own program started again. Its standard error is one end of a pair of sockets
//! of which we hold the other; when we end, by whatever means, even `kill -9`, that socket
//! closes and the supervisor kills the bot with all its descendants. On Linux it is the
//! "subreaper" of its descendants: whoever loses its parent becomes its child, so that even
//! a process that made itself a daemon is found and killed. Elsewhere it kills its process
//! group.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{self, Pid, Signal, WaitOptions, WaitStatus};

/// Set in the environment of a supervisor, and of nobody else.
pub(crate) const MARK: &str = "LUDION_SUPERVISES_A_BOT";
/// The first argument of a supervisor; the second is the bot's command.
pub(crate) const ARGUMENT: &str = "supervise-a-bot";
/// Exit status when the supervisor cannot do its work, as shells have it.
const CANNOT: i32 = 126;

/// Becomes a supervisor and never returns, if this process was started as one. A program in
/// which bots play calls this before anything else.
pub fn supervise_if_asked() {
    let mut args = std::env::args_os().skip(1);
    if std::env::var_os(MARK).is_none() || args.next().is_none_or(|first| first != ARGUMENT) {
        return;
    }
    let Some(command) = args.next() else { return };
    let mut bot = Command::new("sh");
    bot.arg("-c").arg(command).env_remove(MARK).stderr(Stdio::piped());
    let status = supervise(&mut bot).unwrap_or_else(|error| {
        eprintln!("no shell to start the bot with: {error}");
        CANNOT
    });
    std::process::exit(status);
}

/// Runs the bot until it ends or we do; returns its exit status as a shell would.
fn supervise(bot: &mut Command) -> io::Result<i32> {
    let lifeline = UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?);
    let mut words = lifeline.try_clone()?;
    #[cfg(target_os = "linux")]
    process::set_child_subreaper(Some(process::getpid()))?;
    let mut bot = bot.spawn()?;
    let pid = Pid::from_child(&bot);
    let mut errors = bot.stderr.take().expect("standard error was piped");
    std::thread::spawn(move || {
        // Nothing is ever sent down the lifeline: reading ends when the other end closes.
        let _ = io::copy(&mut &lifeline, &mut io::sink());
        loop {
            kill_descendants();
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    // What the bot writes to standard error goes to us; if we are gone, nowhere.
    let forwarding = std::thread::spawn(move || io::copy(&mut errors, &mut words));
    let mut status = CANNOT;
    while let Ok(Some((ended, how))) = process::wait(WaitOptions::empty()) {
        if ended == pid {
            status = shell_status(how);
            break;
        }
    }
    reap_all();
    // Every process that could write there is dead: the pipe has an end.
    let _ = forwarding.join();
    Ok(status)
}

/// Kills descendants until there are none.
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

fn shell_status(how: WaitStatus) -> i32 {
    how.exit_status().or(how.terminating_signal().map(|signal| 128 + signal)).unwrap_or(CANNOT)
}

#[cfg(target_os = "linux")]
fn kill_descendants() {
    let Some(descendants) = descendants(process::getpid()) else {
        return kill_group();
    };
    for pid in descendants {
        // Whoever ended meanwhile needs no killing.
        let _ = process::kill_process(pid, Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill_descendants() {
    kill_group();
}

/// Kills everybody in our group, ourselves included: where descendants cannot be listed.
fn kill_group() {
    let _ = process::kill_current_process_group(Signal::KILL);
}

/// Everybody who descends from `root`, by the list of all processes; `None` where there is
/// no such list.
#[cfg(target_os = "linux")]
fn descendants(root: Pid) -> Option<Vec<Pid>> {
    let mut families: Vec<(Pid, Pid)> = Vec::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some((pid, parent)) = Pid::from_raw(pid).zip(parent(&stat)) {
            families.push((pid, parent));
        }
    }
    // Without ourselves in it the list is not that of our processes.
    families.iter().find(|&&(pid, _)| pid == root)?;
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&ancestor) = found.get(next) {
        next += 1;
        found.extend(families.iter().filter(|family| family.1 == ancestor).map(|family| family.0));
    }
    found.remove(0);
    Some(found)
}

/// The parent in a line of `/proc/PID/stat`: the second word behind the name, which stands in
/// parentheses and may hold anything.
#[cfg(target_os = "linux")]
fn parent(stat: &str) -> Option<Pid> {
    let (_, behind) = stat.rsplit_once(')')?;
    Pid::from_raw(behind.split_whitespace().nth(1)?.parse().ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn descendants_are_found_whatever_they_are_called() {
        assert_eq!(parent("12 (a) b) S 7 12 12 0"), Pid::from_raw(7));
        assert_eq!(parent("nothing"), None);
        let mut child = Command::new("sh").args(["-c", "sleep 50 & wait"]).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let ours = || descendants(process::getpid()).unwrap();
        while descendants(pid).unwrap().is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sleeper = descendants(pid).unwrap()[0];
        assert!(ours().contains(&pid) && ours().contains(&sleeper));
        process::kill_process(sleeper, Signal::KILL).unwrap();
        child.wait().unwrap();
    }
}
