"""The process between Ludion and an external bot, which ends the bot when Ludion ends."""

import sys

from . import _ludion

if __name__ == "__main__":
    _ludion.supervise(sys.argv[1:])
