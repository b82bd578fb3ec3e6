//! `ludion tune`: the parameters of a player that score best against an opponent, searched by a
//! genetic algorithm or by cross-entropy. Every candidate plays a match of its own, which the
//! store keeps: a candidate met before, in this run or another, is not played again.

mod open;
mod report;

use clap::{Args, ValueEnum};
use ludion::arena::contest::Schedule;
use ludion::arena::pair::Terms;
use ludion::arena::plan::{Kind, Ledger, Method, Plan, Tuning};
use ludion::optimise::cross_entropy::{
    CrossEntropy, Family, Options as EntropyOptions, Samples, points::Points,
};
use ludion::optimise::genetic::{Genetic, Options as GeneticOptions};
use ludion::optimise::space::Point;
use ludion::optimise::{Maximiser, SetupError};
use ludion::random::derive_seed;
use ludion_store::{RunId, State, Store};

use super::matches;
use crate::Context;
use crate::contest::{self, Progressing, Rules, Storage, StoreOption};
use crate::failure::Failure;
use crate::output::plural;
use crate::pictures::Pictures;
use open::Open;
pub(crate) use report::{Answer, Candidate};

/// Search the best parameters of a player
#[derive(Args)]
#[command(after_help = "\
Examples:
  ludion tune tictactoe \"mcts(c=?0.5..4, sims=50)\" --generations 3 -n 10
  ludion tune matches \"ucb(sims=?1..9)\" --by cross-entropy --generations 2 -n 5

A question mark stands for all that a parameter allows, a range behind it for less. A
candidate's score is that of a match against the opponent, which is the player with its
defaults when not given. The best of many noisy scores is flattered: in the end the best
candidate plays again, from another seed, and only that match is to be believed. Stopped
runs go on with `ludion run resume`.")]
pub(crate) struct Tune {
    /// The game, such as connect4 or "hexapawn(4, 5, cylinder)"
    game: String,
    /// The player with its open parameters, such as "mcts(a=?, c=?1..3)"
    player: String,
    /// How the best is searched
    #[arg(long, value_enum, default_value_t = By::Genetic)]
    by: By,
    /// Whom candidates play against [default: the player with its defaults]
    #[arg(long, value_name = "PLAYER")]
    against: Option<String>,
    /// Generations, at most
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    generations: u32,
    /// Pairs of games of one candidate
    #[arg(short = 'n', long, value_name = "PAIRS", default_value_t = 50,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pairs: u64,
    #[command(flatten)]
    rules: Rules,
    #[command(flatten)]
    pictures: Pictures,
    #[command(flatten)]
    store: StoreOption,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The best are kept, crossed and mutated
    Genetic,
    /// A law of good parameters is drawn from and fitted to the best
    CrossEntropy,
}

impl From<By> for Method {
    fn from(by: By) -> Self {
        match by {
            By::Genetic => Method::Genetic,
            By::CrossEntropy => Method::CrossEntropy,
        }
    }
}

impl Tune {
    pub(crate) fn run(&self, context: &Context) -> Result<(), Failure> {
        let game = context.registry.game(&self.game)?;
        let open = opened(context, game.spec(), &self.player)?;
        let opponent = self.against.clone().unwrap_or_else(|| open.plain());
        let opponent = game.player(&opponent)?.spec().to_owned();
        game.referee(&[opponent.clone(), game.player(&open.at(&open.start))?.spec().to_owned()])?;
        let schedule = Schedule { meetings: Vec::new(), pairs: self.pairs };
        let terms = self.rules.terms(context.seed);
        let plan = Plan::new(Kind::Tuning, game.spec(), vec![opponent], schedule, terms);
        let player = self.player.clone();
        let tuning = Tuning { player, by: self.by.into(), generations: self.generations };
        let plan = Plan { tuning: Some(tuning), ..plan };
        let (storage, run) = match self.store.open()? {
            Storage::None => (Storage::None, None),
            Storage::Store(mut store) => {
                let run = store.begin(&plan, None)?;
                (Storage::Store(store), Some(run))
            }
        };
        play(context, &self.store, &self.pictures, plan, storage, run)
    }
}

/// The open parameters of a player of a game.
fn opened(context: &Context, game: &str, player: &str) -> Result<Open, Failure> {
    let name = game.split('(').next().unwrap_or(game);
    let entry = context.registry.games().iter().find(|entry| entry.name == name);
    let players = entry.map_or(&[][..], |entry| entry.players());
    Open::read(player, players)
}

/// Goes on with a tuning of the store.
pub(crate) fn resume(
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    mut store: Store,
    run: RunId,
) -> Result<(), Failure> {
    let plan = store.run(run)?.plan;
    store.set_state(run, State::Running)?;
    play(context, option, pictures, plan, Storage::Store(store), Some(run))
}

/// Shows what the store knows of a tuning: its candidates, as far as they have played.
pub(crate) fn show(
    context: &Context,
    pictures: &Pictures,
    store: &Store,
    run: &ludion_store::Run,
) -> Result<(), Failure> {
    let tuning = run.plan.tuning.as_ref().ok_or_else(unsaid)?;
    let mut answer = Answer::new(Some(run.id), &run.plan, tuning);
    answer.state = run.state;
    for child in store.children(run.id)? {
        let played = contest::stored(store, &child)?;
        let candidate = Candidate::of(child.plan.players[0].clone(), false, &played);
        if child.plan.terms.seed == run.plan.terms.seed {
            answer.met(candidate);
        } else {
            answer.confirm(candidate, &played);
        }
    }
    pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

/// Pairs of the last match, for each pair of a candidate's.
const CONFIRM: u64 = 4;

/// Searches, candidate by candidate; what the store knows is not played.
fn play(
    context: &Context,
    option: &StoreOption,
    pictures: &Pictures,
    plan: Plan,
    storage: Storage,
    run: Option<RunId>,
) -> Result<(), Failure> {
    let tuning = plan.tuning.clone().ok_or_else(unsaid)?;
    let open = opened(context, &plan.game, &tuning.player)?;
    let law = Points::wide(open.space.clone());
    let start = vec![open.start.clone()];
    let mut search = law
        .and_then(|law| maximiser(tuning.by, tuning.generations, law, start, plan.terms.seed))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    let mut answer = Answer::new(run, &plan, &tuning);
    let mut ground = Ground { context, plan: &plan, storage, run };
    while search.finished().is_none() {
        let asked: Vec<Point> = search.ask().to_vec();
        let number = search.generations().len() + 1;
        let mut scores = Vec::new();
        for (i, point) in asked.iter().enumerate() {
            let place = format!("generation {number}, {}/{}", i + 1, asked.len());
            let Some((candidate, _)) = ground.play(&open.at(point), 1, plan.terms.seed, &place)?
            else {
                return ground.stopped(option, &answer);
            };
            scores.push(candidate.score);
            answer.met(candidate);
        }
        search.tell(&scores).map_err(|error| Failure::Failed(error.to_string()))?;
        answer.generations = search.generations();
    }
    if let Some((best, _)) = search.best() {
        let seed = derive_seed(plan.terms.seed, &[1]);
        match ground.play(&open.at(&best), CONFIRM, seed, "the best again")? {
            Some((candidate, played)) => answer.confirm(candidate, &played),
            None => return ground.stopped(option, &answer),
        }
    }
    ground.set_state(State::Finished)?;
    answer.state = State::Finished;
    pictures.write(&answer.picture())?;
    context.output.report(&answer)
}

fn unsaid() -> Failure {
    Failure::Failed("the store has a tuning that does not say what is tuned".to_owned())
}

/// Where the candidates of a tuning play.
struct Ground<'a> {
    context: &'a Context,
    plan: &'a Plan,
    storage: Storage,
    run: Option<RunId>,
}

impl Ground<'_> {
    /// The match of one candidate, of `times` as many pairs as the plan says: from the store, or
    /// played. `None` when it was stopped.
    fn play(
        &mut self,
        text: &str,
        times: u64,
        seed: u64,
        place: &str,
    ) -> Result<Option<(Candidate, Progressing)>, Failure> {
        let Ground { context, plan: tuning, .. } = *self;
        let game = context.registry.game(&tuning.game)?;
        let player = game.player(text)?.spec().to_owned();
        let players = vec![player.clone(), tuning.players[0].clone()];
        let schedule = Schedule::duel(times * tuning.schedule.pairs);
        let terms = Terms { seed, ..tuning.terms };
        let plan = Plan::new(Kind::Match, &tuning.game, players, schedule, terms);
        let known = match &self.storage {
            Storage::None => None,
            Storage::Store(store) => store.find(&plan)?,
        };
        let storage = std::mem::replace(&mut self.storage, Storage::None);
        let mut session = match (storage, &known) {
            (Storage::Store(store), Some(known)) => contest::resumed(context, store, known.id)?,
            (storage, _) => contest::started(context, plan, storage, self.run)?,
        };
        let live = |plan: &Plan, ledger: &Ledger| {
            format!("{place}: {player}  {}", matches::live(plan, ledger))
        };
        let played = session.play(context, live)?;
        self.storage = session.into_storage();
        let known = known.is_some() && played.games == 0;
        let candidate = Candidate::of(player, known, &played);
        Ok((played.state == State::Finished).then_some((candidate, played)))
    }

    fn set_state(&mut self, state: State) -> Result<(), Failure> {
        if let (Storage::Store(store), Some(run)) = (&mut self.storage, self.run) {
            store.set_state(run, state)?;
        }
        Ok(())
    }

    /// Says what was found so far and how to go on.
    fn stopped(mut self, option: &StoreOption, answer: &Answer) -> Result<(), Failure> {
        self.set_state(State::Stopped)?;
        self.context.output.report(answer)?;
        let how = self.run.map_or_else(
            || "nothing was kept".to_owned(),
            |run| format!("go on with: ludion run resume {run}{}", option.repeated()),
        );
        let generations = plural(answer.generations.len() as u64, "generation");
        Err(Failure::Stopped(format!("stopped after {generations}; {how}")))
    }
}

/// The search itself: cross-entropy begins with the law, the genetic algorithm with the points.
pub(crate) fn maximiser(
    by: Method,
    generations: u32,
    law: Points,
    starts: Vec<Point>,
    seed: u64,
) -> Result<Box<dyn Maximiser<Candidate = Point>>, SetupError> {
    Ok(match by {
        Method::Genetic => {
            let options = GeneticOptions { generations, ..GeneticOptions::default() };
            Box::new(Genetic::new(law.space().clone(), options, starts, seed)?)
        }
        Method::CrossEntropy => {
            let options = EntropyOptions {
                samples: Samples::Fixed(SAMPLES),
                rho: ELITE,
                iterations: generations,
                ..law.defaults()
            };
            Box::new(CrossEntropy::new(law, options, seed)?)
        }
    })
}

/// Candidates of one generation of cross-entropy: as many as the genetic algorithm has, and a
/// few more for the law to be fitted to.
const SAMPLES: usize = 16;
/// The share of them that the law is fitted to.
const ELITE: f64 = 0.25;
