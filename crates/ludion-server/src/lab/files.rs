//! Static files, embedded in the program. A path without an extension is a page: all pages are one
//! document, whose script shows the requested page or reports that it does not exist.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::error::LabError;

/// The files of the folder `static` by their paths in it, sorted; the build script writes the table.
const STATIC_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/static_files.rs"));

/// The HTML document of all pages.
const DOCUMENT: &str = "index.html";

/// Paths of the pages without the leading slash, in the order of `js/pages.js`.
const PAGES: [&str; 9] =
    ["", "play", "arena", "mastermind", "hextris", "solutions", "learning", "reproduce", "runs"];

fn static_file(name: &str) -> Option<&'static [u8]> {
    let found = STATIC_FILES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(STATIC_FILES[found].1)
}

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
    let Some(file) = static_file(name) else {
        return LabError::Unknown(format!("there is no file /{path}")).into_response();
    };
    if is_file || PAGES.contains(&path.trim_end_matches('/')) {
        return answer(name, file, &headers);
    }
    // The document's script reports that there is no such page.
    (StatusCode::NOT_FOUND, [(CONTENT_TYPE, content_type(name))], file).into_response()
}

/// Returns the file, or `304 Not Modified` if the client's copy has the same content.
fn answer(name: &str, file: &'static [u8], headers: &HeaderMap) -> Response {
    let digest: String =
        Sha256::digest(file)[..16].iter().map(|byte| format!("{byte:02x}")).collect();
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
    (headers_sent, file).into_response()
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
    fn every_file_is_found_and_has_a_kind_that_browsers_run() {
        for (name, file) in STATIC_FILES {
            assert_eq!(static_file(name), Some(*file), "{name}");
            assert!(content_type(name) != "application/octet-stream", "{name}");
        }
        assert!(static_file(DOCUMENT).is_some());
    }

    #[test]
    fn a_file_is_found_by_its_path_alone() {
        let style = include_bytes!("../../static/style.css");
        assert_eq!(static_file("style.css"), Some(&style[..]));
        assert!(static_file("js/mastermind/game.js").is_some());
        assert!(
            ["", "js", "js/", "/style.css", "../build.rs"]
                .iter()
                .all(|no| static_file(no).is_none())
        );
    }

    #[test]
    fn the_pages_are_those_of_the_script() {
        let script = static_file("js/pages.js").expect("a file");
        let script = std::str::from_utf8(script).expect("text");
        let paths = script.split("path: \"/").skip(1).filter_map(|rest| rest.split('"').next());
        assert_eq!(paths.collect::<Vec<_>>(), PAGES);
    }
}
