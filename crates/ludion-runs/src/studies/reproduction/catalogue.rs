//! The list of works as data, for the command line and the laboratory.

use serde::Serialize;

use super::work::{PublishedWork, RunSize};
use super::works;

/// A work with its items.
#[derive(Serialize)]
pub struct WorkDescription {
    /// Name by which users select the work.
    pub name: &'static str,
    /// Title of the document.
    pub title: &'static str,
    /// Names of the authors.
    pub authors: &'static str,
    /// Year of publication.
    pub year: &'static str,
    /// What the document is about.
    pub about: &'static str,
    /// CPU seconds at the sizes quick and full, as measured on one core.
    pub seconds: [f64; 2],
    /// The items, in the order of the document.
    pub items: Vec<ItemDescription>,
}

/// An item of a work.
#[derive(Serialize)]
pub struct ItemDescription {
    /// Name of the item within the work.
    pub id: &'static str,
    /// What it is: table, figure, claim or exercise.
    pub kind: &'static str,
    /// Where it is in the document.
    pub place: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Whether its figures depend on the clock.
    pub clock: bool,
}

impl WorkDescription {
    fn new(work: &PublishedWork) -> Self {
        let items = (work.items)();
        let seconds = |size: RunSize| items.iter().map(|item| size.pick(item.seconds)).sum();
        WorkDescription {
            name: work.name,
            title: work.title,
            authors: work.authors,
            year: work.year,
            about: work.about,
            seconds: [RunSize::Quick, RunSize::Full].map(seconds),
            items: items
                .iter()
                .map(|item| ItemDescription {
                    id: item.head.id,
                    kind: item.head.kind.name(),
                    place: item.head.place,
                    title: item.head.title,
                    clock: item.has_clock,
                })
                .collect(),
        }
    }
}

/// Returns descriptions of all works.
#[must_use]
pub fn describe_works() -> Vec<WorkDescription> {
    works().iter().map(WorkDescription::new).collect()
}
