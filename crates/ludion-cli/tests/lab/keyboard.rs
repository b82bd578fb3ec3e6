//! A journey by the keyboard alone, and pages as a screen reader reads them, in order.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::key::Key;

use crate::chromium::Chromium;
use crate::dashboard::reading_order;
use crate::journeys::press;
use crate::laboratory::Laboratory;

/// The text or name of the focused element.
const FOCUSED: &str = "(() => { const one = document.activeElement; return one.getAttribute('aria-label') ?? (one.labels?.[0]?.textContent || one.textContent).trim(); })()";

/// Presses Tab until the focus is on the element with this text or name.
async fn tab_to(browser: &Chromium, name: &str) {
    for _ in 0..200 {
        browser.act(press(Key::Tab)).await;
        if browser.text(FOCUSED).await.starts_with(name) {
            let ring = browser.eval("document.activeElement.matches(':focus-visible')").await;
            assert_eq!(ring, true, "the focus on {name} is visible");
            return;
        }
    }
    panic!("Tab does not reach {name}");
}

#[tokio::test]
async fn a_match_is_set_up_watched_and_found_again_by_the_keyboard_alone() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/").await;
    // The first stop skips the navigation.
    browser.act(press(Key::Tab)).await;
    assert_eq!(browser.text(FOCUSED).await, "Skip to the page");
    tab_to(&browser, "Compare players").await;
    browser.act(press(Key::Enter)).await;
    browser.until("document.querySelector('#start')").await;
    tab_to(&browser, "pairs").await;
    // A field that Tab reaches is selected, so that what is typed replaces it.
    let key = KeyActions::new("keys".to_owned());
    browser.act(key.then(KeyAction::Down { value: '5' }).then(KeyAction::Up { value: '5' })).await;
    assert_eq!(browser.text("document.querySelector('#pairs').value").await, "5");
    tab_to(&browser, "Start").await;
    browser.act(press(Key::Enter)).await;
    browser.until("document.querySelector('#phase [data-phase=finished]')").await;
    tab_to(&browser, "Runs").await;
    browser.act(press(Key::Enter)).await;
    browser
        .until("location.pathname === '/runs' && document.querySelector('.runs tr[data-run]')")
        .await;
    tab_to(&browser, "1").await;
    browser.act(press(Key::Enter)).await;
    browser.until("location.search === '?run=1' && document.querySelector('.chart-frame')").await;
    tab_to(&browser, "connect4: ").await;
    browser.until("document.querySelector('.chart-values:not([hidden])')").await;
    tab_to(&browser, "tags").await;
    browser.assert_no_errors();
}

/// Checks that parts are read in this order: each is a role and the beginning of a name.
fn assert_order(order: &[(String, String)], parts: &[(&str, &str)]) {
    let mut at = 0;
    for (role, name) in parts {
        let found = order[at..].iter().position(|(r, n)| r == role && n.starts_with(name));
        at += 1 + found.unwrap_or_else(|| panic!("no {role} {name:?} after {at}: {order:?}"));
    }
}

#[tokio::test]
async fn pages_are_read_in_a_sensible_order() {
    let lab = Laboratory::open();
    let browser = Chromium::start(&lab.origin).await;
    browser.open("/").await;
    let home = [
        ("link", "Skip to the page"),
        ("navigation", "Pages"),
        ("link", "Play"),
        ("main", ""),
        ("heading", "A laboratory for players of games"),
        ("navigation", "Where to begin"),
        ("link", "Play Connect Four"),
        ("region", "Two players at Connect Four"),
        ("heading", "Games"),
        ("link", "Play "),
        ("heading", "Bring your own game or bot"),
        ("contentinfo", ""),
    ];
    assert_order(&reading_order(&browser), &home);
    browser.open("/learning").await;
    let learning = [
        ("heading", "Learning"),
        ("region", "Teach a program"),
        ("tab", "From nothing"),
        ("combobox", "game"),
        ("button", "Learn"),
        ("region", "Curves"),
    ];
    assert_order(&reading_order(&browser), &learning);
    browser.open("/runs").await;
    let runs = [
        ("heading", "Runs"),
        ("search", ""),
        ("searchbox", "search"),
        ("button", "Compare"),
        ("table", ""),
    ];
    assert_order(&reading_order(&browser), &runs);
}
