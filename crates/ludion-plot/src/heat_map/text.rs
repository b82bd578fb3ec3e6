//! Heat maps in the terminal: tables of the values, with the shades `░▒▓█` or background colours.
//! Marked cells have a star `*`.

use super::HeatMap;
use crate::colour::viridis;
use crate::terminal::{self, TextCell, TextOptions, truncate};

impl HeatMap {
    /// Formats the heat map as text for the terminal, no wider than `options` allow. If some
    /// columns do not fit, a line says how many are missing.
    #[must_use]
    pub fn text(&self, options: TextOptions) -> String {
        let options = options.clamped();
        let [rows, columns] = self.shape();
        let cell = self.cell_width();
        let names = self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let gutter = names.max(self.row_label.chars().count()).min(options.width / 3);
        let shown = columns.min((options.width - gutter) / cell);
        let mut lines = vec![truncate(&self.title, options.width)];
        let mut head = truncate(&self.column_label, options.width - gutter);
        if !head.is_empty() {
            head = format!("{:gutter$} {head}", "");
        }
        lines.push(truncate(&head, options.width));
        let mut header = format!("{:gutter$}", truncate(&self.row_label, gutter));
        for name in self.columns.iter().take(shown) {
            header += &format!("{:>cell$}", truncate(name, cell - 1));
        }
        lines.push(header.trim_end().to_owned());
        for row in 0..rows {
            let name = truncate(self.rows.get(row).map_or("", String::as_str), gutter);
            let cells: Vec<TextCell> = (0..shown)
                .flat_map(|column| self.cell(row, column, cell, options.colour))
                .collect();
            lines.push(format!("{name:>gutter$}{}", terminal::format_row(&cells, options.colour)));
        }
        if shown < columns {
            lines.push(format!("and {} more columns", columns - shown));
        }
        lines.push(truncate(&self.legend(), options.width));
        lines.push(truncate(&self.note, options.width));
        lines.retain(|line| !line.trim().is_empty());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Returns the width of a cell in characters, for a space, the shade, the value and the star.
    fn cell_width(&self) -> usize {
        let values = self.values.iter().flatten().flatten();
        let widest = values.map(|value| self.format(*value).chars().count()).max().unwrap_or(1);
        let names = self.columns.iter().map(|name| name.chars().count()).max().unwrap_or(1);
        (widest + 3).max(names.min(12) + 1)
    }

    fn cell(&self, row: usize, column: usize, width: usize, colour: bool) -> Vec<TextCell> {
        let mut cells = vec![TextCell::EMPTY];
        let inside = width - 1;
        let star = if self.marked.contains(&(row, column)) { '*' } else { ' ' };
        let Some(value) = self.value(row, column) else {
            cells.extend(vec![TextCell::EMPTY; inside]);
            return cells;
        };
        let fraction = self.fraction(value);
        let text = format!("{:>room$}{star}", self.format(value), room = inside - 2);
        let shade = ['░', '▒', '▓', '█'][((fraction * 4.0) as usize).min(3)];
        let (background, shade) =
            if colour { (Some(viridis(fraction)), ' ') } else { (None, shade) };
        let foreground = background.map(crate::Colour::text_colour);
        cells.extend([shade].into_iter().chain(text.chars()).map(|character| TextCell {
            character,
            foreground,
            background,
        }));
        cells
    }
}
