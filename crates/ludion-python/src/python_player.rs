//! Players that are written in Python: the spec `python(NAME)` is a player of every game.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use ludion::effective::RepeatHazard;
use ludion::param::{Args, Param, ParamError};
use ludion::player::{BudgetUnit, Choice, PlayerError};
use ludion::registry::{PlayerInfo, PositionPlayer, PositionRequest, Registry};
use pyo3::exceptions::{PyKeyboardInterrupt, PySystemExit};
use pyo3::prelude::*;

use crate::game::{Game, open_game};
use crate::interrupt::{NamedCode, PythonCode, is_exiting};
use crate::state::State;

/// The functions that make the players, by name. Each is called with a seed for a new game and
/// returns a function of a state and a budget.
static MAKERS: LazyLock<Mutex<HashMap<String, NamedCode>>> = LazyLock::new(Mutex::default);

fn makers() -> MutexGuard<'static, HashMap<String, NamedCode>> {
    MAKERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps a player under a name; it replaces a player of the same name.
pub(crate) fn add(name: String, make: Py<PyAny>) {
    let code = PythonCode::new(&name);
    makers().insert(name, (make, code));
}

/// Adds the player `python(NAME)` to every game.
pub(crate) fn register(registry: Registry) -> Registry {
    let info = PlayerInfo {
        name: "python".into(),
        help: "a player that is written in Python".into(),
        params: vec![Param::text("name", "", "the name that ludion.add_player got")].into(),
        spends: BudgetUnit::ALL.to_vec().into(),
        hazards: vec![RepeatHazard::Program].into(),
        ..PlayerInfo::default()
    };
    registry.with_player_for_all(info, |args| Ok(Box::new(PythonPlayer::new(args)?)))
}

/// Returns the sentence that there is no Python object of this name.
pub(crate) fn missing(args: &Args, what: &str, name: &str, known: Vec<&String>) -> ParamError {
    let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    args.refuse("name", name, format!("{what} of this Python process: {known}"))
}

struct PythonPlayer {
    make: Py<PyAny>,
    code: Arc<PythonCode>,
    /// The player of the game under way, a function of a state and a budget.
    choose: Option<Py<PyAny>>,
    /// The game of the last request.
    game: Option<Py<Game>>,
    seed: u64,
}

impl PythonPlayer {
    fn new(args: &Args) -> Result<Self, ParamError> {
        let name = args.text("name");
        let known = Python::attach(|py| {
            makers().get(name).map(|(make, code)| (make.clone_ref(py), Arc::clone(code)))
        });
        let (make, code) =
            known.ok_or_else(|| missing(args, "a player", name, makers().keys().collect()))?;
        Ok(PythonPlayer { make, code, choose: None, game: None, seed: 1 })
    }

    fn ask(&mut self, py: Python<'_>, request: &PositionRequest<'_>) -> PyResult<String> {
        if self.choose.is_none() {
            self.choose = Some(self.make.call1(py, (self.seed,))?);
        }
        let choose = self.choose.as_ref().expect("the player of this game");
        let known = self.game.as_ref().filter(|game| game.get().game.spec() == request.game);
        let game = match known {
            Some(game) => game.clone_ref(py),
            None => {
                let game = Py::new(py, open_game(request.game)?)?;
                self.game.insert(game).clone_ref(py)
            }
        };
        let state = Py::new(py, State::new(game, request.position.copy())?)?;
        let budget = match request.budget.units().is_empty() {
            true => None,
            false => Some(request.budget.to_string()),
        };
        let chosen = choose.call1(py, (state.clone_ref(py), budget))?;
        match chosen.extract::<u32>(py) {
            Ok(action) => {
                let found = request.position.move_of_action(action);
                found.ok_or_else(|| crate::errors::wrong(format!("action {action} is not legal")))
            }
            Err(_) => Ok(chosen.bind(py).str()?.to_string()),
        }
    }
}

impl PositionPlayer for PythonPlayer {
    fn begin(&mut self, seed: u64) {
        self.choose = None;
        self.seed = seed;
    }

    fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError> {
        if is_exiting() {
            return Err(PlayerError::Failed("the Python interpreter exits".to_owned()));
        }
        let code = Arc::clone(&self.code);
        code.call(|py| match self.ask(py, request) {
            Ok(text) => Ok(Choice::bare(text)),
            Err(error) => {
                let text = error.to_string();
                // These are not mistakes of the player, so they end the run instead of the game.
                if error.is_instance_of::<PyKeyboardInterrupt>(py)
                    || error.is_instance_of::<PySystemExit>(py)
                {
                    self.code.keep_failure(error);
                }
                Err(PlayerError::Failed(format!("the Python player raised {text}")))
            }
        })
    }
}
