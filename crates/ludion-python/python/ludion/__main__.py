"""The program ``ludion``: ``python -m ludion`` and the command that pip installs."""

import sys

from . import _ludion


def main() -> int:
    """Runs the command line with the arguments of this process and returns its exit code."""
    return _ludion.main(["ludion", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
