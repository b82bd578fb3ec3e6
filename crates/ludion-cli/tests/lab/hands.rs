//! What a hand does on the page Play and with a run, and what the page says to it.

use fantoccini::key::Key;

use crate::chromium::Chromium;
use crate::journeys::press;
use crate::laboratory::Laboratory;

/// Clicks a cell of the board.
async fn touch(browser: &Chromium, x: usize, y: usize) {
    browser.click(&format!(".spot[data-x='{x}'][data-y='{y}']")).await;
}

/// Waits until these moves were played.
async fn played(browser: &Chromium, moves: &str) {
    let list = "[...document.querySelectorAll('#moves li')].map((one) => one.textContent)";
    browser.until(&format!("{list}.join(' ') === {moves:?}")).await;
}

/// Whether the status comes to match a pattern.
async fn says(browser: &Chromium, pattern: &str) {
    browser
        .until(&format!("/{pattern}/.test(document.querySelector('#status')?.textContent)"))
        .await;
}

#[tokio::test]
async fn a_capture_is_played_by_its_last_square_and_a_column_by_any_of_its_cells() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // Two ways lead from square 2 to square 18; the piece on 32 is a king.
    let state = "B:W6,7,14,15,K32:B2";
    let game = "checkers(english)&first=human&second=human";
    browser.open(&format!("/play?game={game}&state={state}")).await;
    says(&browser, "your move").await;
    assert_eq!(browser.say("document.querySelectorAll('.crown').length").await, 2);
    let corner = "[...document.querySelectorAll('.names text')].map((one) => one.textContent)";
    let numbers: Vec<String> = (1..=32).map(|number| number.to_string()).collect();
    assert_eq!(browser.say(corner).await, serde_json::json!(numbers));
    touch(&browser, 3, 0).await;
    let targets = "[...document.querySelectorAll('.spot.target')].map((one) => one.getAttribute('aria-label').split(',')[0])";
    let next = browser.say(targets).await;
    assert_eq!(next, serde_json::json!(["square 9", "square 11"]));
    touch(&browser, 1, 2).await;
    played(&browser, "").await;
    touch(&browser, 3, 4).await;
    played(&browser, "2x9x18").await;
    // A stone that was just dropped stands for its column.
    browser.open("/play?game=connect4&second=human").await;
    says(&browser, "your move").await;
    browser.say("document.querySelector('.spot.target').focus()").await;
    for moves in ["1", "1 1", "1 1 1"] {
        browser.act(press(Key::Enter)).await;
        played(&browser, moves).await;
    }
    // A cell that leads nowhere is said to.
    browser.open("/play?game=tictactoe&second=human&moves=a1").await;
    says(&browser, "your move").await;
    touch(&browser, 0, 2).await;
    says(&browser, "a1 leads to no move").await;
    browser.is_content();
}

#[tokio::test]
async fn undo_and_the_bar_follow_the_position_looked_at() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // The second side moves first.
    let seats = "game=tictactoe&first=random&second=human&state=.../.../x..";
    browser.open(&format!("/play?{seats}")).await;
    says(&browser, "your move").await;
    touch(&browser, 0, 0).await;
    browser.until("document.querySelectorAll('#moves li').length === 2").await;
    says(&browser, "your move").await;
    browser.click("#undo").await;
    played(&browser, "").await;
    // A game that is watched to its end, and looked at from its start.
    browser.open("/play?game=hexapawn&first=negamax&second=negamax").await;
    browser.choose("#pace", "0").await;
    says(&browser, "wins after").await;
    let bar = "document.querySelector('#evaluation .text').textContent";
    let end = browser.text(bar).await;
    browser.click("#to-start").await;
    browser.until(&format!("{bar} !== {end:?}")).await;
    // Of what was never thought about nothing is known.
    browser.open("/play?game=connect4&second=human&moves=4").await;
    browser.click("#hint").await;
    browser.until(&format!("{bar} !== 'no evaluation yet'")).await;
    browser.click("#undo").await;
    browser.until(&format!("{bar} === 'no evaluation yet'")).await;
    browser.is_content();
}

/// Has the next choice be that of a search whose time was up.
const CUT_OFF: &str = r#"(() => { const ask = window.fetch; window.fetch = async (path, init) => {
    if (path !== '/api/choose') return ask(path, init);
    const choice = { best: '1', lines: [], nodes: 5e6, simulations: 0, depth: 20, seconds: 120, cut_off: true };
    return new Response('event: choice\ndata: ' + JSON.stringify(choice) + '\n\n');
}; return true; })()"#;

#[tokio::test]
async fn who_cannot_be_hurried_or_seated_is_told_at_once() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=connect4&second=minimax(depth=20)").await;
    says(&browser, "your move").await;
    touch(&browser, 3, 0).await;
    let clock = "document.querySelector('#spent').textContent";
    browser.until(&format!("/^0.[3-9] s$|^[1-9]/.test({clock})")).await;
    browser.click("#stop").await;
    says(&browser, "^minimax.depth=20. cannot be hurried").await;
    browser.click("#pause").await;
    says(&browser, "paused$").await;
    // Its time is up: it says so, and not that it looks at nothing.
    browser.say(CUT_OFF).await;
    browser.click("#pause").await;
    played(&browser, "4 1").await;
    browser.until(&format!("/was cut off by the limit of 120 s/.test({clock})")).await;
    browser.open("/play?game=connect4&second=mcts").await;
    says(&browser, "your move").await;
    browser.click("[data-seat=second] summary").await;
    browser.fill("[data-seat=second] [data-param=sims]", "-5").await;
    browser.act(press(Key::Tab)).await;
    let error = "document.querySelector('[data-seat=second] .error').textContent";
    browser
        .until(&format!("{error}.startsWith('sims = -5 is not allowed; whole numbers 1 to ')"))
        .await;
    browser.is_content();
}

/// Has the page hear that its run was forgotten only after it has heard that the run ended.
const LATE: &str = "(() => { const ask = window.fetch; window.fetch = async (path, init) => {
    const answer = await ask(path, init);
    if (String(path).endsWith('/forget')) await new Promise((done) => setTimeout(done, 700));
    return answer;
}; return true; })()";

#[tokio::test]
async fn a_run_that_is_cancelled_leads_to_the_list() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/arena").await;
    browser.fill("#pairs", "100000").await;
    browser.say(LATE).await;
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
    browser.is_content();
}
