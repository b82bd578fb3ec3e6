#!/usr/bin/env python3
"""Benchmarks of Ludion against Python libraries: OpenSpiel's tree search and BitBully's solver.

    python3 -m venv peers && peers/bin/pip install open_spiel==2.0.2 bitbully==0.0.79
    cargo build --release
    peers/bin/python bench/peers.py                      both
    peers/bin/python bench/peers.py --lines FILE         solve these positions instead
    peers/bin/python bench/peers.py --json

All contenders do the same work in turn, on one thread, measured in CPU time; the results are the
ratios within a round. FILE has one position per line as played columns 1 to 7, optionally followed
by a space and its score, which both must find.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent.parent / "target" / "release" / "ludion"


def cpu(work):
    """Return the result of some work and its CPU seconds, including child processes."""
    def spent():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime
    before = spent()
    result = work()
    return result, spent() - before


def ludion(*args, lines=""):
    command = [PROGRAM, *args]
    return subprocess.run(command, input=lines, text=True, capture_output=True, check=True).stdout


def tree_search(simulations):
    """Compare simulations from the start of Connect Four: Ludion, OpenSpiel."""
    import pyspiel

    def ours():
        ludion("analyse", "connect4", "--player", f"mcts(sims={simulations})", "--json")

    game = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def theirs():
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, True, 1, False)
        bot.step(game.new_initial_state())

    return {"unit": "simulations", "count": simulations, "ludion": ours, "open_spiel": theirs}


def won(stones):
    """Return whether a set of cells, as (column, row), has four in a row."""
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return any(
        all((c + i * dc, r + i * dr) in stones for i in range(4))
        for c, r in stones
        for dc, dr in steps
    )


def random_line(rng, length):
    """Return the columns of a random game of `length` stones, or None if it is over by then."""
    heights, sides, line = [0] * 7, (set(), set()), ""
    for ply in range(length):
        column = rng.choice([c for c in range(7) if heights[c] < 6])
        sides[ply % 2].add((column, heights[column]))
        heights[column] += 1
        line += str(column + 1)
        if won(sides[ply % 2]):
            return None
    return line


def solving(lines, scores):
    """Compare exact solving with tables kept between positions: Ludion, BitBully."""
    import bitbully

    def ours():
        command = ("solve", "connect4", "--threads", "1", "--lines", "-")
        answers = ludion(*command, lines="\n".join(lines) + "\n")
        return [int(answer.split()[1]) for answer in answers.splitlines()]

    def theirs():
        solver, found = bitbully.BitBully(opening_book=None), []
        for line in lines:
            board = bitbully.Board()
            board.play([int(column) - 1 for column in line])
            found.append(solver.mtdf(board))
        return found

    def checked(solve):
        def work():
            found = solve()
            if scores is not None and found != scores:
                sys.exit("a score is wrong")
            return found
        return work

    if scores is None and ours() != theirs():
        sys.exit("the two do not agree")
    return {"unit": "positions", "count": len(lines), "ludion": checked(ours),
            "bitbully": checked(theirs)}


def measure(suite, rounds):
    """Return rates and ratios of a suite: median, minimum and maximum of the rounds."""
    names = [name for name in suite if name not in ("unit", "count")]
    times = {name: [] for name in names}
    for turn in range(rounds):
        for name in names[turn % 2:] + names[:turn % 2]:
            times[name].append(cpu(suite[name])[1])
    ours, theirs = (times[name] for name in names)
    ratios = [b / a for a, b in zip(ours, theirs)]
    return {
        "unit": suite["unit"],
        "per_second": {name: suite["count"] / statistics.median(times[name]) for name in names},
        "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)},
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=Path, help="positions to solve")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit("build the program first: cargo build --release")
    suites = {}
    if args.lines:
        rows = [row.split() for row in args.lines.read_text().splitlines() if row.strip()]
        scores = [int(row[1]) for row in rows] if all(len(row) > 1 for row in rows) else None
        suites["connect4-solve"] = solving([row[0] for row in rows], scores)
    else:
        rng, lines = random.Random(2026), []
        while len(lines) < 100:
            lines += filter(None, [random_line(rng, rng.randrange(15, 29))])
        suites["connect4-mcts"] = tree_search(args.simulations)
        suites["connect4-solve"] = solving(lines, None)
    results = {name: measure(suite, args.rounds) for name, suite in suites.items()}
    if args.json:
        print(json.dumps(results))
        return
    for name, result in results.items():
        print(name)
        for peer, rate in result["per_second"].items():
            print(f"  {peer:<12} {rate:>12.1f} {result['unit']}/s")
        ratio = result["ratio"]
        print(f"  ratio {ratio['median']:.2f} ({ratio['min']:.2f} to {ratio['max']:.2f})")


if __name__ == "__main__":
    main()
