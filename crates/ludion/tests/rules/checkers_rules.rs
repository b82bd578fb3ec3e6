//! Checkers compared with a slow move generator written from the text of the rules: an array of
//! squares, recursion, and a sort by priority at the end. It shares only the names of the rules
//! with the bitboards.

use std::collections::{BTreeMap, BTreeSet};

use ludion::game::{Game, Side};
use ludion::games::checkers::rules::{
    ALL, CapturePriority, CheckersRules, KingRange, PromotionRule,
};
use ludion::games::checkers::{Checkers, CheckersMove, CheckersState};
use ludion::random::Rng;

/// A square: column and row of the whole board, including light squares.
type Square = (i32, i32);

/// A move: from, to, captured squares in board order, and whether a man was promoted.
type Played = (Square, Square, Vec<Square>, bool);

#[derive(Clone, Copy, PartialEq)]
struct Piece {
    side: Side,
    king: bool,
}

struct SlowGenerator<'a> {
    rules: &'a CheckersRules,
    size: i32,
    turn: Side,
    board: Vec<Vec<Option<Piece>>>,
}

/// A complete chain of captures.
struct Chain {
    /// The landing squares, including the last.
    way: Vec<Square>,
    taken: Vec<Square>,
    crowned: bool,
}

const DIAGONAL: [Square; 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];
const ORTHOGONAL: [Square; 4] = [(0, -2), (-2, 0), (2, 0), (0, 2)];

impl SlowGenerator<'_> {
    fn at(&self, (x, y): Square) -> Option<Option<Piece>> {
        let inside = (0..self.size).contains(&x) && (0..self.size).contains(&y);
        inside.then(|| self.board[y as usize][x as usize])
    }

    fn free(&self, square: Square) -> bool {
        self.at(square) == Some(None)
    }

    fn forward(&self) -> i32 {
        if self.turn == Side::First { -1 } else { 1 }
    }

    fn far_row(&self, (_, y): Square) -> bool {
        y == if self.turn == Side::First { 0 } else { self.size - 1 }
    }

    /// Returns the single captures of a piece on `from`: the captured square and the possible
    /// landing squares.
    fn jumps(&self, from: Square, king: bool, taken: &[Square]) -> Vec<(Square, Vec<Square>)> {
        let mut capture_paths = DIAGONAL.to_vec();
        if self.rules.orthogonal {
            capture_paths.extend(ORTHOGONAL);
        } else if !king && !self.rules.men_capture_backwards {
            capture_paths.retain(|way| way.1 == self.forward());
        }
        let flying = king && self.rules.kings == KingRange::Flying;
        let mut jumps = Vec::new();
        for (dx, dy) in capture_paths {
            let mut over = (from.0 + dx, from.1 + dy);
            while flying && self.free(over) {
                over = (over.0 + dx, over.1 + dy);
            }
            let Some(Some(prey)) = self.at(over) else { continue };
            let spared = prey.king && !king && !self.rules.men_capture_kings;
            if prey.side == self.turn || taken.contains(&over) || spared {
                continue;
            }
            let mut landings = Vec::new();
            let mut land = (over.0 + dx, over.1 + dy);
            while self.free(land) && (flying || landings.is_empty()) {
                landings.push(land);
                land = (land.0 + dx, land.1 + dy);
            }
            if !landings.is_empty() {
                jumps.push((over, landings));
            }
        }
        jumps
    }

    /// Collects all complete chains of captures from here.
    fn chains(&self, from: Square, king: bool, taken: &[Square], found: &mut Vec<Chain>) {
        for (over, landings) in self.jumps(from, king, taken) {
            let taken: Vec<Square> = taken.iter().copied().chain([over]).collect();
            let becomes = |land: Square| {
                king || self.rules.promotion == PromotionRule::InPassing && self.far_row(land)
            };
            let goes_on = |land: Square| !self.jumps(land, becomes(land), &taken).is_empty();
            // A piece that can continue must land where it can continue.
            let must = landings.iter().any(|&land| goes_on(land));
            for land in landings {
                if goes_on(land) {
                    let before = found.len();
                    self.chains(land, becomes(land), &taken, found);
                    for chain in &mut found[before..] {
                        chain.crowned |= becomes(land) && !king;
                        chain.way.insert(0, land);
                    }
                } else if !must {
                    let ends = self.rules.promotion != PromotionRule::Never && self.far_row(land);
                    let (way, taken) = (vec![land], taken.clone());
                    found.push(Chain { way, taken, crowned: !king && ends });
                }
            }
        }
    }

    /// Returns the criteria by which the rules rank captures, the most important first.
    fn rank(&self, by_king: bool, taken: &[Square]) -> (usize, bool, usize, Vec<bool>) {
        let kings: Vec<bool> = taken.iter().map(|&t| self.at(t).unwrap().unwrap().king).collect();
        let count = kings.iter().filter(|king| **king).count();
        match self.rules.priority {
            CapturePriority::Any => (0, false, 0, Vec::new()),
            CapturePriority::Most => (taken.len(), false, 0, Vec::new()),
            CapturePriority::Italian => (taken.len(), by_king, count, kings),
            CapturePriority::Frisian => (100 * taken.len() + 99 * count, by_king, 0, Vec::new()),
        }
    }

    fn own(&self) -> Vec<(Square, bool)> {
        let all = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        let piece = |square| self.at(square).flatten().filter(|p: &Piece| p.side == self.turn);
        all.filter_map(|square| piece(square).map(|p| (square, p.king))).collect()
    }

    /// Returns the allowed captures, each with every path, including its first square.
    fn capture_paths(&mut self) -> Vec<(Vec<Square>, Played)> {
        let mut all = Vec::new();
        for (from, king) in self.own() {
            let piece = self.board[from.1 as usize][from.0 as usize].take();
            let mut found = Vec::new();
            self.chains(from, king, &[], &mut found);
            for Chain { mut way, mut taken, crowned } in found {
                let rank = self.rank(king, &taken);
                taken.sort_unstable();
                let to = *way.last().unwrap();
                way.insert(0, from);
                all.push((rank, (way, (from, to, taken, crowned))));
            }
            self.board[from.1 as usize][from.0 as usize] = piece;
        }
        let best = all.iter().map(|(rank, _)| rank.clone()).max();
        all.into_iter().filter(|(rank, _)| Some(rank) == best.as_ref()).map(|(_, m)| m).collect()
    }

    fn steps(&self) -> BTreeSet<Played> {
        let mut all = BTreeSet::new();
        for (from, king) in self.own() {
            for (dx, dy) in DIAGONAL.into_iter().filter(|way| king || way.1 == self.forward()) {
                let mut to = (from.0 + dx, from.1 + dy);
                while self.free(to) {
                    let promotes = self.rules.promotion != PromotionRule::Never;
                    all.insert((from, to, Vec::new(), !king && promotes && self.far_row(to)));
                    if !king || self.rules.kings == KingRange::Short {
                        break;
                    }
                    to = (to.0 + dx, to.1 + dy);
                }
            }
        }
        all
    }

    fn moves(mut self) -> BTreeSet<Played> {
        let captures: BTreeSet<Played> = self.capture_paths().into_iter().map(|(_, m)| m).collect();
        if captures.is_empty() { self.steps() } else { captures }
    }
}

/// Returns the square of each bit of a state.
fn places(g: &Checkers) -> Vec<(u8, Square)> {
    let half = g.size() / 2;
    let place = |i: usize| ((2 * (i % half) + (i / half + 1) % 2) as i32, (i / half) as i32);
    g.squares().enumerate().map(|(i, bit)| (bit, place(i))).collect()
}

fn slow<'a>(g: &'a Checkers, s: &CheckersState) -> SlowGenerator<'a> {
    let mut board = vec![vec![None; g.size()]; g.size()];
    for (bit, (x, y)) in places(g) {
        let side = Side::BOTH.into_iter().find(|side| s.pieces[side.index()] >> bit & 1 == 1);
        let king = s.kings >> bit & 1 == 1;
        board[y as usize][x as usize] = side.map(|side| Piece { side, king });
    }
    SlowGenerator { rules: g.rules(), size: g.size() as i32, turn: s.turn, board }
}

/// Converts a move to the form of the slow generator.
fn played(places: &[(u8, Square)], m: CheckersMove) -> Played {
    let place = |bit: u8| places.iter().find(|(b, _)| *b == bit).unwrap().1;
    let all = places.iter().filter(|(bit, _)| m.taken >> bit & 1 == 1);
    let mut taken: Vec<Square> = all.map(|(_, square)| *square).collect();
    taken.sort_unstable();
    (place(m.from), place(m.to), taken, m.crowned)
}

fn by_bitboards(g: &Checkers, s: &CheckersState) -> BTreeSet<Played> {
    let (places, mut moves) = (places(g), Vec::new());
    g.moves(s, &mut moves);
    let played: BTreeSet<Played> = moves.iter().map(|&m| played(&places, m)).collect();
    assert_eq!(played.len(), moves.len(), "no move twice in {}", g.show_state(s));
    played
}

/// Returns a state with pieces on random squares, some of them kings.
fn scattered(g: &Checkers, rng: &mut Rng) -> CheckersState {
    let mut s =
        CheckersState { pieces: [0; 2], kings: 0, turn: Side::BOTH[rng.below(2)], quiet: 0 };
    let density = 1 + rng.below(11);
    let rows = [0, g.size() as i32 - 1];
    for (bit, (_, y)) in places(g) {
        if rng.below(16) < density {
            let side = rng.below(2);
            s.pieces[side] |= 1 << bit;
            let never = g.rules().promotion == PromotionRule::Never;
            if !never && (y == rows[side] || rng.below(4) == 0) {
                s.kings |= 1 << bit;
            }
        }
    }
    s
}

/// Returns every rule set on every board.
fn games() -> impl Iterator<Item = Checkers> {
    ALL.into_iter().flat_map(|rules| [6, 8, 10].map(|size| Checkers::new(rules, size)))
}

fn agree(states: usize, seed: u64) -> usize {
    let (mut rng, mut chains) = (Rng::new(seed), 0);
    for g in games() {
        let mut s = g.start();
        for i in 0..states {
            // The slow generator does not know draws.
            let state =
                if i % 2 == 0 { CheckersState { quiet: 0, ..s } } else { scattered(&g, &mut rng) };
            let expected = slow(&g, &state).moves();
            assert_eq!(by_bitboards(&g, &state), expected, "{:?} {}", g, g.show_state(&state));
            chains += usize::from(expected.iter().any(|m| m.2.len() > 2));
            if i % 2 == 0 {
                let mut moves = Vec::new();
                g.moves(&s, &mut moves);
                match moves.is_empty() {
                    true => s = g.start(),
                    false => g.play(&mut s, moves[rng.below(moves.len())]),
                }
            }
        }
    }
    chains
}

#[test]
fn moves_agree_with_the_slow_generator() {
    let chains = agree(400, 1);
    assert!(chains > 100, "only {chains} long captures occurred");
}

#[test]
#[ignore = "takes minutes: millions of positions"]
fn moves_agree_with_the_slow_generator_in_millions_of_positions() {
    agree(100_000, 2);
}

#[test]
fn moves_are_written_with_the_numbers_of_the_squares() {
    let mut rng = Rng::new(4);
    for g in games() {
        for _ in 0..50 {
            let s = scattered(&g, &mut rng);
            let names: BTreeMap<_, _> = g.scene(&s).names.into_iter().collect();
            assert_eq!(names.len(), usize::from(g.square_count()));
            let mut moves = Vec::new();
            g.moves(&s, &mut moves);
            for m in moves {
                let touched = g.touches(&s, m).into_iter().map(|cell| names[&cell].clone());
                let by = if m.taken == 0 { "-" } else { "x" };
                assert_eq!(touched.collect::<Vec<_>>().join(by), g.show_move(&s, m), "{g:?}");
            }
        }
    }
}

#[test]
fn rotating_the_board_and_swapping_the_sides_rotates_the_moves() {
    let mut rng = Rng::new(3);
    for g in games() {
        let bits: Vec<u8> = g.squares().collect();
        let turn = |set: u64| {
            let on = (0..bits.len()).filter(|&i| set >> bits[i] & 1 == 1);
            on.fold(0u64, |image, i| image | 1 << bits[bits.len() - 1 - i])
        };
        let turned = |s: &CheckersState| CheckersState {
            pieces: [turn(s.pieces[1]), turn(s.pieces[0])],
            kings: turn(s.kings),
            turn: s.turn.other(),
            quiet: s.quiet,
        };
        for _ in 0..200 {
            let s = scattered(&g, &mut rng);
            let children = |s: &CheckersState| {
                let mut moves = Vec::new();
                g.moves(s, &mut moves);
                moves.into_iter().map(|m| g.after(s, m)).collect::<Vec<_>>()
            };
            let mut direct: Vec<CheckersState> = children(&s).iter().map(turned).collect();
            let mut image = children(&turned(&s));
            let order = |s: &CheckersState| (s.pieces, s.kings);
            direct.sort_by_key(order);
            image.sort_by_key(order);
            assert_eq!(direct, image, "{:?} {}", g, g.show_state(&s));
        }
    }
}

/// Checks that every written move parses to itself, that a written path is legal, and that every
/// legal path parses to its move. Returns the number of moves that needed a path.
fn check_written_paths(g: &Checkers, s: &CheckersState) -> usize {
    let (places, mut moves) = (places(g), Vec::new());
    let place = |number: u8| places.iter().find(|(b, _)| *b == g.square(number)).unwrap().1;
    let name = |at: &Square| {
        let (bit, _) = places.iter().find(|(_, square)| square == at).unwrap();
        g.number(*bit).to_string()
    };
    let capture_paths: BTreeSet<(Vec<Square>, Played)> =
        slow(g, s).capture_paths().into_iter().collect();
    let mut long = 0;
    g.moves(s, &mut moves);
    for m in moves {
        let text = g.show_move(s, m);
        assert_eq!(g.read_move(s, &text), Ok(m), "{text} in {:?} {}", g, g.show_state(s));
        let way: Vec<Square> = text.split(['-', 'x']).map(|n| place(n.parse().unwrap())).collect();
        if way.len() > 2 {
            let known = capture_paths.contains(&(way, played(&places, m)));
            assert!(known, "{text} in {:?} {}", g, g.show_state(s));
            long += 1;
        }
    }
    for (way, m) in capture_paths.iter().take(40) {
        let text = way.iter().map(name).collect::<Vec<_>>().join("x");
        let read = g.read_move(s, &text).map(|read| played(&places, read));
        assert_eq!(read.as_ref(), Ok(m), "{text} in {:?} {}", g, g.show_state(s));
    }
    long
}

#[test]
fn every_move_is_written_by_a_legal_path_and_parses_to_itself() {
    let (mut rng, mut long) = (Rng::new(7), 0);
    for g in games() {
        for _ in 0..1500 {
            long += check_written_paths(&g, &scattered(&g, &mut rng));
        }
    }
    assert!(long > 300, "only {long} moves were written by their path");
    for (rules, fen) in [
        ("international", "B:WK5,9,13,16,17,30,33,43:B37,39,K46,K49,K50"),
        ("russian", "W:W7,K11,21:B1,9,12,16,K23,25,K26,27"),
    ] {
        let rules = CheckersRules::named(rules).unwrap();
        let g = Checkers::new(rules, rules.size);
        assert!(check_written_paths(&g, &g.read_state(fen).unwrap()) > 0);
    }
}

#[test]
fn an_italian_king_captures_sixteen_pieces() {
    let g = Checkers::new(CheckersRules::named("italian").unwrap(), 10);
    let mut s = CheckersState { pieces: [0; 2], kings: 0, turn: Side::First, quiet: 0 };
    for (bit, (x, y)) in places(&g) {
        if (x, y) == (2, 1) {
            s.pieces[0] |= 1 << bit;
            s.kings |= 1 << bit;
        } else if x % 2 == 1 && y % 2 == 0 && x < 9 && y > 0 {
            s.pieces[1] |= 1 << bit;
            s.kings |= if (x + y) % 3 == 0 { 1 << bit } else { 0 };
        }
    }
    let moves = by_bitboards(&g, &s);
    assert_eq!(moves, slow(&g, &s).moves());
    assert!(!moves.is_empty() && moves.iter().all(|m| m.2.len() == 16), "{moves:?}");
}
