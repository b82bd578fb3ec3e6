//! The report of a reproduction as a Markdown page, whose figures are files beside it.

use super::finding::{Comparison, Finding, FindingTable};
use super::report::{ItemReport, ReproductionReport};

impl ReproductionReport {
    /// Writes the report as Markdown; the figures are linked under the names of
    /// [`figures`](ReproductionReport::figures).
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}, done again\n\n{}\n\n", self.title, self.first_lines());
        page += &format!("```sh\n{}\n```\n\n{}\n\n", self.command(), self.about);
        page += &format!("Source: {}.\n\n", self.source);
        page += &format!("## Verdicts\n\n{VERDICTS}\n\n");
        page += &table(
            &["", "item", "what", "verdict"].map(str::to_owned),
            &self.items.iter().zip(1..).map(summary_row).collect::<Vec<_>>(),
        );
        page += &format!("\n{} items: {}.\n\n", self.items.len(), self.counts.words());
        if !self.terms.is_empty() {
            page += "## Words\n\n";
            for (term, meaning) in self.terms {
                page += &format!("- **{term}**: {meaning}\n");
            }
            page.push('\n');
        }
        for (item, number) in self.items.iter().zip(1..) {
            page += &self.item(item, number);
        }
        page.trim_end().to_owned() + "\n"
    }

    /// Says how the report was made.
    pub(super) fn first_lines(&self) -> String {
        let size = match self.size {
            "full" => "at full size",
            "quick" => {
                "at the quick size, so that intervals are wide; `--full` computes as much as was \
                 published or more"
            }
            _ => "at the tiny size, which only shows the form: hardly anything is resolved",
        };
        let state = match self.complete {
            true => "",
            false => " The run is not finished: items without all their results are marked.",
        };
        format!(
            "*{}* ({}, {}), repeated item by item. This report was written by Ludion {} {size}, \
             with seed {}.{state}",
            self.title, self.authors, self.year, self.version, self.seed
        )
    }

    fn item(&self, item: &ItemReport, number: usize) -> String {
        let mut text = format!("## {number}. {}\n\n", item.title);
        text += &format!("*{}, {}: **{}**.*\n\n", item.kind, item.place, item.verdict_words());
        text += &format!("**Published.** {}\n\n", item.published);
        if !item.method.is_empty() {
            text += &format!("**Here.** {}\n\n", item.method);
        }
        if let Some(finding) = &item.finding {
            text += &self.finding(item, finding);
        }
        if item.clock {
            text += CLOCK;
            text += "\n\n";
        }
        text += &format!("```sh\n{}\n", item.command);
        if !item.other_command.is_empty() {
            text += &format!("{}\n", item.other_command);
        }
        text + "```\n\n"
    }

    fn finding(&self, item: &ItemReport, finding: &Finding) -> String {
        let mut text = String::new();
        if !finding.comparisons.is_empty() {
            let head = ["what", "published", "here", "verdict"].map(str::to_owned);
            let rows: Vec<Vec<String>> = finding.comparisons.iter().map(row).collect();
            text += &(table(&head, &rows) + "\n");
        }
        for one in &finding.tables {
            text += &(caption(one) + "\n\n");
            text += &(table(&one.columns, &one.rows) + "\n");
        }
        for (i, figure) in finding.figures.iter().enumerate() {
            let name = item.figure_name(self.work, i);
            text += &format!("![{}]({name})\n\n", figure.caption);
        }
        let verdict = finding.verdict.words();
        text + &format!("**Verdict: {verdict}.** {}\n\n", finding.reason)
    }
}

/// Says what the four verdicts mean.
pub(super) const VERDICTS: &str = "*Confirmed*: the measurement agrees with what was published and is precise enough to have \
     disagreed. *Refuted*: the measurement excludes it. *Inside the noise*: the intervals, of the \
     document or of this run, are too wide to tell it from its opposite. *Cannot be known from what \
     was published*: the document does not say enough to compare with. Intervals are 95 %. A cell \
     of a table is marked ✓, ✗, ≈ or ? in this order; since one cell in twenty is off by chance, a \
     table is refuted only if more are than chance explains.";

/// Says that an item measures time.
pub(super) const CLOCK: &str =
    "This item measures time, so its figures differ from run to run and between machines.";

/// Returns the caption of a table with its verdict.
pub(super) fn caption(table: &FindingTable) -> String {
    match table.verdict {
        Some(verdict) => format!("{} ({}).", table.caption, verdict.words()),
        None => format!("{}.", table.caption),
    }
}

fn summary_row((item, number): (&ItemReport, usize)) -> Vec<String> {
    let id = format!("`{}`", item.id);
    vec![number.to_string(), id, item.title.to_owned(), item.verdict_words().to_owned()]
}

fn row(one: &Comparison) -> Vec<String> {
    let published = if one.published.is_empty() { "–" } else { &one.published };
    vec![one.what.clone(), published.to_owned(), one.ours.clone(), one.verdict_text()]
}

/// Writes a Markdown table.
fn table(columns: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|{}\n", "---|".repeat(columns.len()));
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(columns) + &rule + &rows
}
