//! Games, positions and players with their types, behind what [`super::any`] says of them, and the
//! translation of moves into their notation.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use super::RegistryError;
use super::any::{
    AnyCensus, AnyGame, AnyObserver, AnyOutcomeCount, AnyPlayer, AnyPosition, AnySolution,
};
use super::archived::VisitArchivedGame;
use super::entry::GameParts;
use super::text_players::TextPlayers;
use crate::archive::{self, AnySimulator, BlockError, GameBlock, SimulationSettings};
use crate::arena::pair::AnyReferee;
use crate::game::{Game, Status, TallyOf};
use crate::laws::{self, LawViolation};
use crate::learn::labelling::{Labelling, LabellingError, VisitLabels};
use crate::learn::patterns::AnyLearner;
use crate::named::PlayerParts;
use crate::notation::NotationError;
use crate::outcome::{AnyOutcome, Outcome};
use crate::player::{
    Budget, Choice, MoveRequest, Observer, Player, PlayerError, RootLine, TreeBranch, TreeLimits,
};
use crate::random::Rng;
use crate::scene::{Coord, Scene, Symmetry};
use crate::search::census::{self, CensusError};
use crate::search::perft::perft_parallel;
use crate::search::solve::{Solution, SolveError, SolveLimits};

/// A game with its type, behind [`AnyGame`].
pub(super) struct TypedGame<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) spec: String,
    pub(super) roster: Arc<GameParts<G>>,
    /// With the game itself at hand.
    pub(super) parts: PlayerParts<G>,
    pub(super) text_players: TextPlayers,
}

impl<G: Game> TypedGame<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        let (game, roster) = (Arc::clone(&self.game), Arc::clone(&self.roster));
        Box::new(TypedPosition { game, roster, state })
    }
}

impl<G: Game> AnyGame for TypedGame<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.game.start())
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, NotationError> {
        Ok(self.at(self.game.read_state(text)?))
    }

    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, RegistryError> {
        self.roster.player((&self.spec, &self.parts), &self.text_players, text)
    }

    fn referee(&self, texts: &[String]) -> Result<Box<dyn AnyReferee>, RegistryError> {
        self.roster.referee(&self.game, (&self.spec, &self.parts), &self.text_players, texts)
    }

    fn learning(&self) -> Option<Box<dyn AnyLearner>> {
        self.roster.learning.map(|make| make(Arc::clone(&self.game), &self.spec))
    }

    fn simulator(&self, cast: &SimulationSettings) -> Result<Box<dyn AnySimulator>, RegistryError> {
        self.roster.simulator(&self.game, (&self.spec, &self.parts), &self.text_players, cast)
    }

    fn each_game(
        &self,
        block: &GameBlock,
        visit: &mut VisitArchivedGame<'_>,
    ) -> Result<(), BlockError> {
        archive::for_each_game(&*self.game, block, &mut |replay| visit(&replay))
    }

    fn lessons(
        &self,
        lesson: Labelling,
        bytes: &[u8],
        visit: &mut VisitLabels<'_>,
    ) -> Result<(), LabellingError> {
        let give = self.roster.lessons.ok_or_else(|| LabellingError::Unfit(self.spec.clone()))?;
        give(lesson, (&*self.game, &self.spec), bytes, visit)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, LawViolation> {
        laws::check(&*self.game, games, seed)
    }
}

/// A state with its game, behind [`AnyPosition`].
struct TypedPosition<G: Game> {
    game: Arc<G>,
    roster: Arc<GameParts<G>>,
    state: G::State,
}

impl<G: Game> AnyPosition for TypedPosition<G> {
    fn copy(&self) -> Box<dyn AnyPosition> {
        let (game, roster) = (Arc::clone(&self.game), Arc::clone(&self.roster));
        Box::new(TypedPosition { game, roster, state: self.state.clone() })
    }

    fn show(&self) -> String {
        self.game.show_state(&self.state)
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn status(&self) -> Status<AnyOutcome> {
        match self.game.status(&self.state) {
            Status::Turn(side) => Status::Turn(side),
            Status::Over(outcome) => Status::Over(outcome.any()),
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, &mut moves);
        moves.into_iter().map(|m| self.game.show_move(&self.state, m)).collect()
    }

    fn spell(&self, text: &str) -> Result<String, NotationError> {
        let m = self.game.read_move(&self.state, text)?;
        Ok(self.game.show_move(&self.state, m))
    }

    fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let m = self.game.read_move(&self.state, text)?;
        self.game.play(&mut self.state, m);
        Ok(())
    }

    fn scene(&self) -> Scene {
        self.game.scene(&self.state)
    }

    fn touches(&self, text: &str) -> Result<Vec<Coord>, NotationError> {
        let m = self.game.read_move(&self.state, text)?;
        Ok(self.game.touches(&self.state, m))
    }

    fn perft(&self, depth: u32, threads: usize) -> u64 {
        perft_parallel(&*self.game, &self.state, depth, threads)
    }

    fn census(&self, limit: u64) -> Result<AnyCensus, CensusError> {
        let all = census::census(&*self.game, &self.state, limit)?;
        Ok(AnyCensus {
            positions: all.positions,
            longest: all.longest,
            games: all.games(),
            perfect: all.perfect.any(),
            ends: all
                .ends
                .into_iter()
                .map(|(o, end)| AnyOutcomeCount {
                    outcome: o.any(),
                    games: end.games,
                    chance: end.chance,
                })
                .collect(),
        })
    }

    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError> {
        census::positions_by_ply(&*self.game, &self.state, depth, limit)
    }

    fn solve(
        &self,
        effort: SolveLimits,
        observer: &AnyObserver<'_>,
    ) -> Result<AnySolution, SolveError> {
        let (game, state) = (&*self.game, &self.state);
        let observer = NotationObserver { game, state, observer };
        let turn = MoveRequest { game, state, budget: Budget::UNLIMITED, observer: &observer };
        let solve = self.roster.solve.ok_or(SolveError::Puzzle)?;
        let solution = solve(&turn, effort)?;
        Ok(Solution {
            value: solution.value,
            best: solution.best.into_iter().map(|m| game.show_move(state, m)).collect(),
            lines: solution.lines.iter().map(|line| line_in_words(game, state, line)).collect(),
            nodes: solution.nodes,
        })
    }

    fn playouts(&self, count: u64, seed: u64) -> Vec<u64> {
        let mut tally = TallyOf::<G>::default();
        self.game.playouts(&self.state, count, &mut Rng::new(seed), &mut Vec::new(), &mut tally);
        G::Outcome::kinds(&tally)
    }

    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64> {
        let mut tally = TallyOf::<G>::default();
        let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
        for _ in 0..count {
            self.game.playout(self.state.clone(), &mut rng, &mut scratch).count(&mut tally);
        }
        G::Outcome::kinds(&tally)
    }
}

/// A player with its type, behind [`AnyPlayer`].
pub(super) struct TypedPlayer<G: Game> {
    pub(super) spec: String,
    pub(super) player: Box<dyn Player<G>>,
}

impl<G: Game> AnyPlayer for TypedPlayer<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn begin(&mut self, seed: u64) {
        self.player.begin(seed);
    }

    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: Budget,
        observer: &AnyObserver<'_>,
    ) -> Result<Choice<String>, PlayerError> {
        let position: &dyn Any = position;
        let Some(TypedPosition { game, state, .. }) = position.downcast_ref::<TypedPosition<G>>()
        else {
            return Err(PlayerError::Failed(
                "the position is of another game than the player".to_owned(),
            ));
        };
        let observer = NotationObserver { game: &**game, state, observer };
        let turn = MoveRequest { game: &**game, state, budget, observer: &observer };
        let choice = self.player.choose(&turn)?;
        Ok(in_words(&**game, state, &choice))
    }
}

/// Passes reports on with moves in their notation.
struct NotationObserver<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    observer: &'a AnyObserver<'a>,
}

impl<G: Game> Observer<G::Move> for NotationObserver<'_, G> {
    fn interval(&self) -> Option<Duration> {
        self.observer.interval()
    }

    fn report(&self, so_far: &Choice<G::Move>) {
        self.observer.report(&in_words(self.game, self.state, so_far));
    }

    fn tree_limits(&self) -> Option<TreeLimits> {
        self.observer.tree_limits()
    }

    fn report_tree(&self, branches: &[TreeBranch<G::Move>]) {
        self.observer.report_tree(&branches_in_words(self.game, self.state, branches));
    }

    fn should_stop(&self) -> bool {
        self.observer.should_stop()
    }
}

/// A choice with its moves in their notation.
fn in_words<G: Game>(g: &G, s: &G::State, choice: &Choice<G::Move>) -> Choice<String> {
    Choice {
        best: g.show_move(s, choice.best),
        lines: choice.lines.iter().map(|line| line_in_words(g, s, line)).collect(),
        nodes: choice.nodes,
        simulations: choice.simulations,
        depth: choice.depth,
        time: choice.time,
    }
}

fn line_in_words<G: Game>(g: &G, s: &G::State, line: &RootLine<G::Move>) -> RootLine<String> {
    RootLine {
        play: g.show_move(s, line.play),
        value: line.value,
        visits: line.visits,
        proven: line.proven,
        variation: variation_in_words(g, s.clone(), &line.variation),
    }
}

fn variation_in_words<G: Game>(g: &G, mut s: G::State, moves: &[G::Move]) -> Vec<String> {
    let show_and_play = |&m: &G::Move| {
        let text = g.show_move(&s, m);
        g.play(&mut s, m);
        text
    };
    moves.iter().map(show_and_play).collect()
}

fn branches_in_words<G: Game>(
    g: &G,
    s: &G::State,
    branches: &[TreeBranch<G::Move>],
) -> Vec<TreeBranch<String>> {
    let in_words = |branch: &TreeBranch<G::Move>| TreeBranch {
        play: g.show_move(s, branch.play),
        value: branch.value,
        visits: branch.visits,
        proven: branch.proven,
        children: branches_in_words(g, &g.after(s, branch.play), &branch.children),
    };
    branches.iter().map(in_words).collect()
}
