"""The ranges of the numbers that the functions of this package take."""

from __future__ import annotations

import operator
from typing import Any

from ._ludion import InputError

_RANGES = {
    "check": (1, 10_000),
    "colours": (1, 65_535),
    "games": (20, 10_000_000),
    "generations": (1, 100_000),
    "hidden": (1, 4096),
    "longest": (1, 2**32 - 1),
    "number": (1, 2**63 - 1),
    "opening": (0, 1000),
    "pairs": (1, 1_000_000_000),
    "pegs": (1, 65_535),
    "plies": (0, 1000),
    "port": (0, 65_535),
    "positions": (1, 1_000_000_000),
    "rounds": (1, 10_000),
    "seed": (0, 2**64 - 1),
    "sims": (2, 100_000),
    "threads": (1, 1024),
}
_MOST_SHOWN = 40


def check_numbers(**values: object) -> None:
    """Raises ``InputError`` if a value is no whole number in the range of its name. ``None`` stands
    for a default."""
    for name, value in values.items():
        least, most = _RANGES[name]
        if value is not None and not _is_whole(value, least, most):
            raise InputError(
                f"{name} {_shown(value)} is not allowed; it is a whole number from {least} to {most}"
            )


def _is_whole(value: Any, least: int, most: int) -> bool:
    try:
        return not isinstance(value, bool) and least <= operator.index(value) <= most
    except TypeError:
        return False


def _shown(value: object) -> str:
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # Python refuses to write very long numbers
        return "with so many digits"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"
