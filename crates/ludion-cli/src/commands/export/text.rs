//! Games as text in a format like PGN: tags, then moves with their values and costs.

use std::io::Write;

use ludion::arena::game::GameEnd;
use ludion::game::Side;
use ludion::outcome::Duel;
use ludion_runs::export::OnExportedGame;
use ludion_store::{Store, StoredGame, StoredRun};

use crate::failure::CommandFailure;

/// Longest line in characters, unless one word is longer.
const MAX_WIDTH: usize = 80;

/// Writes all games of a run as text. Calls `on_game` after each game.
pub(super) fn write(
    store: &Store,
    run: &StoredRun,
    out: &mut impl Write,
    on_game: OnExportedGame<'_>,
) -> Result<(), CommandFailure> {
    let mut games = 0;
    store.each_game::<CommandFailure>(run.id, |game| {
        out.write_all(game_text(run, &game).as_bytes())?;
        games += 1;
        on_game(games);
        Ok(())
    })
}

fn game_text(run: &StoredRun, game: &StoredGame) -> String {
    let [first, second] = game.result.seats.map(|player| run.plan.player_name(player as usize));
    let result = match game.result.end.duel() {
        Duel::Won(Side::First) => "1-0",
        Duel::Won(Side::Second) => "0-1",
        Duel::Drawn => "1/2-1/2",
    };
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    };
    tag("Event", &format!("{} {}", run.plan.kind.name(), run.id));
    tag("Date", &run.began);
    tag("Round", &format!("{}.{}", game.number / 2 + 1, game.number % 2 + 1));
    tag("Game", &run.plan.game);
    tag("First", first);
    tag("Second", second);
    tag("Result", result);
    match &game.result.end {
        GameEnd::Rules(_) => {}
        GameEnd::Forfeit { reason, .. } => tag("Termination", &format!("forfeit: {reason}")),
        GameEnd::Endless => tag("Termination", "too many plies"),
    }
    text += "\n";
    let mut words = Vec::new();
    if let Some(record) = &game.result.record {
        for (i, m) in record.opening.iter().enumerate() {
            words.push(format!("{}. {m}", i + 1));
        }
        for (i, ply) in record.plies.iter().enumerate() {
            let value = ply.value.map_or_else(String::new, |value| format!("{value:+.3} "));
            words.push(format!(
                "{}. {} {{{value}{:.3}s {}n}}",
                record.opening.len() + i + 1,
                ply.play,
                ply.time.as_secs_f64(),
                ply.nodes
            ));
        }
    }
    words.push(result.to_owned());
    text + &wrap(&words) + "\n\n"
}

fn wrap(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > MAX_WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}
