//! Domineering: published winners of small boards, and counts by hand.

use std::collections::HashSet;

use ludion::game::Game;
use ludion::games::domineering::Domineering;
use ludion::outcome::Wdl;
use ludion::player::NoObserver;
use ludion::registry;
use ludion::search::perft::perft;
use ludion::solution::SolveLimits;

/// Returns whether the side with the vertical dominoes wins if it moves first.
fn vertical_wins(rows: usize, cols: usize) -> bool {
    let start = registry::standard().game(&format!("domineering({rows}, {cols})")).unwrap().start();
    if start.moves().is_empty() {
        return false;
    }
    let solution = start.solve(SolveLimits::default(), &NoObserver).unwrap();
    solution.value.verdict == Wdl::Win
}

/// Returns the outcome class of a board: `1` or `2` if the side that moves first or second wins, `V`
/// or `H` if the vertical or the horizontal side wins however moves first.
fn class(rows: usize, cols: usize) -> char {
    // On the transposed board the horizontal side is the vertical one.
    match (vertical_wins(rows, cols), vertical_wins(cols, rows)) {
        (true, true) => '1',
        (false, false) => '2',
        (true, false) => 'V',
        (false, true) => 'H',
    }
}

/// The classes of Breuker, Uiterwijk and van den Herik, "Solving 8×8 Domineering" (2000), and of
/// Berlekamp for two rows.
#[test]
fn small_boards_have_the_published_winners() {
    let squares: String = (1..=4).map(|size| class(size, size)).collect();
    assert_eq!(squares, "2111");
    let two_rows: String = (1..=9).map(|cols| class(2, cols)).collect();
    assert_eq!(two_rows, "V11HV11HV");
}

#[test]
#[ignore = "takes minutes; ./test --all runs it"]
fn larger_boards_have_the_published_winners() {
    assert_eq!(class(5, 5), '2');
    assert_eq!(class(6, 6), '1');
    let two_rows: String = (10..=13).map(|cols| class(2, cols)).collect();
    assert_eq!(two_rows, "11H2");
}

#[test]
fn places_are_counted_as_by_hand() {
    // 56 vertical places on 8×8. Each vertical domino leaves 56 − 4 horizontal places, or 56 − 2 on an
    // outer column.
    let g = Domineering::new(8, 8);
    assert_eq!(perft(&g, &g.start(), 1), 56);
    assert_eq!(perft(&g, &g.start(), 2), 42 * 52 + 14 * 54);
    assert!(
        g.read_state("#......./......../......../......../......../......../......../........")
            .is_err()
    );
}

/// Adds all states that can be reached from `s`.
fn add_reachable(g: &Domineering, s: <Domineering as Game>::State, out: &mut HashSet<String>) {
    if out.insert(g.show_state(&s)) {
        let mut moves = Vec::new();
        g.moves(&s, &mut moves);
        moves.into_iter().for_each(|m| add_reachable(g, g.after(&s, m), out));
    }
}

#[test]
fn exactly_the_states_that_can_be_reached_are_read() {
    for (rows, cols) in [(3, 4), (4, 3), (2, 6), (6, 2), (1, 5), (5, 1), (3, 3)] {
        let g = Domineering::new(rows, cols);
        let mut reachable = HashSet::new();
        add_reachable(&g, g.start(), &mut reachable);
        for set in 0u32..1 << (rows * cols) {
            let row = |y: usize| -> String {
                (0..cols).map(|x| if set >> (y * cols + x) & 1 == 1 { '#' } else { '.' }).collect()
            };
            let text = (0..rows).map(row).collect::<Vec<_>>().join("/");
            assert_eq!(g.read_state(&text).is_ok(), reachable.contains(&text), "{text}");
        }
    }
    let error = Domineering::new(2, 3).read_state("##./...").unwrap_err().to_string();
    assert!(error.contains("1 vertical and 0 horizontal dominoes do not cover"), "{error}");
}

#[test]
fn full_boards_of_every_shape_are_read_or_refused_fast() {
    // 8×8 can be covered by 16 dominoes of each kind; one row cannot have a vertical domino.
    for (rows, cols, is_possible) in
        [(8, 8, true), (4, 16, true), (16, 4, true), (2, 32, true), (32, 2, true), (1, 32, false)]
    {
        let text = vec!["#".repeat(cols); rows].join("/");
        assert_eq!(Domineering::new(rows, cols).read_state(&text).is_ok(), is_possible, "{text}");
    }
}

#[test]
fn the_picture_tells_the_dominoes_that_are_certain() {
    use ludion::game::Side;
    let owners = |state: &str| -> Vec<Option<Side>> {
        let g = Domineering::new(3, 4);
        let scene = g.scene(&g.read_state(state).unwrap());
        scene.pieces.iter().map(|piece| piece.owner).collect()
    };
    let (vertical, horizontal) = (Some(Side::First), Some(Side::Second));
    assert_eq!(owners("#.##/#.../...."), [vertical, horizontal, horizontal, vertical]);
    // The lower two cells of the first column are certain, so the upper one belongs to its neighbour.
    assert_eq!(owners("##../#.../#..."), [horizontal, horizontal, vertical, vertical]);
    // A ring has two tilings.
    assert_eq!(owners("###./#.#./###."), [None; 8]);
}
