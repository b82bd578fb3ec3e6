"""Games that are written in Python, for tests."""

from __future__ import annotations

State = tuple[tuple[int, ...], int]
Move = tuple[int, int]


class Nim:
    """Take any number of matches from one heap; the side that takes the last match wins."""

    name = "py-nim"
    all_moves = [f"{heap + 1}-{count}" for heap in range(3) for count in range(1, 6)]

    def start(self) -> State:
        return (3, 4, 5), 0

    def status(self, state: State) -> int | str:
        heaps, side = state
        if any(heaps):
            return side
        return "second" if side == 0 else "first"

    def moves(self, state: State) -> list[str]:
        heaps, _ = state
        return [f"{h + 1}-{n}" for h, size in enumerate(heaps) for n in range(1, size + 1)]

    def play(self, state: State, move: str) -> State:
        heaps, side = state
        heap, count = (int(part) for part in move.split("-"))
        left = tuple(size - count * (i == heap - 1) for i, size in enumerate(heaps))
        return left, 1 - side

    def picture(self, state: State) -> list[int]:
        return list(state[0])

    def cells(self, state: State, move: str) -> list[tuple[int, int]]:
        heap, count = (int(part) for part in move.split("-"))
        return [(heap - 1, state[0][heap - 1] - count)]


class Countdown:
    """Subtract 1 or 2; the side that reaches 0 wins. Only what is needed."""

    def start(self) -> tuple[int, int]:
        return 7, 0

    def status(self, state: tuple[int, int]) -> int | str:
        left, side = state
        return side if left > 0 else ("second" if side == 0 else "first")

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [n for n in (1, 2) if n <= state[0]]

    def play(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, 1 - state[1]
