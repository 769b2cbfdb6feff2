"""The corridor: a room may use the rooms on its left, never those on its right; lazy imports count too."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "zermelo"
NOUNS = "nouns"
"""The modules beside the rooms."""
CORRIDOR = (
    "draw",
    "exact",
    NOUNS,
    "render",
    "games",
    "gdl",
    "learn",
    "search",
    "qbf",
    "qip",
    "cgt",
    "scsp",
    "encode",
    "check",
    "kinds",
    "solving",
    "fuzzing",
    "play",
    "arena",
    "bridges",
    "web",
    "cli",
)
FRONT_DOORS = ("__init__", "__main__")
"""What names everything for those outside."""
NATIVE = ("include", "scsp", "bandit", "search", "games", "gdl", "qbf", "qip", "cgt", "bindings", "tests")
INNER = {
    "search": ("graph", ""),
    "gdl": (
        *("datalog", "ground", "circuit", "single", "bulk_program", "bulk", "batch", "exact", "symmetry"),
        *("values", "lane", "learning"),
    ),
    "qbf": ("circuit", "sat", "search"),
    "qip": ("program", "proof", "search", "learning"),
    "cgt": ("numbers", "values", "boards", "outcome", "sums", "go"),
}
"""The folders inside a native room, from left to right; the empty name is the room itself."""


def room_of(module: str) -> str | None:
    """The room of a module of the package; ``None`` for modules of others."""
    parts = module.split(".")
    if parts[0] != "zermelo" or len(parts) < 2 or parts[1] == "_native":
        return None
    return parts[1] if (PACKAGE / parts[1]).is_dir() else NOUNS


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports when it runs: not those that only the type checker sees."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        if id(node) in typing:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_the_corridor_names_every_room() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms | {NOUNS} == set(CORRIDOR)


@pytest.mark.parametrize("room", CORRIDOR)
def test_a_room_imports_only_from_its_left(room: str) -> None:
    files = PACKAGE.glob("*.py") if room == NOUNS else (PACKAGE / room).rglob("*.py")
    for path in files:
        if room == NOUNS and path.stem in FRONT_DOORS:
            continue
        for module in imports(path):
            other = room_of(module)
            if other is not None and other != room:
                there = f"{path.relative_to(PACKAGE)} imports {module}"
                assert CORRIDOR.index(other) < CORRIDOR.index(room), there


def test_the_checker_imports_no_engine_and_nothing_native() -> None:
    engines = {"search", "qbf", "qip", "cgt", "scsp", "encode", "gdl"}
    for path in (PACKAGE / "check").rglob("*.py"):
        for module in imports(path):
            assert room_of(module) not in engines, f"{path.name} imports {module}"
            assert not module.startswith("zermelo._native"), f"{path.name} imports {module}"


KINDS = (
    "FormulaGame",
    "ProgramGame",
    "NetworkGame",
    "BoardSum",
    "WrittenSum",
    "EndgameGame",
    "RulesheetGame",
    "DotsSum",
)


def test_nobody_asks_what_kind_a_game_is() -> None:
    """Games and kinds answer by their methods. The checker reads what it checks itself: its statements are its own."""
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] == "check":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance" and len(node.args) == 2:
                asked = ast.unparse(node.args[1])
                assert not any(kind in asked for kind in KINDS), f"{path.name}:{node.lineno} asks for {asked}"


def native_place(name: str) -> tuple[int, int]:
    """Where a file of ``native/`` lies in the corridor: the place of its room, and of its folder inside the room."""
    room, *inner = name.split("/")[:-1]
    return NATIVE.index(room), INNER[room].index("/".join(inner)) if room in INNER else 0


def test_native_files_include_only_from_their_left() -> None:
    native = ROOT / "native"
    for path in native.rglob("*.?pp"):
        here = path.relative_to(native).as_posix()
        for name in re.findall(r'#include "([^"]+/[^"]+)"', path.read_text(encoding="utf-8")):
            there = f"include/{name}" if name.startswith("zermelo/") else name
            assert native_place(there) <= native_place(here), f"{here} includes {name}"


def test_the_corridor_names_every_native_folder() -> None:
    folders = {path.parent.relative_to(ROOT / "native").as_posix() for path in (ROOT / "native").rglob("*.?pp")}
    rooms = {folder.split("/")[0] for folder in folders}
    assert rooms == set(NATIVE)
    named = {f"{room}/{folder}".rstrip("/") for room, inner in INNER.items() for folder in inner}
    assert named | {folder for folder in folders if folder.split("/")[0] not in INNER} == folders


def test_a_native_folder_holds_no_more_than_one_can_take_in() -> None:
    lists = {"games", "bindings", "tests"}  # one file a game, a room or a kernel: these grow by their nature
    folders = Counter(path.parent.relative_to(ROOT / "native").as_posix() for path in (ROOT / "native").rglob("*.?pp"))
    assert {folder: count for folder, count in folders.items() if count > 16 and folder not in lists} == {}


def test_native_files_include_files_that_are_there() -> None:
    folders = [ROOT / "native", ROOT / "native" / "include", ROOT / "native" / "tests"]
    missing = [
        f"{path.relative_to(ROOT)}: {included}"
        for path in sorted((ROOT / "native").rglob("*.?pp"))
        for included in re.findall(r'#include "(.*)"', path.read_text(encoding="utf-8"))
        if not any((folder / included).exists() for folder in [*folders, path.parent])
    ]
    assert not missing


def test_the_tests_with_threads_that_make_names_are_there() -> None:
    named = re.search(r"^THREADED := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert named is not None
    assert all((ROOT / "native" / "tests" / f"{name}.cpp").exists() for name in named[1].split())
