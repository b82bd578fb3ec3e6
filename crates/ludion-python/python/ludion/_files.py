"""Files that commands read or write, in a folder that is deleted afterwards."""

from __future__ import annotations

import json
import os


class TemporaryFiles:
    """A folder for files that is deleted at the end of a ``with`` block."""

    def __init__(self) -> None:
        # Imported late, because it would take a fifth of the time to import the package.
        from tempfile import TemporaryDirectory

        self._folder = TemporaryDirectory(prefix="ludion-")
        self._count = 0

    def __enter__(self) -> TemporaryFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def name(self, file: str) -> str:
        """Returns the path of a file in the folder."""
        return os.path.join(self._folder.name, file)

    def write_json(self, value: object) -> str:
        """Writes a value as JSON and returns the path of its file."""
        self._count += 1
        path = self.name(f"{self._count}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
        return path
