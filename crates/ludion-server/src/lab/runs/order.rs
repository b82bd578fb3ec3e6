//! What a page asks to be played: a match, a tournament, a championship or a tuning.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ludion::arena::championship::field::Field;
use ludion::arena::contest::Schedule;
use ludion::arena::pair::Terms;
use ludion::arena::plan::{Kind, Method, Plan, Tuning};
use ludion::player::Budget;
use ludion_runs::setup::{self, Form};
use ludion_runs::sprt;
use ludion_store::RunId;
use serde::{Deserialize, Serialize};

use super::{desk, limits};
use crate::lab::body::Body;
use crate::lab::reply::Refusal;
use crate::lab::{Running, Shared};

/// What is to be played.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Order {
    kind: Kind,
    game: String,
    /// Two of a match, two or more of a tournament; of a championship or a tuning one, with its
    /// open parameters.
    players: Vec<String>,
    /// Pairs of games: of every meeting, or of every candidate.
    pairs: Option<u64>,
    budget: Option<String>,
    opening: Option<u32>,
    longest: Option<u32>,
    seed: Option<u64>,
    /// Ends a match early, such as `elo0=0,elo1=10`.
    sprt: Option<String>,
    /// Who meets whom in a tournament.
    form: Option<Form>,
    /// Whom the candidates of a tuning play against.
    against: Option<String>,
    /// How a tuning searches.
    by: Option<Method>,
    generations: Option<u32>,
}

/// A run that was begun.
#[derive(Serialize)]
pub(crate) struct Begun {
    pub(super) run: RunId,
}

/// Keeps a new run and has it conducted.
pub(crate) async fn begin(
    State(running): State<Shared>,
    Body(order): Body<Order>,
) -> Result<(StatusCode, Json<Begun>), Refusal> {
    let shared = running.clone();
    let begun = running.off(move |running| {
        let place = running.desk.reserve()?;
        let plan = order.plan(running)?;
        let run = desk::begin_new(&shared, place, |store| store.begin(&plan, None))?;
        Ok(Begun { run })
    });
    Ok((StatusCode::CREATED, Json(begun.await?)))
}

impl Order {
    fn plan(&self, running: &Running) -> Result<Plan, Refusal> {
        self.check_fields()?;
        let terms = self.terms(running)?;
        // Sizes, memory and programs are asked for before a player is made.
        let draft = self.draft(terms)?;
        running.limits.runs.check_size(&draft)?;
        limits::check_players(running, &draft)?;
        let (registry, game, pairs) = (&running.registry, &self.game[..], self.pairs());
        let first = &self.players[0];
        Ok(match self.kind {
            Kind::Match => {
                let sprt = self.sprt.as_deref().map(sprt::parse).transpose();
                let sprt = sprt.map_err(|error| Refusal::Bad(format!("sprt: {error}")))?;
                setup::duel(registry, game, [first, &self.players[1]], pairs, terms, sprt)?
            }
            Kind::Tournament => {
                let form = self.form.unwrap_or_default();
                setup::tournament(registry, game, &self.players, form, pairs, terms)?
            }
            Kind::Championship => setup::championship(registry, game, first, pairs, terms)?,
            Kind::Tuning => {
                let against = self.against.as_deref();
                setup::tune(registry, game, self.tuning(), against, pairs, terms)?
            }
        })
    }

    /// Refuses what this kind of run has not.
    fn check_fields(&self) -> Result<(), Refusal> {
        let (kind, count) = (self.kind, self.players.len());
        let wanted = match kind {
            Kind::Match if count != 2 => Some("two players"),
            Kind::Tournament if count < 2 => Some("at least two players"),
            Kind::Championship | Kind::Tuning if count != 1 => {
                Some("one player, with its open parameters")
            }
            _ => None,
        };
        if let Some(wanted) = wanted {
            let name = kind.name();
            return Err(Refusal::Bad(format!("a {name} needs {wanted}, and there are {count}")));
        }
        let strange = [
            ("sprt", self.sprt.is_some() && kind != Kind::Match),
            ("form", self.form.is_some() && kind != Kind::Tournament),
            ("against", self.against.is_some() && kind != Kind::Tuning),
            ("by", self.by.is_some() && kind != Kind::Tuning),
            ("generations", self.generations.is_some() && kind != Kind::Tuning),
        ];
        match strange.iter().find(|(_, wrong)| *wrong) {
            Some((name, _)) => Err(Refusal::Bad(format!("a {} has no {name}", kind.name()))),
            None => Ok(()),
        }
    }

    /// As many as the command line plays when nobody says how many.
    fn pairs(&self) -> u64 {
        self.pairs.unwrap_or(match self.kind {
            Kind::Match => 100,
            Kind::Tournament => 10,
            Kind::Championship => 1,
            Kind::Tuning => 50,
        })
    }

    fn terms(&self, running: &Running) -> Result<Terms, Refusal> {
        let budget: Budget = match self.budget.as_deref() {
            None | Some("") => Budget::UNLIMITED,
            Some(text) => text.parse().map_err(|error| Refusal::Bad(format!("{error}")))?,
        };
        let most = u32::try_from(running.limits.moves).unwrap_or(u32::MAX);
        let (opening, longest) = (self.opening.unwrap_or(2), self.longest.unwrap_or(most));
        let terms = Terms { budget, opening, longest, seed: self.seed.unwrap_or(1) };
        limits::check_terms(&running.limits, &terms)?;
        limits::check_range("pairs", self.pairs(), 1..=running.limits.runs.pairs)?;
        limits::check_range("generations", self.tuning().generations.into(), 1..=10_000)?;
        Ok(terms)
    }

    fn tuning(&self) -> Tuning {
        Tuning {
            player: self.players.first().cloned().unwrap_or_default(),
            by: self.by.unwrap_or(Method::Genetic),
            generations: self.generations.unwrap_or(10),
        }
    }

    /// The plan as far as texts say it.
    fn draft(&self, terms: Terms) -> Result<Plan, Refusal> {
        let players: Vec<String> = match self.kind {
            Kind::Match | Kind::Tournament => self.players.clone(),
            Kind::Championship => {
                let field = Field::read(&self.players[0]);
                let field = field.map_err(|error| Refusal::Bad(error.to_string()))?;
                field.entrants.into_iter().map(|entrant| entrant.text).collect()
            }
            Kind::Tuning => self.against.iter().cloned().collect(),
        };
        let (count, pairs) = (players.len() as u32, self.pairs());
        let schedule = match self.form {
            Some(Form::Gauntlet) => Schedule::gauntlet(count, pairs),
            _ => Schedule::round_robin(count, pairs),
        };
        let plan = Plan::new(self.kind, &self.game, players, schedule, terms);
        let tuning = (self.kind == Kind::Tuning).then(|| self.tuning());
        Ok(Plan { tuning, ..plan })
    }
}
