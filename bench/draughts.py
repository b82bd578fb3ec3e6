#!/usr/bin/env python3
"""Ludion against players of draughts from the registries, at equal CPU time.

    npm install --prefix peers rapid-draughts@1.0.6
    python3 -m venv peers/python && peers/python/bin/pip install py-draughts==1.10.1
    cargo build --release
    python3 bench/draughts.py peers                    all three
    python3 bench/draughts.py peers --only brazilian --games 200 --json

The opponent plays at a fixed depth, as a bot refereed by Ludion. A few games measure the CPU time
of its moves and the nodes that Ludion searches in that time; Ludion then gets this number of nodes
per move, independent of the load of the machine. Games begin with four random plies, and seats are
swapped.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "target" / "release" / "ludion"
OURS = "deepening(eval=patterns)"
# Depths of the opponents, at which a move takes about a tenth of a second or less.
DEPTHS = {"english": 9, "brazilian": 6, "international": 6}
# Games that measure the time of a move of the opponent, and the speed of Ludion.
TRIAL = 4
TRIAL_NODES = 50_000


def peers(folder, depths):
    """Return the game and the command of each opponent, without the log."""
    py_draughts = f"{folder}/python/bin/python {HERE}/peers/py_draughts.py"
    return {
        "english": ("rapid-draughts",
                    f"node {HERE}/peers/rapid_draughts.mjs {folder} {depths['english']}"),
        "brazilian": ("py-draughts, SimpleEngine", f"{py_draughts} simple {depths['brazilian']}"),
        "international": ("py-draughts, TurboEngine",
                          f"{py_draughts} turbo {depths['international']}"),
    }


def match(rules, players, games, nodes, seed):
    """Return the match report of Ludion and the CPU seconds of all its processes."""
    args = [PROGRAM, "match", f"checkers({rules})", *players, "-n", str(games // 2),
            "--opening", "4", "--budget", f"{nodes}nodes", "--seed", str(seed), "--threads", "1",
            "--store", "none", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(args, text=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout), after.ru_utime - before.ru_utime


def speed(rules, ours):
    """Return the nodes that Ludion searches per CPU second."""
    report, seconds = match(rules, [ours, ours], TRIAL, TRIAL_NODES, 2)
    return sum(side["nodes"] for side in report["spent"]) / seconds


def against(rules, ours, command, games, nodes, seed):
    """Play a match against an opponent; return it with the CPU seconds per move of the opponent."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        bot = f'bot(cmd="{command} {log}", patience=100)'
        report, _ = match(rules, [ours, bot], games, nodes, seed)
        lines = [line.split() for line in log.read_text().splitlines()]
    moves, seconds = (sum(float(line[i]) for line in lines) for i in (0, 1))
    return report, seconds / moves


def measure(rules, peer, players, games):
    ours, command = players
    rate = speed(rules, ours)
    _, spent = against(rules, ours, command, TRIAL, TRIAL_NODES, 2)
    nodes = int(rate * spent)
    report, spent = against(rules, ours, command, games, nodes, 1)
    kept = ("wins", "draws", "losses", "score", "elo", "forfeits")
    return {"rules": rules, "peer": peer, "player": ours, "nodes": nodes,
            "our_ms": 1000 * nodes / rate, "peer_ms": 1000 * spent,
            **{key: report[key] for key in kept}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the peers are installed")
    parser.add_argument("--only", choices=["english", "brazilian", "international"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--depth", type=int, help="of the peer [default: 9, 6 and 6]")
    parser.add_argument("--ours", default=OURS, help="the player of Ludion [default: %(default)s]")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit("build the program first: cargo build --release")
    depths = {rules: args.depth or depth for rules, depth in DEPTHS.items()}
    for rules, (peer, command) in peers(args.folder.resolve(), depths).items():
        if args.only not in (None, rules):
            continue
        found = measure(rules, peer, (args.ours, command), args.games)
        if args.json:
            print(json.dumps(found), flush=True)
            continue
        print(f"{rules}: {100 * found['score']:.1f} % against {peer} (depth {depths[rules]},"
              f" {found['peer_ms']:.0f} ms a move; ours {found['our_ms']:.0f} ms):"
              f" {found['wins']} won, {found['draws']} drawn, {found['losses']} lost", flush=True)


if __name__ == "__main__":
    main()
