//! Supervisor of a bot: a process between Ludion and the bot, which kills the bot and all its
//! descendants when Ludion ends.
//!
//! The supervisor is the same program, started again. Its standard error is one end of a pair of
//! sockets; Ludion holds the other end. When Ludion ends, even by SIGKILL, the socket closes and
//! the supervisor kills the bot. On Linux the supervisor is the "subreaper" of its descendants:
//! orphaned processes become its children, so that even daemons are found. On other systems it
//! kills its process group. If the supervisor itself is killed, Ludion kills the bot (`orphans`).
//!
//! On Linux the supervisor has a supervisor of its own, the guard, so that nothing is left either when
//! a bot kills its supervisor in the moment in which Ludion is killed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{self, Pid, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus};

#[cfg(target_os = "linux")]
use crate::process_table::ProcessTable;

/// Environment variable that is set only for a supervisor.
pub(crate) const SUPERVISOR_VARIABLE: &str = "LUDION_SUPERVISES_A_BOT";
/// First argument of a supervisor process; the second is the command of the bot.
const SUPERVISOR_ARGUMENT: &str = "supervise-a-bot";
/// First argument of a guard, the supervisor of a supervisor; the second is the command of the bot.
const GUARD_ARGUMENT: &str = "guard-a-bot";
/// First argument of the process that Ludion starts.
pub(crate) const FIRST_ARGUMENT: &str =
    if cfg!(target_os = "linux") { GUARD_ARGUMENT } else { SUPERVISOR_ARGUMENT };
/// Size of the stacks of the threads of a supervisor.
const STACK_SIZE: usize = 1 << 17;
/// Time after which a supervisor that has not ended after Ludion is killed: a bot may have stopped it.
const SUPERVISOR_PATIENCE: Duration = Duration::from_secs(2);
/// Exit status if the bot cannot be started, as in shells.
const CANNOT_EXECUTE: i32 = 126;

/// The program and arguments that start a supervisor; by default this program without arguments.
static PROGRAM: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the program and the arguments that start a supervisor, for a process whose own executable
/// does not, such as a Python interpreter. The program started like this must call
/// [`supervise_with_args`] with the arguments that follow. Only the first call has an effect.
pub fn start_supervisors_with(program: Vec<OsString>) {
    let _ = PROGRAM.set(program);
}

/// Returns the command that starts a supervisor. On Linux it works even if the file of this program
/// was replaced.
pub(crate) fn own_program() -> io::Result<Command> {
    if let Some([program, args @ ..]) = PROGRAM.get().map(Vec::as_slice) {
        let mut command = Command::new(program);
        command.args(args);
        return Ok(command);
    }
    let mut command = match cfg!(target_os = "linux") {
        true => Command::new("/proc/self/exe"),
        false => Command::new(std::env::current_exe()?),
    };
    command.arg0("ludion-supervisor");
    Ok(command)
}

/// If this process was started as a supervisor, supervises the bot and exits the process. A program
/// that uses bots must call this before anything else.
pub fn supervise_if_asked() {
    supervise_with_args(std::env::args_os().skip(1));
}

/// Does the same as [`supervise_if_asked`] with the arguments that follow those of
/// [`start_supervisors_with`].
pub fn supervise_with_args(args: impl IntoIterator<Item = OsString>) {
    if std::env::var_os(SUPERVISOR_VARIABLE).is_none() {
        return;
    }
    let mut args = args.into_iter();
    let (Some(role), Some(command)) = (args.next(), args.next()) else { return };
    let supervised = match role.to_str() {
        Some(GUARD_ARGUMENT) => supervise_supervisor(&command),
        Some(SUPERVISOR_ARGUMENT) => supervise_bot(&command),
        _ => return,
    };
    let status = supervised.unwrap_or_else(|error| {
        eprintln!("the processes of the bot cannot be started: {error}");
        CANNOT_EXECUTE
    });
    std::process::exit(status);
}

fn supervise_bot(command: &OsStr) -> io::Result<i32> {
    let mut bot = Command::new("sh");
    bot.arg("-c").arg(HOLDER).arg(command).env_remove(SUPERVISOR_VARIABLE);
    let (stderr, bot_end) = io::pipe()?;
    bot.stderr(bot_end);
    supervise(bot, stderr, kill_if_running)
}

/// Supervises the supervisor of the bot, for which this process has the place of Ludion.
fn supervise_supervisor(command: &OsStr) -> io::Result<i32> {
    let mut supervisor = own_program()?;
    supervisor.arg(SUPERVISOR_ARGUMENT).arg(command);
    let (lifeline, supervisor_end) = UnixStream::pair()?;
    supervisor.stderr(OwnedFd::from(supervisor_end));
    let own_end = lifeline.try_clone()?;
    supervise(supervisor, lifeline, move |running| {
        // The supervisor kills the bot and its descendants. If this process killed the supervisor, and
        // the bot then killed this process, the descendants would survive.
        let _ = own_end.shutdown(Shutdown::Both);
        std::thread::sleep(SUPERVISOR_PATIENCE);
        kill_if_running(running);
    })
}

/// Kills the process, unless it has ended.
fn kill_if_running(running: &Mutex<Option<Pid>>) {
    if let Some(pid) = *lock(running) {
        let _ = process::kill_process(pid, Signal::KILL);
    }
}

/// Shell script that runs the bot, whose command is `$0`, and waits for it. It stands between the
/// supervisor and the bot: a bot that kills its parent process kills this shell, and the supervisor
/// notices. What the shell says about the end of the bot is not part of the bot's standard error.
const HOLDER: &str = "exec 3>&2 2>/dev/null; sh -c \"$0\" 2>&3 3>&-; exit $?";

/// Runs the bot until it or Ludion ends; returns the exit status of the bot as a shell reports it.
/// `bot_stderr` has what the bot writes to its standard error; `end` ends the bot when Ludion has ended.
fn supervise(
    mut bot: Command,
    mut bot_stderr: impl io::Read + Send + 'static,
    end: impl FnOnce(&Mutex<Option<Pid>>) + Send + 'static,
) -> io::Result<i32> {
    let lifeline = UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?);
    let mut ludion_stderr = lifeline.try_clone()?;
    #[cfg(target_os = "linux")]
    {
        process::set_child_subreaper(Some(process::getpid()))?;
        // The session distinguishes the processes of a bot from others that Ludion has started.
        let _ = process::setsid();
        // A bot that kills its process group does not kill the supervisor.
        bot.process_group(0);
    }
    let pid = Pid::from_child(&bot.spawn()?);
    // It holds an end of the bot's standard error, which must be open in the bot alone.
    drop(bot);
    // The bot, until it has ended: then its process id may be that of another process.
    let running = Arc::new(Mutex::new(Some(pid)));
    let watched = Arc::clone(&running);
    let watcher = Builder::new().stack_size(STACK_SIZE).spawn(move || {
        // Nothing is ever sent on this socket: reading ends when the other end closes.
        let _ = io::copy(&mut &lifeline, &mut io::sink());
        end(&watched);
    });
    // Forward the standard error of the bot to Ludion as long as the bot runs.
    let forwarding = Builder::new()
        .stack_size(STACK_SIZE)
        .spawn(move || io::copy(&mut bot_stderr, &mut ludion_stderr));
    let (watcher, forwarding) = match (watcher, forwarding) {
        (Ok(watcher), Ok(forwarding)) => (watcher, forwarding),
        (Err(error), _) | (_, Err(error)) => {
            reap_all();
            return Err(error);
        }
    };
    let status = wait_for(pid, &running);
    reap_all();
    // Every process that could write to the pipe is dead, so the copy ends.
    let _ = forwarding.join();
    // The watcher waits for the end of Ludion, which need not come.
    drop(watcher);
    Ok(status)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the end of the bot, and reaps the orphans of the bot meanwhile.
fn wait_for(bot: Pid, running: &Mutex<Option<Pid>>) -> i32 {
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        match process::waitid(WaitId::All, options) {
            Err(Errno::INTR) => continue,
            Ok(Some(_)) => {}
            _ => return CANNOT_EXECUTE,
        }
        // If the bot has ended, its process id is free from now on.
        let mut running = lock(running);
        match process::wait(WaitOptions::NOHANG) {
            Ok(Some((ended, status))) if ended == bot => {
                *running = None;
                return shell_status(status);
            }
            Err(error) if error != Errno::INTR => return CANNOT_EXECUTE,
            _ => {}
        }
    }
}

/// Kills all descendants and waits until none is left. One pass over the list of processes kills all
/// that are in it, so that the number of passes does not depend on the number of processes.
fn reap_all() {
    let mut pause = Duration::from_millis(1);
    loop {
        kill_descendants();
        loop {
            match process::wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
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
    match ProcessTable::read() {
        Some(table) => table.kill_descendants(process::getpid()),
        None => kill_group(),
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
