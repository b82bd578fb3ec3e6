//! Hexagonal Tetris: the referee agrees with a slow one written from the rules, invalid problems
//! are errors, and nothing panics.

mod games;
mod making;
mod slow;

use ludion::games::hextris::game::{CommandEffect, HextrisSimulation, HextrisStatus};
use ludion::games::hextris::problem::{JsonCell, JsonUnit, ProblemError};
use ludion::games::hextris::replay::{ReplayEvent, SolutionReplay};
use ludion::games::hextris::{
    Command, HexBoard, HextrisReferee, JsonProblem, KNOWN_PHRASES, Phrases, Placement, Problem,
    SolutionStatus,
};
use ludion::random::Rng;
use proptest::prelude::*;

/// Phrases that random commands sometimes spell, some of them parts of others.
const SHORT: [&str; 6] = ["aa", "aal", "LA", "bap", "ap", "Ei!"];

/// Returns a random number from `low` to `high`.
fn pick(rng: &mut Rng, low: i64, high: i64) -> i64 {
    low + rng.below((high - low + 1) as usize) as i64
}

/// The neighbours of (2, 2) clockwise from the east.
const RING: [(i64, i64); 6] = [(3, 2), (2, 3), (1, 3), (1, 2), (1, 1), (2, 1)];

/// Returns a unit that is symmetric under rotation by `step` sixths, at a random position.
fn symmetric(rng: &mut Rng, step: usize) -> JsonUnit {
    let (dx, dy) = (pick(rng, -3, 3), 2 * pick(rng, -2, 2));
    let spot = |(x, y)| JsonCell { x: x + dx, y: y + dy };
    let mut members: Vec<JsonCell> = RING.into_iter().step_by(step).map(spot).collect();
    if rng.below(2) == 0 {
        members.push(spot((2, 2)));
    }
    JsonUnit { members, pivot: spot((2, 2)) }
}

fn random_unit(rng: &mut Rng) -> JsonUnit {
    match rng.below(6) {
        symmetry @ 0..3 => symmetric(rng, symmetry + 1),
        _ => {
            let mut members = Vec::new();
            for _ in 0..=rng.below(5) {
                let spot = JsonCell { x: pick(rng, -1, 2), y: pick(rng, -1, 2) };
                if !members.contains(&spot) {
                    members.push(spot);
                }
            }
            JsonUnit { members, pivot: JsonCell { x: pick(rng, -2, 4), y: pick(rng, -3, 4) } }
        }
    }
}

fn random_draft(rng: &mut Rng) -> JsonProblem {
    let (width, height) = (pick(rng, 1, 9), pick(rng, 1, 12));
    let density = rng.below(4);
    let mut filled = Vec::new();
    for y in 0..height {
        for x in 0..width {
            if y > 2 && rng.below(6) < density {
                filled.push(JsonCell { x, y });
            }
        }
    }
    JsonProblem {
        id: 7,
        units: (0..=rng.below(4)).map(|_| random_unit(rng)).collect(),
        width,
        height,
        filled,
        source_length: pick(rng, 1, 30),
        source_seeds: vec![pick(rng, 0, 40_000)],
    }
}

/// Returns random commands that are mostly legal and mostly do not lock; sometimes a phrase, a
/// meaningless character, or random text.
fn random_solution(rng: &mut Rng, problem: &Problem) -> String {
    let mut run = HextrisSimulation::new(problem, problem.seeds()[0]);
    let mut text = String::new();
    let (sloppy, spellings) = (rng.below(4) == 0, [1, 6][rng.below(2)]);
    while run.status() == HextrisStatus::Playing && text.len() < 600 {
        if sloppy && rng.below(30) == 0 {
            text.push_str(KNOWN_PHRASES[rng.below(18)]);
        } else if sloppy && rng.below(60) == 0 {
            text.push(['\t', '\n', '6', 'é', '\r', 'P'][rng.below(6)]);
        }
        let mut legal: Vec<Command> =
            Command::ALL.into_iter().filter(|&c| run.clone().command(c).is_ok()).collect();
        let free = |c: &Command| run.clone().command(*c) == Ok(CommandEffect::Moved);
        if rng.below(12) > 0 && legal.iter().any(free) {
            legal.retain(free);
        }
        let Some(&command) = legal.get(rng.below(legal.len().max(1))) else { break };
        run.command(command).unwrap();
        let character = command.characters().as_bytes()[rng.below(spellings)] as char;
        text.push(if rng.below(5) == 0 { character.to_ascii_uppercase() } else { character });
    }
    let somewhere = text.char_indices().nth(rng.below(1 + text.len())).map_or(text.len(), |c| c.0);
    match rng.below(4) {
        0 => text.push_str(["a", "\n", "pb", "é"][rng.below(4)]),
        1 => text.truncate(somewhere),
        2 => text.insert_str(somewhere, ["pb", "dk", "dddddd", "uaq"][rng.below(4)]),
        _ => {}
    }
    text
}

#[test]
fn the_referee_agrees_with_the_slow_referee() {
    let mut rng = Rng::new(2015);
    let mut seen = std::collections::HashMap::new();
    for _ in 0..3_000 {
        let draft = random_draft(&mut rng);
        let problem = Problem::new(draft.clone()).unwrap();
        let list: &[&str] = if rng.below(2) == 0 { &KNOWN_PHRASES } else { &SHORT };
        let phrases = Phrases::new(list).unwrap();
        let solution = random_solution(&mut rng, &problem);
        let seed = problem.seeds()[0];
        let verdict = HextrisReferee::new(&problem, &phrases).score(seed, &solution);
        let found = slow::Finding {
            status: verdict.status,
            move_score: verdict.move_score,
            power_score: verdict.power_score,
            locked: verdict.locked,
            lines: verdict.lines,
            error: verdict.error.map(|error| error.at),
            first: verdict.error.and_then(|error| error.repeats?.first),
        };
        let expected = slow::judge(&draft, list, seed, &solution);
        assert_eq!(found, expected, "{} {solution:?}", serde_json::to_string(&draft).unwrap());
        assert_eq!(verdict.score, verdict.move_score + verdict.power_score);
        let last = SolutionReplay::new(&problem, &phrases, seed, &solution).last();
        match last.map(|frame| (frame.event, frame.move_score + frame.power_score)) {
            Some((ReplayEvent::Error { status, trouble }, _)) => {
                assert_eq!((status, Some(trouble)), (verdict.status, verdict.error));
            }
            Some((_, score)) => assert_eq!((score, None), (verdict.score, verdict.error)),
            None => assert_eq!((solution.len(), verdict.score), (0, 0)),
        }
        let tally: &mut (u32, u64, u64) = seen.entry(verdict.status).or_default();
        *tally = (tally.0 + 1, tally.1 + verdict.lines, tally.2 + verdict.power_score);
    }
    // The sample contains games of every kind.
    for status in [
        SolutionStatus::Ended,
        SolutionStatus::Full,
        SolutionStatus::InProgress,
        SolutionStatus::Repetition,
        SolutionStatus::AfterTheEnd,
        SolutionStatus::BadCharacter,
    ] {
        assert!(seen[&status].0 >= 20, "{status:?} occurred {:?}", seen.get(&status));
    }
    let power: u64 = seen.values().map(|tally| tally.2).sum();
    assert!(seen[&SolutionStatus::Ended].1 > 100 && power > 50_000, "{seen:?}");
}

#[test]
fn slots_and_placements_have_the_same_cells() {
    let mut rng = Rng::new(6);
    for _ in 0..200 {
        let problem = Problem::new(random_draft(&mut rng)).unwrap();
        for unit in problem.units() {
            let board = HexBoard::empty(problem.height());
            for slot in 0..unit.slots() {
                let at = unit.placement(slot);
                let inside = |&(x, y): &(i32, i32)| {
                    (0..problem.width() as i32).contains(&x)
                        && (0..problem.height() as i32).contains(&y)
                };
                assert_eq!(unit.fits(&board, at), unit.cells(at).all(|cell| inside(&cell)));
                if unit.fits(&board, at) {
                    assert_eq!(unit.slot(at), slot);
                    let (top, masks) = unit.masks(at);
                    for (y, mask) in (top as i32..).zip(masks) {
                        let row = unit.cells(at).filter(|cell| cell.1 == y);
                        assert_eq!(row.map(|cell| 1 << cell.0).sum::<u128>(), mask);
                    }
                }
            }
        }
    }
}

#[test]
fn six_turns_or_a_step_and_back_return_to_the_start() {
    let mut rng = Rng::new(60);
    for _ in 0..200 {
        let problem = Problem::new(random_draft(&mut rng)).unwrap();
        for unit in problem.units() {
            assert!([1, 2, 3, 6].contains(&unit.turns()));
            let at = Placement { x: pick(&mut rng, -9, 9) as i16, ..unit.spawn() };
            let walk = |commands: &[Command]| commands.iter().fold(at, |at, &c| unit.step(at, c));
            assert_eq!(walk(&[Command::Clockwise; 6]), at);
            assert_eq!(walk(&[Command::Clockwise, Command::CounterClockwise]), at);
            assert_eq!(walk(&[Command::West, Command::East]), at);
            // Down the left or the right side of a diamond, or across and down.
            assert_eq!(
                walk(&[Command::SouthEast, Command::West]),
                walk(&[Command::SouthWest]),
                "{at:?}"
            );
        }
    }
}

#[test]
fn the_error_says_what_was_repeated() {
    let problem = r#"{"id": 1, "width": 5, "height": 5, "filled": [], "sourceLength": 2,
        "units": [{"members": [{"x": 0, "y": 0}], "pivot": {"x": 0, "y": 0}}], "sourceSeeds": [0]}"#;
    let problem = Problem::from_json(problem).unwrap();
    let phrases = Phrases::known();
    let judge = |text| HextrisReferee::new(&problem, &phrases).score(0, text).error.unwrap();
    // The unit appears at (2, 0) and turns in place.
    let home = judge("\tD");
    assert_eq!((home.at, home.character), (1, 'D'));
    let repeated = home.repeats.unwrap();
    assert_eq!((repeated.placement, repeated.first), (problem.units()[0].spawn(), None));
    // Down at character 0, east, then west.
    let below = judge("a\nbp");
    assert_eq!((below.at, below.repeats.unwrap().first), (3, Some(0)));
    assert_eq!(judge("aaé").character, 'é');
}

#[test]
fn units_appear_in_the_order_of_the_source() {
    let mut rng = Rng::new(8);
    for _ in 0..50 {
        let Ok(problem) = Problem::new(random_draft(&mut rng)) else { continue };
        let seed = problem.seeds()[0];
        let mut run = HextrisSimulation::new(&problem, seed);
        while run.status() == HextrisStatus::Playing {
            let rest = problem.source(seed).skip(run.locked() + 1);
            assert!(run.upcoming().eq(rest), "after {} locks", run.locked());
            let _ = run.command(Command::SouthWest);
        }
        assert_eq!(run.upcoming().count(), 0);
    }
}

/// Returns the error of a small valid problem in which one part of the text is replaced.
fn refusal(part: &str, instead: &str) -> ProblemError {
    let sound = r#"{"id": 1, "width": 5, "height": 5, "filled": [{"x": 1, "y": 2}, {"x": 2, "y": 2}], "sourceLength": 2, "units": [{"members": [{"x": 0, "y": 0}, {"x": 3, "y": 0}], "pivot": {"x": 0, "y": 0}}], "sourceSeeds": [0]}"#;
    assert!(Problem::from_json(sound).is_ok() && sound.contains(part));
    Problem::from_json(&sound.replacen(part, instead, 1)).unwrap_err()
}

#[test]
fn invalid_fields_are_errors_that_name_the_field() {
    for (part, instead, sentence) in [
        ("\"width\": 5", "\"width\": 1000000", "width: 1000000 is not from 1 to 128"),
        ("\"height\": 5", "\"height\": -3", "height: -3 is not from 1 to 256"),
        ("\"sourceLength\": 2", "\"sourceLength\": 0", "sourceLength: 0 is not from 1 to 1000000"),
        ("\"id\": 1", "\"id\": -1", "id: -1 is not from 0 to 4294967295"),
        ("{\"x\": 1, \"y\": 2}", "{\"x\": 5, \"y\": 2}", "filled[0].x: 5 is not from 0 to 4"),
        (
            "{\"x\": 1, \"y\": 2}",
            "{\"x\": 2, \"y\": 2}",
            "filled[1]: the cell (2, 2) is listed twice",
        ),
        (
            "{\"x\": 3, \"y\": 0}",
            "{\"x\": 0, \"y\": 0}",
            "units[0].members[1]: the cell (0, 0) is listed twice",
        ),
        (
            "{\"x\": 3, \"y\": 0}",
            "{\"x\": 3, \"y\": 9000}",
            "units[0].members[1].y: 9000 is not from -1000 to 1000",
        ),
        (
            "[{\"x\": 0, \"y\": 0}, {\"x\": 3, \"y\": 0}]",
            "[]",
            "units[0].members: 0 entries, from 1 to 1000 are allowed",
        ),
        ("[0]", "[]", "sourceSeeds: 0 entries, from 1 to 10000 are allowed"),
        ("[0]", "[4294967296]", "sourceSeeds[0]: 4294967296 is not from 0 to 4294967295"),
    ] {
        assert_eq!(refusal(part, instead).to_string(), sentence);
    }
}

#[test]
fn wrong_json_types_are_errors_that_name_the_field() {
    for (part, instead, field, reason) in [
        ("\"width\": 5, ", "", "problem", "missing field `width`"),
        ("\"width\": 5", "\"width\": 1e99", "width", "invalid type: floating point"),
        ("\"width\": 5", "\"width\": 99999999999999999999999", "width", "invalid"),
        ("\"pivot\": {\"x\": 0", "\"pivot\": {\"x\": \"a\"", "units[0].pivot.x", "invalid type"),
        ("[0]}", "[0]} more", "problem", "trailing characters"),
        ("{", "", "problem", ""),
        ("\"sourceSeeds\": [0]}", "\"sourceSe", "problem", "EOF"),
        ("\"pivot\": {\"x\": 0", "\"piv", "units[0]", ""),
    ] {
        let ProblemError::Json { field: named, reason: given } = refusal(part, instead) else {
            panic!("{instead} is not refused as JSON");
        };
        assert!(named == field && given.contains(reason), "{named}: {given}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*", cut in 0..300usize) {
        let _ = Problem::from_json(&text);
        let json = serde_json::to_string(&random_draft(&mut Rng::new(cut as u64))).unwrap();
        let cut = cut.min(json.len());
        let _ = Problem::from_json(&format!("{}{text}{}", &json[..cut], &json[cut..]));
    }

    #[test]
    fn no_number_of_a_problem_replaced_by_anything_makes_the_referee_panic(
        seed in 0..1000u64,
        place in any::<prop::sample::Index>(),
        instead in "-?[0-9]{1,20}|1e[0-9]{1,3}|null|\"a\"|\\[\\]",
    ) {
        let json = serde_json::to_string(&random_draft(&mut Rng::new(seed))).unwrap();
        let is_first = |&(at, c): &(usize, char)| {
            c.is_ascii_digit() && !json[..at].ends_with(|c: char| c.is_ascii_digit())
        };
        let numbers: Vec<usize> = json.char_indices().filter(is_first).map(|(at, _)| at).collect();
        let (before, after) = json.split_at(numbers[place.index(numbers.len())]);
        let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if let Ok(problem) = Problem::from_json(&format!("{before}{instead}{after}")) {
            let (phrases, seed) = (Phrases::known(), problem.seeds()[0]);
            let verdict = HextrisReferee::new(&problem, &phrases).score(seed, "ei!ia! ia!laaalalalaaa");
            prop_assert!(verdict.locked <= problem.source_length());
        }
    }

    #[test]
    fn no_draft_and_no_solution_makes_the_referee_panic(
        width in -2..140i64,
        height in prop_oneof![-2..20i64, Just(256), any::<i64>()],
        members in prop::collection::vec((-1001..1001i64, -1001..1001i64), 0..4),
        near in prop::collection::vec((0..4i64, 0..4i64), 0..4),
        pivot in (-1000..1001i64, -1000..1001i64),
        solution in "[a-z0-9 '!.]{0,60}\\PC{0,3}",
    ) {
        let spot = |&(x, y): &(i64, i64)| JsonCell { x, y };
        let unit = |cells: &[(i64, i64)]| JsonUnit {
            members: cells.iter().map(spot).collect(),
            pivot: spot(&pivot),
        };
        let draft = JsonProblem {
            id: 1,
            units: vec![unit(&members), unit(&near)],
            width,
            height,
            filled: vec![],
            source_length: 1_000_000,
            source_seeds: vec![5, 17],
        };
        let phrases = Phrases::new(["ei!", solution.trim()]);
        if let (Ok(problem), Ok(phrases)) = (Problem::new(draft), phrases) {
            for seed in [5, 17, 18] {
                let verdict = HextrisReferee::new(&problem, &phrases).score(seed, &solution);
                prop_assert_eq!(verdict.status == SolutionStatus::UnknownSeed, seed == 18);
            }
        }
    }
}
