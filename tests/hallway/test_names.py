"""Names that explain themselves: what modules may be called, and how many stand side by side."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src" / "zermelo"
RIDDLES = {"animals", "checked", "dep", "guard", "inquiry", "later", "roomy", "run", "walkover", "whole"}
"""Names that say nothing to those who did not choose them."""
OF_EVERY_ROOM = {"game", "engine", "graph", "strategy"}
"""Nouns that rooms have modules for: their own game or engine, and how they draw, read or check a graph or strategy."""
GROWING = {"rulesets"}
"""Folders with a module for each game: these grow by their nature."""
FOLDERS = ("qip", "cgt")
"""Rooms that were one flat folder once."""
MOST = 18
"""Modules side by side, about as many as are taken in at a glance; the rulesets are the most."""


def modules(folder: Path) -> list[str]:
    return [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]


def test_no_module_has_a_name_that_is_a_riddle() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert path.stem not in RIDDLES, path
        assert not RIDDLES.intersection(path.relative_to(PACKAGE).parts), path


def test_a_module_of_a_room_is_not_called_what_a_noun_of_the_package_is_called() -> None:
    nouns = set(modules(PACKAGE)) - OF_EVERY_ROOM
    for path in PACKAGE.rglob("*.py"):
        if path.parent != PACKAGE:
            assert path.stem not in nouns, f"{path.relative_to(PACKAGE)} has the name of a noun of the package"


def test_a_folder_within_a_room_is_taken_in_at_a_glance() -> None:
    for room in FOLDERS:
        for folder in [PACKAGE / room, *(PACKAGE / room).rglob("*/")]:
            if folder.name not in {"__pycache__", *GROWING}:
                assert len(modules(folder)) <= MOST, folder


def test_every_folder_says_what_is_there() -> None:
    for room in FOLDERS:
        for init in (PACKAGE / room).rglob("__init__.py"):
            assert init.read_text(encoding="utf-8").startswith(('"""', 'r"""')), init
