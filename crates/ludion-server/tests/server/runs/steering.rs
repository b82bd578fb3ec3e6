//! Pausing, resuming, cancelling and queueing of runs, and their live events.

use super::*;

#[tokio::test]
async fn a_run_is_paused_resumed_and_cancelled_and_the_next_is_queued() {
    let runs = RunLimits { at_once: 1, queue: 1, ..RunLimits::default() };
    let limits = LabLimits { runs, ..LabLimits::of_cores(2) };
    let app = lab(Store::in_memory().expect("a store"), limits, false);
    let first = post(&app, "/api/runs", long()).await.run();
    until(&app, first, "running").await;
    let second = post(&app, "/api/runs", duel(3)).await.run();
    assert_eq!(get(&app, &format!("/api/runs/{second}")).await.json()["phase"], "queued");
    post(&app, "/api/runs", duel(3)).await.refused(429, "too many runs wait");
    let paused = post(&app, &format!("/api/runs/{first}/pause"), "{}").await;
    assert_eq!(paused.json()["phase"], "stopping");
    assert_eq!(ended(&app, second).await["phase"], "finished", "the queued run was started");
    let kept = until(&app, first, "stopped").await["done"].as_u64().unwrap();
    assert!(kept < 4000, "the run was stopped before its end");
    post(&app, &format!("/api/runs/{first}/pause"), "{}").await.refused(409, "not under way");
    post(&app, &format!("/api/runs/{second}/resume"), "{}").await.refused(409, "is finished");

    assert_eq!(post(&app, &format!("/api/runs/{first}/resume"), "{}").await.status, StatusCode::OK);
    until(&app, first, "running").await;
    post(&app, &format!("/api/runs/{first}/resume"), "{}").await.refused(409, "under way already");
    let more = until(&app, first, "running").await["done"].as_u64().unwrap();
    assert!(more >= kept, "stored games are not played again");
    assert_eq!(post(&app, &format!("/api/runs/{first}/forget"), "{}").await.status, StatusCode::OK);
    // It may be gone before anything else is asked, so its events are not read.
    let since = Instant::now();
    while get(&app, &format!("/api/runs/{first}")).await.status == StatusCode::OK {
        assert!(since.elapsed() < Duration::from_secs(60), "the run is not forgotten");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    get(&app, &format!("/api/runs/{first}")).await.refused(404, "there is no run");
    assert_eq!(
        post(&app, &format!("/api/runs/{second}/forget"), "{}").await.status,
        StatusCode::OK
    );
    get(&app, &format!("/api/runs/{second}")).await.refused(404, "there is no run");
}

#[tokio::test]
async fn refused_runs_are_not_stored_and_runs_that_leave_the_queue_leave_no_task() {
    let runs = RunLimits { at_once: 1, queue: 3, ..RunLimits::default() };
    let app = lab(
        Store::in_memory().expect("a store"),
        LabLimits { runs, ..LabLimits::of_cores(2) },
        false,
    );
    let first = post(&app, "/api/runs", long()).await.run();
    until(&app, first, "running").await;
    let requests: Vec<_> = (0..40)
        .map(|i| {
            let app = app.clone();
            let path = if i % 2 == 0 {
                "/api/runs".to_owned()
            } else {
                format!("/api/runs/{first}/repeat")
            };
            tokio::spawn(async move { post(&app, &path, duel(3)).await })
        })
        .collect();
    let mut begun = vec![first];
    for request in requests {
        let got = request.await.expect("an answer");
        match got.status {
            StatusCode::CREATED => begun.push(got.run()),
            _ => got.refused(429, "too many runs wait"),
        }
    }
    assert_eq!(begun.len(), 4, "one runs, three are queued");
    let kept = get(&app, "/api/runs").await.json();
    assert_eq!(kept["total"], 4, "{kept}");
    // Pausing and resuming a queued run adds no tasks.
    let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    let (before, waits) = (tasks(), begun[3]);
    for _ in 0..20 {
        let paused = post(&app, &format!("/api/runs/{waits}/pause"), "{}").await.json();
        assert_eq!(paused["phase"], "stopped");
        let resumed = post(&app, &format!("/api/runs/{waits}/resume"), "{}").await;
        assert_eq!(resumed.status, StatusCode::OK, "{}", resumed.text);
    }
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(tasks() <= before + 2, "{} tasks, before {before}", tasks());
    for run in begun {
        post(&app, &format!("/api/runs/{run}/forget"), "{}").await;
        ended_or_gone(&app, run).await;
    }
}

/// Waits until a cancelled run is deleted.
async fn ended_or_gone(app: &Router, run: i64) {
    let since = Instant::now();
    while get(app, &format!("/api/runs/{run}")).await.status != StatusCode::NOT_FOUND {
        assert!(since.elapsed() < Duration::from_secs(60), "run {run} is still stored");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn figures_are_sent_only_when_they_change() {
    let app = open();
    let order = json!({
        "kind": "tuning", "game": "tictactoe", "players": ["montecarlo(sims=?1..60)"], "pairs": 200,
        "generations": 3, "against": "montecarlo(sims=30)"
    });
    let run = post(&app, "/api/runs", order).await.run();
    let told = get(&app, &format!("/api/runs/{run}/live")).await.text;
    let news: Vec<Value> = told
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).expect("JSON"))
        .collect();
    let (_, before) = news.split_last().expect("news");
    let figures: Vec<&Value> = before.iter().filter_map(|one| one.get("figures")).collect();
    assert!(figures.windows(2).all(|two| two[0] != two[1]), "no figures are sent twice");
    assert!(
        !figures.is_empty() && figures.len() < before.len(),
        "{} of {}",
        figures.len(),
        before.len()
    );
    let places = before.iter().filter(|one| one["generation"].is_u64());
    assert!(places.clone().count() > 0);
    assert!(
        places.clone().all(|one| one["generations"] == 3 && one["generation"].as_u64() <= Some(3))
    );
}

#[tokio::test]
async fn a_run_of_a_killed_server_is_resumed_by_the_next_and_locked_by_one_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lab.sqlite");
    let limits = LabLimits::of_cores(2);
    let at = |path: &Path| lab(Store::open(path).expect("a store"), limits, false);
    let app = at(&path);
    let run = post(&app, "/api/runs", long()).await.run();
    until(&app, run, "running").await;
    // Another program sees the run, but cannot steer it.
    let other = at(&path);
    until(&other, run, "elsewhere").await;
    for verb in ["resume", "forget"] {
        let got = post(&other, &format!("/api/runs/{run}/{verb}"), "{}").await;
        got.refused(409, "being played by another program");
    }
    post(&other, &format!("/api/runs/{run}/pause"), "{}").await.refused(409, "another program");
    // As if the first program had been killed: the run is unfinished, and no program has its lock.
    post(&app, &format!("/api/runs/{run}/pause"), "{}").await;
    let kept = until(&other, run, "stopped").await["done"].as_u64().unwrap();
    let mut store = Store::open(&path).expect("a store");
    store.set_state(run, ludion_store::RunState::Running).expect("written");
    let details = get(&other, &format!("/api/runs/{run}")).await.json();
    assert_eq!((&details["phase"], details["done"].as_u64()), (&json!("stopped"), Some(kept)));
    assert_eq!(post(&other, &format!("/api/runs/{run}/resume"), "{}").await.status, StatusCode::OK);
    until(&app, run, "elsewhere").await;
    post(&other, &format!("/api/runs/{run}/forget"), "{}").await;
    // The run stops at once, so it may be gone before its events could be read.
    let (since, path) = (Instant::now(), format!("/api/runs/{run}"));
    while get(&app, &path).await.status == StatusCode::OK {
        assert!(since.elapsed() < Duration::from_secs(60), "the run is not forgotten");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    get(&app, &path).await.refused(404, "there is no run");
}
