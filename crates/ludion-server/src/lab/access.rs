//! Access control and security headers.
//!
//! Without a token, only requests that address the loopback interface by name are accepted, which
//! defeats DNS rebinding. With a token, a client sends it once in the address and then in a cookie;
//! programs send `Authorization: Bearer`. Requests that change something must come from our own pages.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::LabError;
use crate::submissions::TeamToken;

/// Which clients are admitted.
pub enum LabAccess {
    /// Clients on the same machine.
    Loopback,
    /// Clients that know the token, from anywhere.
    Token(TeamToken),
}

/// Content security policy: own scripts, styles and data only, nothing inline, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

const COOKIE_NAME: &str = "ludion";

/// Admits or rejects a request, and adds security headers to every response.
pub(super) async fn guard(
    State(access): State<Arc<LabAccess>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match admit(&access, &request) {
        Ok(Some(response)) => response,
        Ok(None) => next.run(request).await,
        Err(LabError::Stranger) if wants_page(&request) => no_token(),
        Err(refusal) => refusal.into_response(),
    };
    let fixed = |text| HeaderValue::from_static(text);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, fixed(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, fixed("same-origin"));
    let resource = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(resource, fixed("same-origin"));
    response
}

/// Returns `None` for an admitted request, or a response that ends the request here.
fn admit(access: &LabAccess, request: &Request) -> Result<Option<Response>, LabError> {
    let headers = request.headers();
    let host = request.uri().host().or_else(|| host(headers)).unwrap_or_default();
    match access {
        LabAccess::Loopback if !is_loopback(host) => {
            return Err(LabError::Foreign("this laboratory is open on its own machine alone"));
        }
        LabAccess::Loopback => {}
        LabAccess::Token(token) => {
            if let Some(given) = given_in(request.uri()) {
                return welcome(token, &given, request.uri()).map(Some);
            }
            // Hashes are compared, so the time of the comparison reveals nothing about the token.
            let shown = sent_in(headers).or_else(|| kept_in(headers));
            if shown.is_none_or(|shown| shown.hash() != token.hash()) {
                return Err(LabError::Stranger);
            }
        }
    }
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && !is_ours(headers) {
        return Err(LabError::Foreign("only pages of this laboratory may ask that"));
    }
    Ok(None)
}

/// Whether the client is a browser that asks for a page.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|kinds| kinds.contains("text/html"))
        && !request.uri().path().starts_with("/api/")
}

/// Returns the page for a browser without the token.
fn no_token() -> Response {
    let sentence = LabError::Stranger.to_string();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Ludion</title>\n\
         <h1>Ludion</h1>\n<p>{sentence}</p>\n</html>\n"
    );
    let about = [(CONTENT_TYPE, "text/html; charset=utf-8"), (WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, about, page).into_response()
}

/// Returns the host name of the request without its port.
fn host(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(HOST)?.to_str().ok()?;
    match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => text.split(':').next(),
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether a request comes from our own pages, or from a program.
fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(&HeaderName::from_static("sec-fetch-site"));
    let same_site = site.is_none_or(|site| ["same-origin", "none"].contains(&site));
    let same_origin = text(&ORIGIN).is_none_or(|origin| {
        let named = origin.split_once("://").map(|(_, host)| host);
        named.is_some() && named == text(&HOST)
    });
    same_site && same_origin
}

/// Returns the token in the address.
fn given_in(uri: &Uri) -> Option<TeamToken> {
    let mut pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == "token").map(|(_, token)| TeamToken::from_text(token))
}

/// Returns the token in the header `Authorization`.
fn sent_in(headers: &HeaderMap) -> Option<TeamToken> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| TeamToken::from_text(token.trim()))
}

/// Returns the token in the cookie.
fn kept_in(headers: &HeaderMap) -> Option<TeamToken> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, token)| TeamToken::from_text(token))
}

/// Sets the cookie and redirects to the address without the token.
fn welcome(token: &TeamToken, given: &TeamToken, uri: &Uri) -> Result<Response, LabError> {
    if given.hash() != token.hash() {
        return Err(LabError::Stranger);
    }
    let rest: Vec<&str> = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.starts_with("token="))
        .collect();
    // A path that begins with two slashes would name another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    let place = if rest.is_empty() { path } else { format!("{path}?{}", rest.join("&")) };
    let cookie = format!("{COOKIE_NAME}={}; Path=/; HttpOnly; SameSite=Strict", token.text());
    Ok((StatusCode::SEE_OTHER, [(LOCATION, place), (SET_COOKIE, cookie)]).into_response())
}
