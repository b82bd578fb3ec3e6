//! What the dashboard of runs needs: results in a sentence, tags and notes, charts as data, and
//! repetitions compared with their originals.

use super::*;

#[tokio::test]
async fn a_list_of_runs_has_their_results_tags_and_notes() {
    let app = open();
    let run = post(&app, "/api/runs", duel(20)).await.run();
    ended(&app, run).await;
    let path = format!("/api/runs/{run}/annotation");
    let kept = post(&app, &path, json!({ "tags": [" baseline ", "baseline", ""] })).await.json();
    assert_eq!(kept, json!({ "tags": ["baseline"], "note": "", "repeat_of": null }));
    post(&app, &path, json!({ "note": "depth 2 is enough" })).await;
    let page = get(&app, "/api/runs").await.json();
    let listed = &page["runs"][0];
    assert_eq!(
        (&listed["tags"], &listed["note"]),
        (&json!(["baseline"]), &json!("depth 2 is enough"))
    );
    let result = listed["result"].as_str().expect("a result");
    assert!(result.starts_with("minimax(depth=2) is stronger than random: "), "{result}");
    assert_eq!(
        (&page["complete"], &listed["players"]),
        (&json!(true), &json!(["minimax", "random"]))
    );
    assert_eq!(get(&app, &format!("/api/runs/{run}")).await.json()["result"], result);
    post(&app, &path, json!({ "tags": ["a,b"] })).await.refused(400, "no comma");
    post(&app, &path, json!({ "tags": 3 })).await.refused(400, "tags");
    post(&app, "/api/runs/99/annotation", json!({})).await.refused(404, "there is no run 99");
}

#[tokio::test]
async fn a_match_has_charts_of_its_score_and_of_its_test() {
    let app = open();
    let mut order = duel(10);
    order["sprt"] = "elo0=0,elo1=5,alpha=0.01,beta=0.01".into();
    let run = post(&app, "/api/runs", order).await.run();
    ended(&app, run).await;
    let answer = get(&app, &format!("/api/runs/{run}/charts")).await.json();
    let charts = answer["charts"].as_array().expect("charts");
    assert_eq!((charts.len(), &answer["partial"]), (2, &json!(false)));
    assert_eq!(charts[0]["x"]["label"], "games");
    let last = charts[0]["series"][0]["line"].as_array().expect("points").last().expect("a point");
    assert_eq!(last["x"], 20.0);
    assert_eq!(charts[1]["y"]["label"], "LLR");
}

#[tokio::test]
async fn a_repetition_names_its_original_and_is_the_same_move_by_move() {
    let app = open();
    let first = post(&app, "/api/runs", duel(5)).await.run();
    ended(&app, first).await;
    let none = get(&app, &format!("/api/runs/{first}/repetition")).await.json();
    assert_eq!((&none["original"], &none["comparison"]), (&Value::Null, &Value::Null));
    let again = post(&app, &format!("/api/runs/{first}/repeat"), "{}").await.run();
    ended(&app, again).await;
    let told = get(&app, &format!("/api/runs/{again}/repetition")).await.json();
    let same = json!({ "compared": 10, "same": 10, "missing": 0, "difference": null });
    assert_eq!((&told["original"], &told["comparison"]), (&json!(first), &same));
    assert_eq!(get(&app, &format!("/api/runs/{again}")).await.json()["repeat_of"], first);
    post(&app, &format!("/api/runs/{first}/forget"), "{}").await;
    let told = get(&app, &format!("/api/runs/{again}/repetition")).await.json();
    assert_eq!((&told["original"], &told["comparison"]), (&json!(first), &Value::Null));
}

#[tokio::test]
async fn a_run_on_a_cluster_needs_one() {
    let app = open();
    let mut order = duel(1);
    order["cluster"] = true.into();
    post(&app, "/api/runs", order).await.refused(400, "has no cluster");
    post(&app, "/api/runs/1/resume?cluster=true", "{}").await.refused(400, "has no cluster");
    post(&app, "/api/runs/1/resume?cluster=maybe", "{}").await.refused(400, "cluster");
    let mut order = duel(1);
    order["cluster"] = false.into();
    assert_eq!(post(&app, "/api/runs", order).await.status, StatusCode::CREATED);
}
