//! The player `mlp`, which scores moves with a trained network, and the evaluator `mlp` for
//! searches.
//!
//! A network trained on captures predicts how many men the side that just moved will still capture.
//! The evaluator applies it to both sides and compares the men that will be left:
//!
//! ```text
//! value = (own men − captures by the opponent) − (opponent's men − own captures)
//! ```
//!
//! For the side to move this treats the board as if that side had just moved, one ply away from
//! the positions of the training.

use std::sync::Arc;

use super::{ScoreChoice, choose};
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::Side;
use crate::learn::labelling::{Labelling, LabellingError, board_bits};
use crate::learn::labels::Label;
use crate::learn::model::NetworkModel;
use crate::men::MenOnlyGame;
use crate::named::{EvaluatorFactory, NamedPlayer, PlayerParts};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Plays the move that a trained network scores highest.
pub struct MlpPlayer {
    model: Arc<NetworkModel>,
    labelling: Labelling,
    choice: ScoreChoice,
}

const MODEL: Param = Param::text("model", "", "the file that `ludion train` wrote");
const EVALUATOR_PARAMS: &[Param] = &[MODEL];

impl MlpPlayer {
    /// Creates a player of the game with the spec `spec` that scores moves with `model`.
    ///
    /// # Errors
    /// When the model is for another game, or its inputs and outputs do not fit its labels.
    pub fn new(model: Arc<NetworkModel>, spec: &str) -> Result<Self, String> {
        let (of, network) = (&model.spec().game, model.network());
        if of != spec {
            return Err(format!("the model is for {of}, not for {spec}"));
        }
        let labelling: Labelling = model.spec().labels.parse().map_err(|e| format!("{e}"))?;
        let (found, wanted) = ([network.inputs(), network.outputs()], [labelling.width(), 1]);
        if found != wanted {
            return Err(format!(
                "the network has {} inputs and {} outputs; {labelling} needs {} and {}",
                found[0], found[1], wanted[0], wanted[1]
            ));
        }
        Ok(MlpPlayer { model, labelling, choice: ScoreChoice::Argmax })
    }

    fn load<G: MenOnlyGame>(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let name = args.text("model");
        if name.is_empty() {
            return Err(args.together("model is empty; `ludion train` writes a model file"));
        }
        let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
        if !game.game.is_men_only() {
            return Err(args.together(LabellingError::Unfit(game.spec.clone()).to_string()));
        }
        let refuse = |error: String| {
            args.refuse("model", name, format!("a file that `ludion train` wrote: {error}"))
        };
        let model = parts.assets.keep(name, "mlp", |bytes| {
            NetworkModel::from_bytes(bytes).map_err(|error| format!("{name}: {error}"))
        });
        MlpPlayer::new(model.map_err(refuse)?, &game.spec).map_err(refuse)
    }

    #[inline]
    fn value(&self, key: u128) -> f64 {
        f64::from(self.model.network().value(key))
    }
}

impl<G: MenOnlyGame> Player<G> for MlpPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.labelling, self.choice, |keys| {
            keys.iter().map(|&key| self.value(key)).collect()
        })
    }
}

impl<G: MenOnlyGame> NamedPlayer<G> for MlpPlayer {
    const NAME: &'static str = "mlp";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str =
        "the move that a trained network scores highest; games with men only on 32 squares";
    const PARAMS: &'static [Param] = &[MODEL, ScoreChoice::PARAM];

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let choice = ScoreChoice::build(args);
        Ok(MlpPlayer { choice, ..MlpPlayer::load(args, parts)? })
    }
}

/// The value of one man in the evaluator's units.
const MAN: f64 = 100.0;
/// The scale of [`expected_result`], that of the evaluator `material`, which has the same unit.
const RESULT_SCALE: f64 = 125.0;

/// Evaluates a position by the difference of men that are left after the captures that a trained
/// network predicts.
pub struct MlpEvaluator(MlpPlayer);

impl MlpEvaluator {
    /// Returns the factory for the evaluator spec `mlp(model)`.
    #[must_use]
    pub fn factory<G: MenOnlyGame>() -> EvaluatorFactory<G> {
        EvaluatorFactory::new(
            "mlp",
            "men left after the captures that a trained network predicts",
            EVALUATOR_PARAMS,
            |args, parts| {
                let mlp = MlpPlayer::load(args, parts)?;
                if mlp.labelling.label != Label::Captures {
                    let labelling = mlp.labelling;
                    let problem = format!(
                        "the model scores moves by {labelling}; an evaluator needs a model of captures"
                    );
                    return Err(args.together(problem));
                }
                Ok(Arc::new(MlpEvaluator(mlp)))
            },
        )
    }
}

impl<G: MenOnlyGame> Evaluator<G> for MlpEvaluator {
    fn value(&self, g: &G, s: &G::State) -> i32 {
        let turn = g.status(s).turn().unwrap_or(Side::First);
        let left = |side: Side| {
            let men = g.words(s, side)[0].count_ones();
            f64::from(men) - self.0.value(board_bits(g.words(s, side.other())))
        };
        let value = MAN * (left(turn) - left(turn.other()));
        (value as i32).clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &G, s: &G::State) -> f64 {
        expected_result(Evaluator::<G>::value(self, g, s), RESULT_SCALE)
    }
}
