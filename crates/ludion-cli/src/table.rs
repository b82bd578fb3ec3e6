//! Tables for people: a head, a line under it, columns of even width, at most as wide as
//! the narrowest common terminal. And the rows of self-describing parameters.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle, Width,
};
use ludion::param::Param;

use crate::output::{LOUD, paint};

const WIDTH: u16 = 80;
/// Characters between two columns.
const GAP: usize = 2;

/// The widest column before the help of a parameter; what is longer takes more lines.
const WIDEST: usize = 28;

/// A table of a name and figures: all but the first column are set to the right.
pub(crate) fn figures(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = made(head, rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    finish(table)
}

/// A table of words, all set to the left.
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

/// A game or a player, with what its definition says.
pub(crate) struct DefinitionRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) help: &'a str,
    pub(crate) params: &'a [Param],
}

/// Each thing with its line of help, its parameters indented under it in columns that
/// all things share.
pub(crate) fn listing(attachments: &[DefinitionRow<'_>]) -> String {
    let params: Vec<&Param> = attachments.iter().flat_map(|thing| thing.params).collect();
    let width = |i: usize| params.iter().map(|p| row(p)[i].chars().count()).max();
    let widths = [0, 1, 2].map(|i| width(i).map(|width| width.min(WIDEST)));
    let part = |thing: &DefinitionRow<'_>| {
        let name = paint(LOUD, thing.name);
        let under = parameters(thing.params, widths.map(|width| width.unwrap_or(0)));
        format!("{name}: {}\n{under}", thing.help)
    };
    attachments.iter().map(part).collect()
}

fn parameters(params: &[Param], widths: [usize; 3]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut table = made(&[], params.iter().map(row));
    for (column, width) in table.column_iter_mut().zip(widths) {
        // The gap to the next column is a part of this one's width.
        let width = Width::Fixed(u16::try_from(width + GAP).unwrap_or(WIDTH));
        column.set_constraint(ColumnConstraint::Absolute(width));
    }
    finish(table)
}

fn row(param: &Param) -> Vec<String> {
    let default = format!("= {}", param.default_text());
    vec![format!("  {}", param.name), default, param.allowed(), param.help.clone().into_owned()]
}
