from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Optional

import pytest

import ludion
from ludion import hextris, mastermind


def test_a_match_is_stored_shown_and_repeated() -> None:
    played = ludion.match("tictactoe", "minimax(depth=3)", "random", pairs=20, seed=7)
    assert played.number is not None and played.finished and played.repeatable
    assert played.wins + played.draws + played.losses == 40 == 2 * sum(played.pentanomial)
    assert played.elo.low < played.elo.value < played.elo.high
    stored = ludion.run(played.number)
    assert isinstance(stored, ludion.Match) and stored.wins == played.wins
    assert ludion.runs()[0]["run"] == played.number
    report = played.repeat()
    assert report and report.identical and report.compared == 40
    assert len(played.games()) == 40
    assert played.resume().finished
    frame = played.to_pandas()
    assert list(frame["player"]) == ["minimax(depth=3)", "random"]
    assert "<table>" in played._repr_html_() and "minimax" in str(played)
    played.forget()
    with pytest.raises(ludion.InputError, match="run"):
        ludion.run(played.number)


@pytest.mark.arrow
def test_results_are_arrow_tables() -> None:
    played = ludion.match("tictactoe", "minimax(depth=3)", "random", pairs=2, store="none")
    assert played.to_arrow().num_rows == 2


def test_a_sequential_test_ends_a_match() -> None:
    test = ludion.Sprt(elo0=0, elo1=100, model="logistic")
    played = ludion.match("tictactoe", "minimax(depth=4)", "random", pairs=2000, sprt=test)
    state = played.sprt
    assert state is not None and state.decision == "upper" and state.llr > state.bounds[1] > 0
    assert sum(played.pentanomial) < 2000


def test_championship_and_tuning_have_charts() -> None:
    championship = ludion.championship("tictactoe", "mcts(c=1..3:1, sims=20)", pairs=2)
    assert len(championship.rows()) == 3
    svg = championship.svg()
    assert svg is not None and svg.lstrip().startswith("<")
    tuning = ludion.tune("tictactoe", "mcts(c=?0.5..5, sims=10)", generations=1, pairs=1)
    assert tuning.best.startswith("mcts(") and "<svg" in tuning._repr_html_()


def test_learning_writes_a_network_and_repeats(tmp_path: Path) -> None:
    file = tmp_path / "t.net"
    sizes: dict[str, Any] = {"rounds": 2, "games": 20, "check": 2, "pairs": 2, "sims": 8}
    run = ludion.learn("tictactoe", file, hidden=[16, 8], inputs="cells", **sizes)
    assert file.exists() and run.finished and len(run.rows()) == 1
    assert "<svg" in run._repr_html_()
    judged = ludion.judge("tictactoe", [f"policy({file})", "random"], positions=50)
    assert len(judged.rows()) == 2


def test_commands_return_their_reports() -> None:
    assert ludion.command("perft", "tictactoe", "5")["nodes"] == 15120
    with pytest.raises(ludion.InputError, match="unrecognized subcommand|dance"):
        ludion.command("dance")
    with pytest.raises(ludion.InputError, match="tictactoe"):
        ludion.command("perft", "tictacto", "5")


def test_progress_is_written_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    ludion.match("tictactoe", "random", "random", pairs=5, store="none", progress=True)
    assert "repeatable" in capsys.readouterr().err
    ludion.match("tictactoe", "random", "random", pairs=5, store="none", progress=False)
    assert capsys.readouterr().err == ""


def test_one_command_runs_at_a_time() -> None:
    def nested(state: ludion.State, budget: object) -> str:
        ludion.match("tictactoe", "random", "random", pairs=1, store="none")
        return state.moves[0]

    result = ludion.match("tictactoe", nested, "random", pairs=1, store="none")
    assert "another command is running" in result.data["forfeit_reasons"][0]["reason"]


def test_mastermind_and_hextris() -> None:
    advice = mastermind.advise([("1122", "1b1w")])
    assert (advice.guess, advice.left, advice.found) == ("1314", 208, False)
    assert mastermind.advise([("1122", "1b1w"), ("1122", "4b0w")]).conflict is not None
    with pytest.raises(ludion.InputError):
        mastermind.advise([("1", "1b1w")])
    solutions = hextris.solve("dot", 0.3)
    assert solutions and solutions[0]["solution"]
    assert hextris.score("dot", solutions)
    assert hextris.solve("dot", 0.3, phrases=[])
    assert len(hextris.problems()) > 3


def test_other_threads_of_python_go_on_while_rust_works() -> None:
    game = ludion.game("connect4")
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    game.player("mcts").choose(game.start(), "300ms")
    done.set()
    thread.join()
    assert ticks > 30


def test_the_package_imports_quickly_and_without_numpy() -> None:
    program = "import sys, ludion; assert 'numpy' not in sys.modules; ludion.game('connect4')"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_without_numpy_arrays_are_refused_and_the_rest_works() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import ludion; g = ludion.game('connect4'); s = g.start()\n"
        "assert g.player('mcts(sims=50)').choose(s).move\n"
        "guess = ludion.player(g, 'mcts(sims=9)', evaluator=lambda planes: planes)\n"
        "for work in (s.planes, s.legal_mask, lambda: g.batch(2), lambda: guess.choose(s)):\n"
        "    try:\n        work()\n"
        "    except ModuleNotFoundError as error:\n        assert 'need NumPy' in str(error)\n"
        "    else:\n        raise AssertionError(work)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_program_comes_with_the_package() -> None:
    run = [sys.executable, "-m", "ludion"]
    shown = subprocess.run([*run, "perft", "tictactoe", "3"], capture_output=True, text=True)
    assert shown.returncode == 0 and "504" in shown.stdout
    wrong = subprocess.run([*run, "perft", "chess", "3"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "chess" in wrong.stderr


LABORATORY = """
import signal, sys
# A process in the background may have been started with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {folder!r})
import ludion
from own_games import Countdown, Nim

class Broken(Countdown):
    name = "broken"
    def play(self, state, move):
        raise KeyError("lost")

class Endless(Countdown):
    name = "endless"
    def play(self, state, move):
        while state[0] == 100:
            pass
        return super().play(state, move)

ludion.lab([Nim, Broken, Endless], port=0, store={store!r})
"""


def test_the_laboratory_goes_on_after_an_exception_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    folder, store = os.path.dirname(__file__), str(tmp_path / "lab.sqlite")
    program, errors = LABORATORY.format(folder=folder, store=store), tmp_path / "errors"
    with errors.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=file, text=True
        )
    try:
        assert process.stdout is not None
        # The address is told when the laboratory listens, so the first request finds it.
        address = process.stdout.readline().split()[5].rstrip(";")
        assert "py-nim" in _request(f"{address}/api/games")
        choose = f"{address}/api/choose"
        for _ in range(2):
            answer = _request(choose, {"game": "broken", "player": "mcts(sims=20)"})
            assert answer, "the search has ended"
        assert "KeyError: 'lost'" in errors.read_text()
        assert '"best"' in _request(choose, {"game": "py-nim", "player": "mcts(sims=20)"})
        # Its answer never comes.
        endless = {"game": "endless", "state": "(100, 0)", "player": "mcts(sims=20)"}
        _request(choose, endless, timeout=0.5)
    finally:
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        try:
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
    assert time.monotonic() - began < 5
    assert process.stdout.read() == "the laboratory is closed\n"
    assert "KeyboardInterrupt" not in errors.read_text()


def _request(address: str, body: Optional[object] = None, timeout: float = 20) -> str:
    """Returns the answer to a request, and what has come of it in time."""
    from urllib.request import Request, urlopen

    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json"})
    text, end = b"", time.monotonic() + timeout
    try:
        with urlopen(request, timeout=timeout) as answer:
            while (piece := answer.read1()) and time.monotonic() < end:
                text += piece
    except OSError:  # socket.timeout
        pass
    return text.decode()


def test_a_store_is_a_path(tmp_path: Path) -> None:
    played = ludion.match("tictactoe", "random", "random", pairs=1, store=tmp_path / "runs.sqlite")
    assert played.number is not None and (tmp_path / "runs.sqlite").exists()
    wrong: Any
    for wrong in ([], True, 1.5, b"x", ""):
        with pytest.raises(ludion.InputError, match="store"):
            ludion.match("tictactoe", "random", "random", pairs=1, store=wrong)
