use super::positions::{canonical_key, levels, state_of};
use super::{BookEntries, BookEntry, BookFileError, BookSolver, OpeningBook};
use crate::solver::{Connect4Solver, Connect4SolverLimits};
use crate::{Connect4, Connect4State};
use ludion_core::game::Game;
use ludion_core::random::Rng;
use ludion_core::scene::Symmetry;

const G: Connect4 = Connect4::STANDARD;

#[test]
fn positions_are_as_many_as_tromp_counted_with_their_mirror_images() {
    // https://oeis.org/A212693, up to six stones, with which no game is over.
    let counts = [1, 7, 49, 238, 1120, 4263, 16422];
    for (level, count) in levels(6).iter().zip(counts) {
        let keys = &level.keys;
        let images = |&key: &u64| {
            let s = state_of(key);
            assert_eq!((G.key(&s), canonical_key(&s)), (key, key));
            if G.transform(&s, Symmetry::Mirror) == s { 1 } else { 2 }
        };
        assert_eq!(keys.iter().map(images).sum::<i32>(), count);
        assert!(keys.is_sorted());
    }
    for plies in 0..=9 {
        let counted = BookSolver::keys(plies).len();
        assert_eq!(BookEntries::unknown(plies).entries().len(), counted, "{plies} plies");
    }
}

#[test]
fn the_built_in_book_has_the_published_scores() {
    let book = OpeningBook::bundled();
    let scores = |text: &str| {
        let s = G.read_move_sequence(text).unwrap();
        book.analyse(&G, &s).map(|scores| scores.into_iter().flatten().collect::<Vec<i32>>())
    };
    assert_eq!(book.score(&G, &G.start()), Some(1));
    // The scores that Pons' solver shows.
    for (text, expected) in [("", [-2, -1, 0, 1, 0, -1, -2]), ("4", [-4, -2, -2, -1, -2, -2, -4])] {
        assert_eq!(scores(text), (text.len() < book.plies() as usize).then(|| expected.to_vec()));
    }
    assert_eq!(scores("444444333"), None, "ten stones are beyond the book");
    let last = G.read_move_sequence("444444333").unwrap();
    assert!(book.stored_move(&G, &last).is_some(), "a position with nine stones has a move");
    assert_eq!(book.stored_move(&G, &G.start()), None, "moves of earlier positions are compared");
    assert_eq!(book.score(&Connect4::new(8, 7), &G.start()), None);
}

/// A book of late scores, made up so that every position has the score of its best child.
fn made_up(plies: u32) -> BookEntries {
    let mut scores = BookEntries::unknown(plies);
    for index in 0..scores.entries().len() {
        scores.set(index, BookEntry { score: (index % 7) as i8 - 3, best: 3 });
    }
    scores
}

#[test]
fn earlier_scores_are_the_minimax_of_the_stored_ones() {
    fn minimax(book: &OpeningBook, s: &Connect4State) -> i32 {
        if s.plies() == book.plies() {
            return book.score(&G, s).unwrap();
        }
        let mut moves = Vec::new();
        G.moves(s, &mut moves);
        moves.iter().map(|&m| -minimax(book, &G.after(s, m))).max().unwrap()
    }
    let book = OpeningBook::new(&made_up(5)).unwrap();
    let (mut rng, mut moves) = (Rng::new(3), Vec::new());
    for _ in 0..30 {
        let mut s = G.start();
        for _ in 0..rng.below(5) {
            moves.clear();
            G.moves(&s, &mut moves);
            G.play(&mut s, moves[rng.below(moves.len())]);
        }
        assert_eq!(book.score(&G, &s), Some(minimax(&book, &s)), "{}", G.show_state(&s));
        assert_eq!(book.score(&G, &G.transform(&s, Symmetry::Mirror)), book.score(&G, &s));
        let best = book.analyse(&G, &s).unwrap().into_iter().flatten().max();
        assert_eq!(best, book.score(&G, &s));
    }
}

#[test]
fn a_book_solver_gives_the_scores_of_the_solver_and_moves_that_keep_them() {
    let keys = BookSolver::keys(8);
    assert_eq!(keys.len(), 91_295);
    let (mut solver, mut rng) = (Connect4Solver::new(G, 16), Rng::new(5));
    let mut book_solver = BookSolver::new(16);
    let wins_soon = |&&key: &&u64| G.wins_at_once(&state_of(key)) == Some(true);
    let loses_soon = |&&key: &&u64| {
        let mut safe = Vec::new();
        G.safe_moves(&state_of(key), &mut safe) && safe.is_empty()
    };
    for quick in [
        keys.iter().filter(wins_soon).collect::<Vec<_>>(),
        keys.iter().filter(|key| !wins_soon(key) && loses_soon(key)).collect(),
    ] {
        for _ in 0..30 {
            let s = state_of(*quick[rng.below(quick.len())]);
            let entry = book_solver.solve(G.key(&s), &|| false).unwrap();
            let scores = solver.analyse(&s, &Connect4SolverLimits::default()).unwrap();
            let (score, best) = (Some(i32::from(entry.score)), usize::from(entry.best));
            assert_eq!((scores.iter().copied().max(), scores[best]), (Some(score), score));
        }
    }
}

#[test]
fn the_order_of_solving_has_every_position_once() {
    for plies in [0, 1, 5, 7] {
        let order = BookSolver::order(plies);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..BookSolver::keys(plies).len()), "{plies} plies");
    }
}

#[test]
fn files_read_back_and_damaged_ones_are_refused() {
    let mut part = made_up(4);
    assert_eq!(BookEntries::read(&part.to_bytes()), Ok(part.clone()));
    assert!(OpeningBook::new(&BookEntries::unknown(2)).is_none(), "no score is known");
    part = BookEntries::unknown(4);
    let entry = BookEntry { score: -18, best: 6 };
    part.set(7, entry);
    part.set(1 << 40, entry);
    assert_eq!((part.known(), part.entries()[7]), (1, Some(entry)));
    assert_eq!(BookEntries::read(&part.to_bytes()), Ok(part.clone()));
    let bytes = part.to_bytes();
    assert_eq!(BookEntries::read(b"LC4"), Err(BookFileError::OtherFormat));
    assert_eq!(BookEntries::read(b"PNG.\x01\x04"), Err(BookFileError::OtherFormat));
    assert!(matches!(BookEntries::read(&bytes[..20]), Err(BookFileError::Length { .. })));
    let with = |at: usize, byte: u8| [&bytes[..at], &[byte], &bytes[at + 1..]].concat();
    assert_eq!(BookEntries::read(&with(5, 99)), Err(BookFileError::Plies(99)));
    for (at, byte) in bytes.iter().enumerate().skip(6) {
        let flipped = BookEntries::read(&with(at, byte ^ 1));
        assert_eq!(flipped, Err(BookFileError::Checksum), "byte {at}");
    }
    let mut other = with(13, 2);
    let checksum = crc32fast::hash(&other[10..]).to_le_bytes();
    other[6..10].copy_from_slice(&checksum);
    assert_eq!(BookEntries::read(&other), Err(BookFileError::Entry(12)));
}

#[test]
fn a_random_sample_of_the_built_in_book_agrees_with_the_solver() {
    let book = OpeningBook::bundled();
    let keys = BookSolver::keys(book.plies());
    let (mut solver, mut rng) = (Connect4Solver::new(G, 64), Rng::new(11));
    let few = Connect4SolverLimits { nodes: Some(2_000_000), ..Connect4SolverLimits::default() };
    let mut checked = 0;
    for _ in 0..20 {
        let s = state_of(keys[rng.below(keys.len())]);
        if let Some(score) = solver.solve(&s, &few) {
            assert_eq!(book.score(&G, &s), Some(score), "{}", G.show_state(&s));
            let best = book.stored_move(&G, &s).unwrap();
            let image = G.transform(&s, Symmetry::Mirror);
            assert_eq!(book.stored_move(&G, &image), Some(6 - best), "{}", G.show_state(&s));
            let kept = solver.bound(&G.after(&s, best), -score, &few);
            assert!(kept.is_none_or(|bound| bound <= -score), "{}", G.show_state(&s));
            checked += 1;
        }
    }
    assert!(checked >= 10 || book.plies() < 8, "{checked} positions");
}
