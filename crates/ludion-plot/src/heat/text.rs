//! A heat map for the terminal: a table of its values, darker or brighter by shade `░▒▓█` or, where
//! colour is asked for, by the colours of the picture. Cells pointed out have a star.

use super::HeatMap;
use crate::colour::viridis;
use crate::terminal::{self, TextCell, TextOptions, cut};

impl HeatMap {
    /// The heat map as lines of text, each ended, none wider than asked for; columns that have no
    /// room are left out, and that is said.
    #[must_use]
    pub fn text(&self, options: TextOptions) -> String {
        let options = options.within_reason();
        let [rows, columns] = self.shape();
        let cell = self.cell_width();
        let names = self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let gutter = names.max(self.row_label.chars().count()).min(options.width / 3);
        let shown = columns.min((options.width - gutter) / cell);
        let mut lines = vec![cut(&self.title, options.width)];
        let mut head = cut(&self.column_label, options.width - gutter);
        if !head.is_empty() {
            head = format!("{:gutter$} {head}", "");
        }
        lines.push(cut(&head, options.width));
        let mut header = format!("{:gutter$}", cut(&self.row_label, gutter));
        for name in self.columns.iter().take(shown) {
            header += &format!("{:>cell$}", cut(name, cell - 1));
        }
        lines.push(header.trim_end().to_owned());
        for row in 0..rows {
            let name = cut(self.rows.get(row).map_or("", String::as_str), gutter);
            let cells: Vec<TextCell> = (0..shown)
                .flat_map(|column| self.cell(row, column, cell, options.colour))
                .collect();
            lines.push(format!("{name:>gutter$}{}", terminal::row(&cells, options.colour)));
        }
        if shown < columns {
            lines.push(format!("and {} more columns", columns - shown));
        }
        lines.push(cut(&self.legend(), options.width));
        lines.push(cut(&self.note, options.width));
        lines.retain(|line| !line.trim().is_empty());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// A blank, the shade, the value, the star.
    fn cell_width(&self) -> usize {
        let values = self.values.iter().flatten().flatten();
        let widest = values.map(|value| self.shown(*value).chars().count()).max().unwrap_or(1);
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
        let share = self.share(value);
        let text = format!("{:>room$}{star}", self.shown(value), room = inside - 2);
        let shade = ['░', '▒', '▓', '█'][((share * 4.0) as usize).min(3)];
        let (paper, shade) = if colour { (Some(viridis(share)), ' ') } else { (None, shade) };
        let ink = paper.map(crate::Colour::ink);
        cells.extend([shade].into_iter().chain(text.chars()).map(|mark| TextCell {
            mark,
            ink,
            paper,
        }));
        cells
    }
}
