//! A slow referee of hexagonal Tetris, written directly from the rules with coordinates and sets of
//! cells. The fast referee must agree with it.

use std::collections::{BTreeSet, HashSet};

use ludion::games::hextris::{JsonProblem, SolutionStatus};

type Cell = (i64, i64);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Piece {
    pivot: Cell,
    cells: BTreeSet<Cell>,
}

/// The result of the slow referee.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Finding {
    pub(crate) status: SolutionStatus,
    pub(crate) move_score: u64,
    pub(crate) power_score: u64,
    pub(crate) locked: usize,
    pub(crate) lines: u64,
    /// The index of the character that is an error, and of the one that first reached the repeated
    /// placement.
    pub(crate) error: Option<usize>,
    pub(crate) first: Option<usize>,
}

fn cube((x, y): Cell) -> [i64; 3] {
    let a = x - (y - (y & 1)) / 2;
    [a, -a - y, y]
}

fn offset([a, _, c]: [i64; 3]) -> Cell {
    (a + (c - (c & 1)) / 2, c)
}

/// Rotates a cell about `pivot` by `sixths` of a turn clockwise.
fn turned(cell: Cell, pivot: Cell, sixths: usize) -> Cell {
    let (c, p) = (cube(cell), cube(pivot));
    let mut d = [c[0] - p[0], c[1] - p[1], c[2] - p[2]];
    for _ in 0..sixths {
        d = [-d[2], -d[0], -d[1]];
    }
    offset([p[0] + d[0], p[1] + d[1], p[2] + d[2]])
}

impl Piece {
    fn map(&self, f: impl Fn(Cell) -> Cell) -> Piece {
        Piece { pivot: f(self.pivot), cells: self.cells.iter().map(|&cell| f(cell)).collect() }
    }

    fn moved(&self, command: usize) -> Piece {
        match command {
            0 => self.map(|(x, y)| (x - 1, y)),
            1 => self.map(|(x, y)| (x + 1, y)),
            2 => self.map(|(x, y)| (if y & 1 == 0 { x - 1 } else { x }, y + 1)),
            3 => self.map(|(x, y)| (if y & 1 == 1 { x + 1 } else { x }, y + 1)),
            4 => self.map(|cell| turned(cell, self.pivot, 1)),
            _ => self.map(|cell| turned(cell, self.pivot, 5)),
        }
    }
}

struct Table<'a> {
    draft: &'a JsonProblem,
    full: HashSet<Cell>,
    units: Vec<usize>,
    piece: Option<Piece>,
    /// The placements of the piece so far, and the index of the character that led to each.
    been: Vec<(Piece, Option<usize>)>,
    lines_before: u64,
    finding: Finding,
}

impl Table<'_> {
    fn fits(&self, piece: &Piece) -> bool {
        let inside = |x, y| x >= 0 && x < self.draft.width && y >= 0 && y < self.draft.height;
        piece.cells.iter().all(|&(x, y)| inside(x, y) && !self.full.contains(&(x, y)))
    }

    fn spawn(&mut self) {
        let Some(&unit) = self.units.get(self.finding.locked) else {
            self.finding.status = SolutionStatus::Ended;
            return;
        };
        let unit = &self.draft.units[unit];
        let given = Piece {
            pivot: (unit.pivot.x, unit.pivot.y),
            cells: unit.members.iter().map(|member| (member.x, member.y)).collect(),
        };
        let left = given.cells.iter().map(|cell| cell.0).min().unwrap();
        let top = given.cells.iter().map(|cell| cell.1).min().unwrap();
        let corner = given.map(|(x, y)| (x - left, y - top));
        let width = corner.cells.iter().map(|cell| cell.0).max().unwrap() + 1;
        let east = (self.draft.width - width).div_euclid(2);
        let piece = corner.map(|(x, y)| (x + east, y));
        if self.fits(&piece) {
            self.been = vec![(piece.clone(), None)];
            self.piece = Some(piece);
        } else {
            self.finding.status = SolutionStatus::Full;
        }
    }

    fn lock(&mut self, piece: &Piece) {
        self.full.extend(&piece.cells);
        let mut lines = 0;
        for y in 0..self.draft.height {
            if (0..self.draft.width).all(|x| self.full.contains(&(x, y))) {
                lines += 1;
                let below = |cell: &Cell| if cell.1 < y { (cell.0, cell.1 + 1) } else { *cell };
                self.full = self.full.iter().filter(|cell| cell.1 != y).map(below).collect();
            }
        }
        let points = piece.cells.len() as u64 + 100 * (1 + lines) * lines / 2;
        let bonus = if self.lines_before > 1 { (self.lines_before - 1) * points / 10 } else { 0 };
        self.finding.move_score += points + bonus;
        self.finding.lines += lines;
        self.finding.locked += 1;
        self.lines_before = lines;
        self.spawn();
    }

    /// Executes the character at `at`, unless it is an error.
    fn execute(&mut self, at: usize, character: char) -> Result<(), SolutionStatus> {
        if "\t\n\r".contains(character) {
            return Ok(());
        }
        let Some(piece) = self.piece.clone() else { return Err(SolutionStatus::AfterTheEnd) };
        let lists = ["p'!.03", "bcefy2", "aghij4", "lmno 5", "dqrvz1", "kstuwx"];
        let lower = character.to_ascii_lowercase();
        let command = lists.iter().position(|list| list.contains(lower));
        let next = piece.moved(command.ok_or(SolutionStatus::BadCharacter)?);
        if !self.fits(&next) {
            self.piece = None;
            self.lock(&piece);
            return Ok(());
        }
        if let Some((_, first)) = self.been.iter().find(|(been, _)| *been == next) {
            self.finding.first = *first;
            return Err(SolutionStatus::Repetition);
        }
        self.been.push((next.clone(), Some(at)));
        self.piece = Some(next);
        Ok(())
    }
}

fn source(draft: &JsonProblem, seed: u32) -> Vec<usize> {
    let numbers = std::iter::successors(Some(u64::from(seed)), |s| {
        Some((s * 1_103_515_245 + 12_345) % (1 << 32))
    });
    let unit = |s: u64| (s / 65_536 % 32_768) as usize % draft.units.len();
    numbers.map(unit).take(draft.source_length as usize).collect()
}

fn power(solution: &str, phrases: &[&str]) -> u64 {
    let solution = solution.to_ascii_lowercase().into_bytes();
    let different: BTreeSet<String> =
        phrases.iter().map(|phrase| phrase.to_ascii_lowercase()).collect();
    let worth = |phrase: &String| {
        let windows = solution.windows(phrase.len());
        let times = windows.filter(|window| *window == phrase.as_bytes()).count();
        2 * (phrase.len() * times) as u64 + if times > 0 { 300 } else { 0 }
    };
    different.iter().map(worth).sum()
}

/// Scores a solution.
pub(crate) fn judge(draft: &JsonProblem, phrases: &[&str], seed: u32, solution: &str) -> Finding {
    let mut table = Table {
        draft,
        full: draft.filled.iter().map(|spot| (spot.x, spot.y)).collect(),
        units: source(draft, seed),
        piece: None,
        been: Vec::new(),
        lines_before: 0,
        finding: Finding {
            status: SolutionStatus::InProgress,
            move_score: 0,
            power_score: 0,
            locked: 0,
            lines: 0,
            error: None,
            first: None,
        },
    };
    table.spawn();
    for (at, character) in solution.chars().enumerate() {
        if let Err(status) = table.execute(at, character) {
            return Finding { status, move_score: 0, error: Some(at), ..table.finding };
        }
    }
    Finding { power_score: power(solution, phrases), ..table.finding }
}
