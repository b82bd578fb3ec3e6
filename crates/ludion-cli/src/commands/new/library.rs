//! Where a game of your own finds the library: in a checkout of the sources, or by its version in
//! the registry of crates.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::failure::CommandFailure;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Where cargo takes the library from.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LibrarySource {
    /// The folder of the sources.
    Path(PathBuf),
    /// This version, from the registry of crates.
    Version(&'static str),
}

impl LibrarySource {
    /// Returns the sources in the folder that the user named. Without one, returns those that this
    /// program was built from, if they are still there, else the version of this program.
    pub(super) fn find(named: Option<&Path>) -> Result<Self, CommandFailure> {
        if let Some(folder) = named {
            if !is_checkout(folder) {
                return Err(CommandFailure::Usage(format!(
                    "{} has no sources of Ludion; --ludion takes a folder with crates/ludion and \
                     crates/ludion-cli in it",
                    folder.display()
                )));
            }
            // A relative path would be read from the folder of the game.
            return Ok(LibrarySource::Path(std::path::absolute(folder)?));
        }
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
        Ok(match built_from.filter(|folder| is_checkout(folder)) {
            Some(folder) => LibrarySource::Path(folder.to_owned()),
            None => LibrarySource::Version(VERSION),
        })
    }

    /// Returns the value of a dependency on one of the crates in a manifest.
    pub(super) fn dependency(&self, package: &str) -> Result<String, CommandFailure> {
        let LibrarySource::Path(folder) = self else { return Ok(format!("{VERSION:?}")) };
        let path = folder.join("crates").join(package);
        let path = path.to_str().ok_or_else(|| {
            CommandFailure::Failed(format!("{} cannot be written in a manifest", path.display()))
        })?;
        // A string of JSON is a string of TOML.
        Ok(format!("{{ version = {VERSION:?}, path = {} }}", serde_json::json!(path)))
    }

    /// Returns the text of the checkout's lock file: the versions of other crates that the library
    /// is tested with.
    pub(super) fn lock(&self) -> Option<String> {
        let LibrarySource::Path(folder) = self else { return None };
        std::fs::read_to_string(folder.join("Cargo.lock")).ok()
    }
}

fn is_checkout(folder: &Path) -> bool {
    let has = |package: &str| folder.join("crates").join(package).join("Cargo.toml").is_file();
    has("ludion") && has("ludion-cli")
}

impl fmt::Display for LibrarySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LibrarySource::Path(folder) => write!(f, "it uses the sources in {}", folder.display()),
            LibrarySource::Version(version) => {
                write!(f, "it uses ludion {version} from crates.io; --ludion takes a checkout")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_built_from_a_checkout_uses_it() {
        let found = LibrarySource::find(None).unwrap();
        let LibrarySource::Path(folder) = &found else { panic!("{found}") };
        assert!(folder.join("crates/ludion/src/lib.rs").is_file());
        assert!(found.lock().unwrap().contains("name = \"serde\""));
    }

    #[test]
    fn dependencies_are_values_of_a_manifest() {
        let of = |source: LibrarySource| {
            let text = format!("ludion = {}", source.dependency("ludion").unwrap());
            text.parse::<toml::Table>().unwrap()["ludion"].clone()
        };
        assert_eq!(of(LibrarySource::Version(VERSION)).as_str(), Some(VERSION));
        let odd = of(LibrarySource::Path("/a \"b\"\\c\n/é".into()));
        assert_eq!(odd["version"].as_str(), Some(VERSION));
        assert_eq!(odd["path"].as_str(), Some("/a \"b\"\\c\n/é/crates/ludion"));
    }

    #[test]
    fn a_folder_without_the_sources_is_refused() {
        let error = LibrarySource::find(Some(Path::new("/nowhere"))).err();
        let Some(CommandFailure::Usage(said)) = error else { panic!("no folder is no checkout") };
        assert!(said.starts_with("/nowhere has no sources of Ludion"), "{said}");
    }
}
