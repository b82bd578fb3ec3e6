"""Mastermind: advice, strategies and experiments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Optional

from ._commands import command, options
from ._numbers import check_numbers

__all__ = ["Advice", "advise", "break_codes"]


@dataclass(frozen=True)
class Advice:
    """The next guess after some guesses and answers."""

    guess: Optional[str]
    """The code to guess next; None if the secret is found or the answers contradict each other."""
    found: bool
    """Whether the last guess was the secret."""
    left: Optional[int]
    """How many codes are consistent with the answers, if they can be counted."""
    bits: Optional[float]
    """The information that the guess is expected to give, in bits."""
    possible: Optional[bool]
    """Whether the guess can be the secret."""
    strategy: str
    """The strategy that chose the guess."""
    conflict: Optional[dict[str, Any]]
    """Which answers contradict each other, if they do."""


def advise(
    asked: Iterable[tuple[str, str]] = (),
    *,
    pegs: int = 4,
    colours: int = 6,
    repeats: bool = True,
    strategy: str = "auto",
    seed: int = 1,
) -> Advice:
    """Advises the next guess for a secret that is kept elsewhere; ``asked`` are guesses with their
    answers.

    >>> from ludion import mastermind
    >>> mastermind.advise([("1122", "1b1w")]).guess
    '1314'
    """
    check_numbers(pegs=pegs, colours=colours, seed=seed)
    args = ["mastermind", "advise"]
    for guess, answer in asked:
        args += ["--asked", f"{guess}={answer}"]
    args += options(
        pegs=pegs, colours=colours, no_repeats=not repeats, strategy=strategy, seed=seed
    )
    report = command(*args, progress=False)
    keys = ("guess", "found", "left", "bits", "possible", "strategy", "conflict")
    return Advice(**{key: report.get(key) for key in keys})


def break_codes(
    *,
    pegs: int = 4,
    colours: int = 6,
    repeats: bool = True,
    strategy: str = "auto",
    seed: int = 1,
    progress: Optional[bool] = None,
) -> dict[str, Any]:
    """Plays a strategy against all codes, or a sample of them, and returns how many guesses it needs."""
    check_numbers(pegs=pegs, colours=colours, seed=seed)
    args = ["mastermind", "break"]
    args += options(
        pegs=pegs, colours=colours, no_repeats=not repeats, strategy=strategy, seed=seed
    )
    report: dict[str, Any] = command(*args, progress=progress)
    return report
