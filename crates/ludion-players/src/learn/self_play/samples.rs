//! Training samples from self-play games: the features and actions of each fully searched state and
//! of its images under the symmetries of the game, with the targets of policy and value.

use super::search::certain;
use super::{SearchedMove, SelfPlayRecord, SelfPlayRecordError};
use crate::game::{Game, Side, Status};
use crate::learn::policy_value::{NetworkInputs, WdlProbabilities};
use crate::outcome::Duel;
use crate::repetition::GamePath;
use crate::scene::Symmetry;

/// A state of a self-play game as a training sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelfPlaySample<'a> {
    /// The active inputs of the network, in ascending order.
    pub inputs: &'a [u32],
    /// The legal actions with their target probabilities.
    pub policy: &'a [(u32, f32)],
    /// The target of the value: a mean of the result of the game and of the search.
    pub value: WdlProbabilities,
}

/// Replays a game and calls `visit` for each sample, with the inputs of a network. `trust` is the share
/// of the search in the target of the value, from 0 to 1; the rest is the result of the game.
///
/// # Errors
/// When a move is not legal, or a policy does not fit the legal moves.
pub fn for_each_sample<G: Game<Outcome = Duel>>(
    g: &G,
    inputs: &NetworkInputs,
    record: &SelfPlayRecord,
    trust: f32,
    visit: &mut dyn FnMut(SelfPlaySample<'_>),
) -> Result<(), SelfPlayRecordError> {
    let symmetries = g.symmetries();
    let (mut s, mut path, mut moves) = (g.start(), GamePath::new(), Vec::new());
    let mut searched = record.searched.iter().peekable();
    let mut buffers = SampleBuffers::new(inputs);
    for (ply, &index) in record.moves.iter().enumerate() {
        let Status::Turn(turn) = path.status(g, &s) else { return Err(SelfPlayRecordError) };
        moves.clear();
        path.moves(g, &s, &mut moves);
        let m = *moves.get(usize::from(index)).ok_or(SelfPlayRecordError)?;
        if let Some(found) = searched.next_if(|found| found.ply == ply) {
            if found.policy.len() != moves.len() {
                return Err(SelfPlayRecordError);
            }
            let value = target_value(record.end, turn, found, trust);
            visit(buffers.sample(g, (&s, turn), &moves, &found.policy, value));
            for &symmetry in &symmetries {
                let image = g.transform(&s, symmetry);
                let image_moves = move_images(g, &s, &moves, &image, symmetry);
                let policy: Vec<f32> = image_moves.iter().map(|&(_, i)| found.policy[i]).collect();
                let image_moves: Vec<G::Move> = image_moves.iter().map(|&(m, _)| m).collect();
                visit(buffers.sample(g, (&image, turn), &image_moves, &policy, value));
            }
        }
        path.play(g, &mut s, m);
    }
    if searched.next().is_some() { Err(SelfPlayRecordError) } else { Ok(()) }
}

fn target_value(end: Duel, turn: Side, found: &SearchedMove, trust: f32) -> WdlProbabilities {
    let (result, search) = (certain(end.seen_by(turn)), found.value);
    let mix = |result: f32, search: f32| (1.0 - trust) * result + trust * search;
    WdlProbabilities {
        win: mix(result.win, search.win),
        draw: mix(result.draw, search.draw),
        loss: mix(result.loss, search.loss),
    }
}

/// Returns the moves of `image`, the image of `s`, that are images of `moves`, each with the index of
/// the move of `s` whose image it is: the one that leads to the image of the same state.
fn move_images<G: Game>(
    g: &G,
    s: &G::State,
    moves: &[G::Move],
    image: &G::State,
    symmetry: Symmetry,
) -> Vec<(G::Move, usize)> {
    // States are compared after their keys: comparing large states for all pairs of moves is slow.
    let keyed = |s: G::State| (g.key(&s), s);
    let after: Vec<(u64, G::State)> =
        moves.iter().map(|&m| keyed(g.transform(&g.after(s, m), symmetry))).collect();
    let mut image_moves = Vec::new();
    g.moves(image, &mut image_moves);
    let mut taken = vec![false; moves.len()];
    let mut original = |m: G::Move| {
        let next = keyed(g.after(image, m));
        let i = (0..after.len()).find(|&i| !taken[i] && after[i] == next)?;
        taken[i] = true;
        Some(i)
    };
    image_moves.iter().filter_map(|&m| Some((m, original(m)?))).collect()
}

struct SampleBuffers<'a> {
    inputs: &'a NetworkInputs,
    features: Vec<u32>,
    contents: Vec<u16>,
    active: Vec<u32>,
    actions: Vec<u32>,
    policy: Vec<(u32, f32)>,
}

impl<'a> SampleBuffers<'a> {
    fn new(inputs: &'a NetworkInputs) -> Self {
        let (features, contents, active) = (Vec::new(), Vec::new(), Vec::new());
        let (actions, policy) = (Vec::new(), Vec::new());
        SampleBuffers { inputs, features, contents, active, actions, policy }
    }

    fn sample<G: Game>(
        &mut self,
        g: &G,
        (s, turn): (&G::State, Side),
        moves: &[G::Move],
        policy: &[f32],
        value: WdlProbabilities,
    ) -> SelfPlaySample<'_> {
        self.features.clear();
        self.actions.clear();
        g.features(s, turn, &mut self.features);
        g.actions(s, moves, &mut self.actions);
        self.policy.clear();
        self.policy.extend(self.actions.iter().copied().zip(policy.iter().copied()));
        self.inputs.activate(&self.features, &mut self.contents, &mut self.active);
        SelfPlaySample { inputs: &self.active, policy: &self.policy, value }
    }
}
