"""Hexagonal Tetris, the contest of ICFP 2015: problems, solutions, scores."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from ._commands import command, options

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
    with _Files() as files:
        args = ["hextris", "solve", "-f", files.name_of(problem), "-t", str(seconds)]
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
    with _Files() as files:
        args = ["hextris", "score", "-f", files.name_of(problem)]
        args += _phrase_args(phrases)
        args.append(files.write([dict(solution) for solution in solutions]))
        return command(*args, progress=False)


def _phrase_args(phrases: Optional[Iterable[str]]) -> list[str]:
    if phrases is None:
        return []
    given = list(phrases)
    return [arg for phrase in given for arg in ("-p", phrase)] if given else ["--no-phrases"]


class _Files:
    """Files that commands read; they are deleted afterwards."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ludion-")
        self._count = 0

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def name_of(self, problem: Problem) -> str:
        """Returns the name by which a command finds a problem."""
        return self.write(problem) if isinstance(problem, Mapping) else os.fspath(problem)

    def write(self, value: object) -> str:
        """Writes a value as JSON and returns the name of the file."""
        self._count += 1
        name = os.path.join(self._folder.name, f"{self._count}.json")
        with open(name, "w", encoding="utf-8") as file:
            json.dump(value, file)
        return name
