//! Budgets, observers, parameters and priors.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ludion::evaluator::Evaluator;
use ludion::game::Game;
use ludion::games::connect4::{Connect4, Connect4State};
use ludion::player::{Budget, Choice, MoveRequest, NoObserver, Observer, Player};
use ludion::players::mcts::{MctsOptions, MctsPlayer, SelectionFormula};
use ludion::registry;

use super::*;

#[test]
fn budgets_in_nodes_depth_and_time_are_kept() {
    let g = Connect4::STANDARD;
    let s = g.start();
    let ask =
        |budget| MctsPlayer::new(PLAIN, None).choose(&MoveRequest::new(&g, &s, budget)).unwrap();
    let nodes = ask(Budget { nodes: Some(500), ..Budget::UNLIMITED });
    assert!((500..600).contains(&nodes.nodes), "{}", nodes.nodes);
    let depth = ask(Budget { depth: Some(2), ..sims(5000) });
    assert_eq!((depth.depth, depth.simulations), (2, 5000));
    assert!(depth.lines.iter().all(|line| line.variation.len() <= 2));
    let time = ask(Budget { time: Some(Duration::from_millis(5)), ..Budget::UNLIMITED });
    assert!(time.simulations > 0 && time.time >= Duration::from_millis(5));
    assert_eq!(ask(Budget::UNLIMITED).simulations, PLAIN.sims);
}

#[test]
fn an_observer_gets_reports_and_can_stop_the_search() {
    struct StoppingObserver(Mutex<Vec<u64>>);
    impl Observer<u8> for StoppingObserver {
        fn interval(&self) -> Option<Duration> {
            Some(Duration::ZERO)
        }
        fn report(&self, so_far: &Choice<u8>) {
            assert_eq!(so_far.lines.len(), 7);
            self.0.lock().unwrap().push(so_far.simulations);
        }
        fn should_stop(&self) -> bool {
            self.0.lock().unwrap().len() >= 5
        }
    }
    let g = Connect4::STANDARD;
    let s = g.start();
    for way in MODES {
        for threads in [1, 2] {
            let observer = StoppingObserver(Mutex::default());
            let turn =
                MoveRequest { observer: &observer, ..MoveRequest::new(&g, &s, sims(u64::MAX)) };
            let choice = MctsPlayer::new(on_threads(threads, way), None).choose(&turn).unwrap();
            let told = observer.0.into_inner().unwrap();
            assert!(told.len() >= 5 && told.is_sorted(), "{told:?}");
            assert!(choice.simulations >= told[4]);
        }
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let game = registry::standard().game("matches").unwrap();
    for wrong in [
        "a=0",
        "a=-1",
        "a=nan",
        "growth=-1",
        "growth=5",
        "b=-1",
        "c=-0.1",
        "memory=0",
        "threads=0",
        "sims=0",
    ] {
        let text = format!("mcts({wrong})");
        let error = game.player(&text).err().unwrap_or_else(|| panic!("{text} is refused"));
        let name = wrong.split('=').next().unwrap();
        assert!(error.to_string().starts_with(&format!("mcts: {name} = ")), "{error}");
    }
    let unjudged = registry::standard().game("dice").unwrap();
    for wrong in ["prior", "prior, phi"] {
        let error = unjudged.player(&format!("mcts({wrong})")).err().unwrap();
        assert!(error.to_string().starts_with("mcts: prior "), "{error}");
    }
    let over = game.read("0 second").unwrap();
    let refusal = game.player("mcts").unwrap().choose(&*over, sims(1), &NoObserver);
    assert!(refusal.unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn a_prior_leads_to_the_moves_the_evaluator_prefers() {
    /// Prefers stones in the first column.
    struct Left;
    impl Evaluator<Connect4> for Left {
        fn value(&self, _g: &Connect4, s: &Connect4State) -> i32 {
            let stones = (s.moved() & 0x3f).count_ones() as i32;
            -2000 * stones
        }
    }
    let g = Connect4::STANDARD;
    let options = MctsOptions { select: SelectionFormula::Puct { c: 2.0 }, ..PLAIN };
    let most = |player: &mut MctsPlayer<Connect4>| {
        let choice = choose(player, &g, &g.start(), 100);
        choice.lines.iter().max_by_key(|line| line.visits).unwrap().play
    };
    assert_eq!(most(&mut MctsPlayer::new(options, Some(Arc::new(Left)))), 0);
    assert_ne!(most(&mut MctsPlayer::new(options, None)), 0);
}
