//! How many chunks go through one server in a second, with nothing to do in them:
//! `cargo test --release -p ludion-cluster --test speed -- --ignored --nocapture`.

mod support;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_cluster::{Access, Address, Coordinator, Options, Worker};
use ludion_runs::away::{Hand, Labour};
use ludion_runs::crew::{Crew, Intake, Order};
use support::Server;

struct Nothing;

impl Labour for Nothing {
    fn hand(self: Arc<Self>) -> Hand {
        Box::new(|job| Ok(job.to_le_bytes().to_vec()))
    }
}

struct Count(u64);

impl Intake for Count {
    fn take(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        self.0 += results.len() as u64;
        Ok(ControlFlow::Continue(()))
    }
}

const CHUNKS: u64 = 100_000;

#[test]
#[ignore = "a measurement, of use in a release build on a quiet machine"]
fn trivial_chunks_go_by_ten_thousand_a_second() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let address: Address = server.url().parse().expect("an address");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for name in ["anna", "bert"] {
            let worker = Worker {
                name: name.to_owned(),
                version: "1".to_owned(),
                threads: 1,
                folder: folder.path().join(name),
                opener: Box::new(|_| Ok(Arc::new(Nothing))),
            };
            let (address, stop) = (&address, &stop);
            scope.spawn(move || worker.run(address, &Access::default(), stop, &|_| ()));
        }
        let options = Options { chunk: Duration::ZERO, ..Options::new("1") };
        let remark = Box::new(|said: &str| println!("{said}"));
        let crew = Coordinator::connect(&address, &Access::default(), options, remark);
        let crew = crew.expect("a server");
        let (kind, about) = ("nothing".to_owned(), "a measurement".to_owned());
        let (spec, things) = (Vec::new(), Vec::new());
        let order = Order { kind, about, jobs: CHUNKS, done: 0, spec, things };
        let (mut count, began) = (Count(0), Instant::now());
        let done = crew.execute(&order, &mut (0..CHUNKS), &AtomicBool::new(false), &mut count);
        stop.store(true, Ordering::Relaxed);
        done.expect("a run");
        let rate = CHUNKS as f64 / began.elapsed().as_secs_f64();
        println!("{rate:.0} chunks a second");
        assert_eq!(count.0, CHUNKS);
        assert!(rate > 10_000.0, "{rate:.0} chunks a second");
    });
}
