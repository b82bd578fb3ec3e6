//! Text of the details of a search: random games by move, the entries of a table, and notes.

use ludion::player::{MemoryBound, MemoryEntry, PositionGames, SearchDetails};

use crate::output::{QUIET, paint, plural};
use crate::table::figures;

/// Formats the details as tables, or says that there are none.
pub(super) fn text(details: &SearchDetails) -> String {
    if details.games.is_empty() && details.memory.is_empty() && details.notes.is_empty() {
        let none = "the player keeps no counts and no table that could be shown";
        return format!("\n{}\n", paint(QUIET, none));
    }
    let mut text = String::new();
    if !details.games.is_empty() {
        text += &format!("\n{}", games(&details.games));
    }
    if !details.memory.is_empty() {
        text += &format!("\n{}", memory(&details.memory));
    }
    for note in &details.notes {
        text += &format!("\n{note}\n");
    }
    if details.truncated {
        let shown = details.games.len().max(details.memory.len()) as u64;
        let note = format!("only {} shown; --details N shows more", plural(shown, "position"));
        text += &format!("{}\n", paint(QUIET, &note));
    }
    text
}

/// Formats the random games after each move, for the side that makes it.
fn games(positions: &[PositionGames]) -> String {
    let rows = positions.iter().flat_map(|position| {
        position.moves.iter().enumerate().map(|(i, games)| {
            let state = if i == 0 { position.state.clone() } else { String::new() };
            let play = games.play.clone().unwrap_or_else(|| "over".to_owned());
            let counts = [games.wins, games.draws, games.losses].map(|n| n.to_string());
            [&[state, play][..], &counts].concat()
        })
    });
    figures(&["position", "move", "won", "drawn", "lost"], rows)
}

/// Formats the entries of a table.
fn memory(entries: &[MemoryEntry]) -> String {
    let row = |entry: &MemoryEntry| {
        let bound = match entry.bound {
            MemoryBound::Value => "",
            MemoryBound::AtLeast => "≥ ",
            MemoryBound::AtMost => "≤ ",
        };
        vec![
            entry.state.clone(),
            entry.depth.to_string(),
            if entry.exact { "yes" } else { "no" }.to_owned(),
            format!("{bound}{}", (100.0 * entry.score).round() / 100.0),
            entry.best.clone().unwrap_or_default(),
        ]
    };
    figures(&["position", "depth", "exact", "score", "best"], entries.iter().map(row))
}
