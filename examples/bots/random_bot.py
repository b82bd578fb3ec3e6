#!/usr/bin/env python3
"""A complete bot for every game of Ludion: it plays a legal move at random.

    ludion bot check "python3 examples/bots/random_bot.py"
    ludion play connect4 --first human --second "bot(python3 examples/bots/random_bot.py)"

Put your own thoughts into `choose`. The protocol is described in docs/guide/protocol.md.
"""

import random
import sys


def choose(game, state, legal, rng):
    """The move to play: one of `legal`. `state` is the position as text, None at the start."""
    return rng.choice(legal)


def say(line):
    print(line, flush=True)  # without flush the line waits in a buffer and the bot seems to hang


def main():
    rng = random.Random()
    seed, game, state, legal = None, "", None, []
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            say("id name Random in Python")
            say("id author the authors of Ludion")
            say("option name Seed type spin default 0 min 0 max 2147483647")
            say("feature game")  # tell me which game it is; I play any
            say("feature legal")  # send me the legal moves with every position
            say("ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption" and rest.startswith("name Seed value "):
            seed = int(rest.split()[-1])
        elif word == "game":
            game = rest
        elif word == "uginewgame":
            rng.seed(seed)
        elif word == "position":
            state = rest.removeprefix("fen ") if rest.startswith("fen ") else None
        elif word == "legal":
            legal = rest.split()
        elif word == "go":
            say(f"bestmove {choose(game, state, legal, rng)}")
        elif word == "quit":
            break
        # Any other line is ignored, as the protocol asks.


if __name__ == "__main__":
    main()
