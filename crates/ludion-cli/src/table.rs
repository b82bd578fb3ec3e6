//! Tables for people: a head, a line under it, columns of even width, at most as wide as
//! the narrowest common terminal. And the rows of self-describing parameters.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use ludion::param::Param;

const WIDTH: u16 = 80;

/// A table with this head and these rows, in whole lines.
pub(crate) fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    finish(made(head, rows))
}

/// A table of a name and figures: all but the first column are set to the right.
pub(crate) fn figures(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = made(head, rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    finish(table)
}

fn made(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let line = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(line));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(head.to_vec()).add_rows(rows);
    table
}

fn finish(mut table: Table) -> String {
    let last = table.column_count().saturating_sub(1);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if i == last { 0 } else { 2 }));
    }
    table.trim_fmt() + "\n"
}

/// The head of a table of things with parameters.
pub(crate) fn listing_head(thing: &str) -> [&str; 4] {
    [thing, "default", "allowed", "what it is"]
}

/// One thing and its parameters, indented under it.
pub(crate) fn listing(name: &str, help: &str, params: &[Param]) -> Vec<Vec<String>> {
    let head = vec![name.to_owned(), String::new(), String::new(), help.to_owned()];
    let row =
        |p: &Param| vec![format!("  {}", p.name), p.default_text(), p.allowed(), p.help.to_owned()];
    std::iter::once(head).chain(params.iter().map(row)).collect()
}
