//! One store opened several times: in a file or in memory, what one writes the others read.

use ludion::arena::pair::GameSettings;
use ludion::arena::pairings::PairSchedule;
use ludion::arena::plan::{MatchPlan, PlanKind};
use ludion::player::Budget;
use ludion_store::{RunState, Store};

fn plan(seed: u64) -> MatchPlan {
    let terms = GameSettings { budget: Budget::UNLIMITED, opening: 0, longest: 100, seed };
    let players = vec!["random".to_owned(), "random".to_owned()];
    MatchPlan::new(PlanKind::Match, "tictactoe", players, PairSchedule::duel(1), terms)
}

#[test]
fn threads_that_write_beside_each_other_lose_nothing_and_other_stores_see_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = Store::open(&folder.path().join("lab.sqlite")).expect("a store");
    for mut store in [file, Store::in_memory().expect("a store")] {
        let threads: Vec<_> = (0..4)
            .map(|thread| {
                let mut reopen = store.reopen().expect("the same store");
                std::thread::spawn(move || {
                    for i in 0..25 {
                        let run = reopen.begin(&plan(100 * thread + i), None).expect("kept");
                        reopen.set_state(run, RunState::Finished).expect("kept");
                        assert_eq!(reopen.games(run, 0, 10).expect("read"), []);
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
