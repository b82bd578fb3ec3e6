//! Parsing any text as a state, a move or a spec gives a value or an error, never a panic.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use ludion::registry::{self, AnyGame};
use proptest::prelude::*;

/// Every example of every game with its spec; building them takes longer than a test case.
fn every_game() -> &'static [(String, Arc<dyn AnyGame>)] {
    static GAMES: LazyLock<Vec<(String, Arc<dyn AnyGame>)>> = LazyLock::new(|| {
        let registry = registry::standard();
        let examples = registry.games().iter().flat_map(|entry| &entry.examples);
        examples.map(|text| (text.to_string(), registry.game(text).unwrap())).collect()
    });
    &GAMES
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "\\PC{0,40}") {
        for (example, game) in every_game() {
            if let Ok(position) = game.read(&text) {
                let shown = position.show();
                prop_assert_eq!(game.read(&shown).unwrap().show(), shown, "{}", example);
            }
        }
    }

    #[test]
    fn text_shaped_like_a_state_is_a_state_or_an_error(
        text in "[.xo/]{8,60}( slides [0-9]{1,3})?( first| second)?|-?[0-9]{1,4}([ ,]-?[0-9]{1,4}){0,2} (face [0-9])?( first| second)?"
    ) {
        for (example, game) in every_game() {
            if let Ok(position) = game.read(&text) {
                let shown = position.show();
                prop_assert_eq!(game.read(&shown).unwrap().show(), shown, "{}", example);
                position.scene();
                position.perft(2, 1);
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC{0,12}|[a-i0-9xAB:-]{1,6}") {
        for (_, game) in every_game() {
            let mut position = game.start();
            let _ = position.touches(&text);
            let _ = position.play_line(&text);
            position.show();
        }
    }

    #[test]
    fn any_text_is_a_player_or_an_error(text in "\\PC{0,30}|[a-z]{3,9}\\([a-z0-9=,. ]{0,20}\\)") {
        let game = registry::standard().game("tictactoe").unwrap();
        if let Ok(player) = game.player(&text) {
            prop_assert!(game.player(player.spec()).is_ok());
        }
    }

    #[test]
    fn brackets_quotes_and_commas_are_a_spec_or_an_error(
        text in "[a-z]{0,3}([(),=\"\\\\ ?a1.:*\\[\\]{}-]|\\PC){0,40}"
    ) {
        let game = registry::standard().game("tictactoe").unwrap();
        let _ = game.player(&text);
        let _ = game.player(&format!("mcts({text}"));
        let _ = registry::standard().game(&text);
        let _ = registry::standard().riddle(&text);
    }

    #[test]
    fn any_text_is_a_game_or_an_error(text in "\\PC{0,30}|[a-z0-9]{1,9}\\([a-z0-9=, ]{0,20}\\)") {
        if let Ok(game) = registry::standard().game(&text) {
            let again = registry::standard().game(game.spec()).unwrap();
            prop_assert_eq!(again.start().show(), game.start().show());
            prop_assert!(game.player(&text).is_err());
        }
    }
}

/// A reader that copies the text for every character would take minutes.
#[test]
fn a_long_text_takes_a_time_proportional_to_its_length() {
    let texts: Vec<String> = ["1", "(", "x", "1,", "/", "-1 ", "\"", "a(", "W:W1,", "\\", ". "]
        .map(|part| part.repeat(300_000 / part.len()))
        .into();
    let registry = registry::standard();
    let code = registry.riddle("mastermind").unwrap();
    for text in &texts {
        let began = Instant::now();
        for (_, game) in every_game() {
            assert!(game.read(text).is_err());
            let _ = game.start().play_line(text);
            assert!(game.player(text).is_err());
        }
        assert!(registry.game(text).is_err());
        assert!(code.reply(text, text).is_err());
        let shown: String = text.chars().take(8).collect();
        assert!(began.elapsed() < Duration::from_secs(20), "{shown}… took {:?}", began.elapsed());
    }
}

#[test]
fn specs_within_specs_are_bounded() {
    let game = registry::standard().game("checkers").unwrap();
    let nested = |depth: usize| {
        let spec = "deepening(eval=".to_owned() + &"endgames(eval=".repeat(depth);
        let spec = spec + "own" + &")".repeat(depth + 1);
        game.player(&spec).map(|player| player.spec().to_owned()).unwrap_err().to_string()
    };
    assert!(nested(1).contains("no table is given"), "{}", nested(1));
    let deep = nested(100_000);
    assert!(deep.contains("expected at most 16 parentheses within each other"), "{deep:.200}");
}

fn game_error(text: &str) -> String {
    registry::standard().game(text).map(|game| game.spec().to_owned()).unwrap_err().to_string()
}

fn state_error(game: &str, text: &str) -> String {
    registry::standard().game(game).unwrap().read(text).map(|p| p.show()).unwrap_err().to_string()
}

#[test]
fn an_unknown_name_is_an_error_that_suggests_similar_ones() {
    assert!(
        game_error("conect4").contains("no game is called \"conect4\", did you mean connect4?")
    );
    assert!(game_error("zzz").ends_with(
        "no game is called \"zzz\"; there are matches, divide, dice, marienbad, hexapawn, morpion, tictactoe, connect4, othello, hex, breakthrough, domineering, quarto, checkers, go, morris, kalah, dotsandboxes, gomoku, ultimate-tictactoe, hextris, hextris-placements"
    ));
    let game = registry::standard().game("matches").unwrap();
    let error = game.player("minmax").map(|player| player.spec().to_owned()).unwrap_err();
    assert!(error.to_string().contains("did you mean minimax?"), "{error}");
}

#[test]
fn an_invalid_parameter_is_an_error_that_says_what_is_allowed() {
    assert_eq!(game_error("matches(0)"), "matches: n = 0 is not allowed; n is 1 to 1000");
    assert_eq!(game_error("morpion(size=4)"), "morpion: size = 4 is not allowed; size is 3, 5, 7");
    assert_eq!(
        game_error("connect4(9, 7)"),
        "connect4: 9 columns of 7 rows do not fit: 9·(7+1) = 72 is more than 64"
    );
    assert_eq!(
        game_error("hexapawn(9, 8)"),
        "hexapawn: 9 rows of 8 make 72 cells, and the board holds at most 64"
    );
    assert_eq!(
        game_error("hexapawn(3, 2, cylinder)"),
        "hexapawn: a cylinder needs at least 3 columns"
    );
    assert!(game_error("marienbad(3, quarter)").contains("n = 3 is not allowed; n is 4 to 60"));
    assert!(game_error("matches(99999999999999999999)").contains("is not allowed"));
}

#[test]
fn an_invalid_state_is_an_error_that_says_what_is_wrong_and_where() {
    assert_eq!(
        state_error("tictactoe", "xo./.z./..."),
        "expected a cell, one of \".xo\", at character 6 of \"xo./.z./...\""
    );
    assert!(state_error("tictactoe", "xxx/.../...").contains("3 x and 0 o are impossible"));
    assert!(
        state_error("tictactoe", "xxx/ooo/x..")
            .contains("second had already won before the last move")
    );
    assert!(state_error("connect4(4,4)", "..../.x../..../....").contains("an empty cell below it"));
    assert!(state_error("matches", "14 first").contains("there are only 13 matches"));
    assert!(state_error("matches", "5 third").contains("first or second, at character 3"));
    assert!(
        state_error("hexapawn", "xxx/.../ooo first!")
            .contains("expected nothing more at character 18")
    );
    assert!(state_error("morpion", "xox/oxo/xox").contains("one cell always stays empty"));
}

#[test]
fn an_illegal_move_is_an_error_that_lists_the_legal_ones() {
    let mut position = registry::standard().game("matches(2)").unwrap().start();
    assert_eq!(position.play("3").unwrap_err().to_string(), "\"3\": not a legal move; legal: 1 2");
    position.play("2").unwrap();
    assert!(position.play("1").unwrap_err().to_string().contains("the game is over"));
    let mut position = registry::standard().game("connect4").unwrap().start();
    let error = position.play_line("4445x").unwrap_err();
    assert_eq!(error.number, 5);
    assert_eq!(position.show(), "......./......./......./...x.../...o.../...xo..");
}

#[test]
fn a_move_of_two_cells_is_read_in_either_order() {
    for (game, moves) in [("domineering", ["a2a1", "a1a2"]), ("dotsandboxes", ["a1b1", "b1a1"])] {
        let start = registry::standard().game(game).unwrap().start();
        let read = moves.map(|text| start.canonical_move(text).unwrap());
        assert_eq!(read[0], read[1], "{game}");
        assert!(start.canonical_move("a1").is_err() && start.canonical_move("a1é").is_err());
    }
}
