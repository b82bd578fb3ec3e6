//! Connections of clients: accepted, timed and limited before a request is read, so that clients
//! that open connections and send nothing cannot keep others out.
//!
//! A connection that waits for its client (for the head or the body of a request, for the next
//! request, or until the client reads a response) has a time limit, and it gives way to a new
//! connection when there are too many: the oldest one of the address that has most of them is
//! closed. A request whose response is computed or streamed is never interrupted.

mod bodies;
mod limits;
mod stream;
mod table;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tower::ServiceExt;

pub(crate) use bodies::BodyTimeout;
use bodies::{RequestBody, ResponseBody};
pub use limits::ConnectionLimits;
use stream::WatchedStream;
use table::{ConnectionHandle, ConnectionPhase, ConnectionTable};

/// Time after which accepting is tried again when the system has no file or memory for a connection.
const RESOURCE_DELAY: Duration = Duration::from_millis(20);
/// Time after which accepting is tried again after another error of the listening socket.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// The response to a connection for which no other one can give way.
const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
    content-type: text/plain\r\ncontent-length: 36\r\n\r\ntoo many requests are being answered";

/// Number of connections that may wait to be accepted. With the usual 128, a client of a crowd that
/// connects at once waits a second until it tries again.
const BACKLOG: u32 = 1024;

/// Returns a socket that listens at an address, for [`serve_with`].
///
/// # Errors
/// Returns the error of the system, such as that of a port in use.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A server that is started again takes its port at once.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers requests with a router until `stop` resolves. Requests in progress then are still
/// answered, if that takes no longer than [`ConnectionLimits::shutdown`].
///
/// # Errors
/// Returns the error of the listening socket.
pub async fn serve_with(
    listener: TcpListener,
    app: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    listener.local_addr()?;
    let limits = limits.within_open_files();
    let (stopping, stopped) = watch::channel(false);
    let server = Arc::new(ConnectionServer {
        app,
        limits,
        table: Arc::new(ConnectionTable::new(limits)),
        slots: Arc::new(Semaphore::new(limits.connections)),
        stopped,
    });
    // Both tasks end when the set is dropped.
    let mut tasks = JoinSet::new();
    tasks.spawn(Arc::clone(&server).accept_all(listener));
    tasks.spawn(Arc::clone(&server).close_expired());
    stop.await;
    tasks.shutdown().await;
    stopping.send_replace(true);
    server.table.close_idle();
    let every_slot = server.slots.acquire_many(limits.connections as u32);
    let _ = tokio::time::timeout(limits.shutdown, every_slot).await;
    server.table.close_all();
    Ok(())
}

/// What all connections of a listening socket share.
struct ConnectionServer {
    app: Router,
    limits: ConnectionLimits,
    table: Arc<ConnectionTable>,
    /// One permit for each connection that may be open.
    slots: Arc<Semaphore>,
    /// Becomes `true` when the server stops.
    stopped: watch::Receiver<bool>,
}

impl ConnectionServer {
    /// Accepts connections for ever.
    async fn accept_all(self: Arc<Self>, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, client)) => self.admit(stream, client).await,
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    // Without a file for the next connection an old one has to go. The delay keeps
                    // this loop from spinning: the connection that waits stays ready.
                    let delay = if is_shortage(&error) { RESOURCE_DELAY } else { RETRY_DELAY };
                    self.table.close_oldest();
                    tokio::time::sleep(delay).await;
                }
            }
        }
    }

    /// Serves a new connection on a task of its own; if there are too many, another one is closed
    /// first. If none can be, the new one is refused.
    async fn admit(self: &Arc<Self>, stream: TcpStream, client: SocketAddr) {
        let slots = Arc::clone(&self.slots);
        let slot = match Arc::clone(&slots).try_acquire_owned() {
            Ok(slot) => Ok(slot),
            Err(_) if self.table.close_oldest() => slots.acquire_owned().await,
            Err(_) => {
                refuse(stream);
                return;
            }
        };
        let Ok(slot) = slot else { return };
        // Without it, an event of a stream waits until the client has acknowledged the one before.
        let _ = stream.set_nodelay(true);
        let handle = ConnectionTable::insert(&self.table, client.ip());
        tokio::spawn(Arc::clone(self).serve_connection(stream, Arc::new(handle), slot));
    }

    /// Serves one connection until it ends, is closed to make room, or the server stops.
    async fn serve_connection(
        self: Arc<Self>,
        stream: TcpStream,
        handle: Arc<ConnectionHandle>,
        slot: OwnedSemaphorePermit,
    ) {
        let (app, answering) = (self.app.clone(), Arc::clone(&handle));
        let body_timeout = self.limits.body;
        let service = service_fn(move |request: Request<Incoming>| {
            answer(app.clone(), Arc::clone(&answering), request, body_timeout)
        });
        let io = TokioIo::new(WatchedStream::new(stream, Arc::clone(&handle)));
        let mut builder = http1::Builder::new();
        let connection = builder.max_buf_size(self.limits.head_bytes).serve_connection(io, service);
        let (mut connection, mut closed) = (pin!(connection), pin!(handle.closed()));
        let mut stopped = self.stopped.clone();
        let mut stopping = pin!(stopped.wait_for(|stopped| *stopped));
        let mut is_stopping = false;
        poll_fn(|cx| {
            if closed.as_mut().poll(cx).is_ready() {
                return Poll::Ready(());
            }
            if !is_stopping && stopping.as_mut().poll(cx).is_ready() {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
            // An error ends the connection as its end does: there is no client to tell.
            connection.as_mut().poll(cx).map(drop)
        })
        .await;
        // The slot is free when the socket is closed, not before.
        drop(slot);
    }

    /// Closes connections whose time is over, for ever.
    async fn close_expired(self: Arc<Self>) {
        let interval = self.limits.check_interval();
        loop {
            tokio::time::sleep(interval).await;
            self.table.close_expired();
        }
    }
}

/// Tells a client that there is no room for it. The socket does not block, and its empty buffer has
/// room for the response.
fn refuse(stream: TcpStream) {
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(BUSY);
    }
}

/// Answers one request and keeps the phase of its connection.
async fn answer(
    app: Router,
    handle: Arc<ConnectionHandle>,
    request: Request<Incoming>,
    body_timeout: Duration,
) -> Result<Response<ResponseBody>, Infallible> {
    let has_body = !request.body().is_end_stream();
    handle.enter(if has_body { ConnectionPhase::Body } else { ConnectionPhase::Answering });
    let request = request.map(|body| match has_body {
        true => Body::new(RequestBody::new(body, Arc::clone(&handle), body_timeout)),
        false => Body::empty(),
    });
    let response = app.oneshot(request).await?;
    handle.enter(ConnectionPhase::Answering);
    Ok(response.map(|body| ResponseBody::new(body, handle)))
}

/// Returns whether an error of `accept` is one of the connection that was accepted.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    [ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted].contains(&error.kind())
}

/// Returns whether an error of `accept` says that the system or this program has no more files or
/// memory.
#[cfg(unix)]
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let shortages = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    error.raw_os_error().is_some_and(|code| shortages.map(Errno::raw_os_error).contains(&code))
}

#[cfg(not(unix))]
fn is_shortage(_error: &io::Error) -> bool {
    true
}
