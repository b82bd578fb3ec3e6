//! What patterns promise: the kernel counts like a child, symmetric states are worth the same,
//! the slopes are slopes, everything repeats, and what is damaged is refused.

use super::indexer::naive;
use super::*;
use crate::evaluator::{Evaluator, WIN};
use crate::game::Game;
use crate::games::checkers::{self, Checkers, rules};
use crate::games::connect4::Connect4;
use crate::games::hexapawn::Hexapawn;
use crate::games::morpion::{AfterPlacing, Morpion};
use crate::games::tictactoe::TicTacToe;
use crate::outcome::Duel;
use crate::random::Rng;
use crate::search::transposition_table::TranspositionTable;

fn draughts(name: &str) -> Checkers {
    let rules = rules::CheckersRules::named(name).unwrap();
    Checkers::new(rules, rules.size)
}

/// States of random games in which the game goes on.
fn states<G: Game>(g: &G, count: usize) -> Vec<G::State> {
    let (mut rng, mut moves, mut found) = (Rng::new(3), Vec::new(), Vec::new());
    while found.len() < count {
        let mut s = g.start();
        while g.status(&s).turn().is_some() && found.len() < count {
            found.push(s.clone());
            moves.clear();
            g.moves(&s, &mut moves);
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }
    found
}

/// A model whose weights are noise.
fn noise<G: GridGame>(g: &G, spec: &str, phases: u32) -> PatternModel {
    let mut model = PatternModel::blank(g, spec, phases);
    let mut rng = Rng::new(9);
    model.weights.iter_mut().for_each(|weight| *weight = rng.below(2001) as i16 - 1000);
    model
}

fn kernel_counts<G: GridGame>(g: &G) {
    let shape = PatternShape::suited(g, 1);
    let kernel = PatternIndexer::new(&shape);
    for s in states(g, 300) {
        let men = g.pieces(&s).men;
        let mut found = Vec::new();
        kernel.indices(men, |_, indices| found.extend_from_slice(indices));
        for (t, &index) in found.iter().enumerate().take(shape.tuples.len()) {
            assert_eq!(u32::from(index), naive(&shape, men, t), "pattern {t} of {s:?}");
        }
    }
}

#[test]
fn the_kernel_finds_the_indices_that_counting_digits_finds() {
    kernel_counts(&draughts("simple"));
    kernel_counts(&draughts("international"));
    kernel_counts(&Connect4::STANDARD);
    kernel_counts(&Morpion::new(7, false, AfterPlacing::Place));
    kernel_counts(&Hexapawn::new(4, 5, false, false));
    kernel_counts(&TicTacToe);
}

#[test]
fn boards_of_draughts_are_seen_through_windows_of_eight_squares() {
    let shape = PatternShape::suited(&draughts("simple"), 2);
    assert_eq!(shape.tuples.len(), 25);
    assert!(shape.tuples.iter().all(|tuple| tuple.len() == 8));
    // No kings: five counts beside the patterns.
    assert_eq!(shape.weights(), 2 * (25 * 6561 + 5));
    assert_eq!(PatternShape::suited(&draughts("international"), 1).tuples.len(), 49);
}

/// Every image of a state is worth what the state is.
fn images_are_worth_the_same<G: GridGame<Outcome = Duel>>(g: &G) {
    let judge = PatternEvaluator::new(&noise(g, "", 3));
    let mut values = std::collections::HashSet::new();
    assert!(!g.symmetries().is_empty());
    for s in states(g, 200) {
        let value = judge.value(g, &s);
        values.insert(value);
        for symmetry in g.symmetries() {
            let image = g.transform(&s, symmetry);
            assert_eq!(judge.value(g, &image), value, "{symmetry:?} of {s:?}");
        }
    }
    assert!(values.len() > 20, "noise tells states apart");
}

#[test]
fn images_of_a_state_are_worth_the_same_by_construction() {
    images_are_worth_the_same(&Connect4::STANDARD);
    images_are_worth_the_same(&TicTacToe);
    images_are_worth_the_same(&Morpion::new(5, false, AfterPlacing::Place));
    images_are_worth_the_same(&Hexapawn::new(4, 4, false, false));
}

/// The board turned by half and the sides exchanged, square by square.
fn exchanged(g: &Checkers, s: &checkers::CheckersState) -> checkers::CheckersState {
    let squares: Vec<u8> = g.squares().collect();
    let turned = |set: u64| {
        let pairs = squares.iter().zip(squares.iter().rev());
        pairs.filter(|(from, _)| set >> **from & 1 == 1).fold(0, |set, (_, to)| set | 1 << to)
    };
    checkers::CheckersState {
        pieces: [turned(s.pieces[1]), turned(s.pieces[0])],
        kings: turned(s.kings),
        turn: s.turn.other(),
        quiet: s.quiet,
    }
}

#[test]
fn checkers_with_sides_exchanged_and_the_board_turned_is_worth_the_same() {
    for name in ["simple", "russian", "english", "frisian"] {
        let g = draughts(name);
        let judge = PatternEvaluator::new(&noise(&g, name, 2));
        for s in states(&g, 400) {
            let other = exchanged(&g, &s);
            assert_eq!(judge.value(&g, &s), judge.value(&g, &other), "{name}: {s:?}");
        }
    }
}

#[test]
fn no_opinion_is_certain_however_large_the_weights() {
    let g = draughts("brazilian");
    for extreme in [i16::MIN, i16::MAX] {
        let mut model = PatternModel::blank(&g, "", 1);
        model.weights.fill(extreme);
        let judge = PatternEvaluator::new(&model);
        assert!(states(&g, 300).iter().all(|s| judge.value(&g, s).abs() < WIN));
    }
}

/// Some lessons with targets of all kinds.
fn some_lessons<G: GridGame<Outcome = Duel>>(g: &G, count: usize) -> Vec<TrainingExample> {
    let mut rng = Rng::new(4);
    let lesson = |s| TrainingExample { pieces: g.pieces(&s), target: rng.unit() as f32 };
    states(g, count).into_iter().map(lesson).collect()
}

fn slopes_are_slopes<G: GridGame<Outcome = Duel>>(g: &G) {
    let model = noise(g, "", 2);
    let weights: Vec<f32> = model.weights.iter().map(|&w| f32::from(w) * UNIT).collect();
    for lesson in some_lessons(g, 200).iter().step_by(37) {
        let mut slopes = std::collections::BTreeMap::new();
        for (weight, slope) in gradient(&model.shape, &weights, lesson) {
            *slopes.entry(weight).or_insert(0.0) += slope;
        }
        for (weight, slope) in slopes {
            let moved = |by: f32| {
                let mut weights = weights.clone();
                weights[weight as usize] += by;
                loss(&model.shape, &weights, std::slice::from_ref(lesson))
            };
            let measured = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!((measured - slope).abs() < 2e-3 * (1.0 + slope.abs()), "{measured} {slope}");
        }
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    slopes_are_slopes(&TicTacToe);
    slopes_are_slopes(&draughts("english"));
}

/// Games of self-play by a model.
fn games<G: GridGame<Outcome = Duel>>(
    g: &G,
    model: &PatternModel,
    numbers: std::ops::Range<u64>,
) -> Vec<SelfPlayGame> {
    let judge = (!model.is_blank()).then(|| PatternEvaluator::new(model));
    let playing = SelfPlayOptions { depth: 2, opening: 6, longest: 200, seed: 5 };
    let table = TranspositionTable::growing(1);
    numbers.map(|number| play(g, judge.as_ref(), &playing, &table, number)).collect()
}

#[test]
fn self_play_and_training_repeat_from_their_seeds() {
    let g = Connect4::new(5, 4);
    let train = |seed: u64| {
        let mut model = PatternModel::blank(&g, "", 1);
        let first = games(&g, &model, 0..60);
        model.train(&g, first.iter(), &PatternTraining::default(), seed).unwrap();
        let second = games(&g, &model, 0..40);
        // A game depends on its number alone, not on those the same thread played before.
        assert_eq!(games(&g, &model, 30..40), second[30..]);
        let trained = model.train(&g, second.iter(), &PatternTraining::default(), seed).unwrap();
        (model.weights, second, trained)
    };
    let (weights, second, trained) = train(1);
    assert_eq!((weights.clone(), second, trained), train(1));
    assert_ne!(weights, train(2).0);
}

#[test]
fn training_foresees_held_out_games_better() {
    let g = draughts("simple");
    let mut model = PatternModel::blank(&g, "", 1);
    let played = games(&g, &model, 0..400);
    let trained = model.train(&g, played.iter(), &PatternTraining::default(), 1).unwrap();
    assert!((trained.before - 2_f32.ln()).abs() < 1e-4, "{trained:?}");
    assert!(trained.after < 0.6, "{trained:?}");
    // A man more is worth having, and the other's is not.
    let counts = model.shape.counts_at() as usize;
    assert!(model.weights[counts] > 0 && model.weights[counts + 1] < 0);
}

#[test]
fn a_model_survives_its_bytes_and_none_that_was_cut_or_changed_is_read() {
    let g = TicTacToe;
    let mut model = noise(&g, "tictactoe", 2);
    model.weights[100..3000].fill(0);
    model.training = serde_json::json!({"rounds": 3});
    let bytes = model.write();
    assert_eq!(PatternModel::read(&bytes, &g, "tictactoe"), Ok(model.clone()));
    for end in (0..bytes.len()).step_by(13) {
        assert!(PatternModel::read(&bytes[..end], &g, "tictactoe").is_err(), "cut at {end}");
    }
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let error = PatternModel::read(&changed, &g, "tictactoe").unwrap_err().to_string();
        assert!(!error.is_empty() && !error.ends_with('.'), "changed at {at}: {error}");
    }
    let error = |bytes: &[u8], spec| PatternModel::read(bytes, &g, spec).unwrap_err().to_string();
    assert_eq!(error(&bytes, "morpion"), "the model is for tictactoe, and the game is morpion");
    assert_eq!(error(b"PK", "x"), "this is no model of patterns: it does not begin with LPAT");
}

/// Bytes of a header and weights with the right checksum.
fn sealed(header: &str, weights: &[u8]) -> Vec<u8> {
    let mut bytes = b"LPAT\x01\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(weights);
    let sum = file::checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

#[test]
fn a_model_that_is_whole_but_makes_no_sense_gets_a_sentence() {
    let read = |header: &str, weights: &[u8]| {
        PatternModel::read(&sealed(header, weights), &TicTacToe, "tictactoe")
            .unwrap_err()
            .to_string()
    };
    let header = |phases: &str, patterns: &str| {
        format!(r#"{{"game":"tictactoe","phases":{phases},"patterns":{patterns},"training":null}}"#)
    };
    assert!(read("{", &[]).contains("its header does not read"));
    assert!(read(&header("9", "[]"), &[]).contains("9 phases; 1 to 8 are allowed"));
    assert!(read(&header("1", "[[0,9]]"), &[]).contains("different cells below 9"));
    assert!(read(&header("1", "[[0,0]]"), &[]).contains("different cells below 9"));
    // A pattern of one cell and five counts are eight weights; here are seven, nine, too large ones.
    for weights in [&[0, 6][..], &[0, 8], &[0, 7, 2], &[255, 255, 255, 127, 0, 6]] {
        let error = read(&header("1", "[[4]]"), weights);
        assert!(error.contains("it has not the"), "{weights:?}: {error}");
    }
}

#[test]
fn a_kept_game_survives_its_bytes_and_none_that_was_cut_is_read() {
    let g = draughts("simple");
    let model = noise(&g, "", 1);
    for record in
        games(&g, &model, 0..3).into_iter().chain(games(&g, &PatternModel::blank(&g, "", 1), 0..3))
    {
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        let mut rest = bytes.as_slice();
        assert_eq!(SelfPlayGame::take(&mut rest), Ok(record.clone()));
        assert!(rest.is_empty());
        for end in 0..bytes.len() {
            assert_eq!(
                SelfPlayGame::take(&mut &bytes[..end]),
                Err(SelfPlayGameError),
                "cut at {end}"
            );
        }
        let mut wrong = record;
        wrong.moves[0] = 99;
        assert_eq!(wrong.replay(&g, |_, _, _| {}), Err(SelfPlayGameError));
    }
}
