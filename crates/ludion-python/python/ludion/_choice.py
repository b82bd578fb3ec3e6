"""What a player found out about its moves, and solutions of states."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Optional

from ._tables import Row, html_table, text_table

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Line:
    """What a player found out about one legal move."""

    move: str
    """The move, in the notation of the game."""
    value: Optional[float]
    """The estimated value for the side to move: -1 to 1, or points in a puzzle."""
    visits: int
    """How often the search visited the move; 0 if the player does not count visits."""
    proven: Optional[str]
    """The exact result for the side to move, "win", "draw" or "loss", if it is proven."""
    plies: Optional[int]
    """The number of plies to the end of the game, if it is proven and known."""
    prior: Optional[float]
    """The probability that a network gives the move before the search."""
    variation: list[str]
    """The expected continuation, beginning with the move."""


def _row(line: Line) -> Row:
    proof = "" if line.proven is None else line.proven
    if line.plies is not None:
        proof += f" in {line.plies}"
    return {
        "move": line.move,
        "value": "" if line.value is None else f"{line.value:.3f}",
        "visits": str(line.visits) if line.visits else "",
        "proven": proof,
        "prior": "" if line.prior is None else f"{line.prior:.3f}",
        "variation": " ".join(line.variation),
    }


def _frame(lines: list[Line]) -> pandas.DataFrame:
    import pandas

    return pandas.DataFrame([asdict(line) for line in lines])


@dataclass(frozen=True)
class Choice:
    """The move that a player chose, with what it found out about all moves."""

    move: str
    """The chosen move, in the notation of the game."""
    lines: list[Line]
    """A line for every move that the player examined, in the order of ``State.moves``."""
    nodes: int
    """Number of states visited by the search."""
    simulations: int
    """Number of simulations run."""
    depth: int
    """Search depth reached in plies; 0 for players that do not search by depth."""
    seconds: float
    """Time that the choice took."""
    state: str
    """The state in which the move was chosen, in the notation of the game."""

    @property
    def line(self) -> Optional[Line]:
        """The line of the chosen move, if there is one."""
        return next((line for line in self.lines if line.move == self.move), None)

    @property
    def value(self) -> Optional[float]:
        """The value of the chosen move for the side to move, if the player estimated it."""
        return None if self.line is None else self.line.value

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the lines as a data frame, one row for each move."""
        return _frame(self.lines)

    def __str__(self) -> str:
        head = f"{self.move}  ({self.simulations or self.nodes} nodes, {self.seconds:.3f} s)"
        return head + "\n" + text_table([_row(line) for line in self.lines])

    def _repr_html_(self) -> str:
        from html import escape

        rows = [_row(line) for line in self.lines]
        best = [i for i, line in enumerate(self.lines) if line.move == self.move]
        return f"<p>chosen: <b>{escape(self.move)}</b></p>" + html_table(rows, bold=best)


@dataclass(frozen=True)
class Solution:
    """The exact result of a state under perfect play."""

    value: str
    """The result for the side to move: "win", "draw" or "loss"."""
    plies: Optional[int]
    """The number of plies to the end of the game, if it is known."""
    best: list[str]
    """The moves that keep the result and win as soon, or lose as late, as possible."""
    lines: list[Line]
    """Every legal move with its exact result."""
    nodes: int
    """Number of states visited."""

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the lines as a data frame, one row for each move."""
        return _frame(self.lines)

    def __str__(self) -> str:
        end = "" if self.plies is None else f" in {self.plies} plies"
        head = f"{self.value}{end}, best: {' '.join(self.best)}"
        return head + "\n" + text_table([_row(line) for line in self.lines])

    def _repr_html_(self) -> str:
        best = [i for i, line in enumerate(self.lines) if line.move in self.best]
        rows = [_row(line) for line in self.lines]
        return f"<p><b>{self.value}</b></p>" + html_table(rows, bold=best)
