//! Games that are written in Python: a class with `start`, `status`, `moves` and `play` as a [`Game`].
//!
//! A state is a Python object with its text, by which states are compared and hashed, so that this
//! needs no interpreter. Its status and its moves are asked for once. A move is its index in the list
//! of moves. An exception is kept, the work under way is stopped, and until it has ended every game
//! counts as drawn, so that nothing calls Python again.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use ludion::encoding::{EncodingShape, features_of_scene, layout_encoding};
use ludion::evaluator::{Evaluator, WIN};
use ludion::game::{Game, Side, Status};
use ludion::notation::NotationError;
use ludion::outcome::Duel;
use ludion::random::mix;
use ludion::registry::{GameBuilder, GameInfo};
use ludion::scene::{Coord, Scene, SceneLayout};
use pyo3::prelude::*;

use crate::errors::wrong;
use crate::interrupt::PythonCode;
use crate::python_picture::{Picture, button_cell, with_buttons};

/// Number of actions of a game that does not list all its moves; a move has a number by its text.
const HASHED_ACTIONS: usize = 256;
/// Number of planes of a state without a picture: one for each character modulo this number.
const TEXT_PLANES: usize = 64;
/// Number of characters that the text of a state may grow by from the start and still be encoded whole.
const TEXT_MARGIN: usize = 16;

/// The rules of a game that are written in Python.
pub(crate) struct PythonGame {
    rules: Py<PyAny>,
    code: Arc<PythonCode>,
    /// Set after an exception in the laboratory, which opens the game anew for every request.
    has_failed: AtomicBool,
    start: PythonState,
    /// The texts of all moves of the game, if the class lists them.
    all_moves: Option<Vec<String>>,
    /// The layout of pictures, with the sizes of heaps; `None` without pictures.
    picture: Option<(Picture, Vec<usize>)>,
    has_cells: bool,
    text_length: usize,
}

/// A state of a game that is written in Python.
#[derive(Clone)]
pub(crate) struct PythonState(Arc<StateNode>);

struct StateNode {
    object: Py<PyAny>,
    text: String,
    status: OnceLock<Status<Duel>>,
    moves: OnceLock<PythonMoves>,
}

/// The legal moves of a state.
#[derive(Default)]
struct PythonMoves {
    objects: Vec<Py<PyAny>>,
    texts: Vec<String>,
}

impl PartialEq for PythonState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
    }
}

impl Eq for PythonState {}

impl Hash for PythonState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.text.hash(hasher);
    }
}

impl fmt::Debug for PythonState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

/// The exceptions of the games by name.
static CODE: LazyLock<Mutex<HashMap<String, Arc<PythonCode>>>> = LazyLock::new(Mutex::default);

/// Returns the exceptions of the game of this name, if its rules are written in Python.
pub(crate) fn code_of(name: &str) -> Option<Arc<PythonCode>> {
    CODE.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
}

/// Returns the builder of a game whose rules are a Python object.
pub(crate) fn builder(
    py: Python<'_>,
    name: String,
    help: String,
    rules: Py<PyAny>,
) -> PyResult<GameBuilder<PythonGame>> {
    let code = PythonCode::new(&name);
    let game = Arc::new(PythonGame::new(py, rules, Arc::clone(&code))?);
    CODE.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), code);
    let has_value = game.rules.bind(py).hasattr("value")?;
    let info = GameInfo {
        examples: vec![name.clone().into()],
        name: name.into(),
        help: help.into(),
        ..GameInfo::default()
    };
    let rules = Arc::clone(&game);
    let mut builder = GameBuilder::duel_with(info, move |_| Ok(rules.share()));
    if has_value {
        builder = builder.evaluator(
            "value",
            "the value that the Python class gives a state",
            PythonValue,
        );
    }
    Ok(builder)
}

impl PythonGame {
    fn new(py: Python<'_>, rules: Py<PyAny>, code: Arc<PythonCode>) -> PyResult<Self> {
        let bound = rules.bind(py);
        for method in ["start", "status", "moves", "play"] {
            if !bound.hasattr(method)? {
                return Err(wrong(format!(
                    "a game in Python has the methods start, status, moves and play; {method} is missing"
                )));
            }
        }
        let start = new_state(bound, bound.call_method0("start")?)?;
        read_status(&bound.call_method1("status", (&start.0.object,))?)?;
        let all_moves = match bound.getattr_opt("all_moves")? {
            None => None,
            Some(list) => {
                let list = if list.is_callable() { list.call0()? } else { list };
                Some(list.try_iter()?.map(|m| text_of(&m?)).collect::<PyResult<Vec<_>>>()?)
            }
        };
        let picture = match bound.hasattr("picture")? {
            false => None,
            true => {
                let picture = Picture::read(&bound.call_method1("picture", (&start.0.object,))?)?;
                let sizes = match &picture {
                    Picture::Heaps(counts) => counts.clone(),
                    Picture::Board(_) => Vec::new(),
                };
                Some((picture, sizes))
            }
        };
        let has_cells = bound.hasattr("cells")? && picture.is_some();
        let text_length = start.0.text.chars().count() + TEXT_MARGIN;
        let has_failed = AtomicBool::new(false);
        Ok(PythonGame {
            rules,
            code,
            has_failed,
            start,
            all_moves,
            picture,
            has_cells,
            text_length,
        })
    }

    fn share(&self) -> Self {
        PythonGame {
            rules: Python::attach(|py| self.rules.clone_ref(py)),
            code: Arc::clone(&self.code),
            has_failed: AtomicBool::new(false),
            start: self.start.clone(),
            all_moves: self.all_moves.clone(),
            picture: self.picture.clone(),
            has_cells: self.has_cells,
            text_length: self.text_length,
        }
    }

    /// Calls Python code; an exception is kept and `None` returned.
    fn ask<R>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> Option<R> {
        if self.has_failed() {
            return None;
        }
        let answer = self.code.call(|py| ask(self.rules.bind(py)));
        answer.map_err(|error| self.keep_failure(error)).ok()
    }

    /// Returns whether the rules must not be called any more.
    fn has_failed(&self) -> bool {
        self.code.has_failed() || self.has_failed.load(Ordering::Relaxed)
    }

    fn keep_failure(&self, error: PyErr) {
        if !self.code.keep_failure(error) {
            self.has_failed.store(true, Ordering::Relaxed);
        }
    }

    fn moves_of<'a>(&self, s: &'a PythonState) -> Option<&'a PythonMoves> {
        if let Some(moves) = s.0.moves.get() {
            return Some(moves);
        }
        let moves = self.ask(|rules| {
            if !matches!(self.status_of(rules, s)?, Status::Turn(_)) {
                return Ok(PythonMoves::default());
            }
            let list = rules.call_method1("moves", (&s.0.object,))?;
            let objects = list.try_iter()?.collect::<PyResult<Vec<_>>>()?;
            let texts = objects.iter().map(text_of).collect::<PyResult<Vec<_>>>()?;
            if texts.is_empty() {
                return Err(wrong(format!(
                    "there are no moves in {}, whose game is not over",
                    s.0.text
                )));
            }
            if let Some(i) = (1..texts.len()).find(|&i| texts[..i].contains(&texts[i])) {
                return Err(wrong(format!(
                    "two moves of {} have the same text, {}",
                    s.0.text, texts[i]
                )));
            }
            Ok(PythonMoves { objects: objects.into_iter().map(Bound::unbind).collect(), texts })
        })?;
        Some(s.0.moves.get_or_init(|| moves))
    }

    fn status_of(&self, rules: &Bound<'_, PyAny>, s: &PythonState) -> PyResult<Status<Duel>> {
        if let Some(status) = s.0.status.get() {
            return Ok(*status);
        }
        let status = read_status(&rules.call_method1("status", (&s.0.object,))?)?;
        Ok(*s.0.status.get_or_init(|| status))
    }

    fn picture_of(&self, s: &PythonState) -> Option<Picture> {
        let (of_start, sizes) = self.picture.as_ref()?;
        let picture = self.ask(|rules| {
            let picture = Picture::read(&rules.call_method1("picture", (&s.0.object,))?)?;
            let is_alike = match (&picture, of_start) {
                (Picture::Heaps(counts), Picture::Heaps(_)) => {
                    counts.len() == sizes.len() && counts.iter().zip(sizes).all(|(count, size)| count <= size)
                }
                (Picture::Board(rows), Picture::Board(first)) => {
                    rows.len() == first.len() && rows.first().map(Vec::len) == first.first().map(Vec::len)
                }
                _ => false,
            };
            match is_alike {
                true => Ok(picture),
                false => Err(wrong(format!(
                    "the picture of {} has another size than that of the start, or a heap that has grown",
                    s.0.text
                ))),
            }
        });
        Some(picture.unwrap_or_else(|| of_start.clone()))
    }

    fn picture_scene(&self, s: &PythonState) -> Option<Scene> {
        let picture = self.picture_of(s)?;
        Some(picture.scene(self.picture.as_ref().map_or(&[][..], |(_, sizes)| sizes)))
    }
}

/// Returns the text of a move: that of a string, or `str` of another object.
fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = object.str()?.to_string();
    match text.trim().is_empty() || text.contains('\n') {
        true => {
            Err(wrong(format!("{text:?} is no text of a move; it is not empty and on one line")))
        }
        false => Ok(text),
    }
}

/// Makes a state from a Python object; its text is that of the method `text`, or `repr`.
fn new_state(rules: &Bound<'_, PyAny>, object: Bound<'_, PyAny>) -> PyResult<PythonState> {
    let text = match rules.hasattr("text")? {
        true => rules.call_method1("text", (&object,))?.extract::<String>()?,
        false => object.repr()?.to_string(),
    };
    if text.contains('\n') {
        return Err(wrong("the text of a state is on one line"));
    }
    let (status, moves) = (OnceLock::new(), OnceLock::new());
    Ok(PythonState(Arc::new(StateNode { object: object.unbind(), text, status, moves })))
}

/// Reads what the method `status` returned: 0 or 1 for the side to move, or how the game ended.
fn read_status(value: &Bound<'_, PyAny>) -> PyResult<Status<Duel>> {
    if let Ok(text) = value.extract::<String>() {
        return match &text[..] {
            "first" => Ok(Status::Over(Duel::Won(Side::First))),
            "second" => Ok(Status::Over(Duel::Won(Side::Second))),
            "draw" => Ok(Status::Over(Duel::Drawn)),
            _ => Err(wrong(format!(
                "{text:?} is no status; a game ends with \"first\", \"second\" or \"draw\""
            ))),
        };
    }
    match value.extract::<u8>() {
        Ok(0) => Ok(Status::Turn(Side::First)),
        Ok(1) => Ok(Status::Turn(Side::Second)),
        _ => Err(wrong(format!(
            "{value} is no status; it is 0 or 1 for the side to move, or \"first\", \"second\" or \"draw\""
        ))),
    }
}

fn hash_text(text: &str) -> u64 {
    mix(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

impl Game for PythonGame {
    type State = PythonState;
    /// The index of the move in the list of legal moves.
    type Move = u32;
    type Outcome = Duel;

    fn start(&self) -> PythonState {
        self.start.clone()
    }

    fn status(&self, s: &PythonState) -> Status<Duel> {
        if self.has_failed() {
            return Status::Over(Duel::Drawn);
        }
        if let Some(status) = s.0.status.get() {
            return *status;
        }
        self.ask(|rules| self.status_of(rules, s)).unwrap_or(Status::Over(Duel::Drawn))
    }

    fn moves(&self, s: &PythonState, out: &mut Vec<u32>) {
        // After an exception there is one move, which changes nothing, until the search has ended.
        let count = self.moves_of(s).map_or(1, |moves| moves.objects.len());
        out.extend(0..count as u32);
    }

    fn play(&self, s: &mut PythonState, m: u32) {
        let Some(moves) = self.moves_of(s) else { return };
        let next = self.ask(|rules| {
            let chosen = &moves.objects[m as usize];
            let next = rules.call_method1("play", (&s.0.object, chosen))?;
            if next.is(&s.0.object) {
                return Err(wrong("play changed the state it was given; it returns a new one"));
            }
            new_state(rules, next)
        });
        if let Some(next) = next {
            *s = next;
        }
    }

    fn key(&self, s: &PythonState) -> u64 {
        hash_text(&s.0.text)
    }

    fn show_state(&self, s: &PythonState) -> String {
        s.0.text.clone()
    }

    fn read_state(&self, text: &str) -> Result<PythonState, NotationError> {
        let read = self.code.call(|py| {
            let rules = self.rules.bind(py);
            let object = match rules.hasattr("read")? {
                true => rules.call_method1("read", (text,))?,
                false => py.import("ast")?.call_method1("literal_eval", (text,))?,
            };
            let s = new_state(rules, object)?;
            self.status_of(rules, &s)?;
            PyResult::Ok(s)
        });
        read.map_err(|error| NotationError::new(text, error.to_string()))
    }

    fn show_move(&self, s: &PythonState, m: u32) -> String {
        let text = self.moves_of(s).and_then(|moves| moves.texts.get(m as usize));
        text.cloned().unwrap_or_else(|| m.to_string())
    }

    fn scene(&self, s: &PythonState) -> Scene {
        match self.picture_scene(s).filter(|_| self.has_cells) {
            Some(scene) => scene,
            None => {
                let texts = self.moves_of(s).map_or(&[][..], |moves| &moves.texts);
                with_buttons(self.picture_of(s).as_ref(), &s.0.text, texts)
            }
        }
    }

    fn touches(&self, s: &PythonState, m: u32) -> Vec<Coord> {
        let scene = self.scene(s);
        if !self.has_cells {
            let count = self.moves_of(s).map_or(1, |moves| moves.texts.len());
            return vec![button_cell(&scene, count, m as usize)];
        }
        let cells = self.ask(|rules| {
            let moves = self.moves_of(s).and_then(|moves| moves.objects.get(m as usize));
            let chosen = moves.ok_or_else(|| wrong("there is no such move"))?;
            let cells: Vec<(usize, usize)> =
                rules.call_method1("cells", (&s.0.object, chosen))?.extract()?;
            let in_scene = |&(x, y): &(usize, usize)| {
                x < 0x1_0000 && y < 0x1_0000 && scene.contains(Coord::new(x, y))
            };
            match !cells.is_empty() && cells.iter().all(in_scene) {
                true => Ok(cells.into_iter().map(|(x, y)| Coord::new(x, y)).collect()),
                false => Err(wrong(format!(
                    "the cells of a move are one or more (x, y) in the picture; in {} they are {cells:?}",
                    s.0.text
                ))),
            }
        });
        cells.unwrap_or_else(|| vec![Coord::new(0, 0)])
    }

    fn encoding(&self) -> EncodingShape {
        let actions = self.all_moves.as_ref().map_or(HASHED_ACTIONS, Vec::len);
        match self.picture_scene(&self.start) {
            Some(scene) => {
                let shape = layout_encoding(&scene.layout, actions);
                match scene.layout {
                    // Counts and digits are no cells beside each other, so they are one row.
                    SceneLayout::Heaps { .. } => {
                        let cols = shape.planes * shape.cells();
                        EncodingShape { planes: 1, rows: 1, cols, ..shape }
                    }
                    _ => shape,
                }
            }
            None => EncodingShape {
                planes: TEXT_PLANES,
                rows: 1,
                cols: self.text_length,
                extras: 1,
                actions,
            },
        }
    }

    fn features(&self, s: &PythonState, seen_by: Side, out: &mut Vec<u32>) {
        if let Some(scene) = self.picture_scene(s) {
            return features_of_scene(&scene, seen_by, out);
        }
        let first = out.len();
        let characters = s.0.text.chars().take(self.text_length).enumerate();
        out.extend(
            characters.map(|(i, c)| (c as usize % TEXT_PLANES * self.text_length + i) as u32),
        );
        if seen_by == Side::Second {
            out.push((TEXT_PLANES * self.text_length) as u32);
        }
        out[first..].sort_unstable();
    }

    fn actions(&self, s: &PythonState, moves: &[u32], out: &mut Vec<u32>) {
        let first = out.len();
        if self.all_moves.is_none() && moves.len() > HASHED_ACTIONS {
            self.keep_failure(wrong(format!(
                "a state has {} moves; a game with more than {HASHED_ACTIONS} lists all of them in all_moves",
                moves.len()
            )));
        }
        for &m in moves {
            let text = self.show_move(s, m);
            let action = match &self.all_moves {
                Some(all) => all.iter().position(|known| *known == text).unwrap_or_else(|| {
                    self.keep_failure(wrong(format!("the move {text} is not in all_moves")));
                    m as usize % all.len().max(1)
                }),
                None => {
                    let mut action = hash_text(&text) as usize % HASHED_ACTIONS;
                    while out[first..].contains(&(action as u32))
                        && out.len() - first < HASHED_ACTIONS
                    {
                        action = (action + 1) % HASHED_ACTIONS;
                    }
                    action
                }
            };
            out.push(action as u32);
        }
    }
}

/// The value that a Python game gives a state: from −1 to 1 for the side to move.
struct PythonValue;

impl Evaluator<PythonGame> for PythonValue {
    fn value(&self, g: &PythonGame, s: &PythonState) -> i32 {
        (self.expected_result(g, s) * f64::from(WIN - 1)) as i32
    }

    fn expected_result(&self, g: &PythonGame, s: &PythonState) -> f64 {
        let value = g.ask(|rules| {
            let value: f64 = rules.call_method1("value", (&s.0.object,))?.extract()?;
            match (-1.0..=1.0).contains(&value) {
                true => Ok(value),
                false => Err(wrong(format!("{value} is no value of a state; it is from -1 to 1"))),
            }
        });
        value.unwrap_or(0.0)
    }
}
