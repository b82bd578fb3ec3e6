//! Growing a tree from its root: the guesses in the order they are written down. The answers to
//! the first guess are shared out among threads; the tree does not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::codes::{CodeIndex, CodeTable};

/// The next guess, from the codes left and the guesses so far.
pub(super) type ChooseGuess<'a> = &'a (dyn Fn(&[CodeIndex], &[CodeIndex]) -> CodeIndex + Sync);

/// The guesses of the tree of `choose`.
pub(super) fn grow(codes: &CodeTable, threads: usize, choose: ChooseGuess<'_>) -> Vec<CodeIndex> {
    let all = codes.numbers();
    let first = choose(&all, &[]);
    let classes: Vec<Vec<CodeIndex>> = classes(codes, first, &all).collect();
    let branches: Vec<Mutex<Vec<CodeIndex>>> = classes.iter().map(|_| Mutex::default()).collect();
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
    codes: &CodeTable,
    guess: CodeIndex,
    set: &[CodeIndex],
) -> impl Iterator<Item = Vec<CodeIndex>> + use<> {
    let solved = codes.solved();
    let classes = codes.split(guess, set).into_iter();
    classes.filter(move |(answer, _)| *answer != solved).map(|(_, class)| class)
}

fn branch(
    codes: &CodeTable,
    set: &[CodeIndex],
    path: &mut Vec<CodeIndex>,
    choose: ChooseGuess<'_>,
    out: &mut Vec<CodeIndex>,
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
