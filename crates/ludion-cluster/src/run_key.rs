//! Authentication of the messages of a run. The coordinator draws a random key, which is part of the
//! job specification on the server. Every message between the coordinator and the workers carries a
//! tag: the HMAC-SHA256 (RFC 2104) of the message under this key. A message without the right tag
//! was not sent by a program that takes part in the run, and is dropped.
//!
//! A client that may read the streams of the server can read the key. Against such clients only the
//! credentials and permissions of the server help.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Header of a message that carries its tag.
pub(crate) const TAG_HEADER: &str = "Ludion-Tag";
/// Number of bytes of a block of SHA-256.
const BLOCK: usize = 64;
/// Number of bytes of a tag, in twice as many hexadecimal digits.
const TAG_BYTES: usize = 16;

/// Kind of a message with a tag. The tag of one kind is not valid for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TaggedMessage {
    /// A chunk, from the coordinator.
    Chunk,
    /// Results, from a worker.
    Results,
    /// A note of a worker, such as a heartbeat.
    Note,
    /// The announcement of the run, from the coordinator.
    Announcement,
}

impl TaggedMessage {
    fn label(self) -> &'static str {
        match self {
            TaggedMessage::Chunk => "chunk",
            TaggedMessage::Results => "results",
            TaggedMessage::Note => "note",
            TaggedMessage::Announcement => "announcement",
        }
    }
}

/// The secret key of a run.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct RunKey([u8; 32]);

impl RunKey {
    /// Draws a random key.
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(RunKey(bytes))
    }

    /// Returns the tag of a message, in hexadecimal digits. `sender` is the name of the worker, or
    /// empty for the coordinator.
    pub(crate) fn tag(&self, kind: TaggedMessage, sender: &str, payload: &[u8]) -> String {
        let header = format!("{} {} {sender}\n", kind.label(), sender.len());
        let tag = hmac_sha256(&self.0, &[header.as_bytes(), payload]);
        tag[..TAG_BYTES].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns whether `tag` is the tag of a message.
    pub(crate) fn verifies(
        &self,
        kind: TaggedMessage,
        sender: &str,
        payload: &[u8],
        tag: &str,
    ) -> bool {
        let expected = self.tag(kind, sender, payload);
        // The time of the comparison does not tell how many digits are right.
        let differences = expected.bytes().zip(tag.bytes()).map(|(a, b)| a ^ b);
        expected.len() == tag.len() && differences.fold(0, |all, one| all | one) == 0
    }
}

/// Returns the HMAC-SHA256 of `parts`, one after the other, under a key of at most one block.
fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut block = [0; BLOCK];
    block[..key.len()].copy_from_slice(key);
    let mut inner = Sha256::new();
    inner.update(block.map(|byte| byte ^ 0x36));
    parts.iter().for_each(|part| inner.update(part));
    let mut outer = Sha256::new();
    outer.update(block.map(|byte| byte ^ 0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hmac_is_that_of_rfc_4231() {
        let hex = |bytes: [u8; 32]| bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(
            hex(hmac_sha256(b"Jefe", &[b"what do ya want ", b"for nothing?"])),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
        assert_eq!(
            hex(hmac_sha256(&[0x0b; 20], &[b"Hi There"])),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn a_tag_is_valid_for_one_kind_one_sender_and_one_payload() {
        let (key, other) = (RunKey([7; 32]), RunKey([8; 32]));
        let tag = key.tag(TaggedMessage::Results, "anna", b"payload");
        let valid = |key: &RunKey, kind, sender, payload, tag: &str| {
            key.verifies(kind, sender, payload, tag)
        };
        assert!(valid(&key, TaggedMessage::Results, "anna", b"payload", &tag));
        assert!(!valid(&other, TaggedMessage::Results, "anna", b"payload", &tag));
        assert!(!valid(&key, TaggedMessage::Chunk, "anna", b"payload", &tag));
        assert!(!valid(&key, TaggedMessage::Results, "bert", b"payload", &tag));
        assert!(!valid(&key, TaggedMessage::Results, "anna", b"payloae", &tag));
        assert!(!valid(&key, TaggedMessage::Results, "anna", b"payload", &tag[1..]));
        assert!(!valid(&key, TaggedMessage::Results, "anna", b"payload", ""));
    }
}
