"""py-draughts (PyPI) as a bot at a fixed depth: its SimpleEngine playing Brazilian draughts, or its
TurboEngine, the strongest one, playing international draughts.

    python bench/peers/py_draughts.py simple|turbo DEPTH [LOG]

Moves and the CPU time they took are written to LOG at the end. The protocol is described in
docs/guide/protocol.md.
"""

import sys
import time

from draughts import SimpleEngine
from draughts.boards import brazilian, standard
from draughts.engines.turbo import TurboEngine
from loguru import logger

logger.remove()


def say(line):
    print(line, flush=True)


def read(board_class, fen):
    """Return the board of a position such as `B:W31,K28:B1,2:H3`; py-draughts has no ply count in FEN."""
    return board_class.from_fen(":".join(fen.split(":")[:3]))


def spell(move, legal):
    """Return the legal move in our notation for a move of py-draughts."""
    squares = [str(square + 1) for square in move.square_list]
    ways = {text: text.replace("-", "x").split("x") for text in legal}
    same = [text for text, way in ways.items() if (way[0], way[-1]) == (squares[0], squares[-1])]
    passing = [text for text in same if set(ways[text]) <= set(squares)]
    return (passing or same or [str(move)])[0]


def main():
    name, depth, log = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    engine_class, board_class = {
        "simple": (SimpleEngine, brazilian.Board), "turbo": (TurboEngine, standard.Board),
    }[name]
    engine, board, legal = engine_class(depth_limit=depth), board_class(), []
    moves, seconds = 0, 0.0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            say(f"id name py-draughts {name} depth {depth}")
            say("feature game checkers")
            say("feature legal")
            say("ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "uginewgame":
            engine = engine_class(depth_limit=depth)
        elif word == "position":
            fen = rest.removeprefix("fen ")
            board = read(board_class, fen) if fen != rest else board_class()
        elif word == "legal":
            legal = rest.split()
        elif word == "go":
            before = time.process_time()
            move = engine.get_best_move(board)
            moves, seconds = moves + 1, seconds + time.process_time() - before
            say(f"bestmove {spell(move, legal)}")
        elif word == "quit":
            break
    for path in log:
        with open(path, "a") as file:
            print(moves, seconds, file=file)


if __name__ == "__main__":
    main()
