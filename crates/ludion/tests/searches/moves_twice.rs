//! A game in which a side sometimes moves twice in a row. Every search, the solver, labels, matches
//! and archives take the side to move from the state, not from the parity of the ply.

use std::ops::ControlFlow;
use std::sync::Arc;

use ludion::archive::file_format::{ArchiveRecord, BlockSource, file_header};
use ludion::archive::{GameBlock, GeneratorSettings};
use ludion::arena::elo::GameCounts;
use ludion::arena::game::GameEnd;
use ludion::arena::pair::{GameSettings, PairId};
use ludion::arena::standings::Standings;
use ludion::assets::{Assets, SharedBytes};
use ludion::erased::{AnyGame, AnyPosition, GameBuilder};
use ludion::game::{Game, Side, Status};
use ludion::laws;
use ludion::learn::labelling::Labelling;
use ludion::named::GameInfo;
use ludion::notation::{NotationError, NotationReader};
use ludion::outcome::{AnyOutcome, Duel, Wdl};
use ludion::player::{Budget, NoObserver};
use ludion::registry::Registry;
use ludion::scene::{Coord, PieceShape, Scene};
use ludion::solution::SolveLimits;

/// The number of matches at the start.
const MATCHES: u16 = 14;

/// A heap of matches: a move takes 1, 2 or 4, and the side that takes the last loses. A side that
/// takes exactly 2 and leaves some moves again.
struct TwiceForTwo;

/// The number of matches left, and the side to move; after the end the winner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct HeapState {
    left: u16,
    turn: Side,
}

impl Game for TwiceForTwo {
    type State = HeapState;
    type Move = u16;
    type Outcome = Duel;

    fn start(&self) -> HeapState {
        HeapState { left: MATCHES, turn: Side::First }
    }

    fn status(&self, s: &HeapState) -> Status<Duel> {
        if s.left > 0 { Status::Turn(s.turn) } else { Status::Over(Duel::Won(s.turn)) }
    }

    fn moves(&self, s: &HeapState, out: &mut Vec<u16>) {
        out.extend([1, 2, 4].into_iter().filter(|&taken| taken <= s.left));
    }

    fn play(&self, s: &mut HeapState, m: u16) {
        s.left -= m;
        if m != 2 || s.left == 0 {
            s.turn = s.turn.other();
        }
    }

    fn key(&self, s: &HeapState) -> u64 {
        u64::from(s.left) << 1 | s.turn as u64
    }

    fn show_state(&self, s: &HeapState) -> String {
        format!("{} {}", s.left, s.turn)
    }

    fn read_state(&self, text: &str) -> Result<HeapState, NotationError> {
        let mut reader = NotationReader::new(text);
        let left = reader.number("the number of matches", 0, MATCHES.into())? as u16;
        let turn = reader.side()?;
        reader.end()?;
        Ok(HeapState { left, turn })
    }

    fn show_move(&self, _s: &HeapState, m: u16) -> String {
        m.to_string()
    }

    fn scene(&self, s: &HeapState) -> Scene {
        Scene::heaps(&[s.left.into()], &[MATCHES.into()], &PieceShape::Match)
    }

    fn touches(&self, s: &HeapState, m: u16) -> Vec<Coord> {
        vec![Coord::new(0, (s.left - m).into())]
    }
}

/// Returns whether the side to move wins, by the definition.
fn wins(g: &TwiceForTwo, s: &HeapState) -> bool {
    let Status::Turn(turn) = g.status(s) else { panic!("the game is over") };
    let mut moves = Vec::new();
    g.moves(s, &mut moves);
    moves.iter().any(|&m| wins_by(g, s, m, turn))
}

/// Returns whether `turn` wins by the move `m`.
fn wins_by(g: &TwiceForTwo, s: &HeapState, m: u16, turn: Side) -> bool {
    let child = g.after(s, m);
    match g.status(&child) {
        Status::Over(end) => end == Duel::Won(turn),
        Status::Turn(next) => wins(g, &child) == (next == turn),
    }
}

fn registry() -> Registry {
    let info = GameInfo { name: "twice".into(), help: "".into(), ..GameInfo::default() };
    Registry::empty().with(GameBuilder::duel_with(info, |_| Ok(TwiceForTwo)))
}

fn game() -> Arc<dyn AnyGame> {
    registry().game("twice").unwrap()
}

/// Returns every state in which the game is not over.
fn states() -> impl Iterator<Item = HeapState> {
    (1..=MATCHES).flat_map(|left| Side::BOTH.map(|turn| HeapState { left, turn }))
}

fn position(game: &dyn AnyGame, s: &HeapState) -> Box<dyn AnyPosition> {
    game.read(&TwiceForTwo.show_state(s)).unwrap()
}

fn verdict(wins: bool) -> Wdl {
    if wins { Wdl::Win } else { Wdl::Loss }
}

#[test]
fn the_game_keeps_the_laws_and_has_won_and_lost_states() {
    assert!(laws::check(&TwiceForTwo, 50, 1).unwrap() > 20);
    let won = states().filter(|s| wins(&TwiceForTwo, s)).count();
    assert!(won > 0 && won < states().count());
    let start = TwiceForTwo.start();
    assert_eq!(TwiceForTwo.after(&start, 2).turn, Side::First);
}

#[test]
fn the_solver_agrees_with_the_definition() {
    let game = game();
    for walk in [0, 1_000_000] {
        for s in states() {
            let limits = SolveLimits { walk, megabytes: 1, ..SolveLimits::default() };
            let solved = position(&*game, &s).solve(limits, &NoObserver).unwrap();
            assert_eq!(solved.value.verdict, verdict(wins(&TwiceForTwo, &s)), "{s:?}");
            for line in &solved.lines {
                let expected = wins_by(&TwiceForTwo, &s, line.play.parse().unwrap(), s.turn);
                assert_eq!(line.proven.unwrap().verdict, verdict(expected), "{s:?} {}", line.play);
            }
        }
    }
}

#[test]
fn searches_and_proofs_agree_with_the_definition() {
    let game = game();
    for player in [
        "minimax(depth=20)",
        "negamax(depth=20)",
        "alphabeta(depth=20)",
        "negalphabeta(depth=20)",
        "memory(depth=20, mb=1)",
        "memory(depth=20, mb=1, best-first)",
        "deepening(mb=1)",
        "deepening(mb=1, lines=all)",
        "deepening(mb=1, threads=2)",
        "mcts(sims=3000)",
        "mcts(sims=3000, threads=2)",
    ] {
        let mut chooser = game.player(player).unwrap();
        chooser.begin(1);
        for s in states() {
            let choice =
                chooser.choose(&*position(&*game, &s), Budget::UNLIMITED, &NoObserver).unwrap();
            let keeps = wins_by(&TwiceForTwo, &s, choice.best.parse().unwrap(), s.turn);
            assert_eq!(keeps, wins(&TwiceForTwo, &s), "{player} plays {} in {s:?}", choice.best);
            let best = choice.best_line().unwrap();
            let proof = best.proven.unwrap_or_else(|| panic!("{player} proves {s:?}: {best:?}"));
            assert_eq!(proof.verdict, verdict(keeps), "{player} in {s:?}");
            for line in &choice.lines {
                let Some(proof) = line.proven else { continue };
                let expected = wins_by(&TwiceForTwo, &s, line.play.parse().unwrap(), s.turn);
                assert_eq!(proof.verdict, verdict(expected), "{player} in {s:?}, {}", line.play);
            }
        }
    }
}

#[test]
fn estimates_of_playouts_favour_the_side_that_moves() {
    let game = game();
    // With two matches left, taking 1 wins and taking 2 loses.
    for player in ["montecarlo(sims=3000)", "ucb(sims=3000)", "uct(sims=3000)"] {
        let mut chooser = game.player(player).unwrap();
        chooser.begin(1);
        for turn in Side::BOTH {
            let s = HeapState { left: 2, turn };
            let choice =
                chooser.choose(&*position(&*game, &s), Budget::UNLIMITED, &NoObserver).unwrap();
            assert_eq!(choice.best, "1", "{player} as {turn}");
        }
    }
}

/// Plays games of two players and returns them as a block and as the bytes of an archive.
fn archive(game: &dyn AnyGame, players: [&str; 2], games: u32) -> (GameBlock, Vec<u8>) {
    let players = players.map(str::to_owned);
    let settings = GeneratorSettings { players, budget: Budget::UNLIMITED, opening: 0 };
    let block = game.simulator(&settings).unwrap().block(5, 0, games).unwrap();
    let source = BlockSource { settings, seed: 5, version: "test".to_owned() };
    let records = [ArchiveRecord::Source(source), ArchiveRecord::Games(block.clone())];
    let bytes = records.map(|record| record.to_bytes()).concat();
    (block, [file_header("twice"), bytes].concat())
}

#[test]
fn an_archive_gives_back_the_moves_of_both_sides() {
    let game = game();
    for players in [["random", "random"], ["deepening(mb=1)", "random"]] {
        let (block, _) = archive(&*game, players, 200);
        let (mut games, mut repeated, mut first_wins) = (0, 0, 0);
        game.each_game(&block, &mut |decoded| {
            let mut s = TwiceForTwo.start();
            for (text, shown) in decoded.moves().iter().zip(decoded.states()) {
                assert_eq!(TwiceForTwo.show_state(&s), shown);
                let (before, m) = (s.turn, TwiceForTwo.read_move(&s, text).unwrap());
                TwiceForTwo.play(&mut s, m);
                repeated += u32::from(s.left > 0 && s.turn == before);
            }
            let Status::Over(Duel::Won(winner)) = TwiceForTwo.status(&s) else { panic!("{s:?}") };
            assert_eq!(decoded.outcome(), AnyOutcome::Duel(Duel::Won(winner)));
            first_wins += u32::from(winner == Side::First);
            games += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(games, 200);
        assert!(repeated > 100, "{repeated} repeated moves");
        assert_eq!(first_wins == 200, players[0] != "random", "the start is won: {first_wins}");
    }
}

#[test]
fn labels_are_those_of_the_side_that_moved() {
    let game = game();
    let (block, bytes) = archive(&*game, ["random", "random"], 50);
    let mut expected: Vec<Vec<f64>> = Vec::new();
    game.each_game(&block, &mut |decoded| {
        let AnyOutcome::Duel(Duel::Won(winner)) = decoded.outcome() else { panic!("a winner") };
        let states = decoded.states();
        let movers =
            states[..states.len() - 1].iter().map(|s| TwiceForTwo.read_state(s).unwrap().turn);
        expected.push(movers.map(|mover| if mover == winner { 1.0 } else { -1.0 }).collect());
        ControlFlow::Continue(())
    })
    .unwrap();
    let labels = |labelling: &str| {
        let (mut found, labelling): (Vec<Vec<f64>>, Labelling) =
            (Vec::new(), labelling.parse().unwrap());
        let labelled = game.label_games(labelling, &bytes, &mut |rows| {
            found.push(rows.targets().to_vec());
            ControlFlow::Continue(())
        });
        labelled.map(|()| found)
    };
    assert_eq!(labels("winloss").unwrap(), expected);
    for (signs, distances) in expected.iter().zip(labels("distance").unwrap()) {
        let d = |ply: usize| ((signs.len() - ply) as f64).sqrt();
        let wanted: Vec<f64> = signs.iter().enumerate().map(|(ply, v)| v / d(ply)).collect();
        assert_eq!(distances, wanted);
    }
    let refused = labels("captures").unwrap_err().to_string();
    assert!(refused.ends_with("for twice distance and winloss are allowed"), "{refused}");
}

#[test]
fn learned_players_and_matches_count_right() {
    let assets = Assets::new(|_| {
        let bytes: SharedBytes = Arc::new(archive(&*game(), ["random", "random"], 2000).1);
        Ok(bytes)
    });
    let game = registry().with_assets(assets).game("twice").unwrap();
    let players =
        ["knn(games, label=winloss)", "memory(sheet, depth=6)", "random", "deepening(mb=1)"];
    let players: Vec<String> = players.iter().map(|&player| player.to_owned()).collect();
    let mut referee = game.referee(&players).unwrap();
    let settings = GameSettings { budget: Budget::UNLIMITED, opening: 0, longest: 100, seed: 3 };
    let count = |standings: &Standings, player: u32| standings.games(player);
    for pair in [[0, 2], [1, 2], [3, 2]] {
        let mut standings = Standings::new(4, &[pair]);
        let mut wins = GameCounts::default();
        for number in 0..40 {
            let played = referee.play_pair(&settings, PairId { players: pair, number }, true);
            for result in &played {
                let mut s = TwiceForTwo.start();
                for ply in &result.record.as_ref().unwrap().plies {
                    assert_eq!(ply.side, s.turn, "the player of the side to move moves");
                    TwiceForTwo.play(&mut s, ply.play.parse().unwrap());
                }
                assert_eq!(TwiceForTwo.status(&s), Status::Over(result.end.duel()));
                assert!(matches!(result.end, GameEnd::Rules(_)), "{:?}", result.end);
                let won = result.end.duel() == Duel::Won(s.turn)
                    && result.seats[s.turn.index()] == pair[0];
                wins.wins += u64::from(won);
                wins.losses += u64::from(!won);
            }
            standings.add(0, &played);
        }
        assert_eq!(count(&standings, pair[0]), wins, "{}", players[pair[0] as usize]);
        assert!(wins.wins > wins.losses, "{} scores {wins:?}", players[pair[0] as usize]);
    }
}
