"""``python -m zermelo`` is the same as ``zermelo``."""

from __future__ import annotations

import sys


def run() -> None:
    """The console script. Imports its verbs here, so that Ctrl-C before they are loaded leaves no traceback."""
    try:
        from zermelo.cli import main
    except KeyboardInterrupt:
        sys.exit(3)
    sys.exit(main())


if __name__ == "__main__":
    run()
