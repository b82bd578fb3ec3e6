"""Every number that a function takes is checked, and the sentence names it and its range."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import ludion
import ludion.gymnasium
import ludion.pettingzoo
import ludion.vector
from ludion import hextris, mastermind

Call = Callable[[Any], object]

game = ludion.game("tictactoe")
start = game.start()


def in_match(**values: Any) -> object:
    return ludion.match("tictactoe", "random", "random", store="none", **values)


def in_tournament(**values: Any) -> object:
    return ludion.tournament("tictactoe", ["random", "minimax"], store="none", **values)


def in_championship(**values: Any) -> object:
    return ludion.championship("tictactoe", "mcts(c=1..2:1)", store="none", **values)


def in_tune(**values: Any) -> object:
    return ludion.tune("tictactoe", "mcts(c=?1..2, sims=9)", store="none", **values)


def in_learn(**values: Any) -> object:
    return ludion.learn("tictactoe", store="none", **values)


def in_judge(**values: Any) -> object:
    return ludion.judge("tictactoe", ["random"], **values)


SEED = (0, 2**64 - 1)
THREADS = (1, 1024)
PAIRS = (1, 10**9)
OPENING = (0, 1000)
LONGEST = (1, 2**32 - 1)

NUMBERS: list[tuple[str, tuple[int, int], Call]] = [
    ("seed", SEED, lambda n: game.player("random", seed=n)),
    ("seed", SEED, lambda n: game.player("random").begin(n)),
    ("seed", SEED, lambda n: game.playouts(n=1, seed=n)),
    ("seed", SEED, lambda n: game.check(1, n)),
    ("seed", SEED, lambda n: ludion.check("tictactoe", 1, n)),
    ("seed", SEED, lambda n: ludion.player("tictactoe", "random", seed=n)),
    ("seed", SEED, lambda n: ludion.riddle().secret(n)),
    ("seed", SEED, lambda n: mastermind.advise(seed=n)),
    ("seed", SEED, lambda n: mastermind.break_codes(seed=n)),
    ("seed", SEED, lambda n: hextris.solve("dot", 0.1, seed=n)),
    ("seed", SEED, lambda n: ludion.vector.VectorStates("tictactoe", 1, seed=n)),
    ("seed", SEED, lambda n: ludion.vector.VectorStates("tictactoe", 1).reset(n)),
    ("n", (0, 2**64 - 1), lambda n: game.playouts(n=n)),
    ("n", (1, 2**26), lambda n: game.batch(n)),
    ("n", (1, 2**26), lambda n: ludion.vector.VectorStates("tictactoe", n)),
    ("n", (1, 2**26), lambda n: ludion.gymnasium.SelfPlayVectorEnv("tictactoe", n)),
    ("depth", (0, 1000), lambda n: game.perft(n)),
    ("threads", THREADS, lambda n: game.perft(1, threads=n)),
    ("threads", THREADS, lambda n: game.solve(threads=n)),
    ("megabytes", (1, 65_536), lambda n: game.solve(megabytes=n)),
    ("nodes", (1, 2**64 - 1), lambda n: game.solve(nodes=n)),
    ("games", (1, 10**9), lambda n: game.check(n)),
    ("games", (1, 10**9), lambda n: ludion.check("tictactoe", n)),
    ("side", (0, 1), lambda n: start.planes(n)),
    ("side", (0, 1), lambda n: start.features(n)),
    ("action", (0, 2**32 - 1), lambda n: start.move(n)),
    ("port", (0, 65_535), lambda n: ludion.lab(port=n)),
    ("number", (1, 2**63 - 1), lambda n: ludion.run(n)),
    ("threads", THREADS, lambda n: ludion.Match({"run": 1}).resume(threads=n)),
    ("threads", THREADS, lambda n: ludion.Match({"run": 1}).repeat(threads=n)),
    ("threads", THREADS, lambda n: hextris.solve("dot", 0.1, threads=n)),
    ("pegs", (1, 65_535), lambda n: mastermind.advise(pegs=n)),
    ("colours", (1, 65_535), lambda n: mastermind.advise(colours=n)),
    ("pegs", (1, 65_535), lambda n: mastermind.break_codes(pegs=n)),
    ("colours", (1, 65_535), lambda n: mastermind.break_codes(colours=n)),
    ("generations", (1, 100_000), lambda n: in_tune(generations=n)),
    ("rounds", (1, 10_000), lambda n: in_learn(rounds=n)),
    ("games", (20, 10_000_000), lambda n: in_learn(games=n)),
    ("check", (1, 10_000), lambda n: in_learn(check=n)),
    ("pairs", PAIRS, lambda n: in_learn(pairs=n)),
    ("sims", (2, 100_000), lambda n: in_learn(sims=n)),
    ("hidden", (1, 4096), lambda n: in_learn(hidden=[n])),
    ("seed", SEED, lambda n: in_learn(seed=n)),
    ("threads", THREADS, lambda n: in_learn(threads=n)),
    ("positions", (1, 10**9), lambda n: in_judge(positions=n)),
    ("plies", (0, 1000), lambda n: in_judge(plies=(n, n))),
    ("seed", SEED, lambda n: in_judge(seed=n)),
    ("threads", THREADS, lambda n: in_judge(threads=n)),
    ("opening", OPENING, lambda n: ludion.gymnasium.PuzzleEnv(opening=n)),
    ("longest", LONGEST, lambda n: ludion.gymnasium.PuzzleEnv(longest=n)),
    ("opening", OPENING, lambda n: ludion.gymnasium.DuelEnv(opening=n)),
    ("longest", LONGEST, lambda n: ludion.gymnasium.DuelEnv(longest=n)),
    ("opening", OPENING, lambda n: ludion.pettingzoo.env("tictactoe", opening=n)),
    ("longest", LONGEST, lambda n: ludion.pettingzoo.env("tictactoe", longest=n)),
]
for work in (in_match, in_tournament, in_championship, in_tune):
    for name, span in (
        ("pairs", PAIRS),
        ("opening", OPENING),
        ("longest", LONGEST),
        ("seed", SEED),
        ("threads", THREADS),
    ):
        NUMBERS.append((name, span, lambda n, work=work, name=name: work(**{name: n})))  # type: ignore[misc]


def test_numbers_out_of_range_are_refused_with_the_range() -> None:
    for name, (least, most), call in NUMBERS:
        for value in (least - 1, most + 1, -1, 10**30, 10**5000, True, 1.5, "x", [1]):
            with pytest.raises(ludion.InputError) as error:
                call(value)
            text = str(error.value)
            assert text.startswith(f"{name} ") and "\n" not in text and len(text) < 200, text
            assert text.endswith(f"is not allowed; it is a whole number from {least} to {most}"), text


def test_whole_numbers_of_numpy_are_numbers() -> None:
    import numpy

    one = numpy.int64(1)
    assert game.perft(one, threads=one) == 9  # type: ignore[arg-type]
    assert in_match(pairs=one, seed=one, threads=one)
    assert start.play(one) == start.play(1)  # type: ignore[arg-type]


def test_wrong_arguments_of_runs_have_sentences_of_python() -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: ludion.tournament("tictactoe", []), "players has 0 entries; at least 2 players"),
        (lambda: ludion.tournament("tictactoe", ["random"]), "at least 2 players are needed"),
        (lambda: ludion.tournament("tictactoe", "random"), "it is a list of players"),
        (lambda: ludion.tournament("tictactoe", 3), "it is a list of players"),  # type: ignore[arg-type]
        (lambda: ludion.judge("tictactoe", []), "at least 1 player is needed"),
        (lambda: ludion.match("tictactoe", "", "random"), "'' is no player"),
        (lambda: ludion.match("tictactoe", "--help", "random"), "'--help' is no player"),
        (lambda: ludion.match("-x", "random", "random"), "'-x' is no game"),
        (lambda: ludion.game(""), "'' is no game"),
        (lambda: in_match(budget="soon"), "budget 'soon' is not allowed; "),
        (lambda: in_match(sprt=5), "sprt 5 is not allowed; it is a ludion.Sprt"),
        (lambda: in_tune(method="luck"), "method 'luck' is not allowed; "),
        (lambda: in_learn(hidden=[]), "hidden is empty"),
        (lambda: in_learn(hidden=64), "it is a list of widths"),
        (lambda: in_learn(pairs=10**8), "pairs '100000000' is not allowed; "),
        (lambda: in_judge(plies=5), "it is a pair"),
        (lambda: in_judge(plies=(9, 3)), "9 is above 3"),
        (lambda: hextris.solve("dot", -1), "seconds -1 is not allowed"),
        (lambda: hextris.solve("dot", "soon"), "seconds 'soon' is not allowed"),  # type: ignore[arg-type]
    ]
    for action, words in cases:
        with pytest.raises(ludion.InputError) as error:
            action()
        text = str(error.value)
        assert words in text and "--" not in text.replace("'--help'", "") and "<" not in text, text


def test_the_classes_of_errors() -> None:
    assert issubclass(ludion.InputError, ludion.LudionError)
    assert issubclass(ludion.InputError, ValueError)
    assert ludion.InputError.__module__ == "ludion" and ludion.InputError.__doc__
    copy = pickle.loads(pickle.dumps(ludion.InputError("no")))
    assert type(copy) is ludion.InputError and str(copy) == "no"
    with pytest.raises(IndexError, match="there is no state"):
        game.batch(1)[10**30]
    with pytest.raises(TypeError, match="a move is a str, or an int"):
        start.play(1.5)  # type: ignore[arg-type]
    with pytest.raises(ludion.InputError, match="is not legal; legal are 0, 1"):
        start.play(10**30)


def test_players_and_games_under_way_are_pickled_and_batches_are_not() -> None:
    player = game.player("mcts(sims=100)", seed=7)
    copy = pickle.loads(pickle.dumps(player))
    assert (copy.spec, copy.game) == (player.spec, player.game)
    assert copy.choose(start).lines == player.choose(start).lines, "the copy has the same seed"
    under_way = game.playthrough()
    under_way.play("b2")
    assert pickle.loads(pickle.dumps(under_way)).state == under_way.state
    with pytest.raises(TypeError, match="a batch cannot be pickled; its states can"):
        pickle.dumps(game.batch(2))
    assert pickle.loads(pickle.dumps(list(game.batch(2)))) == [start, start]
