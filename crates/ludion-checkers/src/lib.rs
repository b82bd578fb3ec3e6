//! Checkers (French: *dames*) with seven rule sets on boards of 6×6, 8×8 and 10×10 squares.
//! Rule sets are data ([`rules::CheckersRules`]), and one bitboard move generator serves them
//! all.
//!
//! Men step diagonally forwards, captures are compulsory, and a side that cannot move loses.
//! Internally the first side always starts at the bottom and moves up; the numbering of squares and
//! the colours of the sides only matter for notation.

mod balance;
mod board;
mod capture_paths;
mod capture_search;
mod encoding;
pub mod endgame;
pub mod evaluator;
mod generator;
mod grid;
mod hub;
pub mod king_endgame;
mod learned;
mod notation;
pub mod pdn;
mod playout;
mod replies;
pub mod rules;

use ludion_core::bits::bits;
use ludion_core::encoding::EncodingShape;
use ludion_core::game::{Game, Side, Status, count_replies, perft, random_game};
use ludion_core::named::NamedGame;
use ludion_core::notation::NotationError;
use ludion_core::outcome::{Duel, DuelTally, Outcome};
use ludion_core::param::{Alias, Args, Param, ParamError, Spec};
use ludion_core::presentation::StrengthLevel;
use ludion_core::random::{Rng, mix};
use ludion_core::repetition::RepetitionRule;
use ludion_core::scene::{Coord, Piece, PieceShape, Scene, Symmetry};

use board::PaddedBoard;
use rules::{CheckersRules, PromotionRule, SideColour, SquareNumbering};

/// The game of checkers: a rule set and a board size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checkers {
    rules: CheckersRules,
    /// The number of dark squares per row: half the board size.
    width: u8,
    /// Whether the game has the simple rules on 8×8, for which the move generator is compiled
    /// separately with the rules as constants.
    simple: bool,
    /// Whether the third occurrence of a position is a draw.
    repetition: bool,
}

/// The pieces of each side, which of them are kings, and the side to move. Sets of squares are
/// bitboards with padding bits; [`Checkers::squares`] lists the bits that are squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckersState {
    /// The men and kings of the first side and of the second.
    pub pieces: [u64; 2],
    /// The kings of both sides.
    pub kings: u64,
    /// The side to move.
    pub turn: Side,
    /// The number of plies since the last capture or move of a man.
    pub quiet: u8,
}

/// A move of one piece with the pieces that it captures. Captures that differ only by the path of
/// the piece are one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckersMove {
    /// The captured pieces, as a set of squares.
    pub taken: u64,
    /// The bit number of the square that the piece leaves.
    pub from: u8,
    /// The bit number of the square on which the move ends.
    pub to: u8,
    /// Whether the move promotes a man to a king.
    pub crowned: bool,
}

/// The number of plies before the draw by many plies of kings alone at which the counter of these plies begins to
/// matter to an estimate.
const DRAW_HORIZON: u8 = 20;

impl CheckersState {
    /// Returns the pieces of the side to move.
    #[inline(always)]
    #[must_use]
    pub fn mine(&self) -> u64 {
        self.pieces[self.turn.index()]
    }

    /// Returns the pieces of the opponent of the side to move.
    #[inline(always)]
    #[must_use]
    pub fn theirs(&self) -> u64 {
        self.pieces[self.turn.other().index()]
    }

    /// Returns the pieces of both sides.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> u64 {
        self.pieces[0] | self.pieces[1]
    }
}

/// Calls a function of the move generator in the instance that is compiled for the width of the
/// board or, with the simple rules, for these rules as constants.
macro_rules! on_board {
    ($g:expr, $call:ident($($argument:expr),*)) => {
        match ($g.simple, $g.width) {
            (true, _) => generator::$call::<4>(&rules::SIMPLE, $($argument),*),
            (_, 3) => generator::$call::<3>(&$g.rules, $($argument),*),
            (_, 4) => generator::$call::<4>(&$g.rules, $($argument),*),
            _ => generator::$call::<5>(&$g.rules, $($argument),*),
        }
    };
}

impl Checkers {
    /// Returns the game with a rule set on `size` × `size` squares; `size` is 6, 8 or 10.
    #[must_use]
    pub fn new(rules: CheckersRules, size: u8) -> Self {
        assert!(matches!(size, 6 | 8 | 10), "the board fits 64 bits");
        let simple = rules == rules::SIMPLE && size == 8;
        Checkers { rules, width: size / 2, simple, repetition: false }
    }

    /// Parses a spec such as `checkers(english, 6)`; `None` if it is not a valid spec of
    /// checkers.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let spec = Spec::parse(text).ok().filter(|spec| Self::is_called(&spec.name))?;
        Self::from_spec(&spec).ok()
    }

    /// Returns the rule set.
    #[must_use]
    pub fn rules(&self) -> &CheckersRules {
        &self.rules
    }

    /// Returns the number of squares per side of the board.
    #[must_use]
    pub fn size(&self) -> usize {
        2 * usize::from(self.width)
    }

    /// Iterates over the numbers of the bits that represent the dark squares in a state, row by row
    /// from the top left, with the first side at the bottom.
    pub fn squares(&self) -> impl Iterator<Item = u8> + use<> {
        let w = u32::from(self.width);
        (0..2 * w * w).map(move |i| board::bit(w, i / w, i % w))
    }

    /// Appends the legal moves, with a capture repeated for every path by which it can be
    /// made.
    pub fn moves_by_path(&self, s: &CheckersState, out: &mut Vec<CheckersMove>) {
        if !self.is_drawn(s) {
            on_board!(self, list_moves(s, true, out));
        }
    }

    /// Returns the number of move sequences of `depth` plies (perft), with captures that differ
    /// only by their path counted separately, as some published perft tables do.
    #[must_use]
    pub fn perft_by_path(&self, s: &CheckersState, depth: u32) -> u64 {
        self.perft_by_path_with(s, depth, &mut Vec::new())
    }

    fn perft_by_path_with(
        &self,
        s: &CheckersState,
        depth: u32,
        moves: &mut Vec<CheckersMove>,
    ) -> u64 {
        if depth == 0 {
            return 1;
        }
        let base = moves.len();
        self.moves_by_path(s, moves);
        let lines = if depth == 1 {
            (moves.len() - base) as u64
        } else {
            (base..moves.len()).fold(0, |lines, i| {
                lines + self.perft_by_path_with(&self.after(s, moves[i]), depth - 1, moves)
            })
        };
        moves.truncate(base);
        lines
    }

    /// Returns whether the side to move must capture.
    #[inline]
    #[must_use]
    pub fn must_capture(&self, s: &CheckersState) -> bool {
        on_board!(self, must_capture(s))
    }

    /// Counts the steps to neighbouring squares that the pieces of `side` could make if it were its
    /// turn and captures were not compulsory.
    #[inline(always)]
    pub(crate) fn steps(&self, s: &CheckersState, side: Side) -> u32 {
        on_board!(self, steps(s, side))
    }

    #[inline(always)]
    fn count(&self, s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> usize {
        match (self.simple, self.width) {
            (true, _) => generator::count::<4, true>(&self.rules, s, scratch),
            (_, 3) => generator::count::<3, false>(&self.rules, s, scratch),
            (_, 4) => generator::count::<4, false>(&self.rules, s, scratch),
            _ => generator::count::<5, false>(&self.rules, s, scratch),
        }
    }

    /// Returns whether the game is drawn because too many plies in a row were king moves without a
    /// capture.
    #[inline(always)]
    fn is_drawn(&self, s: &CheckersState) -> bool {
        s.quiet != 0 && self.exceeds_draw_limit(s)
    }

    fn exceeds_draw_limit(&self, s: &CheckersState) -> bool {
        s.quiet >= self.draw_limit(s)
    }

    /// Returns the number of plies with kings alone and without a capture after which the game is
    /// drawn.
    fn draw_limit(&self, s: &CheckersState) -> u8 {
        let counts = s.pieces.map(u64::count_ones);
        let lone_king = Side::BOTH
            .iter()
            .any(|side| counts[side.index()] == 1 && s.pieces[side.index()] & s.kings != 0);
        let both_kings = s.pieces.iter().all(|pieces| pieces & s.kings != 0);
        let draws = self.rules.draws;
        match counts[0].max(counts[1]) {
            1 | 2 if lone_king && both_kings => draws.two_to_one,
            3 if lone_king && both_kings => draws.three_to_one,
            _ => draws.quiet,
        }
    }

    /// Returns the squares of a row, counted from 0 at the top.
    fn row(&self, row: usize) -> u64 {
        let row = row as u32;
        match self.width {
            3 => PaddedBoard::<3>::row(row),
            4 => PaddedBoard::<4>::row(row),
            _ => PaddedBoard::<5>::row(row),
        }
    }

    /// Returns the squares of the row on which men of `side` become kings.
    pub(crate) fn promotion_row(&self, side: Side) -> u64 {
        self.row(match side {
            Side::First => 0,
            Side::Second => self.size() - 1,
        })
    }

    /// Returns the coordinates of a square in the scene, which shows the board as it is
    /// printed in diagrams of this rule set.
    fn cell(&self, bit: u8) -> Coord {
        let (row, col) = board::row_and_column(self.width.into(), bit);
        let (x, y) = (2 * col as usize + (row as usize + 1) % 2, row as usize);
        let last = self.size() - 1;
        match self.rules.numbering {
            SquareNumbering::Plain => Coord::new(x, y),
            SquareNumbering::Rotated => Coord::new(last - x, last - y),
            SquareNumbering::Mirrored => Coord::new(last - x, y),
        }
    }
}

impl Game for Checkers {
    type State = CheckersState;
    type Move = CheckersMove;
    type Outcome = Duel;

    fn start(&self) -> CheckersState {
        let rows = usize::from(self.width) - 1;
        let second = (0..rows).fold(0, |set, row| set | self.row(row));
        let first = (0..rows).fold(0, |set, row| set | self.row(self.size() - 1 - row));
        CheckersState { pieces: [first, second], kings: 0, turn: Side::First, quiet: 0 }
    }

    fn status(&self, s: &CheckersState) -> Status<Duel> {
        if !on_board!(self, can_move(s)) {
            Status::Over(Duel::Won(s.turn.other()))
        } else if self.is_drawn(s) {
            Status::Over(Duel::Drawn)
        } else {
            Status::Turn(s.turn)
        }
    }

    /// Lists the moves of men before those of kings, ordered by direction, then by square from the
    /// top.
    fn moves(&self, s: &CheckersState, out: &mut Vec<CheckersMove>) {
        if !self.is_drawn(s) {
            on_board!(self, list_moves(s, false, out));
        }
    }

    #[inline]
    fn play(&self, s: &mut CheckersState, m: CheckersMove) {
        let (from, to) = (1 << m.from, 1 << m.to);
        let mine = &mut s.pieces[s.turn.index()];
        *mine = *mine & !from | to;
        s.turn = s.turn.other();
        s.pieces[s.turn.index()] &= !m.taken;
        if s.kings == 0 && !m.crowned {
            s.quiet = 0;
            return;
        }
        let king = s.kings & from != 0;
        s.kings = s.kings & !(from | m.taken) | if king || m.crowned { to } else { 0 };
        s.quiet = if king && m.taken == 0 { s.quiet + 1 } else { 0 };
    }

    #[inline]
    fn key(&self, s: &CheckersState) -> u64 {
        let extra = u64::from(s.quiet) << 1 | s.turn as u64;
        let kings = if s.kings == 0 { 0 } else { mix(s.kings) };
        mix(mix(s.pieces[0] ^ kings) ^ s.pieces[1]).wrapping_add(mix(extra))
    }

    #[inline]
    fn repetition_rule(&self) -> RepetitionRule<Duel> {
        match self.repetition {
            false => RepetitionRule::Ignored,
            true => RepetitionRule::Ends { occurrences: 3, outcome: Duel::Drawn },
        }
    }

    #[inline]
    fn repetition_key(&self, s: &CheckersState) -> u64 {
        self.key(&CheckersState { quiet: 0, ..*s })
    }

    #[inline]
    fn estimate_key(&self, s: &CheckersState) -> u64 {
        if s.quiet == 0 || s.quiet.saturating_add(DRAW_HORIZON) >= self.draw_limit(s) {
            return self.key(s);
        }
        self.key(&CheckersState { quiet: 0, ..*s })
    }

    #[inline]
    fn reversible_plies(&self, s: &CheckersState) -> usize {
        s.quiet.into()
    }

    fn count_moves(&self, s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> usize {
        if self.is_drawn(s) { 0 } else { self.count(s, scratch) }
    }

    fn count_replies(&self, s: &CheckersState, scratch: &mut Vec<CheckersMove>) -> u64 {
        if self.simple { replies::count(s, scratch) } else { count_replies(self, s, scratch) }
    }

    fn perft(&self, s: &CheckersState, depth: u32, scratch: &mut Vec<CheckersMove>) -> u64 {
        perft(self, s, depth, scratch)
    }

    #[inline]
    fn last_mover_wins(&self) -> bool {
        true
    }

    #[inline]
    fn slot(&self, m: CheckersMove) -> usize {
        // Four slots per square; moves from one square may share a slot.
        4 * usize::from(m.from) + usize::from(m.to) % 4
    }

    fn playout(&self, s: CheckersState, rng: &mut Rng, scratch: &mut Vec<CheckersMove>) -> Duel {
        if self.simple {
            playout::play_one(&s, rng, scratch)
        } else {
            random_game(self, s, rng, scratch)
        }
    }

    fn playouts(
        &self,
        s: &CheckersState,
        count: u64,
        rng: &mut Rng,
        scratch: &mut Vec<CheckersMove>,
        tally: &mut DuelTally,
    ) {
        if self.simple {
            playout::play_many(s, count, rng, scratch, tally);
        } else {
            for _ in 0..count {
                random_game(self, *s, rng, scratch).count(tally);
            }
        }
    }

    fn show_state(&self, s: &CheckersState) -> String {
        self.show_fen(s)
    }

    fn read_state(&self, text: &str) -> Result<CheckersState, NotationError> {
        self.read_fen(text)
    }

    fn show_move(&self, s: &CheckersState, m: CheckersMove) -> String {
        self.write_move(s, m)
    }

    fn read_move(&self, s: &CheckersState, text: &str) -> Result<CheckersMove, NotationError> {
        self.find_move(s, text)
    }

    fn scene(&self, s: &CheckersState) -> Scene {
        let mut scene = Scene::grid(self.size(), self.size());
        let mut squares: Vec<(Coord, u8)> =
            self.squares().map(|bit| (self.cell(bit), bit)).collect();
        squares.sort_by_key(|(cell, _)| (cell.y, cell.x));
        for (cell, bit) in squares {
            let owner = Side::BOTH.into_iter().find(|side| s.pieces[side.index()] >> bit & 1 == 1);
            if owner.is_some() {
                let king = s.kings >> bit & 1 == 1;
                scene.put(cell, owner, if king { PieceShape::King } else { PieceShape::Disc });
            }
            scene.names.push((cell, self.number(bit).to_string()));
        }
        scene.name_like_chess();
        scene
    }

    /// Returns the cells to click: the squares that the notation of the move names.
    fn touches(&self, s: &CheckersState, m: CheckersMove) -> Vec<Coord> {
        self.notation_squares(s, m).into_iter().map(|bit| self.cell(bit)).collect()
    }

    fn side_names(&self) -> [&'static str; 2] {
        match self.rules.first {
            SideColour::White => ["White", "Black"],
            SideColour::Black => ["Black", "White"],
        }
    }

    fn ways(&self, s: &CheckersState, m: CheckersMove) -> Vec<Vec<Coord>> {
        let cells = |path: Vec<u8>| path.into_iter().map(|bit| self.cell(bit)).collect();
        self.capture_paths(s, m).into_iter().map(cells).collect()
    }

    fn removes(&self, _s: &CheckersState, m: CheckersMove) -> Vec<Coord> {
        bits(m.taken).map(|bit| self.cell(bit)).collect()
    }

    fn state_of_pieces(
        &self,
        pieces: &[Piece],
        turn: Side,
    ) -> Result<CheckersState, NotationError> {
        self.put_up(pieces, turn)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    fn encoding(&self) -> EncodingShape {
        self.encoding_shape()
    }

    #[inline]
    fn features(&self, s: &CheckersState, seen_by: Side, out: &mut Vec<u32>) {
        self.push_features(s, seen_by, out);
    }

    fn suits_selective_search(&self) -> bool {
        self.has_kings()
    }

    #[inline]
    fn piece_counts(&self, s: &CheckersState) -> Option<[u32; 2]> {
        Some(s.pieces.map(u64::count_ones))
    }

    fn actions(&self, s: &CheckersState, moves: &[CheckersMove], out: &mut Vec<u32>) {
        self.push_actions(s.turn, moves, out);
    }
}

impl NamedGame for Checkers {
    const NAME: &'static str = "checkers";
    const TITLE: &'static str = "Draughts";
    const RULES: &'static str = "Men step diagonally forward. Captures jump over an opposing piece to the free square behind \
        it, and several jumps in a row are one move; you must capture if you can. A man that ends \
        its move on the far row becomes a king where the rules have kings. The player who cannot \
        move loses.";
    const VARIANTS: &'static [(&'static str, &'static str)] = &[
        ("checkers", "Draughts without kings"),
        ("checkers(english)", "English draughts"),
        ("checkers(english, repetition)", "English draughts, drawn by repetition"),
        ("checkers(russian)", "Russian draughts"),
        ("checkers(brazilian)", "Brazilian draughts"),
        ("checkers(italian)", "Italian draughts"),
        ("checkers(international)", "International draughts"),
        ("checkers(frisian)", "Frisian draughts"),
    ];
    const HELP: &'static str = "men that step and jump diagonally; take all or block the other";
    const PARAMS: &'static [Param] = &[
        Param::choice(
            "rules",
            &CheckersRules::NAMES,
            "the rule set; with kings a draw by many plies of kings alone",
        ),
        Param::choice("size", &["usual", "6", "8", "10"], "squares a side of the board"),
        Param::flag("repetition", "the third occurrence of a position is a draw")
            .only_if("rules", &CheckersRules::WITH_KINGS),
    ];
    const EXAMPLES: &'static [&'static str] = &[
        "checkers",
        "checkers(brazilian)",
        "checkers(russian)",
        "checkers(english)",
        "checkers(english, repetition)",
        "checkers(italian)",
        "checkers(international)",
        "checkers(frisian)",
        "checkers(english, 6)",
    ];
    const ALIASES: &'static [Alias] = &[Alias::option("rules", "seed", "simple")];
    // The variants with kings that have a built-in model.
    const LEVELS: &'static [StrengthLevel] = &[StrengthLevel::of_variants(
        "strong",
        "deepening(secs=0.5, eval=patterns)",
        &[
            "checkers(english)",
            "checkers(english, repetition)",
            "checkers(russian)",
            "checkers(russian, repetition)",
            "checkers(brazilian)",
            "checkers(brazilian, repetition)",
            "checkers(international)",
            "checkers(international, repetition)",
        ],
    )];

    fn build(args: &Args) -> Result<Self, ParamError> {
        let rules =
            CheckersRules::named(args.text("rules")).expect("the parameter allows no other");
        let checkers = Checkers::new(rules, args.text("size").parse().unwrap_or(rules.size));
        Ok(Checkers {
            repetition: rules.promotion != PromotionRule::Never && args.flag("repetition"),
            ..checkers
        })
    }
}
