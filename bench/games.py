#!/usr/bin/env python3
"""Speed of games of Ludion beside OpenSpiel's: random games, and perft.

    peers/bin/python bench/games.py                 every game, see bench/agreement.py for the packages
    peers/bin/python bench/games.py othello hex     these games only

Both do the same kind of work in turn, on one thread, measured in CPU time; the figures are medians of
five rounds. OpenSpiel plays its random games in C++ (`evaluate_bots` of two random bots); its perft is a walk in
Python over `child` and `legal_actions`, because it has no other.
"""

import statistics
import sys
import time

import pyspiel

import ludion

# The game here and in OpenSpiel, random games of a round here and there, depth of perft here and there.
ROWS = [
    ("othello", "othello", 40_000, 400, 9, 5),
    ("hex", "hex(board_size=11)", 40_000, 400, 4, 2),
    ("breakthrough", "breakthrough", 20_000, 200, 5, 3),
]


def cpu(work):
    """Return the result of some work and its CPU seconds."""
    before = time.process_time()
    result = work()
    return result, time.process_time() - before


def perft(state, depth):
    """Count the sequences of `depth` moves from a state of OpenSpiel."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(perft(state.child(action), depth - 1) for action in actions)


def main():
    for ours, theirs, our_games, their_games, our_depth, their_depth in ROWS:
        if sys.argv[1:] and ours not in sys.argv[1:]:
            continue
        game, start = ludion.game(ours), pyspiel.load_game(theirs).new_initial_state()
        bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(2)]
        speeds = {"random games": [], "perft": []}
        for round_number in range(5):
            here = cpu(lambda: game.playouts(n=our_games, seed=round_number))[1]
            there = cpu(lambda: [pyspiel.evaluate_bots(start.clone(), bots, i) for i in range(their_games)])[1]
            speeds["random games"].append((our_games / here, their_games / there))
            (count, here), (expected, there) = cpu(lambda: game.perft(our_depth)), cpu(lambda: perft(start, their_depth))
            assert game.perft(their_depth) == expected
            speeds["perft"].append((count / here, expected / there))
        for what, pairs in speeds.items():
            here, there = (statistics.median(side) for side in zip(*pairs))
            print(f"{ours}: {what}/s: {here:,.0f}, OpenSpiel {there:,.0f}, {here / there:,.0f} times")


if __name__ == "__main__":
    main()
