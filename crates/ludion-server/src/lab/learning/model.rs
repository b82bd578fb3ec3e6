//! Summaries of model files, and the players that use a model with a search of one ply, so that the
//! values shown are the model's own.

use std::path::Path;

use ludion_players::learn::{model, patterns};
use ludion_store::read_regular_file;
use serde_json::json;

use super::folder::{DataFileKind, ModelSummary};
use super::spec;

/// The first bytes of a file of learned patterns.
const PATTERNS: &[u8] = b"LPAT";

/// Returns whether a file with these first bytes is a model: patterns, or a network as safetensors,
/// which begins with eight bytes of length and then a JSON header.
pub(super) fn is_model(first: &[u8]) -> bool {
    first.starts_with(PATTERNS) || first.get(8) == Some(&b'{')
}

/// Reads a model file of at most `most` bytes and summarises it.
pub(super) fn read(path: &Path, most: u64) -> Result<DataFileKind, String> {
    let bytes = read_regular_file(path, most).map_err(|error| error.to_string())?;
    let name = path.to_str().ok_or("its path is no text")?;
    if bytes.starts_with(PATTERNS) {
        let (game, training) =
            patterns::PatternModel::read_header(&bytes).map_err(|error| error.to_string())?;
        let eval = spec("patterns", &[("model", name)]).to_string();
        let player = spec("minimax", &[("eval", &eval)]);
        return Ok(DataFileKind::Patterns(ModelSummary {
            game,
            player: one_ply(player),
            training,
        }));
    }
    let model = model::NetworkModel::from_bytes(&bytes).map_err(|error| error.to_string())?;
    let (asked, came) = (model.spec(), model.outcome());
    let training = json!({ "asked": asked, "came": came, "widths": model.network().widths() });
    let player = spec("mlp", &[("model", name)]).to_string();
    Ok(DataFileKind::Network(ModelSummary { game: asked.game.clone(), player, training }))
}

/// Returns the spec of a search with its depth limited to one ply.
fn one_ply(mut search: ludion_players::spec::Spec) -> String {
    let depth = ludion_players::spec::SpecValue {
        name: Some("depth".to_owned()),
        text: "1".to_owned(),
        quoted: false,
    };
    search.values.insert(0, depth);
    search.to_string()
}
