//! The teams of the contest, managed by clients that send the admin token: list, add, remove, and a new
//! token for one that was lost. A team's token is stored as its hash and returned once.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use ludion_store::{Team, TeamId};
use serde::{Deserialize, Serialize};

use crate::lab::SharedLabState;
use crate::lab::body::JsonBody;
use crate::lab::error::LabError;
use crate::lab::runs::paths::TeamPath;
use crate::submissions::AccessToken;

/// The header in which clients send the admin token.
const HEADER: &str = "x-ludion-admin";

/// Proof that a request has the admin token.
pub(in crate::lab) struct Admin;

impl FromRequestParts<SharedLabState> for Admin {
    type Rejection = LabError;

    async fn from_request_parts(parts: &mut Parts, lab: &SharedLabState) -> Result<Self, LabError> {
        let Some(admin) = &lab.admin else {
            return Err(LabError::Forbidden(
                "teams are managed from the page of a laboratory that was opened with --admin",
            ));
        };
        let given = parts.headers.get(HEADER).and_then(|value| value.to_str().ok());
        // Hashes are compared, so the time of the comparison reveals nothing about the token.
        match given.map(|given| AccessToken::from_text(given).hash() == admin.hash()) {
            Some(true) => Ok(Admin),
            _ => Err(LabError::Forbidden(
                "this is not the admin token, which the laboratory printed",
            )),
        }
    }
}

/// The teams.
#[derive(Serialize)]
pub(in crate::lab) struct TeamListResponse {
    teams: Vec<Team>,
}

/// Serves `GET /api/hextris/teams`.
pub(in crate::lab) async fn teams(
    State(lab): State<SharedLabState>,
    _: Admin,
) -> Result<Json<TeamListResponse>, LabError> {
    let teams = lab.with_store(|_, store| Ok(TeamListResponse { teams: store.teams()? }));
    Ok(Json(teams.await?))
}

/// A request for a new team.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::lab) struct AddTeamRequest {
    name: String,
}

/// A team with its new token, which is shown this once.
#[derive(Serialize)]
pub(in crate::lab) struct TeamTokenResponse {
    team: TeamId,
    name: String,
    token: String,
}

/// Largest number of characters of a name.
const MAX_NAME: usize = 100;

/// Serves `POST /api/hextris/teams`.
pub(in crate::lab) async fn add_team(
    State(lab): State<SharedLabState>,
    _: Admin,
    JsonBody(request): JsonBody<AddTeamRequest>,
) -> Result<(StatusCode, Json<TeamTokenResponse>), LabError> {
    let name = request.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        let allowed = format!("the name of a team has 1 to {MAX_NAME} characters on one line");
        return Err(LabError::Bad(allowed));
    }
    let added = lab.with_store(move |_, store| {
        let token = draw()?;
        let team = store.add_team(&name, &token.hash())?;
        Ok(TeamTokenResponse { team: team.id, name: team.name, token: token.text().to_owned() })
    });
    Ok((StatusCode::CREATED, Json(added.await?)))
}

/// Serves `POST /api/hextris/teams/{team}/token`.
pub(in crate::lab) async fn renew_token(
    State(lab): State<SharedLabState>,
    _: Admin,
    TeamPath(id): TeamPath,
) -> Result<Json<TeamTokenResponse>, LabError> {
    let renewed = lab.with_store(move |_, store| {
        let token = draw()?;
        store.set_token(id, &token.hash())?;
        let team = store.team(id)?;
        Ok(TeamTokenResponse { team: team.id, name: team.name, token: token.text().to_owned() })
    });
    Ok(Json(renewed.await?))
}

/// The team that was removed.
#[derive(Serialize)]
pub(in crate::lab) struct RemovedTeamResponse {
    removed: TeamId,
}

/// Serves `POST /api/hextris/teams/{team}/remove`: removes a team with all that it submitted.
pub(in crate::lab) async fn remove_team(
    State(lab): State<SharedLabState>,
    _: Admin,
    TeamPath(id): TeamPath,
) -> Result<Json<RemovedTeamResponse>, LabError> {
    let removed = lab.with_store(move |_, store| {
        store.remove_team(id)?;
        Ok(RemovedTeamResponse { removed: id })
    });
    Ok(Json(removed.await?))
}

fn draw() -> Result<AccessToken, LabError> {
    AccessToken::draw().map_err(|_| LabError::Internal)
}
