//! Programs that begin with the same new file at the same moment.

use ludion_store::Store;

#[test]
fn eight_programs_make_one_new_store_ready_at_once() {
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
