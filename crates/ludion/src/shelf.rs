//! Where things are that somebody made before and that are too large for a name: models and
//! data. The library opens no file, so whoever has files gives it a shelf, a function from a
//! name to bytes. What is made of them is kept, so that all threads share it.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that several own, wherever they are: read into memory, or a file that is mapped.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Finds the bytes of a name, or says in a sentence why not.
type Fetch = dyn Fn(&str) -> Result<Bytes, String> + Send + Sync;
/// What was made of the bytes, by what it was made for.
type Kept = Mutex<HashMap<String, Arc<dyn Any + Send + Sync>>>;

/// Things by name; empty where nobody gave any. Copies are the same shelf.
#[derive(Clone, Default)]
pub struct Shelf {
    fetch: Option<Arc<Fetch>>,
    kept: Arc<Kept>,
}

impl Shelf {
    /// A shelf on which `fetch` finds things. Its errors are sentences that name the thing.
    pub fn new(fetch: impl Fn(&str) -> Result<Bytes, String> + Send + Sync + 'static) -> Self {
        Shelf { fetch: Some(Arc::new(fetch)), kept: Arc::default() }
    }

    /// The bytes of the thing called `name`.
    ///
    /// # Errors
    /// Says in a sentence why there are none.
    pub fn fetch(&self, name: &str) -> Result<Bytes, String> {
        match &self.fetch {
            Some(fetch) => fetch(name),
            None => Err(format!("{name} cannot be read: this program has no shelf for files")),
        }
    }

    /// What `make` makes of the bytes called `name`: made by whoever asks first, while others
    /// wait, and kept as long as the shelf. `use_of` tells apart what is made of the same bytes.
    ///
    /// # Errors
    /// Those of [`Shelf::fetch`] and of `make`.
    pub fn keep<T: Any + Send + Sync>(
        &self,
        name: &str,
        use_of: &str,
        make: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        // A maker that panicked has kept nothing.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{use_of}\n{name}");
        if let Some(found) = kept.get(&key).and_then(|found| Arc::clone(found).downcast().ok()) {
            return Ok(found);
        }
        let made = Arc::new(make((*self.fetch(name)?).as_ref())?);
        kept.insert(key, Arc::clone(&made) as Arc<dyn Any + Send + Sync>);
        Ok(made)
    }
}

impl fmt::Debug for Shelf {
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
        let shelf = Shelf::new(|name| match name {
            "two" => Ok(Arc::new(vec![1, 2])),
            _ => Err(format!("{name} is not there")),
        });
        let made = AtomicU32::new(0);
        let length = |shelf: &Shelf, name| {
            shelf.keep(name, "length", |bytes| {
                made.fetch_add(1, Ordering::Relaxed);
                if bytes.len() == 2 { Ok(bytes.len()) } else { Err("odd".to_owned()) }
            })
        };
        let all: Vec<usize> = std::thread::scope(|scope| {
            let ask = || *length(&shelf.clone(), "two").unwrap();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!((all, made.load(Ordering::Relaxed)), (vec![2; 4], 1));
        let sum =
            shelf.keep("two", "sum", |bytes| Ok(bytes.iter().map(|&b| u32::from(b)).sum::<u32>()));
        assert_eq!(sum.map(|sum| *sum), Ok(3));
        assert_eq!(length(&shelf, "three").unwrap_err(), "three is not there");
        assert!(Shelf::default().fetch("two").is_err());
    }
}
