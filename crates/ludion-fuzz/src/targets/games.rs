//! Specs of games and players, states and moves of every game.

use ludion::games::connect4::Connect4;
use ludion::games::connect4::book::{BookEntries, OpeningBook};
use ludion::spec::Spec;

use super::{error, first_line, registry, text, variant};
use crate::FuzzTarget;

const SPEC_TOKENS: &[&str] = &[
    "(",
    ")",
    ",",
    "=",
    "\"",
    "\\",
    "?",
    "..",
    "|",
    "connect4",
    "checkers",
    "matches",
    "hextris",
    "tictactoe",
    "hexapawn",
    "morpion",
    "marienbad",
    "dice",
    "divide",
    "kalah",
    "dotsandboxes",
    "gomoku",
    "ultimate-tictactoe",
    "mcts",
    "uct",
    "minimax",
    "deepening",
    "montecarlo",
    "random",
    "knn",
    "mlp",
    "bot",
    "solver",
    "sims=",
    "depth=",
    "eval=",
    "playouts(10)",
    "patterns(m)",
    "none",
    "own",
    "prior=",
    "select=",
    "puct",
    "ucb1",
    "parallel=",
    "tree",
    "leaf",
    "threads=",
    "table=",
    "seed=",
    "misere",
    "yes",
    "no",
    "width=",
    "height=",
];

/// Specs of games: the syntax and the parameters of every game.
pub(super) const GAME_SPEC: FuzzTarget = FuzzTarget {
    name: "game_spec",
    about: "spec of a game, such as connect4(7, 6)",
    tokens: SPEC_TOKENS,
    run: |input| {
        let text = text(input);
        let parsed = Spec::parse(&text).map_err(error)?;
        assert_eq!(
            Spec::parse(&parsed.to_string()).as_ref(),
            Ok(&parsed),
            "the spec written again"
        );
        let game = registry().game(&text).map_err(error)?;
        let again = registry().game(game.spec()).map_err(error).expect("the canonical spec");
        assert_eq!(again.spec(), game.spec());
        let start = game.start();
        assert!(game.read(&start.show()).is_ok_and(|read| read.key() == start.key()));
        Ok(())
    },
};

/// Specs of players: the first line is a game, the rest the spec.
pub(super) const PLAYER_SPEC: FuzzTarget = FuzzTarget {
    name: "player_spec",
    about: "spec of a player for a game, such as mcts(sims=100)",
    tokens: SPEC_TOKENS,
    run: |input| {
        let (line, spec) = first_line(input);
        let game = variant(&line)?;
        let player = game.player(&spec).map_err(error)?;
        let again = game.player(player.spec()).map_err(error).expect("the canonical spec");
        assert_eq!(again.spec(), player.spec());
        Ok(())
    },
};

/// States: the first line is a game, the rest a state in its notation.
pub(super) const STATE: FuzzTarget = FuzzTarget {
    name: "state",
    about: "state of every game in its notation",
    tokens: &[
        "first", "second", " ", "/", ".", "x", "o", "W", "B", "K", ":", ",", "-", "face", "[", "]",
        "(", ")", "0", "1", "64", "over",
    ],
    run: |input| {
        let (line, state) = first_line(input);
        let game = variant(&line)?;
        let position = game.read(&state).map_err(error)?;
        let shown = position.show();
        let again = game.read(&shown).map_err(error);
        let again = again.unwrap_or_else(|why| panic!("{shown:?} is not read again: {why}"));
        assert_eq!((again.show(), again.key()), (shown, position.key()));
        let (_, _) = (position.status(), position.scene());
        for play in position.moves().into_iter().take(3) {
            let mut after = position.copy();
            after.play(&play).map_err(error).expect("a legal move");
            let shown = after.show();
            let read = game.read(&shown).map_err(error);
            let read =
                read.unwrap_or_else(|why| panic!("{shown:?} after {play} is no state: {why}"));
            assert_eq!(read.show(), shown);
        }
        Ok(())
    },
};

/// Moves: the first line is a game, the rest moves from its start.
pub(super) const MOVES: FuzzTarget = FuzzTarget {
    name: "moves",
    about: "moves of every game from its start",
    tokens: &[" ", ",", "-", "x", "a1", "b2", "1", "4", "11-15", "SW", "E", "roll", "hold"],
    run: |input| {
        let (line, moves) = first_line(input);
        let mut position = variant(&line)?.start();
        position.play_line(&moves).map_err(error)?;
        Ok(())
    },
};

/// Positions of Connect Four as the columns played.
pub(super) const CONNECT4_SEQUENCE: FuzzTarget = FuzzTarget {
    name: "connect4_sequence",
    about: "position of Connect Four as the columns played, such as 44455",
    tokens: &["1", "4", "7", "444444", " "],
    run: |input| {
        Connect4::new(7, 6).read_move_sequence(&text(input)).map_err(error)?;
        Ok(())
    },
};

/// Opening books of Connect Four. The checksum of the input is made right.
pub(super) const CONNECT4_BOOK: FuzzTarget = FuzzTarget {
    name: "connect4_book",
    about: "opening book of Connect Four, with a right checksum",
    tokens: &["LC4B", "\u{1}", "\u{2}", "\u{3}", "@", "\0"],
    run: |input| {
        // The positions of books with many plies take long to list.
        if input.get(5).is_some_and(|&plies| plies > 5) {
            return Err("a book of many plies".to_owned());
        }
        const HEADER: usize = 10;
        let mut bytes = input.to_vec();
        if bytes.len() >= HEADER {
            let sum = crc32fast::hash(&bytes[HEADER..]).to_le_bytes();
            bytes[HEADER - 4..HEADER].copy_from_slice(&sum);
        }
        let entries = BookEntries::read(&bytes).map_err(error)?;
        assert_eq!(entries.to_bytes(), bytes, "the book written again");
        let _ = OpeningBook::new(&entries);
        Ok(())
    },
};
