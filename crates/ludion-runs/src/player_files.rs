//! The files that the players of a plan read, such as networks and endgame tables. A plan keeps a
//! checksum of each, so that a run is not resumed or repeated with other files of the same names.

use ludion_players::arena::plan::{GamesPlan, PlayerFile};
use ludion_players::assets::{AssetNames, Assets, SharedBytes};
use ludion_players::registry::Registry;
use ludion_players::spec::Spec;

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
        let bytes = assets.fetch(&name).map_err(RunError::Failed)?;
        Ok(PlayerFile { checksum: checksum(&bytes), name })
    };
    names.list().into_iter().map(file).collect()
}

/// Returns the checksum of the bytes of a file.
pub(crate) fn checksum(bytes: &SharedBytes) -> String {
    format!("{:08x}", crc32fast::hash((**bytes).as_ref()))
}

/// Checks that the files of a stored plan are those with which it was stored.
///
/// # Errors
/// [`RunError::Changed`] if a file is missing or has changed.
pub(crate) fn check(registry: &Registry, plan: &GamesPlan) -> Result<(), RunError> {
    plan.full.as_ref().map_or(Ok(()), |full| check_files(registry, &full.files))
}

/// Checks that these files are those that were stored.
///
/// # Errors
/// [`RunError::Changed`] if a file is missing or has changed.
pub(crate) fn check_files(registry: &Registry, files: &[PlayerFile]) -> Result<(), RunError> {
    for PlayerFile { name, checksum: stored } in files {
        let bytes = registry.assets().fetch(name).map_err(RunError::Changed)?;
        if checksum(&bytes) != *stored {
            return Err(RunError::Changed(format!("the file {name} is not the one of then")));
        }
    }
    Ok(())
}

/// Returns for each player of a plan a text that is the same for players that are the same: its full
/// spec, with the checksums of files in place of their names.
pub(crate) fn identities(plan: &GamesPlan) -> Vec<String> {
    let Some(full) = &plan.full else { return plan.players.clone() };
    full.players.iter().map(|player| replace_names(player, &full.files)).collect()
}

fn replace_names(text: &str, files: &[PlayerFile]) -> String {
    let Ok(mut spec) = Spec::parse(text) else { return text.to_owned() };
    for value in &mut spec.values {
        match files.iter().find(|file| file.name == value.text) {
            Some(file) => value.text.clone_from(&file.checksum),
            // An evaluator has parameters of its own.
            None if value.text.contains('(') => value.text = replace_names(&value.text, files),
            None => {}
        }
    }
    spec.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_file_under_two_names_is_the_same_player() {
        let file = |name: &str, checksum: &str| PlayerFile {
            name: name.to_owned(),
            checksum: checksum.to_owned(),
        };
        let files = [file("a.net", "01"), file("./a.net", "01"), file("b.net", "02")];
        let identity = |text: &str| replace_names(text, &files);
        assert_eq!(identity("policy(model=a.net)"), identity("policy(model=./a.net)"));
        assert_ne!(identity("policy(model=a.net)"), identity("policy(model=b.net)"));
        let mcts = |net: &str, c: u32| identity(&format!("mcts(c={c}, eval=\"net({net})\")"));
        assert_eq!(mcts("a.net", 2), mcts("./a.net", 2));
        assert_ne!(mcts("a.net", 2), mcts("b.net", 2));
        assert_ne!(mcts("a.net", 2), mcts("./a.net", 3));
    }
}
