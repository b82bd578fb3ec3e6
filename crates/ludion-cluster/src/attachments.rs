//! Attachments: models and data files that jobs need. The coordinator uploads them to the object
//! store of the server under the SHA-256 of their bytes, so that no file is uploaded twice. A
//! worker caches them in a folder under the same name and verifies the hash of a cached file before
//! use.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{Config, ObjectStore};
use ludion_runs::cluster::Attachment;
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use crate::wire::{ATTACHMENT_BUCKET, AttachmentInfo};
use crate::{ClusterError, cleanup};

/// Age at which the server deletes an attachment that was not uploaded again.
const MAX_AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Maximum size of an attachment in bytes.
const MAX_SIZE: u64 = 1 << 34;
/// Time without a byte after which a download fails.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of downloads started by this process. It makes the names of temporary files unique.
static DOWNLOADS: AtomicU64 = AtomicU64::new(0);

/// Returns the SHA-256 of `bytes` in hexadecimal digits.
fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn get_or_create_bucket(
    jetstream: &Context,
    replicas: usize,
) -> Result<ObjectStore, ClusterError> {
    if let Ok(store) = jetstream.get_object_store(ATTACHMENT_BUCKET).await {
        return Ok(store);
    }
    let config = Config {
        bucket: ATTACHMENT_BUCKET.to_owned(),
        description: Some("models and data that jobs of ludion need".to_owned()),
        max_age: MAX_AGE,
        num_replicas: replicas,
        ..Config::default()
    };
    let created = jetstream.create_object_store(config).await;
    created.map_err(|error| ClusterError::server("store models and data")(error.into()))
}

/// Returns the names, hashes and sizes of the attachments.
pub(crate) fn describe(attachments: &[Attachment]) -> Vec<AttachmentInfo> {
    let info = |Attachment { name, bytes }: &Attachment| {
        let bytes = (**bytes).as_ref();
        AttachmentInfo { name: name.clone(), hash: sha256_hex(bytes), size: bytes.len() as u64 }
    };
    attachments.iter().map(info).collect()
}

/// Which attachments are uploaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upload {
    /// Those that the server does not have, or will delete before long.
    Missing,
    /// All, because those on the server may be damaged.
    All,
}

/// Uploads attachments to the object store of the server.
pub(crate) async fn upload(
    jetstream: &Context,
    replicas: usize,
    attachments: &[Attachment],
    which: Upload,
) -> Result<(), ClusterError> {
    if attachments.is_empty() {
        return Ok(());
    }
    let store = get_or_create_bucket(jetstream, replicas).await?;
    for (Attachment { bytes, .. }, AttachmentInfo { hash, .. }) in
        attachments.iter().zip(describe(attachments))
    {
        let stored = store.info(&hash).await;
        let is_stored = stored.is_ok_and(|info| {
            let size = (**bytes).as_ref().len();
            info.size == size && info.modified.is_none_or(|time| is_recent(time.unix_timestamp()))
        });
        if is_stored && which == Upload::Missing {
            continue;
        }
        let mut bytes = (**bytes).as_ref();
        let put = store.put(&*hash, &mut bytes).await;
        put.map_err(|error| ClusterError::server("store models and data")(error.into()))?;
    }
    Ok(())
}

/// Returns whether an upload at this Unix time is younger than half the maximum age.
fn is_recent(uploaded: i64) -> bool {
    cleanup::unix_time() - (uploaded as f64) < MAX_AGE.as_secs_f64() / 2.0
}

/// Reasons why an attachment cannot be fetched.
pub(crate) enum FetchError {
    /// The attachment with this name is missing on the server, or damaged.
    Damaged {
        /// Name of the attachment.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// This machine cannot keep it.
    Local(ClusterError),
}

impl From<ClusterError> for FetchError {
    fn from(error: ClusterError) -> Self {
        FetchError::Local(error)
    }
}

/// Returns the paths of the attachments in `folder`, by the names they have in the job
/// specification. Downloads those that are missing or damaged.
pub(crate) async fn fetch(
    jetstream: &Context,
    folder: &Path,
    attachments: &[AttachmentInfo],
) -> Result<HashMap<String, PathBuf>, FetchError> {
    let mut paths = HashMap::new();
    for info in attachments {
        let path = folder.join(file_name(info)?);
        let is_whole =
            std::fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() == info.size);
        let cached =
            is_whole && std::fs::read(&path).is_ok_and(|bytes| sha256_hex(&bytes) == info.hash);
        if !cached {
            download(jetstream, info, &path).await?;
        }
        paths.insert(info.name.clone(), path);
    }
    Ok(paths)
}

/// Returns the file name of an attachment, its hash. Everything but a hash is rejected, so that a
/// job specification cannot name a path of this machine.
fn file_name(info: &AttachmentInfo) -> Result<&str, ClusterError> {
    let is_hex = info.hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if info.hash.len() == 64 && is_hex && info.size <= MAX_SIZE {
        return Ok(&info.hash);
    }
    Err(ClusterError::Local(format!(
        "the attachment {} needs a hash of 64 hexadecimal digits and at most {MAX_SIZE} bytes",
        info.name
    )))
}

async fn download(
    jetstream: &Context,
    info: &AttachmentInfo,
    path: &Path,
) -> Result<(), FetchError> {
    let name = &info.name;
    let damaged = |reason: String| FetchError::Damaged { name: name.clone(), reason };
    let failed = |error: async_nats::Error| {
        damaged(format!("the attachment {name} cannot be downloaded: {error}"))
    };
    let store = jetstream.get_object_store(ATTACHMENT_BUCKET).await;
    let store = store.map_err(|error| failed(error.into()))?;
    let mut object = store.get(&info.hash).await.map_err(|error| failed(error.into()))?;
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 16]);
    // The limit keeps a wrong object from filling the memory; one byte more than expected already
    // changes the hash.
    while bytes.len() as u64 <= info.size {
        let read = tokio::time::timeout(READ_TIMEOUT, object.read(&mut chunk)).await;
        let Ok(read) = read else {
            return Err(failed("the server sends only a part of it".into()));
        };
        match read.map_err(|error| failed(error.into()))? {
            0 => break,
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
    if sha256_hex(&bytes) != info.hash {
        return Err(damaged(format!(
            "the attachment {name} has another SHA-256 than the job specification says"
        )));
    }
    let cannot_write = |error: std::io::Error| {
        ClusterError::Local(format!("{} cannot be written: {error}", path.display()))
    };
    // Several workers, even of this process, may download the same file at once: each writes a
    // temporary file and renames it.
    let (process, download) = (std::process::id(), DOWNLOADS.fetch_add(1, Ordering::Relaxed));
    let temporary = path.with_extension(format!("{process}-{download}.part"));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot_write)?;
    }
    std::fs::write(&temporary, &bytes).map_err(cannot_write)?;
    Ok(std::fs::rename(&temporary, path).map_err(cannot_write)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hash_is_accepted_as_a_file_name() {
        let info =
            |hash: &str, size| AttachmentInfo { name: "a".to_owned(), hash: hash.to_owned(), size };
        let good = sha256_hex(b"some bytes");
        assert!(file_name(&info(&good, 10)).is_ok());
        for (hash, size) in [("../../.bashrc", 1), (&good[1..], 1), (&good, u64::MAX)] {
            assert!(file_name(&info(hash, size)).is_err(), "{hash} {size}");
        }
    }
}
