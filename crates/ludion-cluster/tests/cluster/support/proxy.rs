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
    /// Whether the next header that the client receives gets a carriage return.
    breaks_header: AtomicBool,
    /// Whether the server and the client are told to wait for bytes that do not follow.
    swallows: [AtomicBool; 2],
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

    /// Puts a carriage return into the next header that the client receives, as a flipped bit of `M`
    /// or `-` does.
    pub(crate) fn break_header(&self) {
        self.disturbance.breaks_header.store(true, Ordering::Relaxed);
    }

    /// Lets the server and the client take what follows for the content of a long message, as a
    /// damaged length does.
    pub(crate) fn swallow(&self) {
        self.disturbance.swallows.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    /// Returns whether everything that [`break_header`](Proxy::break_header) and
    /// [`swallow`](Proxy::swallow) ordered has happened.
    pub(crate) fn has_broken(&self) -> bool {
        let Disturbance { breaks_header, swallows, .. } = &*self.disturbance;
        !swallows.iter().chain([breaks_header]).any(|flag| flag.load(Ordering::Relaxed))
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
        let directions = [(&client, &server), (&server, &client)];
        for ((from, to), direction) in directions.into_iter().zip([TO_SERVER, TO_CLIENT]) {
            let (from, to) =
                (from.try_clone().expect("a socket"), to.try_clone().expect("a socket"));
            let disturbance = Arc::clone(disturbance);
            std::thread::spawn(move || forward(from, to, direction, &disturbance));
        }
    }
}

/// A direction of a connection: its index, and a line that announces a long message.
type Direction = (usize, &'static [u8]);
const TO_SERVER: Direction = (0, b"PUB swallowed 900000\r\n");
const TO_CLIENT: Direction = (1, b"MSG swallowed 1 900000000\r\n");

/// Puts a carriage return into the value of the first header with a tag; returns whether there is one.
fn break_header(bytes: &mut [u8]) -> bool {
    let name = b"Ludion-Tag: ";
    let start = bytes.windows(name.len() + 8).position(|window| window.starts_with(name));
    if let Some(start) = start {
        bytes[start + name.len() + 4] = b'\r';
    }
    start.is_some()
}

/// Forwards bytes in one direction until the connection is closed or cut.
fn forward(
    mut from: TcpStream,
    mut to: TcpStream,
    (index, long_message): Direction,
    disturbance: &Disturbance,
) {
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
            bytes[at] ^= 1 << (passed % 8);
            passed = 0;
            disturbance.damaged.fetch_add(1, Ordering::Relaxed);
        }
        let breaks_header = &disturbance.breaks_header;
        if index == TO_CLIENT.0
            && breaks_header.load(Ordering::Relaxed)
            && break_header(&mut bytes[..count])
        {
            breaks_header.store(false, Ordering::Relaxed);
        }
        while disturbance.stalls.load(Ordering::Relaxed) && !ends() {
            std::thread::sleep(TICK);
        }
        if disturbance.swallows[index].swap(false, Ordering::Relaxed)
            && to.write_all(long_message).is_err()
        {
            break;
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
