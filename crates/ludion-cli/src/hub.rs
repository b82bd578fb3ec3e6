//! Positions and moves of draughts for Hub engines, by the rules of checkers.

use ludion::game::Game;
use ludion::games::checkers::{Checkers, CheckersState};
use ludion_bot::hub::{HubNotation, HubPosition};

/// The notation of Hub for all rule sets of checkers.
pub struct CheckersHubNotation;

/// Returns the rules of a spec.
fn rules(game: &str) -> Result<Checkers, String> {
    Checkers::named(game).ok_or_else(|| format!("Hub engines play checkers, not {game}"))
}

/// Plays the moves after `s` that `read` finds legal, and writes each with `write`.
fn translate<M: Copy>(
    mut s: CheckersState,
    moves: &[String],
    read: impl Fn(&CheckersState, &str) -> Option<M>,
    write: impl Fn(&mut CheckersState, M) -> String,
) -> Vec<String> {
    let translated = moves.iter().map_while(|text| {
        let m = read(&s, text)?;
        Some(write(&mut s, m))
    });
    translated.collect()
}

impl HubNotation for CheckersHubNotation {
    fn write_position(
        &self,
        game: &str,
        state: Option<&str>,
        moves: &[String],
    ) -> Result<HubPosition, String> {
        let g = rules(game)?;
        let mut s = match state {
            Some(state) => g.read_state(state).map_err(|error| error.to_string())?,
            None => g.start(),
        };
        let pos = g.show_hub_position(&s);
        let mut hub_moves = Vec::with_capacity(moves.len());
        for text in moves {
            let m = g.read_move(&s, text).map_err(|error| error.to_string())?;
            hub_moves.push(g.show_hub_move(m));
            g.play(&mut s, m);
        }
        Ok(HubPosition { pos, moves: hub_moves })
    }

    fn read_position(
        &self,
        game: &str,
        position: &HubPosition,
    ) -> Result<(String, Vec<String>), String> {
        let g = rules(game)?;
        let mut s = g.read_hub_position(&position.pos).map_err(|error| error.to_string())?;
        let (state, mut moves) = (g.show_state(&s), Vec::with_capacity(position.moves.len()));
        for text in &position.moves {
            let m = g.read_hub_move(&s, text).map_err(|error| error.to_string())?;
            moves.push(g.show_move(&s, m));
            g.play(&mut s, m);
        }
        Ok((state, moves))
    }

    fn write_moves(&self, game: &str, state: &str, moves: &[String]) -> Vec<String> {
        let Some((g, s)) = rules(game).ok().and_then(|g| Some((g, g.read_state(state).ok()?)))
        else {
            return Vec::new();
        };
        let read = |s: &CheckersState, text: &str| g.read_move(s, text).ok();
        translate(s, moves, read, |s, m| {
            g.play(s, m);
            g.show_hub_move(m)
        })
    }

    fn read_moves(&self, game: &str, state: &str, moves: &[String]) -> Vec<String> {
        let Some((g, s)) = rules(game).ok().and_then(|g| Some((g, g.read_state(state).ok()?)))
        else {
            return Vec::new();
        };
        let read = |s: &CheckersState, text: &str| g.read_hub_move(s, text).ok();
        translate(s, moves, read, |s, m| {
            let text = g.show_move(s, m);
            g.play(s, m);
            text
        })
    }
}
