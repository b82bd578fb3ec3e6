//! Sections 3.d and 3.f: the breadth-first search over placements, in the form of figures 1.11 and
//! 1.12, and how often its paths use phrases.

use ludion_hextris::solver::reached::{ReachedBy, ReachedPlacements};
use ludion_hextris::{Command, HexBoard, Phrases, Placement, Problem, Unit};
use serde::{Deserialize, Serialize};

use super::notation::arrow;
use super::{SLOTS, job_problems};
use crate::studies::JobFailure;
use crate::studies::reproduction::JudgeContext;
use crate::studies::reproduction::finding::{Comparison, Finding, FindingTable};
use crate::studies::reproduction::verdict::{MeasuredValue, Verdict};
use crate::studies::reproduction::work::{ItemHead, ItemKind, JobContext, WorkItem, failed};

/// Number of columns and rows of the board of the drawn search.
const SIDE: usize = 9;

/// The search of a unit of one cell on an empty board, without phrases or with them.
#[derive(Serialize, Deserialize)]
struct DrawnSearch {
    /// By row and column the step that reached the cell first.
    cells: Vec<Vec<String>>,
    /// Cells with a path, and those of them whose path is not a shortest one.
    reached: u64,
    longer: u64,
}

/// Returns the problem of one cell on an empty board.
fn one_cell() -> Result<Problem, JobFailure> {
    let json = format!(
        r#"{{"id":0,"units":[{{"members":[{{"x":0,"y":0}}],"pivot":{{"x":0,"y":0}}}}],
            "width":{SIDE},"height":{SIDE},"filled":[],"sourceLength":1,"sourceSeeds":[0]}}"#
    );
    Problem::from_json(&json).map_err(failed)
}

/// Returns the least number of commands that lead the unit from its spawn to each cell, by row and
/// column, found by relaxation.
fn least_commands(unit: &Unit, board: &HexBoard) -> Vec<Vec<usize>> {
    let mut least = vec![vec![usize::MAX; SIDE]; SIDE];
    let spawn = unit.spawn();
    least[spawn.y as usize][spawn.x as usize] = 0;
    for _ in 0..SIDE * SIDE {
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            for command in Command::ALL {
                let next = unit.step(Placement { x: x as i16, y: y as i16, turn: 0 }, command);
                if unit.fits(board, next) {
                    let through = least[y][x].saturating_add(1);
                    let known = &mut least[next.y as usize][next.x as usize];
                    *known = through.min(*known);
                }
            }
        }
    }
    least
}

/// Draws the search of the report with these phrases.
fn draw_search(phrases: &Phrases) -> Result<DrawnSearch, JobFailure> {
    let problem = one_cell()?;
    let (unit, board) = (&problem.units()[0], problem.board());
    let search = ReachedPlacements::new(&problem, board, unit, phrases);
    let least = least_commands(unit, board);
    let mut drawn =
        DrawnSearch { cells: vec![vec![String::new(); SIDE]; SIDE], reached: 0, longer: 0 };
    for (i, placement) in search.all().iter().enumerate() {
        let (x, y) = (placement.at.x as usize, placement.at.y as usize);
        drawn.cells[y][x] = match placement.by {
            ReachedBy::Spawn => "•".to_owned(),
            ReachedBy::Command(command) => arrow(command).to_owned(),
            ReachedBy::Phrase(number) => phrases.list()[number].clone(),
        };
        let commands: usize = search.steps(i).iter().map(|step| step.through.len()).sum();
        drawn.reached += 1;
        drawn.longer += u64::from(commands > least[y][x]);
    }
    Ok(drawn)
}

pub(super) fn paths() -> WorkItem {
    let head = ItemHead {
        id: "paths",
        kind: ItemKind::Figure,
        place: "section 3.d, figures 1.11 and 1.12",
        title: "The steps that discover cells",
        published: "Figure 1.11 shows for a unit of one cell by which step each cell was discovered; to \
                    find paths one follows the arrows. A queue makes the search breadth-first, which \
                    guarantees paths of least length. Figure 1.12 is the same with phrases tried first.",
        method: "The same search on an empty board of 9 by 9, without phrases and with the 18. The least \
                 numbers of commands are computed apart, by relaxation.",
        command: "ludion hextris show dot --placements",
    };
    let measure = |_: &JobContext<'_>| -> Result<[DrawnSearch; 2], JobFailure> {
        Ok([draw_search(&Phrases::none())?, draw_search(&Phrases::known())?])
    };
    WorkItem::measured(
        head,
        |_| 1,
        measure,
        |_: &JudgeContext<'_>, found: &[[DrawnSearch; 2]]| {
            let Some([plain, spelled]) = found.first() else {
                return Finding::new(Verdict::Unknowable, "");
            };
            let what = format!("cells of {} whose path is not a shortest one", plain.reached);
            let with_phrases = Comparison {
                published: String::new(),
                verdict: Verdict::Unknowable,
                ..Comparison::exact("the same with phrases", 0.0, spelled.longer as f64)
            };
            Finding::all(
            vec![Comparison::exact(what, 0.0, plain.longer as f64), with_phrases],
            "Without phrases the paths are shortest, as stated. With phrases a step can be many commands \
             long, so that the guarantee is about steps, not commands; the report says itself that \
             length does not matter. • is where the unit appears; odd rows stand half a cell to the \
             right. A single cell can spell two phrases only.",
        )
        .table(search_table("As figure 1.11, without phrases", plain))
        .table(search_table("As figure 1.12, with phrases", spelled))
        },
    )
}

fn search_table(caption: &str, drawn: &DrawnSearch) -> FindingTable {
    let row = |(y, cells): (usize, &Vec<String>)| {
        std::iter::once(y.to_string()).chain(cells.iter().cloned()).collect()
    };
    let mut columns = vec!["y \\ x".to_owned()];
    columns.extend((0..SIDE).map(|x| x.to_string()));
    FindingTable {
        caption: caption.to_owned(),
        columns,
        rows: drawn.cells.iter().enumerate().map(row).collect(),
        verdict: None,
    }
}

/// Placements of the first unit of a problem: all, those first reached by a phrase, and those that
/// can lock.
#[derive(Serialize, Deserialize)]
struct ReachedCounts {
    problem: String,
    all: u64,
    by_phrase: u64,
    lockable: u64,
}

pub(super) fn reached() -> WorkItem {
    let head = ItemHead {
        id: "reached",
        kind: ItemKind::Figure,
        place: "section 3.f, figure 1.12",
        title: "How many placements phrases reach",
        published: "Phrases are single steps that are tried first, so that they appear in the paths. \
                    Many cells that a phrase could discover are discovered by single commands only; \
                    figure 1.12 shows how little phrases are used.",
        method: "The same search for the first unit of every problem: placements, and how many of them \
                 were first reached by a whole phrase.",
        command: "ludion hextris show tetrahexes --placements",
    };
    WorkItem::measured(head, |_| SLOTS, count_reached, judge_reached)
}

fn count_reached(context: &JobContext<'_>) -> Result<Vec<ReachedCounts>, JobFailure> {
    let phrases = Phrases::known();
    let count = |(name, problem): (String, Problem)| {
        let unit = &problem.units()[problem.source(problem.seeds()[0]).next().unwrap_or(0)];
        let reached = ReachedPlacements::new(&problem, problem.board(), unit, &phrases);
        let all = reached.all().iter();
        ReachedCounts {
            problem: name,
            all: reached.all().len() as u64,
            by_phrase: all.clone().filter(|one| one.phrase().is_some()).count() as u64,
            lockable: all.filter(|one| one.can_lock).count() as u64,
        }
    };
    Ok(job_problems(context).into_iter().map(count).collect())
}

fn judge_reached(_: &JudgeContext<'_>, found: &[Vec<ReachedCounts>]) -> Finding {
    let rows: Vec<&ReachedCounts> = found.iter().flatten().collect();
    let (all, phrases) =
        rows.iter().fold((0, 0), |(all, by), one| (all + one.all, by + one.by_phrase));
    let share = MeasuredValue::share(phrases, all);
    let verdict = Verdict::positive(MeasuredValue::exact(0.5).difference(share));
    let row = |one: &&ReachedCounts| {
        let counts = [one.all, one.lockable, one.by_phrase].map(|count| count.to_string());
        [vec![one.problem.clone()], counts.to_vec()].concat()
    };
    let columns = ["problem", "placements", "can lock", "reached by a phrase"];
    Finding::new(
        verdict,
        "*Little* is read as: fewer than half of the placements. The search takes the first way to a \
         placement, and single steps soon fill the neighbourhood of every placement that a phrase leads \
         to.",
    )
    .comparing([Comparison::share("placements reached by a phrase", "few", share, verdict)])
    .table(FindingTable {
        caption: "Placements of the first unit".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.iter().map(row).collect(),
        verdict: None,
    })
}
