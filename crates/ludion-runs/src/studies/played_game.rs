//! A game that a person played in the laboratory, as a study of one job: the job plays the moves again
//! by the rules and says how the game ended.

use std::sync::atomic::AtomicBool;

use ludion_players::arena::pair::{GameRecord, MoveRecord};
use ludion_players::assets::Assets;
use ludion_players::game::{Side, Status};
use ludion_players::outcome::{AnyOutcome, Duel};
use ludion_players::registry::Registry;
use ludion_plot::{Chart, ChartPoint, ChartSeries, NumberUnit, PlotAxis};
use ludion_store::{JobOutput, RunId, StudyPlan};
use serde::{Deserialize, Serialize};

use super::{
    JobFailure, Stage, StageRequest, StoredJobOutput, Study, StudyRecords, StudyReport,
    StudySession,
};
use crate::{GameSummary, RunError, RunPicture, plural};

/// How a game ended that was left before its end.
pub const UNFINISHED: &str = "unfinished";

/// A study of one played game, while it runs.
pub struct PlayedGame {
    settings: PlayedGameSettings,
    is_requested: bool,
}

/// Request to keep a played game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedGameRequest {
    /// The spec of the game.
    pub game: String,
    /// The position in which the game began; by default the start position.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves, separated by spaces.
    pub moves: String,
    /// What the players are called, the one that moved first in front.
    pub players: [String; 2],
    /// The value of the position before each move for the side that moved, where one is known.
    #[serde(default)]
    pub values: Vec<Option<f64>>,
}

/// Settings of a played game, stored with the run: the game itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGameSettings {
    /// The canonical spec of the game.
    pub game: String,
    /// The position in which the game began; `None` for the start position.
    pub start: Option<String>,
    /// The moves in the notation of the game.
    pub moves: Vec<String>,
    /// What the players are called, the one that moved first in front.
    pub players: [String; 2],
    /// The value of the position before each move for the side that moved, where one is known.
    pub values: Vec<Option<f64>>,
}

/// How a played game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedGameEnd {
    /// The outcome in words, such as `first wins`; `unfinished` if the game was left.
    pub ended: String,
    /// The side that won; `None` for a draw, a puzzle or an unfinished game.
    pub won: Option<Side>,
    /// The side that made each move.
    pub sides: Vec<Side>,
}

impl PlayedGameSettings {
    /// Plays the game by its rules.
    fn play(&self, registry: &Registry) -> Result<PlayedGameEnd, RunError> {
        let wrong = |error: &dyn std::fmt::Display| RunError::Wrong(error.to_string());
        let game = registry.game(&self.game)?;
        let mut position = match &self.start {
            Some(text) => game.read(text).map_err(|error| wrong(&error))?,
            None => game.start(),
        };
        let mut sides = Vec::with_capacity(self.moves.len());
        for play in &self.moves {
            sides.extend(position.status().turn());
            position.play(play).map_err(|error| wrong(&error))?;
        }
        let (ended, won) = match position.status() {
            Status::Turn(_) => (UNFINISHED.to_owned(), None),
            Status::Over(outcome) => (outcome.to_string(), winner(outcome)),
        };
        Ok(PlayedGameEnd { ended, won, sides })
    }

    /// Returns the game as those of matches are shown.
    #[must_use]
    pub fn summary(&self, end: &PlayedGameEnd) -> GameSummary {
        GameSummary {
            number: 0,
            players: self.players.clone(),
            names: None,
            won: end.won,
            ended: end.ended.clone(),
            plies: self.moves.len() as u32,
        }
    }

    /// Returns the moves as those of matches are stored.
    #[must_use]
    pub fn record(&self, end: &PlayedGameEnd) -> GameRecord {
        let plies = self.moves.iter().zip(&end.sides).enumerate().map(|(i, (play, &side))| {
            let value = self.values.get(i).copied().flatten();
            MoveRecord {
                side,
                play: play.clone(),
                value,
                nodes: 0,
                time: std::time::Duration::ZERO,
            }
        });
        GameRecord { start: self.start.clone(), opening: Vec::new(), plies: plies.collect() }
    }
}

fn winner(outcome: AnyOutcome) -> Option<Side> {
    match outcome {
        AnyOutcome::Duel(Duel::Won(side)) => Some(side),
        _ => None,
    }
}

/// A played game that was played again by its rules.
pub struct CheckedGame(PlayedGameEnd);

impl Stage for CheckedGame {
    type Spec = PlayedGameSettings;
    type Worker = ();
    type Output = PlayedGameEnd;

    fn open(registry: &Registry, _: &Assets, spec: PlayedGameSettings) -> Result<Self, RunError> {
        spec.play(registry).map(CheckedGame)
    }

    fn worker(&self) {}

    fn job(&self, (): &mut (), _: u64, _: &AtomicBool) -> Result<PlayedGameEnd, JobFailure> {
        Ok(self.0.clone())
    }

    fn accepts(&self, _number: u64, output: &PlayedGameEnd) -> bool {
        *output == self.0
    }
}

impl Study for PlayedGame {
    const KIND: &'static str = "game";
    const UNIT: &'static str = "games";

    type Request = PlayedGameRequest;
    type Settings = PlayedGameSettings;
    type Stage = CheckedGame;
    type Record = PlayedGameEnd;
    type Report = PlayedGameReport;

    fn settings(
        registry: &Registry,
        request: PlayedGameRequest,
        _seed: u64,
    ) -> Result<PlayedGameSettings, RunError> {
        let game = registry.game(&request.game)?.spec().to_owned();
        let moves: Vec<String> = request.moves.split_whitespace().map(str::to_owned).collect();
        let mut values = request.values;
        values.resize(moves.len(), None);
        let PlayedGameRequest { start, players, .. } = request;
        Ok(PlayedGameSettings { game, start, moves, players, values })
    }

    fn plan(settings: &PlayedGameSettings) -> Result<StudyPlan, RunError> {
        let [first, second] = &settings.players;
        let who = if second.is_empty() { first.clone() } else { format!("{first} and {second}") };
        let moves = plural(settings.moves.len() as u64, "move");
        let about = format!("{}: {who}, {moves}", settings.game);
        Ok(StudyPlan::new(Self::KIND, about, 1, 0, settings)?)
    }

    fn total_jobs(_settings: &PlayedGameSettings) -> u64 {
        1
    }

    fn new(registry: &Registry, settings: PlayedGameSettings) -> Result<Self, RunError> {
        settings.play(registry)?;
        Ok(PlayedGame { settings, is_requested: false })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _session: &mut StudySession<PlayedGameEnd>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<PlayedGameSettings>>, RunError> {
        if std::mem::replace(&mut self.is_requested, true) {
            return Ok(None);
        }
        let spec = self.settings.clone();
        Ok(Some(StageRequest { spec, jobs: 1, attachments: Vec::new() }))
    }

    fn store_output(end: &PlayedGameEnd) -> StoredJobOutput<PlayedGameEnd> {
        StoredJobOutput::Record(end.clone())
    }

    fn load_output(stored: StoredJobOutput<PlayedGameEnd>) -> Option<PlayedGameEnd> {
        match stored {
            StoredJobOutput::Record(end) => Some(end),
            StoredJobOutput::Cached(_) => None,
        }
    }

    fn status(&self, _outputs: &[JobOutput<PlayedGameEnd>]) -> String {
        self.settings.game.clone()
    }

    fn report(
        settings: &PlayedGameSettings,
        run: &StudyRecords<PlayedGameEnd>,
    ) -> Result<PlayedGameReport, RunError> {
        let Some(record) = run.records.first() else {
            return Err(RunError::Failed("the game has not been checked yet".to_owned()));
        };
        let (settings, end) = (settings.clone(), record.value.clone());
        Ok(PlayedGameReport { run: run.run, settings, end })
    }
}

/// Report of a played game.
#[derive(Serialize)]
pub struct PlayedGameReport {
    /// Number of the run in the store; `None` if the run is not stored.
    pub run: Option<RunId>,
    /// The game.
    #[serde(flatten)]
    pub settings: PlayedGameSettings,
    /// How it ended.
    #[serde(flatten)]
    pub end: PlayedGameEnd,
}

impl StudyReport for PlayedGameReport {
    fn picture(&self) -> RunPicture {
        let plies = self.settings.values.iter().zip(&self.end.sides).enumerate();
        let line = plies.filter_map(|(ply, (value, side))| {
            let value = if *side == Side::First { *value } else { value.map(|value| -value) };
            Some(ChartPoint::bare(ply as f64, value?))
        });
        let [first, second] = &self.settings.players;
        RunPicture::Chart(Chart {
            title: format!("{}: {first} and {second}", self.settings.game),
            note: self.end.ended.clone(),
            x: PlotAxis::linear("moves").unit(NumberUnit::Count),
            y: PlotAxis::linear("value for the first side"),
            series: vec![ChartSeries {
                name: "value".to_owned(),
                points: Vec::new(),
                line: line.collect(),
            }],
            ..Chart::default()
        })
    }
}
