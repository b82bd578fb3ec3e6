//! A TCP proxy in front of a server, which a test lets stall, cut and damage connections.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What the proxy does to the bytes that pass it.
#[derive(Default)]
struct Disturbance {
    /// Whether bytes wait in the proxy.
    stalls: AtomicBool,
    /// Whether connections are closed, new ones too.
    cuts: AtomicBool,
    /// Number of bytes after which one bit is changed; 0 for none.
    damages_after: AtomicU64,
    /// Number of bits changed so far.
    damaged: AtomicU64,
    is_closed: AtomicBool,
}

/// A proxy on a port of its own; dropping it closes all connections.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    disturbance: Arc<Disturbance>,
}

/// Interval at which a connection looks at what it is to do.
const TICK: Duration = Duration::from_millis(5);

impl Proxy {
    /// Starts a proxy in front of the server on `port` of this machine.
    pub(crate) fn start(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let own = listener.local_addr().expect("an address").port();
        let disturbance = Arc::new(Disturbance::default());
        let shared = Arc::clone(&disturbance);
        std::thread::spawn(move || accept(&listener, port, &shared));
        Proxy { port: own, disturbance }
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Lets bytes wait, or pass again.
    pub(crate) fn stall(&self, stalls: bool) {
        self.disturbance.stalls.store(stalls, Ordering::Relaxed);
    }

    /// Closes all connections and refuses new ones, or accepts them again.
    pub(crate) fn cut(&self, cuts: bool) {
        self.disturbance.cuts.store(cuts, Ordering::Relaxed);
    }

    /// Changes one bit after every `bytes` bytes; none for 0.
    pub(crate) fn damage(&self, bytes: u64) {
        self.disturbance.damages_after.store(bytes, Ordering::Relaxed);
    }

    /// Returns how many bits were changed.
    pub(crate) fn damaged(&self) -> u64 {
        self.disturbance.damaged.load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.disturbance.is_closed.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts connections.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn accept(listener: &TcpListener, port: u16, disturbance: &Arc<Disturbance>) {
    for client in listener.incoming() {
        if disturbance.is_closed.load(Ordering::Relaxed) {
            return;
        }
        let (Ok(client), Ok(server)) = (client, TcpStream::connect(("127.0.0.1", port))) else {
            continue;
        };
        for (from, to) in [(&client, &server), (&server, &client)] {
            let (from, to) =
                (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"));
            let disturbance = Arc::clone(disturbance);
            std::thread::spawn(move || forward(from, to, &disturbance));
        }
    }
}

/// Forwards bytes in one direction until the connection is closed or cut.
fn forward(mut from: TcpStream, mut to: TcpStream, disturbance: &Disturbance) {
    from.set_read_timeout(Some(TICK)).expect("a socket");
    let (mut bytes, mut passed) = ([0; 1 << 14], 0_u64);
    let ends = || {
        disturbance.cuts.load(Ordering::Relaxed) || disturbance.is_closed.load(Ordering::Relaxed)
    };
    while !ends() {
        if disturbance.stalls.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
            continue;
        }
        let count = match from.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => {
                continue;
            }
            Err(_) => break,
        };
        passed += count as u64;
        let limit = disturbance.damages_after.load(Ordering::Relaxed);
        if limit > 0 && passed >= limit {
            let at = passed as usize % count;
            // A line break within a header ends the connection task of async-nats for good.
            let damaged = bytes[at] ^ 1 << (passed % 8);
            bytes[at] = if b"\r\n".contains(&damaged) { bytes[at] ^ 0x80 } else { damaged };
            passed = 0;
            disturbance.damaged.fetch_add(1, Ordering::Relaxed);
        }
        while disturbance.stalls.load(Ordering::Relaxed) && !ends() {
            std::thread::sleep(TICK);
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
