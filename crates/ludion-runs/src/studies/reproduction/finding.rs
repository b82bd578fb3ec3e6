//! The finding about an item: its verdict with the reason, comparisons one by one, tables and
//! figures with the published values beside ours.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::verdict::{MeasuredValue, Verdict};
use crate::RunPicture;

/// What came out for an item.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Finding {
    /// The verdict on the item as a whole.
    pub verdict: Verdict,
    /// Why, in sentences.
    pub reason: String,
    /// Published values beside ours, one by one.
    pub comparisons: Vec<Comparison>,
    /// Tables in the form of the original.
    pub tables: Vec<FindingTable>,
    /// Figures in the form of the original.
    pub figures: Vec<FindingFigure>,
}

/// A published value beside ours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// What is compared.
    pub what: String,
    /// The published value as text; empty if none was published.
    pub published: String,
    /// Our value as text, with its interval.
    pub ours: String,
    /// Our value as a number with its 95 % interval; `None` if it is no number.
    pub measured: Option<MeasuredValue>,
    /// The verdict on this value.
    pub verdict: Verdict,
}

impl Comparison {
    /// Returns the verdict in words with its sign, or a dash if nothing was published to judge.
    #[must_use]
    pub fn verdict_text(&self) -> String {
        match self.published.is_empty() {
            true => "–".to_owned(),
            false => format!("{} {}", self.verdict.sign(), self.verdict.words()),
        }
    }

    /// Compares numbers that have no sampling error.
    pub fn exact(what: impl Into<String>, published: f64, ours: f64) -> Self {
        Comparison {
            what: what.into(),
            published: plain(published),
            ours: plain(ours),
            measured: Some(MeasuredValue::exact(ours)),
            verdict: Verdict::exact(published == ours),
        }
    }

    /// Compares texts, which must be equal.
    pub fn text(
        what: impl Into<String>,
        published: impl Into<String>,
        ours: impl Into<String>,
    ) -> Self {
        let (published, ours) = (published.into(), ours.into());
        let verdict = Verdict::exact(published == ours);
        Comparison { what: what.into(), published, ours, measured: None, verdict }
    }

    /// Gives an estimate with its interval beside what was published.
    pub fn estimate(
        what: impl Into<String>,
        published: impl Into<String>,
        (ours, decimals, unit): (MeasuredValue, usize, &str),
        verdict: Verdict,
    ) -> Self {
        Comparison {
            what: what.into(),
            published: published.into(),
            ours: ours.text(decimals) + unit,
            measured: Some(ours),
            verdict,
        }
    }

    /// Gives a share in per cent beside what was published.
    pub fn share(
        what: impl Into<String>,
        published: impl Into<String>,
        ours: MeasuredValue,
        verdict: Verdict,
    ) -> Self {
        Comparison::estimate(what, published, (ours.percent(), 1, " %"), verdict)
    }
}

/// Formats a number without needless decimals.
pub(super) fn plain(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A table in the form of the original, of texts.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct FindingTable {
    /// What the table shows.
    pub caption: String,
    /// Names of the columns; the first is that of the rows.
    pub columns: Vec<String>,
    /// The rows, each beginning with its name.
    pub rows: Vec<Vec<String>>,
    /// The verdict on the table; `None` if nothing was published beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// A figure with its caption.
#[derive(Clone, PartialEq, Debug)]
pub struct FindingFigure {
    /// What the figure shows.
    pub caption: String,
    /// The figure.
    pub picture: RunPicture,
}

impl Serialize for FindingFigure {
    /// Writes the figure as SVG, which pages show as it is.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut figure = serializer.serialize_struct("FindingFigure", 2)?;
        figure.serialize_field("caption", &self.caption)?;
        figure.serialize_field("svg", &self.picture.drawing().svg())?;
        figure.end()
    }
}

impl Finding {
    /// Creates a finding without comparisons.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Finding {
            verdict,
            reason: reason.into(),
            comparisons: Vec::new(),
            tables: Vec::new(),
            figures: Vec::new(),
        }
    }

    /// Creates a finding from comparisons that must all hold.
    pub fn all(comparisons: Vec<Comparison>, reason: impl Into<String>) -> Self {
        let verdicts: Vec<Verdict> = comparisons.iter().map(|one| one.verdict).collect();
        Finding { comparisons, ..Finding::new(Verdict::all(&verdicts), reason) }
    }

    /// Adds comparisons.
    #[must_use]
    pub fn comparing(mut self, comparisons: impl IntoIterator<Item = Comparison>) -> Self {
        self.comparisons.extend(comparisons);
        self
    }

    /// Adds a table.
    #[must_use]
    pub fn table(mut self, table: FindingTable) -> Self {
        self.tables.push(table);
        self
    }

    /// Adds a figure.
    #[must_use]
    pub fn figure(mut self, caption: impl Into<String>, picture: RunPicture) -> Self {
        self.figures.push(FindingFigure { caption: caption.into(), picture });
        self
    }
}
