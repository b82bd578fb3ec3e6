//! Tokens with which teams authenticate. A token is 256 random bits, so its hash needs neither salt
//! nor stretching; only the hash is stored.

use axum::http::{HeaderMap, header::AUTHORIZATION};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use ludion_store::{Store, TeamId};
use sha2::{Digest, Sha256};

use super::error::SubmissionError;

/// The secret with which a team, or a client of the laboratory, authenticates.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Draws a new token from the operating system's randomness.
    ///
    /// # Errors
    /// Returns an error when the operating system provides no randomness.
    pub fn draw() -> Result<Self, getrandom::Error> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits)?;
        Ok(AccessToken(BASE64_URL_SAFE_NO_PAD.encode(bits)))
    }

    /// Wraps a token that a client sent.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        AccessToken(text.to_owned())
    }

    /// Returns the token as text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the SHA-256 hash of the token, the only form that is stored.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0.as_bytes()).into()
    }
}

/// Rejects a request whose token is missing or is not that of `team`; an unknown team gives the
/// same error.
pub(super) fn check(
    store: &Store,
    team: TeamId,
    given: Option<&AccessToken>,
) -> Result<(), SubmissionError> {
    let stored = store.token_hash(team)?;
    match (given, stored) {
        // Hashes are compared, so the time of the comparison reveals nothing about the token.
        (Some(given), Some(stored)) if given.hash() == stored => Ok(()),
        _ => Err(SubmissionError::Unauthorized),
    }
}

/// Returns the password of HTTP Basic authentication as a token, or `None` if there is none; the
/// user name is ignored.
pub(super) fn token_of(headers: &HeaderMap) -> Option<AccessToken> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(BASE64_STANDARD.decode(encoded.trim()).ok()?).ok()?;
    decoded.split_once(':').map(|(_, password)| AccessToken::from_text(password))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(value: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().expect("a header"))]);
        token_of(&headers).map(|token| token.0)
    }

    #[test]
    fn the_password_of_basic_authentication_is_the_token() {
        assert_eq!(token("Basic OnNlY3JldA==").as_deref(), Some("secret"));
        assert_eq!(token("basic YW5uOnNlOmNyZXQ=").as_deref(), Some("se:cret"));
        for wrong in ["", "Basic", "Basic ???", "Bearer OnNlY3JldA==", "Basic c2VjcmV0"] {
            assert_eq!(token(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn tokens_differ_and_hash_as_the_standard_says() {
        let [a, b] =
            [AccessToken::draw(), AccessToken::draw()].map(|token| token.expect("randomness"));
        assert!(a != b && a.text().len() == 43);
        let hash = AccessToken::from_text("abc").hash();
        assert_eq!(hash[..4], [0xba, 0x78, 0x16, 0xbf]);
    }
}
