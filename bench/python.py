#!/usr/bin/env python3
"""Benchmarks of the Python package ludion beside OpenSpiel, PettingZoo and pgx.

    python3 -m venv peers && peers/bin/pip install ludion numpy open_spiel==2.0.2
    cargo build --release
    peers/bin/python bench/python.py                     all suites
    peers/bin/python bench/python.py moves batch         some of them
    peers/bin/python bench/python.py --rounds 9 --json

All contenders do the same work in turn, in this process, on one thread, measured in CPU time. The
results are the median, the least and the greatest of the rounds; ratios are taken within a round.
Suites:

    moves     random games of Connect Four, move by move from Python: OpenSpiel, and the same games
              through ludion.spiel and the environments of PettingZoo (pip install pygame)
    playouts  random games by one call, beside the program `ludion bench connect4`, in wall-clock
              time: the program measures that, so the fastest slice of either is taken
    batch     steps of 4,096 states of Connect Four with mask and outcome, without and with planes;
              beside pgx on one thread (pip install "jax[cpu]" pgx)
    search    mcts with a NumPy evaluator in batches, beside OpenSpiel's MCTSBot in Python with the
              same evaluator
    import    `import ludion` in a new interpreter
    game      Nim in Python, beside the same game in Rust

A peer that is not installed is left out, and a line says so.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Optional

# One thread for everything, also for what NumPy and JAX call.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import ludion  # noqa: E402
import ludion.spiel  # noqa: E402
import numpy  # noqa: E402

PROGRAM = Path(__file__).resolve().parent.parent / "target" / "release" / "ludion"
STATES = 4096
Work = Callable[[], float]
"""Work that is measured: it returns the units done by one second of CPU time."""


def timed(work: Callable[[], int]) -> float:
    """Returns the units a second of CPU time of some work, which returns its number of units."""
    before = time.process_time()
    units = work()
    return units / (time.process_time() - before)


def missing(package: str, error: ImportError) -> None:
    print(f"{package} is left out: {error}", file=sys.stderr)


# Random games, move by move. The random numbers are drawn beforehand.

NUMBERS = [random.Random(1).getrandbits(30) for _ in range(1 << 16)]


def our_moves(games: int) -> int:
    """Plays random games through `State` and returns the number of moves."""
    draw, start, moves = itertools.cycle(NUMBERS).__next__, ludion.game("connect4").start(), 0
    for _ in range(games):
        state = start
        while actions := state.actions:
            state = state.play(actions[draw() % len(actions)])
            moves += 1
    return moves


def playthrough_moves(games: int) -> int:
    """Plays random games through `Playthrough`, which changes with every move."""
    draw, moves = itertools.cycle(NUMBERS).__next__, 0
    playthrough = ludion.game("connect4").playthrough()
    for _ in range(games):
        actions = playthrough.restart()
        while actions:
            actions = playthrough.play(actions[draw() % len(actions)])
            moves += 1
    return moves


def their_moves(game: Any, games: int) -> int:
    """Plays random games through the methods of OpenSpiel."""
    draw, moves = itertools.cycle(NUMBERS).__next__, 0
    for _ in range(games):
        state = game.new_initial_state()
        while actions := state.legal_actions():
            state.apply_action(actions[draw() % len(actions)])
            moves += 1
    return moves


def their_usual_moves(game: Any, games: int) -> int:
    """Plays random games with the loop of OpenSpiel's documentation, which asks `is_terminal`."""
    draw, moves = itertools.cycle(NUMBERS).__next__, 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[draw() % len(actions)])
            moves += 1
    return moves


def environment_moves(env: Any, games: int) -> int:
    """Plays random games in an environment of PettingZoo."""
    generator, moves = numpy.random.default_rng(1), 0
    for _ in range(games):
        env.reset()
        while True:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                break
            env.step(int(generator.choice(numpy.flatnonzero(observation["action_mask"]))))
            moves += 1
    return moves


def moves_suite() -> dict[str, Work]:
    suite: dict[str, Work] = {
        "State": lambda: timed(lambda: our_moves(2000)),
        "Playthrough": lambda: timed(lambda: playthrough_moves(2000)),
    }
    adapted = ludion.spiel.load_game("connect4")
    try:
        import pyspiel  # type: ignore[import-not-found]

        game = pyspiel.load_game("connect_four")
        suite["OpenSpiel"] = lambda: timed(lambda: their_moves(game, 500))
        suite["OpenSpiel, is_terminal"] = lambda: timed(lambda: their_usual_moves(game, 500))
    except ImportError as error:
        missing("OpenSpiel", error)
    suite["ludion.spiel"] = lambda: timed(lambda: their_moves(adapted, 1000))
    try:
        from ludion import pettingzoo as environments

        ours = environments.raw_env("connect4")
        suite["ludion.pettingzoo"] = lambda: timed(lambda: environment_moves(ours, 100))
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]

        classic = connect_four_v3.raw_env()
        suite["PettingZoo"] = lambda: timed(lambda: environment_moves(classic, 20))
    except ImportError as error:
        missing("PettingZoo", error)
    return suite


# Random games by one call. `ludion bench` measures wall-clock time in five slices. On a busy
# machine only a short slice is not interrupted, so slices are some milliseconds long.


def fastest_playouts(seconds: float) -> float:
    game, best, games = ludion.game("connect4"), 0.0, 1 << 16
    end = time.perf_counter() + seconds
    while (before := time.perf_counter()) < end:
        game.playouts(n=games)
        best = max(best, games / (time.perf_counter() - before))
    return best


def fastest_slice(calls: int) -> float:
    command = [str(PROGRAM), "bench", "connect4", "--seconds", "0.02", "--json", "--quiet"]
    reports = [
        json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        for _ in range(calls)
    ]
    return max(float(report["games"][0]["playouts"]["highest"]) for report in reports)


def playouts_suite() -> dict[str, Work]:
    suite: dict[str, Work] = {"Game.playouts": lambda: fastest_playouts(0.5)}
    if PROGRAM.exists():
        suite["ludion bench"] = lambda: fastest_slice(10)
    else:
        print("ludion bench is left out: build it with cargo build --release", file=sys.stderr)
    return suite


# Many states by one call.


def recorded_actions(steps: int) -> list[Any]:
    """Returns the actions of random games in all states of a batch."""
    batch, generator = ludion.game("connect4").batch(STATES), numpy.random.default_rng(1)
    recorded = []
    for _ in range(steps):
        weights = generator.random(batch.legal.shape, numpy.float32)
        actions = numpy.where(batch.legal, weights, numpy.float32(-1.0)).argmax(axis=1)
        batch.step(actions, restart=True)
        recorded.append(actions)
    return recorded


def batch_suite() -> dict[str, Work]:
    recorded = recorded_actions(200)
    batch = ludion.game("connect4").batch(STATES)
    planes = batch.planes()

    def step() -> int:
        batch.reset()
        for actions in recorded:
            batch.step(actions, restart=True)
        return STATES * len(recorded)

    def step_with_planes() -> int:
        batch.reset()
        for actions in recorded:
            batch.step(actions, restart=True)
            batch.planes(planes)
        return STATES * len(recorded)

    suite: dict[str, Work] = {
        "batch.step": lambda: timed(step),
        "batch.step and planes": lambda: timed(step_with_planes),
    }
    try:
        suite["pgx"] = pgx_work()
    except ImportError as error:
        missing("pgx", error)
    return suite


def pgx_work() -> Work:
    """Returns random games of Connect Four in pgx, whose states have planes, mask and rewards."""
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    auto_reset = importlib.import_module("pgx.experimental").auto_reset
    env = pgx.make("connect_four")
    init, step = jax.jit(jax.vmap(env.init)), jax.vmap(auto_reset(env.step, env.init))

    def play(state: Any, key: Any) -> Any:
        choose, again = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choose, logits, axis=-1)
        return step(state, actions, jax.random.split(again, STATES))

    compiled, key = jax.jit(play), jax.random.PRNGKey(1)
    begin = jax.block_until_ready(init(jax.random.split(key, STATES)))
    jax.block_until_ready(compiled(begin, key))

    def work() -> int:
        state, now = begin, key
        for _ in range(20):
            now, used = jax.random.split(now)
            state = compiled(state, used)
        jax.block_until_ready(state)
        return STATES * 20

    return lambda: timed(work)


# Search with an evaluator in Python.


class Network:
    """A perceptron with random weights: 84 inputs, 128 hidden units, a value and a policy."""

    def __init__(self) -> None:
        generator = numpy.random.default_rng(1)
        self.inner = generator.normal(0.0, 0.1, (84, 128)).astype(numpy.float32)
        self.outer = generator.normal(0.0, 0.1, (128, 8)).astype(numpy.float32)

    def __call__(self, planes: Any) -> tuple[Any, Any]:
        hidden = numpy.maximum(planes.reshape(len(planes), 84) @ self.inner, 0.0)
        out = hidden @ self.outer
        weights = numpy.exp(out[:, 1:])
        return numpy.tanh(out[:, 0]), weights / weights.sum(axis=1, keepdims=True)


class SpielEvaluator:
    """The network for OpenSpiel's tree search, with a cache, as its evaluator of AlphaZero has."""

    def __init__(self, network: Network) -> None:
        self.network, self.cache = network, dict[str, tuple[float, Any]]()

    def infer(self, state: Any) -> tuple[float, Any]:
        key = state.history_str()
        if key not in self.cache:
            # Planes of empty cells, of the second and of the first side, from the bottom row.
            cells = numpy.array(state.observation_tensor(), numpy.float32).reshape(3, 6, 7)
            sides = [cells[0], cells[1]]
            first, second = (1, 0) if state.current_player() else (0, 1)
            planes = numpy.stack([sides[first][::-1], sides[second][::-1]])[None]
            values, policies = self.network(planes)
            self.cache[key] = float(values[0]), policies[0]
        return self.cache[key]

    def evaluate(self, state: Any) -> Any:
        value = self.infer(state)[0]
        return numpy.array([-value, value] if state.current_player() else [value, -value])

    def prior(self, state: Any) -> list[tuple[int, float]]:
        policy, actions = self.infer(state)[1], state.legal_actions()
        total = sum(policy[action] for action in actions)
        return [(action, policy[action] / total) for action in actions]


def check_same_evaluator(network: Network, game: Any) -> None:
    """Fails if the network sees another state through OpenSpiel than through Ludion."""
    state, ours = game.new_initial_state(), ludion.game("connect4").start()
    for action in (3, 3, 4, 0, 3):
        state.apply_action(action)
        ours = ours.play(action)
        expected = float(network(ours.planes()[None])[0][0])
        found = SpielEvaluator(network).infer(state)[0]
        if abs(expected - found) > 1e-5:
            sys.exit("the evaluators do not agree")


def search_suite() -> dict[str, Work]:
    network, start = Network(), ludion.game("connect4").start()

    def ours(sims: int) -> int:
        spec = f"mcts(sims={sims}, flight=256)"
        ludion.player("connect4", spec, evaluator=network).choose(start)
        return sims

    suite: dict[str, Work] = {
        "mcts, 10,000 simulations": lambda: timed(lambda: ours(10_000)),
        "mcts, 1,000 simulations": lambda: timed(lambda: ours(1_000)),
    }
    try:
        import pyspiel
        from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]

        game = pyspiel.load_game("connect_four")
        check_same_evaluator(network, game)

        def theirs(sims: int) -> int:
            bot = mcts.MCTSBot(
                game, 2.0, sims, SpielEvaluator(network), solve=True,
                random_state=numpy.random.RandomState(1),
                child_selection_fn=mcts.SearchNode.puct_value,
            )
            bot.step(game.new_initial_state())
            return sims

        suite["OpenSpiel, 10,000 simulations"] = lambda: timed(lambda: theirs(10_000))
        suite["OpenSpiel, 1,000 simulations"] = lambda: timed(lambda: theirs(1_000))
    except ImportError as error:
        missing("OpenSpiel", error)
    return suite


# Import.

IMPORT = """
import sys, time
wall, cpu = time.perf_counter(), time.process_time()
import ludion
print(time.perf_counter() - wall, time.process_time() - cpu, "numpy" in sys.modules)
"""


def import_suite() -> dict[str, Work]:
    # Modules are read from their compiled files, as after an installation.
    usual = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def measured(which: int) -> float:
        command = [sys.executable, "-c", IMPORT]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=usual)
        words = done.stdout.split()
        if words[2] != "False":
            sys.exit("import ludion imports numpy")
        return 1000.0 * float(words[which])

    return {"CPU time": lambda: measured(1), "wall-clock time": lambda: measured(0)}


# A game in Python.


class Nim:
    """Heaps of matches; a move takes some of one heap, and the last match wins."""

    name = "nim-of-the-benchmark"
    heaps = (4, 8, 12)

    def start(self) -> tuple[tuple[int, ...], int]:
        return self.heaps, 0

    def status(self, state: tuple[tuple[int, ...], int]) -> Any:
        heaps, side = state
        return side if any(heaps) else ("second", "first")[side]

    def moves(self, state: tuple[tuple[int, ...], int]) -> Sequence[str]:
        return [f"{i + 1}:{n}" for i, heap in enumerate(state[0]) for n in range(1, heap + 1)]

    def play(self, state: tuple[tuple[int, ...], int], move: str) -> Any:
        heaps, side = list(state[0]), state[1]
        heap, taken = move.split(":")
        heaps[int(heap) - 1] -= int(taken)
        return tuple(heaps), 1 - side


def game_suite() -> dict[str, Work]:
    own, built_in = ludion.game(Nim), ludion.game("marienbad(4)")

    def playouts(game: ludion.Game, n: int) -> Work:
        def work() -> int:
            game.playouts(n=n)
            return n

        return lambda: timed(work)

    def search(game: ludion.Game, sims: int) -> Work:
        def work() -> int:
            game.player(f"mcts(sims={sims})").choose(game.start())
            return sims

        return lambda: timed(work)

    return {
        "random games, Rust": playouts(built_in, 200_000),
        "random games, Python": playouts(own, 1000),
        "mcts simulations, Rust": search(built_in, 20_000),
        "mcts simulations, Python": search(own, 1000),
    }


SUITES: dict[str, tuple[Callable[[], dict[str, Work]], str, list[tuple[str, str]]]] = {
    "moves": (
        moves_suite,
        "moves/s",
        [
            ("State", "OpenSpiel"),
            ("Playthrough", "OpenSpiel"),
            ("State", "OpenSpiel, is_terminal"),
            ("Playthrough", "OpenSpiel, is_terminal"),
            ("ludion.spiel", "OpenSpiel"),
            ("ludion.pettingzoo", "PettingZoo"),
        ],
    ),
    "playouts": (playouts_suite, "games/s", [("Game.playouts", "ludion bench")]),
    "batch": (batch_suite, "states/s", [("batch.step and planes", "pgx")]),
    "search": (
        search_suite,
        "simulations/s",
        [
            ("mcts, 10,000 simulations", "OpenSpiel, 10,000 simulations"),
            ("mcts, 1,000 simulations", "OpenSpiel, 1,000 simulations"),
        ],
    ),
    "import": (import_suite, "ms", []),
    "game": (
        game_suite,
        "/s",
        [
            ("random games, Rust", "random games, Python"),
            ("mcts simulations, Rust", "mcts simulations, Python"),
        ],
    ),
}


def spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "least": min(values), "greatest": max(values)}


def measure(name: str, rounds: int) -> dict[str, Any]:
    """Measures a suite: its contenders in turn, each round beginning with another one."""
    make, unit, pairs = SUITES[name]
    works = make()
    names = list(works)
    for work in works.values():
        work()
    rates: dict[str, list[float]] = {one: [] for one in names}
    for turn in range(rounds):
        first = turn % len(names)
        for one in names[first:] + names[:first]:
            rates[one].append(works[one]())
    ratios = {
        f"{a} / {b}": spread([x / y for x, y in zip(rates[a], rates[b])])
        for a, b in pairs
        if a in rates and b in rates
    }
    return {"unit": unit, "rates": {one: spread(rates[one]) for one in names}, "ratios": ratios}


def shown(value: float) -> str:
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= 10 * size or (size == 1e6 and value >= size):
            return f"{value / size:.{1 if value < 100 * size else 0}f}{letter}"
    return f"{value:.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def print_table(name: str, result: dict[str, Any]) -> None:
    print(f"\n{name}, {result['unit']}")
    rows = [(one, found) for kind in ("rates", "ratios") for one, found in result[kind].items()]
    width = max(len(one) for one, _ in rows)
    for one, found in rows:
        spans = f"({shown(found['least'])} to {shown(found['greatest'])})"
        print(f"  {one:<{width}}  {shown(found['median']):>8}  {spans}")


def main(args: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Benchmarks of the Python package ludion")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of each suite (default: 7)")
    parser.add_argument("--json", action="store_true", help="write the results as JSON")
    given = parser.parse_args(args)
    unknown = [name for name in given.suites if name not in SUITES]
    if unknown:
        parser.error(f"there is no suite {unknown[0]}; there are {', '.join(SUITES)}")
    load = os.getloadavg()[0]
    results = {name: measure(name, given.rounds) for name in given.suites or SUITES}
    if given.json:
        print(json.dumps({"version": ludion.__version__, "load": load, "suites": results}))
        return
    print(f"ludion {ludion.__version__}, {given.rounds} rounds, load {load:.1f} at the beginning")
    for name, result in results.items():
        print_table(name, result)


if __name__ == "__main__":
    main()
