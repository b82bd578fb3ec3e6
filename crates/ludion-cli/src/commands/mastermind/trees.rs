//! Optimal strategy trees, which are computed once and then kept in the store.

use ludion::riddles::mastermind::Mastermind;
use ludion::riddles::mastermind::breaker::CodeBreaker;
use ludion::riddles::mastermind::breaker::exhaustive::ExhaustiveBreaker;
use ludion::riddles::mastermind::breaker::optimal::optimal_with_progress;
use ludion::riddles::mastermind::breaker::strategy::{NamedStrategy, StrategyError, strategy};
use ludion::riddles::mastermind::breaker::tree::{StrategyTree, TreeBuildOptions};

use super::sizes::spec;
use crate::CommandContext;
use crate::failure::CommandFailure;
use crate::runs::StoreArgs;

/// Kind under which the cache of the store keeps trees.
const KIND: &str = "mastermind tree";
/// Name of the strategy that uses optimal trees.
const OPTIMAL: &str = "optimal";

/// A strategy for codes of one size; the strategy `optimal` has its tree, computed or from the
/// store.
pub(super) struct PreparedStrategy {
    pub(super) rules: Mastermind,
    pub(super) strategy: &'static NamedStrategy,
    tree: Option<StrategyTree>,
}

impl PreparedStrategy {
    /// Prepares the strategy `name`. A tree that has to be computed is stored; `auto` uses the
    /// optimal tree only if it is already stored.
    pub(super) fn new(
        rules: Mastermind,
        name: &str,
        worst: Option<usize>,
        context: &CommandContext,
        store: &StoreArgs,
    ) -> Result<Self, CommandFailure> {
        let named = strategy(name, &rules);
        let auto = name == "auto";
        if auto || named.as_ref().is_ok_and(|named| named.name == OPTIMAL) {
            let best = strategy(OPTIMAL, &rules)?;
            let wanted = worst.is_some() || named.as_ref().is_ok_and(|n| n.name == OPTIMAL);
            let tree = tree(&rules, worst, store, wanted.then_some(context))?;
            if tree.is_some() {
                return Ok(PreparedStrategy { rules, strategy: best, tree });
            }
        }
        if worst.is_some() {
            return Err(CommandFailure::Usage(format!("--worst is for optimal, not for {name}")));
        }
        Ok(PreparedStrategy { rules, strategy: named?, tree: None })
    }

    /// Returns a new code breaker that plays the strategy.
    pub(super) fn breaker(&self) -> Result<Box<dyn CodeBreaker>, StrategyError> {
        match &self.tree {
            Some(tree) => Ok(Box::new(ExhaustiveBreaker::from_tree(tree.clone()))),
            None => (self.strategy.build)(&self.rules),
        }
    }

    /// Returns the strategy as a tree over all secrets, or `None` if the strategy has no tree.
    pub(super) fn tree(
        &self,
        context: &CommandContext,
    ) -> Result<Option<StrategyTree>, StrategyError> {
        match (&self.tree, self.strategy.tree) {
            (Some(tree), _) => Ok(Some(tree.clone())),
            (None, Some(tree)) => {
                let progress = context.progress("codes");
                progress.begin(&searching(&self.rules));
                let on_progress = |done, total| progress.update(done, Some(total), String::new);
                let options = TreeBuildOptions {
                    threads: context.threads,
                    seed: context.seed,
                    on_progress: &on_progress,
                };
                let tree = tree(&self.rules, options);
                progress.finish();
                tree.map(Some)
            }
            (None, None) => Ok(None),
        }
    }
}

/// Returns the stored optimal tree. If there is none, computes and stores it if `search` is given,
/// otherwise returns `None`.
fn tree(
    rules: &Mastermind,
    worst: Option<usize>,
    store: &StoreArgs,
    search: Option<&CommandContext>,
) -> Result<Option<StrategyTree>, CommandFailure> {
    let name = match worst {
        None => spec(rules),
        Some(worst) => format!("{} within {worst}", spec(rules)),
    };
    let mut storage = store.open()?;
    if let Some(store) = &storage
        && let Some(kept) = store.cache_get(KIND, &name)?
        && let Some(tree) = read(&kept, rules)
    {
        return Ok(Some(tree));
    }
    let Some(context) = search else { return Ok(None) };
    let tree = find(rules, worst, context)?;
    if let Some(store) = &mut storage {
        let text = serde_json::to_vec(&tree)
            .map_err(|error| CommandFailure::Failed(format!("the tree is no JSON: {error}")))?;
        store.cache_put(KIND, &name, &text)?;
    }
    Ok(Some(tree))
}

/// Describes the search for a strategy over all codes.
fn searching(rules: &Mastermind) -> String {
    let codes = rules.size().map_or_else(|| "all".to_owned(), |size| size.to_string());
    format!("a strategy for {codes} codes")
}

/// Computes the optimal tree and reports the progress.
fn find(
    rules: &Mastermind,
    worst: Option<usize>,
    context: &CommandContext,
) -> Result<StrategyTree, CommandFailure> {
    let progress = context.progress("parts of the search").depends_on("the number of codes");
    progress.begin(&searching(rules));
    let tree = optimal_with_progress(rules, worst, context.threads, &|done, total| {
        progress.update(done, Some(total), || searching(rules));
    });
    progress.finish();
    Ok(tree.map_err(StrategyError::from)?)
}

/// Decodes a stored tree; returns `None` if it is invalid or for other rules.
fn read(kept: &[u8], rules: &Mastermind) -> Option<StrategyTree> {
    serde_json::from_slice(kept).ok().filter(|tree: &StrategyTree| tree.rules() == rules)
}
