//! Where things are that somebody made before and that are too large for a name: models and
//! data. The library opens no file, so whoever has files gives it a shelf, a function from a
//! name to bytes. What is made of them is kept, so that all threads share it.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that several own, wherever they are: read into memory, or a file that is mapped.
pub type SharedBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Finds the bytes of a name, or says in a sentence why not.
type FetchAsset = dyn Fn(&str) -> Result<SharedBytes, String> + Send + Sync;
/// Says by what the bytes of a name are told apart from those it had before.
type StampAsset = dyn Fn(&str) -> String + Send + Sync;
/// What was made of the bytes and of which, by what it was made for.
type CachedAsset = Mutex<HashMap<String, (String, Arc<dyn Any + Send + Sync>)>>;

/// Things by name; empty where nobody gave any. Copies are the same shelf.
#[derive(Clone, Default)]
pub struct Assets {
    fetch: Option<Arc<FetchAsset>>,
    stamp: Option<Arc<StampAsset>>,
    kept: Arc<CachedAsset>,
}

impl Assets {
    /// A shelf on which `fetch` finds things. Its errors are sentences that name the thing.
    pub fn new(
        fetch: impl Fn(&str) -> Result<SharedBytes, String> + Send + Sync + 'static,
    ) -> Self {
        Assets { fetch: Some(Arc::new(fetch)), stamp: None, kept: Arc::default() }
    }

    /// The shelf where things change under their names: what was made of a thing is made anew
    /// when `stamp` says something else of its name than before.
    #[must_use]
    pub fn stamped(self, stamp: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Assets { stamp: Some(Arc::new(stamp)), ..self }
    }

    /// The bytes of the thing called `name`.
    ///
    /// # Errors
    /// Says in a sentence why there are none.
    pub fn fetch(&self, name: &str) -> Result<SharedBytes, String> {
        match &self.fetch {
            Some(fetch) => fetch(name),
            None => Err(format!("{name} cannot be read: this program has no shelf for files")),
        }
    }

    /// What `make` makes of the bytes called `name`: made by whoever asks first, while others
    /// wait, and kept as long as the shelf and its stamp. `use_of` tells apart what is made of the same bytes.
    ///
    /// # Errors
    /// Those of [`Assets::fetch`] and of `make`.
    pub fn keep<T: Any + Send + Sync>(
        &self,
        name: &str,
        use_of: &str,
        make: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        // A maker that panicked has kept nothing.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{use_of}\n{name}");
        let stamp = self.stamp.as_ref().map_or_else(String::new, |stamp| stamp(name));
        let known = kept.get(&key).filter(|(known, _)| *known == stamp);
        if let Some(found) = known.and_then(|(_, found)| Arc::clone(found).downcast().ok()) {
            return Ok(found);
        }
        let made = Arc::new(make((*self.fetch(name)?).as_ref())?);
        kept.insert(key, (stamp, Arc::clone(&made) as Arc<dyn Any + Send + Sync>));
        Ok(made)
    }
}

impl fmt::Debug for Assets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.fetch.is_some() { "Shelf" } else { "Shelf (empty)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn a_thing_is_made_once_for_all_copies_and_an_error_is_not_kept() {
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
    fn a_thing_that_changes_under_its_name_is_made_anew_once() {
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
