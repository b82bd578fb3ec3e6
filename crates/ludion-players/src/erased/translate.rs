//! Translation of the moves in choices, lines and search trees from values to notation and back.

use std::time::Duration;

use super::any::AnyObserver;
use crate::game::Game;
use crate::notation::NotationError;
use crate::player::{Choice, Observer, RootLine, SearchDetails, TreeBranch, TreeReportLimits};
use crate::players::text_player::legal_variation;
use crate::repetition::GamePath;

/// Receives the reports of a typed player and passes them, with moves in notation, to an observer.
pub(super) struct NotationObserver<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) observer: &'a AnyObserver<'a>,
}

impl<G: Game> Observer<G::Move> for NotationObserver<'_, G> {
    fn interval(&self) -> Option<Duration> {
        self.observer.interval()
    }

    fn report(&self, so_far: &Choice<G::Move>) {
        self.observer.report(&choice_in_notation(self.game, self.state, so_far));
    }

    fn tree_limits(&self) -> Option<TreeReportLimits> {
        self.observer.tree_limits()
    }

    fn report_tree(&self, branches: &[TreeBranch<G::Move>]) {
        self.observer.report_tree(&branches_in_notation(self.game, self.state, branches));
    }

    fn wants_all_values(&self) -> bool {
        self.observer.wants_all_values()
    }

    fn details_limit(&self) -> Option<usize> {
        self.observer.details_limit()
    }

    fn report_details(&self, details: &SearchDetails) {
        self.observer.report_details(details);
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop()
    }
}

/// Returns a choice of a typed player with its moves in notation.
pub(super) fn choice_in_notation<G: Game>(
    g: &G,
    s: &G::State,
    choice: &Choice<G::Move>,
) -> Choice<String> {
    Choice {
        best: g.show_move(s, choice.best),
        lines: choice.lines.iter().map(|line| line_in_notation(g, s, line)).collect(),
        nodes: choice.nodes,
        simulations: choice.simulations,
        depth: choice.depth,
        time: choice.time,
    }
}

pub(super) fn line_in_notation<G: Game>(
    g: &G,
    s: &G::State,
    line: &RootLine<G::Move>,
) -> RootLine<String> {
    RootLine {
        play: g.show_move(s, line.play),
        value: line.value,
        visits: line.visits,
        proven: line.proven,
        prior: line.prior,
        variation: variation_in_notation(g, s.clone(), &line.variation),
    }
}

fn variation_in_notation<G: Game>(g: &G, mut s: G::State, moves: &[G::Move]) -> Vec<String> {
    let show_and_play = |&m: &G::Move| {
        let text = g.show_move(&s, m);
        g.play(&mut s, m);
        text
    };
    moves.iter().map(show_and_play).collect()
}

fn branches_in_notation<G: Game>(
    g: &G,
    s: &G::State,
    branches: &[TreeBranch<G::Move>],
) -> Vec<TreeBranch<String>> {
    let in_notation = |branch: &TreeBranch<G::Move>| TreeBranch {
        play: g.show_move(s, branch.play),
        value: branch.value,
        visits: branch.visits,
        proven: branch.proven,
        children: branches_in_notation(g, &g.after(s, branch.play), &branch.children),
    };
    branches.iter().map(in_notation).collect()
}

/// Receives reports with moves in notation and passes them to the observer of a typed player. Lines
/// and branches that begin with an illegal move are left out.
pub(super) struct MoveObserver<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) path: &'a GamePath,
    pub(super) observer: &'a dyn Observer<G::Move>,
}

impl<G: Game> Observer<String> for MoveObserver<'_, G> {
    fn interval(&self) -> Option<Duration> {
        self.observer.interval()
    }

    fn report(&self, so_far: &Choice<String>) {
        if let Ok(so_far) = choice_in_moves(self.game, self.path, self.state, so_far) {
            self.observer.report(&so_far);
        }
    }

    fn tree_limits(&self) -> Option<TreeReportLimits> {
        self.observer.tree_limits()
    }

    fn report_tree(&self, branches: &[TreeBranch<String>]) {
        self.observer.report_tree(&branches_in_moves(self.game, self.state, branches));
    }

    fn wants_all_values(&self) -> bool {
        self.observer.wants_all_values()
    }

    fn details_limit(&self) -> Option<usize> {
        self.observer.details_limit()
    }

    fn report_details(&self, details: &SearchDetails) {
        self.observer.report_details(details);
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop()
    }
}

/// Returns a choice in notation as a choice of typed moves. Lines whose move is illegal are left
/// out.
///
/// # Errors
/// When the chosen move is not legal.
pub(super) fn choice_in_moves<G: Game>(
    g: &G,
    path: &GamePath,
    s: &G::State,
    choice: &Choice<String>,
) -> Result<Choice<G::Move>, NotationError> {
    let line = |line: &RootLine<String>| {
        let play = path.read_legal_move(g, s, &line.play).ok()?;
        Some(RootLine {
            play,
            value: line.value.filter(|value| value.is_finite()),
            visits: line.visits,
            proven: line.proven,
            prior: line.prior.filter(|prior| prior.is_finite()),
            variation: legal_variation(g, path, s, play, &line.variation),
        })
    };
    Ok(Choice {
        best: path.read_legal_move(g, s, &choice.best)?,
        lines: choice.lines.iter().filter_map(line).collect(),
        nodes: choice.nodes,
        simulations: choice.simulations,
        depth: choice.depth,
        time: choice.time,
    })
}

fn branches_in_moves<G: Game>(
    g: &G,
    s: &G::State,
    branches: &[TreeBranch<String>],
) -> Vec<TreeBranch<G::Move>> {
    let in_moves = |branch: &TreeBranch<String>| {
        let play = GamePath::EMPTY.read_legal_move(g, s, &branch.play).ok()?;
        Some(TreeBranch {
            play,
            value: branch.value,
            visits: branch.visits,
            proven: branch.proven,
            children: branches_in_moves(g, &g.after(s, play), &branch.children),
        })
    };
    branches.iter().filter_map(in_moves).collect()
}
