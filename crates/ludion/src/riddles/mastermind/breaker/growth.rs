//! Growing a tree from its root: the guesses in the order they are written down. The answers to
//! the first guess are shared out among threads; the tree does not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::codes::{Codes, Number};

/// The next guess, from the codes left and the guesses so far.
pub(super) type Choose<'a> = &'a (dyn Fn(&[Number], &[Number]) -> Number + Sync);

/// The guesses of the tree of `choose`.
pub(super) fn grow(codes: &Codes, threads: usize, choose: Choose<'_>) -> Vec<Number> {
    let all = codes.numbers();
    let first = choose(&all, &[]);
    let classes: Vec<Vec<Number>> = classes(codes, first, &all).collect();
    let branches: Vec<Mutex<Vec<Number>>> = classes.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(class) = classes.get(at) else { return };
            let mut guesses = Vec::new();
            branch(codes, class, &mut vec![first], choose, &mut guesses);
            *branches[at].lock().expect("nobody panics while growing") = guesses;
        }
    };
    std::thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(work)));
        work();
    });
    let grown = branches.into_iter().map(|b| b.into_inner().expect("nobody panicked"));
    std::iter::once(first).chain(grown.flatten()).collect()
}

/// The codes left after each answer that does not end the game.
fn classes(
    codes: &Codes,
    guess: Number,
    set: &[Number],
) -> impl Iterator<Item = Vec<Number>> + use<> {
    let solved = codes.solved();
    let classes = codes.split(guess, set).into_iter();
    classes.filter(move |(answer, _)| *answer != solved).map(|(_, class)| class)
}

fn branch(
    codes: &Codes,
    set: &[Number],
    path: &mut Vec<Number>,
    choose: Choose<'_>,
    out: &mut Vec<Number>,
) {
    if set.len() == 1 {
        return;
    }
    let guess = choose(set, path);
    out.push(guess);
    path.push(guess);
    for class in classes(codes, guess, set) {
        assert!(class.len() < set.len(), "a guess that tells something");
        branch(codes, &class, path, choose, out);
    }
    path.pop();
}
