"""Drawings of states for environments: as text and as pixels, from the picture data of a state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from ._ludion import State

_Colour = tuple[int, int, int]

_BACKGROUND: _Colour = (250, 248, 244)
_LINE: _Colour = (176, 170, 160)
_MARK: _Colour = (222, 232, 244)
_OWNERS: dict[object, _Colour] = {
    "first": (200, 60, 60),
    "second": (40, 90, 170),
    None: (110, 110, 110),
}
_PEGS: list[_Colour] = [
    (200, 60, 60), (40, 90, 170), (60, 150, 80), (230, 180, 40), (140, 80, 160), (240, 130, 50)
]
# Rows of three pixels for each digit, from the top, as numbers of three bits.
_DIGITS = ["75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717"]


def text_drawing(state: State) -> str:
    """Returns a drawing of a state with one character for each cell, and its labels.

    Pieces of the first side are "x", those of the second "o", kings "X" and "O".
    """
    scene: dict[str, Any] = json.loads(state.scene_json())
    if scene["layout"]["kind"] == "heaps":
        return _heaps(scene)
    cols, rows = int(scene["layout"]["cols"]), int(scene["layout"]["rows"])
    kind = scene["layout"]["kind"]
    cells = [["."] * cols for _ in range(rows)]
    for piece in scene["pieces"]:
        cells[piece["at"]["y"]][piece["at"]["x"]] = _character(piece)
    names = [str(name) for name in scene["rows"]] or [""] * rows
    edge = max(len(name) for name in names)
    lines = [
        f"{name:>{edge}} {' ' * _half_cells(kind, y)}{' '.join(cells[y])}".rstrip()
        for y, name in enumerate(names)
    ]
    if scene["columns"]:
        # The columns of a rhombus are named above it, where they are not shifted.
        lines.insert(
            0 if kind == "rhombus" else len(lines),
            f"{'':>{edge}} " + " ".join(str(name)[-1:] for name in scene["columns"]),
        )
    return "\n".join([*lines, *filter(None, [scene["caption"]])])


def _half_cells(kind: str, y: int) -> int:
    """Returns the number of half cells by which row ``y`` of a layout is shifted."""
    if kind == "rhombus":
        return y
    return y % 2 if kind == "hexagons" else 0


def _heaps(scene: dict[str, Any]) -> str:
    counts = [0] * len(scene["layout"]["sizes"])
    for piece in scene["pieces"]:
        counts[piece["at"]["x"]] += 1
    names = [str(name) for name in scene["columns"]] or [str(i + 1) for i in range(len(counts))]
    lines = [f"{name}: {'|' * count} {count}" for name, count in zip(names, counts)]
    return "\n".join([*lines, *filter(None, [scene["caption"]])])


def _named(shape: object) -> tuple[str, str]:
    """Returns the name of a shape, and its text or number if it has one."""
    if isinstance(shape, str):
        return shape, ""
    fields = cast("dict[str, Any]", shape)
    if "seeds" in fields:
        return "text", str(fields["seeds"])
    if "figure" in fields:
        return "text", str(fields["figure"]["name"])
    if "text" in fields:
        return "text", str(fields["text"])
    ((name, value),) = fields.items()
    return name, str(value)


def _character(piece: dict[str, Any]) -> str:
    (shape, text), owner = _named(piece["shape"]), piece["owner"]
    if shape in ("peg", "text"):
        return text[:1] or " "
    if owner is None:
        return "#"
    letter = "x" if owner == "first" else "o"
    return letter.upper() if shape == "king" else letter


def pixels(state: State, cell: int = 32) -> NDArray[numpy.uint8]:
    """Returns a drawing of a state as an array of shape (height, width, 3); a cell has ``cell``
    pixels. Of texts on cells only digits are drawn."""
    import numpy

    scene: dict[str, Any] = json.loads(state.scene_json())
    layout = scene["layout"]
    if layout["kind"] == "heaps":
        cols, rows = len(layout["sizes"]), max(layout["sizes"], default=1)
    else:
        cols, rows = int(layout["cols"]), int(layout["rows"])
    kind = layout["kind"]
    shifts = [_half_cells(kind, y) * (cell // 2) for y in range(rows)]
    width = cols * cell + max(shifts, default=0) + 1
    image = numpy.full((rows * cell + 1, width, 3), _LINE, dtype=numpy.uint8)

    def paint(x: int, y: int, mask: NDArray[numpy.bool_], colour: _Colour) -> None:
        # Heaps grow from the bottom.
        top = ((rows - 1 - y) if layout["kind"] == "heaps" else y) * cell + 1
        left = x * cell + shifts[y] + 1
        image[top : top + cell - 1, left : left + cell - 1][mask] = colour

    axis = numpy.linspace(-1.0, 1.0, cell - 1)
    u, v = numpy.meshgrid(axis, axis)
    everywhere = numpy.ones_like(u, dtype=numpy.bool_)
    marked = {(at["x"], at["y"]) for at in scene["marked"]}
    for y in range(rows):
        for x in range(cols):
            paint(x, y, everywhere, _MARK if (x, y) in marked else _BACKGROUND)
    for piece in scene["pieces"]:
        mask, colour = _shape(piece, u, v)
        paint(piece["at"]["x"], piece["at"]["y"], mask, colour)
    return image


def _shape(
    piece: dict[str, Any], u: NDArray[Any], v: NDArray[Any]
) -> tuple[NDArray[numpy.bool_], _Colour]:
    """Returns the pixels of a piece in its cell, whose coordinates are from -1 to 1, and its
    colour."""
    import numpy

    (shape, text), colour = _named(piece["shape"]), _OWNERS[piece["owner"]]
    square, size = u * u + v * v, numpy.maximum(numpy.abs(u), numpy.abs(v))
    if shape == "peg":
        return square < 0.6, _PEGS[int(text) % len(_PEGS)]
    if shape == "text":
        return _digits(text, u, v), colour
    drawings: dict[str, Any] = {
        "disc": square < 0.64,
        "king": (square < 0.64) & ~((square > 0.15) & (square < 0.27)),
        "cross": (size < 0.7) & ((numpy.abs(u - v) < 0.28) | (numpy.abs(u + v) < 0.28)),
        "ring": (square < 0.6) & (square > 0.28),
        "pawn": (u * u + (v + 0.35) ** 2 < 0.1) | ((v > -0.2) & (v < 0.7) & (abs(u) < 0.3 + v / 3)),
        "match": (numpy.abs(u) < 0.15) & (numpy.abs(v) < 0.85),
        "token": square < 0.4,
        "block": size < 0.92,
    }
    mask: NDArray[numpy.bool_] = drawings.get(shape, size < 0.5)
    return mask, colour


def _digits(text: str, u: NDArray[Any], v: NDArray[Any]) -> NDArray[numpy.bool_]:
    import numpy

    known = [_DIGITS[int(c)] for c in text if c.isdecimal() and c.isascii()]
    mask: NDArray[numpy.bool_] = numpy.zeros(u.shape, dtype=numpy.bool_)
    if not known:
        mask = numpy.maximum(numpy.abs(u), numpy.abs(v)) < 0.4
        return mask
    step = 1.6 / (4 * len(known) - 1)
    for number, digit in enumerate(known):
        for row, bits in enumerate(digit):
            for column in range(3):
                if int(bits) >> (2 - column) & 1:
                    left, top = -0.8 + (4 * number + column) * step, -0.7 + row * 0.28
                    mask |= (u >= left) & (u < left + step) & (v >= top) & (v < top + 0.28)
    return mask
