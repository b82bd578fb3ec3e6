//! The board of Dots and Boxes: the numbers of its edges, and the boxes that they enclose.

use super::DotsAndBoxes;

/// Returns a set of edges as its low and its high word.
#[inline]
pub(super) fn words(edges: u128) -> [u64; 2] {
    [edges as u64, (edges >> 64) as u64]
}

/// Iterates over the numbers of the edges of a set, in ascending order.
#[inline]
pub(super) fn edges_of(mut set: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let edge = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        edge
    })
}

impl DotsAndBoxes {
    /// Returns the number of edges in a row of boxes and above it.
    #[inline]
    fn stride(&self) -> usize {
        2 * self.cols + 1
    }

    pub(super) fn edge_count(&self) -> usize {
        self.rows * self.stride() + self.cols
    }

    #[inline]
    pub(super) fn box_count(&self) -> usize {
        self.rows * self.cols
    }

    /// Returns the upper, the left, the right and the lower edge of a box.
    pub(super) fn sides_of_box(&self, x: usize, y: usize) -> [usize; 4] {
        let top = y * self.stride() + x;
        [top, top + self.cols, top + self.cols + 1, top + self.stride()]
    }

    /// Returns the column and row of an edge in the grid of dots, edges and boxes, which has twice as
    /// many columns and rows as boxes, and one more.
    #[inline]
    pub(super) fn point(&self, edge: usize) -> (usize, usize) {
        let (y, place) = (edge / self.stride(), edge % self.stride());
        match place.checked_sub(self.cols) {
            None => (2 * place + 1, 2 * y),
            Some(x) => (2 * x, 2 * y + 1),
        }
    }

    /// Returns the edge at a point of the grid of dots, edges and boxes.
    pub(super) fn edge_at(&self, (x, y): (usize, usize)) -> usize {
        y / 2 * self.stride() + if y % 2 == 0 { x / 2 } else { self.cols + x / 2 }
    }

    /// Returns the numbers of edges in each line of the notation and the sign of an edge.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, char)> {
        let cols = self.cols;
        (0..=2 * self.rows)
            .map(move |line| if line % 2 == 0 { (cols, '-') } else { (cols + 1, '|') })
    }

    /// Returns the number of boxes at `edge` whose edges are all in `edges`.
    #[inline]
    pub(super) fn completed(&self, edges: u128, edge: usize) -> u8 {
        let [one, other] = self.boxes[edge];
        u8::from(edges & one == one) + u8::from(edges & other == other)
    }

    /// Returns the columns and rows of the boxes whose edges are all in `edges`.
    pub(super) fn complete_boxes(&self, edges: u128) -> impl Iterator<Item = (usize, usize)> {
        let boxes = (0..self.box_count()).map(|i| (i % self.cols, i / self.cols));
        boxes.filter(move |&(x, y)| {
            self.sides_of_box(x, y).iter().all(|&edge| edges >> edge & 1 == 1)
        })
    }

    /// Returns the number of an edge in the grid of dots, edges and boxes, row by row.
    #[inline]
    pub(super) fn cell_number(&self, edge: u8) -> u32 {
        let (x, y) = self.point(edge.into());
        (y * (2 * self.cols + 1) + x) as u32
    }
}
