//! Many clients at once: some watch a run, some play against searching players. No client gets an
//! error, responses are fast although all cores are busy, and disconnected clients leave no open
//! socket.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::Client;
use crate::laboratory::Laboratory;

/// Statistics of the clients.
#[derive(Default)]
struct ClientStats {
    /// Time until each response began.
    answers: Vec<Duration>,
    /// Number of events that the watching clients received.
    news: u64,
    /// Number of moves that players chose.
    moves: u64,
}

impl ClientStats {
    fn add(&mut self, other: ClientStats) {
        self.answers.extend(other.answers);
        self.news += other.news;
        self.moves += other.moves;
    }

    /// Returns a quantile of the response times.
    fn quantile(&mut self, share: f64) -> Duration {
        self.answers.sort();
        self.answers[((self.answers.len() - 1) as f64 * share) as usize]
    }
}

/// Starts a run that outlasts all clients.
async fn begin_run(lab: &Laboratory) {
    let order = json!({
        "kind": "match", "game": "connect4", "pairs": 20_000,
        "players": ["mcts(sims=1000)", "montecarlo(sims=200)"],
    });
    let mut client = Client::connect(&lab.origin).await.unwrap();
    assert_eq!(client.ask("/api/runs", Some(&order)).await.unwrap().status, 201);
}

/// Watches the run as the page of the run does.
async fn observer(origin: String, until: Instant) -> ClientStats {
    let mut client = Client::connect(&origin).await.unwrap();
    let answer = client.ask("/api/runs/1/live", None).await.unwrap();
    assert_eq!(answer.status, 200);
    let mut seen = ClientStats { answers: vec![answer.took], ..ClientStats::default() };
    while let Ok(piece) = tokio::time::timeout_at(until.into(), client.piece()).await {
        let piece = piece.unwrap().expect("the run lasts longer");
        seen.news += u64::from(piece.contains("event: standing"));
    }
    seen
}

/// Plays games with a player that searches for 200 ms a move, with the requests of the page Play:
/// position, choice, next position.
async fn play(origin: String, until: Instant, seed: u64) -> ClientStats {
    let (mut seen, mut moves) = (ClientStats::default(), Vec::<String>::new());
    let mut client = Client::connect(&origin).await.unwrap();
    while Instant::now() < until {
        let place = json!({ "game": "connect4", "moves": moves.join(" ") });
        let answer = client.ask("/api/position", Some(&place)).await.unwrap();
        let position: Value = serde_json::from_str(&client.rest().await.unwrap()).unwrap();
        assert_eq!(answer.status, 200, "{position}");
        seen.answers.push(answer.took);
        if position["turn"].is_null() {
            moves.clear();
            continue;
        }
        let mut question = place;
        question["player"] = "mcts".into();
        question["budget"] = "200ms".into();
        question["seed"] = seed.into();
        let answer = client.ask("/api/choose", Some(&question)).await.unwrap();
        assert_eq!(answer.status, 200);
        seen.answers.push(answer.took);
        let told = client.rest().await.unwrap();
        let choice = told.split("event: choice\ndata: ").nth(1).expect(&told);
        let choice: Value = serde_json::from_str(choice.lines().next().unwrap()).unwrap();
        moves.push(choice["best"].as_str().unwrap().to_owned());
        seen.moves += 1;
    }
    seen
}

/// Requests pages and lists again and again.
async fn look(origin: String, until: Instant) -> ClientStats {
    let mut seen = ClientStats::default();
    let mut client = Client::connect(&origin).await.unwrap();
    for path in ["/", "/js/main.js", "/api/games", "/api/runs", "/api/runs/1", "/api/runs/1/games"]
        .iter()
        .cycle()
    {
        if Instant::now() >= until {
            break;
        }
        let answer = client.ask(path, None).await.unwrap();
        client.rest().await.unwrap();
        assert_eq!(answer.status, 200, "{path}");
        seen.answers.push(answer.took);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    seen
}

/// Runs watching, playing and browsing clients at the same time.
async fn run_clients(
    lab: &Laboratory,
    watchers: usize,
    players: u64,
    time: Duration,
) -> ClientStats {
    let until = Instant::now() + time;
    let mut clients = JoinSet::new();
    (0..watchers).for_each(|_| drop(clients.spawn(observer(lab.origin.clone(), until))));
    (0..players).for_each(|seed| drop(clients.spawn(play(lab.origin.clone(), until, seed))));
    clients.spawn(look(lab.origin.clone(), until));
    let mut all = ClientStats::default();
    while let Some(seen) = clients.join_next().await {
        all.add(seen.unwrap());
    }
    all
}

/// Files that may be open besides: those of a store being read, and one client.
const SLACK: usize = 5;

/// Waits until the program has at most this many files and sockets open.
async fn until_open(lab: &Laboratory, most: usize) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while lab.open_files() > most {
        assert!(Instant::now() < deadline, "{} are open, not {most}", lab.open_files());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn many_clients_are_served_and_leave_no_open_sockets() {
    let lab = Laboratory::open();
    begin_run(&lab).await;
    let before = run_clients(&lab, 1, 1, Duration::from_millis(300)).await;
    assert!(before.moves > 0);
    until_open(&lab, lab.open_files()).await;
    let open = lab.open_files();
    let mut seen = run_clients(&lab, 40, 4, Duration::from_secs(2)).await;
    assert!(seen.news >= 40 && seen.moves >= 4, "{} news, {} moves", seen.news, seen.moves);
    assert!(seen.quantile(0.5) < Duration::from_secs(1), "{:?}", seen.quantile(0.5));
    until_open(&lab, open + SLACK).await;
}

#[tokio::test]
async fn clients_that_disconnect_or_never_read_do_not_delay_others() {
    let lab = Laboratory::open();
    begin_run(&lab).await;
    let mut clients = Vec::new();
    // As many searches as may run or wait, of a minute each.
    let question =
        json!({ "game": "connect4", "player": "mcts(sims=1000000000)", "budget": "60s" });
    for _ in 0..20 {
        let mut client = Client::connect(&lab.origin).await.unwrap();
        assert_eq!(client.ask("/api/choose", Some(&question)).await.unwrap().status, 200);
        clients.push(client);
    }
    // These clients never read their events.
    for _ in 0..20 {
        let mut client = Client::connect(&lab.origin).await.unwrap();
        assert_eq!(client.ask("/api/runs/1/live", None).await.unwrap().status, 200);
        clients.push(client);
    }
    let busy = lab.open_files();
    drop(clients);
    let began = Instant::now();
    let mut client = Client::connect(&lab.origin).await.unwrap();
    let quick = json!({ "game": "tictactoe", "player": "random" });
    assert_eq!(client.ask("/api/choose", Some(&quick)).await.unwrap().status, 200);
    assert!(client.rest().await.unwrap().contains("event: choice"));
    assert!(began.elapsed() < Duration::from_secs(30), "it waited for disconnected clients");
    until_open(&lab, busy - 40 + SLACK).await;
}

/// `cargo test --release -p ludion-cli --test lab -- --ignored --nocapture load`
#[tokio::test]
#[ignore = "a measurement, of a release build on a quiet machine"]
async fn with_200_watchers_and_20_players_95_of_100_responses_take_less_than_50_ms() {
    let lab = Laboratory::open();
    begin_run(&lab).await;
    let mut seen = run_clients(&lab, 200, 20, Duration::from_secs(20)).await;
    let [half, most, all] = [0.5, 0.95, 1.0].map(|share| seen.quantile(share));
    println!(
        "{} responses: median {half:.1?}, 95 % within {most:.1?}, all within {all:.1?}; \
         {} events of the run, {} moves chosen",
        seen.answers.len(),
        seen.news,
        seen.moves
    );
    assert!(most < Duration::from_millis(50), "95 % take up to {most:?}");
}
