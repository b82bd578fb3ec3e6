"""The examples of the documentation are true."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import ludion
from ludion import _commands, _games, _ludion, _runs, _seats, hextris, mastermind

PACKAGE = Path(ludion.__file__).parent


def test_the_examples_of_the_doc_strings() -> None:
    for module in [ludion, _commands, _games, _runs, _seats, hextris, mastermind]:
        result = doctest.testmod(module)
        assert result.failed == 0, module.__name__


def test_the_stub_has_every_member_of_the_compiled_part() -> None:
    stub = (PACKAGE / "_ludion.pyi").read_text()
    for name in ["Game", "State", "Playthrough", "Player", "StateBatch", "Riddle"]:
        body = stub.split(f"class {name}:")[1].split("\n@final")[0].split("\ndef ")[0]
        stubbed = set(re.findall(r"def (\w+)", body))
        real = {m for m in dir(getattr(_ludion, name)) if not m.startswith("__")}
        assert {m for m in stubbed if not m.startswith("__")} == real, name


def test_every_public_name_is_documented() -> None:
    for name in ludion.__all__:
        value = getattr(ludion, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
