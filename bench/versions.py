#!/usr/bin/env python3
"""Compares the speed of two builds of the program: the same commands in turn, on one thread, in CPU time.

    bench/versions.py OLD/target/release/ludion target/release/ludion --rounds 5
    bench/versions.py OLD NEW mcts perft          only commands that contain one of these words

A ratio above 1 says that the second build is faster. The table has the median over the rounds and the range; the
last column compares the fastest round of each, which other programs on the machine disturb least.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

# Each takes about a second, does the same work in both builds, and needs no store.
COMMANDS = [
    'perft connect4 11',
    'perft checkers 12',
    'perft "checkers(english)" 11',
    'perft "hexapawn(8, 8)" 10',
    'perft marienbad 8',
    'count "hexapawn(5, 4)"',
    'solve "hexapawn(5, 5)"',
    'solve connect4 --moves 44444437',
    'analyse connect4 --player "mcts(sims=4000000)"',
    'match connect4 "mcts(sims=60000, select=phi)" "mcts(sims=60000, select=phi)" -n 1 --opening 4 --store none',
    'match checkers "mcts(sims=30000)" "mcts(sims=30000)" -n 1 --opening 8 --store none',
    'analyse "hexapawn(8, 8)" --player "mcts(sims=700000)"',
    'analyse "matches(400)" --player "mcts(sims=1000000)"',
    'analyse connect4 --player "montecarlo(sims=3000000)"',
    'analyse checkers --player "montecarlo(sims=1000000)"',
    'analyse connect4 --player "minimax(depth=10)"',
    'analyse connect4 --player "alphabeta(depth=14)"',
    'analyse connect4 --player "memory(depth=17)"',
    # An analysis by `deepening` has had the values of all moves since 0.2.0, so it is measured by games.
    'match connect4 "deepening(depth=16, secs=0)" "deepening(depth=16, secs=0)" -n 1 --opening 8 --store none',
    'match checkers "deepening(depth=13, secs=0)" "deepening(depth=13, secs=0)" -n 1 --opening 8 --store none',
    'match "hexapawn(8, 8)" "deepening(depth=11, secs=0)" "deepening(depth=11, secs=0)" -n 1 --opening 4 --store none',
    'match tictactoe random random -n 1000000 --store none',
    'generate checkers -n 1000000 --out FILE',
    'mastermind break --strategy entropy --pegs 5 --colours 8',
    'mastermind table --law permutation --pegs 40 --colours 40 --runs 10 --store none',
    'hextris tune --generations 1 --seeds 1 --store none',
]


def cpu_seconds(program: str, command: str) -> float:
    """Runs a command, in which FILE is a new file, and returns its CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        command = command.replace('FILE', os.path.join(folder, 'file'))
        before = os.times()
        run = subprocess.run(
            f'{program} {command} --threads 1', shell=True, capture_output=True, text=True,
            env=os.environ | {'LUDION_QUIET': '1'},
        )
        after = os.times()
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip() or f'exit code {run.returncode}')
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def shown(command: str) -> str:
    """Returns a command, shortened for the table."""
    return command if len(command) <= 70 else command[:67] + '...'


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('old', help='the first program')
    arguments.add_argument('new', help='the second program')
    arguments.add_argument('words', nargs='*', help='only commands that contain one of these words')
    arguments.add_argument('--rounds', type=int, default=3, help='how often each command runs [3]')
    options = arguments.parse_args()
    chosen = [c for c in COMMANDS if not options.words or any(word in c for word in options.words)]
    if not chosen:
        sys.exit('error: no command contains one of these words')
    print(f'{"command":70} {"old s":>7} {"new s":>7} {"ratio":>6} {"range":>14} {"fastest":>8}')
    for command in chosen:
        times = []
        try:
            for _ in range(options.rounds):
                times.append([cpu_seconds(program, command) for program in (options.old, options.new)])
        except RuntimeError as error:
            print(f'{command:70} {error}')
            continue
        ratios = sorted(old / new for old, new in times)
        old, new = (min(column) for column in zip(*times))
        print(
            f'{shown(command):70} {old:7.2f} {new:7.2f} {statistics.median(ratios):6.2f} '
            f'{ratios[0]:6.2f} to {ratios[-1]:4.2f} {old / new:8.2f}',
            flush=True,
        )


if __name__ == '__main__':
    main()
