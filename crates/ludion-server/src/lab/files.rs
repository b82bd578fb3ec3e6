//! Static files, embedded in the program. A path without an extension is a page: all pages are one
//! document, whose script shows the requested page or reports that it does not exist.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::error::LabError;

#[derive(RustEmbed)]
#[folder = "static/"]
struct StaticFiles;

/// The HTML document of all pages.
const DOCUMENT: &str = "index.html";

/// Paths of the pages without the leading slash, in the order of `js/pages.js`.
const PAGES: [&str; 7] = ["", "play", "arena", "mastermind", "hextris", "learning", "runs"];

/// Serves the file of a path, or the document for the path of a page.
pub(super) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if path == "api" || path.starts_with("api/") {
        return LabError::Unknown(format!("there is no /{path}; /api/openapi.json says what is"))
            .into_response();
    }
    if ![Method::GET, Method::HEAD].contains(&method) {
        return LabError::Method.into_response();
    }
    let name = if is_file { path } else { DOCUMENT };
    let Some(file) = StaticFiles::get(name) else {
        return LabError::Unknown(format!("there is no file /{path}")).into_response();
    };
    if is_file || PAGES.contains(&path.trim_end_matches('/')) {
        return answer(name, file, &headers);
    }
    // The document's script reports that there is no such page.
    (StatusCode::NOT_FOUND, [(CONTENT_TYPE, content_type(name))], file.data.into_owned())
        .into_response()
}

/// Returns the file, or `304 Not Modified` if the client's copy has the same content.
fn answer(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let digest: String =
        file.metadata.sha256_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{digest}\"");
    let is_current =
        headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let headers_sent = [
        (CONTENT_TYPE, content_type(name).to_owned()),
        (ETAG, tag),
        (CACHE_CONTROL, "no-cache".to_owned()),
    ];
    if is_current {
        return (StatusCode::NOT_MODIFIED, headers_sent).into_response();
    }
    (headers_sent, file.data.into_owned()).into_response()
}

/// Returns the media type of a file by its extension.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_a_kind_that_browsers_run() {
        for name in StaticFiles::iter() {
            assert!(content_type(&name) != "application/octet-stream", "{name}");
        }
        assert!(StaticFiles::get(DOCUMENT).is_some());
    }

    #[test]
    fn the_pages_are_those_of_the_script() {
        let script = StaticFiles::get("js/pages.js").expect("a file").data;
        let script = std::str::from_utf8(&script).expect("text");
        let paths = script.split("path: \"/").skip(1).filter_map(|rest| rest.split('"').next());
        assert_eq!(paths.collect::<Vec<_>>(), PAGES);
    }
}
