//! A client of the NATS server that publishes random and forged messages on every subject of a
//! cluster. It speaks the protocol of the server itself, so that nothing of Ludion checks what it
//! sends.

use std::collections::{BTreeSet, VecDeque};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Number of overheard messages that the forger keeps to copy and to change.
const KEPT: usize = 400;

/// A message that the forger overheard.
#[derive(Clone)]
struct Overheard {
    subject: String,
    headers: Vec<u8>,
    payload: Vec<u8>,
}

/// A client that listens to a cluster and publishes forged messages.
pub(crate) struct Forger {
    stream: TcpStream,
    input: Vec<u8>,
    overheard: VecDeque<Overheard>,
    /// Ids of the runs that were announced or that sent messages.
    runs: BTreeSet<String>,
    /// Names of workers, read from their results.
    workers: BTreeSet<String>,
    random: u64,
    pongs: u32,
    /// Number of messages published so far.
    pub(crate) sent: u64,
}

impl Forger {
    /// Connects to the server and listens to all subjects of Ludion.
    pub(crate) fn connect(port: u16, seed: u64) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("a server");
        stream.set_read_timeout(Some(Duration::from_millis(1))).expect("a socket");
        let mut forger = Forger {
            stream,
            input: Vec::new(),
            overheard: VecDeque::new(),
            runs: BTreeSet::new(),
            workers: BTreeSet::new(),
            random: seed,
            pongs: 0,
            sent: 0,
        };
        forger.write(b"CONNECT {\"verbose\":false,\"headers\":true,\"no_responders\":false}\r\n");
        forger.write(b"SUB ludion.> 1\r\nSUB forger.> 2\r\nSUB $O.> 3\r\nPING\r\n");
        forger
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.stream.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.listen(),
                Err(error) => panic!("the server closed the connection: {error}"),
            }
        }
    }

    /// Returns a random number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 32) % limit.max(1)
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize].clone()
    }

    fn random_bytes(&mut self, most: u64) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.below(256) as u8).collect()
    }

    /// Reads what the server has sent.
    pub(crate) fn listen(&mut self) {
        let mut chunk = [0; 1 << 16];
        match self.stream.read(&mut chunk) {
            Ok(0) => panic!("the server closed the connection"),
            Ok(count) => self.input.extend_from_slice(&chunk[..count]),
            Err(_) => {}
        }
        while self.take_message() {}
    }

    /// Takes one line or message of the server from the input; returns whether it was complete.
    fn take_message(&mut self) -> bool {
        let Some(end) = self.input.windows(2).position(|two| two == b"\r\n") else { return false };
        let line = String::from_utf8_lossy(&self.input[..end]).into_owned();
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |word: &str| word.parse::<usize>().expect("a length");
        let (subject, headers, total) = match words[..] {
            ["MSG", subject, .., total] => (subject, 0, number(total)),
            ["HMSG", subject, .., headers, total] => (subject, number(headers), number(total)),
            _ => {
                self.input.drain(..end + 2);
                match words.first() {
                    Some(&"PING") => self.write(b"PONG\r\n"),
                    Some(&"PONG") => self.pongs += 1,
                    Some(&"-ERR") => panic!("the server refuses a message: {line}"),
                    _ => {}
                }
                return true;
            }
        };
        let begin = end + 2;
        if self.input.len() < begin + total + 2 {
            return false;
        }
        let heard = Overheard {
            subject: subject.to_owned(),
            headers: self.input[begin..begin + headers].to_vec(),
            payload: self.input[begin + headers..begin + total].to_vec(),
        };
        self.input.drain(..begin + total + 2);
        self.remember(heard);
        true
    }

    fn remember(&mut self, heard: Overheard) {
        if let Some(run) = heard.subject.strip_prefix("ludion.run.") {
            let id = run.split('.').next().unwrap_or_default();
            if id.len() == 16 && self.runs.len() < 1000 {
                self.runs.insert(id.to_owned());
            }
        }
        let headers = String::from_utf8_lossy(&heard.headers).into_owned();
        let name = headers.lines().find_map(|line| line.strip_prefix("Ludion-Worker:"));
        if let Some(name) = name.map(str::trim).filter(|_| self.workers.len() < 100) {
            self.workers.insert(name.to_owned());
        }
        if self.overheard.len() == KEPT {
            self.overheard.pop_front();
        }
        self.overheard.push_back(heard);
    }

    /// Waits until a run is announced and its workers have sent results.
    pub(crate) fn wait_for_results(&mut self) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.workers.is_empty() || self.runs.is_empty() {
            assert!(Instant::now() < end, "no worker has sent results");
            self.listen();
        }
    }

    /// Waits for a message on a subject that begins with `prefix`, and returns the subject.
    pub(crate) fn wait_for_subject(&mut self, prefix: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            assert!(Instant::now() < end, "no message on {prefix}");
            self.listen();
            let mut subjects = self.overheard.iter().map(|heard| &heard.subject);
            if let Some(subject) = subjects.find(|subject| subject.starts_with(prefix)) {
                return subject.clone();
            }
        }
    }

    /// Returns the id of the run that was overheard.
    pub(crate) fn run(&mut self) -> String {
        let runs: Vec<String> = self.runs.iter().cloned().collect();
        self.pick(&runs)
    }

    fn worker(&mut self) -> String {
        let mut names: Vec<String> = self.workers.iter().cloned().collect();
        names.extend(["stranger".to_owned(), "\u{1b}[2J".to_owned(), "x".repeat(300)]);
        self.pick(&names)
    }

    /// Publishes a message, with the headers as they are on the wire, if any.
    pub(crate) fn publish(&mut self, subject: &str, headers: &[u8], payload: &[u8], reply: &str) {
        let total = headers.len() + payload.len();
        let line = match headers.len() {
            0 => format!("PUB {subject} {reply} {total}\r\n"),
            length => format!("HPUB {subject} {reply} {length} {total}\r\n"),
        };
        self.write(&[line.as_bytes(), headers, payload, b"\r\n"].concat());
        self.sent += 1;
        if self.sent.is_multiple_of(64) {
            self.listen();
        }
    }

    /// Waits until the server has received all messages.
    pub(crate) fn flush(&mut self) {
        let wanted = self.pongs + 1;
        self.write(b"PING\r\n");
        let end = Instant::now() + Duration::from_secs(20);
        while self.pongs < wanted {
            assert!(Instant::now() < end, "the server does not answer");
            self.listen();
        }
    }

    /// Publishes one random or forged message.
    pub(crate) fn forge(&mut self) {
        let run = self.run();
        let own = |end: &str| format!("ludion.run.{run}.{end}");
        let subjects = [
            own("work"),
            own("results"),
            own("notes"),
            own("order.0"),
            own("order.7"),
            "ludion.runs".to_owned(),
            "ludion.call.runs".to_owned(),
            "ludion.call.workers".to_owned(),
        ];
        match self.below(12) {
            0 => {
                let (subject, payload) = (self.pick(&subjects), self.random_bytes(200));
                let reply = ["forger.reply".to_owned(), own("work"), own("results")];
                let reply = self.pick(&reply);
                self.publish(&subject, b"", &payload, &reply);
            }
            1 => self.changed_copy(),
            2 => {
                let copy = self.copy();
                self.publish(&copy.subject, &copy.headers, &copy.payload, "");
            }
            3 => {
                let (copy, subject) = (self.copy(), self.pick(&subjects));
                self.publish(&subject, &copy.headers, &copy.payload, "");
            }
            4 | 5 => self.forged_chunk(&own("work")),
            6 | 7 => self.forged_results(&own("results")),
            8 => self.forged_note(&own("notes")),
            9 | 10 => self.forged_announcement(),
            _ => self.forged_acknowledgement(&run),
        }
    }

    fn copy(&mut self) -> Overheard {
        let at = self.below(self.overheard.len() as u64) as usize;
        self.overheard[at].clone()
    }

    /// Publishes an overheard message with some bits changed, cut, or extended.
    fn changed_copy(&mut self) {
        let mut copy = self.copy();
        for _ in 0..=self.below(4) {
            let length = copy.payload.len() as u64;
            let at = self.below(length) as usize;
            match self.below(4) {
                0 => copy.payload.truncate(at),
                1 => copy.payload.push(self.below(256) as u8),
                _ if length > 0 => copy.payload[at] ^= 1 << self.below(8),
                _ => {}
            }
        }
        self.publish(&copy.subject, &copy.headers, &copy.payload, "");
    }

    /// Publishes a chunk of jobs that the coordinator did not hand out.
    fn forged_chunk(&mut self, subject: &str) {
        let number = self.below(50);
        let ranges = match self.below(6) {
            0 => vec![(0, u64::MAX)],
            1 => vec![(u64::MAX, u64::MAX)],
            2 => vec![(1 << 40, 100)],
            3 => vec![(0, 1 << 20)],
            4 => (0..5000).map(|first| (first, 1)).collect(),
            _ => vec![(self.below(100), self.below(10))],
        };
        let payload = postcard_chunk(number, &ranges);
        // The id of a message by which the server drops duplicates, for chunks to come.
        let id = format!("NATS/1.0\r\nNats-Msg-Id: {}.1\r\n\r\n", self.below(2000));
        let headers = if self.below(2) == 0 { id.into_bytes() } else { Vec::new() };
        self.publish(subject, &headers, &payload, "");
    }

    /// Publishes results in the name of a worker, for jobs that it may hold.
    fn forged_results(&mut self, subject: &str) {
        let mut payload = varint([1, 2, u64::from(u32::MAX)][self.below(3) as usize]);
        let jobs = 1 + self.below(5);
        payload.extend(varint(1));
        payload.extend(varint(self.below(200)));
        let seconds = self.pick(&[0.0, 1e-9, 1e300, -1.0, f64::NAN, f64::INFINITY]);
        payload.extend(seconds.to_le_bytes());
        payload.extend(varint(jobs));
        for _ in 0..jobs {
            payload.extend(varint(self.below(3000)));
            let is_failure = self.below(2);
            let content = self.random_bytes(40).iter().map(|byte| byte % 128).collect::<Vec<u8>>();
            payload.extend(varint(is_failure));
            payload.extend(varint(content.len() as u64));
            payload.extend(content);
        }
        let headers = format!("NATS/1.0\r\nLudion-Worker: {}\r\n\r\n", self.worker());
        let headers = if self.below(8) == 0 { String::new() } else { headers };
        self.publish(subject, headers.as_bytes(), &payload, "");
    }

    fn forged_note(&mut self, subject: &str) {
        let (worker, chunk) = (self.worker().replace('\u{1b}', "\\u001b"), self.below(300));
        let content = match self.below(3) {
            0 => format!("{{\"holds\":{chunk}}}"),
            1 => format!("{{\"refuses\":\"reason {chunk}\\u001b[31m\"}}"),
            _ => "{\"holds\":18446744073709551615}".to_owned(),
        };
        let note = format!("{{\"worker\":\"{worker}\",\"says\":{content}}}");
        self.publish(subject, b"", note.as_bytes(), "");
    }

    /// Publishes a changed announcement: of the run, or of one that does not exist.
    fn forged_announcement(&mut self) {
        let real = self.overheard.iter().rev().find(|heard| heard.subject == "ludion.runs");
        let Some(real) = real.cloned() else { return };
        let Ok(mut value) = serde_json::from_slice::<serde_json::Value>(&real.payload) else {
            return;
        };
        if !value["status"].is_object() {
            return;
        }
        match self.below(8) {
            0 => value["phase"] = "over".into(),
            1 => value["phase"] = "stopping".into(),
            2 => value["barred"] = self.workers.iter().cloned().collect::<Vec<_>>().into(),
            3 => value["pieces"] = u32::MAX.into(),
            4 => value["opened"] = self.below(1000).into(),
            5 => value["status"]["version"] = "0.0.1".into(),
            6 => value["status"]["id"] = format!("{:016x}", self.below(1 << 40)).into(),
            _ => {
                value["status"]["id"] = self.pick(&["*", ">", "a b", "a.b", "", "\r\nPING"]).into();
            }
        }
        let keeps_headers = self.below(2) == 0;
        let headers = if keeps_headers { real.headers } else { Vec::new() };
        self.publish("ludion.runs", &headers, value.to_string().as_bytes(), "");
    }

    /// Acknowledges a message that the server has delivered to another client, or asks for it.
    fn forged_acknowledgement(&mut self, run: &str) {
        let (queue, consumer) = self.pick(&[("work", "workers"), ("results", "coordinator")]);
        if self.below(20) > 0 {
            let subject = format!("$JS.API.CONSUMER.INFO.ludion-{run}-{queue}.{consumer}");
            return self.publish(&subject, b"", b"", "forger.reply");
        }
        let (sequence, word) = (self.below(500), self.pick(&["+ACK", "-NAK", "+WPI", "+TERM"]));
        let end = format!("{consumer}.1.{sequence}.{sequence}.1700000000000000000.0");
        self.publish(&format!("$JS.ACK.ludion-{run}-{queue}.{end}"), b"", word.as_bytes(), "");
    }
}

/// Returns a number as `postcard` encodes it.
pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Returns a chunk of jobs as 0.1.0 encoded it: its number and its ranges, each as the first job
/// and the count.
pub(crate) fn postcard_chunk(number: u64, ranges: &[(u64, u64)]) -> Vec<u8> {
    let mut bytes = [varint(number), varint(ranges.len() as u64)].concat();
    for &(first, count) in ranges {
        bytes.extend([varint(first), varint(count)].concat());
    }
    bytes
}
