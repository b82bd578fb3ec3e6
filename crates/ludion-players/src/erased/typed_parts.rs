//! Adapters that make players, evaluators and solvers of one type of game usable in its
//! [`DynGame`].

use std::sync::Arc;
use std::time::Duration;

use super::dyn_game::DynGame;
use super::dyn_value::{DynMove, DynState};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::named::{EvaluatorFactory, GameWithSpec, NamedEvaluator, PlayerParts};
use crate::outcome::Wdl;
use crate::player::{
    Choice, MoveRequest, Observer, Player, PlayerError, SearchDetails, TreeBranch, TreeReportLimits,
};
use crate::policy::PolicyEvaluator;
use crate::solution::{Solution, SolveError, SolveFn, SolveLimits};

/// The [`DynGame`] of games of type `G`.
pub(super) type DynGameOf<G> = DynGame<<G as Game>::Outcome>;

/// Solves states of a [`DynGame`].
pub(super) type DynSolve<O> = dyn Fn(&MoveRequest<'_, DynGame<O>>, SolveLimits) -> Result<Solution<DynMove>, SolveError>
    + Send
    + Sync;

/// Receives the reports of a typed player and passes them on with moves of the [`DynGame`].
struct TypedObserver<'a>(&'a dyn Observer<DynMove>);

impl<M: Copy + Eq + std::fmt::Debug + Send + Sync + 'static> Observer<M> for TypedObserver<'_> {
    fn interval(&self) -> Option<Duration> {
        self.0.interval()
    }

    fn report(&self, so_far: &Choice<M>) {
        self.0.report(&so_far.map(&|m| DynMove::new(*m)));
    }

    fn tree_limits(&self) -> Option<TreeReportLimits> {
        self.0.tree_limits()
    }

    fn report_tree(&self, branches: &[TreeBranch<M>]) {
        let branches: Vec<_> = branches.iter().map(|b| b.map(&|m| DynMove::new(*m))).collect();
        self.0.report_tree(&branches);
    }

    fn wants_all_values(&self) -> bool {
        self.0.wants_all_values()
    }

    fn details_limit(&self) -> Option<usize> {
        self.0.details_limit()
    }

    fn report_details(&self, details: &SearchDetails) {
        self.0.report_details(details);
    }

    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// Calls `answer` with the typed form of a request.
fn with_typed_request<G: Game, R>(
    request: &MoveRequest<'_, DynGameOf<G>>,
    answer: impl FnOnce(&MoveRequest<'_, G>) -> R,
) -> R {
    answer(&MoveRequest {
        game: request.game.typed(),
        state: request.state.get(),
        path: request.path,
        budget: request.budget,
        clock: request.clock,
        observer: &TypedObserver(request.observer),
    })
}

/// Plays a [`DynGame`] with a player of its type.
pub(super) struct TypedPlayer<G: Game>(pub(super) Box<dyn Player<G>>);

impl<G: Game> Player<DynGameOf<G>> for TypedPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.0.begin(seed);
    }

    fn choose(
        &mut self,
        request: &MoveRequest<'_, DynGameOf<G>>,
    ) -> Result<Choice<DynMove>, PlayerError> {
        let choice = with_typed_request(request, |request| self.0.choose(request))?;
        Ok(choice.map(&|m| DynMove::new(*m)))
    }
}

/// Evaluates states of a [`DynGame`] with an evaluator of its type.
struct TypedEvaluator<G: Game>(Arc<dyn Evaluator<G>>);

impl<G: Game> Evaluator<DynGameOf<G>> for TypedEvaluator<G> {
    fn value(&self, g: &DynGameOf<G>, s: &DynState) -> i32 {
        self.0.value(g.typed(), s.get())
    }

    fn expected_result(&self, g: &DynGameOf<G>, s: &DynState) -> f64 {
        self.0.expected_result(g.typed(), s.get())
    }

    fn as_policy(&self) -> Option<&dyn PolicyEvaluator> {
        self.0.as_policy()
    }

    fn is_noisy(&self, g: &DynGameOf<G>, s: &DynState) -> bool {
        self.0.is_noisy(g.typed(), s.get())
    }

    fn knows_results(&self) -> bool {
        self.0.knows_results()
    }

    fn known_result(&self, g: &DynGameOf<G>, s: &DynState) -> Option<Wdl> {
        self.0.known_result(g.typed(), s.get())
    }

    fn is_threatened(&self, g: &DynGameOf<G>, s: &DynState) -> bool {
        self.0.is_threatened(g.typed(), s.get())
    }

    fn unit(&self) -> i32 {
        self.0.unit()
    }

    fn max_abs_value(&self) -> i32 {
        self.0.max_abs_value()
    }
}

/// Returns the evaluators of a type of game for its [`DynGame`].
pub(super) fn dyn_parts<G: Game>(typed: &Arc<PlayerParts<G>>) -> PlayerParts<DynGameOf<G>> {
    PlayerParts {
        evaluators: typed.evaluators.iter().map(dyn_evaluator).collect(),
        factories: typed.factories.iter().map(|factory| dyn_factory(factory, typed)).collect(),
        networks: typed.networks.clone(),
        ..PlayerParts::default()
    }
}

fn dyn_evaluator<G: Game>(named: &NamedEvaluator<G>) -> NamedEvaluator<DynGameOf<G>> {
    NamedEvaluator {
        name: named.name.clone(),
        help: named.help.clone(),
        aliases: named.aliases.clone(),
        evaluator: Arc::new(TypedEvaluator(Arc::clone(&named.evaluator))),
    }
}

fn dyn_factory<G: Game>(
    factory: &EvaluatorFactory<G>,
    typed: &Arc<PlayerParts<G>>,
) -> EvaluatorFactory<DynGameOf<G>> {
    let (build, typed) = (Arc::clone(&factory.build), Arc::clone(typed));
    EvaluatorFactory {
        name: factory.name.clone(),
        help: factory.help.clone(),
        params: factory.params.clone(),
        aliases: factory.aliases.clone(),
        build: Arc::new(move |args, parts| {
            let evaluator = build(args, &typed_parts(&typed, parts))?;
            Ok(Arc::new(TypedEvaluator(evaluator)))
        }),
    }
}

/// Returns the parts of a type of game with the game, the assets and the shared evaluators of
/// `parts`.
pub(super) fn typed_parts<G: Game>(
    typed: &PlayerParts<G>,
    parts: &PlayerParts<DynGameOf<G>>,
) -> PlayerParts<G> {
    let game = parts.game.as_ref().map(|with_spec| GameWithSpec {
        game: with_spec.game.typed_arc(),
        spec: with_spec.spec.clone(),
    });
    let own = PlayerParts {
        evaluators: typed.evaluators.clone(),
        factories: typed.factories.clone(),
        game,
        assets: parts.assets.clone(),
        networks: typed.networks.clone(),
        shared_evaluators: Vec::new(),
    };
    own.with_shared_evaluators(&parts.shared_evaluators)
}

/// Returns the solver of a type of game for its [`DynGame`].
pub(super) fn dyn_solver<G: Game>(solve: SolveFn<G>) -> Arc<DynSolve<G::Outcome>> {
    Arc::new(move |request, limits| {
        let solution = with_typed_request(request, |request| solve(request, limits))?;
        Ok(Solution {
            value: solution.value,
            best: solution.best.iter().map(|m| DynMove::new(*m)).collect(),
            lines: solution.lines.iter().map(|l| l.map(&|m| DynMove::new(*m))).collect(),
            nodes: solution.nodes,
        })
    })
}
