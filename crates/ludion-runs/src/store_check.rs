//! Checks a whole store: SQLite's own check, the checksums of rows, whether runs are complete, and
//! whether every game follows the rules of its game to the stored result.

use std::collections::HashMap;

use ludion_players::arena::plan::PlanTally;
use ludion_players::registry::Registry;
use ludion_store::{RunId, RunPlan, RunState, Store, StoreError, StoredGame, StoredRun};
use serde::Serialize;

use crate::result_check::ResultCheck;
use crate::{RunError, present_plan};

/// Report of the check of a store.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct StoreReport {
    /// Whether nothing is wrong.
    pub sound: bool,
    /// Number of runs.
    pub runs: u64,
    /// Number of games.
    pub games: u64,
    /// Number of games that were replayed to their stored results.
    pub replayed: u64,
    /// Number of outputs of studies and of cached values.
    pub outputs: u64,
    /// Number of teams.
    pub teams: u64,
    /// Number of submitted solutions.
    pub submissions: u64,
    /// What is wrong, at most [`MAX_PROBLEMS`].
    pub problems: Vec<StoreProblem>,
    /// Number of problems that are not listed.
    pub more_problems: u64,
}

/// Something that is wrong in a store.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct StoreProblem {
    /// Number of the run; `None` if it is not known.
    pub run: Option<RunId>,
    /// Number of the game or output in its run; `None` if the problem is that of the whole run or
    /// file.
    pub number: Option<u64>,
    /// A sentence that says what is wrong.
    pub what: String,
}

/// Maximum number of problems that a report lists.
pub const MAX_PROBLEMS: usize = 1000;

/// Callback after each checked game; it gets the number of games so far.
pub type OnCheckedGame<'a> = &'a mut dyn FnMut(u64);

/// Checks a store. Damage is reported, not returned as an error.
#[must_use]
pub fn check_store(registry: &Registry, store: &Store, on_game: OnCheckedGame<'_>) -> StoreReport {
    let mut check = StoreCheck {
        registry,
        store,
        report: StoreReport::default(),
        runs: HashMap::new(),
        games: HashMap::new(),
        finished: Vec::new(),
    };
    for what in store.check_file() {
        check.add(None, None, what);
    }
    check.runs();
    check.games(on_game);
    check.outputs();
    check.teams();
    check.completeness();
    check.report.sound = check.report.problems.is_empty();
    check.report
}

struct StoreCheck<'a> {
    registry: &'a Registry,
    store: &'a Store,
    report: StoreReport,
    /// What is needed to replay the games of each run, made when its first game is read; `None` if
    /// they cannot be replayed.
    runs: HashMap<RunId, Option<RunReplay>>,
    /// Number of games of each run.
    games: HashMap<RunId, u64>,
    /// The finished runs of games.
    finished: Vec<StoredRun>,
}

/// Replays the games of one run.
struct RunReplay {
    run: StoredRun,
    check: ResultCheck,
}

impl StoreCheck<'_> {
    fn add(&mut self, run: Option<RunId>, number: Option<u64>, what: impl Into<String>) {
        if self.report.problems.len() < MAX_PROBLEMS {
            self.report.problems.push(StoreProblem { run, number, what: what.into() });
        } else {
            self.report.more_problems += 1;
        }
    }

    /// Reports that SQLite could not read a table to its end.
    fn add_unreadable(&mut self, table: &str, result: Result<(), StoreError>) {
        if let Err(error) = result {
            self.add(None, None, format!("{table} cannot be read to the end: {error}"));
        }
    }

    fn runs(&mut self) {
        let mut rows = Vec::new();
        let read = self.store.check_runs(&mut |row| rows.push(row));
        self.add_unreadable("the runs", read);
        for row in rows {
            self.report.runs += 1;
            if let Err(what) = row.content {
                self.add(row.run, None, what);
            }
            let Some(id) = row.run else { continue };
            match self.store.any_run(id).map(|run| run.plan) {
                Err(error) => self.add(Some(id), None, format!("it cannot be read: {error}")),
                Ok(RunPlan::Games(plan)) => {
                    if !self.store.has_players(id, &plan).unwrap_or(false) {
                        self.add(Some(id), None, "its players are not those of its plan");
                    }
                    let run = self.store.run(id).ok();
                    let is_over = |run: &StoredRun| run.state == RunState::Finished;
                    self.finished.extend(run.filter(|run| plan.tuning.is_none() && is_over(run)));
                }
                Ok(RunPlan::Study(_)) => {}
            }
        }
    }

    fn games(&mut self, on_game: OnCheckedGame<'_>) {
        let store = self.store;
        let read = store.check_games(&mut |row| {
            self.report.games += 1;
            on_game(self.report.games);
            if let Some(run) = row.run {
                *self.games.entry(run).or_default() += 1;
            }
            match row.content {
                Err(what) => self.add(row.run, row.number, what),
                Ok(game) => self.replay(&game),
            }
        });
        self.add_unreadable("the games", read);
    }

    fn replay(&mut self, game: &StoredGame) {
        let (id, number) = (game.run, game.number);
        if !self.runs.contains_key(&id) {
            let replay = self.open(id);
            if let Err(error) = &replay {
                self.add(Some(id), None, format!("its games cannot be replayed: {error}"));
            }
            self.runs.insert(id, replay.ok());
        }
        let Some(Some(RunReplay { run, check })) = self.runs.get(&id) else { return };
        let plan = &run.plan;
        let what = if number / 2 >= plan.schedule.total() {
            "it is beyond the schedule of its run"
        } else if !check.accepts_stored(plan, number, &game.result) {
            "its moves do not lead to its stored result"
        } else {
            self.report.replayed += 1;
            return;
        };
        self.add(Some(id), Some(number), what);
    }

    fn open(&self, id: RunId) -> Result<RunReplay, RunError> {
        let mut run = self.store.run(id)?;
        // A player that has changed does not matter for the rules.
        if let Ok(plan) = present_plan(self.registry, &run.plan) {
            run.plan = plan;
        }
        let game = self.registry.game(&run.plan.game)?;
        Ok(RunReplay { check: ResultCheck::of_rules(&game), run })
    }

    fn outputs(&mut self) {
        let store = self.store;
        let read = store.check_outputs(&mut |row| {
            self.report.outputs += 1;
            if let Err(what) = row.content {
                self.add(row.run, row.number, what);
            }
        });
        self.add_unreadable("the outputs of studies", read);
    }

    fn teams(&mut self) {
        let store = self.store;
        let read = store.check_teams(&mut |id, wrong| {
            self.report.teams += 1;
            if let Some(what) = wrong {
                self.add(None, None, format!("team {id}: {what}"));
            }
        });
        self.add_unreadable("the teams", read);
        let read = store.check_submissions(&mut |id, wrong| {
            self.report.submissions += 1;
            if let Some(what) = wrong {
                self.add(None, None, format!("submission {id}: {what}"));
            }
        });
        self.add_unreadable("the submissions", read);
    }

    /// Reports finished runs that lack games, or have more than the test that ended them.
    fn completeness(&mut self) {
        for run in std::mem::take(&mut self.finished) {
            let stored = self.games.get(&run.id).copied().unwrap_or_default();
            let expected = match run.plan.sprt {
                None => Ok(run.plan.schedule.total()),
                Some(_) => self.counted(&run),
            };
            // A game that cannot be read is reported as such.
            if let Ok(pairs) = expected
                && stored != 2 * pairs
            {
                self.add(
                    Some(run.id),
                    None,
                    format!("it has {stored} games and not {}", 2 * pairs),
                );
            }
        }
    }

    /// Returns the number of pairs up to the one that decides the test of a run.
    fn counted(&self, run: &StoredRun) -> Result<u64, StoreError> {
        let mut tally = PlanTally::new(&run.plan);
        for (number, pair) in self.store.pairs(run.id)? {
            if tally.add(number, &pair).is_break() {
                return Ok(tally.pairs);
            }
        }
        Ok(run.plan.schedule.total())
    }
}
