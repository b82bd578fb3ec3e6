//! Players with an evaluator: the results of *Ultimate* in Corsini's exercise sheet, and a check
//! that evaluators improve play.

use ludion::game::{Side, Status};
use ludion::outcome::{AnyOutcome, Duel};
use ludion::player::{Budget, NoObserver};
use ludion::random::Rng;
use ludion::registry::{self, AnyGame, AnyPlayer};
use ludion::search::solve::SolveLimits;

/// Plays a game from the start; returns the outcome and the number of plies.
fn play(game: &dyn AnyGame, players: [&mut dyn AnyPlayer; 2]) -> (AnyOutcome, u32) {
    let mut position = game.start();
    let mut plies = 0;
    let [first, second] = players;
    loop {
        let mover = match position.status() {
            Status::Over(end) => return (end, plies),
            Status::Turn(Side::First) => &mut *first,
            Status::Turn(Side::Second) => &mut *second,
        };
        let choice = mover.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
        position.play(&choice.best).unwrap();
        plies += 1;
    }
}

/// Returns the lengths in plies of the games that `a` wins against `b`, four as each side.
fn wins(game: &str, a: &str, b: &str) -> [Vec<u32>; 2] {
    let game = registry::standard().game(game).unwrap();
    let (mut a, mut b) = (game.player(a).unwrap(), game.player(b).unwrap());
    Side::BOTH.map(|seat| {
        (0..4)
            .filter_map(|_| {
                let players: [&mut dyn AnyPlayer; 2] = match seat {
                    Side::First => [&mut *a, &mut *b],
                    Side::Second => [&mut *b, &mut *a],
                };
                let (end, plies) = play(&*game, players);
                (end == AnyOutcome::Duel(Duel::Won(seat))).then_some(plies)
            })
            .collect()
    })
}

#[test]
fn ultimate_beats_memory_as_in_the_exercise_sheet() {
    for sheet in ["", ", sheet"] {
        let (ultimate, memory) =
            (format!("ultimate(depth=1{sheet})"), format!("memory(depth=1{sheet})"));
        assert_eq!(wins("matches(13)", &ultimate, &memory), [vec![7; 4], vec![8; 4]]);
        assert_eq!(wins("matches(13, misere)", &ultimate, &memory), [vec![8; 4], vec![7; 4]]);
        assert_eq!(wins("divide(13, 17)", &ultimate, &memory), [vec![], vec![16; 4]]);
    }
}

/// Counts the random positions, of `samples`, in which a player's move keeps the value of perfect
/// play.
fn count_kept_values(game: &str, player: &str, samples: usize) -> usize {
    let game = registry::standard().game(game).unwrap();
    let mut player = game.player(player).unwrap();
    let mut rng = Rng::new(11);
    let mut kept = 0;
    for _ in 0..samples {
        let mut position = game.start();
        for _ in 0..rng.below(9) {
            let moves = position.moves();
            let mut next = position.copy();
            next.play(&moves[rng.below(moves.len())]).unwrap();
            if matches!(next.status(), Status::Over(_)) {
                break;
            }
            position = next;
        }
        let effort = SolveLimits { walk: 1000, megabytes: 16, ..SolveLimits::default() };
        let solved = position.solve(effort, &NoObserver).unwrap();
        let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
        let line = solved.lines.iter().find(|line| line.play == choice.best).unwrap();
        kept += usize::from(line.proven.unwrap().verdict == solved.value.verdict);
    }
    kept
}

#[test]
fn an_evaluator_improves_play_at_the_same_depth() {
    for game in ["matches(40, misere)", "hexapawn(4, 5)", "morpion(3)"] {
        let [own, none] = ["own", "none"]
            .map(|e| count_kept_values(game, &format!("alphabeta(2, eval={e})"), 100));
        assert!(own > none, "{game}: {own} against {none} of 100");
    }
}

#[test]
fn an_unknown_evaluator_is_an_error_that_lists_the_known_ones() {
    let registry = registry::standard();
    let message = |game: &str, player: &str| {
        registry.game(game).unwrap().player(player).err().unwrap().to_string()
    };
    assert_eq!(
        message("hexapawn", "alphabeta(eval=lines)"),
        "alphabeta: eval = lines is not allowed; eval is none, own, playouts(sims), net(model), \
         mlp(model), patterns(model), pawns"
    );
    assert_eq!(
        message("tictactoe", "deepening(eval=lines)"),
        "deepening: eval = lines is not allowed; eval is none, own, playouts(sims), net(model), \
         mlp(model), patterns(model)"
    );
}

#[test]
fn the_playout_evaluator_works_in_any_duel_and_takes_parameters() {
    let game = registry::standard().game("tictactoe").unwrap();
    for spec in [
        "alphabeta(2, eval=playouts)",
        "memory(2, eval=playouts(sims=30))",
        "deepening(3, eval=playouts(5, seed=2))",
    ] {
        let choose = || {
            let budget = Budget { depth: Some(2), ..Budget::UNLIMITED };
            game.player(spec).unwrap().choose(&*game.start(), budget, &NoObserver).unwrap()
        };
        let (first, again) = (choose(), choose());
        assert_eq!((&first.best, &first.lines), (&again.best, &again.lines), "{spec}");
    }
    let error = game.player("alphabeta(eval=playouts(sims=0))").err().unwrap().to_string();
    assert_eq!(error, "playouts: sims = 0 is not allowed; sims is 1 to 1000000");
}
