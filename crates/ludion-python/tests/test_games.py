from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest

import ludion


def duels() -> list[str]:
    return [info.name for info in ludion.games() if info.kind == "duel"]


def test_every_game_can_be_opened_and_played_to_its_end() -> None:
    assert {"connect4", "tictactoe", "checkers", "matches"} <= set(duels())
    for name in duels():
        state = ludion.game(name).start()
        rng = random.Random(1)
        for _ in range(500):
            if state.is_over:
                break
            assert list(state.actions) == [state.action(move) for move in state.moves]
            assert len(state.actions) == int(state.legal_mask().sum())
            move = rng.choice(state.moves)
            by_action = state.play(state.action(move))
            state = state.play(move)
            assert by_action == state and hash(by_action) == hash(state)
        assert state.outcome in ("first", "second", "draw"), name
        assert state.moves == [] and state.to_play is None
        assert sum(state.returns) == 0


def test_states_are_values() -> None:
    game = ludion.game("connect4")
    start = game.start()
    after = start.play("4")
    assert start.moves == ["1", "2", "3", "4", "5", "6", "7"] and start.to_play == 0
    assert after != start and after.to_play == 1
    assert game.read(after.text) == after
    assert pickle.loads(pickle.dumps(after)) == after
    assert copy.deepcopy(after) == after
    assert pickle.loads(pickle.dumps(game)) == game
    assert len({start, after, game.start()}) == 2
    assert start.play_line("4453") == start.play("4").play("4").play("5").play("3")
    assert after != ludion.game("connect4(8, 7)").start()


def test_a_game_ends_with_an_outcome_and_returns() -> None:
    state = ludion.game("tictactoe").start().play_line("a1 b1 a2 b2 a3")
    assert state.is_over and state.outcome == "first" and state.returns == (1.0, -1.0)
    puzzle = ludion.game("hextris")
    assert puzzle.is_puzzle and puzzle.start().returns == (0.0,)


def test_planes_show_the_stones_of_the_side_to_move_first() -> None:
    game = ludion.game("connect4")
    state = game.start().play("4")
    planes = state.planes()
    assert planes.shape == game.plane_shape == (2, 6, 7) and planes.dtype == np.float32
    assert planes[0].sum() == 0 and planes[1, 5, 3] == 1 and planes.sum() == 1
    assert state.planes(side=0)[0, 5, 3] == 1
    assert state.features() == [2 * 42 - 7 + 3]
    assert state.legal_mask().tolist() == [True] * 7
    with pytest.raises(ludion.InputError, match="a whole number from 0 to 1"):
        state.planes(side=2)


def test_a_picture_is_svg_with_every_stone() -> None:
    state = ludion.game("connect4").start().play_line("4453")
    svg = state._repr_svg_()
    assert svg.startswith("<svg") and svg.endswith("</svg>")
    # A stone of the second side has a ring.
    assert svg.count("<circle") == 4 + 2
    assert state.svg(arrow="4").count("<circle") == 4 + 2 + 1
    assert json.loads(state.scene_json())["layout"] == {"kind": "grid", "cols": 7, "rows": 6}


def test_perft_solve_and_playouts_agree_with_known_values() -> None:
    connect4 = ludion.game("connect4")
    assert connect4.perft(7) == 823_536
    assert [ludion.game("tictactoe").perft(n) for n in range(4)] == [1, 9, 72, 504]
    assert connect4.perft(5, connect4.start().play("4"), threads=2) == 16_807
    ends = connect4.playouts(n=100_000, seed=3)
    assert sum(ends.values()) == 100_000 and ends == connect4.playouts(n=100_000, seed=3)
    assert 0.54 < ends["first"] / 100_000 < 0.57
    solution = ludion.game("tictactoe").solve()
    assert solution.value == "draw" and len(solution.lines) == 9 and len(solution.best) == 9
    forced = ludion.game("tictactoe").solve(ludion.game("tictactoe").start().play_line("a1 b1"))
    assert forced.value == "win" and forced.plies == 5


def test_a_batch_steps_like_single_states() -> None:
    rng = np.random.default_rng(1)
    for name in ["connect4", "tictactoe", "checkers", "hexapawn", "matches"]:
        game = ludion.game(name)
        batch = game.batch(16)
        states = [game.start() for _ in range(16)]
        for _ in range(40):
            legal = batch.legal
            actions = [rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in legal]
            batch.step(np.array(actions))
            states = [s if s.is_over else s.play(int(a)) for s, a in zip(states, actions)]
            assert all(batch[i] == state for i, state in enumerate(states))
            assert batch.done.tolist() == [state.is_over for state in states]
            assert batch.outcome.tolist() == [state.returns[0] for state in states]
            sides = [-1 if state.is_over else state.to_play for state in states]
            assert batch.to_play.tolist() == sides
            assert (batch.legal == np.stack([state.legal_mask() for state in states])).all()
            planes = np.stack([state.planes() for state in states])
            assert (batch.planes() == planes).all()
        batch.step(np.zeros(16, dtype=np.int32) if batch.done.all() else actions_of(batch), restart=True)
        batch.reset()
        assert all(batch[i] == game.start() for i in range(16))


def actions_of(batch: ludion.StateBatch) -> list[int]:
    return [int(row.argmax()) for row in batch.legal]


def test_an_illegal_action_changes_no_state_of_a_batch() -> None:
    game = ludion.game("connect4")
    batch = game.batch(3)
    with pytest.raises(ludion.InputError, match="action 9 is not legal in state 1"):
        batch.step([0, 9, 0])
    with pytest.raises(ludion.InputError, match="2 actions for 3 states"):
        batch.step([0, 0])
    with pytest.raises(ludion.InputError, match="-1 is not legal"):
        batch.step([-1, 0, 0])
    for wrong in ([1.7, 0, 0], ["1", "1", "1"], [True, True, True]):
        with pytest.raises(TypeError, match="whole numbers"):
            batch.step(wrong)
    assert all(batch[i] == game.start() for i in range(3))
    batch[1] = game.start().play("4")
    assert batch.to_play.tolist() == [0, 1, 0]
    with pytest.raises(IndexError):
        batch[3]
    with pytest.raises(ludion.InputError, match="the state is of tictactoe"):
        batch[0] = ludion.game("tictactoe").start()
    with pytest.raises(ludion.InputError, match="needed"):
        batch.planes(np.zeros((1, 1, 1, 1), dtype=np.float32))


def test_finished_games_of_a_batch_begin_again_on_request() -> None:
    batch = ludion.game("tictactoe").batch(2)
    start = batch[0]
    for move in ["a1", "b1", "a2", "b2", "a3"]:
        batch.step([batch[0].action(move)] * 2)
    assert batch.done.all() and batch.outcome.tolist() == [1.0, 1.0]
    batch.step([0, 0])
    assert batch.done.all(), "finished games stay as they are"
    batch.step([0, 0], restart=True)
    assert not batch.done.any() and batch[0] == start


def test_a_playthrough_changes_with_every_move() -> None:
    game = ludion.game("connect4")
    under_way = game.playthrough()
    state = game.start()
    actions = under_way.actions
    rng = random.Random(3)
    while actions:
        assert actions == state.actions and under_way.to_play == state.to_play
        action = rng.choice(actions)
        actions, state = under_way.play(action), state.play(action)
        assert under_way.state == state
    assert under_way.outcome == state.outcome is not None
    with pytest.raises(ludion.InputError, match="the game is over"):
        under_way.play(0)
    assert under_way.restart() == game.start().actions
    assert under_way.restart(game.start().play("4")) and under_way.state.text != game.start().text
    with pytest.raises(ludion.InputError, match="the state is of tictactoe"):
        under_way.restart(ludion.game("tictactoe").start())


def test_riddles_answer_and_are_drawn() -> None:
    riddle = ludion.riddle("mastermind(4, 6)")
    secret = riddle.secret(seed=5)
    assert riddle.answer(secret, secret) == "4b0w"
    assert riddle.svg([("1122", "1b1w")]).startswith("<svg")
    assert pickle.loads(pickle.dumps(riddle)).answer("1234", "1243") == "2b2w"


def test_wrong_input_is_an_exception_with_a_sentence() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ludion.game("conect4"), "connect4"),
        (lambda: ludion.game("connect4(70)"), "cols"),
        (lambda: ludion.game("mastermind"), "riddle"),
        (lambda: ludion.game("connect4").start().play("9"), "9"),
        (lambda: ludion.game("connect4").start().play(7), "action 7 is not legal; legal are 0, 1"),
        (lambda: ludion.game("connect4").start().play(-1), "action -1 is not legal"),
        (lambda: ludion.game("connect4").read("nonsense"), "nonsense"),
        (lambda: ludion.game("connect4").player("mtcs"), "mcts"),
        (lambda: ludion.game("hextris").player("minimax"), "duels only"),
        (lambda: ludion.riddle("mastermind(0)"), "pegs"),
        (lambda: ludion.game("connect4").start().play(10**30), "is not legal"),
        (lambda: ludion.game("connect4").start().move(-1), "action -1 is not allowed"),
        (lambda: ludion.game("connect4").start().planes(-1), "a whole number from 0 to 1"),
        (lambda: ludion.game("connect4").perft(-1), "a whole number from 0 to 1000"),
        (lambda: ludion.game("connect4").perft(20_000), "a whole number from 0 to 1000"),
        (lambda: ludion.game("connect4").batch(10**13), "a whole number from 1 to"),
        (lambda: ludion.game("connect4").solve(megabytes=2**50), "megabytes"),
        (lambda: ludion.game(None), "is no game"),  # type: ignore[arg-type]
        (lambda: ludion.command(), "there is no command"),
        (lambda: ludion.match("tictactoe", "random", "random", pairs=-1), "-1"),
    ]
    for action, words in cases:
        with pytest.raises(ludion.InputError) as error:
            action()
        text = str(error.value)
        assert words in text and "Error" not in text and "::" not in text, text
    with pytest.raises(TypeError):
        ludion.game("connect4").start().play(1.5)  # type: ignore[arg-type]
