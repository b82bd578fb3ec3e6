//! The result of a run of any kind in one sentence, for lists of runs. It is read from the report as
//! JSON, so that it is the same for a run in progress and for one of the store.

use serde_json::Value;

use crate::plural;

/// Returns what follows from the report of a run, or `None` if it has no results yet.
#[must_use]
pub fn run_verdict(kind: &str, figures: &Value) -> Option<String> {
    let said = ["verdict", "conclusion"].into_iter().find_map(|name| figures[name].as_str());
    if let Some(sentence) = said.filter(|sentence| !sentence.is_empty()) {
        return Some(sentence.to_owned());
    }
    match kind {
        "tuning" => of_tuning(figures),
        "learn" | "learn network" => of_learning(figures),
        "game" => of_played_game(figures),
        "mastermind run" => of_experiment(figures),
        "mastermind table" => of_table(figures),
        "hextris tune" => figures["held_out"].as_f64().map(|ratio| {
            format!("the best weights score {ratio:.3} times the default ones on held-out problems")
        }),
        "checkers experiment" => of_players(figures),
        _ => None,
    }
}

/// The name of a person among the players of a game.
const PERSON: &str = "human";

/// Says how a game ended, to the person who played it if there is one.
fn of_played_game(figures: &Value) -> Option<String> {
    let ended = figures["ended"].as_str()?;
    let moves = plural(figures["moves"].as_array()?.len() as u64, "move");
    let seat_of_person = |seat: &usize| figures["players"][*seat] == PERSON;
    let people: Vec<usize> = (0..2).filter(seat_of_person).collect();
    let winner = ["first", "second"].iter().position(|side| figures["won"] == *side);
    Some(match (&people[..], winner) {
        ([person], Some(winner)) if *person == winner => format!("You won after {moves}"),
        ([_], Some(_)) => format!("You lost after {moves}"),
        _ => format!("{ended} after {moves}"),
    })
}

fn of_tuning(figures: &Value) -> Option<String> {
    let confirmed = &figures["confirmed"];
    if let (Some(player), Some(score)) = (confirmed["player"].as_str(), confirmed["score"].as_f64())
    {
        let elo = elo(&confirmed["elo"]).map_or_else(String::new, |elo| format!(", {elo}"));
        let opponent = figures["opponent"].as_str().unwrap_or_default();
        return Some(format!("{player} scores {:.1} % against {opponent}{elo}", 100.0 * score));
    }
    let candidates = figures["candidates"].as_array().filter(|all| !all.is_empty())?;
    let (player, score) = (candidates[0]["player"].as_str()?, candidates[0]["score"].as_f64()?);
    let count = plural(candidates.len() as u64, "candidate");
    Some(format!("{player} leads {count} with {:.1} %, not confirmed yet", 100.0 * score))
}

fn of_learning(figures: &Value) -> Option<String> {
    let generations = figures["generations"].as_array().filter(|all| !all.is_empty())?;
    let last = generations.last()?;
    let number = last["generation"].as_u64().unwrap_or(generations.len() as u64);
    let own = elo(&last["own"]["elo"]).map(|elo| format!("{elo} against the game's own evaluator"));
    let places = last["places"].as_array().into_iter().flatten();
    let mut placed = places.filter_map(|place| {
        Some(format!("{} against {}", elo(&place["strength"]["elo"])?, place["opponent"].as_str()?))
    });
    let before = elo(&last["last"]["elo"]).map(|elo| format!("{elo} against the one before"));
    let strength = own.or(placed.next_back()).or(before)?;
    Some(format!("generation {number}: {strength}"))
}

fn of_experiment(figures: &Value) -> Option<String> {
    let outcome = &figures["trace"]["outcome"];
    let (iterations, answers) = (outcome["iterations"].as_u64()?, outcome["answers"].as_u64()?);
    let found = if outcome["found"].as_bool()? { "found" } else { "not found" };
    let secret = figures["secret"].as_str()?;
    Some(format!(
        "{secret} is {found} in {} with {answers} answers",
        plural(iterations, "iteration")
    ))
}

fn of_table(figures: &Value) -> Option<String> {
    let cells = figures["cells"].as_array().filter(|cells| !cells.is_empty())?;
    let shares: Vec<f64> =
        cells.iter().filter_map(|cell| cell["wrong_share"]["value"].as_f64()).collect();
    let sizes = plural(cells.len() as u64, "size");
    if shares.is_empty() {
        return Some(sizes);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    Some(format!(
        "{sizes}; the secret is found in {:.1} % of the experiments",
        100.0 * (1.0 - mean)
    ))
}

fn of_players(figures: &Value) -> Option<String> {
    let score = |row: &Value| row["results"][0]["score"]["value"].as_f64();
    let rows = figures["cells"].as_array()?.iter().filter(|row| score(row).is_some());
    let best = rows.max_by(|a, b| score(a).unwrap_or(0.0).total_cmp(&score(b).unwrap_or(0.0)))?;
    let (name, score) = (best["name"].as_str()?, score(best)?);
    let opponent = figures["opponents"][0].as_str().unwrap_or("its opponent");
    Some(format!("{name} is the best: {:.1} % against {opponent}", 100.0 * score))
}

/// Writes an Elo difference with half the width of its 95 % interval, or with the end that is known.
fn elo(estimate: &Value) -> Option<String> {
    let part = |name: &str| estimate[name].as_f64();
    match (part("value"), part("error"), part("low"), part("high")) {
        (Some(value), Some(error), ..) => Some(format!("{} ± {error:.0} Elo", signed(value))),
        (_, _, Some(low), None) => Some(format!("more than {} Elo", signed(low))),
        (_, _, None, Some(high)) => Some(format!("less than {} Elo", signed(high))),
        _ => None,
    }
}

/// Writes a number with its sign; one that is rounded to zero has none.
fn signed(value: f64) -> String {
    if value.round() == 0.0 { "0".to_owned() } else { format!("{value:+.0}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_verdict_of_the_report_is_taken_as_it_is() {
        let report = json!({ "verdict": "a is stronger than b" });
        assert_eq!(run_verdict("match", &report).as_deref(), Some("a is stronger than b"));
        let report = json!({ "verdict": null, "conclusion": "" });
        assert_eq!(run_verdict("championship", &report), None);
    }

    #[test]
    fn a_played_game_says_how_it_ended_for_the_only_person() {
        let said = |players: [&str; 2], won: Option<&str>| {
            let report =
                json!({ "players": players, "won": won, "ended": "second wins", "moves": ["1"] });
            run_verdict("game", &report).expect("a verdict")
        };
        assert_eq!(said(["human", "mcts"], Some("second")), "You lost after 1 move");
        assert_eq!(said(["mcts", "human"], Some("second")), "You won after 1 move");
        assert_eq!(said(["human", "human"], Some("second")), "second wins after 1 move");
        assert_eq!(run_verdict("game", &json!({})), None);
    }

    #[test]
    fn a_learning_is_judged_by_its_last_generation() {
        let elo = |value: f64| json!({ "elo": { "value": value, "error": 30.0, "low": 0.0, "high": 9.0 } });
        let report = json!({ "generations": [
            { "generation": 1, "last": elo(5.0), "own": null },
            { "generation": 2, "last": elo(-0.2), "own": elo(120.4) },
        ] });
        let said = run_verdict("learn", &report).expect("a verdict");
        assert_eq!(said, "generation 2: +120 ± 30 Elo against the game's own evaluator");
        let all_won = json!({ "value": null, "error": null, "low": 200.0, "high": null });
        let places = json!([{ "opponent": "random", "strength": { "elo": all_won } }]);
        let report =
            json!({ "generations": [{ "generation": 7, "places": places, "last": null }] });
        let said = run_verdict("learn network", &report).expect("a verdict");
        assert_eq!(said, "generation 7: more than +200 Elo against random");
        assert_eq!(run_verdict("learn", &json!({ "generations": [] })), None);
        assert_eq!(["0", "+1", "-1"], [-0.2, 0.7, -0.7].map(signed));
    }

    #[test]
    fn a_tuning_is_judged_by_its_confirmation_once_it_is_there() {
        let mut report = json!({ "opponent": "mcts", "confirmed": null,
            "candidates": [{ "player": "mcts(c=2)", "score": 0.61 }, { "player": "mcts(c=1)", "score": 0.5 }] });
        let said = run_verdict("tuning", &report).expect("a verdict");
        assert_eq!(said, "mcts(c=2) leads 2 candidates with 61.0 %, not confirmed yet");
        report["confirmed"] = json!({ "player": "mcts(c=2)", "score": 0.55, "elo": null });
        let said = run_verdict("tuning", &report).expect("a verdict");
        assert_eq!(said, "mcts(c=2) scores 55.0 % against mcts");
    }
}
