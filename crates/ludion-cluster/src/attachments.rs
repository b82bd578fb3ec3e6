//! Models and data on their way: in the object store of the server under the SHA-256 of their
//! bytes, so that none is sent twice, and in a folder of the worker under the same name, so that
//! none is fetched twice. What is in that folder is trusted only after it was hashed again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{Config, ObjectStore};
use ludion_runs::cluster::Attachment;
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use crate::wire::{AttachmentLabel, THINGS};
use crate::{ClusterError, sweep};

/// Things that nobody sent again for this long are dropped by the server.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// Nobody keeps more for a run.
const MOST: u64 = 1 << 34;
/// Tells the files apart that this program writes at the same time.
static FETCHES: AtomicU64 = AtomicU64::new(0);

/// The SHA-256 of some bytes in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn bucket(stream: &Context, replicas: usize) -> Result<ObjectStore, ClusterError> {
    if let Ok(store) = stream.get_object_store(THINGS).await {
        return Ok(store);
    }
    let config = Config {
        bucket: THINGS.to_owned(),
        description: Some("models and data that jobs of ludion need".to_owned()),
        max_age: AGE,
        num_replicas: replicas,
        ..Config::default()
    };
    let made = stream.create_object_store(config).await;
    made.map_err(|error| ClusterError::server("keep models and data")(error.into()))
}

/// What things are called at the server.
pub(crate) fn labels(attachments: &[Attachment]) -> Vec<AttachmentLabel> {
    let label = |Attachment { name, bytes }: &Attachment| {
        let bytes = (**bytes).as_ref();
        AttachmentLabel { name: name.clone(), hash: hash(bytes), size: bytes.len() as u64 }
    };
    attachments.iter().map(label).collect()
}

/// Sends what the server does not have, or will drop before long.
pub(crate) async fn send(
    stream: &Context,
    replicas: usize,
    attachments: &[Attachment],
) -> Result<(), ClusterError> {
    if attachments.is_empty() {
        return Ok(());
    }
    let store = bucket(stream, replicas).await?;
    for (Attachment { bytes, .. }, AttachmentLabel { hash, .. }) in
        attachments.iter().zip(labels(attachments))
    {
        let known = store.info(&hash).await;
        if known.is_ok_and(|info| info.modified.is_none_or(|sent| is_young(sent.unix_timestamp())))
        {
            continue;
        }
        let mut bytes = (**bytes).as_ref();
        let put = store.put(&*hash, &mut bytes).await;
        put.map_err(|error| ClusterError::server("keep models and data")(error.into()))?;
    }
    Ok(())
}

fn is_young(sent: i64) -> bool {
    sweep::now() - (sent as f64) < AGE.as_secs_f64() / 2.0
}

/// The files of these things in a folder, by the names the order has for them; those that are
/// not there yet are fetched.
pub(crate) async fn fetch(
    stream: &Context,
    folder: &Path,
    labels: &[AttachmentLabel],
) -> Result<HashMap<String, PathBuf>, ClusterError> {
    let mut files = HashMap::new();
    for label in labels {
        let path = folder.join(file_name(label)?);
        let known = std::fs::read(&path).is_ok_and(|bytes| hash(&bytes) == label.hash);
        if !known {
            fetch_one(stream, label, &path).await?;
        }
        files.insert(label.name.clone(), path);
    }
    Ok(files)
}

/// The file of a thing is named by its hash, and by nothing else that an order may say.
fn file_name(label: &AttachmentLabel) -> Result<&str, ClusterError> {
    let digits = label.hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if label.hash.len() == 64 && digits && label.size <= MOST {
        return Ok(&label.hash);
    }
    Err(ClusterError::File(format!(
        "{} is needed, and its label is none: 64 hexadecimal digits, at most {MOST} bytes",
        label.name
    )))
}

async fn fetch_one(
    stream: &Context,
    label: &AttachmentLabel,
    path: &Path,
) -> Result<(), ClusterError> {
    let name = &label.name;
    let missing = |error: async_nats::Error| {
        ClusterError::File(format!("{name} is needed and cannot be fetched: {error}"))
    };
    let store = stream.get_object_store(THINGS).await.map_err(|error| missing(error.into()))?;
    let mut object = store.get(&label.hash).await.map_err(|error| missing(error.into()))?;
    let mut bytes = Vec::new();
    // One byte more than it has would show that it is something else.
    let read = (&mut object).take(label.size + 1).read_to_end(&mut bytes).await;
    read.map_err(|error| missing(error.into()))?;
    if hash(&bytes) != label.hash {
        return Err(ClusterError::File(format!(
            "{name} is needed, and what came is something else"
        )));
    }
    let cannot = |error: std::io::Error| {
        ClusterError::File(format!("{} cannot be written: {error}", path.display()))
    };
    // Another worker may fetch the same, even in this program: each writes a file of its own and
    // puts it in place whole.
    let (process, fetch) = (std::process::id(), FETCHES.fetch_add(1, Ordering::Relaxed));
    let part = path.with_extension(format!("{process}-{fetch}.part"));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(&part, &bytes).map_err(cannot)?;
    std::fs::rename(&part, path).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_names_no_file_but_that_of_its_hash() {
        let label = |hash: &str, size| AttachmentLabel {
            name: "a".to_owned(),
            hash: hash.to_owned(),
            size,
        };
        let good = hash(b"some bytes");
        assert!(file_name(&label(&good, 10)).is_ok());
        for (hash, size) in [("../../.bashrc", 1), (&good[1..], 1), (&good, u64::MAX)] {
            assert!(file_name(&label(hash, size)).is_err(), "{hash} {size}");
        }
    }
}
