//! What the store keeps and what the programs of a cluster send each other.

use ludion::arena::plan::GamesPlan;
use ludion::assets::Assets;
use ludion_runs::PlayablePlan;
use ludion_runs::kinds::WorkKinds;

use super::{error, first_line, registry, text};
use crate::FuzzTarget;

const JSON_TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "null",
    "true",
    "1.5",
    "-1",
    "\"kind\"",
    "\"match\"",
    "\"tournament\"",
    "\"game\"",
    "\"players\"",
    "\"names\"",
    "\"schedule\"",
    "\"meetings\"",
    "\"pairs\"",
    "\"terms\"",
    "\"budget\"",
    "\"seed\"",
    "\"sprt\"",
    "\"tuning\"",
    "\"random\"",
];

/// Plans as the store keeps them.
pub(super) const STORED_PLAN: FuzzTarget = FuzzTarget {
    name: "stored_plan",
    about: "plan of a run in JSON, as the store keeps it",
    tokens: JSON_TOKENS,
    run: |input| {
        let plan: GamesPlan =
            serde_json::from_str(&text(input)).map_err(|_| "no plan".to_owned())?;
        let shown = serde_json::to_string(&plan).expect("plain data");
        assert_eq!(serde_json::from_str::<GamesPlan>(&shown).expect("JSON that was written"), plan);
        if plan.players.iter().all(|player| player == "random") {
            PlayablePlan::open(registry(), &plan).map_err(error)?;
        }
        Ok(())
    },
};

/// Specs of job sets: the first line is the kind of work, the rest the spec.
pub(super) const JOB_SPEC: FuzzTarget = FuzzTarget {
    name: "job_spec",
    about: "spec of jobs, as a coordinator sends it to workers",
    tokens: JSON_TOKENS,
    run: |input| {
        let (kind, spec) = first_line(input);
        let kinds = WorkKinds::standard();
        let handler = kinds.job_handler(kind.trim());
        let handler = handler.ok_or_else(|| format!("no kind of work is called {kind:?}"))?;
        (handler.open)(registry(), &Assets::default(), spec.as_bytes()).map(drop).map_err(error)
    },
};

/// Messages of the cluster on every subject.
pub(super) const CLUSTER_MESSAGE: FuzzTarget = FuzzTarget {
    name: "cluster_message",
    about: "message between coordinators and workers, of every kind",
    tokens: &[
        "{",
        "}",
        "\"status\"",
        "\"id\"",
        "\"version\"",
        "\"pieces\"",
        "\"opened\"",
        "\"barred\"",
        "\"phase\"",
        "\"open\"",
        "\"worker\"",
        "\"says\"",
        "\"refuses\"",
        "\"holds\"",
        "\"damaged\"",
        "\u{7f}\u{7f}\u{7f}\u{7f}",
        "\0",
        "\u{1}",
    ],
    run: |input| {
        ludion_cluster::wire_formats::decode_every_way(input);
        Ok(())
    },
};
