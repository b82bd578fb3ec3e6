//! The player `mlp`, which scores moves with a trained network, and the evaluator `mlp` for
//! searches.
//!
//! A network trained on captures predicts how many pieces the side that just moved will still
//! capture. The evaluator applies it to both sides and compares the pieces that will be left:
//!
//! ```text
//! value = (own pieces − captures by the opponent) − (opponent's pieces − own captures)
//! ```
//!
//! For the side to move this treats the state as if that side had just moved, one ply away from
//! the positions of the training.
//!
//! A network trained on labels of moves (distance, winloss) scores moves, so the value of a state is
//! the score of the best move of the side to move, scaled to −1 for a lost and 1 for a won game: the
//! score itself where a loser's move is labelled with the negative of a winner's, and 2·score − 1
//! where it is labelled 0. A search needs a value of 0 for a drawn game, so `winloss` and
//! `--lost negative` suit it best.

use std::cell::Cell;
use std::sync::Arc;

use super::{ScoreChoice, choose};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side};
use crate::learn::labelling::{Labelling, RowEncoder};
use crate::learn::labels::LoserLabel;
use crate::learn::model::NetworkModel;
use crate::learn::rows::BitRows;
use crate::named::{EvaluatorFactory, NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Plays the move that a trained network scores highest.
pub struct MlpPlayer {
    model: Arc<NetworkModel>,
    encoder: RowEncoder,
    choice: ScoreChoice,
}

const MODEL: Param = Param::text("model", "", "the file that `ludion train` wrote");
const EVALUATOR_PARAMS: &[Param] = &[MODEL];

impl MlpPlayer {
    /// Creates a player of `g`, whose shortest spec is `spec`, that scores moves with `model`.
    ///
    /// # Errors
    /// When the model is for another game, the game has no such labels, or the inputs and outputs of
    /// the network do not fit them.
    pub fn new<G: Game>(model: Arc<NetworkModel>, g: &G, spec: &str) -> Result<Self, String> {
        let (of, network) = (&model.spec().game, model.network());
        if of != spec {
            return Err(format!("the model is for {of}, not for {spec}"));
        }
        let labelling: Labelling = model.spec().labels.parse().map_err(|e| format!("{e}"))?;
        labelling.check(g, spec).map_err(|e| e.to_string())?;
        let encoder = RowEncoder::new(g, labelling);
        let (found, wanted) = ([network.inputs(), network.outputs()], [encoder.width(), 1]);
        if found != wanted {
            return Err(format!(
                "the network has {} inputs and {} outputs; {labelling} needs {} and {}",
                found[0], found[1], wanted[0], wanted[1]
            ));
        }
        Ok(MlpPlayer { model, encoder, choice: ScoreChoice::Argmax })
    }

    fn load<G: Game>(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let name = args.text("model");
        if name.is_empty() {
            return Err(args.together("model is empty; `ludion train` writes a model file"));
        }
        let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
        let refuse = |error: String| {
            args.refuse("model", name, format!("a file that `ludion train` wrote: {error}"))
        };
        let model = parts.assets.keep(name, "mlp", |bytes| {
            NetworkModel::from_bytes(bytes).map_err(|error| format!("{name}: {error}"))
        });
        MlpPlayer::new(model.map_err(refuse)?, &*game.game, &game.spec).map_err(refuse)
    }

    #[inline]
    fn value(&self, row: &[u64]) -> f64 {
        f64::from(self.model.network().value(row))
    }
}

impl<G: Game<Outcome = Duel>> Player<G> for MlpPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.encoder, self.choice, |rows| {
            rows.iter().map(|row| self.value(row)).collect()
        })
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for MlpPlayer {
    const NAME: &'static str = "mlp";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str = "the move that a trained network scores highest";
    const PARAMS: &'static [Param] = &[MODEL, ScoreChoice::PARAM];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let choice = ScoreChoice::build(args);
        Ok(MlpPlayer { choice, ..MlpPlayer::load(args, parts)? })
    }
}

/// The value of one piece in the units of an evaluator of captures.
const PIECE: f64 = 100.0;
/// The scale of [`expected_result`] for captures, that of the evaluator `material`, which has the
/// same unit.
const RESULT_SCALE: f64 = 125.0;

/// Evaluates a state with a trained network: by the difference of pieces that are left after the
/// captures that it predicts, or by the score of the best move.
pub struct MlpEvaluator(MlpPlayer);

thread_local! {
    /// The rows of [`with_rows`] between two calls.
    static ROWS: Cell<BitRows> = Cell::default();
}

/// Calls `work` with an empty list of rows of `width` bits.
#[inline]
fn with_rows<R>(width: usize, work: impl FnOnce(&mut BitRows) -> R) -> R {
    let mut rows = ROWS.take();
    rows.reset(width);
    let result = work(&mut rows);
    ROWS.set(rows);
    result
}

impl MlpEvaluator {
    /// Returns the factory for the evaluator spec `mlp(model)`.
    #[must_use]
    pub fn factory<G: Game<Outcome = Duel>>() -> EvaluatorFactory<G> {
        EvaluatorFactory::new(
            "mlp",
            "a trained network: pieces left after the captures it predicts, or its best move",
            EVALUATOR_PARAMS,
            |args, parts| Ok(Arc::new(MlpEvaluator(MlpPlayer::load(args, parts)?))),
        )
    }

    /// Returns whether the network predicts captures; otherwise it scores moves.
    fn predicts_captures(&self) -> bool {
        !self.0.encoder.labelling().label.is_of_moves()
    }

    /// Returns the difference of the pieces that are left to `turn` and to its opponent after the
    /// predicted captures.
    #[inline]
    fn pieces_left<G: Game>(&self, g: &G, s: &G::State, turn: Side) -> f64 {
        let counts = g.piece_counts(s).expect("a model of captures is for games with pieces");
        let encoder = &self.0.encoder;
        let left = |side: Side| {
            let captures = with_rows(encoder.width(), |rows| {
                encoder.push(g, s, s, side.other(), rows);
                self.0.value(rows.row(0))
            });
            f64::from(counts[side.index()]) - captures
        };
        left(turn) - left(turn.other())
    }

    /// Returns the score of the best move of `turn`, scaled to −1 for a loss and 1 for a win.
    fn best_score<G: Game>(&self, g: &G, s: &G::State, turn: Side) -> f64 {
        let encoder = &self.0.encoder;
        let mut moves = Vec::new();
        g.moves(s, &mut moves);
        let best = with_rows(encoder.width(), |rows| {
            moves.iter().for_each(|&m| encoder.push(g, s, &g.after(s, m), turn, rows));
            rows.iter().map(|row| self.0.value(row)).fold(f64::NEG_INFINITY, f64::max)
        });
        let score = match encoder.labelling().lost {
            LoserLabel::Negative => best,
            LoserLabel::Zero => 2.0 * best - 1.0,
        };
        score.clamp(-1.0, 1.0)
    }
}

impl<G: Game<Outcome = Duel>> Evaluator<G> for MlpEvaluator {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let turn = g.status(s).turn().unwrap_or(Side::First);
        if self.predicts_captures() {
            let value = PIECE * self.pieces_left(g, s, turn);
            (value as i32).clamp(1 - WIN, WIN - 1)
        } else {
            (self.best_score(g, s, turn) * f64::from(WIN - 1)) as i32
        }
    }

    fn expected_result(&self, g: &G, s: &G::State) -> f64 {
        let value = Evaluator::<G>::value(self, g, s);
        if self.predicts_captures() {
            expected_result(value, RESULT_SCALE)
        } else {
            f64::from(value) / f64::from(WIN)
        }
    }
}
