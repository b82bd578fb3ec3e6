"""Ctrl-C: what runs is stopped, also Python code that does not return, and all works afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

# The program interrupts each of its works once and then lets it run to its end. A process in the
# background may have been started with the signal ignored.
PROGRAM = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {folder!r})
import numpy
import ludion
from own_games import Countdown

hangs = True

def hang():
    while hangs:
        pass

{works}

for name, work in list(globals().items()):
    if name.startswith("do_"):
        hangs = True
        print("begin", name, flush=True)
        try:
            work(10**6)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        hangs = False
        for _ in range(2):
            work(1)
        print("again", sum(range(1000)), flush=True)
"""

RUST = """
g = ludion.game("connect4")
large = ludion.game("connect4(8, 7)")
late = g.start().play_line("444444333333222")
do_choose = lambda n: g.player("mcts").choose(g.start(), f"{n}000sims")
do_perft = lambda n: g.perft(16 if n > 1 else 2)
do_playouts = lambda n: g.playouts(n=n * 10**6)
do_solve = lambda n: large.solve(large.start()) if n > 1 else g.solve(late)
do_check = lambda n: ludion.check("connect4", n)
do_match = lambda n: ludion.match(g, "mcts(sims=9000)", "random", pairs=n, store="none")
"""

PLAYERS = """
g = ludion.game("tictactoe")

def player(state, budget):
    hang()
    return state.moves[0]

def evaluate(planes):
    hang()
    return numpy.zeros(len(planes)), numpy.ones((len(planes), 9))

def choose(spec, **values):
    return ludion.player(g, spec, **values).choose(g.start())

do_match = lambda n: ludion.match(g, player, "random", pairs=1, store="none")
do_threads = lambda n: ludion.match(g, player, player, pairs=4, threads=2, store="none")
do_choose = lambda n: choose(ludion.add_player(player))
do_evaluate = lambda n: choose("mcts(sims=9)", evaluator=evaluate)
do_evaluate_on_threads = lambda n: choose("mcts(sims=99, threads=2)", evaluator=evaluate)
do_report = lambda n: g.player("mcts").choose(
    g.start(), "50ms" if n == 1 else "60s", on_report=lambda choice: hang(), interval=0.01)

def do_search_beside_another_thread(n):
    found = []
    quick = lambda planes: (numpy.zeros(len(planes)), numpy.ones((len(planes), 9)))
    search = lambda: found.append(choose("mcts(sims=2000, flight=1)", evaluator=quick).move)
    thread = threading.Thread(target=search)
    thread.start()
    try:
        do_choose(n)
    finally:
        thread.join()
        assert found and found[0] in g.start().moves, "the other thread is not interrupted"
"""

GAMES = """
def slow(method):
    def call(self, state, *move):
        if state != (7, 0):
            hang()
        return getattr(Countdown, method)(self, state, *move)
    return type("Slow", (Countdown,), {"name": "slow-" + method, method: call})

class Short(Countdown):
    start = lambda self: (2, 0)

moves, play, status = slow("moves"), slow("play"), slow("status")
do_search = lambda n: ludion.game(moves).player("mcts(sims=9)").choose(ludion.game(moves).start())
do_solve = lambda n: ludion.game(status).solve()
do_playouts = lambda n: ludion.game(play).playouts(n=9)
do_check = lambda n: ludion.check(moves if n > 1 else Short, games=1)
do_check_play = lambda n: ludion.check(play if n > 1 else Short, games=1)
do_match = lambda n: ludion.match(moves, "minimax(depth=2)", "random", pairs=1, store="none")
do_directly = lambda n: ludion.game(moves).start().play("1").moves
"""

RUNS = """
def player(state, budget):
    hang()
    return state.moves[0]

def do_resume(n):
    if n > 1:
        ludion.match("tictactoe", player, "random", pairs=3)
    elif ludion.run(1).finished:
        assert ludion.run(1).forfeits == [0, 0] and sum(ludion.run(1).pentanomial) == 3
    else:
        assert sum(ludion.run(1).pentanomial) == 0, "a game that was interrupted does not count"
        assert ludion.run(1).resume().finished

def do_interrupt_a_resumed_run(n):
    if n > 1:
        global hangs
        hangs = False
        ludion.match("tictactoe", player, "random", pairs=3)
        hangs = True
        ludion.run(2).repeat()
"""


@pytest.mark.parametrize(
    ("works", "seconds"), [(RUST, 15), (PLAYERS, 5), (GAMES, 5), (RUNS, 5)], ids=["rust", "players", "games", "runs"]
)
def test_ctrl_c_interrupts_and_all_works_afterwards(
    works: str, seconds: float, tmp_path: Path
) -> None:
    program = PROGRAM.format(folder=os.path.dirname(__file__), works=works)
    environment = {**os.environ, "LUDION_STORE": str(tmp_path / "runs.sqlite")}
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    done = 0
    try:
        while (line := process.stdout.readline()).startswith("begin"):
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            began = time.monotonic()
            assert process.stdout.readline() == "interrupted\n", line
            assert time.monotonic() - began < seconds, line
            assert process.stdout.readline() == "again 499500\n", line
            done += 1
        assert line == "" and process.wait(timeout=20) == 0
    finally:
        process.kill()
    assert done == works.count("\ndo_") + works.count("\ndef do_")
