//! Text of the list of works and of the report of a reproduction.

use ludion_runs::studies::reproduction::{
    Finding, ItemReport, ReproductionReport, WorkDescription, describe_works,
};
use serde::Serialize;

use crate::output::{CommandReport, LOUD, QUIET, paint, plural};
use crate::table;

/// List of the works that can be repeated.
#[derive(Serialize)]
pub(super) struct WorksReport {
    works: Vec<WorkDescription>,
}

impl WorksReport {
    pub(super) fn new() -> Self {
        WorksReport { works: describe_works() }
    }
}

impl CommandReport for WorksReport {
    fn text(&self) -> String {
        let mut text = String::new();
        for work in &self.works {
            let WorkDescription { name, title, authors, year, items, .. } = work;
            text += &format!("{}  {title}, {authors}, {year}\n", paint(LOUD, name));
            let ids: Vec<&str> = items.iter().map(|item| item.id).collect();
            text += &format!("  {}: {}\n\n", plural(items.len() as u64, "item"), ids.join(", "));
        }
        text + &paint(QUIET, "ludion reproduce WORK --quick --out FOLDER repeats one of them\n")
    }
}

/// Greatest number of items that are shown with all their figures.
const MAX_WHOLE: usize = 2;

impl CommandReport for ReproductionReport {
    fn text(&self) -> String {
        let ReproductionReport { title, authors, year, size, seed, .. } = self;
        let mut text = format!("{}\n", paint(LOUD, &format!("{title}, {authors}, {year}")));
        match self.items.len() <= MAX_WHOLE {
            true => text += &self.items.iter().map(whole_item).collect::<String>(),
            false => {
                let row = |item: &ItemReport| {
                    vec![item.id.to_owned(), item.title.to_owned(), item.verdict_words().to_owned()]
                };
                text += "\n";
                text += &table::words(&["item", "what", "verdict"], self.items.iter().map(row));
            }
        }
        let items = plural(self.items.len() as u64, "item");
        text += &format!("\n{}\n", paint(LOUD, &format!("{items}: {}", self.counts.words())));
        let run = self.run.map_or_else(String::new, |run| {
            format!(", run {run}; `ludion reproduce --from {run} --out FOLDER` writes pages")
        });
        text + &paint(QUIET, &format!("{size}, seed {seed}{run}")) + "\n"
    }
}

fn whole_item(item: &ItemReport) -> String {
    let heading = format!("\n{} ({}, {})\n", item.title, item.kind, item.place);
    let mut text = paint(LOUD, &heading);
    text += &format!("published: {}\n", item.published);
    if !item.method.is_empty() {
        text += &format!("here: {}\n", item.method);
    }
    match &item.finding {
        Some(finding) => text += &finding_text(finding),
        None => text += "not measured yet\n",
    }
    text + &paint(QUIET, &format!("{}\n", item.command))
}

fn finding_text(finding: &Finding) -> String {
    let mut text = String::new();
    if !finding.comparisons.is_empty() {
        let rows = finding.comparisons.iter().map(|one| {
            let verdict = if one.published.is_empty() { "" } else { one.verdict.sign() }.to_owned();
            vec![one.what.clone(), one.published.clone(), one.ours.clone(), verdict]
        });
        text += &format!("\n{}", table::words(&["what", "published", "here", ""], rows));
    }
    for one in &finding.tables {
        let head: Vec<&str> = one.columns.iter().map(String::as_str).collect();
        text += &format!("\n{}\n{}", one.caption, table::words(&head, one.rows.clone()));
    }
    let verdict = paint(LOUD, &format!("{}:", finding.verdict.words()));
    text + &format!("\n{verdict} {}\n", finding.reason)
}
