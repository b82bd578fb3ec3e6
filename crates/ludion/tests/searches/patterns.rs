//! Learned patterns, from self-play to a player by name: every player can use a model as its
//! evaluator, and models learned from scratch beat unlearned players.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion::arena::pair::{GameSettings as ArenaTerms, PairId};
use ludion::assets::Assets;
use ludion::evaluator::Evaluator;
use ludion::game::Game;
use ludion::games::checkers::{Checkers, CheckersState};
use ludion::grid::GridGame;
use ludion::learn::patterns::{
    LearningOptions, PatternEvaluator, PatternModel, PatternTrainingOptions, SelfPlayGame,
};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry::{self, AnyGame};

const OPTIONS: LearningOptions = LearningOptions {
    phases: 1,
    depth: 2,
    nodes: None,
    opening: 8,
    longest: 200,
    training: PatternTrainingOptions::DEFAULT,
};

/// Learns a model from scratch by some rounds of self-play.
fn learned(game: &dyn AnyGame, rounds: u64, games: u64) -> PatternModel {
    let learning = game.learner().unwrap();
    let mut model = learning.blank(1);
    for round in 0..rounds {
        let mut play = learning.self_play(&model, &OPTIONS, round);
        let never = AtomicBool::new(false);
        let records: Vec<SelfPlayGame> =
            (0..games).map(|game| play(game, &never).unwrap()).collect();
        learning.train(&mut model, &mut records.iter(), &OPTIONS.training, round).unwrap();
    }
    model
}

/// Returns the game with one model, found under every name except `nothing`.
fn with_model(spec: &str, bytes: Vec<u8>) -> Arc<dyn AnyGame> {
    let assets = Assets::new(move |name| match name {
        "nothing" => Err("nothing cannot be read: there is no such file".to_owned()),
        _ => Ok(Arc::new(bytes.clone())),
    });
    registry::standard().with_assets(assets).game(spec).unwrap()
}

/// Returns the score of the first player in pairs of games from random openings.
fn score(game: &dyn AnyGame, players: [&str; 2], pairs: u64) -> f64 {
    let mut referee = game.referee(&players.map(str::to_owned)).unwrap();
    let terms = ArenaTerms { budget: Budget::UNLIMITED, opening: 4, longest: 200, seed: 1 };
    let play = |number| referee.play_pair(&terms, PairId { players: [0, 1], number }, false);
    let games: Vec<_> = (0..pairs).flat_map(play).collect();
    games.iter().map(|game| game.score(0)).sum::<f64>() / games.len() as f64
}

#[test]
fn connect_four_learns_from_scratch_to_beat_the_unlearned_search() {
    let spec = "connect4";
    let model = learned(&*registry::standard().game(spec).unwrap(), 2, 400);
    let game = with_model(spec, model.write());
    let players = ["alphabeta(2, eval=patterns(m))", "alphabeta(2)"];
    let score = score(&*game, players, 60);
    assert!(score > 0.75, "{score}");
}

#[test]
fn checkers_learns_from_scratch_to_beat_the_unlearned_search() {
    let spec = "checkers(russian)";
    let model = learned(&*registry::standard().game(spec).unwrap(), 1, 400);
    let game = with_model(spec, model.write());
    let score = score(&*game, ["alphabeta(2, eval=patterns(m))", "alphabeta(2)"], 40);
    // Two standard deviations of 80 games above one half.
    assert!(score > 0.61, "{score}");
}

#[test]
fn the_bundled_checkers_model_beats_material_counting() {
    let spec = "checkers";
    let game = registry::standard().game(spec).unwrap();
    let players = ["alphabeta(2, eval=patterns)", "alphabeta(2, eval=material+mobility)"];
    let score = score(&*game, players, 60);
    // Three standard deviations of 120 games above one half.
    assert!(score > 0.64, "{score}");
    let (of, training) =
        PatternModel::read_header(Checkers::named(spec).unwrap().bundled_model().unwrap()).unwrap();
    assert_eq!((of.as_str(), &training["settings"]["seed"]), (spec, &1.into()), "{training}");
    for other in ["checkers(italian)", "checkers(simple, 6)", "checkers(english, 6)"] {
        let bare = registry::standard().game(other).unwrap();
        let refused = bare.player("alphabeta(eval=patterns)").err().unwrap().to_string();
        assert!(refused.ends_with("; use patterns(FILE)"), "{refused}");
    }
}

#[test]
fn the_bundled_models_of_rules_with_kings_beat_material_and_mobility() {
    let mut points = 0.0;
    for rules in ["english", "russian", "brazilian", "international"] {
        let spec = format!("checkers({rules})");
        let model = Checkers::named(&spec).unwrap().bundled_model().unwrap();
        assert!(model.len() <= 300_000, "{rules}: {} bytes", model.len());
        // The model also serves the variant in which repetitions end the game.
        let with_repetition = format!("checkers({rules}, repetition)");
        registry::standard()
            .game(&with_repetition)
            .unwrap()
            .player("deepening(eval=patterns)")
            .unwrap();
        let game = registry::standard().game(&spec).unwrap();
        let players = ["alphabeta(3, eval=patterns)", "alphabeta(3, eval=material+mobility)"];
        points += score(&*game, players, 30);
    }
    // More than three standard deviations of 240 games above one half.
    assert!(points / 4.0 > 0.58, "{points}");
}

#[test]
fn every_player_with_an_evaluator_takes_patterns() {
    let blank = registry::standard().game("tictactoe").unwrap().learner().unwrap().blank(1);
    let game = with_model("tictactoe", blank.write());
    for player in [
        "alphabeta(3, eval=patterns(some/model.lpat))",
        "memory(3, eval=\"patterns(model=m)\")",
        "deepening(3, secs=0, eval=patterns(m))",
        "mcts(sims=50, prior, eval=patterns(m))",
        "mcts(sims=50, eval=patterns(m))",
    ] {
        let mut player = game.player(player).unwrap();
        let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
        assert!(game.start().moves().contains(&choice.best));
    }
}

#[test]
fn a_value_does_not_depend_on_the_states_that_were_evaluated_before() {
    let g = Checkers::named("checkers(english)").unwrap();
    let bytes = g.bundled_model().unwrap();
    let (spec, _) = PatternModel::read_header(bytes).unwrap();
    let model = PatternModel::read(bytes, &g, &spec).unwrap();
    let (mut rng, mut states, mut moves) = (Rng::new(5), Vec::new(), Vec::new());
    while states.len() < 2000 {
        let mut s = g.start();
        while g.status(&s).turn().is_some() && states.len() < 2000 {
            states.push(s);
            // The same pieces with the other side to move, and after some moves of kings.
            states.push(CheckersState { turn: s.turn.other(), quiet: 7, ..s });
            moves.clear();
            g.moves(&s, &mut moves);
            g.play(&mut s, moves[rng.below(moves.len())]);
        }
    }
    states.retain(|s| g.status(s).turn().is_some());
    let evaluators = [(); 2].map(|()| PatternEvaluator::new(&model));
    let forwards: Vec<i32> = states.iter().map(|s| evaluators[0].value(&g, s)).collect();
    let mut backwards: Vec<i32> = states.iter().rev().map(|s| evaluators[1].value(&g, s)).collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);
    let again: Vec<i32> = states.iter().map(|s| evaluators[1].value(&g, s)).collect();
    assert_eq!(forwards, again);
}

#[test]
fn a_model_that_does_not_fit_is_an_error() {
    let blank = registry::standard().game("tictactoe").unwrap().learner().unwrap().blank(1);
    let message = |game: Arc<dyn AnyGame>, eval: &str| {
        game.player(&format!("alphabeta(eval={eval})")).err().unwrap().to_string()
    };
    let game = || with_model("connect4", blank.write());
    assert_eq!(
        message(game(), "patterns(m)"),
        "patterns: model = m is not allowed; model is a file that `ludion learn` wrote: the model is \
         for tictactoe, not for connect4"
    );
    assert_eq!(
        message(game(), "patterns(nothing)"),
        "patterns: model = nothing is not allowed; model is a file that `ludion learn` wrote: nothing \
         cannot be read: there is no such file"
    );
    assert_eq!(
        message(with_model("connect4", b"GIF89a".to_vec()), "patterns(m)"),
        "patterns: model = m is not allowed; model is a file that `ludion learn` wrote: this is not a \
         pattern model: it does not begin with LPAT"
    );
    assert_eq!(
        message(game(), "patterns"),
        "patterns: there is no built-in model for connect4; use patterns(FILE)"
    );
    let bare = registry::standard().game("connect4").unwrap();
    assert_eq!(
        message(bare, "patterns(m)"),
        "patterns: model = m is not allowed; model is a file that `ludion learn` wrote: m cannot be \
         read: this program reads no files"
    );
    let matches = registry::standard().game("matches").unwrap();
    assert!(
        message(matches, "patterns(m)")
            .contains("eval is none, own, playouts(sims), net(model), mlp(model), mod4")
    );
}

#[test]
fn a_model_of_draughts_serves_the_same_rules_with_repetition_and_no_others() {
    let g = Checkers::named("checkers(english)").unwrap();
    let player = |spec: &str| {
        let game = with_model(spec, g.bundled_model().unwrap().to_vec());
        game.player("deepening(eval=patterns(m))").map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(player("checkers(english)"), Ok(()));
    assert_eq!(player("checkers(english, repetition)"), Ok(()));
    for other in ["checkers(russian)", "checkers(english, 6)", "checkers(brazilian, repetition)"] {
        let message = player(other).unwrap_err();
        assert!(message.contains("the model is for checkers(rules=english), not for"), "{message}");
    }
}
