use super::*;
use crate::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use crate::archive::{AnySimulator, SimulatedPlayers, SimulationSettings, Simulator};
use crate::assets::{Assets, SharedBytes};
use crate::game::{Game, Side};
use crate::games::checkers::{Checkers, CheckersState, rules};
use crate::learn::dataset::{LabelledPosition, merge};
use crate::learn::labelling::board;
use crate::learn::labels::{Label, LossLabel};
use crate::learn::model::{NetworkModel, TrainingOutcome, TrainingSpec};
use crate::learn::network::{Layer, Network};
use crate::named::{GameWithSpec, NamedPlayer, PlayerParts};
use crate::param::{Args, Spec as Text};
use crate::player::{Budget, Player};
use crate::random::Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

fn seed_rules() -> Checkers {
    Checkers::new(rules::SEED, 8)
}

fn archive(games: u32) -> Vec<u8> {
    let mut simulator = Simulator::new(Arc::new(seed_rules()), SimulatedPlayers::Random);
    let random = || "random".to_owned();
    let cast =
        SimulationSettings { players: [random(), random()], budget: Budget::UNLIMITED, opening: 0 };
    let source = BlockSource { settings: cast, seed: 7, version: "test".to_owned() };
    let block = simulator.block(7, 0, games).unwrap();
    [
        file_header("checkers"),
        ArchiveRecord::Source(source).to_bytes(),
        ArchiveRecord::Games(block).to_bytes(),
    ]
    .concat()
}

/// A network of one hidden layer with random weights.
fn model(inputs: usize, labels: &str, game: &str) -> NetworkModel {
    let mut rng = Rng::new(5);
    let mut layer = |inputs: usize, outputs: usize| {
        let mut weights = |n: usize| (0..n).map(|_| rng.below(200) as f32 / 100.0 - 1.0).collect();
        Layer { inputs, outputs, weights: weights(inputs * outputs), biases: weights(outputs) }
    };
    let network = Network::new(&[layer(inputs, 8), layer(8, 1)]).unwrap();
    let (labels, game) = (labels.to_owned(), game.to_owned());
    let spec = TrainingSpec { hidden: vec![8], labels, game, ..TrainingSpec::default() };
    NetworkModel::new(network, spec, TrainingOutcome::default()).unwrap()
}

fn parts(rules: rules::CheckersRules, spec: &str) -> PlayerParts<Checkers> {
    let bytes = |bytes: Vec<u8>| -> Result<SharedBytes, String> { Ok(Arc::new(bytes)) };
    let assets = Assets::new(move |name| match name {
        "games" => bytes(archive(40)),
        "captures" => bytes(model(64, "captures", "checkers").to_bytes()),
        "distance" => bytes(model(128, "distance(zero)", "checkers").to_bytes()),
        "narrow" => bytes(model(60, "captures", "checkers").to_bytes()),
        "foreign" => bytes(model(64, "captures", "checkers(english)").to_bytes()),
        "odd" => bytes(model(64, "luck", "checkers").to_bytes()),
        "cut" => bytes(model(64, "captures", "checkers").to_bytes()[..900].to_vec()),
        _ => Err(format!("{name} cannot be read")),
    });
    let game = GameWithSpec { game: Arc::new(Checkers::new(rules, 8)), spec: spec.to_owned() };
    let mut parts = PlayerParts::default().for_game(game, assets);
    parts.factories.push(MlpEvaluator::factory());
    parts
}

fn build<P: NamedPlayer<Checkers>>(text: &str, parts: &PlayerParts<Checkers>) -> Result<P, String> {
    let args = Args::new(P::NAME, P::PARAMS, &Text::parse(text).unwrap());
    P::build(&args.unwrap(), parts).map_err(|error| error.to_string())
}

/// Positions of a random game, in which there is a choice.
fn positions() -> Vec<CheckersState> {
    let (g, mut rng) = (seed_rules(), Rng::new(11));
    let (mut s, mut all) = (g.start(), Vec::new());
    loop {
        let mut moves = Vec::new();
        g.moves(&s, &mut moves);
        match moves.len() {
            0 => return all,
            1 => {}
            _ => all.push(s),
        }
        g.play(&mut s, moves[rng.below(moves.len())]);
    }
}

/// The mean of the `k` nearest rows, those as near as the last sharing what is left.
fn by_hand(rows: &[LabelledPosition], key: u128, k: usize) -> f64 {
    let mut distances: Vec<u32> = rows.iter().map(|row| (row.bits ^ key).count_ones()).collect();
    distances.sort_unstable();
    let last = distances[k - 1];
    let mean_of = |wanted: &dyn Fn(u32) -> bool| {
        let found: Vec<f64> = rows
            .iter()
            .filter(|row| wanted((row.bits ^ key).count_ones()))
            .map(|row| row.target)
            .collect();
        (found.len(), found.iter().sum::<f64>() / found.len().max(1) as f64)
    };
    let (nearer, near) = mean_of(&|d| d < last);
    let (_, tied) = mean_of(&|d| d == last);
    (nearer as f64 * near + (k - nearer) as f64 * tied) / k as f64
}

#[test]
fn neighbours_choose_as_a_scan_of_all_moves_does() {
    let (g, parts) = (seed_rules(), parts(rules::SEED, "checkers"));
    for label in [Label::Distance, Label::Captures] {
        let lesson = Labelling { label, lost: LossLabel::Zero };
        let mut rows = Vec::new();
        lesson
            .each_game((&g, "checkers"), &archive(40), &mut |samples| {
                rows.extend(samples);
                ControlFlow::Continue(())
            })
            .unwrap();
        let rows = merge(rows);
        let text = format!("knn(games, k=4, label={}, lost=zero)", label.name());
        let mut knn: KnnPlayer = build(&text, &parts).unwrap();
        for s in positions() {
            let choice = knn.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let scale = if label == Label::Captures { MAX_CAPTURES } else { 1.0 };
            let mut best = f64::NEG_INFINITY;
            for line in &choice.lines {
                let key = lesson.key(&g, &s, &g.after(&s, line.play), s.turn);
                let expected = by_hand(&rows, key, 4) / scale;
                assert!((line.value.unwrap() - expected).abs() < 1e-9, "{}", label.name());
                best = best.max(expected);
            }
            let chosen = choice.best_line().unwrap().value.unwrap();
            assert!((chosen - best).abs() < 1e-9);
        }
    }
}

#[test]
fn a_network_chooses_by_its_own_values() {
    let (g, parts) = (seed_rules(), parts(rules::SEED, "checkers"));
    for (name, lesson) in [("captures", "captures"), ("distance", "distance(zero)")] {
        let lesson: Labelling = lesson.parse().unwrap();
        let network = model(lesson.width(), &lesson.to_string(), "checkers");
        let mut mlp: MlpPlayer = build(&format!("mlp({name})"), &parts).unwrap();
        for s in positions() {
            let choice = mlp.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let value = |m| {
                let key = lesson.key(&g, &s, &g.after(&s, m), s.turn);
                network.network().value(key)
            };
            let values: Vec<f32> = choice.lines.iter().map(|line| value(line.play)).collect();
            assert!(values.iter().all(|v| *v <= value(choice.best)), "{name} {values:?}");
        }
    }
}

#[test]
fn a_judge_expects_of_either_side_what_the_network_does() {
    let (g, parts) = (seed_rules(), parts(rules::SEED, "checkers"));
    let args =
        |text: &str| Args::new("alphabeta", vec![crate::named::EVAL], &Text::parse(text).unwrap());
    let judge = parts.evaluator(&args("alphabeta(eval=mlp(captures))").unwrap()).unwrap().unwrap();
    let network = model(64, "captures", "checkers");
    for s in positions() {
        let expects = |side| f64::from(network.network().value(board(g.words(&s, side))));
        let men = |side: Side| f64::from(s.pieces[side.index()].count_ones());
        let (me, other) = (s.turn, s.turn.other());
        let value = men(me) - expects(other) - (men(other) - expects(me));
        assert!((f64::from(judge.value(&g, &s)) - 100.0 * value).abs() < 1.001);
    }
    let refused = parts.evaluator(&args("alphabeta(eval=mlp(distance))").unwrap()).err().unwrap();
    assert!(refused.to_string().contains("judges moves by distance(zero)"), "{refused}");
}

#[test]
fn wrong_files_are_refused_in_a_sentence() {
    let kit_of = parts;
    let parts = kit_of(rules::SEED, "checkers");
    let mlp = |text: &str| build::<MlpPlayer>(text, &parts).err().unwrap();
    assert_eq!(mlp("mlp"), "mlp: model names no file; `ludion train` writes one");
    assert_eq!(mlp("mlp(nothing)"), "mlp: nothing cannot be read");
    assert_eq!(
        mlp("mlp(narrow)"),
        "mlp: narrow: the network has 60 inputs and 1 outputs; captures needs 64 and 1"
    );
    let said = mlp("mlp(foreign)");
    assert_eq!(said, "mlp: foreign: the model is of checkers(english), not of checkers");
    assert!(mlp("mlp(odd)").contains("odd: \"luck\" names no labels"));
    assert!(
        mlp("mlp(cut)").contains("cut: this is no model: not a file in the format safetensors")
    );
    assert!(mlp("mlp(games)").contains("games: this is no model: not a file in the format"));
    let knn = |text: &str| build::<KnnPlayer>(text, &parts).err().unwrap();
    assert_eq!(knn("knn"), "knn: data names no file; `ludion generate` writes one");
    assert_eq!(knn("knn(data=captures)"), "knn: captures: not an archive of games");
    let english = kit_of(rules::CheckersRules::named("english").unwrap(), "checkers(english)");
    let said = build::<MlpPlayer>("mlp(foreign)", &english).err().unwrap();
    assert!(said.contains("checkers(english) is no game of men alone on 32 squares"), "{said}");
    assert!(
        build::<KnnPlayer>("knn(games)", &english).err().unwrap().contains("no game of men alone")
    );
}
