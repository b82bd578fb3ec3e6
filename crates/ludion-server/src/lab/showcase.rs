//! The positions in the pictures of the games, in the order of the gallery: the games that most people
//! know first. They are from games of players, because a random game looks like none. Games that are not
//! listed come last, with a position of a random game.

/// Names of games, each with moves from the start.
const POSITIONS: &[(&str, &str)] = &[
    ("connect4", "4 4 4 4 1 2 1 1 1 6 6 6 6 4 6 4 6 1 7"),
    (
        "checkers",
        "24-20 9-13 22-17 13x22 26x17 11-15 25-22 15-19 23x16 12x19 17-13 8-11 22-17 11-15 \
         27-24 10-14 17x10 7x14 30-26 4-8 29-25 3-7 32-27 6-9 13x6 2x9",
    ),
    ("othello", "e6 d6 c6 f6 g6 d7 c3 f3 d8 c4 b3 b4 e3 c2 d1 a3 c5 e7 g3 h6 g7 c1 b2 d2 c7 h8"),
    (
        "go",
        "H5 E5 F4 E7 D3 F6 E4 C2 D6 D5 C3 G7 F5 E6 B5 C5 G5 B4 B3 A5 B6 C4 G8 H7 A4 A3 E8 F8 \
         D8 B8 B7 C6 C7 A4",
    ),
    (
        "hex",
        "e8 g6 e7 e6 f5 f6 d5 d7 i5 h6 i6 h7 i7 i8 h8 i4 h5 h4 g5 h9 g9 g3 e5 g10 f10 d4 f3 \
         g2 f2 f11 e11 c10 f4",
    ),
    ("gomoku", "c5 i12 h5 l10 l8 c2 e9 d10 h4 h12 h3 h2 i5 h6 j5 n8 g5"),
    ("tictactoe", "b1 b3 c3 a1 a3"),
    (
        "ultimate-tictactoe",
        "e5 d4 c1 g3 b9 f8 h4 f3 i8 h6 f7 i1 h2 e4 d2 a5 a6 c8 i6 g8 b6 e9 e7 f2 i5 i4",
    ),
    ("morris", "f6 f4 d6 b6 d5 d7 c5 e5 c4 c3 b4 a4 a7 e4 g4 e3 xg4 g7 g4 xb4 c4-b4 c3-c4"),
    ("kalah", "3 6 2 1 5 3 6 2 6"),
    (
        "dotsandboxes",
        "d2d3 a4a5 d3e3 c4d4 c3c4 b3b4 e1e2 c1c2 a1a2 a4b4 c4c5 e2e3 d2e2 c2d2 b1b2 d1e1 d1d2 \
         c1d1 b5c5 b2b3 d5e5 d4e4 a2a3 c2c3 c3d3 d3d4",
    ),
    (
        "breakthrough",
        "c2d3 b7b6 d3e4 b6c5 e4d5 c5c4 f2e3 h7g6 d1c2 g6f5 b2c3 f5e4 g1f2 g7f6 e3d4 f6e5 d4c5 \
         e5f4 c5c6 d7c6 d5c6 d8d7 c3b4 d7c6",
    ),
    ("quarto", "1 d3 3 d1 e b1 4 b3 d a1 c d2 9 c1"),
    ("domineering", "b8b7 a2b2 d8d7 a4b4 a6a5 b5c5 e6e5 g2h2 f8f7 g7h7 g6g5 g4h4 d2d1 e2f2"),
    ("hexapawn", "b3-b2 c1xb2"),
    ("matches", ""),
    ("marienbad", "1:4"),
    ("divide", "A16"),
    ("dice", "4 1"),
    ("morpion", "b1 b3 a3 a1"),
    ("hextris", "a p b l k p"),
    ("hextris-placements", "0.1r3 4.2 4.0 2.0 3.1 2.2"),
];

/// Returns the place of a game in the gallery.
pub(super) fn place(game: &str) -> usize {
    POSITIONS.iter().position(|(name, _)| *name == game).unwrap_or(POSITIONS.len())
}

/// Returns the variant that people know by the name of a game, if it is not the default one.
pub(super) fn variant(game: &str) -> Option<&'static str> {
    (game == "checkers").then_some("checkers(rules=english)")
}

/// Returns the moves that lead to the position in the picture of a game, if it is listed.
pub(super) fn moves(game: &str) -> Option<&'static str> {
    POSITIONS.iter().find(|(name, _)| *name == game).map(|(_, moves)| *moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_one_of_its_game_and_goes_on() {
        let registry = ludion::registry::standard();
        for (name, moves) in POSITIONS {
            let mut position = registry.game(name).expect("a game").start();
            for m in moves.split_whitespace() {
                position.play(m).unwrap_or_else(|error| panic!("{name}, {m}: {error}"));
            }
            assert!(!position.moves().is_empty(), "{name} is over");
        }
        assert!(
            registry.games().iter().all(|entry| moves(&entry.name).is_some()),
            "all are listed"
        );
    }
}
