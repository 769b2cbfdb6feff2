"""``python -m zermelo`` is the same as ``zermelo``."""

from __future__ import annotations

import signal
import sys


def run() -> None:
    """The console script. Imports its verbs here, so that Ctrl-C before they are loaded leaves no traceback."""
    try:
        from zermelo.signals import SIGNALS, STATUS, finish
    except KeyboardInterrupt:
        sys.exit(3)
    try:
        SIGNALS.install()
        from zermelo.cli import main

        status = main()
    except KeyboardInterrupt:
        print("zermelo: interrupted", file=sys.stderr)
        status = 3
    finish(STATUS[signal.SIGTERM] if SIGNALS.stop.reason == "terminate" else status)


if __name__ == "__main__":
    run()
