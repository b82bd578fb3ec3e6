//! Settings that users write on the command line or in a file.

use ludion::arena::championship::entrants::Entrants;
use ludion::arena::pair::GameSettings;
use ludion::learn::labelling::Labelling;
use ludion::player::Budget;
use ludion_runs::tournament_file::TournamentFile;
use ludion_runs::{setup, sprt, tuning};

use super::{error, registry, text};
use crate::FuzzTarget;

/// Budgets of a move.
pub(super) const BUDGET: FuzzTarget = FuzzTarget {
    name: "budget",
    about: "budget of a move, such as 100ms,500sims",
    tokens: &["ms", "s", "sims", "nodes", "plies", ",", "unlimited", ".", "e9", "1e-9", "µs"],
    run: |input| {
        let budget: Budget = text(input).parse().map_err(error)?;
        let shown = budget.to_string();
        let again: Budget = shown.parse().map_err(error).expect("a budget that was written");
        // Fractions of a millisecond may be rounded once.
        assert_eq!(again.to_string(), shown);
        Ok(())
    },
};

/// Tournament files in TOML.
pub(super) const TOURNAMENT_FILE: FuzzTarget = FuzzTarget {
    name: "tournament_file",
    about: "tournament file in TOML",
    tokens: &[
        "game",
        "players",
        "names",
        "pairs",
        "budget",
        "opening",
        "longest",
        "form",
        " = ",
        "[",
        "]",
        "[[",
        "]]",
        "\"",
        "'''",
        "\"\"\"",
        "{",
        "}",
        "#",
        "\n",
        "round-robin",
        "gauntlet",
        "random",
        "mcts(sims=10)",
        "tictactoe",
        "inf",
        "1979-05-27",
        "0x",
        "\\u0000",
    ],
    run: |input| {
        let file = TournamentFile::parse(&text(input)).map_err(error)?;
        // Players that allocate or read files are not what is tested here.
        if file.players.len() <= 8 && file.players.iter().all(|player| player == "random") {
            let game = file.game.as_deref().unwrap_or("tictactoe");
            let terms =
                GameSettings { budget: Budget::UNLIMITED, opening: 2, longest: 100, seed: 1 };
            let terms = file.terms(terms).map_err(error)?;
            let (form, pairs) = (file.form.unwrap_or_default(), file.pairs.unwrap_or(1));
            let plan = setup::tournament(registry(), game, &file.players, form, pairs, terms);
            setup::with_names(plan.map_err(error)?, &file.names).map_err(error)?;
        }
        Ok(())
    },
};

/// Players with a range of values, as a championship takes them.
pub(super) const CHAMPIONSHIP: FuzzTarget = FuzzTarget {
    name: "championship",
    about: "player with a range of values, such as mcts(a=1..50)",
    tokens: &["mcts(", "a=", "1..50", "1..50:5", "1..64*2", "|", "..", "*", ":", ",", ")", "e300"],
    run: |input| {
        let entrants = Entrants::read(&text(input)).map_err(error)?;
        assert!(entrants.entrants.len() >= 2);
        Ok(())
    },
};

/// Players with open parameters, as a tuning takes them.
pub(super) const TUNING: FuzzTarget = FuzzTarget {
    name: "tuning",
    about: "player with open parameters, such as mcts(a=?, c=?1..3)",
    tokens: &["mcts(", "a=?", "c=?1..3", "?", "..", "?1..50", ",", ")", "sims=?", "uct(", "e308"],
    run: |input| {
        let open = tuning::open_player(registry(), "connect4", &text(input)).map_err(error)?;
        let _ = (open.at(&open.start), open.with_defaults());
        Ok(())
    },
};

/// Sequential tests.
pub(super) const SPRT: FuzzTarget = FuzzTarget {
    name: "sprt",
    about: "sequential test, such as elo0=0,elo1=10",
    tokens: &["elo0=", "elo1=", "alpha=", "beta=", "model=", "logistic", "normalised", ",", "inf"],
    run: |input| sprt::parse(&text(input)).map(drop),
};

/// Labels of positions.
pub(super) const LABELS: FuzzTarget = FuzzTarget {
    name: "labels",
    about: "labels of positions, such as distance(zero)",
    tokens: &["distance", "winloss", "captures", "parity", "(", "zero", ")"],
    run: |input| {
        let labels: Labelling = text(input).parse().map_err(error)?;
        assert_eq!(labels.to_string().parse::<Labelling>().map_err(error), Ok(labels));
        Ok(())
    },
};
