//! Sections 2.e, 2.i and 2.j: the generator, the characters of the commands, and the phrases.

use ludion_hextris::{Command, DecodedChar, KNOWN_PHRASES, Unit, UnitSource};

use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding};
use crate::studies::reproduction::verdict::Verdict;
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem};

/// The first numbers of the generator for seed 17, from the statement of the contest.
const SEED_17: [u32; 10] = [0, 24107, 16552, 12125, 9427, 13152, 21440, 3383, 6873, 16117];

pub(super) fn generator() -> WorkItem {
    let head = ItemHead {
        id: "generator",
        kind: ItemKind::Claim,
        place: "section 2.e",
        title: "The generator of the units",
        published: "u₀ is the seed, u(n+1) = (1103515245 u(n) + 12345) mod 2³², and v(n) = ⌊u(n) / 2¹⁶⌋ \
                    mod 2¹⁵.",
        method: "The formula beside the generator of the referee, for a thousand seeds, and beside the \
                 numbers for seed 17 in the statement of the contest.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| {
        let formula = |seed: u32| {
            std::iter::successors(Some(u64::from(seed)), |u| {
                Some((1_103_515_245 * u + 12345) % (1 << 32))
            })
            .map(|u| (u / (1 << 16) % (1 << 15)) as u32)
        };
        let differs = |seed: u32| {
            let mut source = UnitSource::new(seed);
            formula(seed).take(100).any(|v| v != source.draw())
        };
        let different = (0..1000).filter(|seed| differs(seed * 4_294_967)).count() as u64;
        let wrong = formula(17).zip(SEED_17).filter(|(ours, theirs)| ours != theirs).count() as u64;
        Ok([different, wrong])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[[u64; 2]]| {
            let [different, wrong] = found.first().copied().unwrap_or_default();
            Finding::all(
                vec![
                    Comparison::exact(
                        "seeds of 1000 with a different number",
                        0.0,
                        different as f64,
                    ),
                    Comparison::exact("numbers of seed 17 that differ", 0.0, wrong as f64),
                ],
                "The formula is the generator of the contest; the first number comes from the seed itself.",
            )
        },
    )
}

/// Figure 1.5: the characters of each command.
const CHARACTERS: [(Command, &str); 6] = [
    (Command::West, "p'!.03"),
    (Command::East, "bcefy2"),
    (Command::SouthWest, "aghij4"),
    (Command::SouthEast, "lmno 5"),
    (Command::Clockwise, "dqrvz1"),
    (Command::CounterClockwise, "kstuwx"),
];

pub(super) fn commands() -> WorkItem {
    let head = ItemHead {
        id: "commands",
        kind: ItemKind::Table,
        place: "section 2.i, figure 1.5",
        title: "The characters of the commands",
        published: "Six characters for each of the six commands: p'!.03, bcefy2, aghij4, lmno space 5, \
                    dqrvz1, kstuwx. (The signs of the two rotations are hard to tell apart in the \
                    figure.)",
        method: "Each character as the referee decodes it.",
        command: "ludion hextris show well",
    };
    let measure = |_: &JobContext<'_>| {
        let wrong = |(command, characters): &(Command, &str)| {
            let decodes = |byte: u8| DecodedChar::from_byte(byte) == DecodedChar::Command(*command);
            characters.bytes().filter(|byte| !decodes(*byte)).count() as u64
        };
        Ok(CHARACTERS.iter().map(wrong).collect::<Vec<u64>>())
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[Vec<u64>]| {
            let rows = CHARACTERS.iter().zip(found.iter().flatten());
            let compare = |((command, characters), wrong): (&(Command, &str), &u64)| {
                let what = format!("characters of {command:?} that differ, of `{characters}`");
                Comparison::exact(what, 0.0, *wrong as f64)
            };
            Finding::all(rows.map(compare).collect(), "The table is that of the contest.")
        },
    )
}

/// Phrases of figure 1.6 whose commands can be read there.
const LEGIBLE: [(&str, &str); 2] = [("ei!", "→ ↙ ←"), ("ia! ia!", "↙ ↙ ← ↘ ↙ ↙ ←")];

/// Returns the commands of a phrase.
fn commands_of(phrase: &str) -> Vec<Command> {
    let command = |byte: u8| match DecodedChar::from_byte(byte) {
        DecodedChar::Command(command) => Some(command),
        _ => None,
    };
    phrase.bytes().filter_map(command).collect()
}

/// Returns a command as the report draws it.
pub(super) fn arrow(command: Command) -> &'static str {
    match command {
        Command::West => "←",
        Command::East => "→",
        Command::SouthWest => "↙",
        Command::SouthEast => "↘",
        Command::Clockwise => "↻",
        Command::CounterClockwise => "↺",
    }
}

/// Returns the commands of a phrase as the report draws them.
fn arrows(phrase: &str) -> String {
    commands_of(phrase).into_iter().map(arrow).collect::<Vec<&str>>().join(" ")
}

/// Numbers of phrases, of those with a rotation, and of those with a rotation that a single cell can
/// spell; then of all that a single cell can spell.
type PhraseCounts = [u64; 4];

pub(super) fn phrases() -> WorkItem {
    let head = ItemHead {
        id: "phrases",
        kind: ItemKind::Claim,
        place: "section 2.j, figure 1.6",
        title: "The phrases of power, and which of them a single cell can spell",
        published: "There are 18 phrases, given with their commands (most of which cannot be read in the \
                    copy at hand). For a unit of one cell with its pivot none of the phrases with \
                    a rotation is valid, because a rotation repeats the position.",
        method: "Each phrase is spelled by a unit of one cell in the middle of an empty board, and is \
                 valid if no placement occurs twice.",
        command: "",
    };
    let measure = |_: &JobContext<'_>| {
        let unit = Unit::new(&[(0, 0)], (0, 0), 100, 100);
        let turns =
            |command: &Command| matches!(command, Command::Clockwise | Command::CounterClockwise);
        let is_valid = |phrase: &str| {
            let mut seen = vec![unit.spawn()];
            commands_of(phrase).into_iter().all(|command| {
                let next = unit.step(seen[seen.len() - 1], command);
                let is_new = !seen.contains(&next);
                seen.push(next);
                is_new
            })
        };
        let all = KNOWN_PHRASES.iter();
        let turning = all.clone().filter(|phrase| commands_of(phrase).iter().any(turns));
        let valid = turning.clone().filter(|phrase| is_valid(phrase)).count() as u64;
        let spelled = all.clone().filter(|phrase| is_valid(phrase)).count() as u64;
        Ok([all.count() as u64, turning.count() as u64, valid, spelled])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[PhraseCounts]| {
            let [all, turning, valid, spelled] = found.first().copied().unwrap_or_default();
            let mut rest =
                Comparison::exact("phrases that a single cell can spell", 0.0, spelled as f64);
            (rest.published, rest.verdict) = (String::new(), Verdict::Unknowable);
            let mut comparisons = vec![Comparison::exact("phrases", 18.0, all as f64)];
            comparisons.extend(LEGIBLE.map(|(phrase, published)| {
                Comparison::text(format!("commands of `{phrase}`"), published, arrows(phrase))
            }));
            comparisons.push(Comparison::exact(
                format!("of {turning} phrases with a rotation, valid for a single cell"),
                0.0,
                valid as f64,
            ));
            comparisons.push(rest);
            Finding::all(
                comparisons,
                "As stated. Phrases without a rotation can fail for a single cell, too, if they go back and \
             forth. That the team found 15 of the 18 during the contest cannot be checked.",
            )
        },
    )
}
