//! Properties of pattern models: indices agree with the definition, symmetric states have the same
//! value, gradients agree with finite differences, training is reproducible, and damaged files are
//! rejected.

use super::indexer::naive;
use super::*;
use crate::evaluator::{Evaluator, WIN};
use crate::game::Game;
use crate::grid::PieceBitboards;
use crate::outcome::Duel;
use crate::random::Rng;
use crate::search::transposition_table::TranspositionTable;
use ludion::games::checkers::{self, Checkers, rules};
use ludion::games::connect4::Connect4;
use ludion::games::hexapawn::Hexapawn;
use ludion::games::morpion::{AfterPlacing, Morpion};
use ludion::games::tictactoe::TicTacToe;

fn simple_checkers() -> Checkers {
    Checkers::new(rules::SIMPLE, 8)
}

fn checkers_with(name: &str) -> Checkers {
    let rules = rules::CheckersRules::named(name).unwrap();
    Checkers::new(rules, rules.size)
}

/// Returns `count` unfinished states of random games.
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

/// Returns a model with random weights.
fn random_model<G: GridGame>(g: &G, spec: &str, phases: u32) -> PatternModel {
    let mut model = PatternModel::blank(g, spec, phases);
    let mut rng = Rng::new(9);
    model.weights.iter_mut().for_each(|weight| *weight = rng.below(2001) as i16 - 1000);
    model
}

fn indices_agree_with_the_definition<G: GridGame>(g: &G) {
    let layout = PatternLayout::for_game(g, 1);
    let indexer = PatternIndexer::new(&layout);
    for s in states(g, 300) {
        let men = g.pieces(&s).men;
        let mut found = Vec::new();
        indexer.indices(men, |_, indices| found.extend_from_slice(indices));
        for (t, &index) in found.iter().enumerate().take(layout.patterns.len()) {
            assert_eq!(u32::from(index), naive(&layout, men, t), "pattern {t} of {s:?}");
        }
    }
}

#[test]
fn the_indexer_agrees_with_the_definition() {
    indices_agree_with_the_definition(&simple_checkers());
    indices_agree_with_the_definition(&checkers_with("international"));
    indices_agree_with_the_definition(&Connect4::STANDARD);
    indices_agree_with_the_definition(&Morpion::new(7, false, AfterPlacing::Place));
    indices_agree_with_the_definition(&Hexapawn::new(4, 5, false, false));
    indices_agree_with_the_definition(&TicTacToe);
}

#[test]
fn patterns_of_checkers_are_windows_of_eight_squares() {
    let layout = PatternLayout::for_game(&simple_checkers(), 2);
    assert_eq!(layout.patterns.len(), 25);
    assert!(layout.patterns.iter().all(|pattern| pattern.len() == 8));
    // Without kings a phase has five weights of counts besides those of the patterns.
    assert_eq!(layout.weights(), 2 * (25 * 6561 + 5));
    // With kings, windows whose column and row are both even or both odd cover a board of 10×10. A
    // content and its opposite share a weight; there are weights of 50 places of kings, of three
    // piece counts, of three features of the balance, and of having the move.
    let layout = PatternLayout::for_game(&checkers_with("international"), 2);
    assert_eq!(layout.patterns.len(), 25);
    let own_opposites = 3_usize.pow(4);
    assert_eq!(layout.weights(), 2 * ((25 * 6561 + own_opposites) / 2 + 50 + 3 + 3 + 1));
}

/// Checks that all symmetric images of random states have the same value.
fn images_have_the_same_value<G: GridGame<Outcome = Duel>>(g: &G) {
    let evaluator = PatternEvaluator::new(&random_model(g, "", 3));
    let mut values = std::collections::HashSet::new();
    assert!(!g.symmetries().is_empty());
    for s in states(g, 200) {
        let value = evaluator.value(g, &s);
        values.insert(value);
        for symmetry in g.symmetries() {
            let image = g.transform(&s, symmetry);
            assert_eq!(evaluator.value(g, &image), value, "{symmetry:?} of {s:?}");
        }
    }
    assert!(values.len() > 20, "random weights distinguish states");
}

#[test]
fn symmetric_states_have_the_same_value_by_construction() {
    images_have_the_same_value(&Connect4::STANDARD);
    images_have_the_same_value(&TicTacToe);
    images_have_the_same_value(&Morpion::new(5, false, AfterPlacing::Place));
    images_have_the_same_value(&Hexapawn::new(4, 4, false, false));
}

/// Returns the same position for the other side: rotates the board by 180° and swaps the sides.
fn with_sides_swapped(g: &Checkers, s: &checkers::CheckersState) -> checkers::CheckersState {
    let squares: Vec<u8> = g.squares().collect();
    let rotated = |set: u64| {
        let pairs = squares.iter().zip(squares.iter().rev());
        pairs.filter(|(from, _)| set >> **from & 1 == 1).fold(0, |set, (_, to)| set | 1 << to)
    };
    checkers::CheckersState {
        pieces: [rotated(s.pieces[1]), rotated(s.pieces[0])],
        kings: rotated(s.kings),
        turn: s.turn.other(),
        quiet: s.quiet,
    }
}

#[test]
fn checkers_positions_keep_their_value_if_the_sides_are_swapped() {
    for name in ["simple", "russian", "english", "frisian"] {
        let g = checkers_with(name);
        let evaluator = PatternEvaluator::new(&random_model(&g, name, 2));
        for s in states(&g, 400) {
            let other = with_sides_swapped(&g, &s);
            assert_eq!(evaluator.value(&g, &s), evaluator.value(&g, &other), "{name}: {s:?}");
        }
    }
}

/// Returns what the side to move would see if it had the opponent's pieces, and the opponent its own.
fn with_pieces_exchanged(g: &Checkers, pieces: &PieceBitboards) -> PieceBitboards {
    let squares: Vec<u8> = g.squares().collect();
    let rotated = |set: u64| {
        let pairs = squares.iter().zip(squares.iter().rev());
        pairs.filter(|(from, _)| set >> **from & 1 == 1).fold(0, |set, (_, to)| set | 1 << to)
    };
    let exchanged = |[mine, theirs]: [u64; 2]| [rotated(theirs), rotated(mine)];
    PieceBitboards { men: exchanged(pieces.men), kings: exchanged(pieces.kings) }
}

#[test]
fn exchanging_the_pieces_negates_a_balanced_value_but_for_having_the_move() {
    for name in ["english", "russian", "brazilian", "international", "frisian", "italian"] {
        let g = checkers_with(name);
        let mut model = random_model(&g, name, 2);
        let (stride, all) = (model.layout.weights_per_phase() as usize, model.weights.len());
        for last in (stride - 1..all).step_by(stride) {
            model.weights[last] = 0;
        }
        let evaluator = PatternEvaluator::new(&model);
        let mut values = std::collections::HashSet::new();
        for s in states(&g, 400) {
            let pieces = g.pieces(&s);
            let value = evaluator.log_odds(&g, &pieces);
            values.insert(value);
            let exchanged = with_pieces_exchanged(&g, &pieces);
            assert_eq!(evaluator.log_odds(&g, &exchanged), -value, "{name}: {s:?}");
        }
        assert!(values.len() > 100, "random weights distinguish states");
    }
}

/// Checks that the evaluator computes the sum of weights that training changes.
fn evaluator_agrees_with_training<G: GridGame<Outcome = Duel>>(g: &G) {
    for phases in [1, 2, 3] {
        let model = random_model(g, "", phases);
        let evaluator = PatternEvaluator::new(&model);
        let weights: Vec<f32> = model.weights.iter().map(|&w| f32::from(w) * UNIT / 8.0).collect();
        for example in random_examples(g, 300) {
            // With the target 0, the loss is ln(1 + e^v) for the log-odds v.
            let example = TrainingExample { target: 0.0, ..example };
            let loss = f64::from(loss(&model.layout, &weights, &[example]));
            let trained = loss.exp_m1().ln();
            let evaluated =
                f64::from(evaluator.log_odds(g, &example.pieces)) * f64::from(UNIT) / 8.0;
            if (-5.0..10.0).contains(&evaluated) {
                assert!((trained - evaluated).abs() < 0.01, "{trained} {evaluated} {phases}");
            }
        }
    }
}

#[test]
fn the_evaluator_agrees_with_training() {
    evaluator_agrees_with_training(&simple_checkers());
    evaluator_agrees_with_training(&checkers_with("english"));
    evaluator_agrees_with_training(&checkers_with("international"));
    evaluator_agrees_with_training(&Connect4::STANDARD);
}

#[test]
fn a_balanced_model_is_read_as_it_was_written_and_only_for_such_games() {
    let g = checkers_with("russian");
    let model = random_model(&g, "russian", 2);
    assert!(model.layout.balanced);
    let bytes = model.write();
    assert_eq!(PatternModel::read(&bytes, &g, "russian"), Ok(model));
    let simple = simple_checkers();
    let error = PatternModel::read(&bytes, &simple, "russian").unwrap_err().to_string();
    assert!(error.contains("it is balanced"), "{error}");
    // A model of version 0.1.0, whose layout is not balanced, is still read.
    let board = PatternLayout::for_game(&g, 1);
    let layout = PatternLayout::new(&g, board.patterns.clone(), 1, false);
    let weights = vec![3; layout.weights()];
    let old = PatternModel { game: "russian".into(), layout, weights, training: ().into() };
    let read = PatternModel::read(&old.write(), &g, "russian").unwrap();
    assert!(!read.layout.balanced && read == old);
}

#[test]
fn a_bounded_value_agrees_with_the_window() {
    let g = checkers_with("brazilian");
    let evaluator = PatternEvaluator::new(&random_model(&g, "", 2));
    let (mut moves, mut rng) = (vec![], Rng::new(6));
    for s in states(&g, 500) {
        let value = evaluator.value(&g, &s);
        let alpha = value - 900 + rng.below(1800) as i32;
        let bounded = evaluator.value_within(&g, &s, (alpha, alpha + 1), &mut moves);
        assert_eq!(bounded <= alpha, value <= alpha, "{s:?}");
        assert_eq!(evaluator.value_within(&g, &s, (-WIN, WIN), &mut moves), value);
        assert!(moves.is_empty(), "the buffer is as it was");
    }
}

#[test]
fn values_stay_below_a_win_for_the_largest_weights() {
    let g = checkers_with("brazilian");
    for extreme in [i16::MIN, i16::MAX] {
        let mut model = PatternModel::blank(&g, "", 1);
        model.weights.fill(extreme);
        let evaluator = PatternEvaluator::new(&model);
        assert!(states(&g, 300).iter().all(|s| evaluator.value(&g, s).abs() < WIN));
    }
}

/// Returns `count` training examples with random targets.
fn random_examples<G: GridGame<Outcome = Duel>>(g: &G, count: usize) -> Vec<TrainingExample> {
    let mut rng = Rng::new(4);
    let example = |s| {
        let pieces = g.pieces(&s);
        TrainingExample { pieces, balance: g.balance(&pieces), target: rng.unit() as f32 }
    };
    states(g, count).into_iter().map(example).collect()
}

fn gradient_agrees_with_finite_differences<G: GridGame<Outcome = Duel>>(g: &G) {
    let model = random_model(g, "", 2);
    let weights: Vec<f32> = model.weights.iter().map(|&w| f32::from(w) * UNIT).collect();
    for example in random_examples(g, 200).iter().step_by(37) {
        let mut derivatives = std::collections::BTreeMap::new();
        for (weight, derivative) in gradient(&model.layout, &weights, example) {
            *derivatives.entry(weight).or_insert(0.0) += derivative;
        }
        for (weight, derivative) in derivatives {
            let moved = |by: f32| {
                let mut weights = weights.clone();
                weights[weight as usize] += by;
                loss(&model.layout, &weights, std::slice::from_ref(example))
            };
            let measured = (moved(1e-2) - moved(-1e-2)) / 2e-2;
            assert!(
                (measured - derivative).abs() < 2e-3 * (1.0 + derivative.abs()),
                "{measured} {derivative}"
            );
        }
    }
}

#[test]
fn the_gradient_of_the_loss_agrees_with_finite_differences() {
    gradient_agrees_with_finite_differences(&TicTacToe);
    gradient_agrees_with_finite_differences(&checkers_with("english"));
}

/// Plays the self-play games with these numbers.
fn games<G: GridGame<Outcome = Duel>>(
    g: &G,
    model: &PatternModel,
    numbers: std::ops::Range<u64>,
) -> Vec<SelfPlayGame> {
    let evaluator = (!model.is_blank()).then(|| PatternEvaluator::new(model));
    let evaluator = evaluator.as_ref().map(|evaluator| evaluator as &dyn Evaluator<G>);
    let options = SelfPlayOptions { depth: 2, nodes: None, opening: 6, longest: 200, seed: 5 };
    let table = TranspositionTable::growing(1);
    numbers.map(|number| play(g, evaluator, &options, &table, number)).collect()
}

#[test]
fn self_play_and_training_depend_only_on_their_seeds() {
    let g = Connect4::new(5, 4);
    let train = |seed: u64| {
        let mut model = PatternModel::blank(&g, "", 1);
        let first = games(&g, &model, 0..60);
        model.train(&g, first.iter(), &PatternTrainingOptions::default(), seed).unwrap();
        let second = games(&g, &model, 0..40);
        // A game depends only on its number, not on the games that the thread played before.
        assert_eq!(games(&g, &model, 30..40), second[30..]);
        let trained =
            model.train(&g, second.iter(), &PatternTrainingOptions::default(), seed).unwrap();
        (model.weights, second, trained)
    };
    let (weights, second, trained) = train(1);
    assert_eq!((weights.clone(), second, trained), train(1));
    assert_ne!(weights, train(2).0);
}

#[test]
fn self_play_by_nodes_searches_selectively_and_repeats() {
    let g = checkers_with("english");
    let teacher = g.first_teacher().unwrap();
    let table = TranspositionTable::growing(1);
    let by_nodes = |nodes: Option<u64>, number: u64| {
        let options = SelfPlayOptions { depth: 3, nodes, opening: 4, longest: 60, seed: 5 };
        play(&g, Some(&*teacher), &options, &table, number)
    };
    let first = by_nodes(Some(300), 0);
    assert_eq!(first.values.len() + first.opening, first.moves.len());
    by_nodes(Some(300), 1);
    assert_eq!(by_nodes(Some(300), 0), first, "a game does not depend on those before it");
    assert_ne!(by_nodes(Some(30), 0).values, first.values, "more nodes see more");
    assert_ne!(by_nodes(None, 0).values, first.values);
}

#[test]
fn training_lowers_the_validation_loss() {
    let g = simple_checkers();
    let mut model = PatternModel::blank(&g, "", 1);
    let played = games(&g, &model, 0..400);
    let trained = model.train(&g, played.iter(), &PatternTrainingOptions::default(), 1).unwrap();
    assert!((trained.before - 2_f32.ln()).abs() < 1e-4, "{trained:?}");
    assert!(trained.after < 0.6, "{trained:?}");
    // Own men must have a positive weight, the opponent's a negative one.
    let counts = model.layout.first_count_weight() as usize;
    assert!(model.weights[counts] > 0 && model.weights[counts + 1] < 0);
}

#[test]
fn a_model_survives_a_round_trip_and_damaged_bytes_are_rejected() {
    let g = TicTacToe;
    let mut model = random_model(&g, "tictactoe", 2);
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
    assert_eq!(error(&bytes, "morpion"), "the model is for tictactoe, not for morpion");
    assert_eq!(error(b"PK", "x"), "this is not a pattern model: it does not begin with LPAT");
}

/// Returns the bytes of a model file with this header and these weights, and a valid checksum.
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
fn inconsistent_models_are_rejected() {
    let read = |header: &str, weights: &[u8]| {
        PatternModel::read(&sealed(header, weights), &TicTacToe, "tictactoe")
            .unwrap_err()
            .to_string()
    };
    let header = |phases: &str, patterns: &str| {
        format!(r#"{{"game":"tictactoe","phases":{phases},"patterns":{patterns},"training":null}}"#)
    };
    assert!(read("{", &[]).contains("its header is invalid"));
    assert!(read(&header("9", "[]"), &[]).contains("9 phases; 1 to 8 are allowed"));
    assert!(read(&header("1", "[[0,9]]"), &[]).contains("different cells below 9"));
    assert!(read(&header("1", "[[0,0]]"), &[]).contains("different cells below 9"));
    // A pattern of one cell (3 weights) and five counts need eight weights. The bytes have seven
    // weights, nine (twice), or a weight that is too large.
    for weights in [&[0, 6][..], &[0, 8], &[0, 7, 2], &[255, 255, 255, 127, 0, 6]] {
        let error = read(&header("1", "[[4]]"), weights);
        assert!(error.contains("it does not have the"), "{weights:?}: {error}");
    }
}

#[test]
fn a_game_survives_a_round_trip_and_truncated_bytes_are_rejected() {
    let g = simple_checkers();
    let model = random_model(&g, "", 1);
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
