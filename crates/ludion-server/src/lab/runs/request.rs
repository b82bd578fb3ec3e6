//! `POST /api/runs`: starts a match, a tournament, a championship, a tuning, or a study.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ludion_players::arena::championship::entrants::Entrants;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::pairings::PairSchedule;
use ludion_players::arena::plan::{GamesPlan, PlanKind, TuningMethod, TuningOptions};
use ludion_players::player::Budget;
use ludion_runs::setup::{self, TournamentForm};
use ludion_runs::sprt;
use ludion_runs::studies::StudyKind;
use ludion_store::{RunId, RunPlan, StudyPlan};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{limits, manager};
use crate::lab::body::{JsonBody, from_value};
use crate::lab::error::LabError;
use crate::lab::learning::{NETWORK_EXTENSION, PATTERNS_EXTENSION};
use crate::lab::{LabState, SharedLabState};

/// A request to start a run of games. Fields without a comment have the meaning of the command-line
/// options with the same names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GamesRequest {
    kind: PlanKind,
    game: String,
    /// Specs of the players: two for a match, two or more for a tournament, one with open
    /// parameters for a championship or a tuning.
    players: Vec<String>,
    /// The number of pairs of games between any two players that meet, or of each candidate of a
    /// tuning.
    pairs: Option<u64>,
    budget: Option<String>,
    opening: Option<u32>,
    longest: Option<u32>,
    seed: Option<u64>,
    /// The sequential test that may end a match early, such as `elo0=0,elo1=10`.
    sprt: Option<String>,
    /// Which players of a tournament meet; by default all.
    form: Option<TournamentForm>,
    /// Spec of the opponent of all candidates of a tuning; by default the tuned player with its
    /// default values.
    against: Option<String>,
    /// How a tuning searches for better candidates; by default genetic.
    by: Option<TuningMethod>,
    generations: Option<u32>,
}

/// The id of a run that was started.
#[derive(Serialize)]
pub(crate) struct RunStarted {
    pub(super) run: RunId,
}

/// Serves `POST /api/runs`: stores a new run and queues it.
pub(crate) async fn begin(
    State(lab): State<SharedLabState>,
    JsonBody(mut request): JsonBody<Value>,
) -> Result<(StatusCode, Json<RunStarted>), LabError> {
    let shared = lab.clone();
    let begun = lab.blocking(move |lab| {
        let slot = lab.run_manager.reserve()?;
        let on_cluster = on_cluster(lab, &mut request)?;
        let plan = plan(lab, request)?;
        let run = manager::begin_new(&shared, slot, on_cluster, |store| match &plan {
            RunPlan::Games(plan) => store.begin(plan, None),
            RunPlan::Study(plan) => store.begin_study(plan),
        })?;
        Ok(RunStarted { run })
    });
    Ok((StatusCode::CREATED, Json(begun.await?)))
}

/// Takes the field `cluster` out of a request: whether the workers of the cluster execute the run.
fn on_cluster(lab: &LabState, request: &mut Value) -> Result<bool, LabError> {
    let field = request.as_object_mut().and_then(|fields| fields.remove("cluster"));
    let on_cluster = field.map(from_value).transpose()?.unwrap_or(false);
    check_cluster(lab, on_cluster)?;
    Ok(on_cluster)
}

/// Rejects a run on the cluster if the laboratory has none.
pub(super) fn check_cluster(lab: &LabState, on_cluster: bool) -> Result<(), LabError> {
    if on_cluster && lab.cluster.is_none() {
        let sentence = "this laboratory has no cluster; open it with --cluster ADDRESS";
        return Err(LabError::Bad(sentence.to_owned()));
    }
    Ok(())
}

/// Makes the plan of a request: a study if `kind` names one, else games.
fn plan(lab: &LabState, request: Value) -> Result<RunPlan, LabError> {
    let kinds = &lab.run_manager.kinds;
    let name = request["kind"].as_str().map(|name| match name {
        // As the subcommand is called.
        "experiment" => "checkers experiment",
        name => name,
    });
    let kind = name.and_then(|name| kinds.study(name).ok());
    if let (Some(name), None) = (name, kind)
        && from_value::<PlanKind>(json!(name)).is_err()
    {
        let studies: Vec<&str> = kinds.studies().iter().map(|kind| kind.name).collect();
        return Err(LabError::Bad(format!(
            "kind {name:?} is unknown; allowed are match, tournament, championship, tuning, {}",
            studies.join(", ")
        )));
    }
    match (kind, request) {
        (Some(kind), Value::Object(fields)) => study_plan(lab, kind, fields).map(RunPlan::Study),
        (_, request) => from_value::<GamesRequest>(request)?.plan(lab).map(RunPlan::Games),
    }
}

/// Makes the plan of a study. Besides `kind` and `seed`, a request has the fields of its kind.
fn study_plan(
    lab: &LabState,
    kind: &StudyKind,
    mut fields: Map<String, Value>,
) -> Result<StudyPlan, LabError> {
    fields.remove("kind");
    let seed = fields.remove("seed").map(from_value).transpose()?.unwrap_or(1);
    // Models are written to the data folder, where players find them.
    if let Some(out) = fields.get_mut("out").filter(|out| !out.is_null()) {
        let extension = match kind.name {
            "learn network" => NETWORK_EXTENSION,
            _ => PATTERNS_EXTENSION,
        };
        let path = lab.data.new_file(&from_value::<String>(out.clone())?, extension)?;
        *out = json!(path);
    }
    let plan = kind.plan(&lab.registry, Value::Object(fields), seed)?;
    limits::check_study(lab, &plan)?;
    kind.check(&lab.registry, &plan)?;
    Ok(plan)
}

impl GamesRequest {
    /// Makes the plan of the request, after all checks.
    fn plan(&self, lab: &LabState) -> Result<GamesPlan, LabError> {
        self.check_fields()?;
        let terms = self.terms(lab)?;
        // Limits are checked before any player is created, which may need memory or start a
        // program.
        let draft = self.draft(terms)?;
        lab.limits.runs.check_size(&draft)?;
        limits::check_players(lab, &draft)?;
        let (registry, game, pairs) = (&lab.registry, &self.game[..], self.pairs());
        let first = &self.players[0];
        Ok(match self.kind {
            PlanKind::Match => {
                let sprt = self.sprt.as_deref().map(sprt::parse).transpose();
                let sprt = sprt.map_err(|error| LabError::Bad(format!("sprt: {error}")))?;
                let players = [&first[..], &self.players[1]];
                setup::duel(registry, game, players, pairs, terms, sprt)?.into_plan()
            }
            PlanKind::Tournament => {
                let form = self.form.unwrap_or_default();
                setup::tournament(registry, game, &self.players, form, pairs, terms)?.into_plan()
            }
            PlanKind::Championship => {
                setup::championship(registry, game, first, pairs, terms)?.into_plan()
            }
            PlanKind::Tuning => {
                let against = self.against.as_deref();
                setup::tune(registry, game, self.tuning(), against, pairs, terms)?
            }
        })
    }

    /// Rejects a wrong number of players, and fields that this kind of run does not have.
    fn check_fields(&self) -> Result<(), LabError> {
        let (kind, count) = (self.kind, self.players.len());
        let wanted = match kind {
            PlanKind::Match if count != 2 => Some("two players"),
            PlanKind::Tournament if count < 2 => Some("at least two players"),
            PlanKind::Championship | PlanKind::Tuning if count != 1 => {
                Some("one player, with its open parameters")
            }
            _ => None,
        };
        if let Some(wanted) = wanted {
            let name = kind.name();
            return Err(LabError::Bad(format!("a {name} needs {wanted}, and there are {count}")));
        }
        let misplaced = [
            ("sprt", self.sprt.is_some() && kind != PlanKind::Match),
            ("form", self.form.is_some() && kind != PlanKind::Tournament),
            ("against", self.against.is_some() && kind != PlanKind::Tuning),
            ("by", self.by.is_some() && kind != PlanKind::Tuning),
            ("generations", self.generations.is_some() && kind != PlanKind::Tuning),
        ];
        match misplaced.iter().find(|(_, wrong)| *wrong) {
            Some((name, _)) => Err(LabError::Bad(format!("a {} has no {name}", kind.name()))),
            None => Ok(()),
        }
    }

    /// Returns the number of pairs; the default depends on the kind of run.
    fn pairs(&self) -> u64 {
        self.pairs.unwrap_or(match self.kind {
            PlanKind::Match => 100,
            PlanKind::Tournament => 10,
            PlanKind::Championship => 1,
            PlanKind::Tuning => 50,
        })
    }

    /// Returns the settings of the games, and rejects those beyond the limits.
    fn terms(&self, lab: &LabState) -> Result<GameSettings, LabError> {
        let budget: Budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| LabError::Bad(format!("{error}")))?,
        };
        let most = u32::try_from(lab.limits.moves).unwrap_or(u32::MAX);
        let (opening, longest) = (self.opening.unwrap_or(2), self.longest.unwrap_or(most));
        let terms = GameSettings { budget, opening, longest, seed: self.seed.unwrap_or(1) };
        limits::check_terms(&lab.limits, &terms)?;
        limits::check_range("pairs", self.pairs(), 1..=lab.limits.runs.pairs)?;
        limits::check_range("generations", self.tuning().generations.into(), 1..=10_000)?;
        Ok(terms)
    }

    /// Returns the settings of a tuning, with defaults.
    fn tuning(&self) -> TuningOptions {
        TuningOptions {
            player: self.players.first().cloned().unwrap_or_default(),
            by: self.by.unwrap_or(TuningMethod::Genetic),
            generations: self.generations.unwrap_or(10),
        }
    }

    /// Returns the plan as far as it is known without creating players.
    fn draft(&self, terms: GameSettings) -> Result<GamesPlan, LabError> {
        let players: Vec<String> = match self.kind {
            PlanKind::Match | PlanKind::Tournament => self.players.clone(),
            PlanKind::Championship => {
                let field = Entrants::read(&self.players[0]);
                let field = field.map_err(|error| LabError::Bad(error.to_string()))?;
                field.entrants.into_iter().map(|entrant| entrant.text).collect()
            }
            PlanKind::Tuning => self.against.iter().cloned().collect(),
        };
        let (count, pairs) = (players.len() as u32, self.pairs());
        let schedule = match self.form {
            Some(TournamentForm::Gauntlet) => PairSchedule::gauntlet(count, pairs),
            _ => PairSchedule::round_robin(count, pairs),
        };
        let plan = GamesPlan::new(self.kind, &self.game, players, schedule, terms);
        let tuning = (self.kind == PlanKind::Tuning).then(|| self.tuning());
        Ok(GamesPlan { tuning, ..plan })
    }
}
