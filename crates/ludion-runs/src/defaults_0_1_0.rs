//! The defaults of version 0.1.0, frozen. Plans that 0.1.0 stored leave out parameters that had their
//! defaults, so they are read with this table and not with the defaults of today. Later versions
//! store all parameters.

use ludion_players::arena::plan::{FullSpecs, GamesPlan};
use ludion_players::param::ParamValue;
use ludion_players::spec::{Spec, SpecValue};

/// A parameter of 0.1.0: its name, its default, and the words that select a value without a name.
type FrozenParam = (&'static str, &'static str, &'static [&'static str]);
/// A game, player or evaluator of 0.1.0 with its parameters in order.
type FrozenEntry = (&'static str, &'static [FrozenParam]);

const NO_WORDS: &[&str] = &[];
const DEPTH_AND_EVAL: &[FrozenParam] = &[("depth", "4", NO_WORDS), ("eval", "none", NO_WORDS)];

/// The players of 0.1.0.
const PLAYERS: &[FrozenEntry] = &[
    ("random", &[]),
    ("montecarlo", &[("sims", "100", NO_WORDS)]),
    ("ucb", &[("sims", "100", NO_WORDS), ("c", "0.3", NO_WORDS)]),
    (
        "mcts",
        &[
            ("sims", "10000", NO_WORDS),
            ("select", "puct", &["puct", "phi", "ucb1"]),
            ("a", "10", NO_WORDS),
            ("b", "0", NO_WORDS),
            ("c", "2", NO_WORDS),
            ("prior", "no", &["prior"]),
            ("eval", "own", NO_WORDS),
            ("final", "proof", &["proof", "visits", "value"]),
            ("fresh", "no", &["fresh"]),
            ("memory", "256", NO_WORDS),
            ("threads", "1", NO_WORDS),
            ("parallel", "tree", &["tree", "root", "leaf"]),
            ("flight", "8", NO_WORDS),
        ],
    ),
    (
        "uct",
        &[
            ("depth", "1", NO_WORDS),
            ("sims", "1", NO_WORDS),
            ("c", "0.3", NO_WORDS),
            ("keep", "no", &["keep"]),
            ("memory", "256", NO_WORDS),
        ],
    ),
    ("minimax", DEPTH_AND_EVAL),
    ("negamax", DEPTH_AND_EVAL),
    ("alphabeta", DEPTH_AND_EVAL),
    ("negalphabeta", DEPTH_AND_EVAL),
    (
        "memory",
        &[
            ("depth", "4", NO_WORDS),
            ("order", "standard", &["standard", "heuristic"]),
            ("eval", "none", NO_WORDS),
            ("mb", "16", NO_WORDS),
            ("sheet", "no", &["sheet"]),
        ],
    ),
    (
        "ultimate",
        &[
            ("depth", "4", NO_WORDS),
            ("order", "standard", &["standard", "heuristic"]),
            ("mb", "16", NO_WORDS),
            ("sheet", "no", &["sheet"]),
        ],
    ),
    (
        "deepening",
        &[
            ("depth", "100", NO_WORDS),
            ("secs", "1", NO_WORDS),
            ("eval", "own", NO_WORDS),
            ("threads", "1", NO_WORDS),
            ("mb", "64", NO_WORDS),
            ("start", "basic", &["basic", "advanced"]),
            ("lines", "best", &["best", "all"]),
            ("sheet", "no", &["sheet"]),
        ],
    ),
    ("bot", &[("cmd", "", NO_WORDS), ("patience", "10", NO_WORDS), ("margin", "1", NO_WORDS)]),
    ("expert", &[("ms", "100", NO_WORDS), ("mb", "64", NO_WORDS)]),
    (
        "knn",
        &[
            ("data", "", NO_WORDS),
            ("k", "4", NO_WORDS),
            ("label", "distance", &["distance", "parity"]),
            ("lost", "negative", &["negative", "zero"]),
            ("games", "0", NO_WORDS),
        ],
    ),
    ("mlp", &[("model", "", NO_WORDS)]),
];

/// The evaluators of 0.1.0 that have parameters.
const EVALUATORS: &[FrozenEntry] = &[
    ("playouts", &[("sims", "10", NO_WORDS), ("seed", "1", NO_WORDS)]),
    ("patterns", &[("model", "", NO_WORDS)]),
    ("mlp", &[("model", "", NO_WORDS)]),
    ("endgames", &[("table", "", NO_WORDS), ("eval", "own", NO_WORDS)]),
];

/// The games of 0.1.0.
const GAMES: &[FrozenEntry] = &[
    ("matches", &[("n", "13", NO_WORDS), ("misere", "no", &["misere"])]),
    ("divide", &[("a", "7", NO_WORDS), ("b", "17", NO_WORDS), ("sorted", "no", &["sorted"])]),
    ("dice", &[("count", "31", NO_WORDS), ("face", "1", NO_WORDS)]),
    (
        "marienbad",
        &[
            ("n", "4", NO_WORDS),
            ("rows", "triple", NO_WORDS),
            ("take", "0", NO_WORDS),
            ("misere", "no", &["misere"]),
            ("seed", "1", NO_WORDS),
        ],
    ),
    (
        "hexapawn",
        &[
            ("rows", "3", NO_WORDS),
            ("cols", "3", NO_WORDS),
            ("cylinder", "no", &["cylinder"]),
            ("forced", "no", &["forced"]),
        ],
    ),
    ("morpion", &[("size", "3", NO_WORDS), ("torus", "no", &["torus"]), ("phase", "0", NO_WORDS)]),
    ("tictactoe", &[]),
    ("connect4", &[("cols", "7", NO_WORDS), ("rows", "6", NO_WORDS)]),
    ("checkers", &[("rules", "seed", NO_WORDS), ("size", "usual", NO_WORDS)]),
];

/// A value with which a player plays as it did before it had the parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueBefore {
    /// The default of today.
    Default,
    /// A value that is not the default.
    Value(&'static str),
}

/// Parameters that stored specs of players may lack, each with the value with which the player plays
/// as it did before. A player that gets a parameter which is not listed here counts as changed: its
/// old runs are neither resumed nor repeated.
const ADDED: &[(&str, &str, ValueBefore)] = &[
    // Left out of the specs of 0.1.0 where it had no effect.
    ("mcts", "eval", ValueBefore::Default),
    ("mcts", "growth", ValueBefore::Value("0")),
    ("uct", "games", ValueBefore::Default),
    ("uct", "sheet", ValueBefore::Value("yes")),
    ("knn", "choose", ValueBefore::Default),
    ("mlp", "choose", ValueBefore::Default),
    ("deepening", "search", ValueBefore::Value("exact")),
    ("expert", "book", ValueBefore::Value("none")),
    ("bot", "protocol", ValueBefore::Value("ugi")),
    ("bot", "set", ValueBefore::Default),
];

/// Returns the value with which a player that got the parameter `param` later plays as before; `None`
/// if it cannot.
pub(crate) fn value_before(player: &str, param: &str) -> Option<ValueBefore> {
    let found = ADDED.iter().find(|(known, name, _)| *known == player && *name == param);
    found.map(|(_, _, value)| *value)
}

/// Returns the specs of a plan of 0.1.0 with all parameters. What 0.1.0 did not have stays as it is.
pub(crate) fn full_specs(plan: &GamesPlan) -> FullSpecs {
    FullSpecs {
        game: full(GAMES, &plan.game),
        players: plan.players.iter().map(|player| full_player(player)).collect(),
        tuned: plan.tuning.as_ref().map(|tuning| full_player(&tuning.player)),
        files: Vec::new(),
    }
}

fn full_player(text: &str) -> String {
    let text = full(PLAYERS, text);
    let Ok(mut spec) = Spec::parse(&text) else { return text };
    let value = |spec: &Spec, name: &str| {
        spec.values.iter().position(|value| value.name.as_deref() == Some(name))
    };
    let Some(eval) = value(&spec, "eval") else { return text };
    // Without `prior`, `mcts` of 0.1.0 ignored its evaluator.
    let is_ignored = spec.name == "mcts"
        && value(&spec, "prior").is_some_and(|prior| spec.values[prior].text == "no");
    if is_ignored {
        spec.values.remove(eval);
    } else {
        spec.values[eval] = named("eval", &full(EVALUATORS, &spec.values[eval].text), false);
    }
    spec.to_string()
}

/// Returns a spec with all parameters of its entry in the table; unchanged if there is none.
fn full(table: &[FrozenEntry], text: &str) -> String {
    let Ok(spec) = Spec::parse(text) else { return text.to_owned() };
    let Some((_, params)) = table.iter().find(|(name, _)| *name == spec.name) else {
        return text.to_owned();
    };
    let mut given: Vec<Option<SpecValue>> = vec![None; params.len()];
    let mut others = Vec::new();
    for value in spec.values {
        let place = match &value.name {
            Some(name) => params.iter().position(|(param, ..)| param == name),
            None => params
                .iter()
                .position(|(_, _, words)| words.contains(&&value.text[..]))
                .or_else(|| given.iter().position(Option::is_none)),
        };
        match place {
            // A flag is set by its name.
            Some(i) if value.name.is_none() && params[i].0 == value.text => {
                given[i] = Some(named(params[i].0, "yes", false));
            }
            Some(i) => given[i] = Some(named(params[i].0, &value.text, value.quoted)),
            None => others.push(value),
        }
    }
    let filled = params
        .iter()
        .zip(given)
        .map(|((name, default, _), given)| given.unwrap_or_else(|| named(name, default, false)));
    Spec { name: spec.name, values: filled.chain(others).collect() }.to_string()
}

/// Returns a value by name, in quotes if it needs them.
fn named(name: &str, text: &str, quoted: bool) -> SpecValue {
    let needs_quotes = ParamValue::Text(text.to_owned()).to_string() != text;
    SpecValue { name: Some(name.to_owned()), text: text.to_owned(), quoted: quoted || needs_quotes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludion::registry;

    #[test]
    fn specs_of_0_1_0_get_its_defaults() {
        for (text, full) in [
            ("random", "random"),
            ("uct(sims=30)", "uct(depth=1, sims=30, c=0.3, keep=no, memory=256)"),
            (
                "minimax(eval=\"playouts(3)\")",
                "minimax(depth=4, eval=\"playouts(sims=3, seed=1)\")",
            ),
            (
                "mcts(phi, a=?, fresh)",
                "mcts(sims=10000, select=phi, a=?, b=0, c=2, prior=no, final=proof, \
                 fresh=yes, memory=256, threads=1, parallel=tree, flight=8)",
            ),
            ("stranger(x=1)", "stranger(x=1)"),
        ] {
            assert_eq!(full_player(text), full);
        }
        assert_eq!(super::full(GAMES, "matches(21, misere)"), "matches(n=21, misere=yes)");
    }

    /// Every player of 0.1.0 must still be built from its frozen spec, and a parameter that was added
    /// since must have a value with which the player plays as before.
    #[test]
    fn the_frozen_table_describes_players_that_exist() {
        let registry = registry::standard();
        let all = registry.players();
        for (name, params) in PLAYERS.iter().filter(|(name, _)| *name != "bot") {
            let info = all.iter().find(|info| info.is_called(name)).expect("a player of 0.1.0");
            let text = full_player(name);
            info.args(&Spec::parse(&text).expect("a spec")).expect("parameters that exist");
            for param in info.params.iter() {
                let is_old = params.iter().any(|(old, ..)| {
                    let spec =
                        Spec { name: (*name).to_owned(), values: vec![named(old, "0", false)] };
                    info.canonical(&spec).values[0].name.as_deref() == Some(&*param.name)
                });
                assert!(
                    is_old || value_before(name, &param.name).is_some(),
                    "{name} got the parameter {}; add to ADDED the value that leaves the player as \
                     it was",
                    param.name
                );
            }
        }
    }
}
