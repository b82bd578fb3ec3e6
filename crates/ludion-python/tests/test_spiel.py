"""The methods of OpenSpiel on games of Ludion; its own algorithms and games agree with ours."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import ludion
import ludion.spiel
import pytest
from ludion.spiel import State, load_game

GAMES = [info.name for info in ludion.games() if info.kind != "riddle"]


def random_game(state: Any, rng: random.Random) -> None:
    """Plays random actions until the game is over."""
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("spec", GAMES)
def test_states_tell_what_those_of_ludion_tell(spec: str) -> None:
    game, rng = load_game(spec), random.Random(1)
    state, position, played = game.new_initial_state(), game.game.start(), []
    assert state.is_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        assert player == position.to_play
        assert state.legal_actions() == sorted(position.actions) == state.legal_actions(player)
        assert state.legal_actions(1 - player) == []
        mask = state.legal_actions_mask()
        assert [a for a, legal in enumerate(mask) if legal] == state.legal_actions()
        assert len(mask) == game.num_distinct_actions()
        action = rng.choice(state.legal_actions())
        move = state.action_to_string(player, action)
        assert state.string_to_action(player, move) == state.string_to_action(move) == action
        assert state.child(action).to_string() == str(position.play(action))
        assert len(state.observation_tensor()) == game.observation_tensor_size()
        state.apply_action(action)
        position = position.play(move)
        played.append(action)
    assert state.history() == played
    assert state.move_number() == len(played) <= game.max_game_length()
    assert state.current_player() == -4
    assert state.legal_actions() == []
    assert tuple(state.returns()) == position.returns
    assert [state.player_return(p) for p in range(game.num_players())] == state.returns()


def test_a_state_changes_and_its_copies_do_not() -> None:
    state = load_game("connect4").new_initial_state()
    copies = [state.clone(), copy.copy(state), copy.deepcopy(state)]
    state.apply_action(3)
    assert all(str(one) == str(load_game("connect4").new_initial_state()) for one in copies)
    assert state.history_str() == "3"
    state.apply_action(4)
    assert state.history_str() == state.information_state_string(0) == "3, 4"
    state.undo_action(1, 4)
    assert state.history() == [3]
    with pytest.raises(ludion.InputError, match="was not the last"):
        state.undo_action(1, 4)
    with pytest.raises(ludion.InputError, match="not legal"):
        state.apply_action(7)
    assert state.history() == [3]


@pytest.mark.parametrize("spec", GAMES)
def test_states_are_read_back(spec: str) -> None:
    game = load_game(spec)
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[-1])
    for one in (game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state))):
        assert isinstance(one, State)
        assert str(one) == str(state)
        assert one.history() == state.history()
    later = game.new_initial_state(str(state))
    assert later.history() == []
    later.apply_action(later.legal_actions()[0])
    assert str(game.deserialize_state(later.serialize())) == str(later)
    assert load_game(game.serialize()) == game


def test_parameters_are_added_to_the_spec() -> None:
    assert str(load_game("connect4", {"cols": 5, "rows": 4})) == "connect4(cols=5, rows=4)"
    assert str(load_game("matches", {"n": 5, "misere": True})) == "matches(n=5, misere)"
    with pytest.raises(ludion.InputError, match="not both"):
        load_game("matches(5)", {"misere": True})


def test_openspiel_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, ludion.spiel as s; s.load_game('connect4'); print('pyspiel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# What follows needs OpenSpiel.


def column(state: Any, player: int, action: int) -> str:
    """Returns the column of an action of Connect Four, from 1, as ours are named."""
    return str(action + 1)


def cell(state: Any, player: int, action: int) -> str:
    """Returns the cell of an action of tic-tac-toe: rows count from the top there."""
    return f"{'abc'[action % 3]}{3 - action // 3}"


def pile(state: Any, player: int, action: int) -> str:
    """Returns an action of Nim: "pile:2, take:3;" is 2:3 here."""
    first, second = state.action_to_string(player, action).rstrip(";").split(", ")
    return f"{first.split(':')[1]}:{second.split(':')[1]}"


Naming = Callable[[Any, int, int], str]


@pytest.mark.spiel
@pytest.mark.parametrize(
    ("ours", "theirs", "name"),
    [
        ("connect4", "connect_four", column),
        ("connect4(5, 4)", "connect_four(rows=4,columns=5)", column),
        ("tictactoe", "tic_tac_toe", cell),
        ("marienbad(2)", "nim(pile_sizes=2;4;6,is_misere=False)", pile),
        ("marienbad(3, misere)", "nim(pile_sizes=3;6;9,is_misere=True)", pile),
    ],
)
def test_legal_moves_and_outcomes_agree_with_openspiel(
    ours: str, theirs: str, name: Naming
) -> None:
    import pyspiel  # type: ignore[import-not-found]

    game, rng = pyspiel.load_game(theirs), random.Random(1)
    for _ in range(100):
        state, position = game.new_initial_state(), ludion.game(ours).start()
        while not state.is_terminal():
            player = state.current_player()
            assert position.to_play == player
            moves = {name(state, player, action): action for action in state.legal_actions()}
            assert sorted(moves) == sorted(position.moves)
            move = rng.choice(position.moves)
            state.apply_action(moves[move])
            position = position.play(move)
        assert position.is_over
        assert list(position.returns) == state.returns()


def jumps(state: Any, path: tuple[int, ...]) -> list[tuple[tuple[int, int], Any]]:
    """Returns the moves of a state of OpenSpiel's checkers, in which each jump is an action of its
    own, as pairs of the first and the last square with the state afterwards."""
    player, found = state.current_player(), []
    for action in state.legal_actions():
        text = state.action_to_string(player, action)
        first, last = square(text[:2]), square(text[2:4])
        if path and path[-1] != first:
            continue
        child, longer = state.child(action), (*(path or (first,)), last)
        if not child.is_terminal() and child.current_player() == player:
            found += jumps(child, longer)
        else:
            found.append(((longer[0], last), child))
    return found


def square(name: str) -> int:
    """Returns the number of a square: the first side is at the bottom there, at the top here."""
    x, y = ord(name[0]) - ord("a"), 8 - int(name[1])
    return 33 - (4 * y + x // 2 + 1)


@pytest.mark.spiel
def test_english_draughts_agrees_with_openspiel() -> None:
    import pyspiel

    game, rng, decided = pyspiel.load_game("checkers"), random.Random(1), 0
    for _ in range(30):
        state, position = game.new_initial_state(), ludion.game("checkers(english)").start()
        while not (position.is_over or state.is_terminal()):
            theirs = jumps(state, ())
            numbers = [[int(n) for n in m.replace("x", "-").split("-")] for m in position.moves]
            ours = [((path[0], path[-1]), m) for path, m in zip(numbers, position.moves)]
            assert {ends for ends, _ in ours} == {ends for ends, _ in theirs}
            # A move that has two ways between its squares is not played.
            ends = [one for one, _ in ours]
            single = [e for e in ends if ends.count(e) == 1 == [t for t, _ in theirs].count(e)]
            if not single:
                break
            chosen = rng.choice(single)
            position, state = position.play(dict(ours)[chosen]), dict(theirs)[chosen]
        # The two draw long games by different rules.
        if position.outcome in ("first", "second"):
            assert list(position.returns) == state.returns()
            decided += 1
    assert decided > 10


@pytest.mark.spiel
@pytest.mark.parametrize("spec", GAMES)
def test_the_type_is_that_of_openspiel(spec: str) -> None:
    import pyspiel

    kind = load_game(spec).get_type()
    assert isinstance(kind, pyspiel.GameType)
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert load_game(spec).new_initial_state().current_player() == 0


@pytest.mark.spiel
def test_openspiels_tree_search_plays_our_games() -> None:
    import numpy
    from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]

    game = load_game("connect4")
    generator = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, generator)
    bot = mcts.MCTSBot(game, 1.4, 200, evaluator, solve=True, random_state=generator)
    state = game.new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    assert bot.step(state) == 3
    lost = game.new_initial_state()
    for action in (3, 0, 3, 0, 3):
        lost.apply_action(action)
    assert bot.step(lost) == 3
    random_game(lost, random.Random(1))
    assert sum(lost.returns()) == 0.0


@pytest.mark.spiel
@pytest.mark.parametrize("spec", ["tictactoe", "hexapawn", "matches", "marienbad(1)", "dice(14)"])
def test_openspiels_minimax_finds_the_value_of_our_solver(spec: str) -> None:
    from open_spiel.python.algorithms import minimax

    game = load_game(spec)
    state = game.new_initial_state()
    if spec == "tictactoe":
        state = state.child(4).child(1)
    value, action = minimax.alpha_beta_search(game, state=state)
    solution = game.game.solve(state.position)
    assert value == {"win": 1.0, "draw": 0.0, "loss": -1.0}[solution.value]
    line = next(one for one in solution.lines if one.move == state.action_to_string(action))
    assert line.proven == solution.value


@pytest.mark.spiel
def test_openspiels_q_learner_learns_our_game() -> None:
    import numpy
    from open_spiel.python import rl_environment  # type: ignore[import-untyped]
    from open_spiel.python.algorithms import (
        random_agent,
        tabular_qlearner,
    )

    numpy.random.seed(1)
    game = load_game("matches(7)")
    environment = rl_environment.Environment(game)
    actions = environment.action_spec()["num_actions"]
    learner = tabular_qlearner.QLearner(player_id=0, num_actions=actions, step_size=0.3)
    opponent = random_agent.RandomAgent(player_id=1, num_actions=actions)

    def episode(is_evaluation: bool) -> float:
        step = environment.reset()
        while not step.last():
            agent = (learner, opponent)[step.observations["current_player"]]
            step = environment.step([agent.step(step, is_evaluation=is_evaluation).action])
        for agent in (learner, opponent):
            agent.step(step, is_evaluation=is_evaluation)
        return float(step.rewards[0])

    for _ in range(3000):
        episode(False)
    # Seven matches are won by the first side.
    assert sum(episode(True) for _ in range(100)) >= 95


@pytest.mark.spiel
def test_openspiels_regret_minimisation_solves_our_game() -> None:
    from open_spiel.python.algorithms import cfr

    game = load_game("matches(6)")
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    state = game.new_initial_state()
    chances = solver.average_policy().action_probabilities(state)
    best = game.game.solve().best
    assert chances[state.string_to_action(best[0])] > 0.9


@pytest.mark.spiel
def test_a_registered_game_is_accepted_by_algorithms_in_cpp() -> None:
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, mcts

    name = ludion.spiel.register("matches(6)")
    assert name == "ludion_matches"
    assert ludion.spiel.register("matches(6)") == name
    with pytest.raises(ludion.InputError, match="another name"):
        ludion.spiel.register("matches(7)")
    game = pyspiel.load_game(name)
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.1

    game = pyspiel.load_game(ludion.spiel.register("connect4"))
    state, ours = game.new_initial_state(), ludion.game("connect4").start()
    for action in (3, 3, 0):
        state.apply_action(action)
        ours = ours.play(action)
    assert str(state) == ours.text
    assert state.legal_actions() == list(ours.actions)
    assert state.observation_tensor(1) == ours.planes(1).ravel().tolist()
    bot = pyspiel.make_uniform_random_bot(0, 1)
    evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
    other = mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=numpy.random.RandomState(1))
    returns = evaluate_bots.evaluate_bots(state, [bot, other], numpy.random.RandomState(1))
    assert sum(returns) == 0.0
    assert state.is_terminal()
