//! Measures the cost of a cluster: the rate of empty chunks, and the processor time of chunks of
//! 100 ms compared with plain threads. Processor time depends less on other load than elapsed time.
//! `cargo test --release -p ludion-cluster --test cluster -- --ignored --nocapture speed --test-threads 1`

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ludion_cluster::{Coordinator, CoordinatorOptions, Credentials, ServerAddress, Worker};
use ludion_runs::cluster::{Cluster, JobSpec, ResultReceiver};
use ludion_runs::remote::{JobFn, OpenedJobSet};

use crate::support::{Server, processor_time};

/// Jobs of a fixed number of iterations of [`spin`].
struct Rounds(u64);

impl OpenedJobSet for Rounds {
    fn job_fn(self: Arc<Self>) -> JobFn {
        Box::new(move |job, _| Some(Ok(spin(job, self.0).to_le_bytes().to_vec())))
    }
}

fn spin(job: u64, rounds: u64) -> u64 {
    (0..rounds).fold(job, |x, i| black_box(x.rotate_left(5) ^ i))
}

/// Receiver that counts results.
struct Count(u64);

impl ResultReceiver for Count {
    fn receive(&mut self, results: &[(u64, &[u8])]) -> Result<ControlFlow<()>, String> {
        self.0 += results.len() as u64;
        Ok(ControlFlow::Continue(()))
    }
}

/// The cost of a run in seconds.
struct Cost {
    elapsed: f64,
    /// Processor time of this process: the coordinator and the workers.
    own: f64,
    /// Processor time of the server.
    server: f64,
}

/// Runs chunks of one job each on two workers of one thread.
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
        let options =
            CoordinatorOptions { chunk_time: Duration::ZERO, ..CoordinatorOptions::new("1") };
        let on_notice = Box::new(|notice: &str| println!("{notice}"));
        let cluster = Coordinator::connect(&address, &Credentials::default(), options, on_notice);
        let cluster = cluster.expect("a server");
        let (kind, about) = ("rounds".to_owned(), "a measurement".to_owned());
        let (spec, attachments) = (Vec::new(), Vec::new());
        let job_spec =
            JobSpec { kind, about, jobs: chunks, done: 0, series: None, spec, attachments };
        let (mut count, began) = (Count(0), Instant::now());
        let result =
            cluster.execute(&job_spec, &mut (0..chunks), &AtomicBool::new(false), &mut count);
        let elapsed = began.elapsed().as_secs_f64();
        stop.store(true, Ordering::Relaxed);
        result.expect("a run");
        assert_eq!(count.0, chunks);
        Cost { elapsed, own: processor_time("self") - before, server: server.processor_time() }
    })
}

#[test]
#[ignore = "a measurement: run it in a release build on a quiet machine"]
fn the_rate_of_empty_chunks_exceeds_ten_thousand_a_second() {
    const CHUNKS: u64 = 100_000;
    let Cost { elapsed, own, server } = run(CHUNKS, 0);
    let (rate, scale) = (CHUNKS as f64 / elapsed, 1e6 / CHUNKS as f64);
    println!(
        "{rate:.0} chunks a second; processor time of a chunk: {:.0} µs of workers and \
         coordinator, {:.0} µs of the server",
        scale * own,
        scale * server
    );
    assert!(rate > 10_000.0, "{rate:.0} chunks a second");
}

#[test]
#[ignore = "a measurement: run it in a release build"]
fn two_workers_need_at_most_5_percent_more_processor_time_than_two_threads() {
    const CHUNKS: u64 = 80;
    let before = processor_time("self");
    black_box(spin(1, 1 << 30));
    let rounds = (0.1 / (processor_time("self") - before) * f64::from(1 << 30)) as u64;
    let before = processor_time("self");
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let jobs = (0..CHUNKS).filter(move |job| job % 2 == thread);
            scope.spawn(move || {
                jobs.for_each(|job| {
                    black_box(spin(job, rounds));
                });
            });
        }
    });
    let threads = processor_time("self") - before;
    let Cost { elapsed, own, server } = run(CHUNKS, rounds);
    let share = threads / (own + server);
    println!(
        "{CHUNKS} chunks of {:.0} ms: {threads:.2} s of processor time on threads; {own:.2} s by \
         workers and coordinator, {server:.2} s by the server, in {elapsed:.1} s: {:.1} %",
        1e3 * threads / CHUNKS as f64,
        100.0 * share
    );
    assert!(share > 0.95, "{share}");
}
