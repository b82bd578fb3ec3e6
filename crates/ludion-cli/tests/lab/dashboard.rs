//! Runs as a dashboard: results, filters, tags and notes, comparisons, charts to read values from; tables
//! and laws of Mastermind; problems of hexagonal Tetris made by hand, and teams.

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::journeys::press;
use crate::laboratory::Laboratory;

/// Starts a match and waits until it is finished.
async fn finish_a_match(browser: &Chromium, sims: u32, run: u32) {
    let players = [format!("montecarlo(sims={sims})"), "random".to_owned()];
    let order = json!({ "kind": "match", "game": "tictactoe", "players": players, "pairs": 15, "seed": run });
    browser.post("/api/runs", &order).await;
    loop {
        if browser.get(&format!("/api/runs/{run}")).await["phase"] == "finished" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Returns the numbers of the listed runs.
const LISTED: &str =
    "[...document.querySelectorAll('.runs tr[data-run]')].map((row) => Number(row.dataset.run))";

#[tokio::test]
async fn runs_are_found_annotated_compared_and_repeated() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/").await;
    for (run, sims) in [(1, 2), (2, 20)] {
        finish_a_match(&browser, sims, run).await;
    }
    browser.open("/runs?run=2").await;
    browser.fill("#tags", "strong, paper").await;
    browser.fill("#note", "twenty simulations").await;
    browser.act(press(Key::Tab)).await;
    browser
        .until("document.querySelector('.annotation [role=status]').textContent === 'Kept.'")
        .await;
    let verdict = browser.read("#verdict").await;
    assert!(verdict.starts_with("montecarlo(sims=20) is stronger than random: "), "{verdict}");
    read_a_chart(&browser).await;
    // The repetition says that it is the same, and leads to the original.
    browser.click("#repeat").await;
    browser.until("/All 30 games are the same, move by move/.test(document.querySelector('#repetition')?.textContent)").await;
    browser.click("#repetition a").await;
    browser.until("location.search === '?run=2'").await;
    for width in [1366, 390] {
        browser.resize(width);
        find_and_compare(&browser).await;
    }
    browser.assert_no_errors();
}

/// Reads values of a chart with the mouse and the keyboard, and zooms into it.
async fn read_a_chart(browser: &Chromium) {
    let place = "(() => { const one = document.querySelector('.chart-frame'); one.scrollIntoView({ block: 'center' }); return one.getBoundingClientRect().toJSON(); })()";
    let place = browser.eval(place).await;
    let of = |name: &str| place[name].as_f64().unwrap();
    let at = |share: f64| PointerAction::MoveTo {
        duration: None,
        x: of("x") + share * of("width"),
        y: of("y") + of("height") / 2.0,
    };
    browser.act(MouseActions::new("hand".to_owned()).then(at(0.5))).await;
    browser.until("/^games \\d+.* % \\(.* to .*\\)$/.test(document.querySelector('.chart-values:not([hidden])')?.textContent)").await;
    let drag = MouseActions::new("hand".to_owned())
        .then(at(0.5))
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(at(0.7))
        .then(at(0.9))
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.act(drag).await;
    browser.until("!document.querySelector('.chart-head button').hidden").await;
    browser.eval("document.querySelector('.chart-frame').focus()").await;
    browser.act(press(Key::End)).await;
    let last = browser.read(".chart-values strong").await;
    browser.act(press(Key::Left)).await;
    assert_ne!(browser.read(".chart-values strong").await, last);
    browser.act(press(Key::Escape)).await;
    browser.until("document.querySelector('.chart-head button').hidden").await;
}

async fn find_and_compare(browser: &Chromium) {
    browser.open("/runs?tag=paper").await;
    browser.until(&format!("{LISTED}.join() === '2'")).await;
    browser.choose("#filter-tag", "").await;
    browser.until(&format!("{LISTED}.join() === '3,2,1'")).await;
    browser.fill("#filter", "twenty").await;
    browser.until(&format!("{LISTED}.join() === '2' && location.search === '?text=twenty'")).await;
    browser.fill("#filter", "montecarlo").await;
    browser.click(".sort").await;
    browser.until(&format!("{LISTED}.join() === '1,2,3'")).await;
    browser.click("[aria-label='Compare run 1']").await;
    browser.click("[aria-label='Compare run 2']").await;
    browser.click("#compare").await;
    browser
        .until("location.search === '?compare=1%2C2' || location.search === '?compare=1,2'")
        .await;
    browser.until("document.querySelectorAll('.chart-key').length === 2").await;
    browser.until("document.querySelectorAll('#results tbody tr').length === 2").await;
    let rows = "[...document.querySelectorAll('#results tbody tr')].map((row) => row.cells[5].textContent)";
    let rows = browser.eval(rows).await;
    assert_eq!(rows[0], "the first");
    assert!(
        rows[1].as_str().unwrap() == "–" || rows[1].as_str().unwrap().contains(" ± "),
        "{rows}"
    );
}

#[tokio::test]
async fn laws_and_tables_of_mastermind_are_run_from_the_page() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/mastermind?view=laws").await;
    browser.fill("#overlay-pegs", "3").await;
    browser.fill("#overlay-colours", "5").await;
    browser.click("#overlay-draw").await;
    browser.click("#run-overlay").await;
    browser.until("document.querySelectorAll('#laws-found tbody tr').length === 4").await;
    browser.until("document.querySelectorAll('.chart-line').length === 4").await;
    // A chart has its name before it has a place on the page, where it is drawn.
    let name = "import('/js/chart/chart.js').then(({ InteractiveChart }) => { const chart = new InteractiveChart(); chart.show({ title: 'curve', note: '', level: null, x: { label: 'a', scale: 'linear', unit: 'count' }, y: { label: 'b', scale: 'linear', unit: 'plain' }, series: [] }); window.named = chart.svg.getAttribute('aria-label'); })";
    browser.eval(&format!("({name}, true)")).await;
    browser.until("window.named === 'curve'").await;
    browser.click("[data-tab=tables]").await;
    browser.fill("#table-pegs", "2..3").await;
    browser.fill("#table-colours", "3, 4").await;
    browser.fill("#table-runs", "5").await;
    browser.click("#run-table").await;
    browser.until("document.querySelectorAll('#sizes tbody td').length === 4").await;
    browser.fill("#table-pegs", "two").await;
    browser.click("#run-table").await;
    browser.until("/^the pegs two do not read/.test([...document.querySelectorAll('.error:not([hidden])')].at(-1)?.textContent)").await;
    browser.assert_no_errors();
}

#[tokio::test]
async fn a_problem_is_drawn_by_hand_and_played_on_a_phone_and_teams_are_managed() {
    let lab = Laboratory::open_with(&["--admin"]);
    let admin = lab.admin.clone().unwrap();
    let browser = Chromium::start(&lab.origin).await;
    browser.resize(390);
    browser.open("/hextris?view=make").await;
    browser.fill("#make-width", "4").await;
    browser.fill("#make-height", "5").await;
    browser.act(press(Key::Tab)).await;
    browser.until("document.querySelectorAll('.make-board .grid-cell').length === 20").await;
    browser.click(".make-board .grid-cell[data-at='0,4']").await;
    // The next cell by the keyboard.
    browser.eval("document.querySelector(\".make-board [data-at='0,4']\").focus()").await;
    browser.act(press(Key::Right)).await;
    browser.act(press(Key::Enter)).await;
    browser.click("#use-made").await;
    browser.until("/^problem 900: /.test(document.querySelector('#hex-status').textContent)").await;
    let drawn = browser.eval("[...document.querySelectorAll('.hex-full')].map((row) => (row.getAttribute('d') ?? '').split('M').length - 1)").await;
    assert_eq!(drawn, json!([0, 0, 0, 0, 2]));
    // After Start the board and the buttons under it are in sight.
    browser.click("[data-tab=keys]").await;
    browser.click("#start-playing").await;
    let seen = "['.hexes', '.pad'].every((css) => { const box = document.querySelector(css).getBoundingClientRect(); return box.top >= -8 && box.bottom <= innerHeight; })";
    browser.until(&format!("document.querySelector('.pad button:enabled') && {seen}")).await;
    manage_teams(&browser, &admin).await;
}

async fn manage_teams(browser: &Chromium, admin: &str) {
    browser.open("/hextris?view=teams").await;
    browser.click(".admin summary").await;
    browser.fill("#admin-token", "wrong").await;
    browser.click("#use-admin").await;
    browser
        .until("/not the admin token/.test(document.querySelector('.admin .error').textContent)")
        .await;
    // The console reports the refusal.
    assert_eq!(browser.console_errors().len(), 1);
    browser.fill("#admin-token", admin).await;
    browser.click("#use-admin").await;
    browser.fill("#team-name", "Honeycombs").await;
    browser.click("#add-team").await;
    browser.until("document.querySelector('#team-token')?.textContent.length === 43").await;
    browser.until("document.querySelectorAll('#team-list li').length === 1").await;
    browser.click("[aria-label='Remove Honeycombs']").await;
    browser.click("[aria-label='Remove Honeycombs']").await;
    browser.until("document.querySelectorAll('#team-list li').length === 0").await;
    browser.assert_no_errors();
}

/// Returns the names and roles of what a screen reader reads, in order.
pub(crate) fn reading_order(browser: &Chromium) -> Vec<(String, String)> {
    let tree = browser.devtools("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let find = |id: &Value| nodes.iter().find(|node| node["nodeId"] == *id);
    let (mut found, mut open) = (Vec::new(), vec![&nodes[0]]);
    while let Some(node) = open.pop() {
        let text = |name: &str| node[name]["value"].as_str().unwrap_or_default().to_owned();
        if node["ignored"] == false {
            found.push((text("role"), text("name")));
        }
        let children = node["childIds"].as_array().into_iter().flatten();
        open.extend(children.filter_map(find).collect::<Vec<_>>().into_iter().rev());
    }
    found
}
