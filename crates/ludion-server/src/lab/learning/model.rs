//! Summaries of model files, and the players that use a model with a search of one ply, so that the
//! values shown are the model's own.

use std::path::Path;

use ludion_players::learn::{model, patterns, policy_value};
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
        return read_patterns(name, &bytes);
    }
    if let Ok(model) = policy_value::PolicyValueModel::from_bytes(&bytes) {
        return Ok(policy(name, &model));
    }
    let model = model::NetworkModel::from_bytes(&bytes).map_err(|error| error.to_string())?;
    let (asked, came) = (model.spec(), model.outcome());
    let widths = model.network().widths();
    let weights = widths.windows(2).map(|pair| (pair[0] as u64 + 1) * pair[1] as u64).sum();
    let training = json!({ "asked": asked, "came": came, "widths": widths });
    let player = spec("mlp", &[("model", name)]).to_string();
    let (game, searching) = (asked.game.clone(), player.clone());
    Ok(DataFileKind::Network(ModelSummary { game, player, searching, weights, training }))
}

fn read_patterns(name: &str, bytes: &[u8]) -> Result<DataFileKind, String> {
    let (game, training) =
        patterns::PatternModel::read_header(bytes).map_err(|error| error.to_string())?;
    let eval = spec("patterns", &[("model", name)]).to_string();
    let player = one_ply(spec("minimax", &[("eval", &eval)]));
    let searching = spec("deepening", &[("eval", &eval)]).to_string();
    // Two bytes for each weight; the header is small.
    let weights = bytes.len() as u64 / 2;
    Ok(DataFileKind::Patterns(ModelSummary { game, player, searching, weights, training }))
}

/// Summarises a network with policy and value.
fn policy(name: &str, model: &policy_value::PolicyValueModel) -> DataFileKind {
    let network = model.network();
    let widths = [vec![network.features()], network.hidden()].concat();
    let training = json!({
        "run": model.training(),
        "widths": widths,
        "inputs": model.encoding(),
    });
    let weights = network
        .parameters()
        .matrices()
        .map(|matrix| (matrix.rows() * matrix.columns()) as u64)
        .sum();
    let eval = spec("net", &[("model", name)]).to_string();
    DataFileKind::Policy(ModelSummary {
        game: model.game().to_owned(),
        player: spec("policy", &[("model", name)]).to_string(),
        searching: spec("mcts", &[("eval", &eval)]).to_string(),
        weights,
        training,
    })
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
