"""Commands of the program, run in this process."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, Callable, Optional, Union

from . import _ludion
from ._ludion import InputError, LudionError

if hasattr(_ludion, "start_supervisors_with"):
    # A process of this interpreter stands between Ludion and an external bot.
    _ludion.start_supervisors_with([sys.executable, "-m", "ludion._supervisor"])

StorePath = Union[str, "os.PathLike[str]"]
"""The path of a store; ":memory:" keeps runs while the program runs, "none" not at all."""

_USAGE = 2
_DIFFERENT = 3
_INCOMPARABLE = 4

_WRONG_VALUE = re.compile(
    r"invalid value '(.*)' for '(-[\w-]+)[^']*'(?:: (.*)| \[possible values: (.*)\])", re.DOTALL
)
_PARAMETERS = {"by": "method", "cores": "threads", "time": "seconds"}
"""The parameters of functions that are not called as the option of the command."""


def command(*args: str, progress: Optional[bool] = None) -> Any:
    """Runs a command of the program ``ludion`` in this process and returns its report.

    >>> import ludion
    >>> ludion.command("perft", "tictactoe", "5")["nodes"]
    15120

    The report is that of ``--json``. ``progress`` says whether to write about the progress to
    standard error; by default on a terminal and in a notebook. Ctrl-C stops the command; what is
    finished is kept. Only one command runs at a time.
    """
    return call(args, progress)[0]


def call(
    args: Sequence[str],
    progress: Optional[bool] = None,
    on_report: Optional[Callable[[str], None]] = None,
) -> tuple[Any, bool]:
    """Runs a command and returns its report, and whether its comparison found no difference.
    ``on_report`` gets the report as soon as it is written."""
    wanted = _is_watched() if progress is None else progress
    on_progress: Optional[Callable[[str], None]] = _write if wanted else None
    report, code, error = _ludion.call(list(args), on_progress, on_report)
    if code == _USAGE:
        raise InputError(_in_python(error or "the arguments are wrong"))
    if code == _INCOMPARABLE and error is not None:
        raise LudionError(error)
    if code not in (0, _DIFFERENT, _INCOMPARABLE):
        raise LudionError(error or f"the command failed with exit code {code}")
    try:
        return (json.loads(report) if report else None), code == 0
    except json.JSONDecodeError:
        return report, code == 0


def _in_python(error: str) -> str:
    """Returns the error of an option with the name of its parameter in Python."""
    found = _WRONG_VALUE.fullmatch(error)
    if found is None:
        return error
    value, option, reason, choices = found.groups()
    reason = reason or f"it is one of {choices}"
    name = option.lstrip("-").replace("-", "_")
    return f"{_PARAMETERS.get(name, name)} {value!r} is not allowed; {reason}"


def _store_path(store: object) -> str:
    """Returns the path of a store as text."""
    path = os.fspath(store) if isinstance(store, (str, os.PathLike)) else None
    if not isinstance(path, str) or not path:
        raise InputError(f'store {store!r} is not allowed; it is a path, ":memory:" or "none"')
    return path


def options(**values: object) -> list[str]:
    """Returns the options of a command: ``None`` is left out, ``True`` is a flag."""
    args: list[str] = []
    for name, value in values.items():
        if name == "store" and value is not None:
            value = _store_path(value)
        if value is None or value is False:
            continue
        option = "-" + name if len(name) == 1 else "--" + name.replace("_", "-")
        args.append(option if value is True else f"{option}={value}")
    return args


def _is_watched() -> bool:
    """Returns whether someone reads standard error: on a terminal, or in a notebook."""
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
