"""The methods of games, players and evaluators that are written in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Protocol, Union

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ._ludion import State


class PythonGame(Protocol):
    """A game for two sides. States are any values that do not change; their ``repr`` (or ``text``)
    says all that matters for the rest of the game, including the side to move.

    Optional attributes and methods:

    - ``name`` and ``help``: texts for lists; by default the name of the class.
    - ``text(state) -> str`` and ``read(text) -> state``: a notation; by default ``repr`` and
      ``ast.literal_eval``.
    - ``picture(state)``: a list of numbers for heaps, or rows of cells for a board, in which "x" is
      a piece of the first side, "o" one of the second, "." an empty cell, and others are text.
    - ``cells(state, move) -> list[tuple[int, int]]``: the cells (column, row) of the picture that a
      person clicks to play a move; by default there is a button for each move.
    - ``all_moves``: a list of all moves of the game, by which they are numbered for learning.
    - ``value(state) -> float``: an estimate from -1 to 1 for the side to move, for searches.
    """

    def start(self) -> Any:
        """Returns the state in which every game begins."""
        ...

    def status(self, state: Any, /) -> Union[int, str]:
        """Returns the side to move, 0 or 1, or how the game ended: "first", "second" or "draw"."""
        ...

    def moves(self, state: Any, /) -> Sequence[Any]:
        """Returns the legal moves, always in the same order; their texts differ."""
        ...

    def play(self, state: Any, move: Any, /) -> Any:
        """Returns the state after a move; ``state`` stays as it is."""
        ...


class PythonPlayer(Protocol):
    """A player: an object with a method ``choose``, or simply a function of the same form. A class is
    instantiated for every game; if it has a method ``begin(seed)``, that is called first."""

    def choose(self, state: State, budget: Optional[str], /) -> Union[str, int]:
        """Returns a legal move of the state, as text or as an action number."""
        ...


class Evaluator(Protocol):
    """A function that estimates states for a search, many at a time."""

    def __call__(
        self, planes: NDArray[numpy.float32], /
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Gets the planes of n states as the sides to move see them, of shape (n, planes, rows,
        columns). Returns n values from -1 to 1 for the sides to move, and policies of shape
        (n, actions): weights that are not negative. Those of legal moves are scaled to a sum of 1."""
        ...
