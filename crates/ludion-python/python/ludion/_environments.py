"""What the environments of PettingZoo and Gymnasium share: how a game begins, and how it is
drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from ._drawing import pixels, text_drawing
from ._ludion import Game, InputError, State

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Rendered = Union[None, str, NDArray[numpy.uint8]]
    """What a render mode returns."""

RENDER_MODES = ["human", "ansi", "rgb_array", "svg"]
"""The ways to draw a state: text to standard output, text, pixels, and a picture as SVG."""

_OPENING_TRIES = 1000


def check_render_mode(mode: Optional[str]) -> None:
    """Raises ``InputError`` if a render mode is not known."""
    if mode is not None and mode not in RENDER_MODES:
        raise InputError(f"{mode!r} is no render mode; there are {', '.join(RENDER_MODES)}")


def render(state: State, mode: Optional[str]) -> Rendered:
    """Returns the drawing of a state in a render mode, or writes it to standard output."""
    if mode == "human":
        print(text_drawing(state), flush=True)
        return None
    if mode == "ansi":
        return text_drawing(state) + "\n"
    if mode == "rgb_array":
        return pixels(state)
    return state.svg() if mode == "svg" else None


def begin(
    game: Game,
    random: numpy.random.Generator,
    opening: int,
    options: Optional[dict[str, Any]],
) -> State:
    """Returns the state in which a game begins: the start, or the state of the option "state",
    after the moves of the option "moves" and ``opening`` random plies."""
    chosen = options or {}
    text = chosen.get("state")
    first = game.start() if text is None else game.read(str(text))
    if chosen.get("moves"):
        first = first.play_line(str(chosen["moves"]))
    if first.is_over:
        raise InputError(f"the game is over in {first.text}")
    for _ in range(_OPENING_TRIES):
        state = _after_random_plies(first, random, opening)
        if not state.is_over:
            return state
    raise InputError(f"games of {game.spec} end before an opening of {opening} plies")


def _after_random_plies(state: State, random: numpy.random.Generator, plies: int) -> State:
    for _ in range(plies):
        actions = state.actions
        if not actions:
            break
        state = state.play(actions[int(random.integers(len(actions)))])
    return state
