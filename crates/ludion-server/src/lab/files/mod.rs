//! Static files, embedded in the program. A path without an extension is a page: all pages are one
//! document, whose script shows the requested page or reports that it does not exist. Scripts and style
//! sheets are also served joined, under a path that names their content, so that browsers keep them.

mod bundle;
mod document;
mod source_map;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::compression;
use super::error::LabError;
use document::PAGES;

/// The files of the folder `static` by their paths in it, sorted; the build script writes the table.
const STATIC_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/static_files.rs"));

/// The HTML document of all pages.
const DOCUMENT: &str = "index.html";

/// Everything that is served, made when the first file is requested.
static SITE: LazyLock<Site> = LazyLock::new(Site::new);

/// The files as they are served.
struct Site {
    /// The path of the bundles with slashes at both ends; it changes with the content of any file.
    folder: String,
    /// The files of the folder `static`.
    files: BTreeMap<&'static str, ServedFile>,
    /// The bundles by their paths in `folder`.
    bundles: BTreeMap<String, ServedFile>,
    /// The documents of the pages by their paths.
    pages: BTreeMap<&'static str, ServedFile>,
    /// The document of a path that is no page.
    unknown: ServedFile,
}

/// A file with its tag.
struct ServedFile {
    content: Cow<'static, [u8]>,
    /// The entity tag, made of the content.
    tag: String,
    /// The compressed content, made when it is first requested.
    gzip: OnceLock<Vec<u8>>,
}

impl ServedFile {
    fn new(content: impl Into<Cow<'static, [u8]>>) -> Self {
        let content = content.into();
        ServedFile {
            tag: format!("\"{}\"", digest([&content[..]])),
            content,
            gzip: OnceLock::new(),
        }
    }
}

impl Site {
    fn new() -> Self {
        let folder = format!("/bundle/{}/", digest(STATIC_FILES.iter().map(|(_, file)| *file)));
        let read = |path: &str| text(path).map(ToOwned::to_owned);
        let template = text(DOCUMENT).unwrap_or_default();
        let made = bundle::make(&read, &folder);
        // Without bundles the pages load their modules one by one.
        let document = |page| match made {
            Ok(_) => document::with_bundles(template, &folder, page),
            Err(_) => template.to_owned(),
        };
        let served = |page| ServedFile::new(document(page).into_bytes());
        let pages = PAGES.iter().map(|page| (page.path, served(Some(page)))).collect();
        let unknown = served(None);
        let files = STATIC_FILES.iter().map(|(name, file)| (*name, ServedFile::new(*file)));
        let style: String = document::style_sheets(template).filter_map(text).collect();
        let mut bundles = BTreeMap::new();
        bundles.insert(document::STYLE.to_owned(), ServedFile::new(style.into_bytes()));
        for (path, bundle) in made.unwrap_or_default() {
            bundles.insert(format!("{path}.map"), ServedFile::new(bundle.map.into_bytes()));
            bundles.insert(path, ServedFile::new(bundle.script.into_bytes()));
        }
        Site { folder, files: files.collect(), bundles, pages, unknown }
    }

    /// Returns the file of a path below the folder of bundles.
    fn bundled(&self, path: &str) -> Option<(&str, &ServedFile)> {
        let (name, file) = self.bundles.get_key_value(path).map_or_else(
            || self.files.get_key_value(path).map(|(name, file)| (*name, file)),
            |(name, file)| Some((&name[..], file)),
        )?;
        Some((name, file))
    }
}

/// Returns the text of a file of the folder `static`.
fn text(path: &str) -> Option<&'static str> {
    let found = STATIC_FILES.binary_search_by_key(&path, |(name, _)| name).ok()?;
    std::str::from_utf8(STATIC_FILES[found].1).ok()
}

/// Returns a hash of some contents in hexadecimal digits.
fn digest<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    contents.into_iter().for_each(|content| hash.update(content));
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Browsers ask whether a file has changed.
const REVALIDATE: &str = "no-cache";
/// Browsers keep a file without asking, because its path changes with its content.
const KEEP: &str = "public, max-age=31536000, immutable";

/// Serves the file of a path, or the document for the path of a page.
pub(super) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return LabError::Unknown(format!("there is no /{path}; /api/openapi.json says what is"))
            .into_response();
    }
    if ![Method::GET, Method::HEAD].contains(&method) {
        return LabError::Method.into_response();
    }
    let site = &*SITE;
    if let Some(name) = uri.path().strip_prefix(&site.folder[..])
        && let Some((name, file)) = site.bundled(name)
    {
        return answer(name, file, KEEP, &headers);
    }
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return match site.files.get(path) {
            Some(file) => answer(path, file, REVALIDATE, &headers),
            None => LabError::Unknown(format!("there is no file /{path}")).into_response(),
        };
    }
    if let Some(page) = site.pages.get(path.trim_end_matches('/')) {
        return answer(DOCUMENT, page, REVALIDATE, &headers);
    }
    // The document's script reports that there is no such page.
    let mut response = answer(DOCUMENT, &site.unknown, REVALIDATE, &headers);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// Returns the file, or `304 Not Modified` if the client's copy has the same content.
fn answer(
    name: &str,
    file: &'static ServedFile,
    cache: &'static str,
    headers: &HeaderMap,
) -> Response {
    let known = headers.get(IF_NONE_MATCH).map(HeaderValue::as_bytes);
    let headers_sent = [
        (CONTENT_TYPE, content_type(name)),
        (ETAG, &file.tag),
        (CACHE_CONTROL, cache),
        (VARY, ACCEPT_ENCODING.as_str()),
    ];
    if known == Some(file.tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, headers_sent).into_response();
    }
    if compression::is_accepted(headers) && file.content.len() >= compression::MIN_BYTES {
        let gzip = file.gzip.get_or_init(|| compression::compress(&file.content));
        return (headers_sent, [(CONTENT_ENCODING, "gzip")], &gzip[..]).into_response();
    }
    (headers_sent, &file.content[..]).into_response()
}

/// Returns the media type of a file by its extension.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json" | "map") => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_found_and_has_a_kind_that_browsers_run() {
        for (name, file) in STATIC_FILES {
            assert_eq!(&SITE.files[name].content[..], *file, "{name}");
            assert!(content_type(name) != "application/octet-stream", "{name}");
        }
        assert!(text(DOCUMENT).is_some());
    }

    #[test]
    fn a_file_is_found_by_its_path_alone() {
        assert_eq!(text("style.css"), Some(include_str!("../../../static/style.css")));
        assert!(text("js/mastermind/game.js").is_some());
        let none = ["", "js", "js/", "/style.css", "../build.rs"];
        assert!(none.iter().all(|path| text(path).is_none()));
    }

    #[test]
    fn the_pages_are_those_of_the_script() {
        let script = text("js/pages.js").expect("a file");
        let paths = script.split("path: \"/").skip(1).filter_map(|rest| rest.split('"').next());
        assert!(paths.eq(PAGES.iter().map(|page| page.path)));
        let modules = script.split("import(\"./").skip(1).filter_map(|rest| rest.split('"').next());
        assert!(modules.eq(PAGES.iter().map(|page| page.module.trim_start_matches("js/"))));
    }

    #[test]
    fn every_page_has_a_bundle_with_its_module_and_every_module_is_in_one() {
        let read = |path: &str| text(path).map(ToOwned::to_owned);
        let bundles = bundle::make(&read, "/bundle/1/").expect("bundles of all pages");
        let mut all = String::new();
        for (path, bundle) in &bundles {
            assert!(bundle.script.contains(&format!("modules[\"/{path}\"] ??= ")), "{path}");
            all += &bundle.script;
        }
        assert!(PAGES.iter().all(|page| bundles.contains_key(page.module)));
        let scripts = STATIC_FILES.iter().map(|(name, _)| *name);
        for script in scripts.filter(|name| name.ends_with(".js") && *name != "js/theme.js") {
            assert!(all.contains(&format!("modules[\"/{script}\"] ??= ")), "{script} is not used");
        }
    }

    #[test]
    fn the_document_of_a_page_names_files_that_are_served() {
        let page = std::str::from_utf8(&SITE.pages["play"].content).expect("text");
        let folder = format!("\"{}", SITE.folder);
        let named = page.split(&folder).skip(1);
        let named: Vec<&str> = named.filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(named, ["style.css", "js/theme.js", "js/main.js", "js/pages/play.js"]);
        assert!(named.iter().all(|name| SITE.bundled(name).is_some()));
        assert!(page.contains("<main id=\"main\"") && page.contains("href=\"/api/games\""));
    }
}
