use super::*;
use crate::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use crate::archive::{AnyArchiveGenerator, ArchiveGenerator, GeneratorPlayers, GeneratorSettings};
use crate::assets::{Assets, SharedBytes};
use crate::game::{Game, Side};
use crate::learn::labelling::Labelling;
use crate::learn::labels::{Label, LoserLabel};
use crate::learn::model::{NetworkModel, TrainingFigures, TrainingSettings};
use crate::learn::network::{Layer, Network};
use crate::learn::rows::LabelledRows;
use crate::named::{GameWithSpec, NamedPlayer, PlayerParts};
use crate::param::{Args, Spec as Text};
use crate::player::{Budget, Player};
use crate::random::Rng;
use ludion::games::checkers::{Checkers, CheckersState, rules};
use ludion::games::tictactoe::TicTacToe;
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
        "winloss" => bytes(model(128, "winloss", "checkers").to_bytes()),
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

/// Returns the row of a move by the side to move.
fn row(labelling: Labelling, s: &CheckersState, after: &CheckersState) -> Vec<u64> {
    let g = simple_rules();
    let encoder = RowEncoder::new(&g, labelling);
    let mut rows = BitRows::new(encoder.width());
    encoder.push(&g, s, after, s.turn, &mut rows);
    rows.row(0).to_vec()
}

/// Returns the mean target of the `k` rows nearest to `key` by a scan of all rows. Rows that tie
/// for the last places share them.
fn full_scan(rows: &LabelledRows, key: &[u64], k: usize) -> f64 {
    let distance = |row: &[u64]| row.iter().zip(key).map(|(a, b)| (a ^ b).count_ones()).sum();
    let all: Vec<(u32, f64)> =
        rows.rows().iter().map(distance).zip(rows.targets().iter().copied()).collect();
    let mut distances: Vec<u32> = all.iter().map(|row| row.0).collect();
    distances.sort_unstable();
    let last = distances[k - 1];
    let mean_of = |wanted: &dyn Fn(u32) -> bool| {
        let found: Vec<f64> = all.iter().filter(|row| wanted(row.0)).map(|row| row.1).collect();
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
        let mut rows = LabelledRows::new(if label == Label::Captures { 64 } else { 128 });
        labelling
            .each_game((&g, "checkers"), &archive(40), &mut |samples| {
                rows.append(samples);
                ControlFlow::Continue(())
            })
            .unwrap();
        let rows = rows.merged();
        let text = format!("knn(games, k=4, label={}, lost=zero)", label.name());
        let mut knn: KnnPlayer = build(&text, &parts).unwrap();
        let lowest_text = text.replace("k=4", "k=4, choose=argmin");
        let mut lowest: KnnPlayer = build(&lowest_text, &parts).unwrap();
        for s in positions() {
            let choice = knn.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let scale = if label == Label::Captures { 12.0 } else { 1.0 };
            let mut best = f64::NEG_INFINITY;
            for line in &choice.lines {
                let key = row(labelling, &s, &g.after(&s, line.play));
                let expected = full_scan(&rows, &key, 4) / scale;
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
        let width = RowEncoder::new(&g, labelling).width();
        let network = model(width, &labelling.to_string(), "checkers");
        let mut mlp: MlpPlayer = build(&format!("mlp({name})"), &parts).unwrap();
        for s in positions() {
            let choice = mlp.choose(&MoveRequest::new(&g, &s, Budget::UNLIMITED)).unwrap();
            let value = |m| network.network().value(&row(labelling, &s, &g.after(&s, m)));
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
    let captures: Labelling = "captures".parse().unwrap();
    for s in positions() {
        let predicted = |side| {
            let seen = CheckersState { turn: side, ..s };
            f64::from(network.network().value(&row(captures, &seen, &seen)))
        };
        let men = |side: Side| f64::from(s.pieces[side.index()].count_ones());
        let (me, other) = (s.turn, s.turn.other());
        let value = men(me) - predicted(other) - (men(other) - predicted(me));
        assert!((f64::from(judge.value(&g, &s)) - 100.0 * value).abs() < 1.001);
    }
}

#[test]
fn the_evaluator_takes_the_best_score_of_a_model_of_moves() {
    let (g, parts) = (simple_rules(), parts(rules::SIMPLE, "checkers"));
    for (name, labels, scaled) in [
        ("distance", "distance(zero)", (|x| 2.0 * x - 1.0) as fn(f64) -> f64),
        ("winloss", "winloss", |x| x),
    ] {
        let eval = format!("alphabeta(eval=mlp({name}))");
        let args = Args::new("alphabeta", vec![crate::named::EVAL], &Text::parse(&eval).unwrap());
        let evaluator = parts.evaluator(&args.unwrap()).unwrap().unwrap();
        let (network, labelling) = (model(128, labels, "checkers"), labels.parse().unwrap());
        for s in positions() {
            let mut moves = Vec::new();
            g.moves(&s, &mut moves);
            let score = |m: &_| network.network().value(&row(labelling, &s, &g.after(&s, *m)));
            let best = moves.iter().map(score).fold(f32::NEG_INFINITY, f32::max);
            let expected = scaled(f64::from(best)).clamp(-1.0, 1.0);
            assert!((f64::from(evaluator.value(&g, &s)) / 9_999.0 - expected).abs() < 2e-4);
            assert!((evaluator.expected_result(&g, &s) - expected).abs() < 2e-4);
        }
    }
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
    let inputs = "the network has 64 inputs and 1 outputs; captures needs 128 and 1";
    assert!(message.ends_with(inputs), "{message}");
    let message = build::<KnnPlayer>("knn(games)", &english).err().unwrap();
    assert!(message.ends_with("the games are of checkers, not of checkers(english)"), "{message}");
}

#[test]
fn labels_of_captures_need_a_game_with_captures() {
    let game = GameWithSpec { game: Arc::new(TicTacToe), spec: "tictactoe".to_owned() };
    let assets = Assets::new(|_| {
        let bytes: SharedBytes = Arc::new(model(18, "captures", "tictactoe").to_bytes());
        Ok(bytes)
    });
    let parts = PlayerParts::default().for_game(game, assets);
    let refused = "captures is a label for games in which pieces are captured, such as checkers; for \
                   tictactoe distance and winloss are allowed";
    let args = |text: &str, params: &'static [Param]| {
        Args::new("player", params, &Text::parse(text).unwrap()).unwrap()
    };
    let params = <KnnPlayer as NamedPlayer<TicTacToe>>::PARAMS;
    let knn = KnnPlayer::build(&args("player(games, label=captures)", params), &parts);
    assert_eq!(knn.err().unwrap().to_string(), format!("player: {refused}"));
    let params = <MlpPlayer as NamedPlayer<TicTacToe>>::PARAMS;
    let mlp = MlpPlayer::build(&args("player(model)", params), &parts).err().unwrap().to_string();
    assert!(mlp.ends_with(refused), "{mlp}");
}
