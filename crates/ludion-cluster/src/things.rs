//! Models and data on their way: in the object store of the server under the SHA-256 of their
//! bytes, so that none is sent twice, and in a folder of the worker under the same name, so that
//! none is fetched twice. What is in that folder is trusted only after it was hashed again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::{Config, ObjectStore};
use ludion_runs::crew::Thing;
use sha2::{Digest, Sha256};
use tokio::io::AsyncReadExt;

use crate::Error;
use crate::wire::{Label, THINGS};

/// Things that nobody sent again for this long are dropped by the server.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);

/// The SHA-256 of some bytes in hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn bucket(stream: &Context, replicas: usize) -> Result<ObjectStore, Error> {
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
    made.map_err(|error| Error::server("keep models and data")(error.into()))
}

/// Sends what the server does not have, and says what it is called there.
pub(crate) async fn send(
    stream: &Context,
    replicas: usize,
    things: &[Thing],
) -> Result<Vec<Label>, Error> {
    let mut labels = Vec::new();
    if things.is_empty() {
        return Ok(labels);
    }
    let store = bucket(stream, replicas).await?;
    for Thing { name, bytes } in things {
        let mut bytes = (**bytes).as_ref();
        let hash = hash(bytes);
        if store.info(&hash).await.is_err() {
            let put = store.put(&*hash, &mut bytes).await;
            put.map_err(|error| Error::server("keep models and data")(error.into()))?;
        }
        labels.push(Label { name: name.clone(), hash });
    }
    Ok(labels)
}

/// The files of these things in a folder, by the names the order has for them; those that are
/// not there yet are fetched.
pub(crate) async fn fetch(
    stream: &Context,
    folder: &Path,
    labels: &[Label],
) -> Result<HashMap<String, PathBuf>, Error> {
    let mut files = HashMap::new();
    for label in labels {
        let path = folder.join(&label.hash);
        let known = std::fs::read(&path).is_ok_and(|bytes| hash(&bytes) == label.hash);
        if !known {
            fetch_one(stream, label, &path).await?;
        }
        files.insert(label.name.clone(), path);
    }
    Ok(files)
}

async fn fetch_one(stream: &Context, label: &Label, path: &Path) -> Result<(), Error> {
    let name = &label.name;
    let missing = |error: async_nats::Error| {
        Error::File(format!("{name} is needed and cannot be fetched: {error}"))
    };
    let store = stream.get_object_store(THINGS).await.map_err(|error| missing(error.into()))?;
    let mut object = store.get(&label.hash).await.map_err(|error| missing(error.into()))?;
    let mut bytes = Vec::new();
    object.read_to_end(&mut bytes).await.map_err(|error| missing(error.into()))?;
    if hash(&bytes) != label.hash {
        return Err(Error::File(format!("{name} is needed, and what came is something else")));
    }
    let cannot = |error: std::io::Error| {
        Error::File(format!("{} cannot be written: {error}", path.display()))
    };
    // Another worker may fetch the same: each writes a file of its own and puts it in place whole.
    let part = path.with_extension(format!("{}.part", std::process::id()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(&part, &bytes).map_err(cannot)?;
    std::fs::rename(&part, path).map_err(cannot)
}
