//! The board of Nine Men's Morris: its 24 points, the lines that join them, and the mills.

use crate::scene::{Coord, Symmetry, cell_name};

/// Number of points of the board.
pub(super) const POINTS: usize = 24;
/// Number of rows and columns of the picture.
pub(super) const SIZE: usize = 7;

/// The column and the row of each point in the picture, row by row from the top left.
#[rustfmt::skip]
pub(super) const PLACES: [(u8, u8); POINTS] = [
    (0, 0), (3, 0), (6, 0), (1, 1), (3, 1), (5, 1), (2, 2), (3, 2), (4, 2), (0, 3), (1, 3), (2, 3),
    (4, 3), (5, 3), (6, 3), (2, 4), (3, 4), (4, 4), (1, 5), (3, 5), (5, 5), (0, 6), (3, 6), (6, 6),
];

/// The lines of the board; the middle point of each is next to the other two.
#[rustfmt::skip]
pub(super) const LINES: [[u8; 3]; 16] = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11], [12, 13, 14], [15, 16, 17], [18, 19, 20],
    [21, 22, 23], [0, 9, 21], [3, 10, 18], [6, 11, 15], [1, 4, 7], [16, 19, 22], [8, 12, 17],
    [5, 13, 20], [2, 14, 23],
];

/// The points next to each point.
pub(super) const NEXT: [u32; POINTS] = next_points();
/// The other two points of each line through a point; every point is on two lines.
const MILLS: [[u32; 2]; POINTS] = mills();

const fn next_points() -> [u32; POINTS] {
    let mut next = [0; POINTS];
    let mut i = 0;
    while i < LINES.len() {
        let [a, b, c] = LINES[i];
        next[a as usize] |= 1 << b;
        next[b as usize] |= 1 << a | 1 << c;
        next[c as usize] |= 1 << b;
        i += 1;
    }
    next
}

const fn mills() -> [[u32; 2]; POINTS] {
    let (mut mills, mut count) = ([[0; 2]; POINTS], [0; POINTS]);
    let mut i = 0;
    while i < 3 * LINES.len() {
        let (line, point) = (LINES[i / 3], LINES[i / 3][i % 3] as usize);
        mills[point][count[point]] = (1 << line[0] | 1 << line[1] | 1 << line[2]) & !(1 << point);
        count[point] += 1;
        i += 1;
    }
    mills
}

/// Returns whether a man on `point` is in a mill of `men`.
#[inline]
pub(super) fn in_mill(men: u32, point: u8) -> bool {
    MILLS[usize::from(point)].iter().any(|&others| others & !men == 0)
}

/// Returns the column and the row of a point.
#[inline]
pub(super) fn place(point: u8) -> (usize, usize) {
    let (x, y) = PLACES[usize::from(point)];
    (x.into(), y.into())
}

/// Returns the name of a point, like that of a cell of a chess board.
pub(super) fn point_name(point: u8) -> String {
    let (x, y) = place(point);
    cell_name(x, y, SIZE)
}

/// Returns the place of a point in the picture.
pub(super) fn coord(point: u8) -> Coord {
    let (x, y) = place(point);
    Coord::new(x, y)
}

/// Returns the image of a point under a symmetry.
pub(super) fn image(point: u8, symmetry: Symmetry) -> u8 {
    let (x, y) = symmetry.point(place(point), SIZE, SIZE);
    let found = PLACES.iter().position(|&place| place == (x as u8, y as u8));
    found.expect("a symmetry of the board maps points to points") as u8
}
