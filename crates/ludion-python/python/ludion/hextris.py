"""Hexagonal Tetris, the contest of ICFP 2015: problems, solutions, scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union, cast

from ._commands import command, options
from ._files import TemporaryFiles
from ._ludion import InputError
from ._numbers import check_numbers

__all__ = ["problems", "score", "solve"]

Problem = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A problem: the name of a built-in one, a file, or the JSON object of the contest."""


def problems() -> list[dict[str, Any]]:
    """Returns the built-in problems with their sizes."""
    report = command("hextris", "problems", progress=False)
    found: list[dict[str, Any]] = report["problems"] if isinstance(report, dict) else report
    return found


def solve(
    problem: Problem,
    seconds: float = 10.0,
    *,
    phrases: Optional[Iterable[str]] = None,
    threads: Optional[int] = None,
    seed: int = 1,
    solver: str = "beam",
    progress: Optional[bool] = None,
) -> list[dict[str, Any]]:
    """Solves a problem in a number of seconds and returns a solution for each of its seeds, in the
    form of the contest. ``phrases`` are the phrases of power: by default the 18 of the contest, and
    none for an empty list."""
    check_numbers(threads=threads, seed=seed)
    if not _is_time(seconds):
        raise InputError(f"seconds {seconds!r} is not allowed; it is a number from 0.01 to 1e6")
    with TemporaryFiles() as files:
        args = ["hextris", "solve", "-f", _name_of(problem, files), "-t", str(seconds)]
        args += _phrase_args(phrases)
        args += options(solver=solver, cores=threads, seed=seed)
        solutions: list[dict[str, Any]] = command(*args, progress=progress)
        return solutions


def score(
    problem: Problem,
    solutions: Iterable[Mapping[str, Any]],
    *,
    phrases: Optional[Iterable[str]] = None,
) -> Any:
    """Scores solutions of a problem with the referee."""
    with TemporaryFiles() as files:
        args = ["hextris", "score", "-f", _name_of(problem, files)]
        args += _phrase_args(phrases)
        args.append(files.write_json([dict(solution) for solution in solutions]))
        return command(*args, progress=False)


def _is_time(seconds: object) -> bool:
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    return is_number and 0.01 <= float(cast(float, seconds)) <= 1e6


def _phrase_args(phrases: Optional[Iterable[str]]) -> list[str]:
    if phrases is None:
        return []
    given = list(phrases)
    return [arg for phrase in given for arg in ("-p", phrase)] if given else ["--no-phrases"]


def _name_of(problem: Problem, files: TemporaryFiles) -> str:
    """Returns the name by which a command finds a problem."""
    return files.write_json(problem) if isinstance(problem, Mapping) else os.fspath(problem)
