"""``python -m zermelo`` is the same as ``zermelo``."""

from zermelo.cli import run

run()
