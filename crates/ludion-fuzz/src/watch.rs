//! Watches the run of an input. An input that takes too long or too much memory ends the program,
//! because a thread cannot be stopped: its target is named on standard error and its bytes are
//! saved first.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{fs, io, process, thread};

/// Longest time that one input may take, on a busy machine with checks of overflow.
const MAX_TIME: Duration = Duration::from_secs(20);
/// Most memory that one input may use at a time, in bytes.
const MAX_MEMORY: i64 = 512 << 20;

/// An input whose run has begun.
struct RunningInput {
    thread: thread::ThreadId,
    target: &'static str,
    input: Vec<u8>,
    began: Instant,
}

static RUNNING: Mutex<Vec<RunningInput>> = Mutex::new(Vec::new());

thread_local! {
    /// Bytes allocated by this thread and not freed since the run of an input began.
    static LIVE: Cell<i64> = const { Cell::new(0) };
    /// Whether the memory of this thread is limited.
    static LIMITED: Cell<bool> = const { Cell::new(false) };
    /// The message and the place of the last panic of this thread.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Allocator of the system that limits the memory of a thread that runs an input. A program that
/// runs a campaign declares it as its global allocator.
pub struct LimitedAllocator;

// SAFETY: every call is forwarded to the system allocator; counting does not touch its memory.
unsafe impl GlobalAlloc for LimitedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.get() + layout.size() as i64;
        LIVE.set(live);
        if live > MAX_MEMORY && LIMITED.replace(false) {
            let what = format!("an input takes more than {} MB", MAX_MEMORY >> 20);
            give_up(thread::current().id(), &what);
        }
        // SAFETY: the caller upholds the contract of `alloc`, which is also the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size() as i64);
        // SAFETY: the pointer came from `alloc` above, and so from the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs `work` with the input while its time and memory are watched.
pub(crate) fn watched<T>(target: &'static str, input: &[u8], work: impl FnOnce() -> T) -> T {
    let thread = thread::current().id();
    let running = RunningInput { thread, target, input: input.to_vec(), began: Instant::now() };
    lock().push(running);
    LIVE.set(0);
    LIMITED.set(true);
    let result = work();
    LIMITED.set(false);
    lock().retain(|running| running.thread != thread);
    result
}

fn lock() -> std::sync::MutexGuard<'static, Vec<RunningInput>> {
    RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Starts the thread that looks for inputs that take too long.
pub(crate) fn start_watchdog() {
    thread::spawn(|| {
        loop {
            thread::sleep(Duration::from_millis(250));
            let late = lock().iter().find(|it| it.began.elapsed() > MAX_TIME).map(|it| it.thread);
            if let Some(thread) = late {
                give_up(thread, &format!("an input takes longer than {} s", MAX_TIME.as_secs()));
            }
        }
    });
}

/// Makes panics silent and keeps their messages for [`last_panic`].
pub(crate) fn keep_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if LIMITED.get() {
            PANIC.with_borrow_mut(|text| *text = info.to_string());
        } else {
            before(info);
        }
    }));
}

/// Returns the message and the place of the last panic of this thread.
pub(crate) fn last_panic() -> String {
    PANIC.with_borrow(String::clone)
}

/// Names the input of a thread on standard error, saves its bytes and ends the program.
fn give_up(thread: thread::ThreadId, what: &str) -> ! {
    let running = lock();
    let found = running.iter().find(|running| running.thread == thread);
    if let Some(RunningInput { target, input, .. }) = found {
        let path = save(target, input);
        // Written directly, because a test harness keeps what is printed.
        let _ = writeln!(io::stderr(), "\nfuzz target {target}: {what}; see {}", path.display());
    }
    process::exit(101)
}

/// Saves an input in the folder for temporary files of the build; returns its path.
pub(crate) fn save(target: &str, input: &[u8]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/fuzz");
    let path = folder.join(format!("{target}-{:08x}", crc32fast::hash(input)));
    // If the file cannot be written, the message of the failure still has the seed.
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input));
    path
}
