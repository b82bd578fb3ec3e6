//! Domineering, by Göran Andersson (about 1973). The sides put dominoes on two empty cells each, the
//! first side vertically, the second horizontally. A side that cannot move loses; there is no draw.

use std::collections::BTreeMap;

use crate::encoding::{EncodingShape, push_bits};
use crate::erased::GameBuilder;
use crate::evaluator::{Evaluator, WIN, expected_result};
use crate::game::{Game, Side, Status};
use crate::named::NamedGame;
use crate::notation::{NotationError, NotationReader, show_grid};
use crate::outcome::Duel;
use crate::param::{Args, Param, ParamError};
use crate::presentation::StrengthLevel;
use crate::random::Rng;
use crate::scene::{Coord, Piece, PieceShape, Scene, Symmetry, cell_name};

use super::bits::{BitGrid, bits};

/// The rules of Domineering: the size of the board.
#[derive(Clone, Copy, Debug)]
pub struct Domineering {
    grid: BitGrid,
}

/// The occupied cells, as bits `row·cols + column` counted from the top left. Which domino covers a
/// cell does not matter for the rest of the game, and the side to move follows from their number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct DomineeringState {
    covered: u64,
}

impl DomineeringState {
    #[inline]
    fn turn(self) -> Side {
        Side::after(self.covered.count_ones() / 2)
    }
}

impl Domineering {
    /// Returns the game on `rows` × `cols` cells, at most 64.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        Domineering { grid: BitGrid::flat(cols, rows) }
    }

    /// Returns the upper or left cells of the places for a domino of `side`.
    #[inline]
    fn places(&self, covered: u64, side: Side) -> u64 {
        let empty = self.grid.all() & !covered;
        match side {
            Side::First => empty & self.grid.up(empty),
            Side::Second => empty & self.grid.left(empty),
        }
    }

    /// Returns the cells of the domino of `side` whose upper or left cell is `cell`.
    #[inline]
    fn domino(&self, cell: u64, side: Side) -> u64 {
        match side {
            Side::First => cell | cell << self.grid.cols,
            Side::Second => cell | cell << 1,
        }
    }

    /// Returns whether dominoes of alternate moves, the first of which is vertical, can cover exactly
    /// these cells.
    fn is_possible(&self, covered: u64) -> bool {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        let dominoes = covered.count_ones() / 2;
        // Fewer sets occur if they are filled along the shorter side of the board.
        let transposed = BitGrid::flat(rows, cols);
        let (grid, set, filled_down) = match rows < cols {
            false => (self.grid, covered, dominoes.div_ceil(2)),
            true => {
                let cells =
                    bits(covered).map(|i| usize::from(i) % cols * rows + usize::from(i) / cols);
                (transposed, cells.map(|i| 1 << i).sum(), dominoes / 2)
            }
        };
        // The cells that are left, and as bits the possible numbers of dominoes down the board so far.
        let mut reached = BTreeMap::from([(set, 1u64)]);
        for _ in 0..dominoes {
            let mut next = BTreeMap::new();
            for (rest, counts) in reached {
                let cell = rest & rest.wrapping_neg();
                for (neighbour, counts) in
                    [(grid.right(cell), counts), (grid.down(cell), counts << 1)]
                {
                    if rest & neighbour != 0 {
                        *next.entry(rest & !(cell | neighbour)).or_insert(0) |= counts;
                    }
                }
            }
            reached = next;
        }
        reached.get(&0).is_some_and(|counts| counts >> filled_down & 1 == 1)
    }

    /// Returns the cells that certainly have a vertical domino, and those that certainly have a
    /// horizontal one: a covered cell beside a single other one shares a domino with it.
    fn certain(&self, covered: u64) -> [u64; 2] {
        let (mut left, mut certain) = (covered, [0; 2]);
        loop {
            let alone = bits(left).map(|cell| 1 << cell).find_map(|cell: u64| {
                let down = (self.grid.up(cell) | self.grid.down(cell)) & left;
                let across = (self.grid.left(cell) | self.grid.right(cell)) & left;
                let is_single = (down | across).is_power_of_two();
                is_single.then_some((cell | down | across, usize::from(down == 0)))
            });
            let Some((domino, side)) = alone else { return certain };
            certain[side] |= domino;
            left &= !domino;
        }
    }

    fn coords(&self, m: u8, side: Side) -> [Coord; 2] {
        let at = |cell: usize| Coord::new(cell % self.grid.cols, cell / self.grid.cols);
        let step = if side == Side::First { self.grid.cols } else { 1 };
        [at(m.into()), at(usize::from(m) + step)]
    }
}

impl Game for Domineering {
    type State = DomineeringState;
    /// The upper or left cell of the domino.
    type Move = u8;
    type Outcome = Duel;

    fn start(&self) -> DomineeringState {
        DomineeringState::default()
    }

    #[inline]
    fn status(&self, s: &DomineeringState) -> Status<Duel> {
        match self.places(s.covered, s.turn()) {
            0 => Status::Over(Duel::Won(s.turn().other())),
            _ => Status::Turn(s.turn()),
        }
    }

    #[inline]
    fn moves(&self, s: &DomineeringState, out: &mut Vec<u8>) {
        for cell in bits(self.places(s.covered, s.turn())) {
            out.push(cell);
        }
    }

    #[inline]
    fn play(&self, s: &mut DomineeringState, m: u8) {
        s.covered |= self.domino(1 << m, s.turn());
    }

    #[inline]
    fn key(&self, s: &DomineeringState) -> u64 {
        s.covered
    }

    #[inline]
    fn count_moves(&self, s: &DomineeringState, _scratch: &mut Vec<u8>) -> usize {
        self.places(s.covered, s.turn()).count_ones() as usize
    }

    #[inline]
    fn count_replies(&self, s: &DomineeringState, _scratch: &mut Vec<u8>) -> u64 {
        let (side, mut places, mut lines) = (s.turn(), self.places(s.covered, s.turn()), 0);
        while places != 0 {
            let cell = places & places.wrapping_neg();
            places ^= cell;
            let covered = s.covered | self.domino(cell, side);
            lines += u64::from(self.places(covered, side.other()).count_ones());
        }
        lines
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: u8) -> usize {
        m.into()
    }

    fn playout(&self, s: DomineeringState, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Duel {
        let (mut covered, mut side) = (s.covered, s.turn());
        loop {
            let mut places = self.places(covered, side);
            if places == 0 {
                return Duel::Won(side.other());
            }
            for _ in 0..rng.below(places.count_ones() as usize) {
                places &= places - 1;
            }
            covered |= self.domino(places & places.wrapping_neg(), side);
            side = side.other();
        }
    }

    fn show_state(&self, s: &DomineeringState) -> String {
        let cols = self.grid.cols;
        show_grid(cols, self.grid.rows, |x, y| match s.covered >> (y * cols + x) & 1 {
            0 => '.',
            _ => '#',
        })
    }

    fn read_state(&self, text: &str) -> Result<DomineeringState, NotationError> {
        let mut reader = NotationReader::new(text);
        let cells = reader.grid(self.grid.cols, self.grid.rows, ".#")?;
        reader.end()?;
        let covered = (0..cells.len()).filter(|&i| cells[i] == 1).map(|i| 1 << i).sum::<u64>();
        if covered.count_ones() % 2 == 1 {
            let count = covered.count_ones();
            return Err(reader.whole(format!("{count} covered cells are no whole dominoes")));
        }
        if !self.is_possible(covered) {
            let dominoes = covered.count_ones() / 2;
            let (vertical, horizontal) = (dominoes.div_ceil(2), dominoes / 2);
            return Err(reader.whole(format!(
                "{vertical} vertical and {horizontal} horizontal dominoes do not cover these cells"
            )));
        }
        Ok(DomineeringState { covered })
    }

    fn show_move(&self, s: &DomineeringState, m: u8) -> String {
        let rows = self.grid.rows;
        self.coords(m, s.turn()).map(|at| cell_name(at.x.into(), at.y.into(), rows)).concat()
    }

    fn read_move(&self, s: &DomineeringState, text: &str) -> Result<u8, NotationError> {
        super::read_pair_of_cells(self, s, text)
    }

    /// A piece covers a cell, whatever its owner: the owners of dominoes follow from the cells.
    fn state_of_pieces(
        &self,
        pieces: &[Piece],
        _turn: Side,
    ) -> Result<DomineeringState, NotationError> {
        let is_covered = |x, y| pieces.iter().any(|piece| piece.at == Coord::new(x, y));
        let cell = |x, y| if is_covered(x, y) { '#' } else { '.' };
        self.read_state(&show_grid(self.grid.cols, self.grid.rows, cell))
    }

    fn scene(&self, s: &DomineeringState) -> Scene {
        let (cols, rows) = (self.grid.cols, self.grid.rows);
        let mut scene = Scene::grid(cols, rows);
        let certain = self.certain(s.covered);
        for cell in bits(s.covered).map(usize::from) {
            let has_domino = |side: &Side| certain[side.index()] >> cell & 1 == 1;
            let owner = Side::BOTH.into_iter().find(has_domino);
            let shape = if owner.is_some() { PieceShape::Block } else { PieceShape::Token };
            scene.put(Coord::new(cell % cols, cell / cols), owner, shape);
        }
        scene.name_like_chess();
        let is_open = certain[0] | certain[1] != s.covered;
        let open = if is_open { "; small squares: either" } else { "" };
        scene.caption = format!("first: vertical, second: horizontal{open}");
        scene
    }

    fn side_names(&self) -> [&'static str; 2] {
        ["Vertical", "Horizontal"]
    }

    fn touches(&self, s: &DomineeringState, m: u8) -> Vec<Coord> {
        self.coords(m, s.turn()).to_vec()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror, Symmetry::Flip, Symmetry::HalfTurn]
    }

    fn transform(&self, s: &DomineeringState, symmetry: Symmetry) -> DomineeringState {
        DomineeringState { covered: self.grid.image(s.covered, symmetry) }
    }

    /// One plane of covered cells; an extra is set for the second side. An action is the upper or left
    /// cell of a domino.
    fn encoding(&self) -> EncodingShape {
        let (rows, cols) = (self.grid.rows, self.grid.cols);
        EncodingShape { planes: 1, rows, cols, extras: 1, actions: rows * cols }
    }

    #[inline]
    fn features(&self, s: &DomineeringState, seen_by: Side, out: &mut Vec<u32>) {
        push_bits(s.covered, 0, out);
        if seen_by == Side::Second {
            out.push(self.grid.cells() as u32);
        }
    }

    #[inline]
    fn actions(&self, _s: &DomineeringState, moves: &[u8], out: &mut Vec<u32>) {
        out.extend(moves.iter().map(|&cell| u32::from(cell)));
    }
}

/// Evaluates a position by the places for dominoes of each side, and more by the places that the
/// opponent cannot cover.
#[derive(Clone, Copy, Debug)]
pub struct PlacementEvaluator;

impl PlacementEvaluator {
    fn side_value(g: &Domineering, covered: u64, side: Side) -> i32 {
        let places = g.places(covered, side);
        let other = g.places(covered, side.other());
        // Cells that a domino of the opponent can cover, now.
        let open = other | g.domino(other, side.other());
        let back = |set| if side == Side::First { g.grid.up(set) } else { g.grid.left(set) };
        let safe = places & !(open | back(open));
        // Safe places may overlap: a run of n cells holds n/2 dominoes.
        let count = |set: u64| set.count_ones() as i32;
        10 * count(places) + 25 * count(safe)
    }
}

impl Evaluator<Domineering> for PlacementEvaluator {
    fn value(&self, g: &Domineering, s: &DomineeringState) -> i32 {
        let value = PlacementEvaluator::side_value(g, s.covered, s.turn())
            - PlacementEvaluator::side_value(g, s.covered, s.turn().other());
        value.clamp(1 - WIN, WIN - 1)
    }

    fn expected_result(&self, g: &Domineering, s: &DomineeringState) -> f64 {
        expected_result(self.value(g, s), 60.0)
    }
}

/// Returns the registry entry of Domineering, with the evaluator `places`.
#[must_use]
pub fn entry() -> GameBuilder<Domineering> {
    GameBuilder::duel().evaluator(
        "places",
        "places for dominoes, and those that cannot be taken away",
        PlacementEvaluator,
    )
}

impl NamedGame for Domineering {
    const NAME: &'static str = "domineering";
    const TITLE: &'static str = "Domineering";
    const RULES: &'static str = "Each move covers two empty neighbouring cells with a domino. One player places dominoes \
        vertically, the other one horizontally. The player who cannot place a domino loses.";
    const HELP: &'static str = "vertical against horizontal dominoes; no move left loses";
    const PARAMS: &'static [Param] = &[
        Param::int("rows", 8, 1, 32, "rows; rows times columns is at most 64"),
        Param::int("cols", 8, 1, 32, "columns"),
    ];
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::perfect_in(
        "deepening(secs=0)",
        &["domineering(4, 4)", "domineering(5, 6)"],
    )];
    const EXAMPLES: &'static [&'static str] =
        &["domineering", "domineering(4, 4)", "domineering(5, 6)", "domineering(2, 13)"];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let (rows, cols) = (args.size("rows"), args.size("cols"));
        if rows * cols > 64 {
            return Err(args.together(format!(
                "{rows} rows of {cols} make {} cells, and the board holds at most 64",
                rows * cols
            )));
        }
        Ok(Domineering::new(rows, cols))
    }
}
