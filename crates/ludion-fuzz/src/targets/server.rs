//! Bodies of HTTP requests to the laboratory, on the routes that answer without a search.

use std::cell::OnceCell;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use ludion::registry;
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{LabAccess, LabConfig, laboratory};
use ludion_store::Store;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;

use crate::FuzzTarget;

/// The routes of inputs, chosen by the first byte.
const ROUTES: [&str; 5] = [
    "/api/position",
    "/api/mastermind/answer",
    "/api/hextris/problem",
    "/api/hextris/score",
    "/api/hextris/replay",
];

thread_local! {
    static LABORATORY: OnceCell<(Runtime, Router)> = const { OnceCell::new() };
}

fn open() -> (Runtime, Router) {
    let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
    let router = runtime.block_on(async {
        laboratory(LabConfig {
            registry: Arc::new(registry::standard()),
            store: Store::in_memory().expect("a store"),
            access: LabAccess::Loopback,
            limits: LabLimits::of_cores(1),
            allow_bots: false,
            kinds: WorkKinds::standard(),
            data: None,
            cluster: None,
        })
    });
    (runtime, router)
}

/// Sends a body to a route and returns the message if it is refused.
fn post(runtime: &Runtime, router: &Router, route: &str, body: &[u8]) -> Result<(), String> {
    let request = Request::post(route)
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let (status, bytes) = runtime.block_on(async {
        let response = router.clone().oneshot(request).await.expect("the router never fails");
        let status = response.status();
        (status, to_bytes(response.into_body(), usize::MAX).await.expect("a body"))
    });
    let text = String::from_utf8_lossy(&bytes);
    assert!(status.as_u16() < 500, "{route} answers {status}: {text}");
    if status.is_success() {
        return Ok(());
    }
    let json: serde_json::Value = serde_json::from_str(&text).expect("an error is JSON");
    Err(json["error"].as_str().expect("an error has a message").to_owned())
}

/// Bodies: the first byte selects the route, the rest is the body.
pub(super) const REQUEST_BODY: FuzzTarget = FuzzTarget {
    name: "request_body",
    about: "body of a request to the laboratory",
    tokens: &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"game\"",
        "\"state\"",
        "\"moves\"",
        "\"connect4\"",
        "\"checkers\"",
        "null",
        "\"pegs\"",
        "\"colours\"",
        "\"secret\"",
        "\"guess\"",
        "\"problem\"",
        "\"solution\"",
        "\"seed\"",
        "\"phrases\"",
        "-1",
        "1e99",
        "\\u0000",
    ],
    run: |input| {
        let Some((route, body)) = input.split_first() else { return Ok(()) };
        let route = ROUTES[usize::from(*route) % ROUTES.len()];
        LABORATORY.with(|lab| {
            let (runtime, router) = lab.get_or_init(open);
            post(runtime, router, route, body)
        })
    },
};
