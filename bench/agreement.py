#!/usr/bin/env python3
"""Compares the rules of Ludion with those of OpenSpiel along random games.

    python3 -m venv peers && peers/bin/pip install ludion open_spiel==2.0.2
    peers/bin/python bench/agreement.py                  all games
    peers/bin/python bench/agreement.py kalah gomoku     some of them
    peers/bin/python bench/agreement.py --games 1000 --seed 7

In every position the legal moves and the side to move must be the same, and at the end the returns.
A row of the table has the game of Ludion, the game of OpenSpiel, and a function from a state of
OpenSpiel to its legal moves: for each, the move as Ludion writes it and the actions that make it.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import ludion
import pyspiel

Moves = dict[str, Sequence[int]]


class Row(NamedTuple):
    """A game of both programs."""

    ours: str
    theirs: str
    moves: Callable[[Any], Moves]


def cell(x: int, y: int, rows: int) -> str:
    """Returns the name of the cell in column x and row y from the top, as on a chess board."""
    return f"{chr(ord('a') + x)}{rows - y}"


def kalah_moves(state: Any) -> Moves:
    """Pits 1 to 6 are the houses of the first side, 8 to 13 those of the second."""
    return {str(a if a < 7 else a - 7): [a] for a in state.legal_actions()}


def dots_moves(rows: int) -> Callable[[Any], Moves]:
    """Actions are written as P1(h,0,2): an edge, horizontal or vertical, by its row and column."""

    def moves(state: Any) -> Moves:
        found = {}
        for action in state.legal_actions():
            text = state.action_to_string(action)
            kind, y, x = re.search(r"\((\w),(\d+),(\d+)\)", text).groups()
            y, x = int(y), int(x)
            if kind == "h":
                found[cell(x, y, rows + 1) + cell(x + 1, y, rows + 1)] = [action]
            else:
                found[cell(x, y + 1, rows + 1) + cell(x, y, rows + 1)] = [action]
        return found

    return moves


def row_moves(cols: int, rows: int) -> Callable[[Any], Moves]:
    """Actions are numbers of cells, row by row."""
    return lambda state: {cell(a % cols, a // cols, rows): [a] for a in state.legal_actions()}


def ultimate_moves(state: Any) -> Moves:
    """Where any board is allowed, the choice of the board is an action of its own."""
    found = {}
    for action in state.legal_actions():
        text = state.action_to_string(action)
        if text.startswith("Choose"):
            inner = state.child(action)
            found |= {move: [action, *rest] for move, rest in ultimate_moves(inner).items()}
        else:
            board = int(re.search(r"board (\d)", text).group(1))
            x, y = board % 3 * 3 + action % 3, board // 3 * 3 + action // 3
            found[cell(x, y, 9)] = [action]
    return found


TABLE = [
    Row("kalah", "mancala", kalah_moves),
    Row("dotsandboxes(2, 2)", "dots_and_boxes(num_rows=2,num_cols=2)", dots_moves(2)),
    Row("dotsandboxes(4, 5)", "dots_and_boxes(num_rows=4,num_cols=5)", dots_moves(4)),
    Row("gomoku", "gomoku", row_moves(15, 15)),
    Row("gomoku(7, 7, 4)", "gomoku(size=7,connect=4)", row_moves(7, 7)),
    Row("gomoku(7, 5, 4)", "mnk(m=7,n=5,k=4)", row_moves(7, 5)),
    Row("ultimate-tictactoe", "ultimate_tic_tac_toe", ultimate_moves),
]


def play(row: Row, rng: random.Random) -> int:
    """Plays one random game with both programs and returns its number of positions."""
    ours, theirs = ludion.game(row.ours).start(), pyspiel.load_game(row.theirs).new_initial_state()
    positions = 0
    while True:
        positions += 1
        where = f"{row.ours} at {ours.text}"
        if ours.is_over != theirs.is_terminal():
            sys.exit(f"{where}: only one of the two says that the game is over")
        if ours.is_over:
            if tuple(theirs.returns()) != tuple(ours.returns):
                sys.exit(f"{where}: {ours.returns} and {theirs.returns()}")
            return positions
        if ours.to_play != theirs.current_player():
            sys.exit(f"{where}: {ours.to_play} and {theirs.current_player()} to move")
        moves = row.moves(theirs)
        if sorted(moves) != sorted(ours.moves):
            sys.exit(f"{where}: {sorted(ours.moves)} and {sorted(moves)}")
        move = rng.choice(sorted(moves))
        ours = ours.play(move)
        for action in moves[move]:
            theirs.apply_action(action)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="games to compare; all by default")
    parser.add_argument("--games", type=int, default=200, help="random games of each row")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = [row for row in TABLE if not args.names or row.ours.split("(")[0] in args.names]
    if not rows:
        sys.exit(f"no game of the table is called {' or '.join(args.names)}")
    for row in rows:
        rng = random.Random(f"{row.ours} {args.seed}")
        positions = sum(play(row, rng) for _ in range(args.games))
        print(f"{row.ours:<24} {row.theirs:<40} {args.games} games, {positions} positions agree")


if __name__ == "__main__":
    main()
