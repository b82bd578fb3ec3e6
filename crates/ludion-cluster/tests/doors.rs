//! Servers that do not let us in, cannot be trusted, lack something or are not there: what is wrong
//! is said in a sentence without passwords, and nobody waits who was asked to stop.

mod hands;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hands::{Kept, Shift, VERSION, coordinator, hire, opener, order, some_work};
use ludion_cluster::{
    Coordinator, CoordinatorOptions, Credentials, ServerAddress, Worker, WorkerEvent,
};
use ludion_runs::cluster::Cluster;
use support::Server;

#[test]
fn a_password_opens_the_door_and_is_never_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(folder.path(), &["--user", "anna", "--pass", "s3cret"]);
    let options = || CoordinatorOptions::new(VERSION);
    let at = |user: &str| {
        format!("nats://{user}@127.0.0.1:{}", server.port)
            .parse::<ServerAddress>()
            .expect("an address")
    };
    let bare: ServerAddress = server.url().parse().expect("an address");
    let connect = |address: &ServerAddress, access: &Credentials| {
        Coordinator::connect(address, access, options(), Box::new(|_| ()))
    };
    let opened = connect(&at("anna:s3cret"), &Credentials::default());
    assert!(opened.is_ok(), "{:?}", opened.err());
    let [user, password] = ["anna", "s3cret"].map(|text| Some(text.to_owned()));
    let access = Credentials { password: password.clone(), ..Credentials::default() };
    assert!(connect(&at("anna"), &access).is_ok(), "the password completes the address");
    assert!(connect(&bare, &Credentials { user, password, ..Credentials::default() }).is_ok());
    let wrong = connect(&at("anna:s4cret"), &Credentials::default()).err().expect("a closed door");
    let said = wrong.to_string();
    assert!(said.contains("127.0.0.1") && !said.contains("s4cret"), "{said}");
    assert!(connect(&bare, &Credentials::default()).is_err());
}

/// A certificate that its owner signed, for this machine.
fn certificate(folder: &Path) -> [PathBuf; 2] {
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
fn a_certificate_is_trusted_where_its_file_is_named_and_else_the_sentence_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let [key, certificate] = certificate(folder.path());
    let [key_text, certificate_text] = [&key, &certificate].map(|path| path.display().to_string());
    let args = ["--tls", "--tlscert", &certificate_text, "--tlskey", &key_text];
    let safe = Server::with(&folder.path().join("safe"), &args);
    let plain = Server::start(&folder.path().join("plain"));
    let connect = |server: &Server, authorities: Option<PathBuf>| {
        let address = format!("tls://127.0.0.1:{}", server.port).parse().expect("an address");
        let access = Credentials { authorities, ..Credentials::default() };
        let made =
            Coordinator::connect(&address, &access, CoordinatorOptions::new("1"), Box::new(|_| ()));
        made.map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(connect(&safe, Some(certificate.clone())), Ok(()));
    let said = |server: &Server, file: Option<PathBuf>, sentence: &str| {
        let error = connect(server, file).expect_err("a closed door");
        assert!(error.contains(sentence), "{sentence:?} is not in {error:?}");
    };
    said(&safe, None, "cannot be trusted");
    said(&safe, None, "LUDION_NATS_CA names a file");
    said(&safe, Some(folder.path().join("nowhere.pem")), "nowhere.pem cannot be read");
    said(&safe, Some(key), "key.pem holds no certificate");
    said(&plain, Some(certificate), "has no TLS");
}

#[test]
fn a_server_that_cannot_keep_what_is_asked_says_so_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let forgetful = Server::without_streams();
    let began = Instant::now();
    let address: ServerAddress = forgetful.url().parse().expect("an address");
    let connect = Coordinator::connect(
        &address,
        &Credentials::default(),
        CoordinatorOptions::new("1"),
        Box::new(|_| ()),
    );
    let said = connect.err().expect("no JetStream").to_string();
    assert!(said.ends_with("has no JetStream: start it with nats-server -js"), "{said}");
    let alone = Server::start(folder.path());
    let options = CoordinatorOptions { replicas: 3, ..CoordinatorOptions::new(VERSION) };
    let (cluster, _) = coordinator(&alone.url(), options);
    let (mut kept, never) = (Kept::default(), AtomicBool::new(false));
    let said = cluster.execute(&order(9), &mut (0..9), &never, &mut kept);
    let said = said.expect_err("one copy").to_string();
    assert!(said.contains("is alone and cannot keep 3 copies"), "{said}");
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn a_worker_says_what_it_waits_for_and_ends_without_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::with(folder.path(), &["--user", "anna", "--pass", "s3cret"]);
    let (port, server) = (server.port, Mutex::new(server));
    let (said, stop) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    let tell = |what: WorkerEvent<'_>| {
        let text = match what {
            WorkerEvent::Ready => "ready".to_owned(),
            WorkerEvent::Remark(text) => text.to_owned(),
        };
        said.lock().expect("a list").push(text);
    };
    let work = |user: &str| {
        let worker = Worker {
            name: "anna".to_owned(),
            version: VERSION.to_owned(),
            threads: 1,
            folder: folder.path().join("anna"),
            opener: opener(some_work),
        };
        let address = format!("nats://{user}@127.0.0.1:{port}");
        let address: ServerAddress = address.parse().expect("an address");
        worker.run(&address, &Credentials::default(), &stop, &tell).expect("it ends");
    };
    let heard = |sentence: &str| {
        let end = Instant::now() + Duration::from_secs(20);
        while !said.lock().expect("a list").iter().any(|text| text.contains(sentence)) {
            assert!(Instant::now() < end, "{sentence:?} is not in {said:?}");
            sleep(Duration::from_millis(20));
        }
    };
    let ends = |running: std::thread::ScopedJoinHandle<'_, ()>| {
        let began = Instant::now();
        stop.store(true, Ordering::Relaxed);
        running.join().expect("a worker");
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        stop.store(false, Ordering::Relaxed);
    };
    std::thread::scope(|scope| {
        let running = scope.spawn(|| work("anna:s4cret"));
        heard("does not let us in");
        assert!(!said.lock().expect("a list").iter().any(|text| text == "ready"));
        ends(running);
    });
    std::thread::scope(|scope| {
        let running = scope.spawn(|| work("anna:s3cret"));
        heard("ready");
        server.lock().expect("a server").kill();
        heard("went away");
        ends(running);
        let running = scope.spawn(|| work("anna:s3cret"));
        heard("no NATS server answers");
        ends(running);
    });
    assert!(said.lock().expect("a list").iter().all(|text| !text.contains("cret")), "{said:?}");
}

#[test]
fn a_run_whose_server_went_away_ends_when_it_is_asked_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let (url, stop, stopped) = (server.url(), AtomicBool::new(false), AtomicBool::new(false));
    let (cluster, _) = coordinator(
        &url,
        CoordinatorOptions { chunk: Duration::ZERO, ..CoordinatorOptions::new(VERSION) },
    );
    std::thread::scope(|scope| {
        let _stop = Shift(&stop);
        hire(scope, ("anna", VERSION), &url, folder.path(), opener(some_work), &stop);
        let running = scope.spawn(|| {
            let mut kept = Kept::default();
            cluster.execute(&order(1 << 40), &mut (0..), &stopped, &mut kept).expect("a run");
            kept
        });
        sleep(Duration::from_secs(1));
        server.kill();
        sleep(Duration::from_secs(1));
        let status = cluster.status().expect_err("nobody answers").to_string();
        assert!(status.starts_with("no NATS server answers at 127.0.0.1"), "{status}");
        let began = Instant::now();
        stopped.store(true, Ordering::Relaxed);
        let kept = running.join().expect("a run");
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        assert!(!kept.results.is_empty());
    });
}
