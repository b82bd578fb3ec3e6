//! The evaluator `net`, a network with policy and value, and the player `policy`, which plays its
//! first choice without search.

use std::sync::Arc;
use std::time::Instant;

use crate::evaluator::Evaluator;
use crate::game::{Game, Status};
use crate::learn::policy_value::{NetworkEvaluator, NetworkInputs, PolicyValueModel};
use crate::named::{EvaluatorFactory, NamedPlayer, PlayerParts};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::player::{BudgetUnit, Choice, MoveRequest, Player, PlayerError, RootLine};
use crate::policy::{EncodedBatch, PolicyEvaluator, PolicyOutputs};
use crate::scene::SceneLayout;

const MODEL: Param = Param::text(
    "model",
    "",
    "the file that `ludion learn` wrote; the network that comes with the game if empty",
);
const PARAMS: &[Param] = &[MODEL];

/// Loads the network that the parameter `model` names, or the one that comes with the game, for the
/// game of `parts`.
fn load<G: Game>(args: &Args, parts: &PlayerParts<G>) -> Result<Arc<NetworkEvaluator>, ParamError> {
    let name = args.text("model");
    let game = parts.game.as_ref().ok_or_else(|| args.together("there is no game"))?;
    let open = |bytes: &[u8]| {
        let model = PolicyValueModel::from_bytes(bytes).map_err(|error| error.to_string())?;
        network_of(&model, &*game.game, &game.spec)
    };
    if name.is_empty() {
        let bundled = parts.networks.iter().find(|network| network.spec == game.spec);
        let Some(bundled) = bundled else {
            let problem =
                "no network comes with this game; give the file that `ludion learn` wrote";
            return Err(args.together(problem));
        };
        return open(bundled.bytes).map(Arc::new).map_err(|error| args.together(error));
    }
    let made = parts.assets.keep(name, &format!("net {}", game.spec), |bytes| {
        open(bytes).map_err(|error| format!("{name}: {error}"))
    });
    made.map_err(|error| {
        args.refuse("model", name, format!("a network that `ludion learn` wrote: {error}"))
    })
}

/// Returns the network of a model as an evaluator of `g`, whose spec is `spec`.
///
/// # Errors
/// When the model is for another game or encoding; the error is a sentence.
pub fn network_of<G: Game>(
    model: &PolicyValueModel,
    g: &G,
    spec: &str,
) -> Result<NetworkEvaluator, String> {
    let shape = g.encoding();
    let has_heaps = matches!(g.scene(&g.start()).layout, SceneLayout::Heaps { .. });
    let inputs = NetworkInputs::from_name(model.encoding(), shape)
        .filter(|inputs| !(has_heaps && inputs.has_windows()));
    let cells = || NetworkInputs::new(shape, "cells".parse().unwrap_or_default());
    let inputs = inputs.unwrap_or_else(cells);
    let checked = model.check_game(spec, &inputs.name(), inputs.count(), shape.actions);
    checked.map_err(|error| error.to_string())?;
    Ok(NetworkEvaluator::new(Arc::new(model.network().clone()), Arc::new(inputs)))
}

impl NetworkEvaluator {
    /// Returns the factory for the evaluator spec `net(model)`.
    #[must_use]
    pub fn factory<G: Game<Outcome = Duel>>() -> EvaluatorFactory<G> {
        let help = "a network with policy and value that `ludion learn` trained";
        EvaluatorFactory::new("net", help, PARAMS, |args, parts| {
            Ok(load(args, parts)? as Arc<dyn Evaluator<G>>)
        })
    }
}

/// Plays the move to which a network gives the highest probability, without search.
pub struct PolicyPlayer(Arc<NetworkEvaluator>);

impl<G: Game<Outcome = Duel>> Player<G> for PolicyPlayer {
    fn choose(&mut self, turn: &MoveRequest<'_, G>) -> Result<Choice<G::Move>, PlayerError> {
        let (started, g, s) = (Instant::now(), turn.game, turn.state);
        let Status::Turn(side) = turn.status() else { return Err(PlayerError::Over) };
        let (moves, mut batch) = (turn.moves(), EncodedBatch::default());
        batch.push(g, s, side, &moves);
        let mut out = PolicyOutputs::default();
        self.0.evaluate(&batch, &mut out);
        let best = (0..moves.len())
            .reduce(|a, b| if out.priors[b] > out.priors[a] { b } else { a })
            .ok_or(PlayerError::Over)?;
        let line = |(i, &m): (usize, &G::Move)| RootLine {
            value: (i == best).then(|| out.values[0].into()),
            prior: Some(out.priors[i].into()),
            ..RootLine::new(m)
        };
        Ok(Choice {
            best: moves[best],
            lines: moves.iter().enumerate().map(line).collect(),
            nodes: 1,
            simulations: 0,
            depth: 0,
            time: started.elapsed(),
        })
    }
}

impl<G: Game<Outcome = Duel>> NamedPlayer<G> for PolicyPlayer {
    const NAME: &'static str = "policy";
    const SPENDS: &'static [BudgetUnit] = &[];
    const HELP: &'static str = "the first choice of a network that `ludion learn` trained";
    const PARAMS: &'static [Param] = PARAMS;

    fn build(args: &Args, parts: &PlayerParts<G>) -> Result<Self, ParamError> {
        Ok(PolicyPlayer(load(args, parts)?))
    }
}
