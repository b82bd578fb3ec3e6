//! Rules about repeated positions: the path of a game is known to positions, players and searches,
//! and to nothing else. Go and Nine Men's Morris have such rules.

use std::collections::HashSet;

use ludion::arena::game::{GameEnd, play};
use ludion::erased::GameHistory;
use ludion::game::{Game, Side, Status};
use ludion::games::go::{Go, GoMove};
use ludion::games::morris::Morris;
use ludion::named::NamedGame;
use ludion::outcome::{AnyOutcome, Duel, Wdl};
use ludion::param::{Args, Spec};
use ludion::player::{Budget, MoveRequest, Player};
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer, TextPlayerAdapter};
use ludion::random::Rng;
use ludion::registry;
use ludion::repetition::GamePath;
use ludion::search::iterative_deepening::{DeepeningLimits, deepen};
use ludion::search::solve::{SolveLimits, solve};
use ludion::search::transposition_table::TranspositionTable;

fn build<G: NamedGame>(text: &str) -> G {
    let spec = Spec::parse(text).unwrap();
    G::build(&Args::new(G::NAME, G::PARAMS, &spec).unwrap()).unwrap()
}

#[test]
fn no_board_of_go_occurs_twice_in_a_game_except_by_passes() {
    let g = Go::new(3, 0.5);
    let mut repetitions_avoided = 0;
    for seed in 0..200 {
        let (mut rng, mut s, mut path) = (Rng::new(seed), g.start(), GamePath::new());
        let mut boards = HashSet::from([g.repetition_key(&s)]);
        while path.status(&g, &s).turn().is_some() {
            let (mut moves, mut all) = (Vec::new(), Vec::new());
            path.moves(&g, &s, &mut moves);
            g.moves(&s, &mut all);
            repetitions_avoided += all.len() - moves.len();
            // Passes would end most games early.
            let stones: Vec<GoMove> =
                moves.iter().copied().filter(|&m| m != GoMove::PASS).collect();
            let m = if stones.is_empty() { GoMove::PASS } else { stones[rng.below(stones.len())] };
            path.play(&g, &mut s, m);
            let is_new = boards.insert(g.repetition_key(&s));
            assert_eq!(is_new, m != GoMove::PASS, "{}", g.show_state(&s));
        }
    }
    assert!(repetitions_avoided > 100, "{repetitions_avoided}");
}

/// Plays random moves and returns the first state in which a move is illegal by the path alone, with
/// the moves before it.
fn first_forbidden(game: &str, seed: u64) -> Option<(Vec<String>, String)> {
    let game = registry::standard().game(game).unwrap();
    let mut history = GameHistory::new(game.clone());
    let mut rng = Rng::new(seed);
    loop {
        let position = history.position();
        let moves = position.moves();
        let without_past = game.read(&position.show()).unwrap().moves();
        if let Some(m) = without_past.iter().find(|m| !moves.contains(m)) {
            return Some((history.moves().to_vec(), m.clone()));
        }
        let stones: Vec<&String> = moves.iter().filter(|m| *m != "pass").collect();
        let m = stones.get(rng.below(stones.len().max(1)))?;
        let m = (*m).clone();
        history.play(&m).unwrap();
    }
}

#[test]
fn a_move_that_repeats_is_refused_with_its_reason_by_every_reader() {
    let (line, m) = (0..100).find_map(|seed| first_forbidden("go(3)", seed)).unwrap();
    let game = registry::standard().game("go(3)").unwrap();
    let mut history = GameHistory::new(game.clone());
    history.play_line(&line.join(" ")).unwrap();
    let error = history.play(&m).unwrap_err().to_string();
    assert!(error.contains("repeats an earlier position"), "{error}");
    let position = history.position();
    assert!(position.touches(&m).is_err() && position.action_of(&m).is_err());
    let action = game.read(&position.show()).unwrap().action_of(&m).unwrap();
    assert_eq!(position.move_of_action(action), None);
    let mut copy = position.copy();
    assert!(!copy.play_action(action) && copy.is_equal(position));
    let mut legal = Vec::new();
    position.actions(&mut legal);
    assert!(!legal.contains(&action) && legal.len() == position.moves().len());
    // The path is not part of the state: as the first state of a game it has all its moves.
    let without_past = game.read(&position.show()).unwrap();
    assert!(without_past.is_equal(position) && without_past.key() == position.key());
    assert!(without_past.copy().play(&m).is_ok());
}

#[test]
fn every_player_keeps_to_the_path_in_go() {
    let registry = registry::standard();
    let game = registry.game("go(2, komi=1)").unwrap();
    for player in [
        "random",
        "minimax(depth=3)",
        "negamax(depth=3)",
        "alphabeta(depth=3)",
        "negalphabeta(depth=3)",
        "memory(depth=3)",
        "deepening(depth=5, secs=0)",
        "montecarlo(sims=20)",
        "ucb(sims=20)",
        "uct(games=100)",
        "mcts(sims=300)",
        "mcts(sims=300, threads=2, parallel=root)",
    ] {
        let mut chosen = game.player(player).unwrap_or_else(|error| panic!("{player}: {error}"));
        for seed in 0..6 {
            chosen.begin(seed);
            let mut history = GameHistory::new(game.clone());
            let mut rng = Rng::new(seed);
            for ply in 0..60 {
                let Status::Turn(_) = history.position().status() else { break };
                let moves = history.position().moves();
                let m = if ply % 2 == 0 {
                    let budget = Budget::UNLIMITED;
                    let observer = ludion::player::NoObserver;
                    let choice = chosen.choose(history.position(), budget, &observer).unwrap();
                    assert!(choice.lines.iter().all(|line| moves.contains(&line.play)), "{player}");
                    choice.best
                } else {
                    moves[rng.below(moves.len())].clone()
                };
                history.play(&m).unwrap_or_else(|error| panic!("{player}: {error}"));
            }
        }
    }
}

/// Returns the value of `s` for `side` by plain minimax over all paths: 1, 0 or −1; 0 at the depth
/// limit.
fn minimax(g: &Go, s: &<Go as Game>::State, path: &GamePath, side: Side, depth: u32) -> i32 {
    let turn = match path.status(g, s) {
        Status::Over(end) => return end.seen_by(side).sign(),
        Status::Turn(_) if depth == 0 => return 0,
        Status::Turn(turn) => turn,
    };
    let mut moves = Vec::new();
    path.moves(g, s, &mut moves);
    let values = moves.into_iter().map(|m| {
        let (mut child, mut path) = (*s, path.clone());
        path.play(g, &mut child, m);
        minimax(g, &child, &path, side, depth - 1)
    });
    if turn == side { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn deepening_agrees_with_minimax_over_paths() {
    let g = Go::new(2, 1.0);
    for seed in 0..40 {
        let (mut rng, mut s, mut path) = (Rng::new(seed), g.start(), GamePath::new());
        for _ in 0..rng.below(12) {
            let mut moves = Vec::new();
            path.moves(&g, &s, &mut moves);
            let m = moves[rng.below(moves.len())];
            path.play(&g, &mut s, m);
            if path.status(&g, &s).turn().is_none() {
                break;
            }
        }
        let Status::Turn(side) = path.status(&g, &s) else { continue };
        let table = TranspositionTable::new(1);
        for depth in 1..=6 {
            let request =
                MoveRequest { path: &path, ..MoveRequest::new(&g, &s, Budget::UNLIMITED) };
            let limits = DeepeningLimits {
                depth,
                time: None,
                nodes: None,
                threads: 1,
                advanced: false,
                all: true,
                selective: false,
            };
            let (choice, _) = deepen(&request, side, &table, None, limits);
            for line in &choice.lines {
                let (mut child, mut path) = (s, path.clone());
                path.play(&g, &mut child, line.play);
                let expected = minimax(&g, &child, &path, side, choice.depth - 1);
                let found =
                    line.value.unwrap().signum() as i32 * i32::from(line.value != Some(0.0));
                assert_eq!(found, expected, "{} {:?}", g.show_state(&s), line);
            }
        }
    }
}

#[test]
fn small_boards_of_go_have_the_published_values() {
    // Area scoring and positional superko: the first side wins by 1 on 2×2 and by 9 on 3×3 points
    // (J. Tromp and G. Farnebäck, "Combinatorics of Go"; E. van der Werf).
    let value = |size, komi| {
        let g = Go::new(size, komi);
        let start = g.start();
        let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
        solve(&request, SolveLimits::default()).unwrap().value.verdict
    };
    assert_eq!([0.5, 1.0, 1.5].map(|komi| value(2, komi)), [Wdl::Win, Wdl::Draw, Wdl::Loss]);
}

#[test]
#[ignore = "takes some seconds; ./test --all runs it"]
fn the_first_side_wins_the_whole_board_of_three_by_three() {
    let g = Go::new(3, 8.5);
    let start = g.start();
    let request = MoveRequest::new(&g, &start, Budget::UNLIMITED);
    let solution = solve(&request, SolveLimits::default()).unwrap();
    assert_eq!(solution.value.verdict, Wdl::Win);
    let centre: Vec<String> = solution.best.iter().map(|&m| g.show_move(&start, m)).collect();
    assert_eq!(centre, ["B2"]);
}

#[test]
fn legal_boards_of_go_are_as_many_as_published() {
    // The numbers of legal positions (J. Tromp, OEIS A094777).
    for (size, expected) in [(2, 57), (3, 12_675)] {
        let (g, cells) = (Go::new(size, 0.0), size * size);
        let boards = (0..3_usize.pow(cells as u32)).filter(|&board| {
            let digit = |i: usize| board / 3_usize.pow(i as u32) % 3;
            let rows = (0..size).map(|y| {
                (0..size).map(|x| ['.', 'x', 'o'][digit(y * size + x)]).collect::<String>()
            });
            let text = format!("{} first", rows.collect::<Vec<_>>().join("/"));
            g.read_state(&text).is_ok()
        });
        assert_eq!(boards.count(), expected, "{size}");
    }
}

/// Men in the corners that walk to and fro.
const SHUFFLE: [&str; 4] = ["a7-d7", "a1-d1", "d7-a7", "d1-a1"];
const QUIET_MORRIS: &str = "x.o/.../x.o/....../.../x.o/o.x 0-0 first";

#[test]
fn a_third_occurrence_draws_nine_mens_morris() {
    let game = registry::standard().game("morris").unwrap();
    let start = game.read(QUIET_MORRIS).unwrap();
    let mut history = GameHistory::from(game.clone(), start);
    for round in 1..=2 {
        for m in SHUFFLE {
            assert!(history.position().status().turn().is_some(), "round {round}");
            history.play(m).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    assert_eq!(history.position().status(), Status::Over(AnyOutcome::Duel(Duel::Drawn)));
    assert!(history.position().moves().is_empty());
    assert!(history.play(SHUFFLE[0]).unwrap_err().to_string().contains("the game is over"));
    // The same state without its past goes on.
    assert!(game.read(QUIET_MORRIS).unwrap().status().turn().is_some());
    history.take_back(1);
    assert!(history.position().status().turn().is_some());
}

#[test]
fn searches_see_that_a_repetition_draws() {
    let g: Morris = build("morris");
    let mut s = g.read_state(QUIET_MORRIS).unwrap();
    let mut path = GamePath::new();
    for m in SHUFFLE.iter().chain(&SHUFFLE[..3]) {
        let m = g.read_move(&s, m).unwrap();
        path.play(&g, &mut s, m);
    }
    let last = g.read_move(&s, SHUFFLE[3]).unwrap();
    let registry = registry::standard();
    let game = registry.game("morris").unwrap();
    let mut history = GameHistory::from(game.clone(), game.read(QUIET_MORRIS).unwrap());
    let moves: Vec<&str> = SHUFFLE.iter().chain(&SHUFFLE[..3]).copied().collect();
    history.play_line(&moves.join(" ")).unwrap();
    let observer = ludion::player::NoObserver;
    for player in ["mcts(sims=500)", "minimax(depth=1)", "deepening(depth=1, secs=0, lines=all)"] {
        let mut player = game.player(player).unwrap();
        player.begin(1);
        let choice = player.choose(history.position(), Budget::UNLIMITED, &observer).unwrap();
        let line = choice.lines.iter().find(|line| line.play == SHUFFLE[3]).unwrap();
        assert_eq!(line.value.unwrap_or(0.0), 0.0, "{line:?}");
    }
    path.play(&g, &mut s, last);
    assert_eq!(path.status(&g, &s), Status::Over(Duel::Drawn));
    assert_eq!(g.status(&s), Status::Turn(Side::First));
}

#[test]
fn the_arena_ends_a_repeated_game_by_the_rules() {
    /// Walks to and fro for ever.
    struct Walker;
    impl ludion::player::Player<Morris> for Walker {
        fn choose(
            &mut self,
            request: &MoveRequest<'_, Morris>,
        ) -> Result<ludion::player::Choice<<Morris as Game>::Move>, ludion::player::PlayerError>
        {
            let moves = request.moves();
            let shown = |m| request.game.show_move(request.state, m);
            let walk = moves.iter().find(|&&m| SHUFFLE.contains(&&*shown(m)));
            let quiet = |m: &&<Morris as Game>::Move| {
                let after = request.game.after(request.state, **m);
                request.game.status(&after).turn()
                    != request.path.status(request.game, request.state).turn()
            };
            let quiet = moves.iter().find(quiet).or(moves.first());
            Ok(ludion::player::Choice::bare(*walk.or(quiet).unwrap()))
        }
    }
    let g: Morris = build("morris");
    let game = play(&g, &[], [&mut Walker, &mut Walker], [Budget::UNLIMITED; 2], 10_000);
    assert!(game.length() < 400, "{}", game.length());
    assert!(matches!(game.end, GameEnd::Rules(_)), "{:?}", game.end);
}

#[test]
fn draughts_are_drawn_by_repetition_only_where_the_parameter_says_so() {
    let walk = ["4-8", "29-25", "8-4", "25-29"];
    for (spec, is_drawn) in [("checkers(english)", false), ("checkers(english, repetition)", true)]
    {
        let game = registry::standard().game(spec).unwrap();
        let mut history = GameHistory::from(game.clone(), game.read("B:WK29:BK4").unwrap());
        history.play_line(&walk.join(" ")).unwrap();
        assert!(history.position().status().turn().is_some(), "the second occurrence");
        history.play_line(&walk.join(" ")).unwrap();
        let drawn = Status::Over(AnyOutcome::Duel(Duel::Drawn));
        assert_eq!(history.position().status() == drawn, is_drawn, "{spec}");
    }
    let refused = registry::standard().game("checkers(repetition)").err().unwrap().to_string();
    assert!(refused.contains("repetition"), "{refused}");
}

#[test]
fn an_external_player_gets_the_moves_where_positions_must_not_repeat() {
    /// Keeps the moves of the last request and plays the last legal move.
    struct Listener(std::sync::Arc<std::sync::Mutex<Vec<String>>>);
    impl TextPlayer for Listener {
        fn begin(&mut self, _game: &str, _seed: u64) {}
        fn ask(&mut self, request: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
            *self.0.lock().unwrap() = request.moves.to_vec();
            let play = request.legal.last().unwrap().clone();
            Ok(TextMoveReply { play, ..TextMoveReply::default() })
        }
        fn dismiss(&mut self) {}
    }
    let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut player = TextPlayerAdapter::new("go(2)", Box::new(Listener(heard.clone())));
    let g = Go::new(2, 1.0);
    let (mut s, mut path, mut played) = (g.start(), GamePath::new(), Vec::new());
    for text in ["A1", "B2", "B1", "A2", "A1", "B1"] {
        let m = path.read_move(&g, &s, text).unwrap();
        path.play(&g, &mut s, m);
        played.push(text.to_owned());
        let request = MoveRequest { path: &path, ..MoveRequest::new(&g, &s, Budget::UNLIMITED) };
        player.choose(&request).unwrap();
        assert_eq!(*heard.lock().unwrap(), played);
    }
}

#[test]
fn a_ko_that_no_capture_left_is_refused() {
    let g = Go::new(4, 0.5);
    // A cross on C3 would take the stone on B3, which has just taken one there.
    let ko = ".xo./xo.o/.xo./.... first";
    let with_ko = |point: &str| format!("{ko} ko {point}");
    assert!(g.read_state(&with_ko("C3")).is_ok(), "{:?}", g.read_state(&with_ko("C3")));
    for (point, error) in [("A4", "captures one stone"), ("B3", "a stone on the point")] {
        let refused = g.read_state(&with_ko(point)).unwrap_err().to_string();
        assert!(refused.contains(error), "{refused}");
    }
    assert!(g.read_state(&with_ko("C3 passed")).is_err());
    // No single cross was taken on C3 while its neighbour D3 was empty.
    let refused = g.read_state(".xo./xo../.xo./.... first ko C3").unwrap_err().to_string();
    assert!(refused.contains("all points beside a ko"), "{refused}");
}
