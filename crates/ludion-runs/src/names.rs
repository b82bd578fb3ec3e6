//! The names under which the players of a plan are shown: those that bots give themselves, and those
//! of a tournament file. All names of a plan differ.

use crate::RunError;

/// Maximum number of characters of a name.
const MAX_CHARACTERS: usize = 60;

/// Returns the names of all players: the name that a player gives itself, otherwise its spec. Equal
/// names get numbers. The list is empty if no player gives itself a name.
pub(crate) fn distinct(specs: &[String], own_names: Vec<Option<String>>) -> Vec<String> {
    if own_names.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    let wanted: Vec<(String, bool)> = specs
        .iter()
        .zip(own_names)
        .map(|(spec, name)| match name {
            Some(name) => (name.trim().chars().take(MAX_CHARACTERS).collect(), true),
            None => (spec.clone(), false),
        })
        .collect();
    for (i, (name, is_own)) in wanted.iter().enumerate() {
        let is_shared = wanted.iter().enumerate().any(|(j, (other, _))| i != j && other == name);
        // A spec stays as it is: only names that players give themselves are numbered.
        let mut shown = name.clone();
        let mut number = 1;
        while *is_own && (is_shared && shown == *name || is_taken(&shown, &names, &wanted, i)) {
            shown = format!("{name} ({number})");
            number += 1;
        }
        names.push(shown);
    }
    names
}

/// Returns whether another player has or wants the name.
fn is_taken(name: &str, names: &[String], wanted: &[(String, bool)], player: usize) -> bool {
    let other = |(i, (wanted, _)): (usize, &(String, bool))| i != player && wanted == name;
    names.iter().any(|taken| taken == name) || wanted.iter().enumerate().any(other)
}

/// Checks names that a user gives to `players` players.
pub(crate) fn checked(names: &[String], players: usize) -> Result<Vec<String>, RunError> {
    let wrong = |sentence: String| Err(RunError::Wrong(sentence));
    if names.len() != players {
        let (count, name) = (names.len(), if names.len() == 1 { "name" } else { "names" });
        return wrong(format!("{count} {name} for {players} players; each player needs one"));
    }
    for (i, name) in names.iter().enumerate() {
        let length = name.chars().count();
        if name.trim().is_empty() || length > MAX_CHARACTERS || name.contains(char::is_control) {
            return wrong(format!(
                "the name {name:?} is not allowed; a name has 1 to {MAX_CHARACTERS} characters on \
                 one line"
            ));
        }
        if names[..i].contains(name) {
            return wrong(format!("two players are called {name:?}; each needs a name of its own"));
        }
    }
    Ok(names.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(players: &[(&str, Option<&str>)]) -> Vec<String> {
        let specs: Vec<String> = players.iter().map(|(spec, _)| (*spec).to_owned()).collect();
        distinct(&specs, players.iter().map(|(_, name)| name.map(str::to_owned)).collect())
    }

    #[test]
    fn a_player_without_a_name_is_shown_by_its_spec() {
        assert_eq!(names(&[("mcts", None), ("uct", None)]), Vec::<String>::new());
        assert_eq!(names(&[("mcts", None), ("bot(a)", Some("Alpha"))]), ["mcts", "Alpha"]);
    }

    #[test]
    fn equal_names_are_told_apart() {
        let twins = [("bot(a)", Some("Alpha")), ("mcts", None), ("bot(b)", Some("Alpha"))];
        assert_eq!(names(&twins), ["Alpha (1)", "mcts", "Alpha (2)"]);
        assert_eq!(names(&[("bot(a)", Some("mcts")), ("mcts", None)]), ["mcts (1)", "mcts"]);
        let tricky = [("a", Some("A")), ("b", Some("A (1)")), ("c", Some("A"))];
        assert_eq!(names(&tricky), ["A (2)", "A (1)", "A (3)"]);
    }

    #[test]
    fn names_of_a_file_are_refused_with_the_reason() {
        let refused = |given: &[&str], players| {
            let given: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
            checked(&given, players).unwrap_err().to_string()
        };
        assert_eq!(refused(&["A"], 2), "1 name for 2 players; each player needs one");
        assert!(refused(&["A", "A"], 2).contains("two players are called \"A\""));
        assert!(refused(&["A", "x\u{1b}[2J"], 2).contains("1 to 60 characters on one line"));
        assert!(refused(&["A", " "], 2).contains("is not allowed"));
        assert!(checked(&["A".to_owned(), "B".to_owned()], 2).is_ok());
    }
}
