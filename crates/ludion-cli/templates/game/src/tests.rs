//! Tests: the laws that every game must keep, facts about this game, and matches between players.

use ludion::arena::pair::{GameSettings, PairId};
use ludion::game::{Game, Side};
use ludion::named::NamedGame;
use ludion::outcome::Duel;
use ludion::player::Budget;
use ludion::search::census::census;

use super::registry;
use super::rules::{MyGameRules, MyGameState};

/// Returns the winner from `s` under perfect play, by a walk over all positions.
fn winner(g: &MyGameRules, s: &MyGameState) -> Duel {
    census(g, s, 1_000_000).unwrap().perfect
}

/// Returns the mean score, from 0 to 1, of the first player over 50 pairs of games with seats
/// swapped. Each pair begins with a random move.
fn score(game: &str, players: [&str; 2]) -> f64 {
    let mut referee = registry().game(game).unwrap().referee(&players.map(str::to_owned)).unwrap();
    let settings = GameSettings { budget: Budget::UNLIMITED, opening: 1, longest: 200, seed: 1 };
    let play = |number| referee.play_pair(&settings, PairId { players: [0, 1], number }, false);
    let games: Vec<_> = (0..50).flat_map(play).collect();
    games.iter().map(|game| game.score(0)).sum::<f64>() / games.len() as f64
}

#[test]
fn the_laws_of_games_hold() {
    for example in MyGameRules::EXAMPLES {
        let game = registry().game(example).unwrap();
        game.check_laws(200, 1).unwrap_or_else(|broken| panic!("{example}: {broken}"));
    }
}

/// A known fact: the first side crosses the middle, then mirrors the moves of the second side.
#[test]
fn the_first_side_wins_every_row_of_an_odd_number_of_cells_by_the_middle() {
    for cells in [3, 5, 7, 9, 11, 13] {
        let g = MyGameRules { cells, line: 3 };
        assert_eq!(winner(&g, &g.start()), Duel::Won(Side::First), "{cells}");
        let middle = g.after(&g.start(), cells / 2);
        assert_eq!(winner(&g, &middle), Duel::Won(Side::First), "{cells}");
    }
}

/// A known fact: the row is full when the line is complete, so the last cross wins.
#[test]
fn a_row_as_long_as_a_line_is_won_by_the_side_that_crosses_its_last_cell() {
    for line in 2..=10 {
        let g = MyGameRules { cells: line, line };
        let expected = if line % 2 == 1 { Side::First } else { Side::Second };
        assert_eq!(winner(&g, &g.start()), Duel::Won(expected), "{line}");
    }
}

#[test]
fn states_that_cannot_occur_are_refused() {
    let g = MyGameRules { cells: 7, line: 3 };
    for text in ["xxx.xxx", "xxxxxx.", "..x.x.", "..x.x...", "..x.o..", ""] {
        assert!(g.read_state(text).is_err(), "{text:?}");
    }
    for text in [".......", "..x.x..", ".xxxxx."] {
        assert_eq!(g.show_state(&g.read_state(text).unwrap()), text);
    }
}

#[test]
fn a_line_that_does_not_fit_is_refused() {
    let error = registry().game("my_game(4, line=5)").err().unwrap().to_string();
    assert_eq!(error, "my_game: a line of 5 does not fit into 4 cells");
}

#[test]
fn the_player_of_the_game_beats_random_moves_unless_it_does_not_think() {
    assert!(score("my_game", ["careful", "random"]) > 0.8);
    let thoughtless = score("my_game", ["careful(error=1)", "random"]);
    assert!((0.3..0.7).contains(&thoughtless), "{thoughtless}");
}

#[test]
fn the_evaluator_of_the_game_helps_a_search() {
    let players = ["alphabeta(1, eval=parity)", "alphabeta(1)"];
    assert!(score("my_game(15)", players) > 0.6);
}
