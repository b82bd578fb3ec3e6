//! Every page on a desktop and on a phone, in light and in dark colours: no page scrolls sideways, every
//! control has a name, every text has enough contrast. With the variable `LUDION_PICTURES` a picture of
//! each is written to `target/tmp/browser`.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::laboratory::Laboratory;

/// The name of the picture, the address, and a selector that matches once the page is complete.
const PAGES: &[(&str, &str, &str)] = &[
    ("home", "/", ".gallery .card[data-game=mastermind]"),
    ("play", "/play?game=connect4&moves=4%204%203", "#moves li:nth-child(4)"),
    ("checkers", "/play?game=checkers&second=human", ".board .piece"),
    (
        "analysis",
        "/play?game=checkers(english)&second=human&analyse=1&moves=11-15%2023-19%208-11%2022-17",
        "#lines li:nth-child(3)",
    ),
    ("arena", "/arena", ".runs [data-run]"),
    ("arena-run", "/arena?run=2", ".plot-place svg, #standings"),
    ("mastermind", "/mastermind", "#run"),
    ("mastermind-laws", "/mastermind?view=laws", "#run-overlay"),
    ("mastermind-tables", "/mastermind?view=tables", ".earlier li"),
    ("mastermind-chain", "/mastermind?view=chain", "[role=tabpanel]:not([hidden]) button"),
    ("mastermind-play", "/mastermind?view=game", "[role=tabpanel]:not([hidden]) .slot"),
    ("mastermind-advice", "/mastermind?view=advice", "[role=tabpanel]:not([hidden]) button"),
    ("hextris", "/hextris", "#solve"),
    ("hextris-score", "/hextris?view=score", "#score"),
    ("hextris-play", "/hextris?view=keys", ".letters"),
    ("hextris-teams", "/hextris?view=teams", "[role=tabpanel]:not([hidden]) p"),
    ("solutions", "/solutions", "#submissions tbody tr"),
    ("solutions-two", "/solutions?problem=77", "#submissions tbody tr"),
    ("learning", "/learning", "#curves svg"),
    ("reproduce", "/reproduce", "#works article"),
    ("reproduce-run", "/reproduce?run=4", ".report section:nth-of-type(2) td"),
    ("runs", "/runs", ".runs [data-run]"),
    ("run", "/runs?run=2", "#games a"),
    ("run-learning", "/runs?run=1", ".plot-place svg"),
    ("run-repeated", "/runs?run=3", "#repetition"),
    ("compare", "/runs?compare=2,3", ".chart-svg"),
    ("run-game", "/runs?run=2&game=0", "#moves li"),
    ("unknown", "/nowhere", "main a"),
];

/// The variable that asks for pictures of the pages.
const PICTURES: &str = "LUDION_PICTURES";

#[tokio::test]
async fn every_page_is_accessible_on_a_desktop_in_light_and_dark() {
    check_all_pages(1280, "desk").await;
}

#[tokio::test]
async fn every_page_is_accessible_on_a_phone_in_light_and_dark() {
    check_all_pages(390, "phone").await;
}

async fn check_all_pages(width: u32, device: &str) {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/").await;
    lab.learn();
    lab.submit_solutions();
    let order = json!({
        "kind": "match", "game": "tictactoe", "players": ["montecarlo(sims=20)", "random"], "pairs": 10,
    });
    browser.post("/api/runs", &order).await;
    browser.open("/runs?run=2").await;
    browser.until("document.querySelector('[data-phase=finished]')").await;
    browser.post("/api/runs/2/annotation", &json!({ "tags": ["first"], "note": "a try" })).await;
    browser.post("/api/runs/2/repeat", &json!({})).await;
    browser.open("/runs?run=3").await;
    browser.until("document.querySelector('[data-phase=finished]')").await;
    let order = json!({
        "kind": "reproduction", "work": "mastermind", "size": "tiny", "only": ["burn-in", "white-pegs"],
    });
    browser.post("/api/runs", &order).await;
    browser.open("/reproduce?run=4").await;
    browser.until("document.querySelector('[data-phase=finished]')").await;
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH_SHIFTS }));
    let mut wrong = Vec::new();
    browser.resize(width);
    for (name, path, complete) in PAGES {
        browser.open(path).await;
        browser.until(&format!("document.querySelector({complete:?})")).await;
        if *name == "solutions-two" {
            browser.click("#submissions tr:nth-child(2) button:nth-of-type(2)").await;
            browser.until("document.querySelector('.pair.two #hex-status-second')").await;
            browser.click("#placements").await;
            browser.until("document.querySelector('.reached svg')").await;
        }
        let found = check_page(&browser, width).await;
        wrong.extend(found.into_iter().map(|what| format!("{name}-{device}: {what}")));
        for scheme in ["light", "dark"] {
            browser.prefer(scheme);
            let name = format!("{name}-{device}-{scheme}");
            if std::env::var_os(PICTURES).is_some() {
                browser.picture(&name);
            }
            let dim = browser.run(include_str!("contrast.js")).await;
            wrong.extend(
                dim.as_array().unwrap().iter().map(|one| format!("{name}: contrast of {one}")),
            );
        }
    }
    // The console may report the unknown page.
    let console_errors = browser.console_errors();
    assert!(console_errors.iter().all(|line| line.contains("/nowhere")), "{console_errors:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    browser.assert_no_errors();
}

/// Records layout shifts and the elements that moved.
const WATCH_SHIFTS: &str = "window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().filter((shift) => !shift.hadRecentInput).forEach((shift) => {
      const moved = shift.sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ''}`);
      window.shifts.push([shift.value, moved.join(' ')]);
    })).observe({ type: 'layout-shift', buffered: true });";

/// Largest accepted layout shift: a tenth of the window moved by a tenth of its height.
const MAX_SHIFTED: f64 = 0.01;

/// Returns the controls that are less than 24 pixels high, the minimum of WCAG 2.2, 2.5.8.
const SMALL: &str = "[...document.querySelectorAll('main a, button, input, select, summary')]
    .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.height > 0 && box.height < 24)
    .map(([one, box]) => `${one.tagName} ${one.textContent} is ${box.height} high`)";

/// Returns the faults of the page that do not depend on its colours.
async fn check_page(browser: &Chromium, width: u32) -> Vec<String> {
    let mut wrong: Vec<String> =
        nameless(&browser.devtools("Accessibility.getFullAXTree", json!({})));
    let wide = browser.eval("document.documentElement.scrollWidth").await;
    if wide.as_u64() > Some(u64::from(width)) {
        wrong.push(format!("it is {wide} wide and scrolls sideways"));
    }
    let shifts = browser.eval("window.shifts").await;
    let far = shifts.as_array().unwrap().iter().map(|shift| shift[0].as_f64().unwrap());
    if far.sum::<f64>() > MAX_SHIFTED {
        wrong.push(format!("the layout shifted: {shifts}"));
    }
    if width < 600 {
        let small = browser.eval(SMALL).await;
        wrong.extend(small.as_array().unwrap().iter().map(ToString::to_string));
    }
    wrong
}

/// Roles of elements that need a name for screen readers.
const NAMED: &[&str] = &[
    "button",
    "checkbox",
    "combobox",
    "link",
    "img",
    "image",
    "listbox",
    "meter",
    "progressbar",
    "radio",
    "region",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "tabpanel",
    "textbox",
];

/// Returns the elements without a name for screen readers.
fn nameless(tree: &Value) -> Vec<String> {
    let nodes = tree["nodes"].as_array().unwrap().iter();
    let seen = nodes.filter(|node| node["ignored"] == false);
    let role = |node: &Value| node["role"]["value"].as_str().unwrap_or_default().to_owned();
    let unnamed = seen.filter(|node| {
        let name = node["name"]["value"].as_str().unwrap_or_default();
        NAMED.contains(&&role(node)[..]) && name.trim().is_empty()
    });
    unnamed.map(|node| format!("a {} has no name: {}", role(node), node["properties"])).collect()
}
