//! Openings from a list, clocks and adjudication of games between players.

use std::sync::Arc;
use std::time::Duration;

use ludion::arena::adjudication::{AdjudicationRules, DrawRule, ResignRule};
use ludion::arena::conditions::{GameConditions, Opening, OpeningList, OpeningOrder};
use ludion::arena::game::GameEnd;
use ludion::arena::pair::{AnyReferee, GameResult, GameSettings, PairId, Referee};
use ludion::games::tictactoe::TicTacToe;
use ludion::outcome::Wdl;
use ludion::player::{Budget, Choice, MoveRequest, Player, PlayerError, StopOnFlag};
use ludion::registry;
use ludion::solution::SolveLimits;

const SETTINGS: GameSettings =
    GameSettings { budget: Budget::UNLIMITED, opening: 0, longest: 1000, seed: 5 };

fn referee(game: &str, players: [&str; 2], conditions: &GameConditions) -> Box<dyn AnyReferee> {
    let game = registry::standard().game(game).expect("a game");
    let mut referee = game.referee(&players.map(str::to_owned)).expect("players");
    referee.set_conditions(conditions).expect("conditions");
    referee
}

fn pair(referee: &mut dyn AnyReferee, settings: &GameSettings, number: u64) -> [GameResult; 2] {
    referee.play_pair(settings, PairId { players: [0, 1], number }, true)
}

fn list(openings: &[(Option<&str>, &str)]) -> GameConditions {
    let opening = |(start, moves): &(Option<&str>, &str)| Opening {
        start: start.map(str::to_owned),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
    };
    let openings = openings.iter().map(opening).collect();
    let order = OpeningOrder::Sequential;
    let openings = Some(OpeningList { source: "a test".to_owned(), order, openings });
    GameConditions { openings, ..GameConditions::default() }
}

#[test]
fn each_opening_is_played_twice_with_seats_swapped() {
    let state = "......./......./......./......./...o.../...x...";
    let conditions = list(&[(None, "4 4 3"), (Some(state), "1 2"), (None, "")]);
    let mut referee = referee("connect4", ["random", "montecarlo(sims=2)"], &conditions);
    for (number, start, moves) in [
        (0, None, &["4", "4", "3"][..]),
        (1, Some(state), &["1", "2"]),
        (2, None, &[]),
        (3, None, &["4", "4", "3"]),
    ] {
        let games = pair(&mut *referee, &SETTINGS, number);
        assert_eq!(games.each_ref().map(|game| game.seats), [[0, 1], [1, 0]]);
        for game in games {
            let record = game.record.expect("moves");
            assert_eq!(record.start.as_deref(), start);
            assert_eq!(record.opening, moves);
        }
    }
    // Random plies follow the opening.
    let settings = GameSettings { opening: 2, ..SETTINGS };
    let [game, other] = pair(&mut *referee, &settings, 0);
    let opening = game.record.expect("moves").opening;
    assert_eq!((opening.len(), &opening[..3]), (5, &["4", "4", "3"].map(str::to_owned)[..]));
    assert_eq!(other.record.expect("moves").opening, opening);
}

/// A player that takes its time, whatever its clock shows.
struct SlowPlayer;

impl Player<TicTacToe> for SlowPlayer {
    fn choose(&mut self, request: &MoveRequest<'_, TicTacToe>) -> Result<Choice<u8>, PlayerError> {
        std::thread::sleep(Duration::from_millis(150));
        Ok(Choice::bare(request.moves()[0]))
    }
}

/// A player that checks that the budget keeps to its clock.
struct QuickPlayer;

impl Player<TicTacToe> for QuickPlayer {
    fn choose(&mut self, request: &MoveRequest<'_, TicTacToe>) -> Result<Choice<u8>, PlayerError> {
        let side = request.status().turn().expect("a game that goes on");
        let left = request.clock.expect("a game with clocks").remaining[side.index()];
        assert!(request.budget.time.expect("a time for the move") <= left);
        Ok(Choice::bare(request.moves()[0]))
    }
}

#[test]
fn a_player_that_oversteps_its_clock_loses_on_time() {
    let players: Vec<Box<dyn Player<TicTacToe>>> =
        vec![Box::new(SlowPlayer), Box::new(QuickPlayer)];
    let mut referee = Referee::new(Arc::new(TicTacToe), players);
    let clock = Some("0.25+0.001".parse().expect("a time control"));
    referee
        .set_conditions(&GameConditions { clock, ..GameConditions::default() })
        .expect("a clock");
    for game in pair(&mut referee, &SETTINGS, 0) {
        let GameEnd::Time { by } = game.end else { panic!("{:?}", game.end) };
        assert_eq!((game.seats[by.index()], game.score(1)), (0, 1.0));
        assert_eq!(game.spent[by.index()].moves, 1, "the second move comes too late");
    }
}

#[test]
fn a_game_that_the_solver_ends_has_the_exact_result_of_its_last_position() {
    let rules = AdjudicationRules { solver_nodes: Some(20_000), ..AdjudicationRules::default() };
    let conditions = GameConditions { adjudication: rules, ..GameConditions::default() };
    let game = registry::standard().game("connect4").expect("a game");
    let mut referee = referee("connect4", ["random", "montecarlo(sims=4)"], &conditions);
    let mut adjudicated = 0;
    for number in 0..6 {
        for result in pair(&mut *referee, &SETTINGS, number) {
            let GameEnd::Adjudicated { duel, .. } = &result.end else { continue };
            let mut position = game.start();
            for ply in &result.record.as_ref().expect("moves").plies {
                position.play(&ply.play).expect("a legal move");
            }
            let never = std::sync::atomic::AtomicBool::new(false);
            let solution = position.solve(SolveLimits::default(), &StopOnFlag(&never));
            let side = position.status().turn().expect("the rules have not ended it");
            assert_eq!(duel.seen_by(side), solution.expect("a solution").value.verdict);
            adjudicated += 1;
        }
    }
    assert!(adjudicated >= 6, "{adjudicated} of 12 games");
}

#[test]
fn players_that_agree_end_their_games_earlier_with_the_same_results() {
    let resign = Some(ResignRule { moves: 2, value: 1.0 });
    let draw = Some(DrawRule { moves: 2, value: 0.0, from: 0 });
    let adjudication = AdjudicationRules { resign, draw, solver_nodes: None };
    let conditions = GameConditions { adjudication, ..GameConditions::default() };
    // They know the values of all positions, so that they agree from the beginning.
    let players = ["deepening(depth=9)", "negamax(depth=9)"];
    let mut judged = referee("tictactoe", players, &conditions);
    let mut whole = referee("tictactoe", players, &GameConditions::default());
    let settings = GameSettings { opening: 2, ..SETTINGS };
    for number in 0..20 {
        let (short, long) =
            (pair(&mut *judged, &settings, number), pair(&mut *whole, &settings, number));
        for (short, long) in short.iter().zip(&long) {
            assert!(matches!(long.end, GameEnd::Rules(_)));
            assert_eq!(short.end.duel(), long.end.duel());
            assert!(short.plies <= long.plies);
            if long.plies >= 8 {
                assert!(matches!(short.end, GameEnd::Adjudicated { .. }), "{:?}", short.end);
            }
        }
    }
}

#[test]
fn an_outcome_of_a_won_start_position_is_that_of_its_winner() {
    // The first player wins by the next move, in whichever seat it is.
    let conditions = list(&[(Some("......./......./......./......./ooo..../xxx...."), "")]);
    let mut referee = referee("connect4", ["minimax(depth=2)", "minimax(depth=2)"], &conditions);
    for game in pair(&mut *referee, &SETTINGS, 0) {
        assert_eq!((game.plies, game.end.duel().seen_by(ludion::game::Side::First)), (1, Wdl::Win));
    }
}
