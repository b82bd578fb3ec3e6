//! The files that the players of a plan read, such as networks and endgame tables. A plan keeps a
//! checksum of each, so that a run is not resumed or repeated with other files of the same names.

use ludion::arena::plan::{GamesPlan, PlayerFile};
use ludion::assets::{AssetNames, Assets};
use ludion::registry::Registry;

use crate::RunError;

/// Returns the files with these names and their checksums.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn with_checksums(
    assets: &Assets,
    names: &AssetNames,
) -> Result<Vec<PlayerFile>, RunError> {
    let file = |name: String| {
        let checksum = checksum(assets, &name).map_err(RunError::Failed)?;
        Ok(PlayerFile { name, checksum })
    };
    names.list().into_iter().map(file).collect()
}

fn checksum(assets: &Assets, name: &str) -> Result<String, String> {
    let bytes = assets.fetch(name)?;
    Ok(format!("{:08x}", crc32fast::hash((*bytes).as_ref())))
}

/// Checks that the files of a stored plan are those with which it was stored.
///
/// # Errors
/// [`RunError::Changed`] if a file is missing or has changed.
pub(crate) fn check(registry: &Registry, plan: &GamesPlan) -> Result<(), RunError> {
    let files = plan.full.iter().flat_map(|full| &full.files);
    for PlayerFile { name, checksum: stored } in files {
        let now = checksum(registry.assets(), name).map_err(RunError::Changed)?;
        if now != *stored {
            return Err(RunError::Changed(format!("the file {name} is not the one of then")));
        }
    }
    Ok(())
}
