//! The processes of this machine, as Linux lists them in `/proc`: their parents and sessions, by
//! which the descendants of a process are found.

use std::collections::HashMap;

use rustix::process::{Pid, Signal, kill_process};

/// A process in the list.
struct ListedProcess {
    pid: Pid,
    /// Session of the process. A process can found a new session, but never join another one.
    session: i32,
}

/// The processes of this machine at one moment.
pub(crate) struct ProcessTable {
    processes: Vec<ListedProcess>,
    /// Indices of the processes with a given parent.
    children: HashMap<i32, Vec<usize>>,
}

impl ProcessTable {
    /// Reads the list, or returns `None` if there is none that contains this process.
    pub(crate) fn read() -> Option<Self> {
        let mut processes = Vec::new();
        let mut children: HashMap<i32, Vec<usize>> = HashMap::new();
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let Some((pid, (parent, session))) = Pid::from_raw(pid).zip(parse_stat(&stat)) else {
                continue;
            };
            children.entry(parent.as_raw_pid()).or_default().push(processes.len());
            processes.push(ListedProcess { pid, session });
        }
        // If this process is not in the list, the list belongs to another namespace.
        let own = rustix::process::getpid();
        let is_listed = processes.iter().any(|process| process.pid == own);
        is_listed.then_some(ProcessTable { processes, children })
    }

    /// Returns the processes whose parent is `parent`, each with its session.
    pub(crate) fn children(&self, parent: Pid) -> impl Iterator<Item = (Pid, i32)> + '_ {
        let indices = self.children.get(&parent.as_raw_pid()).map_or(&[][..], Vec::as_slice);
        indices.iter().map(|&i| (self.processes[i].pid, self.processes[i].session))
    }

    /// Returns the session of a process.
    pub(crate) fn session(&self, pid: Pid) -> Option<i32> {
        self.processes.iter().find(|process| process.pid == pid).map(|process| process.session)
    }

    /// Returns the descendants of `root`, parents before their children.
    pub(crate) fn descendants(&self, root: Pid) -> Vec<Pid> {
        let mut found: Vec<Pid> = self.children(root).map(|(pid, _)| pid).collect();
        let mut next = 0;
        while let Some(&ancestor) = found.get(next) {
            next += 1;
            found.extend(self.children(ancestor).map(|(pid, _)| pid));
        }
        found
    }

    /// Kills the descendants of `root`.
    pub(crate) fn kill_descendants(&self, root: Pid) {
        for pid in self.descendants(root) {
            // An error means that the process has ended meanwhile.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Parses the parent and the session in a line of `/proc/PID/stat`: the second and the fourth word
/// after the process name, which is in parentheses and may contain any characters.
fn parse_stat(stat: &str) -> Option<(Pid, i32)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut words = after_name.split_whitespace().skip(1);
    let parent = Pid::from_raw(words.next()?.parse().ok()?)?;
    Some((parent, words.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn descendants_are_found_by_any_name() {
        assert_eq!(parse_stat("12 (a) b) S 7 11 13 0"), Pid::from_raw(7).zip(Some(13)));
        assert_eq!(parse_stat("nothing"), None);
        let mut child = Command::new("sh").args(["-c", "sleep 50 & wait"]).spawn().unwrap();
        let pid = Pid::from_child(&child);
        let table = || ProcessTable::read().unwrap();
        while table().descendants(pid).is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let (table, own) = (table(), rustix::process::getpid());
        let sleeper = table.descendants(pid)[0];
        assert!(table.descendants(own).contains(&pid));
        assert!(table.descendants(own).contains(&sleeper));
        assert_eq!(table.session(sleeper), table.session(own));
        kill_process(sleeper, Signal::KILL).unwrap();
        child.wait().unwrap();
    }
}
