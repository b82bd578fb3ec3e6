//! The requests of the page Learning: files of the data folder, players that use them, and games of
//! an archive; requests go to the router, without a socket.

use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{GamesPlan, PlanKind};
use ludion::assets::{Assets, SharedBytes};
use ludion::games::tictactoe::TicTacToe;
use ludion::learn::model::{NetworkModel, TrainingFigures, TrainingSettings};
use ludion::learn::network::{Layer, Network};
use ludion::learn::patterns;
use ludion::player::Budget;
use ludion::registry::{self, GeneratorSettings};
use ludion_runs::kinds::WorkKinds;
use ludion_server::lab::LabLimits;
use ludion_server::{LabAccess, LabConfig, laboratory};
use ludion_store::{ArchiveFileWriter, BlockSource, Store, StudyPlan};
use serde_json::{Value, json};
use tower::ServiceExt;

fn read(name: &str) -> Result<SharedBytes, String> {
    std::fs::read(name)
        .map(|bytes| Arc::new(bytes) as SharedBytes)
        .map_err(|error| error.to_string())
}

fn lab(data: Option<&Path>) -> Router {
    lab_with(Store::in_memory().expect("a store"), data)
}

fn lab_with(store: Store, data: Option<&Path>) -> Router {
    let registry = Arc::new(registry::standard().with_assets(Assets::new(read)));
    laboratory(LabConfig {
        registry,
        store,
        access: LabAccess::Loopback,
        limits: LabLimits::of_cores(2),
        allow_bots: false,
        kinds: WorkKinds::standard(),
        data: data.map(Path::to_owned),
        cluster: None,
    })
}

async fn ask(app: &Router, request: Request<Body>) -> (StatusCode, String) {
    let response = app.clone().oneshot(request).await.expect("an answer");
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("text"))
}

async fn get(app: &Router, path: &str) -> (StatusCode, Value) {
    let request = Request::get(path).header("host", "localhost").body(Body::empty());
    let (status, text) = ask(app, request.expect("a request")).await;
    (status, serde_json::from_str(&text).expect("JSON"))
}

async fn post(app: &Router, path: &str, body: Value) -> (StatusCode, Value) {
    let request = Request::post(path).header("host", "localhost");
    let request = request.body(Body::from(body.to_string())).expect("a request");
    let (status, text) = ask(app, request).await;
    (status, serde_json::from_str(&text).expect("JSON"))
}

/// Returns the values of all moves at the start, as a player reports them.
async fn move_values(app: &Router, game: &Value, player: &Value) -> Vec<f64> {
    let question = json!({ "game": game, "player": player }).to_string();
    let request = Request::post("/api/choose").header("host", "localhost");
    let (_, text) = ask(app, request.body(Body::from(question)).expect("a request")).await;
    let choice = text.split("event: choice\ndata: ").nth(1).unwrap_or_else(|| panic!("{text}"));
    let choice: Value = serde_json::from_str(choice.trim()).expect("JSON");
    let lines = choice["lines"].as_array().expect("lines").iter();
    lines.map(|line| line["value"].as_f64().expect("a value")).collect()
}

/// Writes 30 random games of checkers.
fn write_games(path: &Path) {
    let random = || "random".to_owned();
    let cast =
        GeneratorSettings { players: [random(), random()], budget: Budget::UNLIMITED, opening: 0 };
    let game = registry::standard().game("checkers").expect("a game");
    let block = game.simulator(&cast).expect("players").block(7, 0, 30).expect("games");
    let source = BlockSource { settings: cast, seed: 7, version: "test".to_owned() };
    let mut writer = ArchiveFileWriter::append(path, "checkers", &source).expect("a file");
    writer.push(block).expect("games");
}

/// Returns a network that counts the men on the first squares of a board.
fn network(squares: u8) -> NetworkModel {
    let weights = (0..64).map(|input| f32::from(input < squares)).collect();
    let layer = Layer { inputs: 64, outputs: 1, weights, biases: vec![0.0] };
    let (labels, game) = ("captures".to_owned(), "checkers".to_owned());
    let spec = TrainingSettings { hidden: Vec::new(), labels, game, ..TrainingSettings::default() };
    NetworkModel::new(Network::new(&[layer]).expect("a network"), spec, TrainingFigures::default())
        .expect("a model")
}

#[tokio::test]
async fn files_are_recognised_by_content_and_each_model_has_a_value_for_every_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).expect("a file");
    write_games(&at("a games, with a comma.games"));
    write("b.lpat", &patterns::PatternModel::blank(&TicTacToe, "tictactoe", 1).write());
    write("c.safetensors", &network(8).to_bytes());
    write("d.lpat", b"LPAT and nothing of the kind");
    write("readme.txt", b"nothing to learn here");
    let app = lab(Some(folder.path()));
    let (_, found) = get(&app, "/api/learning").await;
    assert_eq!(found["folder"], folder.path().to_str().expect("text"));
    let things = found["things"].as_array().expect("things");
    let kinds: Vec<&str> =
        things.iter().map(|thing| thing["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["archive", "patterns", "network", "broken"]);
    assert_eq!((&things[0]["games"], &things[0]["sources"][0]["seed"]), (&json!(30), &json!(7)));
    assert_eq!(things[2]["training"]["widths"], json!([64, 1]));
    assert!(things[3]["error"].as_str().is_some_and(|error| !error.is_empty()), "{found}");
    // Every file has a value for each of the moves: 7 of checkers, 9 of tic-tac-toe.
    for (thing, moves) in [(0, 7), (1, 9), (2, 7)] {
        let thing = &things[thing];
        let values = move_values(&app, &thing["game"], &thing["player"]).await;
        assert_eq!(values.len(), moves, "{thing}");
    }
    // Blank patterns give all moves the same value.
    assert_eq!(move_values(&app, &things[1]["game"], &things[1]["player"]).await, [0.0; 9]);
    // A changed file is read again, and players use its new content.
    let before = move_values(&app, &things[2]["game"], &things[2]["player"]).await;
    write("c.safetensors", &network(40).to_bytes());
    let after = move_values(&app, &things[2]["game"], &things[2]["player"]).await;
    assert_ne!(before, after);
    write("c.safetensors", b"LPAT no more");
    let (_, found) = get(&app, "/api/learning").await;
    assert_eq!(found["things"][2]["kind"], "broken");
    std::fs::remove_file(at("c.safetensors")).expect("a file");
    let (_, found) = get(&app, "/api/learning").await;
    assert_eq!(found["things"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn games_of_an_archive_are_counted_and_shown_and_other_paths_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (inside, outside) = (folder.path().join("data"), folder.path().join("secret.games"));
    std::fs::create_dir(&inside).expect("a folder");
    write_games(&inside.join("random.games"));
    write_games(&outside);
    let app = lab(Some(&inside));
    let (_, sample) = get(&app, "/api/learning/games?file=random.games&from=25").await;
    assert_eq!((&sample["game"], &sample["counted"]), (&json!("checkers"), &json!(30)));
    let ends = sample["ends"].as_array().expect("ends").iter();
    assert_eq!(ends.map(|end| end[1].as_u64().expect("a count")).sum::<u64>(), 30);
    let games = sample["games"].as_array().expect("games");
    assert_eq!((games.len(), &games[0]["number"]), (5, &json!(25)));
    let question = json!({ "game": "checkers", "moves": games[0]["moves"] }).to_string();
    let request = Request::post("/api/position").header("host", "localhost");
    let (_, text) = ask(&app, request.body(Body::from(question)).expect("a request")).await;
    let position: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&position["result"], &position["turn"]), (&games[0]["outcome"], &Value::Null));
    for (query, status) in [
        ("file=random.games&from=30", StatusCode::NOT_FOUND),
        ("file=nothing.games", StatusCode::NOT_FOUND),
        ("file=..%2Fsecret.games", StatusCode::NOT_FOUND),
        ("file=random.games&from=x", StatusCode::BAD_REQUEST),
        ("", StatusCode::BAD_REQUEST),
    ] {
        let (found, said) = get(&app, &format!("/api/learning/games?{query}")).await;
        assert!(found == status && said["error"].is_string(), "{query}: {found} {said}");
    }
    std::fs::write(inside.join("torn.games"), b"Ludion games, format 9\n").expect("a file");
    let (found, said) = get(&app, "/api/learning/games?file=torn.games").await;
    assert_eq!(found, StatusCode::BAD_REQUEST, "{said}");
}

#[cfg(unix)]
#[tokio::test]
async fn players_read_only_files_of_the_folder_and_errors_do_not_reveal_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let (inside, outside) = (folder.path().join("data"), folder.path().join("net.safetensors"));
    std::fs::create_dir(&inside).expect("a folder");
    let model = network(8).to_bytes();
    std::fs::write(inside.join("net.safetensors"), &model).expect("a file");
    std::fs::write(inside.join("net.bin"), &model).expect("a file");
    std::fs::write(&outside, &model).expect("a file");
    let link = |to: &Path, name: &str| {
        std::os::unix::fs::symlink(to, inside.join(name)).expect("a link");
    };
    link(Path::new("/dev/zero"), "zero.safetensors");
    link(&outside, "out.safetensors");
    let mut store = Store::in_memory().expect("a store");
    let kept = |path: &str| {
        let players = [format!("mlp(model={path:?})"), "random".to_owned()];
        let terms = GameSettings { budget: Budget::UNLIMITED, opening: 0, longest: 100, seed: 1 };
        GamesPlan::new(PlanKind::Match, "checkers", players.to_vec(), PairSchedule::duel(1), terms)
    };
    let foreign = store.begin(&kept(outside.to_str().expect("text")), None).expect("kept");
    let app = lab_with(store, Some(&inside));
    let ours = inside.join("net.safetensors");
    for name in ["net.safetensors", ours.to_str().expect("text")] {
        let player = json!(format!("mlp(model={name:?})"));
        assert_eq!(move_values(&app, &json!("checkers"), &player).await.len(), 7, "{name}");
    }
    let nowhere = folder.path().join("nothing.safetensors");
    let wrong = [
        "/dev/zero",
        "zero.safetensors",
        "out.safetensors",
        "net.bin",
        "../net.safetensors",
        outside.to_str().expect("text"),
        nowhere.to_str().expect("text"),
    ];
    for name in wrong {
        let player = format!("mlp(model={name:?})");
        let sentence = format!("{name:?} is no archive and no model of the folder of data");
        let question = json!({ "game": "checkers", "player": player });
        let order = json!({ "kind": "match", "game": "checkers", "players": [player, "random"] });
        for (path, body) in [("/api/choose", question), ("/api/runs", order)] {
            let (status, said) = post(&app, path, body).await;
            assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {name}");
            assert!(said["error"].as_str().expect("words").contains(&sentence), "{said}");
        }
    }
    for verb in ["repeat", "resume"] {
        let (status, said) = post(&app, &format!("/api/runs/{foreign}/{verb}"), json!({})).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
    }
    let (_, all) = get(&app, "/api/runs").await;
    assert_eq!(all["total"], 1, "no run was stored");
}

/// Waits until a run has ended, and returns its details.
async fn finished(app: &Router, run: &Value) -> Value {
    let live = format!("/api/runs/{run}/live");
    let request = Request::get(live).header("host", "localhost").body(Body::empty());
    ask(app, request.expect("a request")).await;
    get(app, &format!("/api/runs/{run}")).await.1
}

#[tokio::test]
async fn a_learning_is_started_paused_and_resumed_and_its_model_is_in_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = lab(Some(folder.path()));
    let request = json!({
        "kind": "learn", "game": "connect4(5, 4)", "rounds": 2, "games": 100, "depth": 2,
        "pairs": 10, "seed": 5, "out": "mine.lpat"
    });
    let (status, started) = post(&app, "/api/runs", request.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{started}");
    post(&app, &format!("/api/runs/{}/pause", started["run"]), json!({})).await;
    let paused = finished(&app, &started["run"]).await;
    assert!(["stopped", "finished"].contains(&paused["phase"].as_str().expect("a phase")));
    post(&app, &format!("/api/runs/{}/resume", started["run"]), json!({})).await;
    let details = finished(&app, &started["run"]).await;
    assert_eq!((&details["phase"], &details["done"]), (&json!("finished"), &json!(2)), "{details}");
    assert_eq!(details["figures"]["generations"][0]["kept"], true, "{details}");
    let (_, found) = get(&app, "/api/learning").await;
    assert_eq!(found["things"][0]["file"], "mine.lpat", "{found}");
    let player = "deepening(depth=2, eval=patterns(mine.lpat))";
    let choose = json!({ "game": "connect4(5, 4)", "player": player }).to_string();
    let choose = Request::post("/api/choose").header("host", "localhost").body(Body::from(choose));
    let (status, text) = ask(&app, choose.expect("a request")).await;
    assert!(status == StatusCode::OK && text.contains("event: choice"), "{status}: {text}");
    let wrong = [
        ("out", json!("mine.lpat"), "mine.lpat exists already"),
        ("out", json!("../other.lpat"), "is no name of a new file"),
        ("out", json!("other.txt"), "ends in .lpat"),
        ("games", json!(1), "games = 1 is not allowed; games is 20 to 10000000"),
        ("games", json!(10_000_000), "jobs are too many"),
        ("game", json!("matches"), "is not learned by patterns"),
        ("speed", json!(1), "unknown field `speed`"),
    ];
    for (name, value, sentence) in wrong {
        let mut request = request.clone();
        request["out"] = json!("other.lpat");
        request[name] = value;
        let (status, said) = post(&app, "/api/runs", request).await;
        let said = said["error"].as_str().expect("a sentence").to_owned();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
        assert!(said.contains(sentence), "{said:?} has no {sentence:?}");
    }
}

#[tokio::test]
async fn an_experiment_is_started_and_a_plan_that_writes_elsewhere_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::in_memory().expect("a store");
    let elsewhere = StudyPlan {
        kind: "learn".to_owned(),
        about: String::new(),
        jobs: 1,
        seed: 1,
        settings: json!({
            "game": "tictactoe", "rounds": 1, "games": 20, "pairs": 1, "window": 1, "seed": 1,
            "terms": { "phases": 1, "depth": 1, "opening": 2, "longest": 400,
                       "training": { "rate": 0.05, "epochs": 1, "trust": 0.5 } },
            "out": "/tmp/elsewhere.lpat"
        }),
    };
    let run = store.begin_study(&elsewhere).expect("kept");
    let app = lab_with(store, Some(folder.path()));
    let (status, said) = post(&app, &format!("/api/runs/{run}/resume"), json!({})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{said}");
    assert!(said["error"].as_str().is_some_and(|said| said.contains("not in the data folder")));
    let request = json!({
        "kind": "checkers experiment", "games": 60, "matches": 2, "epochs": 1, "layers": [4]
    });
    let (status, started) = post(&app, "/api/runs", request).await;
    assert_eq!(status, StatusCode::CREATED, "{started}");
    let details = finished(&app, &started["run"]).await;
    assert_eq!(details["phase"], "finished", "{details}");
    assert_eq!(details["figures"]["complete"], true, "{details}");
}

/// Environment variable with the path of the store, for the second process of a test.
const STORE: &str = "LUDION_TEST_STORE";

#[test]
fn another_program_writes_into_the_store() {
    let Some(path) = std::env::var_os(STORE) else { return };
    let mut store = Store::open(Path::new(&path)).expect("a store");
    let study = StudyPlan {
        kind: "elsewhere".to_owned(),
        about: String::new(),
        jobs: 1,
        seed: 1,
        settings: Value::Null,
    };
    store.begin_study(&study).expect("kept");
}

/// Returns whether this process holds a lock on a file; true on systems without `/proc/locks`.
#[cfg(unix)]
fn is_locked(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Ok(locks) = std::fs::read_to_string("/proc/locks") else { return true };
    let (inode, program) = (path.metadata().expect("a file").ino(), std::process::id());
    let (inode, program) = (format!(":{inode} "), format!(" {program} "));
    locks.lines().any(|lock| lock.contains(&inode) && lock.contains(&program))
}

#[cfg(unix)]
#[tokio::test]
async fn listing_the_folder_does_not_release_the_locks_of_the_store() {
    use std::os::unix::fs::MetadataExt;
    for name in ["s.db", "s.games"] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        let app = lab_with(Store::open(&path).expect("a store"), Some(folder.path()));
        let log = || std::fs::metadata(path.with_file_name(format!("{name}-wal"))).map(|m| m.ino());
        let order = json!({
            "kind": "match", "game": "tictactoe", "players": ["random", "random"], "pairs": 1
        });
        for runs in [2, 4, 6] {
            let (status, begun) = post(&app, "/api/runs", order.clone()).await;
            assert_eq!(status, StatusCode::CREATED);
            // Waits for the end of the run: a program that writes would keep its log.
            let live = format!("/api/runs/{}/live", begun["run"]);
            let request = Request::get(live).header("host", "localhost").body(Body::empty());
            ask(&app, request.expect("a request")).await;
            let before = log().expect("a log");
            let (_, found) = get(&app, "/api/learning").await;
            assert_eq!(found["things"], json!([]));
            let player = format!("mlp(model={name:?})");
            post(&app, "/api/choose", json!({ "game": "checkers", "player": player })).await;
            get(&app, &format!("/api/learning/games?file={name}")).await;
            assert!(is_locked(&path), "{name}: SQLite's lock is gone");
            // Without the lock the other program would remove the log when it closes the store.
            let other = std::process::Command::new(std::env::current_exe().expect("a program"))
                .args(["learning::another_program_writes_into_the_store", "--exact"])
                .env(STORE, &path)
                .output()
                .expect("the program starts");
            assert!(other.status.success(), "{other:?}");
            assert_eq!(log().expect("a log"), before, "{name}: the log was removed");
            let (_, all) = get(&app, "/api/runs").await;
            assert_eq!(all["total"], runs, "{name}: both programs see all runs");
        }
    }
}

#[tokio::test]
async fn without_a_data_folder_the_list_of_files_is_empty() {
    for data in [None, Some(Path::new("/nowhere/at/all"))] {
        let (status, found) = get(&lab(data), "/api/learning").await;
        assert_eq!((status, &found["things"]), (StatusCode::OK, &json!([])));
        assert_eq!(found["folder"].is_null(), data.is_none());
    }
}

/// Sends a request whose events end with `done`, and returns its data.
async fn done(app: &Router, path: &str, body: Value) -> Value {
    let request = Request::post(path).header("host", "localhost");
    let (_, text) = ask(app, request.body(Body::from(body.to_string())).expect("a request")).await;
    let data = text.split("event: done\ndata: ").nth(1).unwrap_or_else(|| panic!("{text}"));
    serde_json::from_str(data.trim()).expect("JSON")
}

#[tokio::test]
async fn games_are_generated_and_a_network_is_trained_on_them_without_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = lab(Some(folder.path()));
    let (generate, train) = ("/api/learning/generate", "/api/learning/train");
    let order = json!({ "game": "hexapawn", "games": 200, "seed": 3, "out": "a.games" });
    let played = done(&app, generate, order.clone()).await;
    assert_eq!((&played["games"], &played["complete"]), (&json!(200), &json!(true)));
    // The same seed gives the same games.
    let again = json!({ "game": "hexapawn", "games": 200, "seed": 3, "out": "b.games" });
    done(&app, generate, again).await;
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    assert_eq!(bytes("a.games"), bytes("b.games"));
    let order = json!({ "data": "a.games", "layers": [8], "epochs": 3, "out": "net.safetensors" });
    let trained = done(&app, train, order).await;
    let curve = trained["curve"].as_array().expect("a curve");
    assert!(
        curve.len() == 3 && curve[2]["training_loss"].as_f64() < curve[0]["training_loss"].as_f64()
    );
    let (_, all) = get(&app, "/api/learning").await;
    let model =
        all["things"].as_array().expect("files").iter().find(|one| one["kind"] == "network");
    let model = model.expect("a network");
    assert_eq!(move_values(&app, &model["game"], &model["player"]).await.len(), 3);
    for (path, body, sentence) in [
        (generate, json!({ "game": "hexapawn", "games": 5, "out": "a.games" }), "exists already"),
        (generate, json!({ "game": "hexapawn", "games": 0, "out": "c.games" }), "games = 0"),
        (
            generate,
            json!({ "game": "hexapawn", "games": 5, "out": "../c.games" }),
            "no name of a new file",
        ),
        (
            generate,
            json!({ "game": "hexapawn", "games": 5, "player": "bot(x)", "out": "c.games" }),
            "bot",
        ),
        (
            train,
            json!({ "data": "a.games", "label": "luck", "out": "c.safetensors" }),
            "unknown label",
        ),
        (train, json!({ "data": "a.games", "layers": [], "out": "c.safetensors" }), "layers"),
        (train, json!({ "data": "z.games", "out": "c.safetensors" }), "no archive"),
    ] {
        let (status, refused) = post(&app, path, body).await;
        let said = refused["error"].as_str().expect("a sentence");
        assert!(
            status.is_client_error() && said.contains(sentence),
            "{said:?} has no {sentence:?}"
        );
    }
    let files = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 3, "refused requests write nothing");
}
