//! Games, positions and players with their types, behind what [`super::any`] says of them, and the
//! translation of moves into their notation.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use super::Error;
use super::any::{AnyCensus, AnyEnd, AnyGame, AnyPlayer, AnyPosition, AnySolution, AnyWatch};
use super::entry::Roster;
use super::replay::VisitGame;
use super::voices::Voices;
use crate::archive::{self, Block, BlockError, Cast, Simulate};
use crate::arena::pair::Referee;
use crate::game::{Game, Status, TallyOf};
use crate::laws::{self, Broken};
use crate::learn::lessons::{Lesson, LessonError, VisitLesson};
use crate::learn::patterns::Learning;
use crate::listing::Kit;
use crate::notation::ReadError;
use crate::outcome::{AnyOutcome, Outcome};
use crate::player::{Branch, Budget, Choice, Line, Player, Pruning, Refusal, Turn, Watch};
use crate::random::Rng;
use crate::scene::{Cell, Scene, Symmetry};
use crate::search::census::{self, CensusError};
use crate::search::perft::perft_on;
use crate::search::solve::{Effort, Solution, SolveError};

/// A game with its type, behind [`AnyGame`].
pub(super) struct Typed<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) spec: String,
    pub(super) roster: Arc<Roster<G>>,
    /// With the game itself at hand.
    pub(super) kit: Kit<G>,
    pub(super) voices: Voices,
}

impl<G: Game> Typed<G> {
    fn at(&self, state: G::State) -> Box<dyn AnyPosition> {
        let (game, roster) = (Arc::clone(&self.game), Arc::clone(&self.roster));
        Box::new(TypedPosition { game, roster, state })
    }
}

impl<G: Game> AnyGame for Typed<G> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        self.at(self.game.start())
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, ReadError> {
        Ok(self.at(self.game.read_state(text)?))
    }

    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, Error> {
        self.roster.player((&self.spec, &self.kit), &self.voices, text)
    }

    fn referee(&self, texts: &[String]) -> Result<Box<dyn Referee>, Error> {
        self.roster.referee(&self.game, (&self.spec, &self.kit), &self.voices, texts)
    }

    fn learning(&self) -> Option<Box<dyn Learning>> {
        self.roster.learning.map(|make| make(Arc::clone(&self.game), &self.spec))
    }

    fn simulator(&self, cast: &Cast) -> Result<Box<dyn Simulate>, Error> {
        self.roster.simulator(&self.game, (&self.spec, &self.kit), &self.voices, cast)
    }

    fn each_game(&self, block: &Block, visit: &mut VisitGame<'_>) -> Result<(), BlockError> {
        archive::each_game(&*self.game, block, &mut |replay| visit(&replay))
    }

    fn lessons(
        &self,
        lesson: Lesson,
        bytes: &[u8],
        visit: &mut VisitLesson<'_>,
    ) -> Result<(), LessonError> {
        let give = self.roster.lessons.ok_or_else(|| LessonError::Unfit(self.spec.clone()))?;
        give(lesson, (&*self.game, &self.spec), bytes, visit)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, Broken> {
        laws::check(&*self.game, games, seed)
    }
}

/// A state with its game, behind [`AnyPosition`].
struct TypedPosition<G: Game> {
    game: Arc<G>,
    roster: Arc<Roster<G>>,
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

    fn spell(&self, text: &str) -> Result<String, ReadError> {
        let m = self.game.read_move(&self.state, text)?;
        Ok(self.game.show_move(&self.state, m))
    }

    fn play(&mut self, text: &str) -> Result<(), ReadError> {
        let m = self.game.read_move(&self.state, text)?;
        self.game.play(&mut self.state, m);
        Ok(())
    }

    fn scene(&self) -> Scene {
        self.game.scene(&self.state)
    }

    fn touches(&self, text: &str) -> Result<Vec<Cell>, ReadError> {
        let m = self.game.read_move(&self.state, text)?;
        Ok(self.game.touches(&self.state, m))
    }

    fn perft(&self, depth: u32, threads: usize) -> u64 {
        perft_on(&*self.game, &self.state, depth, threads)
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
                .map(|(o, end)| AnyEnd { outcome: o.any(), games: end.games, chance: end.chance })
                .collect(),
        })
    }

    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError> {
        census::positions_by_ply(&*self.game, &self.state, depth, limit)
    }

    fn solve(&self, effort: Effort, watch: &AnyWatch<'_>) -> Result<AnySolution, SolveError> {
        let (game, state) = (&*self.game, &self.state);
        let watch = Translated { game, state, watch };
        let turn = Turn { game, state, budget: Budget::UNLIMITED, watch: &watch };
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
        watch: &AnyWatch<'_>,
    ) -> Result<Choice<String>, Refusal> {
        let position: &dyn Any = position;
        let Some(TypedPosition { game, state, .. }) = position.downcast_ref::<TypedPosition<G>>()
        else {
            return Err(Refusal::Failed(
                "the position is of another game than the player".to_owned(),
            ));
        };
        let watch = Translated { game: &**game, state, watch };
        let turn = Turn { game: &**game, state, budget, watch: &watch };
        let choice = self.player.choose(&turn)?;
        Ok(in_words(&**game, state, &choice))
    }
}

/// Passes reports on with moves in their notation.
struct Translated<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    watch: &'a AnyWatch<'a>,
}

impl<G: Game> Watch<G::Move> for Translated<'_, G> {
    fn interval(&self) -> Option<Duration> {
        self.watch.interval()
    }

    fn report(&self, so_far: &Choice<G::Move>) {
        self.watch.report(&in_words(self.game, self.state, so_far));
    }

    fn pruning(&self) -> Option<Pruning> {
        self.watch.pruning()
    }

    fn tree(&self, branches: &[Branch<G::Move>]) {
        self.watch.tree(&branches_in_words(self.game, self.state, branches));
    }

    fn stop(&self) -> bool {
        self.watch.stop()
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

fn line_in_words<G: Game>(g: &G, s: &G::State, line: &Line<G::Move>) -> Line<String> {
    Line {
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
    branches: &[Branch<G::Move>],
) -> Vec<Branch<String>> {
    let in_words = |branch: &Branch<G::Move>| Branch {
        play: g.show_move(s, branch.play),
        value: branch.value,
        visits: branch.visits,
        proven: branch.proven,
        children: branches_in_words(g, &g.after(s, branch.play), &branch.children),
    };
    branches.iter().map(in_words).collect()
}
