//! Assets: models and data files that players and evaluators need, found by name. The library opens
//! no files; the program gives it a function that returns the bytes for a name. Values made from
//! the bytes are cached and shared by all threads.

use std::any::{Any, TypeId};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of an asset, shared by threads.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Function that returns the bytes of the asset with a given name, or a sentence that says why they
/// are not available.
type FetchAsset = dyn Fn(&str) -> Result<SharedBytes, String> + Send + Sync;
/// Function that returns the version of the asset with a given name: a text that changes when the
/// bytes of the asset change.
type StampAsset = dyn Fn(&str) -> String + Send + Sync;
/// Cache of values made from assets. A key consists of the purpose of the value and the name of the
/// asset; an entry holds the version of the asset and the value.
type CachedAsset = Mutex<HashMap<String, (String, CachedValue)>>;
/// A value made from an asset.
type CachedValue = Arc<dyn Any + Send + Sync>;

/// Access to models and data files by name; the default has none. Clones share one cache.
#[derive(Clone, Default)]
pub struct Assets {
    fetch: Option<Arc<FetchAsset>>,
    stamp: Option<Arc<StampAsset>>,
    kept: Arc<CachedAsset>,
    asked: Option<AssetNames>,
}

/// The names of assets that were asked for, shared by clones.
#[derive(Clone, Default)]
pub struct AssetNames(Arc<Mutex<BTreeSet<String>>>);

impl AssetNames {
    /// Returns the names so far, each once, in alphabetical order.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn add(&self, name: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }
}

impl Assets {
    /// Creates assets whose bytes `fetch` returns; its errors are sentences that name the asset.
    pub fn new(
        fetch: impl Fn(&str) -> Result<SharedBytes, String> + Send + Sync + 'static,
    ) -> Self {
        Assets { fetch: Some(Arc::new(fetch)), stamp: None, kept: Arc::default(), asked: None }
    }

    /// Returns the same assets, and the names that are asked for by way of them from now on.
    #[must_use]
    pub fn recording(&self) -> (Self, AssetNames) {
        let names = AssetNames::default();
        (Assets { asked: Some(names.clone()), ..self.clone() }, names)
    }

    fn record(&self, name: &str) {
        if let Some(asked) = &self.asked {
            asked.add(name);
        }
    }

    /// Adds a check of versions: a cached value is made again when `stamp` returns another version
    /// for its asset than when the value was made.
    #[must_use]
    pub fn stamped(self, stamp: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Assets { stamp: Some(Arc::new(stamp)), ..self }
    }

    /// Returns the bytes of the asset called `name`.
    ///
    /// # Errors
    /// When the asset is not available; the error is a sentence with the reason.
    pub fn fetch(&self, name: &str) -> Result<SharedBytes, String> {
        self.record(name);
        match &self.fetch {
            Some(fetch) => fetch(name),
            None => Err(format!("{name} cannot be read: this program reads no files")),
        }
    }

    /// Returns the value that `make` computes from the bytes of the asset `name`, or the cached
    /// value. While one call computes, the others wait. `use_of` names the purpose of the value; it
    /// is part of the cache key, so that different values can be made from the same asset.
    ///
    /// # Errors
    /// When [`Assets::fetch`] or `make` fails.
    pub fn keep<T: Any + Send + Sync>(
        &self,
        name: &str,
        use_of: &str,
        make: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        let mut make = Some(make);
        let found = self.keep_any(name, use_of, TypeId::of::<T>(), &mut |bytes| {
            let make = make.take().expect("a value is made once");
            Ok(Arc::new(make(bytes)?))
        })?;
        Ok(found.downcast().expect("the value that was found or made has this type"))
    }

    /// [`keep`](Self::keep) for a value of the type `wanted`, compiled once for all types.
    fn keep_any(
        &self,
        name: &str,
        use_of: &str,
        wanted: TypeId,
        make: &mut dyn FnMut(&[u8]) -> Result<CachedValue, String>,
    ) -> Result<CachedValue, String> {
        self.record(name);
        // If `make` panicked while it held the lock, it had stored nothing: the cache is still
        // valid.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{use_of}\n{name}");
        let stamp = self.stamp.as_ref().map_or_else(String::new, |stamp| stamp(name));
        if let Some((known, found)) = kept.get(&key)
            && *known == stamp
            && (**found).type_id() == wanted
        {
            return Ok(Arc::clone(found));
        }
        let made = make((*self.fetch(name)?).as_ref())?;
        kept.insert(key, (stamp, Arc::clone(&made)));
        Ok(made)
    }
}

impl fmt::Debug for Assets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.fetch.is_some() { "Assets" } else { "Assets (none)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_value_is_made_once_for_all_copies_and_errors_are_not_cached() {
        let assets = Assets::new(|name| match name {
            "two" => Ok(Arc::new(vec![1, 2])),
            _ => Err(format!("{name} is not there")),
        });
        let made = AtomicU32::new(0);
        let length = |assets: &Assets, name| {
            assets.keep(name, "length", |bytes| {
                made.fetch_add(1, Ordering::Relaxed);
                if bytes.len() == 2 { Ok(bytes.len()) } else { Err("odd".to_owned()) }
            })
        };
        let all: Vec<usize> = std::thread::scope(|scope| {
            let ask = || *length(&assets.clone(), "two").unwrap();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!((all, made.load(Ordering::Relaxed)), (vec![2; 4], 1));
        let sum =
            assets.keep("two", "sum", |bytes| Ok(bytes.iter().map(|&b| u32::from(b)).sum::<u32>()));
        assert_eq!(sum.map(|sum| *sum), Ok(3));
        assert_eq!(length(&assets, "three").unwrap_err(), "three is not there");
        assert!(Assets::default().fetch("two").is_err());
    }

    #[test]
    fn the_names_of_assets_are_recorded_also_when_their_values_are_cached() {
        let assets = Assets::new(|name| Ok(Arc::new(name.as_bytes().to_vec())));
        let length = |assets: &Assets, name| assets.keep(name, "length", |bytes| Ok(bytes.len()));
        length(&assets, "cached").unwrap();
        let (recording, names) = assets.recording();
        assert_eq!(names.list(), Vec::<String>::new());
        length(&recording.clone(), "cached").unwrap();
        recording.fetch("bytes").unwrap();
        length(&assets, "not by way of them").unwrap();
        assert_eq!(names.list(), ["bytes", "cached"]);
    }

    #[test]
    fn a_value_is_made_anew_once_when_its_asset_changes() {
        let version = Arc::new(AtomicU32::new(1));
        let (bytes, stamp) = (Arc::clone(&version), Arc::clone(&version));
        let assets = Assets::new(move |_| Ok(Arc::new(vec![bytes.load(Ordering::Relaxed) as u8])))
            .stamped(move |_| stamp.load(Ordering::Relaxed).to_string());
        let mut made = 0;
        let mut first = || {
            let first = assets.keep("thing", "first", |bytes| {
                made += 1;
                Ok(bytes[0])
            });
            (*first.unwrap(), made)
        };
        assert_eq!([first(), first()], [(1, 1); 2]);
        version.store(2, Ordering::Relaxed);
        assert_eq!([first(), first()], [(2, 2); 2]);
    }
}
