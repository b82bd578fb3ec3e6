//! Compression of responses with gzip, for clients that accept it: a page over a slow line is mostly
//! text.

use std::io::Write as _;

use axum::body::{Body, HttpBody as _, to_bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Size of the smallest content that is compressed, in bytes; smaller ones fit in a packet or two.
pub(super) const MIN_BYTES: usize = 2000;

/// Level of compression of responses that are made for a request, from 1, fast, to 9, small.
const LEVEL: Compression = Compression::new(4);

/// Returns whether a client accepts responses compressed with gzip.
pub(super) fn is_accepted(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let is_gzip = |coding: &str| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && !["q=0", "q=0.0"].contains(&weight.trim())
    };
    accepted.is_some_and(|codings| codings.split(',').any(is_gzip))
}

/// Compresses a file.
pub(super) fn compress(content: &[u8]) -> Vec<u8> {
    encode(content, Compression::default())
}

fn encode(content: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 3), level);
    // Writing to a vector does not fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default()
}

/// Compresses JSON and pictures whose size is known; event streams are sent as they are.
pub(super) async fn compress_response(request: Request, next: Next) -> Response {
    let is_accepted = is_accepted(request.headers());
    let response = next.run(request).await;
    if !is_accepted || !is_compressible(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(content) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let encoded = encode(&content, LEVEL);
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(VARY, HeaderValue::from_static(ACCEPT_ENCODING.as_str()));
    Response::from_parts(parts, Body::from(encoded))
}

/// Returns whether a response is text of a known size that is worth compressing.
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_text =
        ["application/json", "image/svg+xml", "text/csv"].iter().any(|text| kind.starts_with(text));
    let size = response.body().size_hint().exact();
    is_text
        && !headers.contains_key(CONTENT_ENCODING)
        && size.is_some_and(|size| size >= MIN_BYTES as u64)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_client_says_whether_it_reads_gzip() {
        let accepts = |value: &'static str| {
            is_accepted(&HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert!(accepts("gzip") && accepts("br, GZIP;q=0.5") && !accepts("br, gzip;q=0"));
        assert!(!accepts("identity") && !is_accepted(&HeaderMap::new()));
    }

    #[test]
    fn compressed_content_is_the_content_again() {
        let content = b"to and fro ".repeat(1000);
        let small = compress(&content);
        let mut again = Vec::new();
        flate2::read::GzDecoder::new(&small[..]).read_to_end(&mut again).expect("gzip");
        assert!(again == content && small.len() < content.len() / 20);
    }
}
