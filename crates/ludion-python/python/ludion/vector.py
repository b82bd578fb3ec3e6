"""Many games of one kind that are played together, one NumPy array for each piece of information.

>>> import ludion.vector
>>> states = ludion.vector.VectorStates("connect4", 4096, seed=1)
>>> rewards = states.step(states.random_actions())
>>> states.legal.shape
(4096, 7)

``VectorStates`` is a thin layer over ``Game.batch``: one call plays a move in every game, and games
that are over begin again. It needs NumPy only; ``ludion.gymnasium.SelfPlayVectorEnv`` has the same
games as a vector environment of Gymnasium.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy
from numpy.typing import ArrayLike, NDArray

from ._games import GameLike, game
from ._ludion import Game, StateBatch
from ._numbers import check_numbers

__all__ = ["VectorStates"]


class VectorStates:
    """``n`` games that are played together, in which each side is played by the caller.

    The arrays ``legal``, ``to_play`` and ``done`` always describe the present states, and a step
    writes into them: copy what you keep. A game that is over begins again in the next step, which
    ignores the action that it gets.
    """

    def __init__(self, spec: GameLike, n: int, *, seed: Optional[int] = None) -> None:
        check_numbers(seed=seed)
        self.game: Game = game(spec)
        """The game that is played."""
        self.batch: StateBatch = self.game.batch(n)
        """The states; ``batch[i]`` is one of them."""
        self.random = numpy.random.default_rng(seed)
        """The random numbers of ``random_actions``."""
        self.legal: NDArray[numpy.bool_] = self.batch.legal
        """True for every legal action of every state, of shape (n, actions)."""
        self.to_play: NDArray[numpy.int8] = self.batch.to_play
        """The side to move of every state, 0 or 1, and -1 if its game is over."""
        self.done: NDArray[numpy.bool_] = self.batch.done
        """Whether the game of every state is over."""

    def __len__(self) -> int:
        return len(self.batch)

    def reset(self, seed: Optional[int] = None) -> None:
        """Begins all games again; a seed sets the random numbers."""
        check_numbers(seed=seed)
        if seed is not None:
            self.random = numpy.random.default_rng(seed)
        self.batch.reset()

    def step(self, actions: ArrayLike) -> NDArray[numpy.float32]:
        """Plays an action in every state and returns the rewards of the sides that played them: 1,
        0 or -1 where a game ended, otherwise 0; in a puzzle the points. Games that were over begin
        again.

        An action that is not legal raises ``InputError`` and changes nothing.
        """
        moved = self.to_play.copy()
        self.batch.step(actions, restart=True)
        if self.game.is_puzzle:
            return self.batch.outcome.copy()
        # A state whose game was over has no side that moved, and its new game has no outcome yet.
        rewards: NDArray[numpy.float32] = self.batch.outcome * numpy.where(moved == 1, -1.0, 1.0)
        return rewards.astype(numpy.float32, copy=False)

    def planes(self, out: Optional[NDArray[numpy.float32]] = None) -> NDArray[numpy.float32]:
        """Returns the planes of all states as the sides to move see them, of shape (n, planes,
        rows, columns), written into ``out`` if it is given."""
        return self.batch.planes(out)

    def random_actions(self) -> NDArray[numpy.int64]:
        """Returns a uniformly random legal action for every state, and 0 where the game is over."""
        return choose_masked(self.random.random(self.legal.shape, numpy.float32), self.legal)


def choose_masked(weights: NDArray[Any], legal: NDArray[numpy.bool_]) -> NDArray[numpy.int64]:
    """Returns the legal action of the greatest weight in every row; 0 where no action is legal."""
    lowest: Any = numpy.array(-numpy.inf, dtype=weights.dtype)
    chosen: NDArray[numpy.int64] = numpy.where(legal, weights, lowest).argmax(axis=1)
    return chosen
