"""Runs of the tests are kept in a folder of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Lets all runs of the session use one store in a temporary folder."""
    path = tmp_path_factory.mktemp("store") / "ludion.sqlite"
    os.environ["LUDION_STORE"] = str(path)
    yield path
