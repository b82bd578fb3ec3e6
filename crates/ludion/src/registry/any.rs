//! Games, positions and players once their types are forgotten: what the command line, the
//! arena and the page hold. Each call here is one virtual call for a whole decision, walk
//! or batch of games.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;
use num_rational::BigRational;

use super::Error;
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

/// A game by name.
pub trait AnyGame: Send + Sync {
    /// The shortest text that names it.
    fn spec(&self) -> &str;
    /// The position in which every game begins.
    fn start(&self) -> Box<dyn AnyPosition>;
    /// Reads a position.
    ///
    /// # Errors
    /// What does not read, and where.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, ReadError>;
    /// The player that `text` names, such as `minimax(depth=4)`.
    ///
    /// # Errors
    /// For an unknown player the nearest names, for a wrong parameter what is allowed.
    fn player(&self, text: &str) -> Result<Box<dyn AnyPlayer>, Error>;
    /// A referee for matches between the players that `texts` name.
    ///
    /// # Errors
    /// As [`AnyGame::player`]; also when the game is a puzzle.
    fn referee(&self, texts: &[String]) -> Result<Box<dyn Referee>, Error>;
    /// Somebody who plays games for an archive.
    ///
    /// # Errors
    /// As [`AnyGame::player`].
    fn simulator(&self, cast: &Cast) -> Result<Box<dyn Simulate>, Error>;
    /// Reads a block of an archive, game by game, until `visit` breaks off.
    ///
    /// # Errors
    /// When the block is none of this game.
    fn each_game(&self, block: &Block, visit: &mut VisitGame<'_>) -> Result<(), BlockError>;
    /// Learning of patterns, where the game is one of pieces on a board.
    fn learning(&self) -> Option<Box<dyn Learning>>;
    /// Shows the samples of every game in the bytes of an archive, where positions are words.
    ///
    /// # Errors
    /// When they are not, or the bytes are no archive of this game.
    fn lessons(
        &self,
        lesson: Lesson,
        bytes: &[u8],
        visit: &mut VisitLesson<'_>,
    ) -> Result<(), LessonError>;
    /// The symmetries of the board that the rules respect.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Checks the laws of games on `games` random games; returns the states looked at.
    ///
    /// # Errors
    /// The first law found broken.
    fn check_laws(&self, games: usize, seed: u64) -> Result<usize, Broken>;
}

/// A position of a game.
pub trait AnyPosition: Any + Send + Sync {
    /// A copy.
    fn copy(&self) -> Box<dyn AnyPosition>;
    /// The position in its notation.
    fn show(&self) -> String;
    /// Its key.
    fn key(&self) -> u64;
    /// Whose turn it is, or how the game ended.
    fn status(&self) -> Status<AnyOutcome>;
    /// The legal moves in their notation and the order of the game.
    fn moves(&self) -> Vec<String>;
    /// The legal move that `text` means, as the game itself writes it.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn spell(&self, text: &str) -> Result<String, ReadError>;
    /// Plays one move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn play(&mut self, text: &str) -> Result<(), ReadError>;
    /// The position as a picture.
    fn scene(&self) -> Scene;
    /// The cells of the scene a person touches to play a move.
    ///
    /// # Errors
    /// Names the legal moves when `text` is none of them.
    fn touches(&self, text: &str) -> Result<Vec<Cell>, ReadError>;
    /// How many lines of exactly `depth` moves start here.
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// Counts all positions and games from here.
    ///
    /// # Errors
    /// When more than `limit` moves lead from position to position, or games are infinitely
    /// many.
    fn census(&self, limit: u64) -> Result<AnyCensus, CensusError>;
    /// How many distinct positions there are after 0, 1, … `depth` plies.
    ///
    /// # Errors
    /// When one ply has more than `limit`.
    fn positions_by_ply(&self, depth: u32, limit: u64) -> Result<Vec<u64>, CensusError>;
    /// What perfect play from here comes to, with every move that keeps it.
    ///
    /// # Errors
    /// When the game is over or a puzzle, or the effort does not suffice.
    fn solve(&self, effort: Effort, watch: &AnyWatch<'_>) -> Result<AnySolution, SolveError>;
    /// Plays `count` random games from here, in batches where the game has them; returns
    /// how often each kind of end came.
    fn playouts(&self, count: u64, seed: u64) -> Vec<u64>;
    /// Plays `count` random games from here one after the other.
    fn playouts_one_by_one(&self, count: u64, seed: u64) -> Vec<u64>;
}

impl dyn AnyPosition {
    /// Plays several moves with white space or commas between them. A word that is no move
    /// is tried character by character, so that `4453` is four moves of Connect Four.
    ///
    /// # Errors
    /// At the first word that is no legal move; the moves before it are played.
    pub fn play_line(&mut self, text: &str) -> Result<Vec<String>, LineError> {
        let mut played = Vec::new();
        for word in text.split([' ', ',', '\t', '\n']).filter(|word| !word.is_empty()) {
            let Err(error) = self.play(word) else {
                played.push(word.to_owned());
                continue;
            };
            let before = played.len();
            for c in word.chars() {
                let single = c.to_string();
                if let Err(within) = self.play(&single) {
                    let number = played.len() + 1;
                    let error = if played.len() == before { error } else { within };
                    return Err(LineError { number, error });
                }
                played.push(single);
            }
        }
        Ok(played)
    }
}

/// A move in a list that is not legal when its turn comes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}: {error}")]
pub struct LineError {
    /// Which move, counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub error: ReadError,
}

/// What a walk over all positions of a game found.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyCensus {
    /// Distinct positions, finished ones included.
    pub positions: u64,
    /// The longest game in plies.
    pub longest: u32,
    /// Complete games.
    pub games: BigUint,
    /// What perfect play comes to.
    pub perfect: AnyOutcome,
    /// For every end that can happen, how often.
    pub ends: Vec<AnyEnd>,
}

/// How often one end happens.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyEnd {
    /// The end.
    pub outcome: AnyOutcome,
    /// Complete games that end so.
    pub games: BigUint,
    /// The exact chance under random play.
    pub chance: BigRational,
}

/// What perfect play comes to; moves come in their notation.
pub type AnySolution = Solution<String>;

/// Somebody who looks on while a player thinks; moves come in their notation.
pub type AnyWatch<'a> = dyn Watch<String> + 'a;

/// A player for the positions of one game.
pub trait AnyPlayer: Send {
    /// The shortest text that names it.
    fn spec(&self) -> &str;
    /// A new game begins: forget the last one and draw from `seed` from now on.
    fn begin(&mut self, seed: u64);
    /// Chooses a move.
    ///
    /// # Errors
    /// When the game is over, the position is of another game, or the player fails.
    fn choose(
        &mut self,
        position: &dyn AnyPosition,
        budget: Budget,
        watch: &AnyWatch<'_>,
    ) -> Result<Choice<String>, Refusal>;
}

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
