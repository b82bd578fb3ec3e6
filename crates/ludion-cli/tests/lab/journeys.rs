//! Whole tasks in the laboratory with a mouse and a keyboard, on a desktop and on a phone: a game, a
//! championship, an experiment, a replay, a run that is resumed after the server was killed, the
//! values of a model.

use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::laboratory::{Laboratory, SUBMITTED_PROBLEM};

/// Widths of a page on a desktop and on a phone.
const WIDTHS: [u32; 2] = [1280, 390];

pub(crate) fn press(key: impl Into<char>) -> KeyActions {
    let value = key.into();
    let keys = KeyActions::new("keys".to_owned());
    keys.then(KeyAction::Down { value }).then(KeyAction::Up { value })
}

/// Plays a legal move with the mouse or the keyboard, and waits for the reply.
async fn reply(browser: &Chromium, by_mouse: bool) {
    let before = browser.eval("document.querySelectorAll('#moves li').length").await;
    if by_mouse {
        // A cell at the edge of the window cannot be clicked in its middle.
        browser.eval("document.querySelector('.board').scrollIntoView({ block: 'center' })").await;
        browser.click(".spot.target").await;
    } else {
        browser.eval("document.querySelector('.spot.target').focus()").await;
        browser.act(press(Key::Enter)).await;
    }
    let status = "document.querySelector('#status').textContent";
    let answered = "document.querySelectorAll('#moves li').length - ";
    browser
        .until(&format!(
            "(/ after \\d+ moves$/.test({status}) && {answered}{before} > 0) || \
             (/your move$/.test({status}) && {answered}{before} > 1)"
        ))
        .await;
}

#[tokio::test]
async fn a_whole_game_of_connect_four_is_played_against_a_player() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for width in WIDTHS {
        browser.resize(width);
        play_a_game(&browser).await;
        browser.assert_no_errors();
    }
}

async fn play_a_game(browser: &Chromium) {
    browser.open("/").await;
    browser.click("[data-game=connect4] h3 a").await;
    browser.until("/your move$/.test(document.querySelector('#status')?.textContent)").await;
    browser.choose("#second", "mcts").await;
    browser.choose("#pace", "0").await;
    browser.click("#hint").await;
    browser.until("document.querySelectorAll('#thinking tbody tr').length === 7").await;
    let mut replies = 0;
    while browser.eval("document.querySelectorAll('.spot.target').length").await != 0 {
        reply(browser, replies % 2 == 0).await;
        replies += 1;
    }
    let status = browser.read("#status").await;
    let said: Vec<&str> = status.rsplitn(4, ' ').collect();
    let [_, count, _, result] = said[..] else { panic!("{status}") };
    assert!(["You won", "You lost", "Draw"].iter().any(|end| result.contains(end)), "{status}");
    let discs = browser.eval("document.querySelectorAll('.board .piece').length").await;
    assert_eq!((discs.to_string(), replies >= 4), (count.to_owned(), true), "{status}");
    // The address contains the game: a reload shows the same end, and one can go back.
    browser
        .until(&format!(
            "new URLSearchParams(location.search).get('moves')?.split(' ').length === {count}"
        ))
        .await;
    browser.reload().await;
    browser.until(&format!("document.querySelector('#status').textContent === {status:?}")).await;
    browser.click("#back").await;
    browser
        .until(&format!("document.querySelectorAll('.board .piece').length === {count} - 1"))
        .await;
}

/// Records every progress text of a run.
const RECORD_PROGRESS: &str = "(window.told = new Set(), new MutationObserver(() => {
    const text = document.querySelector('#progress-text')?.textContent;
    if (/^\\d+ of \\d+ pairs/.test(text ?? '')) window.told.add(text.split(' ')[0]);
}).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true }), true)";

#[tokio::test]
async fn a_championship_is_watched_until_it_is_finished() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for (width, run) in WIDTHS.into_iter().zip(["1", "2"]) {
        browser.resize(width);
        watch_a_championship(&browser, run).await;
        browser.assert_no_errors();
    }
}

async fn watch_a_championship(browser: &Chromium, number: &str) {
    browser.open("/arena").await;
    browser.click("[data-kind=championship]").await;
    browser.fill("#pairs", "8").await;
    browser.eval(RECORD_PROGRESS).await;
    browser.click("#start").await;
    browser.until("document.querySelector('#phase [data-phase=finished]')").await;
    assert!(browser.eval("window.told.size").await.as_u64() > Some(1), "its progress was shown");
    browser.until("document.querySelector('.plot-place.chart svg')").await;
    // Eight values of c in a round robin, eight pairs each.
    let run = browser.text("new URLSearchParams(location.search).get('run')").await;
    let rows = browser.eval("document.querySelectorAll('#standings tbody tr').length").await;
    let conclusion = browser.read(".conclusion").await;
    assert_eq!((rows, &run[..]), (json!(8), number), "{conclusion}");
    assert!(!conclusion.is_empty());
    assert!(browser.read("#progress-text").await.starts_with("448 games"));
    browser.click("#games tbody tr:last-child a").await;
    browser.click("#to-end").await;
    browser.until("/ wins|draw/.test(document.querySelector('#status').textContent)").await;
}

#[tokio::test]
async fn mastermind_is_run_and_its_slider_dragged() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for width in WIDTHS {
        browser.resize(width);
        run_mastermind(&browser).await;
        browser.assert_no_errors();
    }
}

async fn run_mastermind(browser: &Chromium) {
    browser.open("/mastermind").await;
    browser.click("#run").await;
    browser.until("/answers of the secret/.test(document.querySelector('#experiment-status')?.textContent)").await;
    let count = browser.read(".timeline-box .count").await;
    let last: u64 = count.split(" / ").nth(1).unwrap().parse().unwrap();
    assert_eq!(count, format!("{last} / {last}"));
    let heat = "document.querySelector('.heat canvas').toDataURL()";
    let at_the_end = browser.text(heat).await;
    drag(browser, ".timeline", 0.99, 0.4).await;
    let at = browser.text("document.querySelector('.timeline').value").await;
    assert!((1..last).contains(&at.parse().unwrap()), "{at} of {last}");
    assert_eq!(browser.read(".timeline-box .count").await, format!("{at} / {last}"));
    assert_eq!(browser.read(".steps tr[aria-current] td").await, at);
    assert!(browser.text(heat).await != at_the_end);
    let label =
        browser.text("document.querySelector('.heat svg').getAttribute('aria-label')").await;
    assert!(label.ends_with(&format!("after iteration {at}")), "{label}");
    // One iteration by keyboard, then playback to the end.
    browser.act(press(Key::Right)).await;
    let next = at.parse::<u64>().unwrap() + 1;
    browser
        .until(&format!("document.querySelector('.count').textContent === '{next} / {last}'"))
        .await;
    browser.choose(".timeline-box select", "20").await;
    browser.click(".play-pause").await;
    browser.until(&format!("document.querySelector('.count').textContent === '{count}'")).await;
    assert_eq!(browser.text(heat).await, at_the_end);
    // Three seeds; the secret is found each time.
    browser.fill("#seeds", "3").await;
    browser.click("#run-seeds").await;
    let told = "document.querySelector('#series-status').textContent";
    browser.until(&format!("{told} === 'Seeds 1 to 3: found 3 times, not found 0 times.'")).await;
}

/// Returns the number of pegs, the least contrast of a number on its peg, and the least distance of
/// two colours in OKLab.
const PALETTE: &str = "(() => {
    const parts = (text) => text.match(/\\d+/g).map((part) => { const v = part / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
    const lab = ([r, g, b]) => {
      const [l, m, s] = [0.4122 * r + 0.5363 * g + 0.0514 * b, 0.2119 * r + 0.6807 * g + 0.1074 * b, 0.0883 * r + 0.2817 * g + 0.63 * b].map(Math.cbrt);
      return [0.2105 * l + 0.7936 * m - 0.0041 * s, 1.978 * l - 2.4286 * m + 0.4506 * s, 0.0259 * l + 0.7828 * m - 0.8087 * s];
    };
    const pegs = [...document.querySelectorAll('.palette .peg')].map((peg) => [...peg.children].map((one) => parts(getComputedStyle(one).fill)));
    const contrast = ([a, b]) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const labs = pegs.map(([body]) => lab(body));
    const apart = labs.flatMap((a, i) => labs.slice(0, i).map((b) => Math.hypot(...a.map((v, k) => v - b[k]))));
    return [pegs.length, Math.min(...pegs.map(contrast)), Math.min(...apart)];
})()";

/// Records the durations of long tasks of the page, in milliseconds.
const WATCH_TASKS: &str = "(window.tasks = [0], new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask' }), true)";

#[tokio::test]
async fn forty_colours_are_distinct_and_a_large_experiment_does_not_block_the_page() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/mastermind?view=game&pegs=40&colours=40").await;
    browser.until("document.querySelectorAll('.palette .peg').length === 40").await;
    let told = browser.eval(PALETTE).await;
    assert_eq!(told[0], 40);
    assert!(told[1].as_f64() >= Some(4.5) && told[2].as_f64() >= Some(0.05), "{told}");
    // On a busy machine a task also waits for the processor; a page that blocks does so every time.
    let mut longest = Vec::new();
    while longest.last().is_none_or(|&longest| longest >= 700.0) {
        assert!(longest.len() < 5, "{longest:?} ms");
        longest.push(longest_task_of_an_experiment(&browser).await);
    }
    browser.assert_no_errors();
}

/// Runs an experiment by the Mallows distribution, a hundred iterations of 1,600 cells, and returns how
/// long the longest task of the page took, in milliseconds.
async fn longest_task_of_an_experiment(browser: &Chromium) -> f64 {
    browser.open("/mastermind?pegs=40&colours=40&law=3").await;
    browser.eval(WATCH_TASKS).await;
    browser.click("#run").await;
    browser.until("/answers of the secret/.test(document.querySelector('#experiment-status')?.textContent)").await;
    browser.eval("Math.max(...window.tasks)").await.as_f64().unwrap()
}

/// Drags with the left button from one share of an element's width to another.
async fn drag(browser: &Chromium, css: &str, from: f64, to: f64) {
    browser
        .eval(&format!("document.querySelector({css:?}).scrollIntoView({{ block: 'center' }})"))
        .await;
    let place = format!("document.querySelector({css:?}).getBoundingClientRect().toJSON()");
    let place = browser.eval(&place).await;
    let of = |name: &str| place[name].as_f64().unwrap();
    let (y, x) = (of("y") + of("height") / 2.0, |share: f64| of("x") + share * of("width"));
    let to_share = |share| PointerAction::MoveTo { duration: None, x: x(share), y };
    let mut hand = MouseActions::new("hand".to_owned())
        .then(to_share(from))
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
    for step in 1..=8 {
        hand = hand.then(to_share(from + (to - from) * f64::from(step) / 8.0));
    }
    browser.act(hand.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT })).await;
}

#[tokio::test]
async fn a_solution_of_hexagonal_tetris_is_replayed_step_by_step() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for width in WIDTHS {
        browser.resize(width);
        replay_a_solution(&browser).await;
        browser.assert_no_errors();
    }
}

async fn replay_a_solution(browser: &Chromium) {
    browser.open("/hextris?problem=well").await;
    browser.fill("#seconds", "0.5").await;
    browser.click("#solve").await;
    browser.until("/^Done in/.test(document.querySelector('#solve-status').textContent)").await;
    // Games are shown as they are solved; then the best is replayed.
    browser.until("document.querySelector('[aria-label=Pause]')").await;
    browser.until("document.querySelector('.timeline').max > 4").await;
    browser.click("[aria-label='To the start']").await;
    browser
        .until("/the first unit has come$/.test(document.querySelector('#hex-status').textContent)")
        .await;
    let unit = "document.querySelector('.hex-unit').getAttribute('d')";
    let mut places = vec![browser.text(unit).await];
    for step in 1..=4 {
        browser.click("[aria-label='One character forward']").await;
        let status = browser.read("#hex-status").await;
        let letter = browser.read("#strip .now").await;
        assert!(
            status.contains(&format!("character {step}, “{}”", letter.replace('\u{a0}', " "))),
            "{status}"
        );
        places.push(browser.text(unit).await);
    }
    // Some turns about a pivot keep the outline of the unit, but not four commands in a row.
    places.dedup();
    assert!(places.len() > 2, "{places:?}");
    browser.click("[aria-label='One character back']").await;
    assert!(browser.read(".timeline-box .count").await.starts_with("3 / "));
    browser.click("[aria-label='To the end']").await;
    let status = browser.read("#hex-status").await;
    let best = "Math.max(...[...document.querySelectorAll('#solved tbody tr')].map((row) => Number(row.cells[2].textContent.replaceAll(',', ''))))";
    let best = browser.text(&format!("({best}).toLocaleString('en')")).await;
    assert!(status.ends_with(&format!(", {best} points")), "{status}, not {best}");
    // A solution that cannot be replayed is reported once.
    browser.click("[data-tab=score]").await;
    let list = r#"[{"problemId": 1004, "seed": 4000000000, "solution": "a"}]"#;
    browser.fill("#solutions", list).await;
    browser.click("#score").await;
    browser.until("document.querySelector('#scored .loss')").await;
    assert_eq!(browser.eval("document.querySelectorAll('.error:not([hidden])').length").await, 0);
}

#[tokio::test]
async fn solutions_of_all_teams_are_ranked_replayed_side_by_side_and_shared_by_a_link() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // Without a solution the page says where they come from, and has no empty board.
    browser.open("/solutions").await;
    browser.until("document.querySelector('#no-solutions a')").await;
    assert_eq!(browser.eval("document.querySelector('.hexes')").await, Value::Null);
    let mut scores = lab.submit_solutions();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    for width in WIDTHS {
        browser.resize(width);
        compare_two_solutions(&browser, scores).await;
        browser.assert_no_errors();
    }
}

async fn compare_two_solutions(browser: &Chromium, scores: [u64; 2]) {
    let page = format!("/solutions?problem={SUBMITTED_PROBLEM}");
    browser.open(&page).await;
    browser.until("document.querySelectorAll('#submissions tbody tr').length === 2").await;
    let ranked = "[...document.querySelectorAll('#submissions tbody tr')].map((row) => Number(row.cells[1].textContent.replaceAll(',', '')))";
    assert_eq!(browser.eval(ranked).await, json!(scores));
    // The best one is shown; the keys step through it.
    let count = ".timeline-box .count";
    browser
        .until(&format!("/^0 \\/ [1-9]/.test(document.querySelector({count:?}).textContent)"))
        .await;
    browser.act(press(Key::Right)).await;
    assert!(browser.read(count).await.starts_with("1 / "));
    browser.act(press(Key::Home)).await;
    // Beside it the other; both move together from lock to lock.
    browser.click("#submissions tr:nth-child(2) button:nth-of-type(2)").await;
    browser.until("document.querySelector('.pair.two #hex-status-second')").await;
    for _ in 0..2 {
        browser.click("[aria-label='Forward to where a unit locks']").await;
    }
    let units = "[...document.querySelectorAll('.hex-stage')].map((stage) => stage.querySelector('.figures div:last-child dd').textContent)";
    let units = browser.eval(units).await;
    assert!(units[0].as_str().unwrap().starts_with("2 / ") && units[0] == units[1], "{units}");
    browser.click("#placements").await;
    browser.until("document.querySelector('.reached svg path')").await;
    // A link carries both games in its fragment, which no server sees.
    browser.click("#link").await;
    browser.until("location.hash.startsWith('#games=z')").await;
    let link = browser.address().await;
    browser.open("/").await;
    browser.open(&link).await;
    browser.until("document.querySelector('.pair.two')").await;
    for (id, score) in [("#hex-status", scores[0]), ("#hex-status-second", scores[1])] {
        let status = browser.read(id).await.replace(',', "");
        assert!(status.contains(&format!("{score} points")), "{status}");
    }
    browser.open("/").await;
    browser.open("/solutions#games=zAAAA").await;
    let said = "document.querySelector('.error:not([hidden])')?.textContent";
    browser.until(&format!("/^the link is damaged/.test({said})")).await;
}

#[tokio::test]
async fn a_run_is_resumed_after_the_server_was_killed_and_restarted() {
    let mut lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.resize(WIDTHS[1]);
    browser.open("/arena").await;
    // More games than any machine plays during the test.
    browser.fill("#pairs", "100000").await;
    browser.click("#start").await;
    browser
        .until("/^\\d[\\d,]* of 100,000 pairs/.test(document.querySelector('#progress-text')?.textContent)")
        .await;
    browser.assert_no_errors();
    lab.kill();
    browser
        .until("/server/.test(document.querySelector('.run .error:not([hidden])')?.textContent)")
        .await;
    lab.reopen();
    // The page reconnects by itself.
    browser.until("document.querySelector('#phase [data-phase=stopped]')").await;
    browser.until("document.querySelector('.run .error').hidden").await;
    // The console may report the lost connection.
    browser.console_errors();
    let kept = browser.get("/api/runs/1/games?count=500").await["total"].as_u64().unwrap();
    assert!(kept >= 2, "{kept} games were stored");
    browser.click("#resume").await;
    browser.until("document.querySelector('#phase [data-phase=running]')").await;
    let deadline = Instant::now() + Duration::from_secs(60);
    while browser.get("/api/runs/1/games?count=1").await["total"].as_u64() <= Some(kept) {
        assert!(Instant::now() < deadline, "no game was played after the run was resumed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    browser.click("#pause").await;
    browser.until("document.querySelector('#phase [data-phase=stopped]')").await;
    let games = browser.get("/api/runs/1/games?count=500").await["games"].clone();
    let numbers: Vec<u64> =
        games.as_array().unwrap().iter().map(|game| game["number"].as_u64().unwrap()).collect();
    // Games under way were dropped, so that numbers may be missing, but none comes twice.
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    browser.assert_no_errors();
}

/// Returns every move with its value, the best first, as in the table.
const MOVE_VALUES: &str = "[...document.querySelectorAll('#thoughts tbody tr')].map((row) => [row.dataset.move, Number(row.cells[1].textContent.replace('\u{2212}', '-'))])";

#[tokio::test]
async fn a_program_is_taught_by_buttons_and_shows_its_value_of_each_move() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/learning").await;
    // From nothing: patterns of tic-tac-toe, learned while the page shows how far it is.
    browser.click("#learn").await;
    browser.until("document.querySelector('[data-model=\"tictactoe.lpat\"]')").await;
    browser.until("document.querySelector('.watch .chart-svg')").await;
    browser.until("document.querySelectorAll('#curves .plot-place svg').length === 1").await;
    // From games: they are played, then a network is trained on them.
    browser.click("[data-tab=games]").await;
    browser.fill("#generate-count", "100").await;
    browser.click("#generate").await;
    browser.until("/^100 games in checkers-random.games/.test(document.querySelector('#teach-status').textContent)").await;
    browser.choose("#train-label", "captures").await;
    browser.fill("#train-epochs", "1").await;
    browser.click("#train").await;
    let network = "checkers-random-captures.safetensors";
    browser.until(&format!("document.querySelector('[data-model={network:?}]')")).await;
    browser.assert_no_errors();
    browser
        .until(&format!("document.querySelector('#next-steps [aria-label=\"Match {network}\"]')"))
        .await;
    // A match measures the patterns, and the list of models says what came of it.
    browser.click("#models [aria-label='Match tictactoe.lpat']").await;
    browser.until("document.querySelector('#phase [data-phase=finished]')").await;
    browser.until("document.querySelector('#verdict').textContent !== ''").await;
    browser.open("/learning?model=tictactoe.lpat").await;
    browser.until("/^run 2: /.test(document.querySelector('[data-model=\"tictactoe.lpat\"] .strength').textContent)").await;
    browser.until("document.querySelectorAll('#curves .plot-place svg').length === 1").await;
    look_at_a_model(&browser).await;
    browser.assert_no_errors();
}

/// Looks at what the patterns of tic-tac-toe think, and into the games of checkers.
async fn look_at_a_model(browser: &Chromium) {
    // Nine moves of tic-tac-toe, each with a bar on its cell.
    browser.until("document.querySelectorAll('#thoughts tbody tr').length === 9").await;
    let thoughts = browser.eval(MOVE_VALUES).await;
    let values: Vec<f64> =
        thoughts.as_array().unwrap().iter().map(|one| one[1].as_f64().unwrap()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b) && values[0] > values[8], "{thoughts}");
    assert_eq!(browser.eval("document.querySelectorAll('.hints .rail').length").await, 9);
    browser.click("#best").await;
    browser.until("document.querySelectorAll('#thoughts tbody tr').length === 8").await;
    let played = browser.text("new URLSearchParams(location.search).get('moves')").await;
    assert_eq!(thoughts[0][0], played);
    browser.click(".spot.target").await;
    browser.until("document.querySelectorAll('#thoughts tbody tr').length === 7").await;
    // The address contains the model and the position.
    let seven = browser.eval(MOVE_VALUES).await;
    browser.reload().await;
    browser.until("document.querySelectorAll('#thoughts tbody tr').length === 7").await;
    assert_eq!(browser.eval(MOVE_VALUES).await, seven);
    browser.click("[aria-label='Look into checkers-random.games']").await;
    browser.click("#inside a").await;
    browser.until("document.querySelectorAll('.board .piece').length === 24").await;
}
