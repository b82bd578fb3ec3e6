//! Where things are that somebody made before and that are too large for a name: models and
//! data. The library opens no file, so whoever has files gives it a shelf, a function from a
//! name to bytes.

use std::fmt;
use std::sync::Arc;

/// Bytes that several own, wherever they are: read into memory, or a file that is mapped.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Finds the bytes of a name, or says in a sentence why not.
type Fetch = dyn Fn(&str) -> Result<Bytes, String> + Send + Sync;

/// Things by name; empty where nobody gave any.
#[derive(Clone, Default)]
pub struct Shelf(Option<Arc<Fetch>>);

impl Shelf {
    /// A shelf on which `fetch` finds things. Its errors are sentences that name the thing.
    pub fn new(fetch: impl Fn(&str) -> Result<Bytes, String> + Send + Sync + 'static) -> Self {
        Shelf(Some(Arc::new(fetch)))
    }

    /// The bytes of the thing called `name`.
    ///
    /// # Errors
    /// Says in a sentence why there are none.
    pub fn fetch(&self, name: &str) -> Result<Bytes, String> {
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
