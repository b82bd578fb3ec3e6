//! Spelling phrases in hexagonal Tetris: results are checked with the referee, and on small boards
//! with every possible path.

use std::collections::HashSet;

use ludion::games::hextris::game::{CommandEffect, HextrisSimulation, HextrisStatus};
use ludion::games::hextris::problem::{JsonCell, JsonUnit};
use ludion::games::hextris::solver::spell::{SpellOptions, SpelledGame, Speller};
use ludion::games::hextris::{
    Command, DecodedChar, HextrisReferee, JsonProblem, KNOWN_PHRASES, Phrases, Placement, Problem,
};
use ludion::random::Rng;

const SHORT: [&str; 6] = ["aa", "aal", "LA", "bap", "ap", "Ei!"];
const JUDGES: [&str; 6] = ["pkkpdbbd", "aaaabbbb", "aabllp", "ssseespsps", "uuuuu", "ddddd"];
const ACROSS_LOCKS: [&str; 4] = ["pkkpdbbd", "ssseespsps", "pb", "sd"];

fn spots(cells: &[(i64, i64)]) -> Vec<JsonCell> {
    cells.iter().map(|&(x, y)| JsonCell { x, y }).collect()
}

fn random_unit(rng: &mut Rng) -> JsonUnit {
    let mut members = HashSet::from([(0, 0)]);
    for _ in 0..rng.below(5) {
        members.insert((rng.below(3) as i64, rng.below(2) as i64));
    }
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_unstable();
    let pivot = JsonCell { x: rng.below(4) as i64 - 1, y: rng.below(4) as i64 - 1 };
    JsonUnit { members: spots(&members), pivot }
}

fn random_problem(rng: &mut Rng, width: usize, height: usize, units: i64) -> Problem {
    let mut filled = Vec::new();
    for y in 3..height as i64 {
        for x in 0..width as i64 {
            if rng.below(7) == 0 {
                filled.push(JsonCell { x, y });
            }
        }
    }
    Problem::new(JsonProblem {
        id: 1,
        units: (0..=rng.below(3)).map(|_| random_unit(rng)).collect(),
        width: width as i64,
        height: height as i64,
        filled,
        source_length: units,
        source_seeds: vec![rng.below(30_000) as i64],
    })
    .unwrap()
}

/// Plays a random game with mostly downward moves; returns its commands and the placements of its
/// locked units.
fn random_game(rng: &mut Rng, problem: &Problem) -> (String, Vec<Placement>) {
    let mut run = HextrisSimulation::new(problem, problem.seeds()[0]);
    let (mut text, mut locks) = (String::new(), Vec::new());
    while run.status() == HextrisStatus::Playing {
        let mut legal: Vec<Command> =
            Command::ALL.into_iter().filter(|&c| run.clone().command(c).is_ok()).collect();
        let moves = |c: &Command| run.clone().command(*c) == Ok(CommandEffect::Moved);
        if legal.iter().any(moves) {
            legal.retain(moves);
        }
        let Some(&command) = legal.get(rng.below(legal.len().max(1))) else { break };
        text.push(command.characters().as_bytes()[rng.below(6)] as char);
        if let CommandEffect::Locked(lock) = run.command(command).unwrap() {
            locks.push(lock.at);
        }
    }
    (text, locks)
}

/// Returns the cells of each locked unit of a solution.
fn locked_cells(problem: &Problem, commands: &str) -> Vec<Vec<(i32, i32)>> {
    let mut run = HextrisSimulation::new(problem, problem.seeds()[0]);
    let mut found = Vec::new();
    for byte in commands.bytes() {
        let DecodedChar::Command(command) = DecodedChar::from_byte(byte) else { continue };
        let unit = run.unit().unwrap().0;
        if let CommandEffect::Locked(lock) = run.command(command).unwrap() {
            let mut cells: Vec<_> = unit.cells(lock.at).collect();
            cells.sort_unstable();
            found.push(cells);
        }
    }
    found
}

fn options(width: usize, row: usize) -> SpellOptions {
    SpellOptions { width, row, ..SpellOptions::default() }
}

fn respell(
    problem: &Problem,
    phrases: &Phrases,
    locks: &[Placement],
    options: &SpellOptions,
) -> SpelledGame {
    let seed = problem.seeds()[0];
    let spelled = Speller::new(phrases).spell(problem, seed, locks, options, &|| false).unwrap();
    let verdict = HextrisReferee::new(problem, phrases).score(seed, &spelled.commands);
    assert!(!verdict.status.is_error(), "{verdict:?} {:?}", spelled.commands);
    assert_eq!(verdict.power_score, spelled.power);
    assert_eq!(verdict.locked, locks.len());
    spelled
}

#[test]
fn spelling_is_valid_keeps_the_placements_and_is_no_worse_than_chance() {
    let mut rng = Rng::new(24);
    let lists: [&[&str]; 4] = [&KNOWN_PHRASES, &SHORT, &JUDGES, &ACROSS_LOCKS];
    let (mut chance, mut narrow, mut wide) = (0, 0, 0);
    for round in 0..120 {
        let (width, height) = (3 + rng.below(9), 4 + rng.below(10));
        let problem = random_problem(&mut rng, width, height, 8);
        let phrases = Phrases::new(lists[round % 4]).unwrap();
        let (text, locks) = random_game(&mut rng, &problem);
        let cut = locked_cells(&problem, &text).len();
        let by_chance = HextrisReferee::new(&problem, &phrases).score(problem.seeds()[0], &text);
        let best = respell(&problem, &phrases, &locks[..cut], &SpellOptions::default());
        assert_eq!(locked_cells(&problem, &best.commands), locked_cells(&problem, &text));
        // An unfinished game may have spelled something with its last unit.
        if by_chance.locked == locks.len() && text.len() == best.commands.len() {
            assert!(best.power >= by_chance.power_score, "{text} {}", best.commands);
        }
        let plain = respell(&problem, &phrases, &locks, &options(1, 1));
        assert_eq!(locked_cells(&problem, &plain.commands), locked_cells(&problem, &text));
        (chance, narrow, wide) =
            (chance + by_chance.power_score, narrow + plain.power, wide + best.power);
    }
    assert!(wide > 2 * chance && wide > narrow, "{chance} {narrow} {wide}");
}

/// Returns the greatest power of all commands that lock the units at `locks`, by exhaustive search;
/// `None` if there are too many.
fn best_by_exhaustive_search(
    problem: &Problem,
    phrases: &Phrases,
    locks: &[Placement],
) -> Option<u64> {
    let is_wanted = |run: &HextrisSimulation<'_>, at: Placement| {
        let unit = run.unit().unwrap().0;
        let cells = |at| unit.cells(at).collect::<HashSet<_>>();
        cells(at) == cells(locks[run.locked()])
    };
    let mut best = 0;
    let mut stack = vec![(HextrisSimulation::new(problem, problem.seeds()[0]), String::new())];
    for _ in 0..20_000 {
        let Some((run, text)) = stack.pop() else { return Some(best) };
        if run.locked() == locks.len() {
            let powers = phrases.powers(&phrases.count(&text));
            best = best.max(powers.iter().map(|power| power.power).sum());
            continue;
        }
        for command in Command::ALL {
            let mut after = run.clone();
            match after.command(command) {
                Ok(CommandEffect::Moved) => {}
                Ok(CommandEffect::Locked(lock)) if is_wanted(&run, lock.at) => {}
                _ => continue,
            }
            // Characters that occur in no phrase are equivalent and never better.
            let has = |c: &char| phrases.list().iter().any(|phrase| phrase.contains(*c));
            let mut characters: Vec<char> = command.characters().chars().filter(has).collect();
            if characters.is_empty() {
                characters.extend(command.characters().chars().next());
            }
            stack.extend(characters.iter().map(|c| (after.clone(), format!("{text}{c}"))));
        }
    }
    None
}

#[test]
fn spelling_is_almost_optimal_on_tiny_boards() {
    let mut rng = Rng::new(1620);
    let phrases = Phrases::new(["ap", "lb", "pb", "dal", "pda", "bal"]).unwrap();
    let (mut found, mut possible, mut games, mut equal) = (0, 0, 0, 0);
    for _ in 0..150 {
        let (width, height) = (2 + rng.below(3), 3 + rng.below(2));
        let problem = random_problem(&mut rng, width, height, 2);
        let (_, locks) = random_game(&mut rng, &problem);
        let Some(best) = best_by_exhaustive_search(&problem, &phrases, &locks) else { continue };
        let spelled = respell(&problem, &phrases, &locks, &SpellOptions::default());
        assert!(spelled.power <= best, "{} is not among all paths", spelled.commands);
        games += 1;
        found += spelled.power;
        possible += best;
        equal += u32::from(spelled.power == best);
    }
    // Paths with the same node are compared only by their points, not by their trails or used
    // phrases; that loses little, even on small boards.
    assert!(games > 40 && possible > 10_000, "{games} {possible}");
    let ratio = found as f64 / possible as f64;
    assert!(equal * 10 >= games * 9 && ratio > 0.95, "{equal} of {games}, {ratio}");
}

#[test]
fn phrases_that_end_with_a_lock_are_found() {
    let pair = JsonUnit { members: spots(&[(0, 0), (1, 0)]), pivot: JsonCell { x: 0, y: 0 } };
    let problem = Problem::new(JsonProblem {
        id: 2,
        units: vec![pair],
        width: 9,
        height: 12,
        filled: vec![],
        source_length: 12,
        source_seeds: vec![0],
    })
    .unwrap();
    // Moving west and back, or turning and back, repeats a placement, unless the first of the two
    // commands locks.
    let phrases = Phrases::new(ACROSS_LOCKS).unwrap();
    let (_, locks) = random_game(&mut Rng::new(3), &problem);
    let spelled = respell(&problem, &phrases, &locks, &SpellOptions::default());
    let counts = phrases.count(&spelled.commands);
    assert!(counts[2] > 0 && counts[3] > 0, "{counts:?} {}", spelled.commands);
    let others = respell(&problem, &Phrases::new(JUDGES).unwrap(), &locks, &options(8, 500));
    assert!(others.power > 600, "{}", others.power);
}

#[test]
fn little_memory_keeps_spelling_correct() {
    let mut rng = Rng::new(14);
    let problem = random_problem(&mut rng, 40, 60, 3);
    let (_, locks) = random_game(&mut rng, &problem);
    let phrases = Phrases::known();
    let little = SpellOptions { memory: 0, width: 200, ..SpellOptions::default() };
    let narrow = respell(&problem, &phrases, &locks, &little);
    let wide = respell(&problem, &phrases, &locks, &SpellOptions::default());
    assert!(0 < narrow.power && narrow.power <= wide.power, "{} {}", narrow.power, wide.power);
}

#[test]
fn impossible_spellings_are_errors() {
    let mut rng = Rng::new(7);
    let problem = random_problem(&mut rng, 8, 10, 6);
    let (_, locks) = random_game(&mut rng, &problem);
    let (seed, known, all) = (problem.seeds()[0], Phrases::known(), SpellOptions::default());
    let speller = Speller::new(&known);
    let spelled = |locks: &[Placement]| speller.spell(&problem, seed, locks, &all, &|| false);
    assert!(spelled(&locks).is_some());
    assert_eq!(spelled(&[]).unwrap().commands, "");
    assert!(speller.spell(&problem, seed, &locks, &all, &|| true).is_none());
    let bad = [(i16::MAX, 0, 0), (i16::MIN, i16::MIN, 0), (0, i16::MAX, 5), (3, 3, 255)];
    for (x, y, turn) in bad {
        assert_eq!(spelled(&[Placement { x, y, turn }]), None);
    }
    // A unit in mid-air cannot lock.
    let run = HextrisSimulation::new(&problem, seed);
    let (unit, spawn) = run.unit().unwrap();
    let air = unit.step(spawn, Command::SouthEast);
    let free = |c: &Command| unit.fits(run.board(), unit.step(air, *c));
    assert_eq!(spelled(&[air]).is_none(), Command::ALL.iter().all(free));
}

#[test]
fn unspellable_phrases_and_very_long_lists_are_harmless() {
    let mut rng = Rng::new(8);
    let problem = random_problem(&mut rng, 8, 10, 6);
    let (_, locks) = random_game(&mut rng, &problem);
    let long: Vec<String> = (0..200).map(|n| "ab".repeat(1 + n) + "é~6").collect();
    let none = respell(&problem, &Phrases::new(&long).unwrap(), &locks, &options(4, 100));
    assert_eq!(none.power, 0);
    let many: Vec<String> = (1..150).map(|n| "a".repeat(n)).collect();
    let some = respell(&problem, &Phrases::new(&many).unwrap(), &locks, &options(4, 100));
    let none = respell(&problem, &Phrases::none(), &locks, &SpellOptions::default());
    assert!(some.power > 300 && none.power == 0);
}
