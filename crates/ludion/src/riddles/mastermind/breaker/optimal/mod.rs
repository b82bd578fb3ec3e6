//! The best way to break codes: the tree with the fewest guesses in total, found by exact search.

mod floor;
mod memory;
mod search;
mod view;

use super::codes::Codes;
use super::symmetry::Symmetry;
use floor::{ENDLESS, Floor, IMPOSSIBLE};
use memory::Memory;
use search::{Node, Search, desks};
use view::View;

/// The total.
pub fn total(codes: &Codes, worst: Option<usize>) -> u32 {
    let width = codes.kinds() - 2;
    let search = Search {
        codes,
        floor: Floor::new(codes.len(), width),
        memory: Memory::new(codes.len()),
        width: width + 1,
    };
    let all = codes.numbers();
    let view = View::new(codes, &all, &all, search.memory.keys());
    let rows: Vec<u16> = (0..codes.len() as u16).collect();
    let symmetry = Symmetry::of(codes.rules());
    let root = Node {
        view: &view,
        rows: &rows,
        guesses: worst.unwrap_or(ENDLESS),
        symmetry: Some(&symmetry),
    };
    let total = search.cost(root, IMPOSSIBLE, &mut desks());
    eprintln!("memory {}", search.memory.len());
    total
}
