"""The notebooks and scripts of ``examples/python`` run from beginning to end at small settings."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(path.name for path in EXAMPLES.glob("*.ipynb"))
GUIDE = EXAMPLES.parents[1] / "docs" / "guide" / "python.md"
TORCH = {"pytorch_evaluator.ipynb"}
SECONDS = 300


@pytest.fixture(autouse=True)
def _small_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDION_QUICK", "1")
    monkeypatch.setenv("LUDION_STORE", str(tmp_path / "store.sqlite"))


def test_all_examples_are_found() -> None:
    assert SCRIPTS == ["evaluator_numpy.py", "nim.py"]
    assert len(NOTEBOOKS) == 4


@pytest.mark.notebooks
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.torch] if name in TORCH else [])
        for name in NOTEBOOKS
    ],
)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / name, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs"), "a notebook is kept without outputs"
    client = NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    errors = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]
    assert not errors


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / name)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "wins" in done.stdout


def test_the_game_in_the_guide_and_the_notebook_is_that_of_the_script() -> None:
    script = (EXAMPLES / "nim.py").read_text(encoding="utf-8")
    assert len(script.splitlines()) <= 30
    begin, end = script.index("class Nim:"), script.index("\n\nif __name__")
    source = script[begin:end].strip()
    assert source in GUIDE.read_text(encoding="utf-8")
    notebook = json.loads((EXAMPLES / "own_game_and_learning.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert source in cells


def guide_blocks(kinds: set[str]) -> list[str]:
    """Returns the blocks of Python code of the guide: plain ones, and those of the given kinds."""
    text = GUIDE.read_text(encoding="utf-8")
    found = re.findall(r"^```python ?(\w*)\n(.*?)^```$", text, re.M | re.S)
    return [code for kind, code in found if kind in {"", *kinds}]


def run_guide(kinds: set[str]) -> None:
    names: dict[str, Any] = {"__name__": "guide"}
    for number, code in enumerate(guide_blocks(kinds)):
        if code.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(code, names, f"block {number}", None, None)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0, code
            names.update(test.globs)
        else:
            exec(compile(code, f"block {number} of python.md", "exec"), names)


def test_the_code_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide(set())


@pytest.mark.torch
@pytest.mark.spiel
@pytest.mark.notebooks
def test_all_code_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_guide({"torch", "spiel", "slow"})
