//! The inputs of a network: the features of a state, and for boards also the contents of *windows*,
//! groups of cells that lie in a line or a rectangle.
//!
//! A window has an input for each of its contents other than empty: every cell is empty, own or the
//! opponent's, so a window of n cells has 3ⁿ − 1. One addition in the first layer then tells the
//! network what it would need a deep convolution for, such as three stones and a gap.

use std::fmt;
use std::str::FromStr;

use crate::encoding::EncodingShape;

/// The shapes of the windows of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WindowShapes {
    /// The length of lines in the eight directions; 0 for no lines.
    pub line: usize,
    /// The columns and rows of rectangles; 0 for no rectangles.
    pub block: (usize, usize),
}

/// The most cells of a window.
const MAX_WINDOW: usize = 8;

impl fmt::Display for WindowShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cols, rows) = self.block;
        match (self.line, cols * rows) {
            (0, 0) => f.write_str("cells"),
            (line, 0) => write!(f, "lines{line}"),
            (0, _) => write!(f, "blocks{cols}x{rows}"),
            (line, _) => write!(f, "lines{line}+blocks{cols}x{rows}"),
        }
    }
}

/// Error of a text that names no windows.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} names no inputs; cells, lines2 to lines8, blocks such as blocks3x2, and lines4+blocks3x2 are allowed"
)]
pub struct WindowShapesError(String);

impl FromStr for WindowShapes {
    type Err = WindowShapesError;

    fn from_str(text: &str) -> Result<Self, WindowShapesError> {
        let parse = || {
            let mut windows = WindowShapes::default();
            for part in text.split('+').filter(|&part| part != "cells") {
                if let Some(line) = part.strip_prefix("lines") {
                    windows.line = line.parse().ok()?;
                } else {
                    let (cols, rows) = part.strip_prefix("blocks")?.split_once('x')?;
                    windows.block = (cols.parse().ok()?, rows.parse().ok()?);
                }
            }
            let sizes = [windows.line, windows.block.0.checked_mul(windows.block.1)?];
            (sizes.iter().all(|&size| size <= MAX_WINDOW)).then_some(windows)
        };
        parse().ok_or_else(|| WindowShapesError(text.to_owned()))
    }
}

/// The inputs of a network for states of one encoding.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkInputs {
    shape: EncodingShape,
    windows: WindowShapes,
    /// For each cell the windows that it is in.
    windows_of_cell: Vec<Vec<CellOfWindow>>,
    /// The input that stands for the empty contents of each window; it is never active.
    first_inputs: Vec<u32>,
    count: usize,
}

/// A cell of a window.
#[derive(Clone, Copy, PartialEq, Debug)]
struct CellOfWindow {
    window: u16,
    /// The power of 3 of the cell in the contents of the window.
    power: u16,
}

impl NetworkInputs {
    /// Creates the inputs for an encoding. Windows need two planes: own cells and the opponent's, of
    /// which at most one has a cell. The planes of heaps are others.
    ///
    /// # Panics
    /// If a window has more than eight cells.
    #[must_use]
    pub fn new(shape: EncodingShape, windows: WindowShapes) -> Self {
        let cells = windows.line.max(windows.block.0 * windows.block.1);
        assert!(cells <= MAX_WINDOW, "at most {MAX_WINDOW} cells in a window");
        let mut inputs = NetworkInputs {
            shape,
            windows,
            windows_of_cell: vec![Vec::new(); shape.cells()],
            first_inputs: Vec::new(),
            count: shape.features(),
        };
        if shape.planes >= 2 {
            inputs.add_lines(windows.line);
            inputs.add_blocks(windows.block);
        }
        inputs
    }

    fn add_lines(&mut self, length: usize) {
        if length == 0 {
            return;
        }
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for cell in 0..self.shape.cells() {
                let (x, y) = (cell % self.shape.cols, cell / self.shape.cols);
                let at = |i: usize| {
                    let x = x.checked_add_signed(dx * i as isize)?;
                    let y = y.checked_add_signed(dy * i as isize)?;
                    (x < self.shape.cols && y < self.shape.rows).then_some(y * self.shape.cols + x)
                };
                if let Some(cells) = (0..length).map(at).collect::<Option<Vec<usize>>>() {
                    self.add_window(&cells);
                }
            }
        }
    }

    fn add_blocks(&mut self, (cols, rows): (usize, usize)) {
        let EncodingShape { cols: width, rows: height, .. } = self.shape;
        if cols * rows == 0 || cols > width || rows > height {
            return;
        }
        for y in 0..=height - rows {
            for x in 0..=width - cols {
                let cells: Vec<usize> =
                    (0..cols * rows).map(|i| (y + i / cols) * width + x + i % cols).collect();
                self.add_window(&cells);
            }
        }
    }

    fn add_window(&mut self, cells: &[usize]) {
        let window = u16::try_from(self.first_inputs.len()).expect("a board has fewer windows");
        let mut power = 1;
        for &cell in cells {
            self.windows_of_cell[cell].push(CellOfWindow { window, power });
            power *= 3;
        }
        self.first_inputs.push(self.count as u32);
        self.count += usize::from(power);
    }

    /// Returns the number of inputs.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether there are inputs for the contents of windows.
    #[must_use]
    pub fn has_windows(&self) -> bool {
        !self.first_inputs.is_empty()
    }

    /// Returns about how many inputs are active in a typical state: half of the cells of a board with
    /// windows, and most windows; otherwise a quarter of the features.
    #[must_use]
    pub fn typical_active(&self) -> usize {
        match self.first_inputs.len() {
            0 => (self.count / 4).clamp(1, 32),
            windows => self.shape.cells() / 2 + windows * 3 / 4,
        }
    }

    /// Returns the encoding of the states.
    #[must_use]
    pub fn shape(&self) -> &EncodingShape {
        &self.shape
    }

    /// Returns the name of the inputs, with all sizes that they depend on.
    #[must_use]
    pub fn name(&self) -> String {
        let EncodingShape { planes, rows, cols, extras, .. } = self.shape;
        format!("{planes} planes of {rows}x{cols}, {extras} extras, {}", self.windows)
    }

    /// Parses the windows of a name that [`NetworkInputs::name`] wrote, for this encoding; `None` if
    /// the name is of another encoding.
    #[must_use]
    pub fn from_name(name: &str, shape: EncodingShape) -> Option<Self> {
        let windows = name.rsplit(", ").next()?.parse().ok()?;
        let inputs = NetworkInputs::new(shape, windows);
        (inputs.name() == name).then_some(inputs)
    }

    /// Writes the active inputs of a state with these features to `out`, in ascending order.
    /// `contents` is a buffer.
    pub fn activate(&self, features: &[u32], contents: &mut Vec<u16>, out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(features);
        let windows = self.first_inputs.len();
        if windows == 0 {
            return;
        }
        contents.clear();
        contents.resize(windows, 0);
        let mut count = out.len();
        out.resize(count + windows, 0);
        // Slices, so that no length is read from memory again.
        let (contents, out_inputs) = (&mut contents[..windows], &mut out[..count + windows]);
        let cells = self.shape.cells() as u32;
        for &feature in features {
            if feature >= 2 * cells {
                break;
            }
            let owner = u32::from(feature >= cells);
            let cell = feature - owner * cells;
            for &CellOfWindow { window, power } in &self.windows_of_cell[cell as usize] {
                contents[usize::from(window)] += power << owner;
            }
        }
        // Without a branch for each window, which would be mispredicted.
        let first_inputs = &self.first_inputs[..windows];
        for window in 0..windows {
            let content = contents[window];
            out_inputs[count] = first_inputs[window] + u32::from(content);
            count += usize::from(content != 0);
        }
        out.truncate(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONNECT4: EncodingShape =
        EncodingShape { planes: 2, rows: 6, cols: 7, extras: 0, actions: 7 };

    #[test]
    fn connect_four_has_69_lines() {
        let windows: WindowShapes = "lines4".parse().unwrap();
        let inputs = NetworkInputs::new(CONNECT4, windows);
        assert_eq!(inputs.count(), 84 + 69 * 81);
        let (mut contents, mut out) = (Vec::new(), Vec::new());
        // Own stones on the first two cells of the top row, one of the opponent on the third: the
        // first window is 1 + 3·1 + 9·2 = 22, the second 1 + 3·2 = 7.
        inputs.activate(&[0, 1, 44], &mut contents, &mut out);
        assert!(out.is_sorted_by(|a, b| a < b));
        assert_eq!(out[..5], [0, 1, 44, 84 + 22, 84 + 81 + 7]);
        assert_eq!(NetworkInputs::from_name(&inputs.name(), CONNECT4), Some(inputs));
    }

    #[test]
    fn names_of_windows_are_read_back_and_others_refused() {
        for name in ["cells", "lines4", "blocks3x2", "lines3+blocks2x2"] {
            assert_eq!(name.parse::<WindowShapes>().unwrap().to_string(), name);
        }
        for name in ["", "lines", "lines9", "blocks3", "blocks4x4", "rings"] {
            assert!(name.parse::<WindowShapes>().is_err(), "{name}");
        }
        let other = EncodingShape { cols: 8, ..CONNECT4 };
        let name = NetworkInputs::new(CONNECT4, WindowShapes::default()).name();
        assert_eq!(NetworkInputs::from_name(&name, other), None);
    }
}
