use super::*;
use crate::archive::file_format::{BlockSource, file_header};
use crate::archive::{AnySimulator, GameBlock, SimulatedPlayers, SimulationSettings, Simulator};
use crate::game::Game;
use crate::games::checkers::{Checkers, rules};
use crate::player::Budget;
use std::sync::Arc;

fn seed_rules() -> Checkers {
    Checkers::new(rules::SEED, 8)
}

/// A game by hand: the first side captures the last man of the second.
fn wipe_out(g: &Checkers) -> Vec<<Checkers as Game>::State> {
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

fn targets(label: Label, lost: LossLabel) -> Vec<f64> {
    let (g, lesson) = (seed_rules(), Labelling { label, lost });
    let samples = lesson.samples(&g, &wipe_out(&g), Duel::Won(Side::First));
    samples.into_iter().map(|sample| sample.target).collect()
}

#[test]
fn a_wipe_out_is_the_winners_by_its_result_and_the_losers_by_parity() {
    let root = |d: f64| 1.0 / d.sqrt();
    assert_eq!(targets(Label::Distance, LossLabel::Negative), [root(3.0), -root(2.0), 1.0]);
    assert_eq!(targets(Label::Parity, LossLabel::Negative), [-root(3.0), root(2.0), -1.0]);
    assert_eq!(targets(Label::Distance, LossLabel::Zero), [root(3.0), 0.0, 1.0]);
    assert_eq!(targets(Label::Parity, LossLabel::Zero), [0.0, root(2.0), 0.0]);
    // What whoever moved still captures after the move: one, none, and none that is left.
    assert_eq!(targets(Label::Captures, LossLabel::Zero), [1.0, 0.0, 0.0]);
}

#[test]
fn both_sides_see_the_same_board_when_they_change_places() {
    let g = seed_rules();
    let lesson = Labelling { label: Label::WinLoss, lost: LossLabel::Negative };
    let keys = |first: &str, m: &str, side| {
        let before = g.read_state(first).unwrap();
        let after = g.after(&before, g.read_move(&before, m).unwrap());
        lesson.key(&g, &before, &after, side)
    };
    // Square n is square 33 - n from the other side.
    let first = keys("W:W22,31:B10,3", "22-17", Side::First);
    let second = keys("B:B11,2:W23,30", "11-16", Side::Second);
    assert_eq!(first, second);
    assert_eq!((first as u64).count_ones(), 4);
}

fn archive(spec: &str, games: u32) -> Vec<u8> {
    let mut simulator = Simulator::new(Arc::new(seed_rules()), SimulatedPlayers::Random);
    let random = || "random".to_owned();
    let cast =
        SimulationSettings { players: [random(), random()], budget: Budget::UNLIMITED, opening: 0 };
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
    let (g, bytes) = (seed_rules(), archive("checkers", 30));
    let lesson = Labelling { label: Label::Captures, lost: LossLabel::Zero };
    let mut games = 0;
    lesson
        .each_game((&g, "checkers"), &bytes, &mut |samples| {
            games += 1;
            // The captures to come of a side never grow, and end at none.
            for side in 0..2 {
                let own: Vec<f64> =
                    samples.iter().skip(side).step_by(2).map(|sample| sample.target).collect();
                assert!(own.is_sorted_by(|a, b| a >= b) && own.iter().all(|t| *t >= 0.0));
            }
            assert_eq!(samples.last().map(|sample| sample.target), Some(0.0));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(games, 30);
}

#[test]
fn what_cannot_be_learned_from_is_refused_in_a_sentence() {
    let (g, bytes) = (seed_rules(), archive("checkers", 5));
    let lesson = Labelling { label: Label::Distance, lost: LossLabel::Zero };
    let refused = |g: &Checkers, spec: &str, bytes: &[u8]| {
        let read = lesson.each_game((g, spec), bytes, &mut |_| ControlFlow::Continue(()));
        read.unwrap_err().to_string()
    };
    assert_eq!(refused(&g, "checkers", b"something else"), "not an archive of games");
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
    let said = refused(&g, "checkers", &other.concat());
    assert_eq!(said, "the games are of connect4, not of checkers");
    let kings = Checkers::new(rules::CheckersRules::named("english").unwrap(), 8);
    let said = refused(&kings, "checkers(english)", &bytes);
    assert!(said.starts_with("checkers(english) is no game of men alone"), "{said}");
}

#[test]
fn lessons_are_read_as_they_are_written() {
    for label in Label::ALL {
        for lost in [LossLabel::Negative, LossLabel::Zero] {
            let lesson = Labelling { label, lost };
            let read: Labelling = lesson.to_string().parse().unwrap();
            assert_eq!(read.to_string(), lesson.to_string());
            assert!(!label.is_of_moves() || read == lesson);
        }
    }
    assert!("wins(zero)".parse::<Labelling>().is_err());
}
