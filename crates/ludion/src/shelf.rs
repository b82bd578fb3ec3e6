//! Where things are that somebody made before and that are too large for a name: models and
//! data. The library opens no file, so whoever has files gives it a shelf, a function from a
//! name to bytes.

use std::fmt;
use std::sync::Arc;

/// Finds the bytes of a name, or says in a sentence why not.
type Fetch = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// Things by name; empty where nobody gave any.
#[derive(Clone, Default)]
pub struct Shelf(Option<Arc<Fetch>>);

impl Shelf {
    /// A shelf on which `fetch` finds things. Its errors are sentences that name the thing.
    pub fn new(fetch: impl Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Self {
        Shelf(Some(Arc::new(fetch)))
    }

    /// The bytes of the thing called `name`.
    ///
    /// # Errors
    /// Says in a sentence why there are none.
    pub fn fetch(&self, name: &str) -> Result<Vec<u8>, String> {
        match &self.0 {
            Some(fetch) => fetch(name),
            None => Err(format!("{name} cannot be read: this program has no shelf for files")),
        }
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Shelf" } else { "Shelf (empty)" })
    }
}
