//! Games, positions, lines of Hub and endgame tables of checkers.

use std::sync::{Arc, OnceLock};

use ludion::game::Game;
use ludion::games::checkers::Checkers;
use ludion::games::checkers::endgame::EndgameTable;
use ludion::games::checkers::king_endgame::KingTable;
use ludion::games::checkers::pdn::{self, RulesTagPolicy};
use ludion::named::NamedGame;
use ludion::param::{Args, Spec};

use super::{error, first_line};
use crate::FuzzTarget;

/// Returns checkers by every rule set, in its usual size.
fn rule_sets() -> &'static [Checkers] {
    static RULES: OnceLock<Vec<Checkers>> = OnceLock::new();
    RULES.get_or_init(|| {
        let game = |spec: &&str| {
            let spec = Spec::parse(spec).expect("an example is a spec");
            let args = Args::new(Checkers::NAME, Checkers::PARAMS, &spec).expect("allowed values");
            Checkers::build(&args).expect("an allowed combination")
        };
        Checkers::EXAMPLES.iter().map(game).collect()
    })
}

/// Returns the rules that the first line of an input names.
fn rules(line: &str) -> Result<&'static Checkers, String> {
    let found = rule_sets().iter().find(|game| game.spec() == line.trim());
    found.ok_or_else(|| format!("no rules are called {line:?}; there are those of the corpus"))
}

const PDN_TOKENS: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "\"",
    "\\",
    "%",
    "$1",
    "*",
    "1-0",
    "0-1",
    "1/2-1/2",
    "2-0",
    "1.",
    "1...",
    "11-15",
    "22x15",
    "12x19x26",
    "[GameType \"21\"]",
    "[GameType \"20,W,10,10,N2,0\"]",
    "[Rules \"checkers(simple)\"]",
    "[FEN \"W:W31,K32:B1,K2\"]",
    "[SetUp \"1\"]",
    "[Result \"*\"]",
    "[Event \"",
    "W:W",
    ":B",
    "K",
    "\n",
    "\r",
];

/// PDN files: the first line is a rule set, the rest the file.
pub(super) const PDN: FuzzTarget = FuzzTarget {
    name: "pdn",
    about: "games of checkers in PDN",
    tokens: PDN_TOKENS,
    run: |input| {
        let (line, text) = first_line(input);
        let game = rules(&line)?;
        let _ = pdn::game_from_tags(&text);
        for policy in [RulesTagPolicy::Reject, RulesTagPolicy::Ignore] {
            let file = game.read_pdn(&text, policy);
            for record in &file.games {
                let shown = game.show_pdn(record).map_err(error).expect("moves that were read");
                let again = game.read_pdn(&shown, RulesTagPolicy::Reject);
                assert_eq!(again.games.len(), 1, "{shown:?}: {:?}", again.errors);
                let mut record = record.clone();
                // The writer adds the tag of the rules if their type has no number.
                record.tags.retain(|(name, _)| name != "Rules");
                let mut read = again.games[0].clone();
                read.tags.retain(|(name, _)| name != "Rules");
                assert_eq!(read, record, "{shown:?}");
            }
            if let (RulesTagPolicy::Ignore, Some(first)) = (policy, file.errors.first()) {
                return Err(first.to_string());
            }
        }
        Ok(())
    },
};

/// FEN: the first line is a rule set, the rest a position.
pub(super) const FEN: FuzzTarget = FuzzTarget {
    name: "fen",
    about: "position of checkers in FEN",
    tokens: &["W", "B", ":", "K", ",", "-", ".", "W:W1", ":B32", "H0", ":F0", "1-12", "50"],
    run: |input| {
        let (line, text) = first_line(input);
        let game = rules(&line)?;
        let state = game.read_state(&text).map_err(error)?;
        let shown = game.show_state(&state);
        assert_eq!(game.read_state(&shown), Ok(state), "{shown:?}");
        Ok(())
    },
};

/// Endgame tables. The checksum of the input is made right, because the interesting bytes are
/// behind it.
pub(super) const ENDGAME_TABLE: FuzzTarget = FuzzTarget {
    name: "endgame_table",
    about: "endgame table of checkers, with a right checksum",
    tokens: &["Ludion endgames, form 1\n", "\u{2}\0\0\0", "\u{3}\0\0\0"],
    run: |input| {
        const HEADER: usize = 32;
        let mut bytes = input.to_vec();
        if bytes.len() >= HEADER {
            let sum = crc32fast::hash(&bytes[HEADER..]).to_le_bytes();
            bytes[HEADER - 4..HEADER].copy_from_slice(&sum);
        }
        let table = EndgameTable::read(Arc::new(bytes)).map_err(error)?;
        let game = &rule_sets()[0];
        for text in ["W:W31:B1", "B:W5:B32", "W:W18:B15", "W:W21,22:B11,12"] {
            let state = game.read_state(text).expect("a position");
            let _ = table.wins(&state);
        }
        Ok(())
    },
};

/// Positions and moves of Hub: the first line is a rule set, the second a position, the others are
/// moves from there.
pub(super) const HUB: FuzzTarget = FuzzTarget {
    name: "hub",
    about: "position and moves of draughts in the Hub protocol",
    tokens: &["W", "B", "w", "b", "e", "eeeee", "bbbbb", "-", "x", "32-28", "28x19x23", "\n"],
    run: |input| {
        let (line, rest) = first_line(input);
        let (position, moves) = first_line(rest.as_bytes());
        let game = rules(&line)?;
        let mut state = game.read_hub_position(&position).map_err(error)?;
        let shown = game.show_hub_position(&state);
        assert_eq!(game.read_hub_position(&shown), Ok(state), "{shown:?}");
        for text in moves.lines().take(MAX_HUB_MOVES) {
            let m = game.read_hub_move(&state, text).map_err(error)?;
            game.play(&mut state, m);
        }
        Ok(())
    },
};

/// Maximum number of moves of an input that are played.
const MAX_HUB_MOVES: usize = 100;

/// Endgame tables with kings, of the smallest board. The checksum of the input is made right.
pub(super) const KING_TABLE: FuzzTarget = FuzzTarget {
    name: "king_table",
    about: "endgame table of checkers with kings, with a right checksum",
    tokens: &["Ludion king endgames", "english", "6x6", "\u{2}\0\0\0", "\u{3}\0\0\0"],
    run: |input| {
        const HEADER: usize = 64;
        let game = &Checkers::named("checkers(english, 6)").expect("a valid spec");
        let mut bytes = input.to_vec();
        if bytes.len() >= HEADER {
            let sum = crc32fast::hash(&bytes[HEADER..]).to_le_bytes();
            bytes[HEADER - 4..HEADER].copy_from_slice(&sum);
        }
        let table = KingTable::read(game, Arc::new(bytes)).map_err(error)?;
        for text in ["W:WK1:BK18", "B:W5:B13", "B:WK7,8:BK1", "W:W9,10:BK2,3"] {
            let state = game.read_state(text).expect("a position");
            let _ = table.value(game, &state);
        }
        Ok(())
    },
};
