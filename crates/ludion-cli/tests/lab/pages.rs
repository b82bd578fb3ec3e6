//! Every page, on a desk and on a phone, by day and by night: a picture of each is kept; nothing
//! scrolls sideways, everything that can be used has a name, every text can be read.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::laboratory::Laboratory;

/// A name for the picture, the address, and what is there once the page is whole.
const PAGES: &[(&str, &str, &str)] = &[
    ("games", "/", ".gallery .card[data-game=mastermind]"),
    ("play", "/play?game=connect4&moves=4%204%203", "#moves li:nth-child(4)"),
    ("checkers", "/play?game=checkers&second=human", ".board .piece"),
    ("arena", "/arena", ".runs [data-run]"),
    ("arena-run", "/arena?run=2", ".plot-place svg, #standings"),
    ("mastermind", "/mastermind", "#run"),
    ("mastermind-chain", "/mastermind?view=chain", "[role=tabpanel]:not([hidden]) button"),
    ("mastermind-play", "/mastermind?view=game", "[role=tabpanel]:not([hidden]) .slot"),
    ("mastermind-advice", "/mastermind?view=advice", "[role=tabpanel]:not([hidden]) button"),
    ("hextris", "/hextris", "#solve"),
    ("hextris-score", "/hextris?view=score", "#score"),
    ("hextris-play", "/hextris?view=keys", ".letters"),
    ("hextris-teams", "/hextris?view=teams", "[role=tabpanel]:not([hidden]) p"),
    ("learning", "/learning", "#curves svg"),
    ("runs", "/runs", ".runs [data-run]"),
    ("run", "/runs?run=2", "#games a"),
    ("run-learning", "/runs?run=1", ".plot-place svg"),
    ("run-game", "/runs?run=2&game=0", "#moves li"),
    ("unknown", "/nowhere", "main a"),
];

#[tokio::test]
async fn every_page_is_whole_on_a_desk_by_day_and_by_night() {
    look_at_all(1280, "desk").await;
}

#[tokio::test]
async fn every_page_is_whole_on_a_phone_by_day_and_by_night() {
    look_at_all(390, "phone").await;
}

async fn look_at_all(width: u32, device: &str) {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/").await;
    lab.learn();
    let order = json!({
        "kind": "match", "game": "tictactoe", "players": ["montecarlo(sims=20)", "random"], "pairs": 10,
    });
    browser.post("/api/runs", &order).await;
    browser.open("/runs?run=2").await;
    browser.until("document.querySelector('[data-phase=finished]')").await;
    browser.develop("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH_SHIFTS }));
    let mut wrong = Vec::new();
    browser.resize(width);
    for (name, path, whole) in PAGES {
        browser.open(path).await;
        browser.until(&format!("document.querySelector({whole:?})")).await;
        for scheme in ["light", "dark"] {
            browser.prefer(scheme);
            let name = format!("{name}-{device}-{scheme}");
            browser.picture(&name);
            let found = look(&browser, width).await;
            wrong.extend(found.into_iter().map(|what| format!("{name}: {what}")));
        }
    }
    // Of the page that there is not the console may say so.
    let complaints = browser.complaints();
    assert!(complaints.iter().all(|line| line.contains("/nowhere")), "{complaints:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    browser.is_content();
}

/// Remembers what people look at that was moved about, and how far, as browsers measure it.
const WATCH_SHIFTS: &str = "window.shifts = [];
    new PerformanceObserver((list) => list.getEntries().filter((shift) => !shift.hadRecentInput).forEach((shift) => {
      const moved = shift.sources.map(({ node }) => `${node?.nodeName}.${node?.className ?? ''}`);
      window.shifts.push([shift.value, moved.join(' ')]);
    })).observe({ type: 'layout-shift', buffered: true });";

/// What is still called good: a tenth of the window moved by a tenth of its height.
const MAX_SHIFTED: f64 = 0.01;

/// Controls of a page that a finger would miss, by WCAG 2.2, 2.5.8.
const SMALL: &str = "[...document.querySelectorAll('main a, button, input, select, summary')]
    .filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.height > 0 && box.height < 24)
    .map(([one, box]) => `${one.tagName} ${one.textContent} is ${box.height} high`)";

/// What is wrong with the page.
async fn look(browser: &Chromium, width: u32) -> Vec<String> {
    let mut wrong: Vec<String> =
        nameless(&browser.develop("Accessibility.getFullAXTree", json!({})));
    let wide = browser.say("document.documentElement.scrollWidth").await;
    if wide.as_u64() > Some(u64::from(width)) {
        wrong.push(format!("it is {wide} wide and scrolls sideways"));
    }
    let shifts = browser.say("window.shifts").await;
    let far = shifts.as_array().unwrap().iter().map(|shift| shift[0].as_f64().unwrap());
    if far.sum::<f64>() > MAX_SHIFTED {
        wrong.push(format!("what was there was moved about: {shifts}"));
    }
    if width < 600 {
        let small = browser.say(SMALL).await;
        wrong.extend(small.as_array().unwrap().iter().map(ToString::to_string));
    }
    let dim = browser.run(include_str!("contrast.js")).await;
    wrong.extend(dim.as_array().unwrap().iter().map(|one| format!("contrast of {one}")));
    wrong
}

/// Roles of what people use or look at, which a screen reader has to name.
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

/// What a screen reader would not know what to call.
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
