//! How pages are served: few requests, so that a slow line is enough, and a page of their own when the
//! server does not answer.

use serde_json::json;

use crate::chromium::Chromium;
use crate::laboratory::Laboratory;

/// Most requests of a page that is opened for the first time, those for its data included. Each costs
/// the delay of the line, and a browser makes six at a time.
const MAX_REQUESTS: usize = 16;

#[tokio::test]
async fn a_page_needs_few_requests_and_waits_for_a_server_that_does_not_answer() {
    let mut lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    let line = json!({ "offline": false, "latency": 100, "downloadThroughput": 30_000, "uploadThroughput": 500_000 });
    browser.devtools("Network.enable", json!({}));
    browser.devtools("Network.emulateNetworkConditions", line);
    browser.open("/play?game=connect4&second=human").await;
    browser.until("/your move$/.test(document.querySelector('#status')?.textContent)").await;
    let (foreign, count) = browser.requests();
    assert!(foreign.is_empty() && count <= MAX_REQUESTS, "{count} requests, {foreign:?}");
    // The position is requested while the module of the page is on its way.
    let early = "(() => { const at = (name) => performance.getEntriesByType('resource').find((one) => one.name.endsWith(name)); return at('/api/position').startTime < at('/pages/play.js').responseEnd; })()";
    assert_eq!(browser.eval(early).await, true);
    let positions = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/api/position')).length";
    assert_eq!(browser.eval(positions).await, 1);
    let free =
        json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    browser.devtools("Network.emulateNetworkConditions", free);
    // A debugger finds the modules themselves.
    let map = "fetch([...document.scripts].at(-1).src + '.map').then((map) => map.json()).then((map) => map.sections.map((one) => one.map.sources[0]))";
    let sources = browser.eval(map).await;
    assert!(sources.as_array().unwrap().contains(&json!("/js/router.js")), "{sources}");
    browser.assert_no_errors();
    lab.kill();
    browser.click("#nav a[href='/learning']").await;
    browser.until("document.querySelector('.away h1')").await;
    assert_eq!(browser.read(".away h1").await, "The laboratory does not answer");
    lab.reopen();
    browser.until("document.querySelector('[data-page=Learning] #curves')").await;
    // The console reports the failed requests.
    browser.console_errors();
}
