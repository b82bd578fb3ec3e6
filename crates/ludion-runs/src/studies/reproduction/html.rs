//! The report of a reproduction as one HTML page that loads nothing: figures are inline SVG.

use super::finding::{Comparison, Finding};
use super::markdown::{CLOCK, VERDICTS, caption};
use super::report::{ItemReport, ReproductionReport};
use super::verdict::Verdict;

impl ReproductionReport {
    /// Writes the report as a self-contained HTML page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = format!("<h1>{}, done again</h1>\n", escape(self.title));
        body += &paragraph(&self.first_lines());
        body += &code(&[&self.command()]);
        body += &paragraph(self.about);
        body += &paragraph(&format!("Source: {}.", self.source));
        body += "<h2>Verdicts</h2>\n";
        body += &paragraph(VERDICTS);
        let head = ["", "item", "what", "verdict"].map(str::to_owned);
        body += &table(&head, self.items.iter().zip(1..).map(summary_row).collect());
        body += &paragraph(&format!("{} items: {}.", self.items.len(), self.counts.words()));
        if !self.terms.is_empty() {
            body += "<h2>Words</h2>\n<dl>\n";
            for (term, meaning) in self.terms {
                body += &format!("<dt>{}</dt><dd>{}</dd>\n", inline(term), inline(meaning));
            }
            body += "</dl>\n";
        }
        body += &self.items.iter().zip(1..).map(item).collect::<String>();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
            escape(self.title)
        )
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:1rem}\
main{max-width:60rem;margin:auto}\
table{border-collapse:collapse;margin:.5rem 0}\
.wide{overflow-x:auto}\
th,td{border:1px solid #8888;padding:.2rem .5rem;text-align:left;vertical-align:top}\
pre{overflow-x:auto;padding:.5rem;background:#8882}\
figure{margin:1rem 0}figure svg{max-width:100%;height:auto;background:#fff}\
.verdict{font-weight:bold;padding:0 .4rem;border-radius:.3rem;border:2px solid}\
.confirmed{border-color:#2a8a3a}.refuted{border-color:#c0392b}\
.noise{border-color:#b8860b}.unknown{border-color:#777}";

/// Replaces the characters that have a meaning in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Converts the Markdown that texts of works use: code in backticks, bold and italic.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (i, part) in text.split('`').enumerate() {
        let escaped = escape(part);
        html += &match i % 2 {
            1 => format!("<code>{escaped}</code>"),
            _ => emphasise(&emphasise(&escaped, "**", "strong"), "*", "em"),
        };
    }
    html
}

/// Puts the text between pairs of `mark` into an element; a mark without a partner stays.
fn emphasise(text: &str, mark: &str, element: &str) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let part = |(i, part): (usize, &&str)| match i % 2 {
        1 => format!("<{element}>{part}</{element}>"),
        _ => (*part).to_owned(),
    };
    parts.iter().enumerate().map(part).collect()
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", inline(text))
}

fn code(lines: &[&str]) -> String {
    format!("<pre><code>{}</code></pre>\n", escape(&lines.join("\n")))
}

fn table(columns: &[String], rows: Vec<Vec<String>>) -> String {
    let head: String = columns.iter().map(|cell| format!("<th>{}</th>", inline(cell))).collect();
    let row = |cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", inline(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n"
    )
}

fn summary_row((item, number): (&ItemReport, usize)) -> Vec<String> {
    let id = format!("`{}`", item.id);
    vec![number.to_string(), id, item.title.to_owned(), item.verdict_words().to_owned()]
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Confirmed => "confirmed",
        Verdict::Refuted => "refuted",
        Verdict::InsideNoise => "noise",
        Verdict::Unknowable => "unknown",
    }
}

fn item((item, number): (&ItemReport, usize)) -> String {
    let mut html = format!(
        "<section id=\"{}\">\n<h2>{number}. {}</h2>\n",
        escape(item.id),
        inline(item.title)
    );
    let class = item.finding.as_ref().map_or("unknown", |finding| class(finding.verdict));
    html += &format!(
        "<p>{}, {}: <span class=\"verdict {class}\">{}</span></p>\n",
        escape(item.kind),
        inline(item.place),
        item.verdict_words()
    );
    html += &paragraph(&format!("**Published.** {}", item.published));
    if !item.method.is_empty() {
        html += &paragraph(&format!("**Here.** {}", item.method));
    }
    html += &item.finding.as_ref().map_or_else(String::new, finding);
    if item.clock {
        html += &paragraph(CLOCK);
    }
    let lines = [item.command.as_str(), item.other_command];
    html += &code(if item.other_command.is_empty() { &lines[..1] } else { &lines });
    html + "</section>\n"
}

fn finding(finding: &Finding) -> String {
    let mut html = String::new();
    if !finding.comparisons.is_empty() {
        let head = ["what", "published", "here", "verdict"].map(str::to_owned);
        html += &table(&head, finding.comparisons.iter().map(row).collect());
    }
    for one in &finding.tables {
        html += &paragraph(&caption(one));
        html += &table(&one.columns, one.rows.clone());
    }
    for figure in &finding.figures {
        html += &format!(
            "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
            figure.picture.drawing().svg(),
            inline(&figure.caption)
        );
    }
    html + &paragraph(&format!("**Verdict: {}.** {}", finding.verdict.words(), finding.reason))
}

fn row(one: &Comparison) -> Vec<String> {
    vec![one.what.clone(), one.published.clone(), one.ours.clone(), one.verdict_text()]
}
