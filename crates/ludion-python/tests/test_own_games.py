from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from own_games import Countdown, Nim

import ludion


def test_the_laws_hold_for_games_in_python() -> None:
    assert ludion.check(Nim, games=1) > 4
    assert ludion.check(Countdown, games=3) > 5


def test_a_game_in_python_is_searched_and_solved() -> None:
    game = ludion.game(Nim)
    assert game.spec == "py-nim" and not game.is_puzzle and game.action_count == 15
    start = game.start()
    # 3, 4 and 5 have the nim-sum 2: only taking two matches from 3 wins.
    assert game.solve().value == "win" and game.solve().best == ["1-2"]
    for spec in ["mcts(sims=500)", "deepening(depth=4, secs=0)", "minimax(depth=2)"]:
        assert game.player(spec).choose(start).move in start.moves
    assert game.player("mcts(sims=15000)").choose(start).move == "1-2"
    assert game.read(start.play("1-2").text) == start.play("1-2")
    assert game.perft(2) == sum(len(start.play(m).moves) for m in start.moves)
    assert start.planes().shape == game.plane_shape
    assert start.svg().count("<ellipse") == 12, "a head for each match"
    assert len(game.batch(4)[0].moves) == 12


def test_a_game_with_the_four_methods_only_is_complete() -> None:
    game = ludion.game(Countdown)
    assert game.solve().best == ["1"] and game.start().moves == ["1", "2"]
    svg = game.start().svg()
    assert "(7, 0)" in svg and svg.count("<text") == 3, "two buttons and the text of the state"
    table = ludion.tournament(Countdown(), ["minimax(depth=9)", "random"], pairs=10)
    assert table.winner == "minimax(depth=9)"


class SmallNim(Nim):
    """Learned in a second: the check of a network solves many positions, here by methods in Python."""

    name = "small-nim"

    def start(self) -> tuple[tuple[int, ...], int]:
        return (1, 1, 2), 0


@pytest.mark.parametrize("rules", [Countdown, SmallNim])
def test_a_game_in_python_can_be_learned(rules: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.net"
    run = ludion.learn(rules, file, rounds=2, games=20, check=1, pairs=2, sims=8)
    assert file.exists() and run.finished and len(run.rows()) == 2
    game = ludion.game(rules)
    assert game.player(f"mcts(eval=net({file}), sims=50)").choose(game.start()).move


class Broken(Countdown):
    name = "broken"

    def moves(self, state: tuple[int, int]) -> list[int]:
        if state[0] < 4:
            raise KeyError("lost")
        return super().moves(state)


def test_an_exception_of_a_game_is_raised_and_no_result_kept() -> None:
    before = len(ludion.runs())
    game = ludion.game(Broken)
    works: list[Callable[[], object]] = [
        lambda: game.player("mcts(sims=100)").choose(game.start()),
        lambda: game.solve(),
        lambda: game.playouts(n=10),
        lambda: game.start().play_line("2 2").moves,
        lambda: ludion.match(Broken, "random", "mcts(sims=10)", pairs=3),
        lambda: ludion.check(Broken),
    ]
    for work in works:
        with pytest.raises(KeyError, match="lost"):
            work()
    kept = ludion.runs()[: len(ludion.runs()) - before]
    assert all(run["games"] == 0 for run in kept)
    assert game.start().moves == ["1", "2"], "the game can still be used"


@pytest.mark.parametrize(
    ("method", "answer", "words"),
    [
        ("status", lambda self, s: 2, "is no status"),
        ("status", lambda self, s: "white", "is no status"),
        ("moves", lambda self, s: [], "no moves"),
        ("moves", lambda self, s: [1, 1], "same text"),
    ],
)
def test_wrong_rules_are_told(method: str, answer: Any, words: str) -> None:
    rules = type("Wrong", (Countdown,), {method: answer, "name": "wrong"})
    with pytest.raises(ludion.InputError, match=words):
        ludion.game(rules).start().moves


def test_a_game_needs_its_methods_and_a_name() -> None:
    with pytest.raises(ludion.InputError, match="play is missing"):
        ludion.game(type("Half", (), {n: lambda self, *a: 0 for n in ("start", "status", "moves")}))
    with pytest.raises(ludion.InputError, match="comes with Ludion"):
        ludion.add_game(Countdown, name="connect4")
    with pytest.raises(ludion.InputError, match="is no name of a game"):
        ludion.add_game(Countdown, name="Count Down")


def test_threads_of_python_use_one_game_together() -> None:
    game = ludion.game(Nim)
    batch = game.batch(8)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(20):
                state = game.start()
                while state.actions:
                    state = state.play(state.actions[0])
                assert game.player("mcts(sims=30)", seed=number).choose(game.start()).move
                assert batch[number % 8].moves and len(batch.planes()) == 8
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not failures and not any(thread.is_alive() for thread in threads)


def test_games_of_one_name_stay_apart() -> None:
    class Sized(Countdown):
        name = "sized"

        def __init__(self, n: int) -> None:
            self.n = n

        def start(self) -> tuple[int, int]:
            return self.n, 0

    small, large = ludion.game(Sized(3)), ludion.game(Sized(9))
    assert (small.spec, large.spec) == ("sized", "sized-2") and small != large
    assert small.start().text == "(3, 0)" and ludion.match(small, "random", "random", pairs=1)
    with pytest.raises(ludion.InputError, match="the state is of sized-2"):
        small.solve(large.start())


def test_a_game_goes_to_another_process_with_its_rules() -> None:
    state = ludion.game(Nim).start().play("1-2")
    program = (
        f"import sys, pickle; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        f"print(pickle.loads(bytes.fromhex({pickle.dumps(state).hex()!r})).text)\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.stdout.strip() == state.text


def test_an_exception_belongs_to_the_calls_that_use_the_game() -> None:
    game, broken = ludion.game("connect4"), ludion.game(Broken)
    counts: list[int] = []
    thread = threading.Thread(target=lambda: counts.append(game.perft(9)))
    thread.start()
    for _ in range(20):
        with pytest.raises(KeyError):
            broken.start().play_line("2 2").moves
    thread.join()
    assert counts == [game.perft(9)]


def test_rules_that_change_a_state_are_told() -> None:
    class InPlace(Countdown):
        name = "in-place"

        def start(self) -> Any:
            return [5, 0]

        def play(self, state: Any, move: int) -> Any:
            state[0] -= move
            state[1] = 1 - state[1]
            return state

    with pytest.raises(ludion.InputError, match="returns a new one"):
        ludion.game(InPlace).start().play("1")


class Coins:
    """Take one or two coins; the side that takes the last one wins."""

    name = "py-coins"

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self) -> tuple[int, int]:
        return self.count, 0

    def status(self, state: tuple[int, int]) -> int | str:
        left, side = state
        return side if left else ("second" if side == 0 else "first")

    def moves(self, state: tuple[int, int]) -> list[str]:
        return [str(n) for n in (1, 2) if n <= state[0]]

    def play(self, state: tuple[int, int], move: str) -> tuple[int, int]:
        return state[0] - int(move), 1 - state[1]


def test_a_pickled_game_keeps_its_rules_where_its_name_is_taken() -> None:
    few = ludion.game(Coins(3))
    data = pickle.dumps(few.start())
    other = Coins(50)
    ludion.add_game(other, few.spec)
    state = pickle.loads(data)
    assert state.text == few.start().text
    assert state.game.start().text == few.start().text
    assert pickle.loads(data).game == state.game
    assert ludion.game(few.spec).start().text != state.text
