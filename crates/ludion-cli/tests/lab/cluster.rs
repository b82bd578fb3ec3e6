//! A run on the machines of a cluster, started from the page: a NATS server, a worker, and the
//! laboratory are processes of their own.

#[path = "../../../ludion-cluster/tests/cluster/support/mod.rs"]
mod support;

use std::process::{Child, Command, Stdio};

use support::Server;
use tempfile::TempDir;

use crate::chromium::Chromium;
use crate::laboratory::Laboratory;

/// A worker process, killed when it is dropped.
struct WorkerProcess(Child);

impl WorkerProcess {
    fn start(url: &str, name: &str, folder: &TempDir) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludion"));
        command.args(["worker", "--nats", url, "--name", name, "--threads", "1", "--folder"]);
        command.arg(folder.path().join(name)).env("LUDION_STORE", "none").stdin(Stdio::null());
        WorkerProcess(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first cell of the row of the worker in the list of workers, and its number of jobs.
const WORKER: &str = "[...document.querySelectorAll('[aria-label=Workers] tbody tr')].map((row) => [row.cells[0].textContent, Number(row.cells[3].textContent)])";

#[tokio::test]
async fn a_match_is_played_by_the_workers_of_the_cluster_from_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("streams"));
    let url = server.url();
    let lab = Laboratory::open_with(&["--cluster", &url]);
    let browser = Chromium::start(&lab.origin).await;
    // Without a worker the page says how to start one.
    browser.open("/arena").await;
    let offer = "document.querySelector('#on-cluster').closest('div:not(.field)').textContent";
    browser.until(&format!("/No worker answers/.test({offer})")).await;
    let _worker = WorkerProcess::start(&url, "anna", &folder);
    browser.open("/runs").await;
    browser.until(&format!("{WORKER}[0]?.[0] === 'anna'")).await;
    browser.open("/arena").await;
    browser.until(&format!("/1 worker with 1 thread/.test({offer})")).await;
    browser.choose("#arena-game", "tictactoe").await;
    browser.fill("#pairs", "40").await;
    browser.click("#on-cluster").await;
    browser.click("#start").await;
    browser.until("document.querySelector('#phase [data-phase=finished]')").await;
    let run = browser.get("/api/runs/1").await;
    assert_eq!(run["phase"], "finished");
    assert_eq!(run["done"], 80);
    // The worker has played all of it.
    browser.open("/runs").await;
    browser.until(&format!("{WORKER}.some(([name, jobs]) => name === 'anna' && jobs > 0)")).await;
    browser.assert_no_errors();
}

#[tokio::test]
async fn a_cluster_that_does_not_answer_is_reported_and_does_not_keep_runs_from_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(&folder.path().join("streams"));
    let lab = Laboratory::open_with(&["--cluster", &server.url()]);
    let browser = Chromium::start(&lab.origin).await;
    server.kill();
    browser.open("/runs").await;
    browser.until("document.querySelector('[aria-label=\"Other machines\"] .error')").await;
    browser.open("/arena").await;
    browser.choose("#arena-game", "tictactoe").await;
    browser.fill("#pairs", "2").await;
    browser.click("#start").await;
    browser.until("document.querySelector('#phase [data-phase=finished]')").await;
}
