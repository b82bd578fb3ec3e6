//! What a cluster costs: chunks with nothing to do in them, and chunks of 100 ms beside plain threads,
//! both in processor time as well, for machines are seldom quiet.
//! `cargo test --release -p ludion-cluster --test speed -- --ignored --nocapture --test-threads 1`

mod support;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_cluster::{Coordinator, CoordinatorOptions, Credentials, ServerAddress, Worker};
use ludion_runs::cluster::{Cluster, JobSpec, ResultReceiver};
use ludion_runs::remote::{JobFn, OpenedJobSet};
use support::{Server, processor_time};

/// Jobs that go round so often.
struct Rounds(u64);

impl OpenedJobSet for Rounds {
    fn job_fn(self: Arc<Self>) -> JobFn {
        Box::new(move |job| Ok(spin(job, self.0).to_le_bytes().to_vec()))
    }
}

fn spin(job: u64, rounds: u64) -> u64 {
    (0..rounds).fold(job, |x, i| black_box(x.rotate_left(5) ^ i))
}

struct Count(u64);

impl ResultReceiver for Count {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        self.0 += results.len() as u64;
        Ok(ControlFlow::Continue(()))
    }
}

/// What a run cost: seconds that it lasted, and of processor time, here and of the server.
struct Cost {
    lasted: f64,
    here: f64,
    server: f64,
}

/// Chunks of one job each on two workers of one thread.
fn run(chunks: u64, rounds: u64) -> Cost {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let address: ServerAddress = server.url().parse().expect("an address");
    let stop = AtomicBool::new(false);
    let before = processor_time("self");
    std::thread::scope(|scope| {
        for name in ["anna", "bert"] {
            let worker = Worker {
                name: name.to_owned(),
                version: "1".to_owned(),
                threads: 1,
                folder: folder.path().join(name),
                opener: Box::new(move |_| Ok(Arc::new(Rounds(rounds)))),
            };
            let (address, stop) = (&address, &stop);
            scope.spawn(move || worker.run(address, &Credentials::default(), stop, &|_| ()));
        }
        let options = CoordinatorOptions { chunk: Duration::ZERO, ..CoordinatorOptions::new("1") };
        let remark = Box::new(|said: &str| println!("{said}"));
        let cluster = Coordinator::connect(&address, &Credentials::default(), options, remark);
        let cluster = cluster.expect("a server");
        let (kind, about) = ("rounds".to_owned(), "a measurement".to_owned());
        let (spec, attachments) = (Vec::new(), Vec::new());
        let order = JobSpec { kind, about, jobs: chunks, done: 0, spec, attachments };
        let (mut count, began) = (Count(0), Instant::now());
        let done = cluster.execute(&order, &mut (0..chunks), &AtomicBool::new(false), &mut count);
        let lasted = began.elapsed().as_secs_f64();
        stop.store(true, Ordering::Relaxed);
        done.expect("a run");
        assert_eq!(count.0, chunks);
        Cost { lasted, here: processor_time("self") - before, server: server.processor_time() }
    })
}

#[test]
#[ignore = "a measurement, of use in a release build on a quiet machine"]
fn trivial_chunks_go_by_ten_thousand_a_second() {
    const CHUNKS: u64 = 100_000;
    let Cost { lasted, here, server } = run(CHUNKS, 0);
    let (rate, each) = (CHUNKS as f64 / lasted, 1e6 / CHUNKS as f64);
    println!(
        "{rate:.0} chunks a second; processor time of a chunk: {:.0} µs here, {:.0} µs the server",
        each * here,
        each * server
    );
    assert!(rate > 10_000.0, "{rate:.0} chunks a second");
}

#[test]
#[ignore = "a measurement, of use in a release build"]
fn two_workers_cost_hardly_more_than_two_threads() {
    const CHUNKS: u64 = 80;
    let before = processor_time("self");
    black_box(spin(1, 1 << 30));
    let rounds = (0.1 / (processor_time("self") - before) * f64::from(1 << 30)) as u64;
    let before = processor_time("self");
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let mine = (0..CHUNKS).filter(move |job| job % 2 == thread);
            scope.spawn(move || {
                mine.for_each(|job| {
                    black_box(spin(job, rounds));
                });
            });
        }
    });
    let threads = processor_time("self") - before;
    let Cost { lasted, here, server } = run(CHUNKS, rounds);
    let share = threads / (here + server);
    println!(
        "{CHUNKS} chunks of {:.0} ms: {threads:.2} s of processor time on threads; {here:.2} s by \
         workers and coordinator, {server:.2} s by the server, in {lasted:.1} s: {:.1} %",
        1e3 * threads / CHUNKS as f64,
        100.0 * share
    );
    assert!(share > 0.95, "{share}");
}
