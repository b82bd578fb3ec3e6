//! Tables for terminals: a head, a rule and aligned columns, at most 80 characters wide; and lists
//! of games and players with their parameters.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};
use ludion::param::Param;

use crate::output::{LOUD, paint};

const WIDTH: u16 = 80;
/// Number of characters between two columns.
const GAP: usize = 2;

/// Maximum width, in characters, of each column of a parameter before its help; longer text is
/// wrapped.
const WIDEST: usize = 28;

/// Formats a table of names and numbers: all columns but the first are right-aligned.
pub(crate) fn figures(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = made(head, rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    finish(table)
}

/// Formats a table of words: all columns are left-aligned.
pub(crate) fn words(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    finish(made(head, rows))
}

fn made(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Table {
    let line = LineStyle::none().fill('─').junction('─');
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(line));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    if !head.is_empty() {
        table.set_header(head.to_vec());
    }
    table.add_rows(rows);
    table
}

fn finish(mut table: Table) -> String {
    let last = table.column_count().saturating_sub(1);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if i == last { 0 } else { GAP as u16 }));
    }
    table.trim_fmt() + "\n"
}

/// A game, riddle or player with its help and parameters.
pub(crate) struct DefinitionRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) help: &'a str,
    pub(crate) params: &'a [Param],
}

/// Formats definitions with their help, and below each its parameters; all parameters share the
/// same column widths.
pub(crate) fn listing(definitions: &[DefinitionRow<'_>]) -> String {
    let params: Vec<&Param> = definitions.iter().flat_map(|thing| thing.params).collect();
    let width = |i: usize| params.iter().map(|p| row(p)[i].chars().count()).max();
    let widths = [0, 1, 2].map(|i| width(i).map(|width| width.min(WIDEST)));
    let part = |thing: &DefinitionRow<'_>| {
        let name = paint(LOUD, thing.name);
        let under = parameters(thing.params, widths.map(|width| width.unwrap_or(0)));
        format!("{name}: {}\n{under}", thing.help)
    };
    definitions.iter().map(part).collect()
}

fn parameters(params: &[Param], widths: [usize; 3]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut table = made(&[], params.iter().map(row));
    for (column, width) in table.column_iter_mut().zip(widths) {
        // The gap to the next column is part of the width of this column.
        let width = Width::Fixed(u16::try_from(width + GAP).unwrap_or(WIDTH));
        column.set_constraint(ColumnConstraint::Absolute(width));
    }
    finish(table)
}

fn row(param: &Param) -> Vec<String> {
    let default = format!("= {}", param.default_text());
    vec![format!("  {}", param.name), default, param.allowed(), param.help.clone().into_owned()]
}
