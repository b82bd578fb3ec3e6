//! Writes the corpus anew, with valid inputs for every target that the library itself makes.
//! Regression inputs, whose names begin with `bug-`, stay.

use std::fs;

use ludion::archive::file_format::{ArchiveRecord, BlockSource};
use ludion::archive::{GameBlock, GeneratorSettings, encode_games};
use ludion::arena::pair::GameSettings;
use ludion::game::{Game, Side, Status};
use ludion::games::checkers::Checkers;
use ludion::games::checkers::pdn::PdnGame;
use ludion::games::checkers::{endgame, king_endgame};
use ludion::games::connect4::book::{BookEntries, BookEntry};
use ludion::games::hextris::HextrisSolution;
use ludion::games::hextris::random_problem::{RandomProblemOptions, random_problem};
use ludion::games::tictactoe::TicTacToe;
use ludion::learn::model::{NetworkModel, TrainingFigures, TrainingSettings};
use ludion::learn::network::{Layer, Network};
use ludion::learn::patterns::{PatternModel, SelfPlayGame};
use ludion::learn::policy_value::{PolicyValueLayers, PolicyValueModel, PolicyValueNetwork};
use ludion::learn::tensor_file::WeightFormat;
use ludion::named::NamedGame;
use ludion::outcome::Duel;
use ludion::param::{Args, Spec};
use ludion::player::Budget;
use ludion::random::Rng;
use ludion::registry;
use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::codes::CodeTable;
use ludion::riddles::mastermind::breaker::exhaustive;
use ludion::riddles::mastermind::breaker::score::GuessCriterion;
use ludion::riddles::mastermind::breaker::tree::TreeBuildOptions;
use ludion_fuzz::{TARGETS, corpus};
use ludion_runs::setup::{self, TournamentForm};
use serde_json::json;

/// Writes one input of a target; the name is made from `about`.
fn add(target: &str, about: &str, bytes: impl AsRef<[u8]>) {
    let target = TARGETS.iter().find(|known| known.name == target).unwrap();
    let name: String =
        about.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
    fs::write(corpus::folder(target).join(name.trim_matches('-')), bytes).unwrap();
}

#[test]
#[ignore = "changes files of the repository: run it when a format changes"]
fn write_the_corpus() {
    for target in TARGETS {
        let folder = corpus::folder(target);
        fs::create_dir_all(&folder).unwrap();
        for input in corpus::read(target).unwrap() {
            if !input.name.starts_with("bug-") {
                fs::remove_file(folder.join(input.name)).unwrap();
            }
        }
    }
    games();
    checkers();
    hextris();
    files();
    settings();
    jobs();
    lines();
}

fn games() {
    let registry = registry::standard();
    for entry in registry.games() {
        for spec in &entry.examples {
            add("game_spec", spec, spec.as_bytes());
            let game = registry.game(spec).unwrap();
            let (mut position, mut rng, mut played) = (game.start(), Rng::new(1), Vec::new());
            add("state", &format!("{spec} start"), format!("{}\n{}", game.spec(), position.show()));
            for _ in 0..6 {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let play = moves[rng.below(moves.len())].clone();
                position.play(&play).unwrap();
                played.push(play);
            }
            add("state", spec, format!("{}\n{}", game.spec(), position.show()));
            add("moves", spec, format!("{}\n{}", game.spec(), played.join(" ")));
        }
        let game = registry.game(&entry.name).unwrap();
        for player in entry.players() {
            let spec = player.quick.as_ref().map_or(&player.name, |quick| &quick.spec);
            // The same players play most games.
            if ["connect4", "checkers", "hextris", "matches"].contains(&&*entry.name)
                && game.player(spec).is_ok()
            {
                let about = format!("{} {}", entry.name, player.name);
                add("player_spec", &about, format!("{}\n{spec}", game.spec()));
            }
        }
    }
    add("connect4_sequence", "columns", "4444445");
    let mut book = BookEntries::unknown(2);
    book.set(0, BookEntry { score: -3, best: 2 });
    add("connect4_book", "two plies", book.to_bytes());
}

fn checkers() {
    for spec in Checkers::EXAMPLES {
        let args =
            Args::new(Checkers::NAME, Checkers::PARAMS, &Spec::parse(spec).unwrap()).unwrap();
        let game = Checkers::build(&args).unwrap();
        let (mut s, mut rng, mut played) = (game.start(), Rng::new(7), Vec::new());
        let mut legal = Vec::new();
        while played.len() < 12 && matches!(game.status(&s), Status::Turn(_)) {
            legal.clear();
            game.moves(&s, &mut legal);
            let m = legal[rng.below(legal.len())];
            game.play(&mut s, m);
            played.push(m);
        }
        let tags = vec![("Event".to_owned(), "a \"test\"".to_owned())];
        let record = PdnGame { tags, start: game.start(), moves: played, result: None };
        let name = game.spec();
        let text = game.show_pdn(&record).unwrap();
        add("pdn", spec, format!("{name}\n{text}"));
        let rest =
            PdnGame { tags: Vec::new(), start: s, moves: Vec::new(), result: Some(Duel::Drawn) };
        let text = text + "\n" + &game.show_pdn(&rest).unwrap();
        add("pdn", &format!("{spec} two"), format!("{name}\n{text}"));
        add("fen", spec, format!("{name}\n{}", game.show_state(&s)));
    }
    let commented =
        "checkers(simple)\n% a line\n1. 11-15 {a comment} $3 (1. 9-14) ; rest\n 22-18 *\n";
    add("pdn", "comments", commented);
    add("endgame_table", "two men", endgame::build(2, 1, |_, _| ()).unwrap());
    let small = Checkers::named("checkers(english, 6)").unwrap();
    let table = king_endgame::build_king_table(&small, 2, |_, _| true).unwrap();
    add("king_table", "two pieces", table);
    let large = Checkers::named("checkers(international)").unwrap();
    let position = large.show_hub_position(&large.start());
    let line = format!("checkers(international)\n{position}\n32-28\n19-23\n28x19x23\n");
    add("hub", "exchange", line);
}

fn hextris() {
    let options = RandomProblemOptions {
        id: 3,
        width: 6,
        height: 8,
        kinds: 2,
        cells: (1, 3),
        density: 0.2,
        source_length: 5,
        seeds: 2,
    };
    let problem = random_problem(&options, 1).unwrap();
    add("hextris_problem", "small", serde_json::to_string(problem.json()).unwrap());
    let solution = |tag: Option<&str>| HextrisSolution {
        problem_id: 3,
        seed: 0,
        tag: tag.map(str::to_owned),
        solution: "ei!plaaldb".to_owned(),
    };
    let list = vec![solution(None), solution(Some("a tag"))];
    add("hextris_solutions", "two", serde_json::to_string(&list).unwrap());
    add("hextris_commands", "empty", "");
    add("hextris_commands", "steps", "aaaaaaaaabbbblllppp");
}

fn files() {
    let layer = |inputs: usize, outputs: usize| Layer {
        inputs,
        outputs,
        weights: (0..inputs * outputs).map(|i| i as f32 / 8.0 - 0.5).collect(),
        biases: vec![0.25; outputs],
    };
    let layers = PolicyValueLayers {
        trunk: vec![layer(3, 2), layer(2, 2)],
        value: layer(2, 3),
        policy: layer(2, 4),
    };
    let network = PolicyValueNetwork::new(&layers).unwrap();
    let long = PolicyValueModel::new(network, "connect4", "cells", json!({ "generations": 1 }));
    add("policy_value_model", "long", long.to_bytes());
    add("policy_value_model", "short", long.clone().with_format(WeightFormat::F16).to_bytes());
    add("policy_value_model", "bytes", long.with_format(WeightFormat::I8).to_bytes());
    let network = Network::new(&[layer(3, 2), layer(2, 1)]).unwrap();
    let settings = TrainingSettings {
        game: "checkers".to_owned(),
        labels: "captures".to_owned(),
        hidden: vec![2],
        ..TrainingSettings::default()
    };
    let figures = TrainingFigures {
        rows: 9,
        epochs: 2,
        best: 1,
        r2: Some(0.5),
        ..TrainingFigures::default()
    };
    add(
        "network_model",
        "small",
        NetworkModel::new(network, settings, figures).unwrap().to_bytes(),
    );
    let mut model = PatternModel::blank(&TicTacToe, "tictactoe", 1);
    add("pattern_model", "blank", model.write());
    model.weights.iter_mut().step_by(97).enumerate().for_each(|(i, weight)| *weight = i as i16 - 3);
    model.training = json!({ "rounds": 2 });
    add("pattern_model", "trained", model.write());
    archive();
    let game = SelfPlayGame {
        opening: 1,
        moves: vec![4, 0, 1],
        values: vec![-120, 3],
        end: Duel::Won(Side::First),
    };
    let mut bytes = Vec::new();
    game.write(&mut bytes);
    add("self_play_game", "one", &bytes);
    game.write(&mut bytes);
    add("self_play_game", "two", &bytes);
}

/// Writes records as the target of archives takes them: kind, length in a byte, content.
fn archive() {
    let record = |kind: u8, content: &[u8]| [&[kind, content.len() as u8][..], content].concat();
    let header = record(b'H', br#"{"game":"tictactoe"}"#);
    let moves: [&[u8]; 2] = [&[0, 3, 1, 4, 2], &[4, 0, 8, 1, 2, 6, 3, 5, 7]];
    let block: GameBlock = encode_games(&TicTacToe, 0, moves).unwrap();
    let source = BlockSource {
        settings: GeneratorSettings {
            players: ["random".to_owned(), "random".to_owned()],
            budget: Budget::UNLIMITED,
            opening: 0,
        },
        seed: 1,
        version: "0.2.0".to_owned(),
    };
    let mut bytes = header.clone();
    for (kind, item) in [(b'S', ArchiveRecord::Source(source)), (b'G', ArchiveRecord::Games(block))]
    {
        // A record begins with its kind, its length in four bytes, and its checksum in four.
        bytes.extend(record(kind, &item.to_bytes()[9..]));
    }
    add("archive", "header", header);
    add("archive", "two games", bytes);
}

fn settings() {
    for budget in ["100ms", "2s,500sims", "50000nodes", "8plies", "0.5ms"] {
        add("budget", budget, budget);
    }
    let file = "game = \"tictactoe\"\nplayers = [\"random\", \"minimax\"]\nnames = [\"A\", \"B\"]\n\
                pairs = 3 # pairs\nopening = 2\nlongest = 50\nform = \"gauntlet\"\n";
    add("tournament_file", "all", file);
    add("tournament_file", "budget", "budget = \"10sims\"\n");
    for player in [
        "mcts(sims=100|200|400)",
        "mcts(c=1..3)",
        "uct(sims=1..64*2)",
        "mcts(c=0..2:0.5, sims=10|20)",
    ] {
        add("championship", player, player);
    }
    for player in ["mcts(c=?)", "mcts(c=?1..3, sims=?10..20)", "uct(sims=?)"] {
        add("tuning", player, player);
    }
    add("sprt", "usual", "elo0=0,elo1=10");
    add("sprt", "all", "elo0=-5.5,elo1=5,alpha=0.01,beta=0.1,model=normalised");
    for labels in ["distance", "distance(zero)", "winloss", "captures", "parity"] {
        add("labels", labels, labels);
    }
}

fn jobs() {
    let registry = registry::standard();
    let terms = GameSettings { budget: Budget::UNLIMITED, opening: 2, longest: 100, seed: 7 };
    let two = ["random", "random"];
    let duel = setup::duel(&registry, "tictactoe", two, 3, terms, None).unwrap();
    let plan = serde_json::to_value(duel.plan()).unwrap();
    add("stored_plan", "match", plan.to_string());
    let form = TournamentForm::Gauntlet;
    let cup =
        setup::tournament(&registry, "connect4", &["random", "minimax", "uct"], form, 2, terms);
    let names = ["A", "B", "C"].map(str::to_owned);
    let cup = setup::with_names(cup.unwrap(), &names).unwrap();
    add("stored_plan", "tournament", serde_json::to_string(cup.plan()).unwrap());
    add("job_spec", "games", format!("games\n{}", json!({ "plan": plan, "keep": true })));
    let cast = json!({ "players": two, "budget": Budget::UNLIMITED, "opening": 0 });
    let block = json!({ "game": "tictactoe", "cast": cast, "seed": 1, "first": 0, "games": 10 });
    add("job_spec", "generate", format!("generate\n{block}"));
    for (name, bytes) in ludion_cluster::wire_formats::samples() {
        add("cluster_message", name, bytes);
    }
}

fn lines() {
    for (sizes, code) in
        [("4 6", "1122"), ("4 10 no", "9012"), ("3 40", "40-1-17"), ("2 12", "12 3")]
    {
        add("mastermind_code", &format!("{sizes} {code}"), format!("{sizes}\n{code}"));
    }
    for feedback in ["2b1w", "2 1", "bbw", "0b0w", "4b"] {
        add("mastermind_feedback", feedback, format!("4 6\n{feedback}"));
    }
    let rules = Mastermind::new(2, 3, true).unwrap();
    let codes = CodeTable::new(&rules).unwrap();
    let tree = exhaustive::tree(&codes, GuessCriterion::Parts, TreeBuildOptions::with_threads(1));
    add("strategy_tree", "small", serde_json::to_string(&tree).unwrap());
    for line in [
        "ugi",
        "isready",
        "setoption name Seed value 3",
        "game connect4(7, 6)",
        "uginewgame",
        "position startpos moves 4 4",
        "position fen ..../.... first moves 1",
        "legal 1 2 3",
        "go movetime 100 depth 3",
        "go p1time 300 p2time 200 p1inc 1 p2inc 0",
        "stop",
        "query gameover",
        "observe 1122 answer 2b1w",
        "quit",
    ] {
        add("bot_command", line, line);
    }
    for line in [
        "id name My Bot",
        "id author Someone",
        "option name Seed type spin default 0 min 0 max 9",
        "option name Book type string default x",
        "feature game connect4 hex",
        "feature legal",
        "ugiok",
        "readyok",
        "info depth 3 nodes 40 time 5 score cp 12 pv 4 4",
        "info score value -0.25",
        "info string a note",
        "bestmove 4 ponder 3",
        "response true",
        "error no such game",
    ] {
        add("bot_reply", line, line);
    }
    let bodies = [
        json!({ "game": "connect4", "moves": "4 4 3" }),
        json!({ "pegs": 4, "colours": 6, "secret": "1122", "guess": "1212" }),
        json!({ "problem": "dot" }),
        json!({ "problem": "dot", "solutions": "aaabbb", "seed": 0 }),
        json!({ "problem": "dot", "solution": "aaabbb", "seed": 0 }),
    ];
    for (i, body) in bodies.iter().enumerate() {
        add(
            "request_body",
            &format!("route {i}"),
            [&[i as u8][..], body.to_string().as_bytes()].concat(),
        );
    }
    let position = json!({ "game": "checkers(english)", "state": "W:W31,K32:B1", "moves": "" });
    add("request_body", "checkers", format!("\0{position}"));
}
