//! The table of the interface's routes. It is data, so that a test can compare `openapi.json` with
//! it.

use axum::routing::{MethodRouter, get, post};

use super::error::LabError;
use super::{
    SharedLabState, about, choose, edit, explorer, games, hextris, learning, mastermind, position,
    read, reproductions, runs, solve,
};

/// One route of the interface.
pub struct ApiRoute {
    /// The HTTP method: `get` or `post`.
    pub method: &'static str,
    /// The path with its parameters in braces, as the router and OpenAPI write it.
    pub path: &'static str,
    /// Makes the handler of the route.
    pub(super) handler: fn() -> MethodRouter<SharedLabState>,
}

/// Every route of the interface; a path with two methods is listed twice.
pub const ROUTES: &[ApiRoute] = &[
    ApiRoute { method: "get", path: "/api/about", handler: || get(about::about) },
    ApiRoute { method: "get", path: "/api/openapi.json", handler: || get(about::openapi) },
    ApiRoute { method: "get", path: "/api/games", handler: || get(games::games) },
    ApiRoute { method: "get", path: "/api/players", handler: || get(games::players) },
    ApiRoute { method: "post", path: "/api/position", handler: || post(position::position) },
    ApiRoute { method: "post", path: "/api/choose", handler: || post(choose::choose) },
    ApiRoute { method: "post", path: "/api/read", handler: || post(read::read) },
    ApiRoute { method: "post", path: "/api/edit", handler: || post(edit::edit) },
    ApiRoute { method: "post", path: "/api/solve", handler: || post(solve::solve) },
    ApiRoute { method: "post", path: "/api/explorer", handler: || post(explorer::explorer) },
    ApiRoute { method: "get", path: "/api/mastermind", handler: || get(mastermind::about) },
    ApiRoute { method: "post", path: "/api/mastermind/run", handler: || post(mastermind::run) },
    ApiRoute { method: "post", path: "/api/mastermind/chain", handler: || post(mastermind::chain) },
    ApiRoute {
        method: "post",
        path: "/api/mastermind/answer",
        handler: || post(mastermind::answer),
    },
    ApiRoute {
        method: "post",
        path: "/api/mastermind/advise",
        handler: || post(mastermind::advise),
    },
    ApiRoute { method: "get", path: "/api/hextris", handler: || get(hextris::problems) },
    ApiRoute { method: "post", path: "/api/hextris/problem", handler: || post(hextris::problem) },
    ApiRoute { method: "post", path: "/api/hextris/replay", handler: || post(hextris::replay) },
    ApiRoute { method: "post", path: "/api/hextris/score", handler: || post(hextris::score) },
    ApiRoute { method: "post", path: "/api/hextris/solve", handler: || post(hextris::solve) },
    ApiRoute {
        method: "get",
        path: "/api/hextris/leaderboard",
        handler: || get(hextris::leaderboard),
    },
    ApiRoute { method: "get", path: "/api/hextris/teams", handler: || get(hextris::listed_teams) },
    ApiRoute { method: "post", path: "/api/hextris/teams", handler: || post(hextris::add_team) },
    ApiRoute {
        method: "post",
        path: "/api/hextris/teams/{team}/token",
        handler: || post(hextris::renew_token),
    },
    ApiRoute {
        method: "post",
        path: "/api/hextris/teams/{team}/remove",
        handler: || post(hextris::remove_team),
    },
    ApiRoute {
        method: "post",
        path: "/api/hextris/placements",
        handler: || post(hextris::placements),
    },
    ApiRoute {
        method: "get",
        path: "/api/hextris/submissions",
        handler: || get(hextris::submitted_problems),
    },
    ApiRoute {
        method: "get",
        path: "/api/hextris/submissions/{problem}",
        handler: || get(hextris::submissions),
    },
    ApiRoute {
        method: "get",
        path: "/api/hextris/solutions/{id}",
        handler: || get(hextris::submission),
    },
    ApiRoute { method: "get", path: "/api/learning", handler: || get(learning::learning) },
    ApiRoute { method: "get", path: "/api/learning/games", handler: || get(learning::games) },
    ApiRoute {
        method: "post",
        path: "/api/learning/generate",
        handler: || post(learning::generate),
    },
    ApiRoute { method: "post", path: "/api/learning/train", handler: || post(learning::train) },
    ApiRoute { method: "get", path: "/api/reproductions", handler: || get(reproductions::works) },
    ApiRoute { method: "get", path: "/api/cluster", handler: || get(runs::cluster::cluster) },
    ApiRoute { method: "get", path: "/api/runs", handler: || get(runs::list::runs) },
    ApiRoute { method: "post", path: "/api/runs", handler: || post(runs::request::begin) },
    ApiRoute { method: "get", path: "/api/runs/{run}", handler: || get(runs::details::details) },
    ApiRoute { method: "get", path: "/api/runs/{run}/live", handler: || get(runs::live::live) },
    ApiRoute { method: "get", path: "/api/runs/{run}/games", handler: || get(runs::games::games) },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/games/{game}",
        handler: || get(runs::games::game),
    },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/charts",
        handler: || get(runs::charts::charts),
    },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/repetition",
        handler: || get(runs::repetition::repetition),
    },
    ApiRoute {
        method: "post",
        path: "/api/runs/{run}/annotation",
        handler: || post(runs::annotation::annotate),
    },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/plot.svg",
        handler: || get(runs::files::plot),
    },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/export.csv",
        handler: || get(runs::files::csv),
    },
    ApiRoute {
        method: "get",
        path: "/api/runs/{run}/export.json",
        handler: || get(runs::files::json),
    },
    ApiRoute {
        method: "post",
        path: "/api/runs/{run}/pause",
        handler: || post(runs::control::pause),
    },
    ApiRoute {
        method: "post",
        path: "/api/runs/{run}/resume",
        handler: || post(runs::control::resume),
    },
    ApiRoute {
        method: "post",
        path: "/api/runs/{run}/repeat",
        handler: || post(runs::control::repeat),
    },
    ApiRoute {
        method: "post",
        path: "/api/runs/{run}/forget",
        handler: || post(runs::control::forget),
    },
];

/// Answers a request whose path does not support its method.
pub(super) async fn wrong_method() -> LabError {
    LabError::Method
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
