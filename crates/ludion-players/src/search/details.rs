//! Collects the [`SearchDetails`] of players: outcomes of random games by move, and the positions of
//! a table that can be reached from the root.

use std::collections::{HashSet, VecDeque};

use crate::game::{Game, Side, TallyOf};
use crate::outcome::Outcome;
use crate::player::{MoveGames, MoveRequest, PositionGames, SearchDetails};
use crate::repetition::GamePath;

/// Returns the outcomes of random games after the moves of `s`, reached by `path`, in which `side` is to move; `None`
/// in a puzzle, which is neither won nor lost. A finished game has one tally and no move.
pub fn position_games<G: Game>(
    g: &G,
    s: &G::State,
    path: &GamePath,
    side: Side,
    tallies: &[TallyOf<G>],
) -> Option<PositionGames> {
    let mut moves = Vec::new();
    path.moves(g, s, &mut moves);
    let games = |(i, tally): (usize, &TallyOf<G>)| {
        let [first, second, draws] = G::Outcome::kinds(tally)[..] else { return None };
        let (wins, losses) = if side == Side::First { (first, second) } else { (second, first) };
        let play = moves.get(i).map(|&m| g.show_move(s, m));
        Some(MoveGames { play, wins, draws, losses })
    };
    let moves = tallies.iter().enumerate().map(games).collect::<Option<Vec<_>>>()?;
    Some(PositionGames { state: g.show_state(s), moves })
}

/// Reports the outcomes of the random games after each root move, if the observer asks for details.
pub fn report_root_games<G: Game>(
    request: &MoveRequest<'_, G>,
    side: Side,
    tallies: &[TallyOf<G>],
) {
    if request.observer.details_limit().is_some() {
        let games = position_games(request.game, request.state, request.path, side, tallies);
        let games = games.into_iter().collect();
        request.observer.report_details(&SearchDetails { games, ..SearchDetails::default() });
    }
}

/// Looks up the positions that can be reached from `root` through positions for which `look_up`
/// returns something, each once, the nearest first. Returns at most `limit` results, and whether
/// there are more.
pub fn reachable<G: Game, T>(
    g: &G,
    root: &G::State,
    limit: usize,
    mut look_up: impl FnMut(&G::State) -> Option<T>,
) -> (Vec<T>, bool) {
    let mut queue = VecDeque::from([root.clone()]);
    let (mut seen, mut found, mut moves) = (HashSet::from([g.key(root)]), Vec::new(), Vec::new());
    while let Some(s) = queue.pop_front() {
        let is_root = s == *root;
        match look_up(&s) {
            Some(_) if found.len() == limit => return (found, true),
            Some(entry) => found.push(entry),
            None if is_root => {}
            None => continue,
        }
        if g.status(&s).turn().is_none() {
            continue;
        }
        moves.clear();
        g.moves(&s, &mut moves);
        let children = moves.iter().map(|&m| g.after(&s, m));
        queue.extend(children.filter(|child| seen.insert(g.key(child))));
    }
    (found, false)
}
