//! What people are told about the games, and what boards need of them: ways, removed pieces, winning
//! lines, and positions put up piece by piece.

use std::collections::BTreeSet;

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry::{AnyGame, AnyPosition, GameHistory, standard};
use ludion::scene::{Coord, Piece, PieceShape};

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

#[test]
fn a_perfect_player_keeps_the_value_of_its_game() {
    let registry = standard();
    for entry in registry.games() {
        let levels = entry.levels(&entry.name);
        let Some(perfect) = levels.iter().find(|level| level.name == "perfect") else { continue };
        let game = registry.game(&entry.name).unwrap();
        let mut player = game.player(&perfect.spec).unwrap();
        player.begin(1);
        let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
        let solution = game.start().solve(Default::default(), &NoObserver).unwrap();
        let line = solution.lines.iter().find(|line| line.play == choice.best).unwrap();
        assert_eq!(
            line.proven.map(|proof| proof.verdict),
            Some(solution.value.verdict),
            "{}",
            entry.name
        );
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
            let pieces = |position: &dyn AnyPosition| position.scene().pieces;
            assert_eq!(pieces(&*again), pieces(position), "{spec}");
            put_up.insert(spec.split('(').next().unwrap().to_owned());
        }
    });
    for game in ["connect4", "checkers", "othello", "hex", "go", "gomoku", "breakthrough"] {
        assert!(put_up.contains(game), "{put_up:?}");
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
