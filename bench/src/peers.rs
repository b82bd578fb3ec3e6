//! The other libraries' side of the benchmarks. The crate `minimax` has no games, so Connect Four
//! and tic-tac-toe are implemented here for its trait, as bitboards and as fast as it allows;
//! `board-game` has both.

use board_game::board::Board;
use minimax::{Game, Winner};
use rand09::seq::IndexedRandom;

/// Connect Four for the crate `minimax`.
pub(crate) struct MinimaxConnect4;

/// Bitboards with seven bits per column, the seventh always empty: the stones of the side to move,
/// and all stones.
#[derive(Clone, Default)]
pub(crate) struct ConnectBoard {
    mover: u64,
    all: u64,
}

const BOTTOM: u64 = 0x0408_1020_4081;
const TOP: u64 = BOTTOM << 5;

impl Game for MinimaxConnect4 {
    type S = ConnectBoard;
    type M = u8;

    fn generate_moves(s: &ConnectBoard, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(s);
        if winner.is_none() {
            moves.extend((0..7).filter(|x| s.all >> (7 * x + 5) & 1 == 0));
        }
        winner
    }

    fn apply(s: &mut ConnectBoard, m: u8) -> Option<ConnectBoard> {
        Some(ConnectBoard { mover: s.mover ^ s.all, all: s.all | (s.all + (1 << (7 * m))) })
    }

    fn get_winner(s: &ConnectBoard) -> Option<Winner> {
        let stones = s.mover ^ s.all;
        let four = [1, 6, 7, 8].iter().any(|shift| {
            let pairs = stones & stones >> shift;
            pairs & pairs >> (2 * shift) != 0
        });
        if four {
            Some(Winner::PlayerJustMoved)
        } else {
            (s.all & TOP == TOP).then_some(Winner::Draw)
        }
    }

    fn zobrist_hash(s: &ConnectBoard) -> u64 {
        ludion::random::mix(s.mover + s.all + BOTTOM)
    }
}

/// Evaluates every unfinished game as 0.
pub(crate) struct ZeroEvaluator;

impl minimax::Evaluator for ZeroEvaluator {
    type G = MinimaxConnect4;

    fn evaluate(&self, _s: &ConnectBoard) -> minimax::Evaluation {
        0
    }
}

/// Tic-tac-toe for the crate `minimax`.
pub(crate) struct MinimaxTicTacToe;

/// Bitboards: the stones of the side to move, and all stones.
#[derive(Clone, Default)]
pub(crate) struct TicTacBoard {
    mover: u16,
    all: u16,
}

impl Game for MinimaxTicTacToe {
    type S = TicTacBoard;
    type M = u8;

    fn generate_moves(s: &TicTacBoard, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(s);
        if winner.is_none() {
            moves.extend((0..9).filter(|cell| s.all >> cell & 1 == 0));
        }
        winner
    }

    fn apply(s: &mut TicTacBoard, m: u8) -> Option<TicTacBoard> {
        Some(TicTacBoard { mover: s.mover ^ s.all, all: s.all | 1 << m })
    }

    fn get_winner(s: &TicTacBoard) -> Option<Winner> {
        const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        let stones = s.mover ^ s.all;
        if LINES.iter().any(|line| stones & line == *line) {
            Some(Winner::PlayerJustMoved)
        } else {
            (s.all == 0x1ff).then_some(Winner::Draw)
        }
    }
}

/// Plays a random game with the trait of the crate `minimax`, as its own Monte-Carlo rollouts do,
/// but with a reused generator and buffer.
pub(crate) fn minimax_playout<G: Game>(rng: &mut rand09::rngs::SmallRng, moves: &mut Vec<G::M>)
where
    G::S: Default,
{
    let mut s = G::S::default();
    while G::generate_moves(&s, moves).is_none() {
        let m = *moves.choose(rng).expect("an unfinished game has a move");
        if let Some(next) = G::apply(&mut s, m) {
            s = next;
        }
        moves.clear();
    }
    std::hint::black_box(G::get_winner(&s));
}

/// Computes perft with the trait of the crate `minimax`, whose own function prints its progress.
pub(crate) fn minimax_perft<G: Game>(depth: u32) -> u64
where
    G::S: Default,
{
    fn below<G: Game>(s: &mut G::S, depth: u32, pool: &mut Vec<Vec<G::M>>) -> u64 {
        let mut moves = pool.pop().unwrap_or_default();
        moves.clear();
        let over = G::generate_moves(s, &mut moves).is_some();
        let lines = match depth {
            _ if over => 0,
            1 => moves.len() as u64,
            _ => moves
                .iter()
                .map(|&m| match G::apply(s, m) {
                    Some(mut next) => below::<G>(&mut next, depth - 1, pool),
                    None => {
                        let lines = below::<G>(s, depth - 1, pool);
                        G::undo(s, m);
                        lines
                    }
                })
                .sum(),
        };
        pool.push(moves);
        lines
    }
    below::<G>(&mut G::S::default(), depth, &mut Vec::new())
}

/// Plays a random game with the crate `board-game`.
pub(crate) fn board_game_playout<B: Board>(mut board: B, rng: &mut rand08::rngs::SmallRng) {
    while board.play_random_available_move(rng).is_ok() {}
    std::hint::black_box(board.outcome());
}
