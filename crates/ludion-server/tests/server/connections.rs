//! Connections over real sockets on the loopback interface: clients that send nothing, send too
//! little or read nothing do not keep others out, and long answers go on.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::Sse;
use axum::response::sse::Event;
use axum::routing::{get, post};
use futures_core::Stream;
use hyper::body::Frame;
use ludion::games::hextris::Phrases;
use ludion::registry;
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{
    AccessToken, ConnectionLimits, LabAccess, LabConfig, SubmissionConfig, SubmissionLimits,
    laboratory, listen, serve_with,
};
use ludion_store::Store;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Interval, interval};

/// Events at equal intervals.
struct Ticks {
    interval: Interval,
    left: u32,
}

impl Stream for Ticks {
    type Item = Result<Event, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        ready!(self.interval.poll_tick(cx));
        self.left -= 1;
        Poll::Ready(Some(Ok(Event::default().data("tick"))))
    }
}

const TICKS: u32 = 40;
const LARGE: usize = 8 << 20;

/// A body that never ends.
struct Endless;

impl axum::body::HttpBody for Endless {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(&[b'x'; 1 << 16])))))
    }
}

/// Returns a router with a page, a stream of two seconds, a large and an endless file, and a form.
fn app() -> Router {
    let ticks = || async { Sse::new(Ticks { interval: interval(ms(50)), left: TICKS }) };
    Router::new()
        .route("/", get(|| async { "a page" }))
        .route("/events", get(ticks))
        .route("/large", get(|| async { vec![b'x'; LARGE] }))
        .route("/endless", get(|| async { Body::new(Endless) }))
        .route("/form", post(|body: Bytes| async move { body.len().to_string() }))
}

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Limits with a short time for everything.
fn short() -> ConnectionLimits {
    ConnectionLimits {
        connections: 16,
        head: ms(300),
        body: ms(300),
        idle: ms(300),
        write: ms(300),
        shutdown: ms(300),
        ..ConnectionLimits::default()
    }
}

/// A server on a port of its own.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    fn start(limits: ConnectionLimits) -> Self {
        Server::with_app(app(), limits)
    }

    fn with_app(app: Router, limits: ConnectionLimits) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let stopped = async { drop(stopped.await) };
        let serving = runtime.spawn(serve_with(listener, app, limits, stopped));
        Server { address, stop, serving, runtime }
    }

    /// Opens a connection and sends the beginning of a request.
    fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream.write_all(text.as_bytes()).expect("a request");
        stream
    }

    /// Returns the response to a request on a connection of its own.
    fn ask(&self, path: &str) -> String {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        read_all(self.send(&request))
    }
}

/// Reads until the server closes the connection, in order or not.
fn read_all(mut stream: TcpStream) -> String {
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            // The process was paused.
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => panic!("the server neither answers nor closes: {error}"),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns whether the server has closed a connection.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).expect("a mode");
    match stream.peek(&mut [0]) {
        Ok(count) => count == 0,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

const HALF_A_HEAD: &str = "GET / HTTP/1.1\r\nhost: local";
const HALF_A_BODY: &str = "POST /form HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf";

#[test]
fn half_open_requests_give_way_to_new_ones() {
    let patient = ConnectionLimits { connections: 16, ..ConnectionLimits::default() };
    let server = Server::start(patient);
    for half in ["", HALF_A_HEAD, HALF_A_BODY] {
        let held: Vec<TcpStream> = (0..200).map(|_| server.send(half)).collect();
        let began = Instant::now();
        assert!(server.ask("/").ends_with("a page"), "{half:?}");
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        let closed = held.iter().filter(|stream| is_closed(stream)).count();
        assert!(closed >= held.len() - 16, "{half:?}: {closed} closed");
        assert!(closed < held.len(), "{half:?}: no more than needed");
    }
}

#[test]
fn a_stream_of_events_outlives_every_limit_and_a_flood() {
    let server = Server::start(short());
    let request = "GET /events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let streams: Vec<TcpStream> = (0..4).map(|_| server.send(request)).collect();
    let mut held = Vec::new();
    for _ in 0..30 {
        held.extend((0..10).map(|_| server.send(HALF_A_HEAD)));
        std::thread::sleep(ms(20));
    }
    for stream in streams {
        assert_eq!(read_all(stream).matches("data: tick").count(), TICKS as usize);
    }
}

#[test]
fn every_wait_for_a_client_ends() {
    let server = Server::start(short());
    let slow = |text: &str| {
        let began = Instant::now();
        let answer = read_all(server.send(text));
        (answer, began.elapsed())
    };
    let (answer, time) = slow("");
    assert!(answer.is_empty() && time >= ms(300) && time < Duration::from_secs(10), "{time:?}");
    let (answer, time) = slow(HALF_A_HEAD);
    assert!(answer.is_empty() && time >= ms(300) && time < Duration::from_secs(10), "{time:?}");
    let (answer, time) = slow(HALF_A_BODY);
    assert!(answer.contains("400") && time >= ms(300), "{answer} {time:?}");
    let (answer, time) = slow("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert!(answer.ends_with("a page") && time >= ms(300), "idle: {answer} {time:?}");

    // Bytes that arrive one by one do not extend the time of a head.
    let mut dripping = server.send(HALF_A_HEAD);
    let began = Instant::now();
    while dripping.write_all(b"h").is_ok() && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(ms(20));
    }
    assert!(began.elapsed() < Duration::from_secs(10));

    // A client that reads nothing for longer than the limit gets no more.
    let unread = server.send("GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n");
    std::thread::sleep(ms(2_000));
    assert!(read_all(unread).starts_with("HTTP/1.1 200 "), "what was sent before, and its end");
    assert!(server.ask("/large").len() > LARGE, "one that reads gets all of it");
}

#[test]
fn a_client_that_sends_a_body_too_slowly_is_told() {
    let lab = laboratory(LabConfig {
        registry: Arc::new(registry::standard()),
        store: Store::in_memory().expect("a store"),
        access: LabAccess::Loopback,
        limits: LabLimits::of_cores(1),
        allow_bots: false,
        kinds: WorkKinds::standard(),
        data: None,
        cluster: None,
    });
    let contest = ludion_server::app(SubmissionConfig {
        problems: BTreeMap::new(),
        phrases: Phrases::none(),
        store: with_a_team(),
        limits: SubmissionLimits::default(),
    });
    let server =
        Server::with_app(lab.merge(Router::new().nest_service("/contest", contest)), short());
    for (path, auth) in [("/api/position", ""), ("/contest/teams/1/solutions", TEAM)] {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\n{auth}content-length: 90\r\n\r\n{{"
        );
        let answer = read_all(server.send(&head));
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("the request did not arrive within 0.3 s"), "{answer}");
    }
}

/// The header with which the team of [`with_a_team`] authenticates: the password is `token`.
const TEAM: &str = "authorization: Basic OnRva2Vu\r\n";

fn with_a_team() -> Store {
    let mut store = Store::in_memory().expect("a store");
    store.add_team("one", &AccessToken::from_text("token").hash()).expect("a team");
    store
}

#[test]
fn a_second_request_on_a_connection_is_answered_in_time() {
    let server = Server::start(short());
    let mut stream = server.send("");
    for _ in 0..8 {
        std::thread::sleep(ms(100));
        stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("a request");
        let mut answer = [0; 4096];
        let count = stream.read(&mut answer).expect("an answer");
        assert!(answer[..count].ends_with(b"a page"));
    }
}

#[test]
fn only_answers_in_progress_fill_a_server_and_the_rest_is_told() {
    let server = Server::start(ConnectionLimits { connections: 2, ..short() });
    let request = "GET /events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let mut streams: Vec<TcpStream> = (0..2).map(|_| server.send(request)).collect();
    for stream in &mut streams {
        stream.read_exact(&mut [0; 64]).expect("a stream that has begun");
    }
    let refused = read_all(server.send(""));
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.ends_with("\r\n\r\ntoo many requests are being answered"), "{refused}");
    for stream in streams {
        assert!(read_all(stream).contains("data: tick"));
    }
    assert!(server.ask("/").ends_with("a page"));
}

#[test]
fn a_server_that_stops_finishes_answers_and_leaves_the_half_open() {
    let server = Server::start(ConnectionLimits { shutdown: Duration::from_secs(20), ..short() });
    let patient = server.send("GET /events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let held: Vec<TcpStream> = (0..8).map(|_| server.send(HALF_A_HEAD)).collect();
    std::thread::sleep(ms(100));
    let Server { stop, serving, runtime, .. } = server;
    stop.send(()).expect("a server that runs");
    assert_eq!(read_all(patient).matches("data: tick").count(), TICKS as usize);
    runtime.block_on(serving).expect("a task").expect("no error");
    assert!(held.iter().all(is_closed));
}

#[tokio::test]
async fn a_crowd_that_connects_at_once_does_not_wait_a_second() {
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.local_addr().unwrap();
    // None is accepted: all of them fit in the queue of the system.
    let connect = |_| TcpStream::connect_timeout(&address, Duration::from_millis(900)).unwrap();
    let crowd: Vec<TcpStream> = (0..300).map(connect).collect();
    assert_eq!(crowd.len(), 300);
}
