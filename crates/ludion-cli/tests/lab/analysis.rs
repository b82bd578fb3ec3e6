//! The analysis board: captures square by square, hints and what they cover, ends of games, the graph
//! of a game, variations, the editor, the explorer, and what is on one screen.

use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::hands::{played, touch, wait_for_status};
use crate::journeys::press;
use crate::laboratory::Laboratory;

/// A king on 26 takes the pieces on 22, 14 and 7, and lands on 17, 10 and 3.
const JUMPS: &str =
    "/play?game=checkers(english)&first=human&second=human&state=W:WK26,31:B22,14,7,12";

/// Returns the middle of a square of an 8×8 board of draughts in the window.
async fn middle(browser: &Chromium, square: u32) -> (f64, f64) {
    let find = format!(
        "(() => {{ const spot = [...document.querySelectorAll('.spot')].find((one) => one.label.startsWith('square {square},'));
        const box = spot.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    );
    let found = browser.eval(&find).await;
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

/// Clicks a square of a board of draughts.
async fn square(browser: &Chromium, number: u32) {
    let (x, y) = middle(browser, number).await;
    let hand = MouseActions::new("hand".to_owned());
    let to = PointerAction::MoveTo { duration: None, x, y };
    let down = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
    browser
        .act(hand.then(to).then(down).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT }))
        .await;
}

/// Drags from one square of a board of draughts to another.
async fn drag(browser: &Chromium, from: u32, to: u32) {
    let (a, b) = (middle(browser, from).await, middle(browser, to).await);
    let at = |(x, y): (f64, f64)| PointerAction::MoveTo { duration: None, x, y };
    let hand = MouseActions::new("hand".to_owned())
        .then(at(a))
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(at(((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)))
        .then(at(b))
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.act(hand).await;
}

#[tokio::test]
async fn a_capture_goes_square_by_square_by_drag_or_by_its_destination() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for way in [&[26, 17, 10, 3][..], &[26, 3], &[26, 10, 3]] {
        browser.open(JUMPS).await;
        wait_for_status(&browser, "your move").await;
        for &number in way {
            square(&browser, number).await;
        }
        played(&browser, "26x3").await;
    }
    browser.open(JUMPS).await;
    wait_for_status(&browser, "your move").await;
    for (from, to) in [(26, 17), (17, 10), (10, 3)] {
        drag(&browser, from, to).await;
    }
    played(&browser, "26x3").await;
    // The arrow of the hint follows the jumps and has a head.
    browser.open(JUMPS).await;
    browser.click("#hint").await;
    browser.until("document.querySelector('.arrow.rank-0 .head')").await;
    let shaft =
        browser.text("document.querySelector('.arrow.rank-0 .shaft').getAttribute('d')").await;
    assert_eq!(shaft.matches('L').count(), 3, "{shaft}");
    // The pieces that the move takes are marked before it is played.
    square(&browser, 26).await;
    browser.eval("document.querySelector('.spot.target[aria-label^=\"square 3,\"]').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))").await;
    assert_eq!(browser.eval("document.querySelectorAll('.spot.taken').length").await, 3);
    browser.assert_no_errors();
}

/// Returns the number of values that cover a piece of the board, or a number on it.
const COVERED: &str = "(() => {
    const boxes = (css) => [...document.querySelectorAll(css)].map((one) => one.getBBox());
    const meets = (a, b) => a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1;
    const pieces = boxes('.piece.unowned .stick, .piece.unowned .head, .piece.unowned.text text, .piece .pip');
    const tight = pieces.map(({ x, y, width, height }) => document.querySelector('.piece.text') ? { x, y: y + 0.2 * height, width, height: 0.56 * height } : { x, y, width, height });
    return boxes('.hint .rail').filter((pill) => tight.some((piece) => meets(pill, piece))).length;
})()";

#[tokio::test]
async fn hints_cover_nothing_and_a_heap_shows_what_is_taken() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    for (game, count) in [("dice", 4), ("marienbad", 24), ("matches", 3)] {
        browser.open(&format!("/play?game={game}&second=human&analyse=1")).await;
        browser.until(&format!("document.querySelectorAll('.hint').length === {count}")).await;
        assert_eq!(browser.eval(COVERED).await, 0, "{game}");
    }
    browser.open("/play?game=marienbad&second=human").await;
    wait_for_status(&browser, "your move").await;
    let fourth = ".spot[data-x='2'][data-y='3']";
    browser
        .eval(&format!("document.querySelector(\"{fourth}\").dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}))"))
        .await;
    assert_eq!(browser.eval("document.querySelectorAll('.spot.taken').length").await, 9);
    let label = format!("document.querySelector(\"{fourth}\").getAttribute('aria-label')");
    assert!(browser.text(&label).await.ends_with("takes 9"));
    touch(&browser, 2, 3).await;
    played(&browser, "3:9").await;
    // A man of draughts, a hundredth of a win, is worth more than half of the expected score.
    let scores = "import('/js/play/evaluations.js').then(({ withExpectedScores: of }) => {
        const value = (player, line) => of({ lines: [line] }, player, 0.015).lines[0].value.toFixed(2);
        window.scores = [value('deepening', { value: 0.01, visits: 0, proven: null }), value('mcts', { value: 0.01, visits: 9, proven: null }), value('deepening(eval=patterns)', { value: 0.3, visits: 0, proven: null })];
    })";
    browser.eval(&format!("({scores}, true)")).await;
    browser.until("window.scores").await;
    assert_eq!(browser.eval("window.scores").await, json!(["0.55", "0.01", "0.30"]));
    // A number that is rounded to zero has no sign.
    let rounded = "import('/js/play/thinking.js').then((module) => { window.rounded = module.written(-0.001, false); })";
    browser.eval(&format!("({rounded}, true)")).await;
    browser.until("window.rounded === '0.00'").await;
    browser.assert_no_errors();
}

/// Whether a player thinks that can be told to move.
const CAN_BE_HURRIED: &str = "!document.querySelector('#stop').disabled";

/// Clicks the first and the third cell of the board in one task of the page.
const TWO_CLICKS: &str = "([0, 2].forEach((i) => {
    const spot = document.querySelectorAll('.board .spot')[i];
    const box = spot.getBoundingClientRect();
    const at = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    ['pointerdown', 'pointerup'].forEach((name) => spot.dispatchEvent(new PointerEvent(name, at)));
}), true)";

#[tokio::test]
async fn a_hint_leaves_the_opponent_alone_and_settings_survive_a_reload() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=connect4&second=mcts&second-budget=3s").await;
    wait_for_status(&browser, "your move").await;
    touch(&browser, 3, 5).await;
    wait_for_status(&browser, "mcts.* to move").await;
    browser.click("#hint").await;
    // The hint stays while the opponent thinks, which can still be told to move.
    browser.until("/^expert: /.test(document.querySelector('#thinking-title').textContent)").await;
    assert_eq!(browser.eval(CAN_BE_HURRIED).await, true);
    browser.until("document.querySelectorAll('#moves > li').length === 2").await;
    // After a click the arrow keys step through the game.
    wait_for_status(&browser, "your move").await;
    browser.act(press(Key::Left)).await;
    wait_for_status(&browser, "move 1 of 2").await;
    // A move cannot be typed for the opponent.
    browser.open("/play?game=connect4&second=minimax(depth=20)&moves=4").await;
    wait_for_status(&browser, "to move").await;
    browser.fill("#typed", "4").await;
    browser.act(press(Key::Enter)).await;
    browser
        .until(
            "/it is the turn of Yellow/.test(document.querySelector('.stage > .error').textContent)",
        )
        .await;
    played(&browser, "4").await;
    // The refusal has not stopped the opponent.
    assert_eq!(browser.eval(CAN_BE_HURRIED).await, true);
    // A second click before the first move is shown is no variation.
    browser.open("/play?game=tictactoe&second=human").await;
    wait_for_status(&browser, "your move").await;
    browser.eval(TWO_CLICKS).await;
    played(&browser, "a3").await;
    wait_for_status(&browser, "Noughts: your move").await;
    assert_eq!(browser.eval("document.querySelector('.variation')").await, Value::Null);
    // The search tree of a link is searched.
    browser.open("/play?game=tictactoe&second=human&tab=tree").await;
    browser.until("document.querySelectorAll('#tree li').length > 1").await;
    // The analyst, its switch and the number of lines are part of the address.
    browser.open("/play?game=connect4&second=human&moves=4%204").await;
    wait_for_status(&browser, "your move").await;
    browser.choose("#analyst", "level:beginner").await;
    browser.choose("#line-count", "2").await;
    browser.click("#analyse").await;
    browser.until("document.querySelectorAll('#lines li').length === 2").await;
    browser.until("new URLSearchParams(location.search).get('analyse') === '1'").await;
    browser.reload().await;
    browser.until("document.querySelectorAll('#lines li').length === 2").await;
    let kept =
        "[document.querySelector('#analyst').value, document.querySelector('#analyse').checked]";
    assert_eq!(browser.eval(kept).await, json!(["level:beginner", true]));
    browser.assert_no_errors();
}

#[tokio::test]
async fn perfect_is_offered_only_where_a_player_is_proven() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    let offered = "[document.querySelector('#second option[value=\"level:perfect\"]') !== null, document.querySelector('#no-perfect') !== null]";
    for (game, is_perfect) in [
        ("connect4", true),
        ("connect4(8, 7)", false),
        ("othello", false),
        ("othello(4)", true),
        ("checkers(english)", false),
    ] {
        browser.open(&format!("/play?game={game}")).await;
        browser.until("document.querySelector('#second option')").await;
        assert_eq!(browser.eval(offered).await, json!([is_perfect, !is_perfect]), "{game}");
    }
    // The level is that of its player, which keeps three stones from becoming four.
    browser.open("/play?game=connect4&moves=1%204%201%203%201&second=expert(ms=10000)").await;
    browser.until("document.querySelector('#second')?.value === 'level:perfect'").await;
    played(&browser, "1 4 1 3 1 1").await;
    browser.assert_no_errors();
}

#[tokio::test]
async fn a_won_game_says_so_is_analysed_and_played_again() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=connect4&moves=4%204%203%203%202%202").await;
    wait_for_status(&browser, "your move").await;
    touch(&browser, 0, 5).await;
    wait_for_status(&browser, "^You won after 7 moves$").await;
    assert_eq!(browser.text("document.querySelector('#status').dataset.result").await, "won");
    assert_eq!(browser.eval("document.querySelectorAll('.winning circle').length").await, 4);
    // Yellow's second move let Red have three in a row with both ends free.
    browser.click("#review").await;
    browser
        .until("/Yellow: 1 blunder/.test(document.querySelector('#review-result').textContent)")
        .await;
    let signs = "[...document.querySelectorAll('#moves .sign')].map((one) => one.parentElement.dataset.ply + one.textContent)";
    // The book knows that Red's first move alone wins, and that the second gave the win away.
    assert_eq!(browser.eval(signs).await, json!(["1!", "3??", "4??"]));
    // The game is kept in Runs, and is replayed there.
    browser.until("document.querySelector('#kept:not([hidden])')").await;
    assert_eq!(
        browser.text("document.querySelector('#kept').getAttribute('href')").await,
        "/runs?run=1&game=0"
    );
    let listed = browser.get("/api/runs").await["runs"][0].clone();
    assert_eq!(listed["result"], "You won after 7 moves");
    assert_eq!(listed["subject_title"], "Connect Four");
    assert_eq!(listed["players"], json!(["human", "mcts"]));
    browser.get("/api/runs/1/games").await;
    let kept = browser.get("/api/runs/1/games/0").await;
    assert_eq!(
        (&kept["ended"], kept["moves"].as_array().unwrap().len()),
        (&json!("first wins"), 7)
    );
    // A click on the graph shows the position there.
    let box_of = "document.querySelector('#graph').getBoundingClientRect().toJSON()";
    browser.eval("document.querySelector('#graph').scrollIntoView({ block: 'center' })").await;
    let place = browser.eval(box_of).await;
    let of = |name: &str| place[name].as_f64().unwrap();
    let hand = MouseActions::new("hand".to_owned())
        .then(PointerAction::MoveTo {
            duration: None,
            x: of("x") + of("width") * 4.0 / 7.0,
            y: of("y") + 20.0,
        })
        .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
        .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
    browser.act(hand).await;
    browser.until("document.querySelector('#moves [aria-current]').dataset.ply === '4'").await;
    browser.until("/blunder/.test(document.querySelector('#judgement').textContent)").await;
    browser.click("#to-end").await;
    browser.click("#swap").await;
    wait_for_status(&browser, "to move|your move").await;
    let seats = "[document.querySelector('#first').value, document.querySelector('#second').value]";
    assert_eq!(browser.eval(seats).await, json!(["level:club", "human"]));
    browser.assert_no_errors();
}

#[tokio::test]
async fn variations_are_kept_promoted_commented_deleted_and_shared() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=tictactoe&second=human&moves=b2%20a1%20c1").await;
    wait_for_status(&browser, "your move").await;
    browser.click("#back").await;
    browser.click("#back").await;
    wait_for_status(&browser, "move 1 of 3").await;
    touch(&browser, 1, 0).await;
    played(&browser, "b2 a1 c1").await;
    let variation = "[...document.querySelectorAll('.variation .move')].map((one) => one.dataset.move).join(' ')";
    browser.until(&format!("{variation} === 'b3'")).await;
    browser.fill("#comment", "a mistake").await;
    browser.act(press(Key::Tab)).await;
    browser
        .until("new URLSearchParams(location.search).get('tree') === 'b2 a1 (b3 {a mistake}) c1'")
        .await;
    browser.reload().await;
    browser.until(&format!("{variation} === 'b3'")).await;
    assert_eq!(browser.read(".variation .comment").await, "a mistake");
    browser.click("#promote").await;
    played(&browser, "b2 b3").await;
    browser.click("#delete").await;
    played(&browser, "b2 a1 c1").await;
    browser.until(&format!("{variation} === ''")).await;
    browser.assert_no_errors();
}

/// Puts up heaps, pits and figures, and a position that is impossible.
async fn edit_numbers_and_figures(browser: &Chromium) {
    let state_is = async |state: &str| {
        browser
            .until(&format!("new URLSearchParams(location.search).get('state') === {state:?}"))
            .await;
    };
    browser.open("/play?game=marienbad&second=human&tab=position").await;
    browser.click("#edit").await;
    // A click on an object that is not the last one of its row fills the row up to it.
    touch(browser, 1, 2).await;
    touch(browser, 2, 11).await;
    browser.until("document.querySelectorAll('.board .piece').length === 18").await;
    browser.click("#edit-done").await;
    state_is("4,3,11 first").await;
    browser.open("/play?game=kalah&second=human&tab=position").await;
    browser.click("#edit").await;
    touch(browser, 1, 1).await;
    browser.until("/There are 49/.test(document.querySelector('#edit-help').textContent)").await;
    browser.click("#edit-done").await;
    let error = "document.querySelector('.editor-tools .error').textContent";
    browser.until(&format!("{error} === '49 seeds; there must be 48'")).await;
    // The console reports the refusal.
    assert_eq!(browser.console_errors().len(), 1);
    browser.click("[aria-label='Take a seed']").await;
    touch(browser, 2, 1).await;
    browser.click("#edit-done").await;
    state_is("5,3,4,4,4,4+0/4,4,4,4,4,4+0 first").await;
    // A figure is on the board or beside it; the side to move follows.
    browser.open("/play?game=quarto&second=human&tab=position").await;
    browser.click("#edit").await;
    browser.until("document.querySelectorAll('.piece-choice').length === 17").await;
    assert_eq!(browser.eval("document.querySelector('#edit-turn').hidden").await, true);
    touch(browser, 0, 0).await;
    browser.until("document.querySelectorAll('.board .piece').length === 16").await;
    browser.click("#edit-done").await;
    browser.until("/^[0-9a-f]\\.\\.\\.\\/.* - second$/.test(new URLSearchParams(location.search).get('state'))").await;
    // On a phone the button is far below the board, which comes into sight.
    browser.resize(390);
    browser.open("/play?game=morris&second=human&tab=position").await;
    browser.click("#edit").await;
    browser.until("(({ top, bottom }) => top > -1 && bottom <= innerHeight)(document.querySelector('.board').getBoundingClientRect())").await;
    browser.resize(1366);
    // Positions of dice are written.
    browser.open("/play?game=dice&second=human&tab=position").await;
    browser.click("#edit").await;
    browser.until("!document.querySelector('#edit-note').hidden").await;
}

#[tokio::test]
async fn positions_are_edited_pasted_flipped_and_saved() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    // A record of draughts, pasted.
    browser.open("/play?game=checkers(english)&second=human&tab=position").await;
    wait_for_status(&browser, "Black: your move").await;
    browser.fill("#paste", "1. 11-15 23-19 2. 8-11 *").await;
    browser.click("#load").await;
    played(&browser, "11-15 23-19 8-11").await;
    assert_eq!(browser.read("h1").await, "English draughts");
    // The board seen from the other side.
    browser.open("/play?game=checkers(english)&second=human&tab=position").await;
    let first =
        "document.querySelector('.spot[data-x=\"0\"][data-y=\"0\"]').getBoundingClientRect().x";
    let before = browser.eval(first).await.as_f64().unwrap();
    browser.click("#flip").await;
    browser.until(&format!("{first} > {before} + 100")).await;
    // An empty board with one king each.
    browser.click("#edit").await;
    browser.click("#edit-clear").await;
    browser.until("document.querySelectorAll('.board .piece').length === 0").await;
    browser.click("[aria-label='Black king']").await;
    square(&browser, 1).await;
    browser.click("[aria-label='White king']").await;
    square(&browser, 32).await;
    browser.click("#edit-done").await;
    browser.until("new URLSearchParams(location.search).get('state') === 'B:WK32:BK1'").await;
    browser.until("document.querySelectorAll('.crown').length === 4").await;
    edit_numbers_and_figures(&browser).await;
    // Pictures are drawn with the colours of the page.
    let files = "import('/js/play/picture_files.js').then(async ({ svgText, pngOf, animationText }) => {
        const scene = (await (await fetch('/api/position', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ game: 'connect4', moves: '4 4 3 3 2 2 1' }) })).json()).scene;
        const home = document.querySelector('.board'); const svg = svgText(scene, false, home); const png = await pngOf(svg);
        window.files = [/<circle[^>]*fill=\"none\"/.test(svg), png.type, png.size > 1000, animationText([scene, scene], false, home).split('<animate').length - 1];
    })";
    browser.eval(&format!("({files}, true)")).await;
    browser.until("window.files").await;
    assert_eq!(browser.eval("window.files").await, json!([true, "image/png", true, 2]));
    browser.assert_no_errors();
}

#[tokio::test]
async fn board_thinking_and_moves_are_on_one_screen() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    let order = json!({
        "kind": "match", "game": "tictactoe", "players": ["montecarlo(sims=20)", "random"], "pairs": 10,
    });
    browser.open("/").await;
    browser.post("/api/runs", &order).await;
    let bottoms = "['.board', '#evaluation', '#lines', '#moves', '#status', '#to-end'].map((css) => Math.round(document.querySelector(css).getBoundingClientRect().bottom))";
    for game in ["connect4", "checkers(english)", "othello", "go"] {
        browser.resize_to(1366, 768);
        browser.open(&format!("/play?game={game}&second=human&analyse=1")).await;
        browser.until("document.querySelectorAll('#lines li').length > 0").await;
        let found = browser.eval(bottoms).await;
        assert!(
            found.as_array().unwrap().iter().all(|bottom| bottom.as_i64() <= Some(768)),
            "{game}: {found}"
        );
    }
    // On a phone the analysis and the moves follow the board directly.
    browser.resize_to(390, 844);
    browser.open("/play?game=connect4&second=human&analyse=1").await;
    browser.until("document.querySelectorAll('#lines li').length > 0").await;
    let found = browser.eval(bottoms).await;
    let distance = found[2].as_i64().unwrap() - found[0].as_i64().unwrap();
    assert!(distance < 330, "{found}");
    // The explorer counts the games of the store and the solver proves the moves.
    browser.open("/play?game=tictactoe&second=human&tab=explorer").await;
    browser.until("/^20 games of the store · solved/.test(document.querySelector('#explorer-note').textContent)").await;
    browser.until("document.querySelectorAll('#explorer td.draw').length === 9").await;
    let counted = "[...document.querySelectorAll('#explorer tbody tr')].reduce((sum, row) => sum + Number(row.cells[1].textContent), 0)";
    assert_eq!(browser.eval(counted).await, 20);
    // A replay begins with the start of the game and has the values of its players.
    browser.open("/runs?run=1&game=0").await;
    browser.until("document.querySelector('#back')?.disabled").await;
    browser
        .until("document.querySelector('.graph-line').getAttribute('d').split('L').length > 3")
        .await;
    browser.assert_no_errors();
}

/// Returns the roles and names of what a screen reader reads on the page, in order.
fn read_in_order(browser: &Chromium) -> Vec<String> {
    let tree = browser.devtools("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap();
    let text =
        |node: &Value, part: &str| node[part]["value"].as_str().unwrap_or_default().to_owned();
    let (mut read, mut open) = (Vec::new(), vec![nodes[0]["nodeId"].clone()]);
    while let Some(id) = open.pop() {
        let Some(node) = nodes.iter().find(|node| node["nodeId"] == id) else { continue };
        if node["ignored"] == false {
            read.push(format!("{} {}", text(node, "role"), text(node, "name")));
        }
        open.extend(node["childIds"].as_array().into_iter().flatten().rev().cloned());
    }
    read
}

#[tokio::test]
async fn a_game_is_played_by_keyboard_alone_and_the_page_is_read_in_order() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/play?game=tictactoe&second=human").await;
    wait_for_status(&browser, "Crosses: your move").await;
    // Tab leads to the board; Enter marks a cell, arrows go to the next one.
    let mut tabs = 0;
    while browser.eval("document.activeElement.matches('.spot')").await != true {
        browser.act(press(Key::Tab)).await;
        tabs += 1;
        assert!(tabs < 30, "the board is reached");
    }
    browser.act(press(Key::Enter)).await;
    played(&browser, "a3").await;
    browser.act(press(Key::Right)).await;
    browser.act(press(Key::Enter)).await;
    played(&browser, "a3 b3").await;
    browser.act(press(Key::Tab)).await;
    browser.eval("document.activeElement.blur()").await;
    browser.act(press(Key::Left)).await;
    wait_for_status(&browser, "move 1 of 2").await;
    // A letter asks for a hint, and space plays the best move of it as a variation.
    browser.act(press('h')).await;
    browser.until("document.querySelector('.hint.best')").await;
    browser.until("/: b2$/.test(document.querySelector('#thinking-title').textContent)").await;
    browser.act(press(' ')).await;
    browser.until("document.querySelector('.variation [data-move=b2]')").await;
    let order = [
        "heading Tic-tac-toe",
        "group Tic-tac-toe, ",
        "combobox Crosses",
        "combobox Noughts",
        "button To the start",
        "region Analysis",
        "region Moves",
        "region Evaluation",
        "region More",
    ];
    let read = read_in_order(&browser);
    let mut at = 0;
    for wanted in order {
        let found = read[at..].iter().position(|line| line.starts_with(wanted));
        at += found.unwrap_or_else(|| panic!("{wanted} is not read in order: {read:?}"));
    }
    browser.assert_no_errors();
}
