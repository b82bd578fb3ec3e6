//! Selective search: it proves nothing, repeats its choices, plays small games well and needs fewer
//! nodes for a depth than the exact search.

use std::sync::Arc;

use ludion::assets::Assets;
use ludion::game::{Game, Status};
use ludion::games::checkers::Checkers;
use ludion::games::checkers::king_endgame::{KingTable, KingTableValue, build_king_table};
use ludion::outcome::Wdl;
use ludion::player::{Budget, NoObserver};
use ludion::registry::{self, AnyGame};

fn choice(
    game: &dyn AnyGame,
    player: &str,
    moves: &[&str],
    budget: &str,
) -> ludion::player::Choice<String> {
    let mut position = game.start();
    moves.iter().for_each(|m| position.play(m).unwrap());
    let mut player = game.player(player).unwrap();
    player.begin(1);
    let budget: Budget = budget.parse().unwrap();
    player.choose(&*position, budget, &NoObserver).unwrap()
}

#[test]
fn a_won_position_is_played_right_but_not_proven() {
    let game = registry::standard().game("checkers(english)").unwrap();
    // Two men against one, which is blocked after the right move.
    let mut position = game.read("W:W9,K15:B5").unwrap();
    let mut seats =
        ["deepening(selective)", "deepening(exact)"].map(|name| game.player(name).unwrap());
    let mut found = seats
        .iter_mut()
        .map(|player| player.choose(&*position, "8plies".parse().unwrap(), &NoObserver).unwrap());
    let (selective, exact) = (found.next().unwrap(), found.next().unwrap());
    let proofs = |choice: &ludion::player::Choice<String>| {
        choice.lines.iter().filter(|line| line.proven.is_some()).count()
    };
    assert_eq!(proofs(&selective), 0, "{selective:?}");
    assert!(proofs(&exact) > 0, "{exact:?}");
    position.play(&selective.best).unwrap();
}

#[test]
fn choices_repeat_with_a_budget_in_nodes() {
    for rules in ["english", "international", "russian"] {
        let game = registry::standard().game(&format!("checkers({rules})")).unwrap();
        let choose = || choice(&*game, "deepening(selective)", &[], "20000nodes");
        let (once, again) = (choose(), choose());
        assert_eq!((&once.best, once.depth, once.nodes), (&again.best, again.depth, again.nodes));
    }
}

#[test]
fn the_same_depth_takes_fewer_nodes_than_the_exact_search() {
    let game = registry::standard().game("checkers(international)").unwrap();
    let nodes = |player: &str| choice(&*game, player, &["32-28", "19-23"], "9plies").nodes;
    let (selective, exact) = (nodes("deepening(selective)"), nodes("deepening(exact)"));
    assert!(2 * selective < exact, "{selective} {exact}");
}

#[test]
fn small_games_are_played_without_a_mistake() {
    let game = registry::standard().game("hexapawn(4, 4)").unwrap();
    let mut position = game.start();
    let mut player = game.player("deepening(selective, eval=none)").unwrap();
    while position.status().turn().is_some() {
        let solved = position.solve(Default::default(), &NoObserver).unwrap();
        let choice = player.choose(&*position, "60plies".parse().unwrap(), &NoObserver).unwrap();
        let line = solved.lines.iter().find(|line| line.play == choice.best).unwrap();
        assert_eq!(line.proven.unwrap().verdict, solved.value.verdict, "{}", position.show());
        position.play(&choice.best).unwrap();
    }
}

#[test]
fn draughts_with_kings_is_searched_selectively_unless_told_otherwise() {
    let nodes = |spec: &str, player: &str| {
        choice(&*registry::standard().game(spec).unwrap(), player, &[], "7plies").nodes
    };
    for (spec, usual) in
        [("checkers(english)", "selective"), ("checkers", "exact"), ("morpion", "exact")]
    {
        let found =
            ["", "selective", "exact"].map(|word| nodes(spec, &format!("deepening({word})")));
        assert_ne!(found[1], found[2], "{spec}");
        assert_eq!(found[0], if usual == "selective" { found[1] } else { found[2] }, "{spec}");
    }
}

#[test]
fn the_strong_player_of_draughts_needs_a_model_of_its_variant() {
    let registry = registry::standard();
    let entry = registry.entry("checkers").unwrap();
    let patterns = "deepening(secs=0.5, eval=patterns)";
    for (spec, strong) in [
        ("checkers", "deepening(secs=0.5)"),
        ("checkers(english)", patterns),
        ("checkers(russian, repetition)", patterns),
        ("checkers(italian)", "deepening(secs=0.5)"),
        ("checkers(english, 6)", "deepening(secs=0.5)"),
    ] {
        let game = registry.game(spec).unwrap();
        assert_eq!(entry.default_player(game.spec()), strong, "{spec}");
        game.player(strong).unwrap();
        let level = entry.levels(game.spec()).into_iter().find(|level| level.name == "strong");
        assert_eq!(level.unwrap().spec, strong, "{spec}");
    }
}

#[test]
fn with_an_endgame_table_even_the_shortest_search_wins_in_as_few_moves_as_possible() {
    let g = Checkers::named("checkers(russian)").unwrap();
    let bytes = build_king_table(&g, 3, |_, _| true).unwrap();
    let table = KingTable::read(&g, Arc::new(bytes.clone())).unwrap();
    let assets = Assets::new(move |_| Ok(Arc::new(bytes.clone())));
    let game = registry::standard().with_assets(assets).game("checkers(russian)").unwrap();
    let mut choices = 0;
    for (a, b, c) in (1..=32).flat_map(|a| (1..=32).map(move |b| (a, b, (7 * a + 3 * b) % 32 + 1)))
    {
        let Ok(position) = game.read(&format!("W:WK{a},{b}:BK{c}")) else { continue };
        let Ok(s) = g.read_state(&position.show()) else { continue };
        let Some(KingTableValue::Win { moves }) = table.value(&g, &s) else { continue };
        let mut player = game.player("deepening(eval=endgames(t, material))").unwrap();
        let choice = player.choose(&*position, "1nodes".parse().unwrap(), &NoObserver).unwrap();
        let after = g.after(&s, g.read_move(&s, &choice.best).unwrap());
        let left = match g.status(&after) {
            Status::Over(end) => (end.seen_by(s.turn) == Wdl::Win).then_some(0),
            Status::Turn(_) => match table.value(&g, &after) {
                Some(KingTableValue::Loss { moves }) => Some(moves),
                _ => None,
            },
        };
        assert_eq!(left, Some(moves - 1), "{} {}", position.show(), choice.best);
        choices += 1;
    }
    assert!(choices > 100, "{choices} positions");
}
