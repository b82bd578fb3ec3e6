//! Plays the move that a trained network thinks best, and judges boards for searches.
//!
//! A network that was taught captures says how many men whoever just moved will still capture.
//! As a judge it is asked for both sides, and a board is worth the men it expects to be left:
//!
//! ```text
//! value = (own men − captures of the other) − (the other's men − own captures)
//! ```
//!
//! For the side to move this takes the board as if it had just moved, one ply off what the
//! network was trained on.

use std::sync::Arc;

use super::choose;
use crate::evaluator::{Evaluator, WIN};
use crate::game::Side;
use crate::learn::labelling::{Labelling, LabellingError, board};
use crate::learn::labels::Label;
use crate::learn::model::NetworkModel;
use crate::men::MenOnlyGame;
use crate::named::{EvaluatorFactory, NamedPlayer, PlayerParts};
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError};

/// Asks a network.
pub struct MlpPlayer {
    model: Arc<NetworkModel>,
    lesson: Labelling,
}

const PARAMS: &[Param] = &[Param::text("model", "", "the file that `ludion train` wrote")];

impl MlpPlayer {
    /// A model for the game called `spec`.
    ///
    /// # Errors
    /// Says in a sentence why it cannot play the game.
    pub fn new(model: Arc<NetworkModel>, spec: &str) -> Result<Self, String> {
        let (of, network) = (&model.spec().game, model.network());
        if of != spec {
            return Err(format!("the model is of {of}, not of {spec}"));
        }
        let lesson: Labelling = model.spec().labels.parse().map_err(|e| format!("{e}"))?;
        let (found, wanted) = ([network.inputs(), network.outputs()], [lesson.width(), 1]);
        if found != wanted {
            return Err(format!(
                "the network has {} inputs and {} outputs; {lesson} needs {} and {}",
                found[0], found[1], wanted[0], wanted[1]
            ));
        }
        Ok(MlpPlayer { model, lesson })
    }

    fn load<G: MenOnlyGame>(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        let name = args.text("model");
        if name.is_empty() {
            return Err(args.together("model names no file; `ludion train` writes one"));
        }
        let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
        if !game.game.has_men_alone() {
            return Err(args.together(LabellingError::Unfit(game.spec.clone()).to_string()));
        }
        let said = |error: String| args.together(format!("{name}: {error}"));
        let model = parts.assets.keep(name, "mlp", |bytes| {
            NetworkModel::from_bytes(bytes).map_err(|error| format!("{name}: {error}"))
        });
        MlpPlayer::new(model.map_err(|error| args.together(error))?, &game.spec).map_err(said)
    }

    #[inline]
    fn value(&self, key: u128) -> f64 {
        f64::from(self.model.network().value(key))
    }
}

impl<G: MenOnlyGame> Player<G> for MlpPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        choose(turn, self.lesson, |keys| keys.iter().map(|&key| self.value(key)).collect())
    }
}

impl<G: MenOnlyGame> NamedPlayer<G> for MlpPlayer {
    const NAME: &'static str = "mlp";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str =
        "the move that a trained network thinks best; men alone on 32 squares";
    const PARAMS: &'static [Param] = PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        MlpPlayer::load(args, parts)
    }
}

/// What a man is worth to a search.
const MAN: f64 = 100.0;

/// Judges boards by the captures that a network expects.
pub struct MlpEvaluator(MlpPlayer);

impl MlpEvaluator {
    /// Returns the factory that builds it by name: `mlp(model)`.
    #[must_use]
    pub fn factory<G: MenOnlyGame>() -> EvaluatorFactory<G> {
        EvaluatorFactory::new(
            "mlp",
            "men left after the captures that a trained network expects",
            PARAMS,
            |args, parts| {
                let mlp = MlpPlayer::load(args, parts)?;
                if mlp.lesson.label != Label::Captures {
                    let lesson = mlp.lesson;
                    let said = format!(
                        "the model judges moves by {lesson}; a search asks for one \
                                    that judges boards, by captures"
                    );
                    return Err(args.together(said));
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
            f64::from(men) - self.0.value(board(g.words(s, side.other())))
        };
        let value = MAN * (left(turn) - left(turn.other()));
        (value as i32).clamp(1 - WIN, WIN - 1)
    }
}
