//! The pattern models that are built into the library, so that `deepening(eval=patterns)` needs no
//! model file with these rules. All were trained by self-play with random seed 1, as their headers
//! record.
//!
//! Version 0.1.0 trained the model of the simple rules from zero weights. This command trains it
//! again, in 8 to 13 minutes of CPU time:
//!
//! ```text
//! ludion learn checkers --rounds 9 --games 20000 --depth 4 --pairs 50 --out simple.lpat
//! ```
//!
//! The models of rules with kings began with games of the evaluator `material+mobility`, and all their
//! searches were selective:
//!
//! ```text
//! ludion learn "checkers(english)" --rounds 3 --games 24000 --nodes 2000 --phases 4 --epochs 6 --pairs 60 --out english.lpat
//! ludion learn "checkers(international)" --rounds 3 --games 16000 --nodes 2000 --phases 4 --epochs 6 --pairs 60 --out international.lpat
//! ludion learn "checkers(russian)" --rounds 2 --games 10000 --nodes 2000 --phases 4 --epochs 6 --pairs 60 --out russian.lpat
//! ```
//!
//! and the same as the last for `brazilian`. That of English rules was learned before searches shared estimates between
//! counts of king moves, so its command gives a slightly different model now.

use super::Checkers;

/// Returns the bytes of the built-in pattern model for the rules and board of `g`, if there is one.
pub(super) fn model(g: &Checkers) -> Option<&'static [u8]> {
    if g.size() != usize::from(g.rules().size) {
        return None;
    }
    let model: &[u8] = match g.rules().name {
        "simple" => include_bytes!("simple.lpat"),
        "english" => include_bytes!("english.lpat"),
        "international" => include_bytes!("international.lpat"),
        "russian" => include_bytes!("russian.lpat"),
        "brazilian" => include_bytes!("brazilian.lpat"),
        _ => return None,
    };
    Some(model)
}
