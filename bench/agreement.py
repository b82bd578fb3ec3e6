#!/usr/bin/env python3
"""Checks that the games of Ludion have the rules of OpenSpiel's: legal moves, side to move and returns
agree along random games.

    python3 -m venv peers && peers/bin/pip install open_spiel==2.0.2 ludion
    peers/bin/python bench/agreement.py                 every game of the table, 200 random games each
    peers/bin/python bench/agreement.py othello hex     these games only
    peers/bin/python bench/agreement.py --games 1000 --seed 2

A row of the table has the spec of a game here, the name of the game in OpenSpiel, and how a move here
is written there.
"""

import argparse
import random
import sys
from typing import Callable, NamedTuple

import pyspiel

import ludion


def same(text, _state):
    """Return a move that both write alike."""
    return text


def upside_down(rows):
    """Return the writing of moves of pieces by their cells, with the rows counted from the top.

    OpenSpiel marks captures by a star.
    """
    def written(text, state):
        cells = [text[:2], text[2:]]
        turned = "".join(f"{cell[0]}{rows + 1 - int(cell[1:])}" for cell in cells)
        x, row = ord(cells[1][0]) - ord("a"), state.text.split()[0].split("/")[rows - int(cells[1][1:])]
        return turned + ("" if row[x] == "." else "*")
    return written


class Row(NamedTuple):
    """A game with the same rules in both libraries."""

    ours: str
    theirs: str
    written: Callable = same


TABLE = [
    Row("tictactoe", "tic_tac_toe", lambda text, state: "xo"[state.to_play] + f"({3 - int(text[1])},{ord(text[0]) - 97})"),
    Row("connect4", "connect_four", lambda text, state: "xo"[state.to_play] + str(int(text) - 1)),
    Row("othello", "othello"),
    Row("hex", "hex(board_size=11)"),
    Row("hex(3)", "hex(board_size=3)"),
    Row("hex(7)", "hex(board_size=7)"),
    Row("breakthrough", "breakthrough", upside_down(8)),
    Row("breakthrough(6, 4)", "breakthrough(rows=6,columns=4)", upside_down(6)),
]


def check(row, games, rng):
    """Play random games of a row in both libraries; return the number of positions, or raise."""
    ours_game, theirs_game = ludion.game(row.ours), pyspiel.load_game(row.theirs)
    positions = 0
    for _ in range(games):
        ours, theirs = ours_game.start(), theirs_game.new_initial_state()
        line = []
        while True:
            positions += 1
            where = f"{row.ours} after {' '.join(line) or 'nothing'}"
            if ours.is_over != theirs.is_terminal():
                raise AssertionError(f"{where}: over here {ours.is_over}, there {theirs.is_terminal()}")
            if ours.is_over:
                if list(ours.returns) != theirs.returns():
                    raise AssertionError(f"{where}: returns {ours.returns} and {theirs.returns()}")
                break
            if ours.to_play != theirs.current_player():
                raise AssertionError(f"{where}: {ours.to_play} and {theirs.current_player()} to move")
            here = {row.written(move, ours): move for move in ours.moves}
            there = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            if here.keys() != there.keys():
                raise AssertionError(f"{where}: moves differ: {sorted(here.keys() ^ there.keys())}")
            text = rng.choice(sorted(here))
            line.append(here[text])
            ours = ours.play(here[text])
            theirs.apply_action(there[text])
    return positions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="names of games; all if none is given")
    parser.add_argument("--games", type=int, default=200, help="random games of each row")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    is_wrong = False
    for row in TABLE:
        if args.names and row.ours.split("(")[0] not in args.names:
            continue
        try:
            positions = check(row, args.games, random.Random(args.seed))
            print(f"{row.ours}: {args.games} games, {positions} positions agree with {row.theirs}")
        except AssertionError as error:
            is_wrong = True
            print(f"error: {error}")
    sys.exit(is_wrong)


if __name__ == "__main__":
    main()
