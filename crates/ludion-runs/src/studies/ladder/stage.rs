//! The jobs of a rating list: pairs of games between two of its players.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ludion_players::arena::elo::GameCounts;
use ludion_players::arena::game::GameEnd;
use ludion_players::arena::pair::{AnyReferee, GameResult, GameSettings, PairId};
use ludion_players::assets::Assets;
use ludion_players::game::Side;
use ludion_players::outcome::Wdl;
use ludion_players::random::derive_seed;
use ludion_players::registry::{AnyGame, Registry};
use serde::{Deserialize, Serialize};

use super::{LadderPair, LadderPairResult, LadderSettings};
use crate::RunError;
use crate::remote::encode_spec;
use crate::residuals::ResultClass;
use crate::studies::{JobFailure, Stage};

/// Spec of a round, as sent to workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LadderStageSpec {
    /// Settings of the list.
    pub settings: LadderSettings,
    /// The pairs of the round, indexed by job number.
    pub pairs: Vec<LadderPair>,
}

/// An opened round of a rating list.
pub struct LadderStage {
    spec: LadderStageSpec,
    game: Arc<dyn AnyGame>,
}

impl LadderStage {
    /// Returns the settings of the games between two players. Their seed depends on the players
    /// themselves and not on their places in the list, so that another list can use the results.
    fn terms(&self, players: &[String; 2]) -> GameSettings {
        let number = |player: &String| u64::from(crc32fast::hash(player.as_bytes()));
        let terms = self.spec.settings.terms;
        GameSettings { seed: derive_seed(terms.seed, &players.each_ref().map(number)), ..terms }
    }
}

/// Counts the two games of a pair for its first player.
fn count(pair: &[GameResult; 2]) -> LadderPairResult {
    let mut result = LadderPairResult { games: GameCounts::default(), forfeits: [0; 2] };
    for game in pair {
        let side = Side::BOTH[usize::from(game.seats[0] != 0)];
        match game.end.duel().seen_by(side) {
            Wdl::Win => result.games.wins += 1,
            Wdl::Draw => result.games.draws += 1,
            Wdl::Loss => result.games.losses += 1,
        }
        if let GameEnd::Forfeit { by, .. } = &game.end {
            result.forfeits[game.seats[by.index()] as usize] += 1;
        }
    }
    result
}

impl Stage for LadderStage {
    type Spec = LadderStageSpec;
    /// The two players of the last job, and the referee that plays with them.
    type Worker = Option<([u32; 2], Box<dyn AnyReferee>)>;
    type Output = LadderPairResult;

    fn open(registry: &Registry, assets: &Assets, spec: LadderStageSpec) -> Result<Self, RunError> {
        let game = registry.game_with(&spec.settings.game, assets)?;
        for player in &spec.settings.players {
            game.player(player)?;
        }
        let count = spec.settings.players.len() as u32;
        match spec.pairs.iter().flat_map(|pair| pair.players).all(|player| player < count) {
            true => Ok(LadderStage { spec, game }),
            false => Err(RunError::Failed("a pair names a player that is not there".to_owned())),
        }
    }

    fn worker(&self) -> Self::Worker {
        None
    }

    fn job(
        &self,
        worker: &mut Self::Worker,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<LadderPairResult, JobFailure> {
        let LadderPair { players, number } = self.spec.pairs[number as usize];
        let specs = players.map(|player| self.spec.settings.players[player as usize].clone());
        if worker.as_ref().is_none_or(|(last, _)| *last != players) {
            let referee = self.game.referee(&specs).expect("these players were made before");
            *worker = Some((players, referee));
        }
        let (_, referee) = worker.as_mut().expect("it was made above");
        let pair = PairId { players: [0, 1], number };
        let played = referee.play_pair_or_stop(&self.terms(&specs), pair, false, stop);
        Ok(count(&played.ok_or(JobFailure::Stopped)?))
    }

    fn accepts(&self, _number: u64, output: &LadderPairResult) -> bool {
        output.games.total() == 2 && output.forfeits.iter().sum::<u32>() <= 2
    }

    /// The group of a pair is the meeting of its players.
    fn classify(&self, number: u64, output: &LadderPairResult) -> Option<ResultClass> {
        let [a, b] = self.spec.pairs.get(number as usize)?.players;
        let class = 2 * output.games.wins + output.games.draws;
        let group = a * self.spec.settings.players.len() as u32 + b;
        Some(ResultClass { group, class: u8::try_from(class).ok()? })
    }

    /// A round has few pairs, so all rounds are compared together.
    fn series(&self) -> Option<String> {
        let settings = encode_spec(&self.spec.settings).ok()?;
        Some(format!("ladder {:08x}", crc32fast::hash(&settings)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::Study;
    use crate::studies::ladder::{Ladder, LadderRequest};

    #[test]
    fn the_rounds_of_a_list_are_one_series_with_a_group_for_each_meeting() {
        let registry = ludion::registry::standard();
        let stage = |seed, pairs: &[([u32; 2], u64)]| {
            let players = ["random", "montecarlo", "mcts"].map(str::to_owned);
            let game = "tictactoe".to_owned();
            let budget = Some("9sims".to_owned());
            let request =
                LadderRequest { game, players: players.to_vec(), budget, ..Default::default() };
            let settings = Ladder::settings(&registry, request, seed).expect("settings");
            let pairs =
                pairs.iter().map(|&(players, number)| LadderPair { players, number }).collect();
            let spec = LadderStageSpec { settings, pairs };
            LadderStage::open(&registry, registry.assets(), spec).expect("a stage")
        };
        let rounds = [stage(1, &[([0, 1], 0), ([1, 2], 0)]), stage(1, &[([0, 2], 0), ([1, 2], 1)])];
        assert_eq!(rounds[0].series(), rounds[1].series());
        assert_ne!(rounds[0].series(), stage(2, &[]).series());
        let games = GameCounts { wins: 1, losses: 0, draws: 1 };
        let classes = rounds.each_ref().map(|round| {
            let output = LadderPairResult { games, forfeits: [0; 2] };
            [0, 1, 2]
                .map(|job| round.classify(job, &output).map(|class| (class.group, class.class)))
        });
        assert_eq!(
            classes,
            [[Some((1, 3)), Some((5, 3)), None], [Some((2, 3)), Some((5, 3)), None]]
        );
    }
}
