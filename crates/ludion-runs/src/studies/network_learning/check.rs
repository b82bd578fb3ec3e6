//! The check of a network: a sequential test against the last network that was kept, matches against
//! the players of a ladder, and the judgement of the exact solver.

use ludion_players::arena::elo::{EloReport, PairCounts};
use ludion_players::arena::pair::GameSettings;
use ludion_players::arena::sprt::{EloScale, Sprt, SprtDecision};
use ludion_players::learn::policy_value::PolicyValueNetwork;
use ludion_players::player::Budget;
use ludion_players::random::derive_seed;
use ludion_players::registry::Registry;
use ludion_train::policy_value::LossReport;
use serde::{Deserialize, Serialize};

use super::stages::{
    JUDGE_JOB_POSITIONS, JudgedChoices, LAST, MATCH_JOB_PAIRS, NEW, NetworkStageSpec,
};
use super::{
    JUDGE_SEED, LearningStage, MATCH_SEED, NetworkLearning, NetworkLearningSettings,
    ResignationCheck,
};
use crate::RunError;
use crate::studies::{StageRequest, StudySession};

/// Result of the match against a player of the ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderMatch {
    /// Spec of the opponent.
    pub opponent: String,
    /// Results of the pairs.
    pub pairs: PairCounts,
}

/// What the exact solver found out about the choices in random positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct JudgedPositions {
    /// Number of positions that the solver solved.
    pub solved: u64,
    /// Number of them in which the choice of the search keeps the value of the position.
    pub search_keeps: u64,
    /// Number of them in which the first choice of the network keeps it.
    pub policy_keeps: u64,
}

impl JudgedPositions {
    /// Counts the outputs of a stage of judgement.
    pub(super) fn count(outputs: &[Vec<u8>]) -> Self {
        let mut judged = JudgedPositions::default();
        for &byte in outputs.iter().flatten() {
            let is = |judgement: JudgedChoices| byte == judgement as u8;
            let both = is(JudgedChoices::BothKeep);
            judged.solved += u64::from(!is(JudgedChoices::Unsolved));
            judged.search_keeps += u64::from(both || is(JudgedChoices::SearchKeeps));
            judged.policy_keeps += u64::from(both || is(JudgedChoices::PolicyKeeps));
        }
        judged
    }

    /// Returns whether the solver solved all of `positions` random positions, and the search and the
    /// network alone keep the value of every one.
    #[must_use]
    pub fn all_kept(&self, positions: u64) -> bool {
        positions > 0 && [self.solved, self.search_keeps, self.policy_keeps] == [positions; 3]
    }
}

/// Result of a check: the training of a generation, its matches and the solver's judgement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NetworkGeneration {
    /// Number of the generation, from 1.
    pub generation: u32,
    /// Number of rounds so far.
    pub rounds: u32,
    /// Number of self-play games so far.
    pub games: u64,
    /// Number of samples of the last training.
    pub samples: u64,
    /// Losses of the last training.
    pub loss: LossReport,
    /// CRC-32 of the file of the network, in hexadecimal.
    pub checksum: String,
    /// Results of the pairs against the last kept generation; for the first one, against the
    /// untrained network.
    pub against_last: PairCounts,
    /// Results of the matches against other players.
    pub ladder: Vec<LadderMatch>,
    /// The judgement of the exact solver.
    pub judged: JudgedPositions,
    /// How often resignations in the games of the window were checked, and how often they were wrong.
    #[serde(default)]
    pub resignations: ResignationCheck,
    /// Whether this generation passed the test against the last kept one and was kept.
    pub kept: bool,
}

/// Number of random plies at the beginning of each game of a match.
const MATCH_OPENING: u32 = 4;
/// Number of checks in a row in which all values are kept, after which a game is learned.
pub(super) const LEARNED_AFTER: u32 = 2;
/// Number of pairs of a match between two decisions of the sequential test.
pub(super) const TEST_PAIRS: u64 = 20;
/// The test that a generation must pass to be kept: that it is not worse than the last. Networks of a
/// game that both play perfectly are equal, so the test does not ask for more.
const GATE: Sprt =
    Sprt { elo0: -40.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloScale::Logistic };

/// A check in progress.
pub(super) struct NetworkCheck {
    pub(super) network: PolicyValueNetwork,
    pub(super) loss: LossReport,
    pub(super) samples: u64,
    pub(super) against_last: PairCounts,
    pub(super) ladder: Vec<LadderMatch>,
}

/// Returns the specs of the players that a network is compared with: the searches that the game has
/// without learning.
pub(super) fn ladder_of(
    registry: &Registry,
    game: &str,
    sims: u32,
) -> Result<Vec<String>, RunError> {
    let game = registry.game(game)?;
    let specs = [
        "random".to_owned(),
        format!("mcts(sims={})", 10 * sims),
        "deepening(depth=4, secs=0)".to_owned(),
    ];
    let known = specs.into_iter().filter(|spec| game.player(spec).is_ok());
    Ok(known.collect())
}

/// Returns the number of pairs that are counted.
pub(super) fn pairs_of(counts: &PairCounts) -> u64 {
    counts.score_counts().total() as u64
}

impl NetworkLearning {
    pub(super) fn begin_check(&mut self) {
        let training = &self.trainings[&self.trained];
        let (loss, samples) = (training.loss, training.samples);
        self.check = Some(NetworkCheck {
            network: self.trainer.network(),
            loss,
            samples,
            against_last: PairCounts::default(),
            ladder: Vec::new(),
        });
    }

    fn match_request(
        &self,
        check: &NetworkCheck,
        opponent: String,
    ) -> StageRequest<NetworkStageSpec> {
        let is_gate = self.stage == LearningStage::AgainstLast;
        let played = if is_gate { pairs_of(&check.against_last) } else { 0 };
        let most = self.settings.pairs;
        let pairs = if is_gate { TEST_PAIRS.min(most - played) } else { most.min(TEST_PAIRS) };
        let terms = GameSettings {
            budget: Budget::UNLIMITED,
            opening: MATCH_OPENING,
            longest: self.settings.self_play.longest as u32,
            seed: self.seed(self.trained, MATCH_SEED),
        };
        let mut attachments = vec![self.attachment(NEW, &check.network)];
        if is_gate {
            attachments.push(self.attachment(LAST, &self.kept));
        }
        let players = [self.search_player(NEW), opponent];
        let game = self.settings.game.clone();
        let spec = NetworkStageSpec::Match { game, players, terms, first: played, pairs };
        StageRequest { spec, jobs: pairs.div_ceil(MATCH_JOB_PAIRS), attachments }
    }

    fn search_player(&self, network: &str) -> String {
        format!("mcts(sims={}, eval=net({network}))", self.settings.match_sims)
    }

    fn judge_request(&self, check: &NetworkCheck) -> StageRequest<NetworkStageSpec> {
        let NetworkLearningSettings { game, positions, self_play, seed, .. } = &self.settings;
        let spec = NetworkStageSpec::Judge {
            game: game.clone(),
            players: [self.search_player(NEW), format!("policy({NEW})")],
            positions: *positions,
            plies: self_play.long_opening + self_play.short_opening,
            // The same positions in every check.
            seed: derive_seed(*seed, &[JUDGE_SEED]),
        };
        let attachments = vec![self.attachment(NEW, &check.network)];
        StageRequest { spec, jobs: positions.div_ceil(JUDGE_JOB_POSITIONS), attachments }
    }

    /// Returns the next stage of the check: the match against the last generation until it is
    /// decided, then the ladder, then the judgement.
    pub(super) fn next_check_stage(&mut self) -> Option<StageRequest<NetworkStageSpec>> {
        let check = self.check.as_ref()?;
        let undecided = GATE.decide(&check.against_last.score_counts()) == SprtDecision::Open;
        if undecided && pairs_of(&check.against_last) < self.settings.pairs {
            self.stage = LearningStage::AgainstLast;
            return Some(self.match_request(check, self.search_player(LAST)));
        }
        if let Some(opponent) = self.ladder.get(check.ladder.len()) {
            self.stage = LearningStage::Ladder(check.ladder.len());
            return Some(self.match_request(check, opponent.clone()));
        }
        self.stage = LearningStage::Judge;
        Some(self.judge_request(check))
    }

    /// Counts the outputs of a stage of a match.
    pub(super) fn finish_match(&mut self, outputs: &[Vec<u8>]) {
        let check = self.check.as_mut().expect("a match is part of a check");
        let mut pairs = match self.stage {
            LearningStage::AgainstLast => std::mem::take(&mut check.against_last),
            _ => PairCounts::default(),
        };
        for halves in outputs.iter().flat_map(|bytes| bytes.chunks_exact(2)) {
            pairs.add([f64::from(halves[0]) / 2.0, f64::from(halves[1]) / 2.0]);
        }
        match self.stage {
            LearningStage::Ladder(i) => {
                check.ladder.push(LadderMatch { opponent: self.ladder[i].clone(), pairs });
            }
            _ => check.against_last = pairs,
        }
    }

    /// Counts the checks in a row up to this one in which all values are kept.
    fn count_perfect(
        &mut self,
        judged: &JudgedPositions,
        session: &mut StudySession<NetworkGeneration>,
    ) -> Result<(), RunError> {
        let previous = self.settings.previous_check(self.trained);
        let count = match judged.all_kept(self.settings.positions) {
            true => self.perfect_checks(previous, session)? + 1,
            false => 0,
        };
        self.perfect.insert(self.trained, count);
        let bytes = count.to_le_bytes();
        session.cache(|version| self.perfect_name(self.trained, version), &bytes)
    }

    /// Returns the number of checks in a row in which all values were kept, up to the check after
    /// `rounds` rounds.
    fn perfect_checks(
        &self,
        rounds: u64,
        session: &StudySession<NetworkGeneration>,
    ) -> Result<u32, RunError> {
        if let Some(&count) = self.perfect.get(&rounds) {
            return Ok(count);
        }
        let bytes = session.cached(|version| self.perfect_name(rounds, version))?;
        let bytes: Option<[u8; 4]> = bytes.and_then(|bytes| bytes.try_into().ok());
        Ok(bytes.map_or(0, u32::from_le_bytes))
    }

    /// Returns whether the study ends because the game is learned.
    pub(super) fn is_learned(
        &self,
        session: &StudySession<NetworkGeneration>,
    ) -> Result<bool, RunError> {
        Ok(self.settings.ends_early && self.perfect_checks(self.trained, session)? >= LEARNED_AFTER)
    }

    /// Ends a check; the network is kept if the test accepts it, or if the test is undecided and it
    /// scored at least half.
    pub(super) fn finish_check(
        &mut self,
        judged: JudgedPositions,
        session: &mut StudySession<NetworkGeneration>,
    ) -> Result<(u64, NetworkGeneration), RunError> {
        let NetworkCheck { network, loss, samples, against_last, ladder } =
            self.check.take().expect("a judgement ends a check");
        let counts = against_last.score_counts();
        let score = EloReport::from_counts(&counts).map_or(0.0, |report| report.score);
        let kept = match GATE.decide(&counts) {
            SprtDecision::Upper => true,
            SprtDecision::Lower => false,
            SprtDecision::Open => score >= 0.5,
        };
        let model = self.model(&network, self.trained);
        let bytes = model.to_bytes();
        let generation = self.trained.div_ceil(self.settings.check.into());
        self.count_perfect(&judged, session)?;
        let record = NetworkGeneration {
            generation: generation as u32,
            rounds: self.trained as u32,
            games: self.trained * self.settings.games,
            samples,
            loss,
            checksum: format!("{:08x}", crc32fast::hash(&bytes)),
            against_last,
            ladder,
            judged,
            resignations: self.trainings[&self.trained].resignations,
            kept,
        };
        if kept {
            session.cache(|version| self.kept_name(self.trained, version), &bytes)?;
            self.kept = network;
            if let Some(path) = &self.settings.out {
                let rounded = model.with_format(self.settings.weights);
                session.write_file(path, &rounded.to_bytes())?;
            }
        }
        Ok((generation - 1, record))
    }
}
