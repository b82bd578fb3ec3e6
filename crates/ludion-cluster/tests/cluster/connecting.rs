//! Servers that deny access, are not trusted, lack a feature or do not run: the error says what is
//! wrong without a password, and coordinators and workers can be stopped meanwhile.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ludion_cluster::{
    Coordinator, CoordinatorOptions, Credentials, ServerAddress, Worker, WorkerEvent,
};
use ludion_runs::cluster::Cluster;

use crate::squares::{
    CheckedResults, StopOnDrop, VERSION, coordinator, job_spec, opener, slow_square, start_worker,
};
use crate::support::Server;

#[test]
fn a_password_gives_access_and_is_never_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with_options(folder.path(), &["--user", "anna", "--pass", "s3cret"]);
    let options = || CoordinatorOptions::new(VERSION);
    let address = |user: &str| {
        format!("nats://{user}@127.0.0.1:{}", server.port)
            .parse::<ServerAddress>()
            .expect("an address")
    };
    let without_user: ServerAddress = server.url().parse().expect("an address");
    let connect = |address: &ServerAddress, credentials: &Credentials| {
        Coordinator::connect(address, credentials, options(), Box::new(|_| ()))
    };
    let connected = connect(&address("anna:s3cret"), &Credentials::default());
    assert!(connected.is_ok(), "{:?}", connected.err());
    let [user, password] = ["anna", "s3cret"].map(|text| Some(text.to_owned()));
    let credentials = Credentials { password: password.clone(), ..Credentials::default() };
    assert!(connect(&address("anna"), &credentials).is_ok(), "the password completes the address");
    assert!(
        connect(&without_user, &Credentials { user, password, ..Credentials::default() }).is_ok()
    );
    let denied = connect(&address("anna:s4cret"), &Credentials::default());
    let message = denied.err().expect("access is denied").to_string();
    assert!(message.contains("127.0.0.1") && !message.contains("s4cret"), "{message}");
    assert!(connect(&without_user, &Credentials::default()).is_err());
}

/// Makes a self-signed certificate for this machine, and its key.
fn make_certificate(folder: &Path) -> [PathBuf; 2] {
    let [key, certificate] = ["key.pem", "certificate.pem"].map(|name| folder.join(name));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"])
        .args(["-nodes", "-days", "2", "-subj", "/CN=ludion", "-keyout"])
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .args(["-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .output();
    let made = made.expect("openssl is installed: apt-get install openssl");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    [key, certificate]
}

#[test]
fn a_certificate_is_trusted_if_its_file_is_named_and_the_error_says_how() {
    let folder = tempfile::tempdir().expect("a folder");
    let [key, certificate] = make_certificate(folder.path());
    let [key_text, certificate_text] = [&key, &certificate].map(|path| path.display().to_string());
    let args = ["--tls", "--tlscert", &certificate_text, "--tlskey", &key_text];
    let with_tls = Server::with_options(&folder.path().join("tls"), &args);
    let without_tls = Server::start(&folder.path().join("plain"));
    let connect = |server: &Server, ca_file: Option<PathBuf>| {
        let address = format!("tls://127.0.0.1:{}", server.port).parse().expect("an address");
        let credentials = Credentials { ca_file, ..Credentials::default() };
        let options = CoordinatorOptions::new("1");
        let connected = Coordinator::connect(&address, &credentials, options, Box::new(|_| ()));
        connected.map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(connect(&with_tls, Some(certificate.clone())), Ok(()));
    let expect_error = |server: &Server, file: Option<PathBuf>, part: &str| {
        let error = connect(server, file).expect_err("an error");
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    };
    expect_error(&with_tls, None, "cannot be trusted");
    expect_error(&with_tls, None, "LUDION_NATS_CA names a file");
    expect_error(&with_tls, Some(folder.path().join("nowhere.pem")), "nowhere.pem cannot be read");
    expect_error(&with_tls, Some(key), "key.pem contains no certificate");
    expect_error(&without_tls, Some(certificate), "has no TLS");
}

#[test]
fn a_server_without_jetstream_or_enough_replicas_is_rejected_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let without_jetstream = Server::without_jetstream();
    let began = Instant::now();
    let address: ServerAddress = without_jetstream.url().parse().expect("an address");
    let connect = Coordinator::connect(
        &address,
        &Credentials::default(),
        CoordinatorOptions::new("1"),
        Box::new(|_| ()),
    );
    let message = connect.err().expect("no JetStream").to_string();
    assert!(message.ends_with("has no JetStream: start it with nats-server -js"), "{message}");
    let single = Server::start(folder.path());
    let options = CoordinatorOptions { replicas: 3, ..CoordinatorOptions::new(VERSION) };
    let (cluster, _) = coordinator(&single.url(), options);
    let (mut received, never) = (CheckedResults::default(), AtomicBool::new(false));
    let result = cluster.execute(&job_spec(9), &mut (0..9), &never, &mut received);
    let message = result.expect_err("too many replicas").to_string();
    assert!(message.contains("is a single server and cannot keep 3 copies"), "{message}");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn a_worker_reports_what_it_waits_for_and_can_be_stopped_without_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with_options(folder.path(), &["--user", "anna", "--pass", "s3cret"]);
    let (port, server) = (server.port, Mutex::new(server));
    let (events, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let on_event = |event: WorkerEvent<'_>| {
        let text = match event {
            WorkerEvent::Ready => "ready".to_owned(),
            WorkerEvent::Notice(text) => text.to_owned(),
            WorkerEvent::Progress { .. } => return,
        };
        events.lock().expect("a list").push(text);
    };
    let work = |user: &str| {
        let worker = Worker {
            name: "anna".to_owned(),
            version: VERSION.to_owned(),
            threads: 1,
            folder: folder.path().join("anna"),
            opener: opener(slow_square),
        };
        let address = format!("nats://{user}@127.0.0.1:{port}");
        let address: ServerAddress = address.parse().expect("an address");
        worker.run(&address, &Credentials::default(), &stop, &on_event).expect("it ends");
    };
    let wait_for_event = |part: &str| {
        let end = Instant::now() + Duration::from_secs(20);
        while !events.lock().expect("a list").iter().any(|text| text.contains(part)) {
            assert!(Instant::now() < end, "{part:?} is not in {events:?}");
            sleep(Duration::from_millis(20));
        }
    };
    let stop_worker = |running: std::thread::ScopedJoinHandle<'_, ()>| {
        let began = Instant::now();
        stop.store(true, Ordering::Relaxed);
        running.join().expect("a worker");
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        stop.store(false, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        let running = scope.spawn(|| work("anna:s4cret"));
        wait_for_event("denies access");
        assert!(!events.lock().expect("a list").iter().any(|text| text == "ready"));
        stop_worker(running);
    });
    std::thread::scope(|scope| {
        let running = scope.spawn(|| work("anna:s3cret"));
        wait_for_event("ready");
        server.lock().expect("a server").kill();
        wait_for_event("lost the connection");
        stop_worker(running);
        let running = scope.spawn(|| work("anna:s3cret"));
        wait_for_event("no NATS server answers");
        stop_worker(running);
    });
    assert!(events.lock().expect("a list").iter().all(|text| !text.contains("cret")), "{events:?}");
}

#[test]
fn a_run_without_its_server_can_be_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let (url, stop, stopped) = (server.url(), AtomicBool::new(false), AtomicBool::new(false));
    let (cluster, _) = coordinator(
        &url,
        CoordinatorOptions { chunk_time: Duration::ZERO, ..CoordinatorOptions::new(VERSION) },
    );
    std::thread::scope(|scope| {
        let _stop_on_drop = StopOnDrop(&stop);
        start_worker(scope, ("anna", VERSION), &url, folder.path(), opener(slow_square), &stop);
        let running = scope.spawn(|| {
            let mut received = CheckedResults::default();
            cluster
                .execute(&job_spec(1 << 40), &mut (0..), &stopped, &mut received)
                .expect("a run");
            received
        });
        sleep(Duration::from_secs(1));
        server.kill();
        sleep(Duration::from_secs(1));
        let status = cluster.status().expect_err("no server").to_string();
        assert!(status.starts_with("no NATS server answers at 127.0.0.1"), "{status}");
        let began = Instant::now();
        stopped.store(true, Ordering::Relaxed);
        let received = running.join().expect("a run");
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        assert!(!received.results.is_empty());
    });
}
