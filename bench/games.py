#!/usr/bin/env python3
"""Benchmarks of the rules of Ludion beside those of OpenSpiel: random games and perft.

    python3 -m venv peers && peers/bin/pip install ludion open_spiel==2.0.2
    peers/bin/python bench/games.py                      all games of agreement.py
    peers/bin/python bench/games.py kalah gomoku         some of them
    peers/bin/python bench/games.py --rounds 9 --json

Both play random games from the start in compiled code, by one call: `Game.playouts` here, an
`MCTSBot` of one simulation there. Perft of OpenSpiel is a loop in Python over its states, because it has
none of its own. All contenders take turns on one thread, measured in CPU time; ratios are taken
within a round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any, Callable

import ludion
import pyspiel
from agreement import TABLE, Row, single


def rate(work: Callable[[], int]) -> float:
    """Returns the units that some work does in a second of CPU time."""
    before = time.process_time()
    count = work()
    return count / (time.process_time() - before)


def contenders(row: Row, games: int, depth: int) -> dict[str, dict[str, Callable[[], int]]]:
    """Returns the work of both programs for each unit."""
    ours, theirs = ludion.game(row.ours), pyspiel.load_game(row.theirs)
    # One simulation of tree search plays all its random games from one position.
    evaluator, start = pyspiel.RandomRolloutEvaluator(games, 1), theirs.new_initial_state()
    bot = pyspiel.MCTSBot(theirs, evaluator, 1.4, 1, 1000, False, 1, False)

    def our_games() -> int:
        ours.playouts(n=30 * games)
        return 30 * games

    def their_games() -> int:
        bot.step(start)
        return games

    def perft(state: Any, depth: int) -> int:
        if state.is_terminal():
            return 0
        # The text of an action is written only where a move has several.
        moves = state.legal_actions()
        lists = [[action] for action in moves] if row.moves is single else row.moves(state).values()
        if depth == 1:
            return len(lists)
        lines = 0
        for actions in lists:
            child = state.clone()
            for action in actions:
                child.apply_action(action)
            lines += perft(child, depth - 1)
        return lines

    def their_perft() -> int:
        lines = perft(start, depth)
        assert lines == ours.perft(depth), f"perft of {row.ours}"
        return lines

    return {
        "games": {"ludion": our_games, "open_spiel": their_games},
        "lines": {"ludion": lambda: ours.perft(depth + 1), "open_spiel": their_perft},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="games to measure; all by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=300, help="games of OpenSpiel in a round")
    parser.add_argument("--depth", type=int, default=3, help="depth of OpenSpiel's perft")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    results = {}
    for row in TABLE:
        if args.names and row.ours.split("(")[0] not in args.names:
            continue
        for unit, works in contenders(row, args.games, args.depth).items():
            rounds = [{name: rate(work) for name, work in works.items()} for _ in range(args.rounds)]
            ratios = [a["ludion"] / a["open_spiel"] for a in rounds]
            median = {name: statistics.median(a[name] for a in rounds) for name in works}
            ratio = {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}
            results[f"{row.ours} {unit}"] = {"per_second": median, "ratio": ratio}
    if args.json:
        print(json.dumps(results))
        return
    for name, result in results.items():
        ours, theirs = result["per_second"]["ludion"], result["per_second"]["open_spiel"]
        ratio = result["ratio"]
        print(f"{name:<28} ludion {ours:>14,.0f}/s  open_spiel {theirs:>10,.0f}/s  "
              f"ratio {ratio['median']:.1f} ({ratio['min']:.1f} to {ratio['max']:.1f})")


if __name__ == "__main__":
    main()
