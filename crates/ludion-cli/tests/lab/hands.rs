//! Clicks and keys on the page Play and on the page of a run, and the texts that follow.

use fantoccini::key::Key;

use crate::chromium::Chromium;
use crate::journeys::press;
use crate::laboratory::Laboratory;

/// Clicks a cell of the board.
pub(crate) async fn touch(browser: &Chromium, x: usize, y: usize) {
    browser.click(&format!(".spot[data-x='{x}'][data-y='{y}']")).await;
}

/// Waits until these moves were played.
pub(crate) async fn played(browser: &Chromium, moves: &str) {
    let list =
        "[...document.querySelectorAll('#moves > li > .move')].map((one) => one.dataset.move)";
    browser.until(&format!("{list}.join(' ') === {moves:?}")).await;
}

/// Waits until the status matches a pattern.
pub(crate) async fn wait_for_status(browser: &Chromium, pattern: &str) {
    browser
        .until(&format!("/{pattern}/.test(document.querySelector('#status')?.textContent)"))
        .await;
}

#[tokio::test]
async fn a_capture_is_played_by_its_last_square_and_a_column_by_any_of_its_cells() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // Two paths lead from square 2 to square 18; the piece on 32 is a king.
    let state = "B:W6,7,14,15,K32:B2";
    let game = "checkers(english)&first=human&second=human";
    browser.open(&format!("/play?game={game}&state={state}")).await;
    wait_for_status(&browser, "your move").await;
    assert_eq!(browser.eval("document.querySelectorAll('.board .crown').length").await, 2);
    let corner =
        "[...document.querySelectorAll('.board .names text')].map((one) => one.textContent)";
    let numbers: Vec<String> = (1..=32).map(|number| number.to_string()).collect();
    assert_eq!(browser.eval(corner).await, serde_json::json!(numbers));
    touch(&browser, 3, 0).await;
    let targets = "[...document.querySelectorAll('.spot.target')].map((one) => one.getAttribute('aria-label').split(',')[0])";
    let next = browser.eval(targets).await;
    assert_eq!(next, serde_json::json!(["square 9", "square 11"]));
    touch(&browser, 1, 2).await;
    played(&browser, "").await;
    touch(&browser, 3, 4).await;
    played(&browser, "2x9x18").await;
    // Enter on a stone that was just dropped plays its column again.
    browser.open("/play?game=connect4&second=human").await;
    wait_for_status(&browser, "your move").await;
    browser.eval("document.querySelector('.spot.target').focus()").await;
    for moves in ["1", "1 1", "1 1 1"] {
        browser.act(press(Key::Enter)).await;
        played(&browser, moves).await;
    }
    // A click on a cell without a move is reported.
    browser.open("/play?game=tictactoe&second=human&moves=a1").await;
    wait_for_status(&browser, "your move").await;
    touch(&browser, 0, 2).await;
    wait_for_status(&browser, "a1 leads to no move").await;
    browser.assert_no_errors();
}

#[tokio::test]
async fn undo_and_the_evaluation_bar_follow_the_shown_position() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // The second side moves first.
    let seats = "game=tictactoe&first=random&second=human&state=.../.../x..";
    browser.open(&format!("/play?{seats}")).await;
    wait_for_status(&browser, "your move").await;
    touch(&browser, 0, 0).await;
    browser.until("document.querySelectorAll('#moves li').length === 2").await;
    wait_for_status(&browser, "your move").await;
    browser.click("#undo").await;
    played(&browser, "").await;
    // The evaluation at the start of a game differs from that at its end.
    browser.open("/play?game=hexapawn&first=negamax&second=negamax").await;
    browser.choose("#pace", "0").await;
    wait_for_status(&browser, "wins after").await;
    let bar = "document.querySelector('#evaluation .text').textContent";
    let end = browser.text(bar).await;
    browser.click("#to-start").await;
    browser.until(&format!("{bar} !== {end:?}")).await;
    // A position that was not searched has no evaluation.
    browser.open("/play?game=connect4&second=human&moves=4").await;
    browser.click("#hint").await;
    browser.until(&format!("{bar} !== 'no evaluation yet'")).await;
    browser.click("#undo").await;
    browser.until(&format!("{bar} === 'no evaluation yet'")).await;
    browser.assert_no_errors();
}

/// Replaces the next choice by one that was cut off at the time limit.
const CUT_OFF: &str = r#"(() => { const ask = window.fetch; window.fetch = async (path, init) => {
    if (path !== '/api/choose') return ask(path, init);
    const choice = { best: '1', lines: [], nodes: 5e6, simulations: 0, depth: 20, seconds: 120, cut_off: true };
    return new Response('event: choice\ndata: ' + JSON.stringify(choice) + '\n\n');
}; return true; })()"#;

#[tokio::test]
async fn a_player_that_cannot_be_stopped_or_built_is_reported_at_once() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=connect4&second=minimax(depth=20)").await;
    wait_for_status(&browser, "your move").await;
    touch(&browser, 3, 0).await;
    let clock = "document.querySelector('#spent').textContent";
    browser.until(&format!("/^0.[3-9] s$|^[1-9]/.test({clock})")).await;
    browser.click("#stop").await;
    wait_for_status(&browser, "^minimax.depth=20. cannot be hurried").await;
    browser.click("#pause").await;
    wait_for_status(&browser, "paused$").await;
    // A search that reached its time limit is shown as cut off.
    browser.eval(CUT_OFF).await;
    browser.click("#pause").await;
    played(&browser, "4 1").await;
    browser.until(&format!("/was cut off by the limit of 120 s/.test({clock})")).await;
    browser.open("/play?game=connect4&second=mcts").await;
    wait_for_status(&browser, "your move").await;
    browser.click("[data-seat=second] summary").await;
    browser.fill("[data-seat=second] [data-param=sims]", "-5").await;
    browser.act(press(Key::Tab)).await;
    let error = "document.querySelector('[data-seat=second] .error').textContent";
    browser
        .until(&format!("{error}.startsWith('sims = -5 is not allowed; whole numbers 1 to ')"))
        .await;
    browser.assert_no_errors();
}

/// Delays the response to `forget` until the page has received the end of the run.
const LATE: &str = "(() => { const ask = window.fetch; window.fetch = async (path, init) => {
    const answer = await ask(path, init);
    if (String(path).endsWith('/forget')) await new Promise((done) => setTimeout(done, 700));
    return answer;
}; return true; })()";

#[tokio::test]
async fn cancelling_a_run_opens_the_list_of_runs() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/arena").await;
    browser.fill("#pairs", "100000").await;
    browser.eval(LATE).await;
    browser.click("#start").await;
    browser.until("document.querySelector('#phase [data-phase=running]')").await;
    browser
        .until("/^Ludion .* 1 run kept$/.test(document.querySelector('footer').textContent)")
        .await;
    browser.click("#forget").await;
    assert_eq!(browser.read("#forget").await, "Really cancel run 1?");
    browser.click("#forget").await;
    browser.until("location.pathname === '/runs' && document.querySelector('.runs td')").await;
    browser
        .until("/^Ludion .* 0 runs kept$/.test(document.querySelector('footer').textContent)")
        .await;
    browser.assert_no_errors();
}
