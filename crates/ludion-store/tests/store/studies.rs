//! Studies with their outputs, and cached values.

use std::time::Duration;

use ludion_store::{JobOutput, RunAnnotation, RunPlan, Store, StoreError, StudyPlan};

fn study() -> StudyPlan {
    StudyPlan {
        kind: "squares".to_owned(),
        about: "of small numbers".to_owned(),
        jobs: 4,
        seed: 1,
        settings: serde_json::json!({ "first": 3 }),
    }
}

fn output(number: u64) -> JobOutput<Vec<u64>> {
    JobOutput {
        number,
        took: Duration::from_nanos(1_000 + number),
        value: vec![number, number * number],
    }
}

#[test]
fn outputs_are_read_in_order_and_without_duplicates() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lab.sqlite");
    let mut store = Store::open(&path).expect("a new store");
    let run = store.begin_study(&study()).expect("a study");
    store.keep_outputs(run, &[output(2), output(0)]).expect("kept");
    store.keep_outputs(run, &[output(1), output(2)]).expect("kept again");
    drop(store);
    let store = Store::open(&path).expect("the store");
    let outputs: Vec<JobOutput<Vec<u64>>> = store.outputs(run).expect("outputs");
    assert_eq!(outputs, [output(0), output(1), output(2)]);
    let found = store.find_study(&study()).expect("reads").expect("is there");
    assert_eq!((found.id, found.outputs, found.plan), (run, 3, study()));
    assert!(store.outputs::<String>(run).is_err(), "outputs of another type are refused");
}

#[test]
fn a_study_is_listed_with_the_runs_but_is_not_a_run_of_games() {
    let mut store = Store::in_memory().expect("a store");
    let run = store.begin_study(&study()).expect("a study");
    let runs = store.runs().expect("runs");
    assert!(matches!(&runs[..], [one] if one.plan == RunPlan::Study(study())));
    let error = store.run(run).expect_err("no games");
    assert!(matches!(&error, StoreError::OtherKind { kind, .. } if kind == "squares"));
    assert_eq!(error.to_string(), "run 1 is of another kind, \"squares\"; see: ludion run show 1");
    store.forget(run).expect("forgotten");
    assert!(store.outputs::<Vec<u64>>(run).expect("none").is_empty());
}

#[test]
fn a_cached_value_replaces_the_one_of_the_same_name() {
    let mut store = Store::in_memory().expect("a store");
    assert_eq!(store.cache_get("tree", "a").expect("reads"), None);
    store.cache_put("tree", "a", b"first").expect("kept");
    store.cache_put("tree", "a", b"second").expect("kept");
    assert_eq!(store.cache_get("tree", "a").expect("reads").as_deref(), Some(&b"second"[..]));
    assert_eq!(store.cache_get("table", "a").expect("reads"), None);
}

#[test]
fn tags_and_notes_are_kept_with_a_run_and_deleted_with_it() {
    let mut store = Store::in_memory().expect("a store");
    let run = store.begin_study(&study()).expect("a study");
    assert_eq!(store.annotation(run).expect("nothing yet"), RunAnnotation::default());
    let annotation = RunAnnotation {
        tags: vec!["baseline".to_owned()],
        note: "a first try".to_owned(),
        repeat_of: Some(77),
    };
    store.annotate(run, &annotation).expect("a note");
    store.annotate(run, &annotation).expect("the same again");
    assert_eq!(store.annotation(run).expect("a note"), annotation);
    assert_eq!(store.annotations().expect("all"), [(run, annotation.clone())].into());
    let mut wrong = Vec::new();
    store.check_runs(&mut |row| wrong.extend(row.content.err())).expect("a check");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(matches!(store.annotate(99, &annotation), Err(StoreError::NoRun { id: 99, .. })));
    store.forget(run).expect("no run");
    assert!(store.annotations().expect("none").is_empty());
}
