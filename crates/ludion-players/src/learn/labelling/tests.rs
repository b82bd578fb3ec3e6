use super::*;
use crate::archive::file_format::{BlockSource, file_header};
use crate::archive::{
    AnyArchiveGenerator, ArchiveGenerator, GameBlock, GeneratorPlayers, GeneratorSettings,
};
use crate::game::Game;
use crate::player::Budget;
use ludion::games::checkers::{Checkers, rules};
use ludion::games::tictactoe::TicTacToe;
use std::sync::Arc;

fn simple_rules() -> Checkers {
    Checkers::new(rules::SIMPLE, 8)
}

/// Returns the states of a game in which the first side captures the last man of the second.
fn game_without_second_men(g: &Checkers) -> Vec<<Checkers as Game>::State> {
    let mut s = g.read_state("W:W22,31:B10").unwrap();
    let mut states = vec![s];
    for m in ["22-17", "10-14", "17x10"] {
        let m = g.read_move(&s, m).unwrap();
        g.play(&mut s, m);
        states.push(s);
    }
    assert_eq!(g.status(&s), crate::game::Status::Over(Duel::Won(Side::First)));
    states
}

fn targets(label: Label, lost: LoserLabel) -> Vec<f64> {
    let (g, labelling) = (simple_rules(), Labelling { label, lost });
    let encoder = RowEncoder::new(&g, labelling);
    let mut rows = LabelledRows::new(encoder.width());
    let states = game_without_second_men(&g);
    encoder.label_game(&g, &states, Duel::Won(Side::First), &mut rows);
    rows.targets().to_vec()
}

#[test]
fn parity_labels_the_wrong_winner_if_all_men_are_captured() {
    let root = |d: f64| 1.0 / d.sqrt();
    assert_eq!(targets(Label::Distance, LoserLabel::Negative), [root(3.0), -root(2.0), 1.0]);
    assert_eq!(targets(Label::Parity, LoserLabel::Negative), [-root(3.0), root(2.0), -1.0]);
    assert_eq!(targets(Label::Distance, LoserLabel::Zero), [root(3.0), 0.0, 1.0]);
    assert_eq!(targets(Label::Parity, LoserLabel::Zero), [0.0, root(2.0), 0.0]);
    // The number of captures that the side that moved still makes after each of the three moves.
    assert_eq!(targets(Label::Captures, LoserLabel::Zero), [1.0, 0.0, 0.0]);
}

#[test]
fn both_sides_see_the_same_board_if_the_position_is_rotated() {
    let g = simple_rules();
    let labelling = Labelling { label: Label::WinLoss, lost: LoserLabel::Negative };
    let keys = |first: &str, m: &str, side| {
        let before = g.read_state(first).unwrap();
        let after = g.after(&before, g.read_move(&before, m).unwrap());
        let encoder = RowEncoder::new(&g, labelling);
        let mut rows = BitRows::new(encoder.width());
        encoder.push(&g, &before, &after, side, &mut rows);
        rows
    };
    // Square n, seen from the other side, is square 33 − n.
    let first = keys("W:W22,31:B10,3", "22-17", Side::First);
    let second = keys("B:B11,2:W23,30", "11-16", Side::Second);
    assert_eq!(first, second);
    assert_eq!((first.width(), first.row(0)[0].count_ones()), (128, 4));
}

fn archive(spec: &str, games: u32) -> Vec<u8> {
    let mut simulator = ArchiveGenerator::new(Arc::new(simple_rules()), GeneratorPlayers::Random);
    let random = || "random".to_owned();
    let cast =
        GeneratorSettings { players: [random(), random()], budget: Budget::UNLIMITED, opening: 0 };
    let source = BlockSource { settings: cast, seed: 1, version: "test".to_owned() };
    let block = simulator.block(1, 0, games).unwrap();
    [
        file_header(spec),
        ArchiveRecord::Source(source).to_bytes(),
        ArchiveRecord::Games(block).to_bytes(),
    ]
    .concat()
}

#[test]
fn every_move_of_an_archive_is_a_sample_and_captures_add_up() {
    let (g, bytes) = (simple_rules(), archive("checkers", 30));
    let labelling = Labelling { label: Label::Captures, lost: LoserLabel::Zero };
    let mut games = 0;
    labelling
        .each_game((&g, "checkers"), &bytes, &mut |samples| {
            games += 1;
            // The number of captures still to come never grows, and ends at 0.
            for side in 0..2 {
                let own: Vec<f64> =
                    samples.targets().iter().copied().skip(side).step_by(2).collect();
                assert!(own.is_sorted_by(|a, b| a >= b) && own.iter().all(|t| *t >= 0.0));
            }
            assert_eq!(samples.targets().last(), Some(&0.0));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(games, 30);
}

#[test]
fn invalid_archives_and_games_are_rejected() {
    let (g, bytes) = (simple_rules(), archive("checkers", 5));
    let labelling = Labelling { label: Label::Distance, lost: LoserLabel::Zero };
    let refused = |g: &Checkers, spec: &str, bytes: &[u8]| {
        let read = labelling.each_game((g, spec), bytes, &mut |_| ControlFlow::Continue(()));
        read.unwrap_err().to_string()
    };
    assert!(refused(&g, "checkers", b"something else").starts_with("not an archive of games"));
    assert_eq!(
        refused(&g, "checkers", &archive("checkers", 0)),
        "there are no games to learn from"
    );
    let cut = refused(&g, "checkers", &bytes[..bytes.len() - 1]);
    assert_eq!(cut, "there are no games to learn from");
    let other = [
        file_header("connect4"),
        ArchiveRecord::Games(GameBlock { first: 0, count: 0, digits: vec![] }).to_bytes(),
    ];
    let message = refused(&g, "checkers", &other.concat());
    assert_eq!(message, "the games are of connect4, not of checkers");
}

#[test]
fn captures_are_labels_of_games_with_captures_only() {
    let read = |label| {
        let labelling = Labelling { label, lost: LoserLabel::Zero };
        let game = (&TicTacToe, "tictactoe");
        let read = labelling.each_game(game, b"", &mut |_| ControlFlow::Continue(()));
        read.unwrap_err().to_string()
    };
    for (label, name) in [(Label::Captures, "captures"), (Label::Parity, "parity")] {
        let sentence = "is a label for games in which pieces are captured, such as checkers; for \
                        tictactoe distance and winloss are allowed";
        assert_eq!(read(label), format!("{name} {sentence}"));
    }
    assert!(read(Label::WinLoss).starts_with("not an archive of games"));
}

#[test]
fn a_row_has_the_features_of_both_states_one_after_the_other() {
    let (g, labelling) = (TicTacToe, Labelling { label: Label::WinLoss, lost: LoserLabel::Zero });
    let encoder = RowEncoder::new(&g, labelling);
    let before = g.start();
    let after = g.after(&before, g.read_move(&before, "b2").unwrap());
    let mut rows = BitRows::new(encoder.width());
    encoder.push(&g, &before, &after, Side::First, &mut rows);
    let mut features = Vec::new();
    g.features(&after, Side::First, &mut features);
    let shift = g.encoding().features();
    let set: Vec<u32> = (0..encoder.width())
        .filter(|i| rows.row(0)[i / 64] >> (i % 64) & 1 == 1)
        .map(|i| i as u32)
        .collect();
    let mut expected = Vec::new();
    g.features(&before, Side::First, &mut expected);
    expected.extend(features.iter().map(|f| f + shift as u32));
    assert_eq!(set, expected);
}

#[test]
fn labellings_parse_from_their_text() {
    for label in Label::ALL {
        for lost in [LoserLabel::Negative, LoserLabel::Zero] {
            let labelling = Labelling { label, lost };
            let read: Labelling = labelling.to_string().parse().unwrap();
            assert_eq!(read.to_string(), labelling.to_string());
            assert!(!label.is_of_moves() || read == labelling);
        }
    }
    assert!("wins(zero)".parse::<Labelling>().is_err());
}
