//! The table of the interface. It is data, so that a test can hold `openapi.json` against it.

use axum::routing::{MethodRouter, get, post};

use super::reply::Refusal;
use super::{Shared, about, choose, games, hextris, learning, mastermind, position, runs};

/// One route of the interface.
pub struct Route {
    /// `get` or `post`.
    pub method: &'static str,
    /// The path, as the router and OpenAPI write it.
    pub path: &'static str,
    pub(super) handler: fn() -> MethodRouter<Shared>,
}

/// Every route of the interface; a path stands here once for each method.
pub const ROUTES: &[Route] = &[
    Route { method: "get", path: "/api/about", handler: || get(about::about) },
    Route { method: "get", path: "/api/openapi.json", handler: || get(about::openapi) },
    Route { method: "get", path: "/api/games", handler: || get(games::games) },
    Route { method: "get", path: "/api/players", handler: || get(games::players) },
    Route { method: "post", path: "/api/position", handler: || post(position::position) },
    Route { method: "post", path: "/api/choose", handler: || post(choose::choose) },
    Route { method: "get", path: "/api/mastermind", handler: || get(mastermind::about) },
    Route { method: "post", path: "/api/mastermind/run", handler: || post(mastermind::run) },
    Route { method: "post", path: "/api/mastermind/chain", handler: || post(mastermind::chain) },
    Route { method: "post", path: "/api/mastermind/answer", handler: || post(mastermind::answer) },
    Route { method: "post", path: "/api/mastermind/advise", handler: || post(mastermind::advise) },
    Route { method: "get", path: "/api/hextris", handler: || get(hextris::problems) },
    Route { method: "post", path: "/api/hextris/problem", handler: || post(hextris::problem) },
    Route { method: "post", path: "/api/hextris/replay", handler: || post(hextris::replay) },
    Route { method: "post", path: "/api/hextris/score", handler: || post(hextris::score) },
    Route { method: "post", path: "/api/hextris/solve", handler: || post(hextris::solve) },
    Route {
        method: "get",
        path: "/api/hextris/leaderboard",
        handler: || get(hextris::leaderboard),
    },
    Route { method: "get", path: "/api/learning", handler: || get(learning::learning) },
    Route { method: "get", path: "/api/learning/games", handler: || get(learning::games) },
    Route { method: "get", path: "/api/cluster", handler: || get(runs::cluster::cluster) },
    Route { method: "get", path: "/api/runs", handler: || get(runs::list::runs) },
    Route { method: "post", path: "/api/runs", handler: || post(runs::order::begin) },
    Route { method: "get", path: "/api/runs/{run}", handler: || get(runs::details::details) },
    Route { method: "get", path: "/api/runs/{run}/live", handler: || get(runs::live::live) },
    Route { method: "get", path: "/api/runs/{run}/games", handler: || get(runs::games::games) },
    Route {
        method: "get",
        path: "/api/runs/{run}/games/{game}",
        handler: || get(runs::games::game),
    },
    Route { method: "get", path: "/api/runs/{run}/plot.svg", handler: || get(runs::files::plot) },
    Route { method: "get", path: "/api/runs/{run}/export.csv", handler: || get(runs::files::csv) },
    Route {
        method: "get",
        path: "/api/runs/{run}/export.json",
        handler: || get(runs::files::json),
    },
    Route { method: "post", path: "/api/runs/{run}/pause", handler: || post(runs::steer::pause) },
    Route { method: "post", path: "/api/runs/{run}/resume", handler: || post(runs::steer::resume) },
    Route { method: "post", path: "/api/runs/{run}/repeat", handler: || post(runs::steer::repeat) },
    Route { method: "post", path: "/api/runs/{run}/forget", handler: || post(runs::steer::forget) },
];

/// What a path gets that is asked by a method it has not.
pub(super) async fn wrong_method() -> Refusal {
    Refusal::Method
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn openapi_has_every_route_and_no_other_and_its_references_lead_somewhere() {
        let file: Value = serde_json::from_str(about::OPENAPI).expect("JSON");
        let paths = file["paths"].as_object().expect("paths");
        let written: BTreeSet<(&str, &str)> = paths
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().expect("methods").keys();
                let methods = methods.filter(|name| *name != "parameters");
                methods.map(move |method| (&path[..], &method[..]))
            })
            .collect();
        let routed = ROUTES.iter().map(|route| (route.path, route.method)).collect();
        assert_eq!(written, routed);
        assert_eq!(file["info"]["version"], env!("CARGO_PKG_VERSION"));
        for reference in about::OPENAPI.split("\"$ref\": \"#").skip(1) {
            let place = reference.split('"').next().unwrap_or_default();
            assert!(file.pointer(place).is_some(), "{place}");
        }
    }
}
