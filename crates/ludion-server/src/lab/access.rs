//! Access control and security headers.
//!
//! Without a token, only requests that address the loopback interface by name are accepted, which
//! defeats DNS rebinding. With a token, a browser sends it once in the address and then in a
//! cookie; programs send `Authorization: Bearer`. Requests that change something must come from
//! pages of this laboratory or from programs.

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
use crate::submissions::AccessToken;

/// Which clients may use the laboratory.
pub enum LabAccess {
    /// Only clients on the same machine.
    Loopback,
    /// Clients on any machine that send this token.
    Token(AccessToken),
}

/// Content security policy: own scripts, styles and data only, nothing inline, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

/// The cookie in which browsers send the token.
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
        Err(LabError::Unauthorized) if wants_page(&request) => token_missing_page(),
        Err(refusal) => refusal.into_response(),
    };
    let header = |text| HeaderValue::from_static(text);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, header(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, header("nosniff"));
    headers.insert(REFERRER_POLICY, header("no-referrer"));
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(opener, header("same-origin"));
    let resource = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(resource, header("same-origin"));
    response
}

/// Returns `None` if the request is to be handled, or the response to send instead: an error page,
/// or the redirection that sets the cookie.
fn admit(access: &LabAccess, request: &Request) -> Result<Option<Response>, LabError> {
    let headers = request.headers();
    let host = request.uri().host().or_else(|| host(headers)).unwrap_or_default();
    match access {
        LabAccess::Loopback if !is_loopback(host) => {
            return Err(LabError::Forbidden("this laboratory is open on its own machine alone"));
        }
        LabAccess::Loopback => {}
        LabAccess::Token(token) => {
            if let Some(given) = token_in_address(request.uri()) {
                return set_cookie(token, &given, request.uri()).map(Some);
            }
            // Hashes are compared, so the time of the comparison reveals nothing about the token.
            let shown = token_in_header(headers).or_else(|| token_in_cookie(headers));
            if shown.is_none_or(|shown| shown.hash() != token.hash()) {
                return Err(LabError::Unauthorized);
            }
        }
    }
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && !is_same_origin(headers) {
        return Err(LabError::Forbidden("only pages of this laboratory may ask that"));
    }
    Ok(None)
}

/// Returns whether the client is a browser that asks for a page, not for data.
fn wants_page(request: &Request) -> bool {
    let accepts = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
    accepts.is_some_and(|kinds| kinds.contains("text/html"))
        && !request.uri().path().starts_with("/api/")
}

/// Returns the error page for a browser without the token.
fn token_missing_page() -> Response {
    let sentence = LabError::Unauthorized.to_string();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Ludion</title>\n\
         <h1>Ludion</h1>\n<p>{sentence}</p>\n</html>\n"
    );
    let about = [(CONTENT_TYPE, "text/html; charset=utf-8"), (WWW_AUTHENTICATE, "Bearer")];
    (StatusCode::UNAUTHORIZED, about, page).into_response()
}

/// Returns the host name in the header `Host`, without its port.
fn host(headers: &HeaderMap) -> Option<&str> {
    let text = headers.get(HOST)?.to_str().ok()?;
    match text.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => text.split(':').next(),
    }
}

/// Returns whether a host name is `localhost` or a loopback address.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Returns whether a request comes from a page of this laboratory, or from a program, which sends
/// neither `Sec-Fetch-Site` nor `Origin`.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(&HeaderName::from_static("sec-fetch-site"));
    let same_site = site.is_none_or(|site| ["same-origin", "none"].contains(&site));
    let origin_matches = text(&ORIGIN).is_none_or(|origin| {
        let named = origin.split_once("://").map(|(_, host)| host);
        named.is_some() && named == text(&HOST)
    });
    same_site && origin_matches
}

/// Returns the token in the query string of the address, or `None` if there is none.
fn token_in_address(uri: &Uri) -> Option<AccessToken> {
    let mut pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == "token").map(|(_, token)| AccessToken::from_text(token))
}

/// Returns the token in the header `Authorization`, or `None` if there is none.
fn token_in_header(headers: &HeaderMap) -> Option<AccessToken> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| AccessToken::from_text(token.trim()))
}

/// Returns the token in the cookie, or `None` if there is none.
fn token_in_cookie(headers: &HeaderMap) -> Option<AccessToken> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, token)| AccessToken::from_text(token))
}

/// Returns the response to the right token in the address: it sets the cookie and redirects to the
/// address without the token.
fn set_cookie(token: &AccessToken, given: &AccessToken, uri: &Uri) -> Result<Response, LabError> {
    if given.hash() != token.hash() {
        return Err(LabError::Unauthorized);
    }
    let rest: Vec<&str> = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.starts_with("token="))
        .collect();
    // Browsers would read a path that begins with two slashes as another host.
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    let place = if rest.is_empty() { path } else { format!("{path}?{}", rest.join("&")) };
    let cookie = format!("{COOKIE_NAME}={}; Path=/; HttpOnly; SameSite=Strict", token.text());
    Ok((StatusCode::SEE_OTHER, [(LOCATION, place), (SET_COOKIE, cookie)]).into_response())
}
