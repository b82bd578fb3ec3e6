//! *Projet C#* (Mauffret and Pruvot 2019): Monte-Carlo tree search with the selection formula φ on
//! Matches and Connect Four, with a kept tree, leaf parallelism and tree parallelism.

mod championship;
mod formula;
mod kept_tree;
mod parallel;
mod phi_tree;
mod strength;

use super::work::{PublishedWork, WorkItem};

/// The study of Monte-Carlo tree search.
pub(super) const WORK: PublishedWork = PublishedWork {
    name: "tree-search",
    title: "Projet C# – M2 ISIFAR",
    authors: "Lucien Mauffret and Yoann Pruvot",
    year: "December 2019",
    source: "L. Mauffret and Y. Pruvot, *Projet C# – M2 ISIFAR*, a report of a master's course, in \
             French",
    about: "The report implements Monte-Carlo tree search for Matches (21 matches, take one to three, \
            who takes the last one loses) and Connect Four. A position's children are chosen by φ(a, \
            W, C) = (a + W) / (a + C), where W are the points won below a child and C its visits, both \
            counted from the side that moves. The report keeps the tree from move to move, looks for \
            the best a in a championship in which every player meets every other one, and runs random \
            games on several threads (JMCTSp). A version with all phases on several threads (JMCTSP) \
            failed. Players have 100 ms a move.",
    terms: &[
        ("JMCTS", "the sequential player"),
        ("JMCTSp", "leaf parallelism: N random games from every leaf, one on each thread"),
        ("JMCTSP", "tree parallelism: the threads search one tree together"),
        (
            "a",
            "the parameter of φ: wins and visits that every child is given beforehand; a larger \
               value searches more broadly",
        ),
        (
            "simulation",
            "one descent of the tree with its random game; the report limits time, most \
                        items here limit simulations, so that they can be repeated exactly",
        ),
        (
            "right decision",
            "a move that keeps the exact value of the position, which a solver \
                            computes; positions in which every move does are left out",
        ),
    ],
    items,
};

fn items() -> Vec<WorkItem> {
    vec![
        formula::formula(),
        formula::matches(),
        strength::connect_four(),
        kept_tree::gain(),
        kept_tree::code(),
        formula::first_player(),
        championship::of_100(),
        championship::hours(),
        championship::of_50(),
        championship::resolution(),
        championship::of_leaf_parallel(),
        parallel::duels(),
        parallel::tree(),
        parallel::same_column(),
        parallel::best_a(),
        strength::conclusion(),
    ]
}
