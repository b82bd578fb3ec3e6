//! Nine Men's Morris: which states are possible.

use ludion::registry;

#[test]
fn states_that_no_game_has_are_refused() {
    let game = registry::standard().game("morris").unwrap();
    for (text, problem) in [
        (".../.../.../....../.../.../... 0-0 first", "first has 0 men; at least 2 must be left"),
        ("xxo/.../.../....../.../.../.o. 0-0 first", "second has 2 men; at least 3 must be left"),
        ("xxo/.../.../....../.../.../oo. 0-0 second", "first has 2 men; at least 3 must be left"),
        ("xxx/.../.../....../.../.../oo. 0-0 first takes", "second has 2 men"),
        (".../.../.../....../.../.../... 8-9 first", "8 and 9 men to place are impossible"),
        ("x../.../.../....../.../.../... 9-8 first", "9 and 8 men to place are impossible"),
        (
            ".../.../.../....../.../.../... 4-4 first",
            "5 men that second has placed close at most 3",
        ),
        (
            "x../.../.../....../.../.../... 7-7 first",
            "2 men that second has placed close at most 0",
        ),
        ("xxx/.../.../....../.../.../... 6-7 first takes", "at most 1 mills"),
        ("xxx/xxx/xxx/x...../.../.../ooo 0-0 first", "first has 10 men"),
        ("xx./x../.../....../.../.../oo. 6-7 first takes", "takes a man without a mill"),
    ] {
        let error = game.read(text).map(|s| s.show()).unwrap_err().to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

/// Each side takes a man of the other's mill, which it closes again, until the first has two men.
#[test]
fn a_side_may_have_two_men_when_all_are_placed() {
    let game = registry::standard().game("morris").unwrap();
    let mut position = game.start();
    let opening = ["a7", "a1", "d7", "d1", "d5", "g1", "xd5"];
    let round = ["g7", "xg1", "g1", "xg7"];
    for m in opening.into_iter().chain(round.into_iter().cycle().take(24)) {
        position.play(m).unwrap();
        let copy = game.read(&position.show()).unwrap();
        assert!(copy.is_equal(&*position), "{}", position.show());
    }
    assert_eq!(position.show(), "xx./.../.../....../.../.../ooo 0-0 first");
    assert!(position.moves().is_empty());
}
