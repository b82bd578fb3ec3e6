//! The rating list of everything that plays a game. Round after round, the study plays the pairs of
//! games that tell most about the ratings, and fits ratings to all of them. It goes on until it is
//! stopped, and is resumed where it was.

mod pairing;
mod report;
mod request;
mod stage;

use std::sync::atomic::AtomicBool;

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::plan::PlayerFile;
use ludion_players::registry::Registry;
use ludion_store::{JobOutput, StudyPlan};
use serde::{Deserialize, Serialize};

use super::{OutputKey, StageRequest, StoredJobOutput, Study, StudyRecords, StudySession};
use crate::cluster::Attachment;
use crate::plan_jobs::find_attachments;
use crate::{RunError, player_files};
pub use report::{LadderReport, LadderRow};
pub use request::LadderRequest;
pub use stage::{LadderStage, LadderStageSpec};

/// Settings of a rating list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderSettings {
    /// The spec of the game with all parameters.
    pub game: String,
    /// The specs of the players under the budget with all parameters; results are kept under them.
    pub players: Vec<String>,
    /// The names under which the players are shown, in the same order.
    pub names: Vec<String>,
    /// Budget, opening, ply limit and seed of every game.
    pub terms: GameSettings,
    /// Largest number of rounds.
    pub rounds: u64,
    /// Number of pairs of games in a round.
    pub pairs: u32,
    /// The files that players read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<PlayerFile>,
    /// Sentences that say what keeps the games from being the same when they are played again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hindrances: Vec<String>,
}

/// A pair of games of the list: two players, and the index of the pair between them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct LadderPair {
    /// The two players, as indices into the list; the first is the smaller one.
    pub players: [u32; 2],
    /// The index of the pair among those of the same players, from 0.
    pub number: u64,
}

/// The results of a pair of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LadderPairResult {
    /// The games of the first player: two in all.
    pub games: GameCounts,
    /// Number of games that each player forfeited.
    pub forfeits: [u32; 2],
}

/// The pairs of one round with their results, stored as a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LadderRound {
    /// The pairs in the order in which they were chosen.
    pub pairs: Vec<(LadderPair, LadderPairResult)>,
}

/// A rating list while it is played.
pub struct Ladder {
    settings: LadderSettings,
    /// Models that players read.
    assets: Vec<Attachment>,
    /// All results so far.
    results: Vec<(LadderPair, LadderPairResult)>,
    /// The pairs of the current round.
    chosen: Vec<LadderPair>,
    /// Number of finished rounds.
    finished: u64,
}

impl Ladder {
    /// Returns the name under which the result of a pair is cached: everything that it depends on.
    fn pair_name(&self, pair: &LadderPair, version: &str) -> String {
        let LadderSettings { game, players, terms, files, .. } = &self.settings;
        let [a, b] = pair.players.map(|player| &players[player as usize]);
        let files: String = files.iter().map(|file| format!(" {}", file.checksum)).collect();
        let GameSettings { budget, opening, longest, seed } = terms;
        format!(
            "{game}; {a}; {b}; pair {}; {budget}; opening {opening}; longest {longest}; seed {seed};{files} {version}",
            pair.number
        )
    }
}

impl LadderSettings {
    /// Returns the files that players read.
    fn given_files(&self, registry: &Registry) -> Result<Vec<Attachment>, RunError> {
        find_attachments(registry, &self.game, |game| {
            self.players.iter().try_for_each(|player| game.player(player).map(drop))
        })
    }
}

impl Study for Ladder {
    const KIND: &'static str = "ladder";
    const UNIT: &'static str = "rounds";
    const HAS_TABLE: bool = true;
    const CACHE: &'static str = "ladder pairs";

    type Request = LadderRequest;
    type Settings = LadderSettings;
    type Stage = LadderStage;
    type Record = LadderRound;
    type Report = LadderReport;

    fn settings(
        registry: &Registry,
        request: LadderRequest,
        seed: u64,
    ) -> Result<LadderSettings, RunError> {
        let mut settings = request.settings(registry, seed)?;
        let file = |Attachment { name, bytes }: Attachment| PlayerFile {
            checksum: player_files::checksum(&bytes),
            name,
        };
        settings.files = settings.given_files(registry)?.into_iter().map(file).collect();
        Ok(settings)
    }

    fn plan(settings: &LadderSettings) -> Result<StudyPlan, RunError> {
        let about = format!("{}, {} players", settings.game, settings.players.len());
        Ok(StudyPlan::new(Self::KIND, about, settings.rounds, settings.terms.seed, settings)?)
    }

    fn total_jobs(settings: &LadderSettings) -> u64 {
        settings.rounds.saturating_mul(settings.pairs.into())
    }

    fn new(registry: &Registry, settings: LadderSettings) -> Result<Self, RunError> {
        player_files::check_files(registry, &settings.files)?;
        let assets = settings.given_files(registry)?;
        let (results, chosen) = (Vec::new(), Vec::new());
        Ok(Ladder { settings, assets, results, chosen, finished: 0 })
    }

    fn next_stage(
        &mut self,
        _registry: &Registry,
        _memory: &mut StudySession<LadderRound>,
        _stop: &AtomicBool,
    ) -> Result<Option<StageRequest<LadderStageSpec>>, RunError> {
        if self.finished == self.settings.rounds {
            return Ok(None);
        }
        let count = self.settings.pairs as usize;
        self.chosen = pairing::most_informative(self.settings.players.len(), &self.results, count);
        let spec = LadderStageSpec { settings: self.settings.clone(), pairs: self.chosen.clone() };
        let jobs = self.chosen.len() as u64;
        Ok(Some(StageRequest { spec, jobs, attachments: self.assets.clone() }))
    }

    fn output_key(&self, job: u64, version: &str) -> OutputKey {
        OutputKey::Cached(self.pair_name(&self.chosen[job as usize], version))
    }

    fn store_output(result: &LadderPairResult) -> StoredJobOutput<LadderRound> {
        StoredJobOutput::Cached(serde_json::to_vec(result).expect("plain data is JSON"))
    }

    fn load_output(stored: StoredJobOutput<LadderRound>) -> Option<LadderPairResult> {
        match stored {
            StoredJobOutput::Cached(bytes) => serde_json::from_slice(&bytes).ok(),
            StoredJobOutput::Record(_) => None,
        }
    }

    fn finish_stage(
        &mut self,
        outputs: Vec<LadderPairResult>,
        _memory: &mut StudySession<LadderRound>,
    ) -> Result<Option<(u64, LadderRound)>, RunError> {
        let pairs: Vec<_> = std::mem::take(&mut self.chosen).into_iter().zip(outputs).collect();
        self.results.extend(&pairs);
        self.finished += 1;
        Ok(Some((self.finished - 1, LadderRound { pairs })))
    }

    fn rounds(&self) -> Option<(u64, u64)> {
        Some((self.finished, self.settings.rounds))
    }

    fn status(&self, _outputs: &[JobOutput<LadderPairResult>]) -> String {
        let ratings = pairing::ratings(self.settings.players.len(), &self.results);
        let best = ratings.iter().enumerate().max_by(|a, b| a.1.elo.total_cmp(&b.1.elo));
        let widest = ratings.iter().map(|rating| rating.error).fold(0.0, f64::max);
        match best {
            Some((best, rating)) if !self.results.is_empty() => {
                let name = &self.settings.names[best];
                format!("{name} leads with {:+.0}, ratings within ± {widest:.0}", rating.elo)
            }
            _ => "first pairs".to_owned(),
        }
    }

    fn hindrances(settings: &LadderSettings) -> Vec<String> {
        settings.hindrances.clone()
    }

    fn report(
        settings: &LadderSettings,
        run: &StudyRecords<LadderRound>,
    ) -> Result<LadderReport, RunError> {
        Ok(LadderReport::new(settings, run))
    }
}
