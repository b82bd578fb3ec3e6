#!/usr/bin/env python3
"""my_bot: a bot that plays any game of Ludion.

Put your own idea into `choose`; the rest of the file speaks the protocol, which Ludion describes in
docs/guide/protocol.md. The bot reads one command a line and answers on standard output. What it
prints to standard error is for you: Ludion shows the last line if the bot fails.
"""

import random
import sys


def choose(position, limits, rng):
    """Return the move to play, one of `position.legal`.

    This is the place for your own idea; as it stands, the bot plays a random move. Draw random
    numbers from `rng` only, so that games can be repeated. Keep to `limits`: a move that comes a
    second late loses the game.
    """
    return rng.choice(position.legal)


class Position:
    """What the bot knows of the game under way."""

    def __init__(self):
        self.game = ""  # with its parameters, such as "connect4" or "hexapawn(rows=4)"
        self.state = None  # in the notation of the game; None is the start of the game
        self.moves = []  # played since `state`; Ludion sends the state after them, and no moves
        self.legal = []  # the legal moves


def read_position(text, position):
    """Read `startpos` or `fen STATE`, either with `moves M M ...` behind it."""
    words = text.split()
    end = words.index("moves") if "moves" in words else len(words)
    position.state = " ".join(words[1:end]) if words[:1] == ["fen"] else None
    position.moves = words[end + 1 :]
    position.legal = []


def read_limits(text):
    """Read the words after `go`, such as `movetime 100`, as a dictionary.

    The keys are `movetime` (milliseconds), `depth` (plies), `nodes` (states); none of them means
    that the bot decides for itself.
    """
    words = text.split()
    pairs = zip(words, words[1:])
    return {word: int(value) for word, value in pairs if value.isdigit()}


def say(line):
    # Without flush the line waits in a buffer, and the bot seems to hang.
    print(line, flush=True)


def main():
    position, seed, rng = Position(), 0, random.Random(0)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":  # who are you?
            say("id name my_bot")
            say("option name Seed type spin default 0 min 0 max 2147483647")
            say("feature game")  # tell me which game it is; I play any
            say("feature legal")  # send the legal moves with every position
            say("ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption" and rest.startswith("name Seed value "):
            seed = int(rest.split()[-1])
        elif word == "game":
            position.game = rest
        elif word == "uginewgame":
            rng.seed(seed)
        elif word == "position":
            read_position(rest, position)
        elif word == "legal":
            position.legal = rest.split()
        elif word == "go" and not position.legal:
            say("error there is no legal move, or the line legal is missing")
        elif word == "go":
            say(f"bestmove {choose(position, read_limits(rest), rng)}")
        elif word == "quit":
            break
        # Other lines are ignored, as the protocol asks; so is `stop`, because `choose` has
        # always answered before the bot reads it.


if __name__ == "__main__":
    main()
