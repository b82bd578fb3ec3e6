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
import re
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


def edge(rows):
    """Return the writing of an edge between two dots, such as a1b1, by its kind, row and column."""
    def written(text, state):
        (x, bottom), (other, top) = re.findall(r"([a-z])(\d+)", text)
        kind = "h" if x != other else "v"
        return f"P{state.to_play + 1}({kind},{rows + 1 - int(top)},{ord(x) - ord('a')})"
    return written


def place(text, rows):
    """Return the row from the top and the column of a cell."""
    return rows - int(text[1:]), ord(text[0]) - ord("a")


def inner_cell(text, state):
    """Return the writing of a move of ultimate tic-tac-toe by its board and the cell in it."""
    y, x = place(text, 9)
    return f"Local board {y // 3 * 3 + x // 3}: {'xo'[state.to_play]}({y % 3},{x % 3})"


def single(state):
    """Return the legal moves of a state of OpenSpiel as they are written, with their actions."""
    return {state.action_to_string(action): [action] for action in state.legal_actions()}


def with_choice(state):
    """Return the legal moves where the choice of a board is an action of its own."""
    moves = {}
    for text, actions in single(state).items():
        if text.startswith("Choose"):
            inner = single(state.child(actions[0]))
            moves.update({text: actions + more for text, more in inner.items()})
        else:
            moves[text] = actions
    return moves


class Row(NamedTuple):
    """A game with the same rules in both libraries."""

    ours: str
    theirs: str
    written: Callable = same
    """How a move here is written there."""
    moves: Callable = single
    """The legal moves of a state there, as they are written, with the actions that make them."""
    plies: int = 0
    """The number of plies after which OpenSpiel ends a game; 0 if it does not. Where it is given,
    the rules of both about repeated positions differ: states are compared without their past, and a
    game is compared until one of the two ends it by such a rule."""


POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def point(text, _state):
    """Return the writing of a move of Nine Men's Morris by the numbers of its points."""
    numbers = [POINTS.index(name) for name in text.removeprefix("x").split("-")]
    return f"Point {numbers[0]}" if len(numbers) == 1 else "Move {} -> {}".format(*numbers)


def stone(text, state):
    """Return the writing of a move of Go, with the colour of the stone."""
    return f"{'BW'[state.to_play]} {'PASS' if text == 'pass' else text.lower()}"


TABLE = [
    Row("tictactoe", "tic_tac_toe", lambda text, state: "xo"[state.to_play] + f"({3 - int(text[1])},{ord(text[0]) - 97})"),
    Row("connect4", "connect_four", lambda text, state: "xo"[state.to_play] + str(int(text) - 1)),
    Row("othello", "othello"),
    Row("hex", "hex(board_size=11)"),
    Row("hex(3)", "hex(board_size=3)"),
    Row("hex(7)", "hex(board_size=7)"),
    Row("breakthrough", "breakthrough", upside_down(8)),
    Row("kalah", "mancala", lambda text, state: str(int(text) + 7 * state.to_play)),
    Row("dotsandboxes(2, 2)", "dots_and_boxes(num_rows=2,num_cols=2)", edge(2)),
    Row("dotsandboxes(4, 5)", "dots_and_boxes(num_rows=4,num_cols=5)", edge(4)),
    Row("gomoku", "gomoku", lambda text, _: "{},{}".format(*place(text, 15))),
    Row("gomoku(7, 7, 4)", "gomoku(size=7,connect=4)", lambda text, _: "{},{}".format(*place(text, 7))),
    Row("gomoku(7, 5, 4)", "mnk(m=7,n=5,k=4)",
        lambda text, state: "xo"[state.to_play] + "({},{})".format(*place(text, 5))),
    Row("ultimate-tictactoe", "ultimate_tic_tac_toe", inner_cell, with_choice),
    Row("go", "go(board_size=9)", stone, plies=162),
    Row("go(5)", "go(board_size=5)", stone, plies=50),
    Row("morris", "nine_mens_morris", point, plies=214),
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
            allowed = ours.moves
            if row.plies:
                ours_without_past = ours_game.read(ours.text)
                is_repeated = ours.is_over and not ours_without_past.is_over
                if is_repeated or len(line) == row.plies or theirs.is_terminal() and allowed:
                    # By a rule about repetitions or the number of plies.
                    break
            if ours.is_over != theirs.is_terminal():
                raise AssertionError(f"{where}: over here {ours.is_over}, there {theirs.is_terminal()}")
            if ours.is_over:
                if list(ours.returns) != theirs.returns():
                    raise AssertionError(f"{where}: returns {ours.returns} and {theirs.returns()}")
                break
            if ours.to_play != theirs.current_player():
                raise AssertionError(f"{where}: {ours.to_play} and {theirs.current_player()} to move")
            legal = ours_without_past.moves if row.plies else allowed
            here = {row.written(move, ours): move for move in legal}
            there = row.moves(theirs)
            if here.keys() != there.keys():
                raise AssertionError(f"{where}: moves differ: {sorted(here.keys() ^ there.keys())}")
            text = rng.choice(sorted(text for text, move in here.items() if move in allowed))
            line.append(here[text])
            ours = ours.play(here[text])
            for action in there[text]:
                theirs.apply_action(action)
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
