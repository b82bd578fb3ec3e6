//! NATS servers for tests, on free ports of the loopback interface.

#![allow(dead_code, reason = "every test file uses some of it")]

pub(crate) mod forger;
pub(crate) mod proxy;

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A NATS server process, killed when it is dropped.
pub(crate) struct Server {
    pub(crate) port: u16,
    args: Vec<String>,
    child: Option<Child>,
}

fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("an address").port())
}

impl Server {
    /// Starts a server that keeps its streams in `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        Server::with_options(folder, &[])
    }

    /// Starts a server without JetStream.
    pub(crate) fn without_jetstream() -> Self {
        let [port] = free_ports();
        let mut server = Server { port, args: Vec::new(), child: None };
        server.begin();
        server
    }

    /// Starts a server with further command-line options.
    pub(crate) fn with_options(folder: &Path, options: &[&str]) -> Self {
        let [port] = free_ports();
        let mut args = vec!["-js".to_owned(), "-sd".to_owned(), folder.display().to_string()];
        args.extend(options.iter().map(|&option| option.to_owned()));
        let mut server = Server { port, args, child: None };
        server.begin();
        server
    }

    /// Starts a cluster of three servers that replicate each other's streams.
    pub(crate) fn three(folder: &Path) -> [Self; 3] {
        let (ports, routes) = (free_ports::<3>(), free_ports::<3>());
        let all = routes.map(|port| format!("nats://127.0.0.1:{port}")).join(",");
        let mut servers = [0, 1, 2].map(|i| {
            let name = format!("n{i}");
            let own = format!("nats://127.0.0.1:{}", routes[i]);
            let folder = folder.join(&name).display().to_string();
            let args = ["-js", "-sd", &folder, "-n", &name, "--cluster_name", "three"];
            let routes = ["--cluster", &own, "--routes", &all];
            let args = args.iter().chain(&routes).map(|&text| text.to_owned()).collect();
            Server { port: ports[i], args, child: None }
        });
        servers.iter_mut().for_each(Server::begin);
        servers
    }

    /// Starts the process, for the first time or after [`kill`](Server::kill), and waits until it
    /// listens.
    pub(crate) fn begin(&mut self) {
        let port = self.port.to_string();
        let child = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &port])
            .args(&self.args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("nats-server is installed: apt-get install nats-server"));
        let end = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < end, "the server does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills the process with SIGKILL.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("a child");
            child.wait().expect("a child");
        }
    }

    /// Returns the processor time that the server has used, in seconds.
    pub(crate) fn processor_time(&self) -> f64 {
        processor_time(&self.child.as_ref().expect("a server").id().to_string())
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

/// Returns the processor time that a process has used, with all its threads, in seconds. Zero on
/// systems without `/proc`.
pub(crate) fn processor_time(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // After the name, which may contain spaces, fields 12 and 13 are the user and the system time
    // in hundredths of a second.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
