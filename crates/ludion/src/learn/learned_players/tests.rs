use super::*;
use crate::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use crate::archive::{AnyArchiveGenerator, ArchiveGenerator, GeneratorPlayers, GeneratorSettings};
use crate::assets::{Assets, SharedBytes};
use crate::game::{Game, Side};
use crate::games::checkers::{Checkers, CheckersState, rules};
use crate::learn::dataset::{LabelledSample, merge};
use crate::learn::labelling::board_bits;
use crate::learn::labels::{Label, LoserLabel};
use crate::learn::model::{NetworkModel, TrainingFigures, TrainingSettings};
use crate::learn::network::{Layer, Network};
use crate::named::{GameWithSpec, NamedPlayer, PlayerParts};
use crate::param::{Args, Spec as Text};
use crate::player::{Budget, Player};
use crate::random::Rng;
use std::ops::ControlFlow;
use std::sync::Arc;

fn simple_rules() -> Checkers {
    Checkers::new(rules::SIMPLE, 8)
}

fn archive(games: u32) -> Vec<u8> {
    let mut simulator = ArchiveGenerator::new(Arc::new(simple_rules()), GeneratorPlayers::Random);
    let random = || "random".to_owned();
    let cast =
        GeneratorSettings { players: [random(), random()], budget: Budget::UNLIMITED, opening: 0 };
    let source = BlockSource { settings: cast, seed: 7, version: "test".to_owned() };
    let block = simulator.block(7, 0, games).unwrap();
    [
        file_header("checkers"),
        ArchiveRecord::Source(source).to_bytes(),
        ArchiveRecord::Games(block).to_bytes(),
    ]
    .concat()
}

/// Returns a network model with one hidden layer and random weights.
fn model(inputs: usize, labels: &str, game: &str) -> NetworkModel {
    let mut rng = Rng::new(5);
    let mut layer = |inputs: usize, outputs: usize| {
        let mut weights = |n: usize| (0..n).map(|_| rng.below(200) as f32 / 100.0 - 1.0).collect();
        Layer { inputs, outputs, weights: weights(inputs * outputs), biases: weights(outputs) }
    };
    let network = Network::new(&[layer(inputs, 8), layer(8, 1)]).unwrap();
    let (labels, game) = (labels.to_owned(), game.to_owned());
    let spec = TrainingSettings { hidden: vec![8], labels, game, ..TrainingSettings::default() };
    NetworkModel::new(network, spec, TrainingFigures::default()).unwrap()
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

/// Returns the positions of one random game that have more than one legal move.
fn positions() -> Vec<CheckersState> {
    let (g, mut rng) = (simple_rules(), Rng::new(11));
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

/// Returns the mean target of the `k` rows nearest to `key` by a scan of all rows. Rows that tie
/// for the last places share them.
fn full_scan(rows: &[LabelledSample], key: u128, k: usize) -> f64 {
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
fn knn_scores_agree_with_a_full_scan() {
    let (g, parts) = (simple_rules(), parts(rules::SIMPLE, "checkers"));
    for label in [Label::Distance, Label::Captures] {
        let labelling = Labelling { label, lost: LoserLabel::Zero };
        let mut rows = Vec::new();
        labelling
            .each_game((&g, "checkers"), &archive(40), &mut |samples| {
                rows.extend(samples);
                ControlFlow::Continue(())
            })
            .unwrap();
        let rows = merge(rows);
        let text = format!("knn(games, k=4, label={}, lost=zero)", label.name());
        let mut knn: KnnPlayer = build(&text, &parts).unwrap();
        let lowest_text = text.replace("k=4", "k=4, choose=argmin");
        let mut lowest: KnnPlayer = build(&lowest_text, &parts).unwrap();
        for s in positions() {
            let choice = knn.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let scale = if label == Label::Captures { MAX_CAPTURES } else { 1.0 };
            let mut best = f64::NEG_INFINITY;
            for line in &choice.lines {
                let key = labelling.key(&g, &s, &g.after(&s, line.play), s.turn);
                let expected = full_scan(&rows, key, 4) / scale;
                assert!((line.value.unwrap() - expected).abs() < 1e-9, "{}", label.name());
                best = best.max(expected);
            }
            let chosen = choice.best_line().unwrap().value.unwrap();
            assert!((chosen - best).abs() < 1e-9);
            let least = lowest.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let lowest_value = least.best_line().unwrap().value.unwrap();
            assert_eq!(least.lines, choice.lines);
            assert!(least.lines.iter().all(|line| line.value.unwrap() >= lowest_value));
        }
    }
}

#[test]
fn mlp_plays_the_move_with_the_highest_output() {
    let (g, parts) = (simple_rules(), parts(rules::SIMPLE, "checkers"));
    for (name, labelling) in [("captures", "captures"), ("distance", "distance(zero)")] {
        let labelling: Labelling = labelling.parse().unwrap();
        let network = model(labelling.width(), &labelling.to_string(), "checkers");
        let mut mlp: MlpPlayer = build(&format!("mlp({name})"), &parts).unwrap();
        for s in positions() {
            let choice = mlp.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let value = |m| {
                let key = labelling.key(&g, &s, &g.after(&s, m), s.turn);
                network.network().value(key)
            };
            let values: Vec<f32> = choice.lines.iter().map(|line| value(line.play)).collect();
            assert!(values.iter().all(|v| *v <= value(choice.best)), "{name} {values:?}");
        }
    }
}

#[test]
fn the_evaluator_compares_the_predictions_for_both_sides() {
    let (g, parts) = (simple_rules(), parts(rules::SIMPLE, "checkers"));
    let args =
        |text: &str| Args::new("alphabeta", vec![crate::named::EVAL], &Text::parse(text).unwrap());
    let judge = parts.evaluator(&args("alphabeta(eval=mlp(captures))").unwrap()).unwrap().unwrap();
    let network = model(64, "captures", "checkers");
    for s in positions() {
        let predicted = |side| f64::from(network.network().value(board_bits(g.words(&s, side))));
        let men = |side: Side| f64::from(s.pieces[side.index()].count_ones());
        let (me, other) = (s.turn, s.turn.other());
        let value = men(me) - predicted(other) - (men(other) - predicted(me));
        assert!((f64::from(judge.value(&g, &s)) - 100.0 * value).abs() < 1.001);
    }
    let refused = parts.evaluator(&args("alphabeta(eval=mlp(distance))").unwrap()).err().unwrap();
    assert!(refused.to_string().contains("scores moves by distance(zero)"), "{refused}");
}

#[test]
fn unsuitable_files_are_rejected() {
    let parts_for = parts;
    let parts = parts_for(rules::SIMPLE, "checkers");
    let mlp = |text: &str| build::<MlpPlayer>(text, &parts).err().unwrap();
    assert_eq!(mlp("mlp"), "mlp: model is empty; `ludion train` writes a model file");
    assert_eq!(
        mlp("mlp(nothing)"),
        "mlp: model = nothing is not allowed; model is a file that `ludion train` wrote: nothing \
         cannot be read"
    );
    assert_eq!(
        mlp("mlp(narrow)"),
        "mlp: model = narrow is not allowed; model is a file that `ludion train` wrote: the network \
         has 60 inputs and 1 outputs; captures needs 64 and 1"
    );
    let message = mlp("mlp(foreign)");
    assert!(message.ends_with("the model is for checkers(english), not for checkers"), "{message}");
    assert!(mlp("mlp(odd)").contains("wrote: unknown labels \"luck\""));
    assert!(mlp("mlp(cut)").contains("cut: this is not a model: not a complete safetensors file"));
    assert!(mlp("mlp(games)").contains("games: this is not a model: not a complete safetensors"));
    let knn = |text: &str| build::<KnnPlayer>(text, &parts).err().unwrap();
    assert_eq!(knn("knn"), "knn: data is empty; `ludion generate` writes a data file");
    let message = knn("knn(data=captures)");
    let begin = "knn: data = captures is not allowed; data is a file that `ludion generate` wrote: \
                 captures: not an archive of games";
    assert!(message.starts_with(begin), "{message}");
    let english = parts_for(rules::CheckersRules::named("english").unwrap(), "checkers(english)");
    let message = build::<MlpPlayer>("mlp(foreign)", &english).err().unwrap();
    assert!(message.contains("checkers(english) is not a game with men only"), "{message}");
    let message = build::<KnnPlayer>("knn(games)", &english).err().unwrap();
    assert!(message.contains("is not a game with men only"), "{message}");
}
