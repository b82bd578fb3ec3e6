"""Hexagonal Tetris, the contest of ICFP 2015: problems, solutions, scores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from ._commands import command, options
from ._files import TemporaryFiles

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


def _phrase_args(phrases: Optional[Iterable[str]]) -> list[str]:
    if phrases is None:
        return []
    given = list(phrases)
    return [arg for phrase in given for arg in ("-p", phrase)] if given else ["--no-phrases"]


def _name_of(problem: Problem, files: TemporaryFiles) -> str:
    """Returns the name by which a command finds a problem."""
    return files.write_json(problem) if isinstance(problem, Mapping) else os.fspath(problem)
