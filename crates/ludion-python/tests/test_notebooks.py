"""The notebooks and scripts of ``examples/python`` run from beginning to end at small settings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
NOTEBOOKS = sorted(path.name for path in EXAMPLES.glob("*.ipynb"))
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
    guide = EXAMPLES.parents[1] / "docs" / "guide" / "python.md"
    assert source in guide.read_text(encoding="utf-8")
    import json

    notebook = json.loads((EXAMPLES / "own_game_and_learning.ipynb").read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"]]
    assert source in cells
