#!/usr/bin/env python3
"""Compares the search methods of `ludion tune` at equal numbers of games.

Every method tunes the exploration of `mcts` with the evaluator of the game at its leaves, for which the
default is too large, with about 4,000 games and three seeds. The results of all methods and the default
then play a tournament with another seed, and the table shows their ratings above that of the default:

    cargo build --release && bench/tuning.py            # some minutes; --pairs for shorter tournaments
"""

import argparse
import json
import os
import subprocess
import tempfile

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "ludion")
GAMES = ["connect4", "othello(6)", "kalah"]
PLAYER = "mcts(eval=own, c=?0.02..50, sims=200)"
DEFAULT = "mcts(eval=own, sims=200)"
# Generations in which a method plays about 4,000 games, where a match has 20 pairs: 12 + 8·11, 16·6 and
# 12·8 matches, and 100 generations of 20 pairs.
GENERATIONS = {"genetic": 12, "cross-entropy": 6, "cma-es": 8, "spsa": 100}


def ludion(store, *args):
    command = [PROGRAM, *args, "--json", "--quiet", "--store", store]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=300, help="pairs of games of two results")
    parser.add_argument("--seeds", type=int, default=3, help="tunings by each method")
    options = parser.parse_args()
    print("| game | method | tuned, by seed | Elo above the default, by seed |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store.sqlite")
        for game in GAMES:
            rows = {method: [] for method in GENERATIONS}
            for seed in range(1, options.seeds + 1):
                tuned = {method: tune(store, game, method, seed) for method in GENERATIONS}
                players = list(dict.fromkeys([DEFAULT, *tuned.values()]))
                arguments = ["tournament", game, "--players", *players, "-n", str(options.pairs)]
                standings = ludion(store, *arguments, "--seed", "99")["standings"]
                ratings = {row["player"]: row for row in standings}
                default = min(ratings.values(), key=lambda row: "c=" in row["player"])
                for method, player in tuned.items():
                    row = ratings[player]
                    rows[method].append((player, row["elo"] - default["elo"], row["error"]))
            for method, results in rows.items():
                players = ", ".join(f"`{exploration(player)}`" for player, _, _ in results)
                elos = ", ".join(f"{elo:+.0f} ± {error:.0f}" for _, elo, error in results)
                print(f"| {game} | {method} | {players} | {elos} |", flush=True)


def tune(store, game, method, seed):
    """Returns the player that a method finds."""
    arguments = ["tune", game, PLAYER, "--by", method, "-n", "20", "--seed", str(seed)]
    generations = str(GENERATIONS[method])
    return ludion(store, *arguments, "--generations", generations)["confirmed"]["player"]


def exploration(player):
    """Returns the tuned parameter of a player as text."""
    return next(part.strip(" )") for part in player.split(",") if "c=" in part)


if __name__ == "__main__":
    main()
