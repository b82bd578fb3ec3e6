//! The laws of games: properties that every implementation of [`Game`] must have. [`check`] plays
//! random games and tests the laws in every state. Tests check all registered games; call [`check`]
//! to test a game of your own.

use std::collections::{BTreeMap, HashMap, HashSet};

use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::encoding::EncodingShape;
use crate::game::{Game, Side, Status, TallyOf, count_replies, random_game};
use crate::outcome::Outcome;
use crate::random::Rng;
use crate::repetition::{GamePath, RepetitionRule};
use crate::scene::{Coord, Scene};

/// Error of a game that breaks a law, with a state in which it does.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{law}, but in {state:?}: {detail}")]
pub struct LawViolation {
    /// The law that is broken, as a sentence.
    pub law: &'static str,
    /// A state in which the law does not hold, in the notation of the game.
    pub state: String,
    /// What the check found in this state, such as the move that breaks the law.
    pub detail: String,
}

/// Number of plies after which a random game breaks the law that random games end.
const MAX_PLIES: usize = 100_000;
/// Number of playouts from a state, by random moves and by each playout method of the game, whose
/// distributions of outcomes are compared.
const PLAYOUTS: u64 = 1_500;
/// Significance level of a comparison of playouts: the probability that correct playouts fail it.
const SIGNIFICANCE: f64 = 1e-6;

/// Plays `games` random games of `g` and checks the laws in every state; those about playouts only
/// in three of the states. Returns the number of distinct states checked.
///
/// # Errors
/// When a law is broken; the error is the first violation found.
pub fn check<G: Game>(g: &G, games: usize, seed: u64) -> Result<usize, LawViolation> {
    check_with_progress(g, games, seed, &mut |_| ())
}

/// Checks the laws as [`check`] does and calls `on_game` after each random game with the number of
/// games so far.
///
/// # Errors
/// As [`check`].
pub fn check_with_progress<G: Game>(
    g: &G,
    games: usize,
    seed: u64,
    on_game: &mut dyn FnMut(usize),
) -> Result<usize, LawViolation> {
    let shape = g.encoding();
    let mut rng = Rng::new(seed);
    let mut keys: HashMap<u64, G::State> = HashMap::new();
    let mut seen: Vec<G::State> = Vec::new();
    let law =
        |law, s: &G::State, detail: String| LawViolation { law, state: g.show_state(s), detail };
    for number in 1..=games {
        let (mut s, mut path) = (g.start(), GamePath::new());
        let mut first_repeatable = 0;
        for ply in 0.. {
            match keys.insert(g.key(&s), s.clone()) {
                None => {
                    check_state(g, &s)?;
                    check_encoding(g, &shape, &s)?;
                    seen.push(s.clone());
                }
                Some(other) if other == s => {}
                Some(other) => {
                    let other = g.show_state(&other);
                    return Err(law(
                        "different states have different keys",
                        &s,
                        format!("so has {other:?}"),
                    ));
                }
            }
            let mut moves = Vec::new();
            path.moves(g, &s, &mut moves);
            if path.status(g, &s).turn().is_none() != moves.is_empty() {
                return Err(law(
                    "a game that is not over has a move that repeats no position",
                    &s,
                    format!("{} moves after {ply} plies", moves.len()),
                ));
            }
            if moves.is_empty() {
                break;
            }
            if ply == MAX_PLIES {
                return Err(law("random games end", &s, format!("{MAX_PLIES} plies were played")));
            }
            path.play(g, &mut s, moves[rng.below(moves.len())]);
            let reversible = g.reversible_plies(&s);
            let key = g.repetition_key(&s);
            let all = path.keys_after(GamePath::EMPTY).unwrap_or_default();
            if reversible == 0 {
                first_repeatable = all.len();
            }
            let first = all.len().saturating_sub(reversible).max(first_repeatable);
            if all[..first].contains(&key) {
                return Err(law(
                    "a position does not occur before the plies that can be undone",
                    &s,
                    format!("{reversible} of {} plies", all.len()),
                ));
            }
        }
        on_game(number);
    }
    let has_free_playouts = g.repetition_rule() != RepetitionRule::Ignored;
    for i in [0, seen.len() / 3, seen.len() / 2].into_iter().filter(|_| !has_free_playouts) {
        check_playouts(g, &seen[i], &mut rng)?;
    }
    Ok(seen.len())
}

/// Checks the laws that concern a single state.
fn check_state<G: Game>(g: &G, s: &G::State) -> Result<(), LawViolation> {
    let broken = |law, detail: String| Err(LawViolation { law, state: g.show_state(s), detail });

    let text = g.show_state(s);
    match g.read_state(&text) {
        Ok(back) if back == *s => {
            if g.key(&back) != g.key(s) {
                return broken("equal states have equal keys", "its copy has another key".into());
            }
            if g.scene(&back) != g.scene(s) {
                return broken("equal states look the same", "its copy has another scene".into());
            }
        }
        Ok(back) => return broken("a shown state is read back", format!("read as {back:?}")),
        Err(error) => return broken("a shown state is read back", error.to_string()),
    }

    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    let over = g.status(s).turn().is_none();
    if over != moves.is_empty() {
        return broken(
            "there are moves exactly while the game is not over",
            format!("{} moves", moves.len()),
        );
    }
    let mut twice = moves.clone();
    g.moves(s, &mut twice);
    if twice.len() != 2 * moves.len() || twice[moves.len()..] != moves {
        return broken("moves are appended, always in the same order", format!("{twice:?}"));
    }
    if g.count_moves(s, &mut twice) != moves.len() || twice.len() != 2 * moves.len() {
        return broken(
            "count_moves counts the moves and leaves the buffer unchanged",
            format!("{moves:?}"),
        );
    }
    if g.count_replies(s, &mut twice) != count_replies(g, s, &mut twice)
        || twice.len() != 2 * moves.len()
    {
        return broken("count_replies counts sequences of two moves", format!("{moves:?}"));
    }
    let mut shown = HashSet::new();
    for (i, &m) in moves.iter().enumerate() {
        if moves[..i].contains(&m) {
            return broken("no move is listed twice", format!("{m:?} is"));
        }
        let text = g.show_move(s, m);
        match g.read_move(s, &text) {
            Ok(back) if back == m => {}
            Ok(back) => {
                return broken("a shown move is read back", format!("{text:?} as {back:?}"));
            }
            Err(error) => return broken("a shown move is read back", error.to_string()),
        }
        if !shown.insert(text.clone()) {
            return broken("two moves are never written alike", format!("{text:?} is two moves"));
        }
    }
    check_shortcuts(g, s, &moves)?;
    check_piece_counts(g, s, &moves)?;
    check_scene(g, s, &moves)?;
    check_symmetries(g, s, &moves)
}

/// Checks that the shortcuts of a game ([`Game::wins_at_once`], [`Game::safe_moves`],
/// [`Game::last_mover_wins`]) agree with its rules.
fn check_shortcuts<G: Game>(g: &G, s: &G::State, moves: &[G::Move]) -> Result<(), LawViolation> {
    let broken = |law, detail: String| Err(LawViolation { law, state: g.show_state(s), detail });
    let Status::Turn(turn) = g.status(s) else { return Ok(()) };
    for &m in moves {
        let fair = match g.status(&g.after(s, m)) {
            Status::Turn(next) => next != turn,
            Status::Over(end) => end.worth(turn) >= 0.0,
        };
        if g.last_mover_wins() && !fair {
            return broken(
                "where the last mover wins, the sides alternate and no side loses by its own move",
                format!("{m:?}"),
            );
        }
    }
    let Some(wins) = g.wins_at_once(s) else { return Ok(()) };
    if g.repetition_rule() == RepetitionRule::Forbidden {
        return broken(
            "where repetitions are forbidden, wins_at_once is None, because it knows no path",
            format!("{wins}"),
        );
    }
    if wins != can_win(g, s) {
        return broken("wins_at_once says whether a move wins", format!("{wins}"));
    }
    let mut safe = Vec::new();
    if wins || !g.safe_moves(s, &mut safe) {
        return Ok(());
    }
    let expected: Vec<G::Move> =
        moves.iter().copied().filter(|&m| !can_win(g, &g.after(s, m))).collect();
    if safe != expected {
        return broken("safe_moves lists the moves after which no reply wins", format!("{safe:?}"));
    }
    Ok(())
}

/// Checks that every state or none has [`Game::piece_counts`], and that no move adds pieces.
fn check_piece_counts<G: Game>(g: &G, s: &G::State, moves: &[G::Move]) -> Result<(), LawViolation> {
    let before = g.piece_counts(s);
    for &m in moves {
        let after = g.piece_counts(&g.after(s, m));
        let fits = match (before, after) {
            (Some(before), Some(after)) => after[0] <= before[0] && after[1] <= before[1],
            (before, after) => before == after,
        };
        if !fits {
            return Err(LawViolation {
                law: "a move adds no pieces where pieces are counted",
                state: g.show_state(s),
                detail: format!("{m:?} changes {before:?} to {after:?}"),
            });
        }
    }
    Ok(())
}

/// Returns whether the side to move can win with one move, by trying all moves.
fn can_win<G: Game>(g: &G, s: &G::State) -> bool {
    let Status::Turn(turn) = g.status(s) else { return false };
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    moves
        .iter()
        .any(|&m| matches!(g.status(&g.after(s, m)), Status::Over(end) if end.worth(turn) > 0.0))
}

/// Checks that the scene is well formed and that each move has its own cells to click.
fn check_scene<G: Game>(g: &G, s: &G::State, moves: &[G::Move]) -> Result<(), LawViolation> {
    let broken = |law, detail: String| Err(LawViolation { law, state: g.show_state(s), detail });
    let scene = g.scene(s);
    let mut occupied = HashSet::new();
    for piece in &scene.pieces {
        if !scene.contains(piece.at) || !occupied.insert(piece.at) {
            return broken(
                "pieces are on cells of the scene, at most one each",
                format!("{piece:?}"),
            );
        }
    }
    if !labels_fit(&scene) {
        return broken(
            "either every column and row has a label or none has",
            format!("{:?} {:?}", scene.columns, scene.rows),
        );
    }
    if let Some(button) = scene.buttons.iter().find(|(button, _)| scene.contains(*button)) {
        return broken("a button is on no cell", format!("{button:?}"));
    }
    let on_cells = |line: &&[Coord; 2]| !line.iter().all(|&end| scene.contains(end));
    if let Some(line) = scene.lines.iter().find(on_cells) {
        return broken("lines join cells of the scene", format!("{line:?}"));
    }
    let mut touched = HashSet::new();
    for &m in moves {
        let cells = g.touches(s, m);
        if cells.is_empty() || !cells.iter().all(|&c| scene.can_touch(c)) {
            return broken(
                "a move is clicked on cells or buttons of the scene",
                format!("{m:?} touches {cells:?}"),
            );
        }
        if !touched.insert(cells.clone()) {
            return broken(
                "no two moves are clicked on the same cells",
                format!("{m:?} touches {cells:?}"),
            );
        }
    }
    Ok(())
}

fn labels_fit(scene: &Scene) -> bool {
    use crate::scene::SceneLayout::{Grid, Heaps, Hexagons, Rhombus};
    let (cols, rows) = match &scene.layout {
        Grid { cols, rows } | Hexagons { cols, rows } | Rhombus { cols, rows } => {
            (usize::from(*cols), usize::from(*rows))
        }
        Heaps { sizes } => (sizes.len(), 0),
    };
    [(&scene.columns, cols), (&scene.rows, rows)]
        .iter()
        .all(|(names, n)| names.is_empty() || names.len() == *n)
}

/// Checks that the images of `s` under the symmetries of the game have symmetric scenes, symmetric
/// successors and the same status.
fn check_symmetries<G: Game>(g: &G, s: &G::State, moves: &[G::Move]) -> Result<(), LawViolation> {
    for symmetry in g.symmetries() {
        let image = g.transform(s, symmetry);
        let broken = |law, detail: String| {
            let detail = format!("{symmetry:?} gives {:?}: {detail}", g.show_state(&image));
            Err(LawViolation { law, state: g.show_state(s), detail })
        };
        if g.status(s) != g.status(&image) {
            return broken(
                "symmetric states have the same status",
                format!("{:?}", g.status(&image)),
            );
        }
        let mut pieces = g.scene(&image).pieces;
        pieces.sort_by_key(|p| p.at);
        if pieces != g.scene(s).image(symmetry) {
            return broken("symmetric states have symmetric scenes", "the pieces differ".into());
        }
        let mut image_moves = Vec::new();
        g.moves(&image, &mut image_moves);
        let children: HashSet<G::State> =
            moves.iter().map(|&m| g.transform(&g.after(s, m), symmetry)).collect();
        let image_children: HashSet<G::State> =
            image_moves.iter().map(|&m| g.after(&image, m)).collect();
        if image_moves.len() != moves.len() || children != image_children {
            return broken("symmetric states have symmetric successors", "they differ".into());
        }
    }
    Ok(())
}

/// Number of actions without a legal move that [`check_encoding`] tries in a state.
const SAMPLED_ACTIONS: usize = 16;

/// Checks that the features of `s` are in range and ascending for both sides, that its moves have
/// different actions in range by which they are found, and that its images have symmetric features.
fn check_encoding<G: Game>(g: &G, shape: &EncodingShape, s: &G::State) -> Result<(), LawViolation> {
    let broken = |law, detail: String| Err(LawViolation { law, state: g.show_state(s), detail });
    for side in Side::BOTH {
        let features = features_of(g, s, side);
        if !features.is_sorted_by(|a, b| a < b) {
            return broken("features ascend and none is listed twice", format!("{features:?}"));
        }
        if features.last().is_some_and(|&last| last as usize >= shape.features()) {
            let count = shape.features();
            return broken("features are below their number", format!("{count}: {features:?}"));
        }
        for symmetry in g.symmetries() {
            let image = features_of(g, &g.transform(s, symmetry), side);
            let mut expected: Vec<u32> =
                features.iter().map(|&f| shape.feature_image(f, symmetry)).collect();
            expected.sort_unstable();
            if image != expected {
                return broken(
                    "symmetric states have symmetric features",
                    format!("{symmetry:?} gives {image:?}, not {expected:?}"),
                );
            }
        }
    }
    let (mut moves, mut actions) = (Vec::new(), Vec::new());
    g.moves(s, &mut moves);
    g.actions(s, &moves, &mut actions);
    let distinct: HashSet<u32> = actions.iter().copied().collect();
    if actions.len() != moves.len() || distinct.len() != moves.len() {
        return broken("moves of one state have different actions", format!("{actions:?}"));
    }
    let found = |action: &u32| g.move_of_action(s, *action);
    if let Some(i) = (0..moves.len()).find(|&i| found(&actions[i]) != Some(moves[i])) {
        let (action, m) = (actions[i], g.show_move(s, moves[i]));
        return broken("a move is found by its action", format!("action {action} is not {m}"));
    }
    // A game may have thousands of actions: some of them stand for all.
    let step = (shape.actions / SAMPLED_ACTIONS).max(1);
    let mut free = (0..shape.actions as u32).step_by(step).filter(|a| !distinct.contains(a));
    if let Some(action) = free.find(|action| found(action).is_some()) {
        return broken("an action of no legal move has no move", format!("action {action}"));
    }
    if actions.iter().any(|&action| action as usize >= shape.actions) {
        let count = shape.actions;
        return broken("actions are below their number", format!("{count}: {actions:?}"));
    }
    Ok(())
}

fn features_of<G: Game>(g: &G, s: &G::State, seen_by: Side) -> Vec<u32> {
    let mut features = Vec::new();
    g.features(s, seen_by, &mut features);
    features
}

/// Checks that [`Game::playout`] and [`Game::playouts`] have the distribution of outcomes of
/// uniformly random moves.
fn check_playouts<G: Game>(g: &G, s: &G::State, rng: &mut Rng) -> Result<(), LawViolation> {
    let mut scratch = Vec::new();
    let mut by_rules: BTreeMap<G::Outcome, [u64; 2]> = BTreeMap::new();
    let mut tallies: [TallyOf<G>; 2] = Default::default();
    for _ in 0..PLAYOUTS {
        let plain = random_game(g, s.clone(), rng, &mut scratch);
        let own = g.playout(s.clone(), rng, &mut scratch);
        by_rules.entry(plain).or_default()[0] += 1;
        by_rules.entry(own).or_default()[1] += 1;
        plain.count(&mut tallies[0]);
    }
    g.playouts(s, PLAYOUTS - 1, rng, &mut scratch, &mut tallies[1]);
    g.playouts(s, 1, rng, &mut scratch, &mut tallies[1]);
    let broken = |law, detail: String| LawViolation { law, state: g.show_state(s), detail };
    let one_by_one: Vec<[u64; 2]> = by_rules.into_values().collect();
    if same_distribution(&one_by_one) < SIGNIFICANCE {
        return Err(broken(
            "playout draws uniformly random moves",
            format!("outcomes by the rules and by playout: {one_by_one:?}"),
        ));
    }
    let (plain, batch) = (G::Outcome::kinds(&tallies[0]), G::Outcome::kinds(&tallies[1]));
    let batched: Vec<[u64; 2]> = plain.iter().zip(&batch).map(|(&a, &b)| [a, b]).collect();
    if batch.iter().sum::<u64>() != PLAYOUTS || same_distribution(&batched) < SIGNIFICANCE {
        return Err(broken(
            "playouts draws uniformly random moves",
            format!("outcomes by the rules and by playouts: {batched:?}"),
        ));
    }
    Ok(())
}

/// Returns the p-value of the two-sample chi-squared test that both samples have the same
/// distribution. `counts` has the counts of both samples in each category; rare categories are
/// merged.
fn same_distribution(counts: &[[u64; 2]]) -> f64 {
    let rare = |c: &&[u64; 2]| c[0] + c[1] < 10;
    let rest = counts.iter().filter(rare).fold([0, 0], |sum, c| [sum[0] + c[0], sum[1] + c[1]]);
    let kinds: Vec<[u64; 2]> = counts.iter().filter(|c| !rare(c)).copied().chain([rest]).collect();
    let kinds: Vec<[u64; 2]> = kinds.into_iter().filter(|c| c[0] + c[1] > 0).collect();
    let total = [0, 1].map(|i| kinds.iter().map(|c| c[i]).sum::<u64>() as f64);
    if kinds.len() < 2 {
        return 1.0;
    }
    let statistic: f64 = kinds
        .iter()
        .map(|c| {
            let [a, b] = c.map(|v| v as f64);
            let difference = a * (total[1] / total[0]).sqrt() - b * (total[0] / total[1]).sqrt();
            difference * difference / (a + b)
        })
        .sum();
    match ChiSquared::new((kinds.len() - 1) as f64) {
        Ok(distribution) => distribution.sf(statistic),
        Err(_) => 0.0,
    }
}
