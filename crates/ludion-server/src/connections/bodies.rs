//! Bodies of requests, which have to arrive in time, and of responses, whose end is the end of a
//! request.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use tokio::time::{Sleep, sleep};

use super::table::{ConnectionHandle, ConnectionPhase};

/// The body of a request did not arrive within this time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the request did not arrive within {} s", .0.as_secs_f64())]
pub(crate) struct BodyTimeout(pub(crate) Duration);

impl BodyTimeout {
    /// Returns the timeout that caused an error.
    pub(crate) fn cause_of(error: &(dyn Error + 'static)) -> Option<BodyTimeout> {
        let mut causes = std::iter::successors(Some(error), |error| (*error).source());
        causes.find_map(|cause| cause.downcast_ref().copied())
    }
}

/// The body of a request.
pub(super) struct RequestBody {
    body: Incoming,
    handle: Arc<ConnectionHandle>,
    time: Duration,
    deadline: Pin<Box<Sleep>>,
}

impl RequestBody {
    pub(super) fn new(body: Incoming, handle: Arc<ConnectionHandle>, time: Duration) -> Self {
        RequestBody { body, handle, time, deadline: Box::pin(sleep(time)) }
    }
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let time = self.time;
        self.deadline.as_mut().poll(cx).map(|()| Some(Err(BodyTimeout(time).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        // A handler drops a body that it has read or does not want.
        self.handle.enter(ConnectionPhase::Answering);
    }
}

/// The body of a response. The connection is idle when it is dropped: then the whole of it is sent
/// or waits to be sent.
pub(super) struct ResponseBody {
    body: Body,
    handle: Arc<ConnectionHandle>,
}

impl ResponseBody {
    pub(super) fn new(body: Body, handle: Arc<ConnectionHandle>) -> Self {
        ResponseBody { body, handle }
    }
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ResponseBody {
    fn drop(&mut self) {
        self.handle.enter(ConnectionPhase::Idle);
    }
}
