//! A batch of states for a network with policy and value, with the results of its evaluation.

use std::ops::Range;

use super::network::PolicyValueScratch;
use super::softmax::WdlProbabilities;

/// States to evaluate together, and the results of their evaluation. A batch that is cleared and
/// filled again allocates no memory.
///
/// ```
/// use ludion::learn::policy_value::PolicyValueBatch;
///
/// let mut batch = PolicyValueBatch::default();
/// assert_eq!(batch.push(&[3, 17, 42], &[0, 1, 6]), 0);
/// assert_eq!(batch.push(&[4, 17], &[2]), 1);
/// assert_eq!(batch.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PolicyValueBatch {
    pub(super) features: ListOfLists,
    pub(super) actions: ListOfLists,
    pub(super) values: Vec<WdlProbabilities>,
    pub(super) logits: Vec<f32>,
    pub(super) priors: Vec<f32>,
    pub(super) scratch: PolicyValueScratch,
    /// Memory for the ends of the rows of a chunk.
    pub(super) ends: Vec<usize>,
}

/// Lists of numbers, one after the other in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ListOfLists {
    pub(super) items: Vec<u32>,
    ends: Vec<usize>,
}

impl ListOfLists {
    fn push(&mut self, list: &[u32]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len());
    }

    /// Returns the number of lists.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns where the list with this index is in `items`.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        index.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[index]
    }

    fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }
}

impl PolicyValueBatch {
    /// Adds a state by its active features, ascending, and its legal actions; returns its index in
    /// the batch.
    pub fn push(&mut self, features: &[u32], actions: &[u32]) -> usize {
        self.features.push(features);
        self.actions.push(actions);
        self.features.len() - 1
    }

    /// Returns the number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.features.len()
    }

    /// Returns whether the batch has no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all states and results.
    pub fn clear(&mut self) {
        self.features.clear();
        self.actions.clear();
        self.values.clear();
        self.logits.clear();
        self.priors.clear();
    }

    /// Returns the probabilities of the result of the state with this index.
    ///
    /// # Panics
    /// If the state has not been evaluated.
    #[must_use]
    pub fn value(&self, index: usize) -> WdlProbabilities {
        self.values[index]
    }

    /// Returns the probabilities of the legal actions of the state with this index, in their order.
    ///
    /// # Panics
    /// If the state has not been evaluated.
    #[must_use]
    pub fn priors(&self, index: usize) -> &[f32] {
        &self.priors[self.actions.range(index)]
    }

    /// Returns the logits of the legal actions of the state with this index, in their order.
    ///
    /// # Panics
    /// If the state has not been evaluated.
    #[must_use]
    pub fn logits(&self, index: usize) -> &[f32] {
        &self.logits[self.actions.range(index)]
    }
}
