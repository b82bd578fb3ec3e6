//! A real browser: Debian's chromium without a window, driven through chromedriver. Tests wait for
//! a condition with a deadline, never for a fixed time.

use std::io::{BufRead, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Deadline of every wait, generous for loaded machines.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Time between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Schemes of resources that a page may load besides those of its own origin.
const INLINE_SCHEMES: [&str; 2] = ["data:", "blob:"];

/// A browser that ends with the test.
pub(crate) struct Chromium {
    driver: Driver,
    client: Client,
    session: String,
    origin: String,
    _folder: TempDir,
}

impl Chromium {
    /// Starts a browser for the pages of `origin`.
    pub(crate) async fn start(origin: &str) -> Chromium {
        let folder = tempfile::tempdir().unwrap();
        let driver = Driver::start(&folder);
        let flags = [
            "--headless=new",
            // Only our own pages are opened, and containers have no sandbox.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--force-device-scale-factor=1",
            "--window-size=1280,900",
        ];
        let capabilities = json!({
            "goog:chromeOptions": { "args": flags },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities.as_object().unwrap().clone());
        let client = builder.connect(&driver.url).await.expect("chromium starts");
        let session = client.session_id().await.unwrap().unwrap();
        Chromium { driver, client, session, origin: origin.to_owned(), _folder: folder }
    }

    /// Sets the width of the page, as on a phone or a desktop.
    pub(crate) fn resize(&self, width: u32) {
        self.resize_to(width, 900);
    }

    /// Sets the width and the height of the visible part of the page.
    pub(crate) fn resize_to(&self, width: u32, height: u32) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600
        });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets the preferred colour scheme, `light` or `dark`.
    pub(crate) fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Opens a page of the laboratory, and waits until it is shown.
    pub(crate) async fn open(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.origin)).await.unwrap();
        self.until("document.querySelector('main h1')").await;
    }

    pub(crate) async fn reload(&self) {
        self.client.refresh().await.unwrap();
        self.until("document.querySelector('main h1')").await;
    }

    /// Returns the path and query of the page.
    pub(crate) async fn address(&self) -> String {
        let address = self.client.current_url().await.unwrap();
        address.as_str().strip_prefix(&self.origin).expect("a page of the laboratory").to_owned()
    }

    /// Returns the value of an expression.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        self.client.execute(&format!("return ({expression});"), Vec::new()).await.unwrap()
    }

    /// Returns the value of an expression, which must be text.
    pub(crate) async fn text(&self, expression: &str) -> String {
        self.eval(expression).await.as_str().expect(expression).to_owned()
    }

    /// Returns the text of the element with this selector.
    pub(crate) async fn read(&self, css: &str) -> String {
        self.text(&format!("document.querySelector({css:?}).textContent")).await
    }

    /// Waits until an expression is true.
    pub(crate) async fn until(&self, expression: &str) {
        let deadline = Instant::now() + TIMEOUT;
        let truth = format!("return Boolean({expression});");
        while self.client.execute(&truth, Vec::new()).await.unwrap() != true {
            if Instant::now() > deadline {
                self.picture("failed");
                let page = self.read("main").await;
                panic!("{expression} is still not true on {}: {page}", self.address().await);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Returns the result of a script.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Returns the JSON response to a GET request of the page.
    pub(crate) async fn get(&self, path: &str) -> Value {
        self.fetch(path, &Value::Null).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Value {
        let headers = json!({ "content-type": "application/json" });
        let init = json!({ "method": "POST", "body": body.to_string(), "headers": headers });
        self.fetch(path, &init).await
    }

    async fn fetch(&self, path: &str, init: &Value) -> Value {
        let script = "const [path, init, done] = arguments;
            fetch(path, init ?? undefined).then((answer) => answer.json()).then(done);";
        self.client.execute_async(script, vec![path.into(), init.clone()]).await.unwrap()
    }

    /// Waits for an element that can be used. The driver reports no error for a click on a button that
    /// is disabled, and the click does nothing.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let found = format!("document.querySelector({css:?})");
        self.until(&format!("{found} && !{found}.matches(':disabled')")).await;
        self.client.find(Locator::Css(css)).await.unwrap()
    }

    /// Clicks the middle of an element as soon as that is possible.
    pub(crate) async fn click(&self, css: &str) {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.find(css).await.click().await {
                Ok(()) => return,
                Err(error) => assert!(Instant::now() < deadline, "{css}: {error}"),
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Replaces the text of a field.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    pub(crate) async fn choose(&self, css: &str, value: &str) {
        self.find(css).await.select_by_value(value).await.unwrap();
    }

    /// Performs mouse, touch or key actions.
    pub(crate) async fn act(&self, actions: impl Into<fantoccini::actions::Actions>) {
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Writes a picture of the whole page to `target/tmp/browser`.
    pub(crate) fn picture(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
        std::fs::create_dir_all(&folder).unwrap();
        let options = json!({ "format": "png", "captureBeyondViewport": true });
        let taken = self.devtools("Page.captureScreenshot", options);
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            taken["data"].as_str().unwrap(),
        );
        std::fs::write(folder.join(format!("{name}.png")), bytes.unwrap()).unwrap();
    }

    /// Sends a command of the Chrome DevTools protocol and returns its result.
    pub(crate) fn devtools(&self, command: &str, params: Value) -> Value {
        self.ask("goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    /// Returns the errors and warnings in the console since the last call, except the expected 404
    /// of an unknown page.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let said = self.ask("se/log", &json!({ "type": "browser" }));
        let loud = |line: &&Value| ["SEVERE", "WARNING"].contains(&line["level"].as_str().unwrap());
        let unknown = |line: &str| line.contains("/nowhere ") && line.contains("status of 404");
        let lines = said.as_array().unwrap().iter().filter(loud).map(ToString::to_string);
        lines.filter(|line| !unknown(line)).collect()
    }

    /// Returns the requests to other origins since the last call, and the number of all requests.
    pub(crate) fn requests(&self) -> (Vec<String>, usize) {
        let said = self.ask("se/log", &json!({ "type": "performance" }));
        let asked = said.as_array().unwrap().iter().filter_map(|line| {
            let event: Value = serde_json::from_str(line["message"].as_str()?).ok()?;
            let sent = event["message"]["method"] == "Network.requestWillBeSent";
            sent.then(|| event["message"]["params"]["request"]["url"].as_str().unwrap().to_owned())
        });
        let all: Vec<String> = asked.collect();
        let ours = |url: &str| {
            url.starts_with(&format!("{}/", self.origin))
                || INLINE_SCHEMES.iter().any(|scheme| url.starts_with(scheme))
        };
        let count = all.len();
        (all.into_iter().filter(|url| !ours(url)).collect(), count)
    }

    /// Checks that since the last call there were no console errors and no requests to other
    /// origins.
    pub(crate) fn assert_no_errors(&self) {
        assert_eq!(self.console_errors(), Vec::<String>::new());
        let (foreign, count) = self.requests();
        assert_eq!(foreign, Vec::<String>::new());
        assert!(count > 0, "requests are recorded");
    }

    fn ask(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}/session/{}/{path}", self.driver.url, self.session);
        let mut answer = ureq::post(url).send(body.to_string()).expect(path);
        let text = answer.body_mut().with_config().limit(1 << 28).read_to_string().unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["value"].take()
    }
}

/// Chromedriver, which starts the browser and ends it.
struct Driver {
    program: Child,
    url: String,
    /// Its standard output, which must stay open.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Driver {
    /// Starts chromedriver on a free port; it and the browser write their files into the folder. It
    /// ends at once if another program takes the port before it does, so it is started again then.
    fn start(folder: &TempDir) -> Driver {
        (0..5).find_map(|_| Driver::try_start(folder)).expect("chromedriver finds a free port")
    }

    fn try_start(folder: &TempDir) -> Option<Driver> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").env("TMPDIR", folder.path()).env("HOME", folder.path());
        let program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut program = program.expect("chromedriver is installed; ./test installs it");
        let mut output = BufReader::new(program.stdout.take().unwrap()).lines();
        let port = output.by_ref().map(Result::unwrap).find_map(|line| {
            let port = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let Some(port) = port else {
            program.wait().unwrap();
            return None;
        };
        Some(Driver { program, url: format!("http://127.0.0.1:{port}"), _output: output })
    }
}

impl Drop for Driver {
    /// Shuts chromedriver down with its browsers; killing it would leave them running.
    fn drop(&mut self) {
        let asked = ureq::get(format!("{}/shutdown", self.url)).call();
        if asked.is_err() {
            let _ = self.program.kill();
        }
        let _ = self.program.wait();
    }
}
