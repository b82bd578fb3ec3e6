//! *Fiche Jalon 03* (Corsini 2022): an exercise sheet about players of two-sided games, from
//! alpha-beta with a memory to UCT. Figures that the sheet presupposes (numbers of calls, contents of
//! memories, numbers of random games) are from the other sheets and the tests of the same course.

mod games;
mod memory;
mod monte_carlo;
mod own_evaluators;
mod parties;
mod ucb;
mod uct;

use super::work::{PublishedWork, WorkItem};

/// The exercise sheet.
pub(super) const WORK: PublishedWork = PublishedWork {
    name: "players",
    title: "Fiche Jalon 03",
    authors: "Marc-Michel Corsini, Université de Bordeaux",
    year: "revision 2 of 7 April 2022",
    source: "M.-M. Corsini, *Fiche Jalon 03*, third exercise sheet of a course on game-playing \
             programs, in French",
    about: "Students write players in Python, one after the other: alpha-beta with a memory of \
            positions, iterative deepening with a time limit, Monte-Carlo players that value a move \
            by random games, UCB, UCT, and a player *Ultimate* with an evaluation for one game. The \
            sheet says how each works and what to expect of it, and closes with three tables of \
            matches. Its games are small enough to be solved exactly, so most of what it says can be \
            checked without a sampling error.",
    terms: &[
        (
            "Matches(n, take)",
            "take one, two or three of n matches; who takes the last one wins, or \
                              loses in the *misère* variant",
        ),
        (
            "Divide(a, b)",
            "two boxes of tokens: empty one and split the other into two boxes that are \
                          not empty; who cannot, at one token in each, loses",
        ),
        (
            "Hexapawn",
            "pawns step ahead or capture diagonally; who reaches the far row or leaves the \
                      opponent without a move wins",
        ),
        (
            "Morpion",
            "tic-tac-toe in which the last cell stays empty; variants wrap round the edges \
                     (torus) or go on by sliding stones into the hole (phases 1 and 2)",
        ),
        ("depth (*pf*)", "the number of moves that a search looks ahead"),
        ("utility", "(wins − losses + ½ draws) / games, between −1 and 1"),
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
        games::variants(),
        games::calls(),
        memory::table(),
        memory::soundness(),
        memory::best_first(),
        memory::deepening_table(),
        memory::time_limit(),
        monte_carlo::utility(),
        monte_carlo::random_games(),
        monte_carlo::more_games(),
        monte_carlo::leaves(),
        ucb::counts(),
        ucb::strength(),
        ucb::exploration(),
        monte_carlo::deepening(),
        uct::counts(),
        uct::depth_one(),
        uct::answer(),
        games::matches_theory(),
        parties::last_wins(),
        parties::misere(),
        parties::divide(),
        own_evaluators::evaluators(),
    ]
}
