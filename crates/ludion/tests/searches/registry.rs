//! The registry as another program uses it: games and players with names made at run time,
//! players for all games, old spellings, and errors that name what there is.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ludion::evaluator::{Evaluator, ZeroEvaluator};
use ludion::game::Status;
use ludion::games::checkers::Checkers;
use ludion::games::matches::Matches;
use ludion::games::tictactoe::{self, TicTacToe};
use ludion::named::{EvaluatorFactory, NamedEvaluator, RecommendedSpec};
use ludion::outcome::AnyOutcome;
use ludion::param::{Alias, Args, ChoiceOptions, Param, ParamKind};
use ludion::player::{Budget, Choice, NoObserver, Observer, PlayerError, RootLine};
use ludion::players::minimax::MinimaxPlayer;
use ludion::players::text_player::{TextMoveReply, TextMoveRequest, TextPlayer};
use ludion::random::Rng;
use ludion::registry::{
    AnyGame, GameBuilder, GameInfo, NamedTextPlayer, PlayerInfo, PositionPlayer, PositionRequest,
    Registry,
};

fn player_info(name: &str) -> PlayerInfo {
    PlayerInfo { name: name.to_owned().into(), help: "a test".into(), ..PlayerInfo::default() }
}

/// Plays a game between two players and returns its moves.
fn play(game: &dyn AnyGame, players: [&str; 2]) -> Vec<String> {
    let mut players = players.map(|spec| game.player(spec).unwrap());
    let (mut position, mut moves) = (game.start(), Vec::new());
    while let Status::Turn(side) = position.status() {
        let player = &mut players[side.index()];
        let choice = player.choose(&*position, Budget::UNLIMITED, &NoObserver).unwrap();
        position.play(&choice.best).unwrap();
        moves.push(choice.best);
    }
    moves
}

/// A game of matches whose name and parameters are made from `name` and `n`.
fn heap(name: &str, n: u16) -> GameBuilder<Matches> {
    let sizes: Vec<String> = [1, 2].iter().map(|times| (n * times).to_string()).collect();
    let size = Param {
        name: format!("{name}-size").into(),
        kind: ParamKind::Choice {
            default: sizes[0].clone().into(),
            options: ChoiceOptions::from(sizes),
        },
        help: "matches at the start".into(),
        needs: None,
        former_default: None,
    };
    let info = GameInfo {
        name: name.to_owned().into(),
        help: format!("take 1, 2 or 3 of {n} matches").into(),
        params: vec![size.clone()].into(),
        examples: vec![name.to_owned().into(), format!("{name}({})", 2 * n).into()],
        ..GameInfo::default()
    };
    GameBuilder::duel_with(info, move |args| {
        Ok(Matches { n: args.text(&size.name).parse().expect("an option"), misere: false })
    })
}

#[test]
fn one_game_type_is_registered_under_two_names_made_at_run_time() {
    let registry = Registry::empty().with(heap("small", 5)).with(heap("large", 50));
    for (spec, first, canonical) in [
        ("small", "5 first", "small"),
        ("small(10)", "10 first", "small(small-size=10)"),
        ("large(large-size=100)", "100 first", "large(large-size=100)"),
    ] {
        let game = registry.game(spec).unwrap();
        assert_eq!((game.start().show().as_str(), game.spec()), (first, canonical));
        let moves = play(&*game, ["minimax(depth=5)", "random"]);
        assert!(!moves.is_empty());
        game.check_laws(20, 1).unwrap();
    }
    for entry in registry.games() {
        assert!(entry.help.contains("matches"));
        assert!(entry.examples.iter().all(|example| registry.game(example).is_ok()));
    }
    let error = registry.game("large(10)").err().unwrap().to_string();
    assert_eq!(error, "large: large-size = 10 is not allowed; large-size is 50, 100");
    let json = serde_json::to_value(&registry.games()[0].params[0]).unwrap();
    assert_eq!((&json["default"], &json["options"][1]), (&"5".into(), &"10".into()));
}

#[test]
fn a_game_takes_players_and_evaluators_made_at_run_time() {
    let depth = Param::int("plies", 9, 1, 9, "plies looked ahead");
    let info = PlayerInfo {
        params: vec![depth].into(),
        quick: Some(RecommendedSpec { rank: 9, spec: "thinker(plies=3)".into() }),
        ..player_info("thinker")
    };
    let factory = EvaluatorFactory::new("zero", "always 0", &[][..], |_, _| {
        Ok(Arc::new(ZeroEvaluator) as Arc<dyn Evaluator<TicTacToe>>)
    });
    let registry = Registry::empty().with(
        tictactoe::entry().evaluator_factory(factory).player_with(info, |args, parts| {
            let plies = args.size("plies") as u32;
            let evaluators = (parts.evaluators.len(), parts.factories.len());
            assert_eq!(evaluators, (0, 5), "playouts, net, mlp, patterns and zero");
            Ok(Box::new(MinimaxPlayer::new(plies)))
        }),
    );
    assert_eq!(
        registry.entry("tictactoe").unwrap().default_player("tictactoe"),
        "thinker(plies=3)"
    );
    let game = registry.game("tictactoe").unwrap();
    assert_eq!(play(&*game, ["thinker", "thinker"]).len(), 9);
    assert!(game.player("alphabeta(eval=zero)").is_ok());
    let error = game.player("thinker(10)").err().unwrap().to_string();
    assert_eq!(error, "thinker: plies = 10 is not allowed; plies is 1 to 9");
}

/// Plays the last legal move, with a comment.
struct LastTextMove;

impl TextPlayer for LastTextMove {
    fn begin(&mut self, _game: &str, _seed: u64) {}

    fn ask(&mut self, question: &TextMoveRequest<'_>) -> Result<TextMoveReply, String> {
        let play = question.legal.last().unwrap().clone();
        Ok(TextMoveReply { play, ..TextMoveReply::default() })
    }

    fn dismiss(&mut self) {}
}

#[test]
fn a_text_player_plays_every_game_and_its_parameter_stays_quoted() {
    let params = vec![Param::text("cmd", "", "a text")];
    let info = PlayerInfo { params: params.into(), ..player_info("last") };
    let make = |args: &Args| {
        assert!(!args.text("cmd").contains('\n'));
        Ok(Box::new(LastTextMove) as Box<dyn TextPlayer>)
    };
    let text_player = NamedTextPlayer { info, make: Arc::new(make) };
    let registry = ludion::registry::standard()
        .with_text_player(text_player)
        .with(GameBuilder::<TicTacToe>::duel());
    for entry in registry.games() {
        assert!(entry.player("last").is_some(), "{}", entry.name);
        let game = registry.game(&entry.name).unwrap();
        let mut player = game.player(r#"last("a --x=1, 2 \"b\"")"#).unwrap();
        assert_eq!(player.spec(), r#"last(cmd="a --x=1, 2 \"b\"")"#);
        let choice = player.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap();
        assert_eq!(Some(&choice.best), game.start().moves().last());
        let seats = ["last".to_owned(), "random".to_owned()];
        assert_eq!(game.referee(&seats).is_ok(), !entry.puzzle, "{}", entry.name);
    }
    let error = registry.game("dice").unwrap().player("lst").err().unwrap().to_string();
    assert!(error.contains("did you mean last?"), "{error}");
    assert!(registry.is_text_player("last") && !registry.is_text_player("random"));
    let without = registry.without_text_players();
    assert!(without.game("dice").unwrap().player("last").is_err());
    assert!(without.players().iter().all(|player| player.name != "last"));
}

/// Draws a move, and reports every legal one while it thinks.
#[derive(Default)]
struct PositionRandom {
    rng: Option<Rng>,
    /// Answers with a move that is not legal.
    cheats: bool,
}

impl PositionPlayer for PositionRandom {
    fn begin(&mut self, seed: u64) {
        self.rng = Some(Rng::new(seed));
    }

    fn choose(&mut self, request: &PositionRequest<'_>) -> Result<Choice<String>, PlayerError> {
        let moves = request.position.moves();
        let mut lines: Vec<RootLine<String>> = moves.iter().cloned().map(RootLine::new).collect();
        for line in &mut lines {
            let mut after = request.position.copy();
            after.play(&line.play).unwrap();
            line.variation.extend(after.moves().into_iter().next());
        }
        let rng = self.rng.get_or_insert_with(|| Rng::new(0));
        let best = moves[rng.below(moves.len())].clone();
        let nodes = request.budget.nodes.unwrap_or(moves.len() as u64);
        let choice = Choice { lines, nodes, ..Choice::bare(best) };
        request.observer.report(&choice);
        Ok(if self.cheats { Choice::bare("cheat".to_owned()) } else { choice })
    }
}

fn with_position_players() -> Registry {
    ludion::registry::standard()
        .with_player_for_all(player_info("draw"), |_| Ok(Box::new(PositionRandom::default())))
        .with_player_for_all(player_info("cheat"), |_| {
            Ok(Box::new(PositionRandom { cheats: true, ..PositionRandom::default() }))
        })
}

struct CountReports(AtomicU32);

impl Observer<String> for CountReports {
    fn interval(&self) -> Option<Duration> {
        Some(Duration::ZERO)
    }

    fn report(&self, so_far: &Choice<String>) {
        assert!(so_far.lines.iter().all(|line| line.variation.first() == Some(&line.play)));
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_player_for_all_games_plays_every_game_from_its_seed_within_its_budget() {
    let registry = with_position_players();
    for entry in registry.games() {
        let game = registry.game(&entry.name).unwrap();
        let mut player = game.player("draw").unwrap();
        let budget = Budget { nodes: Some(77), ..Budget::UNLIMITED };
        let reports = CountReports(AtomicU32::new(0));
        let start = game.start();
        let mut choose = |seed| {
            player.begin(seed);
            player.choose(&*start, budget, &reports).unwrap()
        };
        let (one, two) = (choose(5), choose(5));
        assert_eq!((&one.best, one.nodes), (&two.best, 77), "{}", entry.name);
        assert_eq!(one.lines.len(), start.moves().len(), "{}", entry.name);
        assert_eq!(reports.0.into_inner(), 2, "{}", entry.name);
        assert!(!registry.is_text_player("draw"));
    }
}

#[test]
fn a_player_for_all_games_plays_matches_and_an_illegal_move_is_its_failure() {
    let registry = with_position_players().with(heap("later", 6));
    for name in ["tictactoe", "checkers", "later"] {
        let game = registry.game(name).unwrap();
        let seats = ["draw", "cheat"].map(str::to_owned);
        assert!(game.referee(&seats).is_ok());
        let mut cheat = game.player("cheat").unwrap();
        let error = cheat.choose(&*game.start(), Budget::UNLIMITED, &NoObserver).unwrap_err();
        assert!(error.to_string().starts_with("the player answered \"cheat\""), "{error}");
        assert!(!play(&*game, ["draw", "random"]).is_empty());
        let mut over = game.start();
        while let Some(m) = over.moves().last() {
            over.play(m).unwrap();
        }
        let asked = cheat.choose(&*over, Budget::UNLIMITED, &NoObserver);
        assert_eq!(asked.unwrap_err(), PlayerError::Over);
    }
}

#[test]
fn players_that_do_not_fit_a_game_say_which_games_they_play() {
    let registry = ludion::registry::standard();
    let error = |game: &str, player: &str| {
        registry.game(game).unwrap().player(player).err().unwrap().to_string()
    };
    let puzzle = registry.entry("hextris").unwrap();
    let duel = registry.entry("tictactoe").unwrap().players().iter().map(|player| &*player.name);
    let duelists: Vec<&str> = duel.filter(|name| puzzle.player(name).is_none()).collect();
    assert!(duelists.contains(&"minimax") && duelists.len() == 11, "{duelists:?}");
    for player in duelists {
        let said = error("hextris", player);
        let start = format!("{player} plays duels only, and hextris is a puzzle for one; for it");
        assert!(said.starts_with(&start), "{said}");
        assert!(said.ends_with("there are random, montecarlo, ucb, mcts"), "{said}");
    }
    assert_eq!(
        error("tictactoe", "knn"),
        "knn: data is empty; `ludion generate` writes a data file"
    );
    assert!(error("tictactoe", "expert").starts_with("no player is called \"expert\""));
    assert_eq!(registry.entry("connect4").unwrap().default_player("connect4"), "expert");
    assert_eq!(registry.entry("dice").unwrap().default_player("dice"), "deepening(secs=0.5)");
    assert_eq!(registry.entry("go").unwrap().default_player("go"), "mcts(sims=50000)");
    assert_eq!(registry.entry("hextris").unwrap().default_player("hextris"), "mcts(sims=100000)");
}

#[test]
fn every_old_spelling_of_a_game_means_the_present_one() {
    let registry = ludion::registry::standard();
    for (old, new) in [
        ("checkers(seed)", "checkers"),
        ("checkers(rules=seed)", "checkers"),
        ("checkers(seed, 6)", "checkers(size=6)"),
        ("checkers(simple)", "checkers"),
    ] {
        assert_eq!(registry.game(old).unwrap().spec(), new, "{old}");
    }
    // The tag `Rules` of PDN files written by version 0.1.0.
    assert_eq!(Checkers::named("checkers(seed)"), Checkers::named("checkers"));
    assert_eq!(Checkers::named("checkers(seed)").unwrap().spec(), "checkers(simple)");
    let rules = &registry.entry("checkers").unwrap().params[0];
    assert_eq!(rules.default_text(), "simple");
    assert!(!rules.allowed().contains("seed"), "{}", rules.allowed());
}

#[test]
fn old_spellings_of_players_and_evaluators_become_the_present_ones() {
    let zero: Arc<dyn Evaluator<TicTacToe>> = Arc::new(ZeroEvaluator);
    let named = NamedEvaluator {
        name: "zero".into(),
        help: "always 0".into(),
        aliases: vec![Alias::name("nought")].into(),
        evaluator: Arc::clone(&zero),
    };
    let factory = EvaluatorFactory {
        aliases: vec![Alias::name("fixed"), Alias::param("v", "value")].into(),
        ..EvaluatorFactory::new(
            "constant",
            "always the same",
            vec![Param::int("value", 0, 0, 9, "a value")],
            move |args: &Args, _| {
                assert!(args.int("value") < 10);
                Ok(Arc::clone(&zero))
            },
        )
    };
    let info = PlayerInfo {
        params: vec![Param::int("depth", 2, 1, 9, "plies"), ludion::named::EVAL].into(),
        aliases: vec![Alias::name("looker"), Alias::param("plies", "depth")].into(),
        ..player_info("seer")
    };
    let entry = GameBuilder::<TicTacToe>::duel()
        .named_evaluator(named)
        .evaluator_factory(factory)
        .player_with(info, |args, parts| {
            assert!(parts.evaluator(args)?.is_some() || args.text("eval") == "none");
            Ok(Box::new(MinimaxPlayer::new(args.size("depth") as u32)))
        });
    let registry = Registry::empty().with(entry);
    let game = registry.game("tictactoe").unwrap();
    for (old, new) in [
        ("looker", "seer"),
        ("looker(plies=3)", "seer(depth=3)"),
        ("seer(eval=nought)", "seer(eval=zero)"),
        ("seer(eval=fixed(v=3))", "seer(eval=\"constant(value=3)\")"),
        ("seer(eval=constant(3))", "seer(eval=\"constant(3)\")"),
        ("alphabeta(eval=nought)", "alphabeta(eval=zero)"),
    ] {
        assert_eq!(game.player(old).unwrap().spec(), new, "{old}");
    }
    assert!(registry.entry("tictactoe").unwrap().player("looker").is_some());
    assert_eq!(game.player("seer(eval=none)").unwrap().spec(), "seer");
}

#[test]
fn the_default_player_is_the_one_of_the_highest_rank() {
    let quick = |name: &'static str, rank| PlayerInfo {
        quick: Some(RecommendedSpec::new(rank, name)),
        ..player_info(name)
    };
    let entry = tictactoe::entry()
        .player_with(quick("weak", 0), |_, _| Ok(Box::new(MinimaxPlayer::new(1))))
        .player_with(quick("strong", 5), |_, _| Ok(Box::new(MinimaxPlayer::new(2))));
    let registry = Registry::empty().with(entry);
    assert_eq!(registry.entry("tictactoe").unwrap().default_player("tictactoe"), "strong");
}

#[test]
#[allow(deprecated)]
fn types_that_were_renamed_have_their_old_names() {
    use std::any::TypeId;

    use ludion::listing::ListedGame;
    use ludion::named::NamedGame;

    fn names<G: ListedGame>() -> (&'static str, &'static str) {
        (<G as ListedGame>::NAME, <G as NamedGame>::NAME)
    }
    assert_eq!(names::<TicTacToe>(), ("tictactoe", "tictactoe"));
    assert_eq!(TypeId::of::<ludion::player::Refusal>(), TypeId::of::<PlayerError>());
    assert_eq!(
        TypeId::of::<ludion::players::minimax::Minimax<TicTacToe>>(),
        TypeId::of::<MinimaxPlayer<TicTacToe>>()
    );
    assert_eq!(TypeId::of::<ludion::shelf::Shelf>(), TypeId::of::<ludion::assets::Assets>());
}

/// Along random games of every built-in game: states with one key of actions have the same actions, a
/// position takes over the state of another, and the points of a puzzle end as its outcome.
#[test]
fn keys_of_actions_copies_and_points_agree_with_the_rules() {
    let registry = ludion::registry::standard();
    for entry in registry.games() {
        let game = registry.game(&entry.name).unwrap();
        let (mut copy, mut known, mut rng) = (game.start(), HashMap::new(), Rng::new(7));
        for _ in 0..10 {
            let mut position = game.start();
            for _ in 0..300 {
                let mut actions = Vec::new();
                position.actions(&mut actions);
                if let Some(key) = position.actions_key() {
                    let same = known.entry(key).or_insert_with(|| actions.clone());
                    assert_eq!(*same, actions, "{} {}", entry.name, position.show());
                }
                assert!(copy.set(&*position) && copy.is_equal(&*position), "{}", entry.name);
                if actions.is_empty() {
                    break;
                }
                assert!(position.play_action(actions[rng.below(actions.len())]));
            }
            if let (Status::Over(AnyOutcome::Points(points)), Some(so_far)) =
                (position.status(), position.points_so_far())
            {
                assert_eq!(points, so_far, "{}", entry.name);
            }
        }
        let other = registry.game(&entry.name).unwrap().start();
        assert!(!copy.set(&*other), "{}: another game has other rules", entry.name);
    }
}
