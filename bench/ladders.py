#!/usr/bin/env python3
"""Prints the rating list of every game as Markdown, for docs/guide/ratings.md.

    cargo build --release && bench/ladders.py > ratings.txt         # some minutes

The players of a list are all that keep to the budget and need no file. A list ends after its rounds or
after a minute, whichever is first; the number of rounds is printed, and the command with it gives the same
list again.
"""

import argparse
import json
import os
import subprocess
import tempfile

PROGRAM = os.path.join(os.path.dirname(__file__), "..", "target", "release", "ludion")


def output(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def duels():
    """Returns the names of all games for two players."""
    games = json.loads(output([PROGRAM, "games", "--json"]))["games"]
    return [game["name"] for game in games if not game["puzzle"]]


def ladder(game, options, store):
    """Plays the list of a game and returns its report."""
    command = [PROGRAM, "ladder", game, "--budget", options.budget, "--rounds", str(options.rounds)]
    run = subprocess.Popen(
        [*command, "--seed", "1", "--json", "--quiet", "--store", store],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        out, _ = run.communicate(timeout=options.seconds)
    except subprocess.TimeoutExpired:
        run.terminate()
        out, _ = run.communicate()
    return json.loads(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--budget", default="500sims,5000nodes", help="what a player spends on a move")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=60, help="largest time of a list")
    parser.add_argument("games", nargs="*", help="the games; all if none is given")
    options = parser.parse_args()
    for game in options.games or duels():
        with tempfile.TemporaryDirectory() as folder:
            report = ladder(game, options, os.path.join(folder, "store.sqlite"))
        print(f"## {game}\n\n{report['verdict']}.\n")
        print("| player | Elo | ± | games | score |\n|---|---|---|---|---|")
        for row in report["players"]:
            games = row["wins"] + row["draws"] + row["losses"]
            numbers = f"{row['elo']:+.0f} | {row['error']:.0f} | {games} | {100 * row['score']:.1f} %"
            print(f"| `{row['player']}` | {numbers} |")
        budget, rounds = options.budget, report["rounds"]
        print(f"\n`ludion ladder {game} --budget {budget} --rounds {rounds}`\n", flush=True)


if __name__ == "__main__":
    main()
