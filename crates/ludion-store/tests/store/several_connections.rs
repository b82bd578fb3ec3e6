//! Several connections to one store, in a file or in memory: each reads what the others write.

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{GamesPlan, PlanKind};
use ludion::player::Budget;
use ludion_store::{RunState, Store};

fn plan(seed: u64) -> GamesPlan {
    let terms = GameSettings { budget: Budget::UNLIMITED, opening: 0, longest: 100, seed };
    let players = vec!["random".to_owned(), "random".to_owned()];
    GamesPlan::new(PlanKind::Match, "tictactoe", players, PairSchedule::duel(1), terms)
}

#[test]
fn concurrent_writers_lose_nothing_and_other_stores_stay_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Store::open(&folder.path().join("lab.sqlite")).expect("a store");
    for mut store in [file, Store::in_memory().expect("a store")] {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let mut connection = store.reopen().expect("the same store");
                std::thread::spawn(move || {
                    for i in 0..25 {
                        let run = connection.begin(&plan(100 * thread + i), None).expect("kept");
                        connection.set_state(run, RunState::Finished).expect("kept");
                        assert_eq!(connection.games(run, 0, 10).expect("read"), []);
                    }
                })
            })
            .collect();
        for i in 0..25 {
            store.begin(&plan(1000 + i), None).expect("kept");
            store.runs().expect("read");
        }
        threads.into_iter().for_each(|thread| thread.join().expect("no thread fails"));
        let runs = store.runs().expect("read");
        assert_eq!(runs.len(), 125);
        assert_eq!(runs.iter().filter(|run| run.state == RunState::Finished).count(), 100);
    }
    assert_eq!(Store::in_memory().expect("another").runs().expect("read"), []);
}

#[test]
fn eight_threads_can_create_the_same_new_store_at_once() {
    for _ in 0..25 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lab.sqlite");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = Store::open(&path).expect("the store opens");
                    assert_eq!(store.runs().expect("runs"), []);
                });
            }
        });
    }
}

#[test]
fn a_run_is_locked_while_others_look_whether_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("lab.sqlite")).expect("a store");
    let run = store.begin(&plan(1), None).expect("kept");
    let looking = store.reopen().expect("the same store");
    let (end, is_over) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        while is_over.try_recv().is_err() {
            let _ = looking.is_locked(run);
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
    });
    let locked = (0..200).filter(|_| store.lock(run).is_ok()).count();
    end.send(()).expect("the thread waits for it");
    thread.join().expect("no thread fails");
    assert_eq!(locked, 200);
    let lock = store.lock(run).expect("a lock");
    assert!(store.is_locked(run));
    drop(lock);
    assert!(!store.is_locked(run));
}
