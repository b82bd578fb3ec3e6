//! Proven results are correct.

use ludion::game::{Game, Status};
use ludion::games::connect4::Connect4;
use ludion::games::hexapawn::Hexapawn;
use ludion::games::matches::Matches;
use ludion::games::tictactoe::TicTacToe;
use ludion::named::NamedGame;
use ludion::outcome::{Duel, Wdl};
use ludion::param::{Args, Spec};
use ludion::player::{NoObserver, Player};
use ludion::players::mcts::{MctsOptions, MctsPlayer, SelectionFormula};
use ludion::random::Rng;
use ludion::registry;

use super::*;

/// Checks that every proof found in random games is the exact value; returns the number of proofs.
fn check_proofs<G: Game<Outcome = Duel>>(g: &G, options: MctsOptions, budget: u64) -> usize {
    let mut player = MctsPlayer::new(options, None);
    let mut rng = Rng::new(5);
    let mut proofs = 0;
    for seed in 0..6 {
        player.begin(seed);
        let mut s = g.start();
        while let Status::Turn(side) = g.status(&s) {
            let choice = choose(&mut player, g, &s, budget);
            for line in &choice.lines {
                if let Some(proof) = line.proven {
                    let value = exact(g, &after(g, &s, line.play), side);
                    assert_eq!(proof.verdict, value, "{:?} in {}", line.play, g.show_state(&s));
                    proofs += 1;
                }
            }
            let wins = |m| exact(g, &after(g, &s, m), side) == Wdl::Win;
            if choice.lines.iter().any(|line| line.proven.is_some() && wins(line.play)) {
                assert!(wins(choice.best), "a proven win is played in {}", g.show_state(&s));
            }
            g.play(&mut s, choice.lines[rng.below(choice.lines.len())].play);
        }
    }
    proofs
}

#[test]
fn proofs_are_exact_values_in_small_games() {
    let spec = Spec::parse("hexapawn(4, 3)").unwrap();
    let hexapawn = Args::new("hexapawn", Hexapawn::PARAMS, &spec).unwrap();
    let hexapawn = Hexapawn::build(&hexapawn).unwrap();
    let mut proofs = 0;
    for select in
        [PLAIN.select, SelectionFormula::Ucb1 { c: 0.7 }, SelectionFormula::Puct { c: 1.5 }]
    {
        let options = MctsOptions { select, ..PLAIN };
        proofs += check_proofs(&Matches { n: 13, misere: true }, options, 300);
        proofs += check_proofs(&TicTacToe, options, 300);
        proofs += check_proofs(&hexapawn, options, 300);
        proofs += check_proofs(&Connect4::new(4, 4), options, 300);
    }
    assert!(proofs > 800, "only {proofs} proofs were checked");
}

#[test]
fn proofs_of_several_threads_are_exact() {
    for way in MODES {
        let proofs = check_proofs(&Connect4::new(4, 4), on_threads(4, way), 400);
        assert!(proofs > 20, "{way:?}: only {proofs} proofs were checked");
    }
}

#[test]
fn small_games_are_solved_and_the_search_stops() {
    for (game, value) in [
        ("matches(13)", Wdl::Win),
        ("matches(12)", Wdl::Loss),
        ("matches(21, misere)", Wdl::Loss),
        ("tictactoe", Wdl::Draw),
        ("hexapawn", Wdl::Loss),
        ("connect4(3, 4)", Wdl::Draw),
        ("divide(9, 7)", Wdl::Loss),
        ("morpion(3, torus)", Wdl::Win),
    ] {
        let game = registry::standard().game(game).unwrap();
        let mut player = game.player("mcts").unwrap();
        let choice = player.choose(&*game.start(), sims(3_000_000), &NoObserver).unwrap();
        let best = choice.lines.iter().find(|line| line.play == choice.best).unwrap();
        assert_eq!(best.proven.map(|p| p.verdict), Some(value), "{}", game.spec());
        assert!(choice.simulations < 3_000_000, "{}", game.spec());
        let mut end = game.start();
        for m in &best.variation {
            end.play(m).unwrap_or_else(|error| panic!("{}: {error}", game.spec()));
        }
    }
}

#[test]
fn a_winning_move_is_found_in_connect_four() {
    let g = Connect4::STANDARD;
    // Three in a row with both ends open: the first side wins at either end.
    let mut s = g.start();
    for m in [2, 2, 3, 3] {
        g.play(&mut s, m);
    }
    for way in MODES {
        let choice = choose(&mut MctsPlayer::new(on_threads(2, way), None), &g, &s, 5000);
        assert!([1, 4].contains(&choice.best), "{way:?} plays {}", choice.best);
        assert_eq!(choice.best_line().unwrap().proven.unwrap().verdict, Wdl::Win, "{way:?}");
    }
}
