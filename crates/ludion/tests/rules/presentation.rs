//! What people are told about the games, and what boards need of them: ways, removed pieces, winning
//! lines, and positions put up piece by piece.

use std::collections::BTreeSet;

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry::{AnyGame, AnyPosition, GameHistory, standard};
use ludion::scene::{Coord, Piece, PieceShape};
use ludion::solution::SolveLimits;

/// Calls `visit` with the positions of a random game of each example variant.
fn each_position(mut visit: impl FnMut(&str, &dyn AnyPosition)) {
    let registry = standard();
    for spec in registry.games().iter().flat_map(|entry| &entry.examples) {
        let (mut position, mut rng) = (registry.game(spec).unwrap().start(), Rng::new(3));
        for _ in 0..60 {
            visit(spec, &*position);
            let moves = position.moves();
            let Some(m) = moves.get(rng.below(moves.len().max(1))) else { break };
            position.play(m).unwrap();
        }
    }
}

#[test]
fn every_game_has_a_title_rules_and_players_by_strength() {
    let registry = standard();
    for entry in registry.games() {
        let told = &entry.presentation;
        assert!(told.title.starts_with(char::is_uppercase), "{}", entry.name);
        assert!(told.rules.len() > 80 && told.rules.ends_with('.'), "{}", entry.name);
        for example in &entry.examples {
            let game = registry.game(example).unwrap();
            let levels = entry.levels(game.spec());
            assert!(levels.len() >= 3, "{example}");
            levels.iter().for_each(|level| drop(game.player(&level.spec).unwrap()));
        }
        // Titles of variants belong to variants that there are.
        assert_eq!(entry.titled_variants().len(), told.variants.len(), "{}", entry.name);
    }
    let checkers = registry.entry("checkers").unwrap();
    let english = registry.game("checkers(english)").unwrap();
    assert_eq!(checkers.title_of(english.spec()), "English draughts");
    assert_eq!(english.side_names(), ["Black", "White"]);
}

/// Calls `visit` with each variant that has a perfect player, and with the spec of this player.
fn each_perfect(mut visit: impl FnMut(&dyn AnyGame, &str)) {
    let registry = standard();
    for entry in registry.games() {
        for level in entry.presentation.levels.iter().filter(|level| level.name == "perfect") {
            let named = level.variants.iter().copied().map(str::to_owned);
            let alone = level.variants.is_empty().then(|| entry.name.to_string());
            for variant in named.chain(alone) {
                let game = registry.game(&variant).unwrap();
                assert!(entry.levels(game.spec()).contains(level), "{variant}");
                visit(&*game, &level.spec);
            }
        }
    }
}

/// Most states that the test visits to solve a position again.
const SOLVED_AGAIN: u64 = 20_000;

#[test]
fn a_perfect_player_proves_every_move_and_keeps_the_value_of_the_position() {
    let limits =
        SolveLimits { nodes: SOLVED_AGAIN, walk: SOLVED_AGAIN as usize, ..Default::default() };
    let (mut variants, mut compared) = (0, 0);
    each_perfect(|game, spec| {
        variants += 1;
        let mut player = game.player(spec).unwrap();
        for seed in 0..2 {
            let (mut position, mut rng) = (game.start(), Rng::new(seed));
            player.begin(seed);
            while position.status().turn().is_some() {
                let what = format!("{} {}", game.spec(), position.show());
                let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
                let line = choice.lines.iter().find(|line| line.play == choice.best).unwrap();
                let proven = line.proven.map(|proof| proof.verdict);
                let moves = position.moves();
                // Players need not think about the only move.
                let is_forced = moves.len() == 1;
                assert!(proven.is_some() || is_forced, "{what}: {} is not proven", choice.best);
                if !is_forced && let Ok(solution) = position.solve(limits, &NoObserver) {
                    compared += 1;
                    assert_eq!(proven, Some(solution.value.verdict), "{what}");
                }
                position.play(&moves[rng.below(moves.len())]).unwrap();
            }
        }
    });
    assert!(variants > 20, "{variants} variants have a perfect player");
    assert!(compared > 10 * variants, "{compared} positions were solved again");
}

#[test]
fn no_level_is_perfect_where_no_player_is() {
    let registry = standard();
    for spec in ["othello", "othello(6)", "connect4(8, 7)", "checkers", "checkers(english)", "hex"]
    {
        let game = registry.game(spec).unwrap();
        let levels = registry.entry(spec).unwrap().levels(game.spec());
        assert!(levels.iter().all(|level| level.name != "perfect"), "{spec}");
    }
}

#[test]
fn ways_begin_and_end_where_the_move_does_and_belong_to_one_move() {
    each_position(|spec, position| {
        let mut seen = BTreeSet::new();
        for m in position.moves() {
            let touches = position.touches(&m).unwrap();
            for way in position.ways(&m).unwrap() {
                assert_eq!(
                    (way.first(), way.last()),
                    (touches.first(), touches.last()),
                    "{spec} {m}"
                );
                assert!(seen.insert(way), "{spec} {m}");
            }
        }
    });
}

#[test]
fn removed_pieces_are_on_the_board_before_the_move_and_not_after_it() {
    each_position(|spec, position| {
        let pieces = |position: &dyn AnyPosition| -> BTreeSet<Coord> {
            position.scene().pieces.iter().map(|piece| piece.at).collect()
        };
        for m in position.moves() {
            let removed: BTreeSet<Coord> = position.removes(&m).unwrap().into_iter().collect();
            let mut after = position.copy();
            after.play(&m).unwrap();
            assert!(removed.is_subset(&pieces(position)), "{spec} {m}");
            assert!(removed.is_disjoint(&pieces(&*after)), "{spec} {m}");
        }
    });
}

#[test]
fn a_position_put_up_again_is_the_same() {
    let registry = standard();
    let mut put_up = BTreeSet::new();
    each_position(|spec, position| {
        let Status::Turn(turn) = position.status() else { return };
        if let Ok(again) = registry.game(spec).unwrap().put_up(&position.scene().pieces, turn) {
            let pieces = |position: &dyn AnyPosition| {
                let mut pieces = position.scene().pieces;
                pieces.sort_by_key(|piece| piece.at);
                pieces
            };
            assert_eq!(pieces(&*again), pieces(position), "{spec}");
            put_up.insert(spec.split('(').next().unwrap().to_owned());
        }
    });
    // Positions of the others are written: a die has a face on top, and edges are no pieces.
    let written = ["dice", "dotsandboxes", "hextris", "hextris-placements"];
    for entry in registry.games() {
        let is_written = written.contains(&&*entry.name);
        assert_ne!(put_up.contains(&*entry.name), is_written, "{}", entry.name);
    }
}

#[test]
fn an_impossible_position_is_refused_with_a_sentence_about_the_pieces() {
    let registry = standard();
    let piece = |x, y, owner, shape| Piece { at: Coord::new(x, y), owner, shape };
    let (first, second) = (Some(Side::First), Some(Side::Second));
    let row = |owner, count| -> Vec<Piece> {
        (0..count).map(|x| piece(x, 5, owner, PieceShape::Disc)).collect()
    };
    let figure = registry.game("quarto").unwrap().start().scene().pieces[0].shape.clone();
    let seeds = |seeds| vec![piece(1, 1, first, PieceShape::Seeds(seeds))];
    for (game, pieces, problem) in [
        ("connect4", row(first, 3), "3 x and 0 o are impossible: x and o alternate, x first"),
        ("connect4", vec![piece(3, 2, first, PieceShape::Disc)], "empty cell"),
        ("checkers", vec![piece(0, 0, first, PieceShape::Disc)], "pieces stand on dark squares"),
        ("morris", vec![piece(1, 0, second, PieceShape::Disc)], "on the crossings of lines"),
        ("morris", vec![piece(0, 0, second, PieceShape::Disc)], "at least 2 must be left"),
        ("kalah", seeds(3), "3 seeds; there must be 48"),
        ("domineering", vec![piece(0, 0, None, PieceShape::Block)], "no whole dominoes"),
        (
            "quarto",
            vec![piece(0, 0, first, figure.clone()), piece(1, 0, first, figure)],
            "is there twice",
        ),
        ("divide", Vec::new(), "the left box must be a number from 1"),
        ("ultimate-tictactoe", vec![piece(0, 0, second, PieceShape::Ring)], "alternate"),
    ] {
        let refused = registry.game(game).unwrap().put_up(&pieces, Side::First).err().unwrap();
        assert!(refused.problem().contains(problem), "{game}: {}", refused.problem());
    }
}

#[test]
fn the_winning_line_is_that_of_the_winner() {
    let registry = standard();
    let winning = |spec: &str, line: &str| {
        let mut position = registry.game(spec).unwrap().start();
        position.play_line(line).unwrap();
        position.scene().winning
    };
    let row = |y: usize| (0..4).map(|x| Coord::new(x, y)).collect::<Vec<_>>();
    assert_eq!(winning("connect4", "4 4 3 3 2 2 1"), row(5));
    assert_eq!(winning("connect4", "4 4 3 3 2 2"), []);
    let column = (0..3).map(|y| Coord::new(0, y)).collect::<Vec<_>>();
    assert_eq!(winning("tictactoe", "a1 b1 a2 b2 a3"), column);
    // On a torus a broken diagonal is a line; the stone on b2 is not on it.
    let diagonal = winning("morpion(torus)", "b2 a1 a2 b1 b3 c2 c1");
    assert_eq!(diagonal, [Coord::new(1, 0), Coord::new(0, 1), Coord::new(2, 2)]);
    // A pawn on the far row wins; a side that is blocked has lost without one.
    assert_eq!(winning("hexapawn", "a3-a2 c1-c2 b3xc2 b1xa2 c2-c1"), [Coord::new(2, 2)]);
    assert_eq!(winning("hexapawn", "a3-a2 b1xa2 b3xa2 c1-c2"), []);
    // The stone on c3 is not needed for the chain.
    assert_eq!(winning("hex(3)", "c3 b1 a1 b2 a2 b3 a3"), column);
}

#[test]
fn dominoes_and_boxes_belong_to_the_side_that_put_them() {
    let registry = standard();
    let drawn = |game: &str, moves: &str| {
        let mut history = GameHistory::new(registry.game(game).unwrap());
        history.play_line(moves).unwrap();
        history.scene().pieces
    };
    let owner = |pieces: &[Piece], x, y| {
        pieces.iter().find(|piece| piece.at == Coord::new(x, y)).map(|piece| piece.owner)
    };
    // Row 8 is the upper one.
    let dominoes = drawn("domineering", "b8b7 c8d8");
    let second = Some(Some(Side::Second));
    assert_eq!([owner(&dominoes, 1, 0), owner(&dominoes, 1, 1)], [Some(Some(Side::First)); 2]);
    assert_eq!([owner(&dominoes, 2, 0), owner(&dominoes, 3, 0)], [second; 2]);
    // The second side completes the box at a1.
    let boxes = drawn("dotsandboxes", "a1b1 a1a2 b1b2 a2b2");
    let in_box = boxes.iter().filter(|piece| piece.shape == PieceShape::Token);
    assert_eq!(in_box.map(|piece| piece.owner).collect::<Vec<_>>(), [Some(Side::Second)]);
    // In a position without its moves a square of four cells may be two dominoes of either side.
    let game = registry.game("domineering").unwrap();
    let state = game.read(&position_after(&*game, ["b8b7", "g1h1", "c8c7"])).unwrap();
    let pieces = state.scene().pieces;
    assert_eq!([owner(&pieces, 1, 0), owner(&pieces, 2, 1)], [Some(None); 2]);
    assert_eq!(owner(&pieces, 6, 7), second);
}

/// Returns the position after some moves as text.
fn position_after<const N: usize>(game: &dyn AnyGame, moves: [&str; N]) -> String {
    let mut position = game.start();
    moves.iter().for_each(|m| position.play(m).unwrap());
    position.show()
}

#[test]
fn the_boards_that_win_ultimate_tic_tac_toe_are_lit() {
    let (registry, mut rng) = (standard(), Rng::new(1));
    let game = registry.game("ultimate-tictactoe").unwrap();
    let mut wins = 0;
    for _ in 0..20 {
        let mut position = game.start();
        while position.status().turn().is_some() {
            assert!(position.scene().winning.is_empty(), "a game that goes on has no winner");
            let moves = position.moves();
            position.play(&moves[rng.below(moves.len())]).unwrap();
        }
        if let Status::Over(AnyOutcome::Duel(Duel::Won(_))) = position.status() {
            let lit = position.scene().winning.len();
            assert!(lit >= 27 && lit.is_multiple_of(9), "{lit} cells");
            wins += 1;
        }
    }
    assert!(wins > 0);
}
