//! Requests to start runs: a match, a tournament, a championship, a tuning, or a study.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ludion::arena::championship::entrants::Entrants;
use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{MatchPlan, PlanKind, TuningMethod, TuningPlan};
use ludion::player::Budget;
use ludion_runs::setup::{self, TournamentForm};
use ludion_runs::sprt;
use ludion_runs::studies::StudyKind;
use ludion_store::{RunId, RunPlan, StudyPlan};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{limits, manager};
use crate::lab::body::{JsonBody, from_value};
use crate::lab::error::LabError;
use crate::lab::{LabState, SharedLabState};

/// A request to play games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GamesRequest {
    kind: PlanKind,
    game: String,
    /// Two for a match, two or more for a tournament; for a championship or a tuning one, with
    /// open parameters.
    players: Vec<String>,
    /// The number of pairs of games: of every meeting, or of every candidate.
    pairs: Option<u64>,
    budget: Option<String>,
    opening: Option<u32>,
    longest: Option<u32>,
    seed: Option<u64>,
    /// Ends a match early, such as `elo0=0,elo1=10`.
    sprt: Option<String>,
    /// The pairings of a tournament.
    form: Option<TournamentForm>,
    /// The opponent of the candidates of a tuning.
    against: Option<String>,
    /// The method of search of a tuning.
    by: Option<TuningMethod>,
    generations: Option<u32>,
}

/// A run that was started.
#[derive(Serialize)]
pub(crate) struct RunStarted {
    pub(super) run: RunId,
}

/// Stores a new run and starts it, now or when it is its turn.
pub(crate) async fn begin(
    State(running): State<SharedLabState>,
    JsonBody(request): JsonBody<Value>,
) -> Result<(StatusCode, Json<RunStarted>), LabError> {
    let shared = running.clone();
    let begun = running.off(move |running| {
        let slot = running.desk.reserve()?;
        let plan = plan(running, request)?;
        let run = manager::begin_new(&shared, slot, |store| match &plan {
            RunPlan::Games(plan) => store.begin(plan, None),
            RunPlan::Study(plan) => store.begin_study(plan),
        })?;
        Ok(RunStarted { run })
    });
    Ok((StatusCode::CREATED, Json(begun.await?)))
}

/// Makes a plan of a request, whose `kind` says what it is.
fn plan(running: &LabState, request: Value) -> Result<RunPlan, LabError> {
    let kind = request["kind"].as_str().and_then(|name| running.desk.kinds.study(name).ok());
    match (kind, request) {
        (Some(kind), Value::Object(fields)) => {
            study_plan(running, kind, fields).map(RunPlan::Study)
        }
        (_, request) => from_value::<GamesRequest>(request)?.plan(running).map(RunPlan::Games),
    }
}

/// Makes a plan of a study. Beside `kind` and `seed` a request has the fields that its kind allows.
fn study_plan(
    running: &LabState,
    kind: &StudyKind,
    mut fields: Map<String, Value>,
) -> Result<StudyPlan, LabError> {
    fields.remove("kind");
    let seed = fields.remove("seed").map(from_value).transpose()?.unwrap_or(1);
    // Models are written to the data folder, where players find them.
    if let Some(out) = fields.get_mut("out").filter(|out| !out.is_null()) {
        let path = running.data.new_model(&from_value::<String>(out.clone())?)?;
        *out = json!(path);
    }
    let plan = kind.plan(&running.registry, Value::Object(fields), seed)?;
    limits::check_study(running, &plan)?;
    kind.check(&running.registry, &plan)?;
    Ok(plan)
}

impl GamesRequest {
    fn plan(&self, running: &LabState) -> Result<MatchPlan, LabError> {
        self.check_fields()?;
        let terms = self.terms(running)?;
        // Sizes, memory and programs are asked for before a player is made.
        let draft = self.draft(terms)?;
        running.limits.runs.check_size(&draft)?;
        limits::check_players(running, &draft)?;
        let (registry, game, pairs) = (&running.registry, &self.game[..], self.pairs());
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

    /// Refuses fields that this kind of run does not have.
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
        let strange = [
            ("sprt", self.sprt.is_some() && kind != PlanKind::Match),
            ("form", self.form.is_some() && kind != PlanKind::Tournament),
            ("against", self.against.is_some() && kind != PlanKind::Tuning),
            ("by", self.by.is_some() && kind != PlanKind::Tuning),
            ("generations", self.generations.is_some() && kind != PlanKind::Tuning),
        ];
        match strange.iter().find(|(_, wrong)| *wrong) {
            Some((name, _)) => Err(LabError::Bad(format!("a {} has no {name}", kind.name()))),
            None => Ok(()),
        }
    }

    /// Returns the number of pairs, by default that of the command line.
    fn pairs(&self) -> u64 {
        self.pairs.unwrap_or(match self.kind {
            PlanKind::Match => 100,
            PlanKind::Tournament => 10,
            PlanKind::Championship => 1,
            PlanKind::Tuning => 50,
        })
    }

    fn terms(&self, running: &LabState) -> Result<GameSettings, LabError> {
        let budget: Budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| LabError::Bad(format!("{error}")))?,
        };
        let most = u32::try_from(running.limits.moves).unwrap_or(u32::MAX);
        let (opening, longest) = (self.opening.unwrap_or(2), self.longest.unwrap_or(most));
        let terms = GameSettings { budget, opening, longest, seed: self.seed.unwrap_or(1) };
        limits::check_terms(&running.limits, &terms)?;
        limits::check_range("pairs", self.pairs(), 1..=running.limits.runs.pairs)?;
        limits::check_range("generations", self.tuning().generations.into(), 1..=10_000)?;
        Ok(terms)
    }

    fn tuning(&self) -> TuningPlan {
        TuningPlan {
            player: self.players.first().cloned().unwrap_or_default(),
            by: self.by.unwrap_or(TuningMethod::Genetic),
            generations: self.generations.unwrap_or(10),
        }
    }

    /// Returns the plan as far as it is known before players are made.
    fn draft(&self, terms: GameSettings) -> Result<MatchPlan, LabError> {
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
        let plan = MatchPlan::new(self.kind, &self.game, players, schedule, terms);
        let tuning = (self.kind == PlanKind::Tuning).then(|| self.tuning());
        Ok(MatchPlan { tuning, ..plan })
    }
}
