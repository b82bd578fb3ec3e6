//! Tournament files: TOML with the game, the players and the terms of a tournament.

use ludion_players::arena::pair::GameSettings;
use ludion_players::plain_words::plain_message;
use ludion_players::player::Budget;
use serde::Deserialize;

use crate::RunError;
use crate::setup::TournamentForm;

/// Content of a tournament file; missing values come from the command line or from defaults.
#[derive(Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "game, players and other settings"
)]
pub struct TournamentFile {
    /// The spec of the game.
    pub game: Option<String>,
    /// The specs of the players.
    #[serde(default)]
    pub players: Vec<String>,
    /// Names under which the players are shown, in the order of `players`.
    #[serde(default)]
    pub names: Vec<String>,
    /// Number of pairs of games in every meeting.
    pub pairs: Option<u64>,
    /// The budget of each player for a move.
    pub budget: Option<String>,
    /// Number of random plies at the beginning of every pair.
    pub opening: Option<u32>,
    /// Number of plies after which an unfinished game is drawn.
    pub longest: Option<u32>,
    /// Which players meet.
    pub form: Option<TournamentForm>,
    /// The file of openings.
    pub openings: Option<String>,
    /// The order in which the openings are used.
    pub openings_order: Option<String>,
    /// The position in which all games begin.
    pub from: Option<String>,
    /// The clocks.
    pub tc: Option<String>,
    /// Milliseconds by which a player may overstep its clock.
    pub time_margin: Option<u64>,
    /// The rule by which games are lost early.
    pub resign: Option<String>,
    /// The rule by which games are drawn early.
    pub draw: Option<String>,
    /// The number of states within which the solver may end a game.
    pub adjudicate: Option<u64>,
}

/// Largest number of pairs in a meeting.
pub const MAX_PAIRS: u64 = 1_000_000_000;

impl TournamentFile {
    /// Parses a tournament file.
    ///
    /// # Errors
    /// When the text is not TOML, or a value is not allowed; the message has its line.
    pub fn parse(text: &str) -> Result<Self, RunError> {
        let file: TournamentFile = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            let problem = plain_message(&error.message().replace('\n', ", "));
            RunError::Wrong(format!("line {line}: {problem}"))
        })?;
        match file.pairs {
            Some(pairs) if !(1..=MAX_PAIRS).contains(&pairs) => Err(RunError::Wrong(format!(
                "pairs = {pairs} is not allowed; pairs is 1 to {MAX_PAIRS}"
            ))),
            _ => Ok(file),
        }
    }

    /// Returns `terms` with the values of the file in place of theirs.
    ///
    /// # Errors
    /// When the budget of the file is not one.
    pub fn terms(&self, mut terms: GameSettings) -> Result<GameSettings, RunError> {
        if let Some(text) = &self.budget {
            terms.budget = text
                .parse::<Budget>()
                .map_err(|error| RunError::Wrong(format!("in the file, budget: {error}")))?;
        }
        terms.opening = self.opening.unwrap_or(terms.opening);
        terms.longest = self.longest.unwrap_or(terms.longest);
        Ok(terms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_all_of_a_tournament() {
        let text = "game = \"connect4\"\nplayers = [\"mcts\", \"uct\"]\nnames = [\"A\", \"B\"]\n\
                    pairs = 3\nbudget = \"10sims\"\nform = \"gauntlet\"\n";
        let file = TournamentFile::parse(text).unwrap();
        assert_eq!((file.players.len(), &file.names[1][..]), (2, "B"));
        assert_eq!(file.form, Some(TournamentForm::Gauntlet));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_what_is_allowed() {
        let refused = |text: &str| TournamentFile::parse(text).unwrap_err().to_string();
        assert_eq!(
            refused("game = \"a\"\npears = 1"),
            "line 2: unknown field `pears`, expected one of `game`, `players`, `names`, `pairs`, \
             `budget`, `opening`, `longest`, `form`, `openings`, `openings-order`, `from`, `tc`, \
             `time-margin`, `resign`, `draw`, `adjudicate`"
        );
        assert_eq!(
            refused("opening = \"x\""),
            "line 1: invalid type: string \"x\", expected a whole number from 0 to 4294967295"
        );
        assert!(refused("pairs = 0").contains("pairs is 1 to 1000000000"));
        assert!(refused("form = \"swiss\"").contains("expected `round-robin` or `gauntlet`"));
    }
}
