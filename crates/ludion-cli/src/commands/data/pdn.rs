//! Writes games of an archive in PDN, the portable draughts notation.

use ludion::game::Game;
use ludion::games::checkers::Checkers;
use ludion::games::checkers::pdn::PdnGame;
use ludion::games::checkers::rules::SideColour;
use ludion::outcome::AnyOutcome;
use ludion::registry::AnyDecodedGame;
use ludion_store::BlockSource;

use crate::failure::CommandFailure;

/// Returns the rules of a checkers game; other games cannot be written as PDN.
pub(super) fn rules(spec: &str) -> Result<Checkers, CommandFailure> {
    let not =
        || CommandFailure::Usage(format!("only games of checkers have PDN, and this is {spec}"));
    Checkers::named(spec).ok_or_else(not)
}

/// Formats a game as PDN, with the names of its players if the source is known.
pub(super) fn show(
    g: &Checkers,
    source: Option<&BlockSource>,
    number: u64,
    replay: &dyn AnyDecodedGame,
) -> Result<String, CommandFailure> {
    let wrong = |error| CommandFailure::Failed(format!("game {number}: {error}"));
    let (mut s, mut moves) = (g.start(), Vec::new());
    for text in replay.moves() {
        let m = g.read_move(&s, &text).map_err(wrong)?;
        g.play(&mut s, m);
        moves.push(m);
    }
    let result = match replay.outcome() {
        AnyOutcome::Duel(end) => Some(end),
        AnyOutcome::Points(_) => None,
    };
    let record = PdnGame { tags: tags(g, source, number), start: g.start(), moves, result };
    g.show_pdn(&record).map_err(wrong)
}

fn tags(g: &Checkers, source: Option<&BlockSource>, number: u64) -> Vec<(String, String)> {
    let mut tags = vec![("Event", format!("game {number}"))];
    if let Some(source) = source {
        let [first, second] = source.settings.players.clone();
        tags.extend(match g.rules().first {
            SideColour::White => [("White", first), ("Black", second)],
            SideColour::Black => [("White", second), ("Black", first)],
        });
    }
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
