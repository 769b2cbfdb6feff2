"""What a start loads: the modules are counted and named, since times depend on the machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ROOMS = {"arena", "cgt", "encode", "gdl", "qbf", "qip", "scsp"}
LOADED = """
import sys
from pathlib import Path
from zermelo.cli import main
assert main(sys.argv[1:]) == 0
print(*sys.modules, file=sys.stderr)
"""


def modules_loaded_by(*arguments: str) -> set[str]:
    """The modules that are loaded when a command line has been run."""
    command = [sys.executable, "-c", LOADED, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(run.stderr.split("\n")[-2].split())


def of_ours(modules: set[str]) -> set[str]:
    return {name for name in modules if name.split(".")[0] == "zermelo"}


def rooms(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in of_ours(modules) if "." in name}


def test_help_loads_the_verbs_and_the_nouns_only() -> None:
    loaded = modules_loaded_by("--help")
    assert len(of_ours(loaded)) <= 46, sorted(of_ours(loaded))
    assert not rooms(loaded) & (ROOMS | {"search", "check", "games", "play", "render", "kinds", "solving"})
    assert not loaded & {"numpy", "zermelo._native"}


@pytest.mark.parametrize("target", ["mnk:3,3,3", "nim:3,4,5", "connect:4,3,3"])
def test_a_library_game_is_solved_without_the_rooms_of_other_kinds(target: str) -> None:
    loaded = modules_loaded_by("solve", target)
    assert len(of_ours(loaded)) <= 123, sorted(of_ours(loaded))
    assert not rooms(loaded) & (ROOMS | {"play", "render"})
    assert not loaded & {"numpy", "highspy", "pysat", "networkx", "rich"}


def test_a_formula_is_solved_without_the_rooms_of_sums_and_networks() -> None:
    loaded = modules_loaded_by("solve", str(EXAMPLES / "choices.qcir"), "--quiet")
    assert "qbf" in rooms(loaded)
    assert not rooms(loaded) & {"arena", "cgt", "scsp", "play", "render"}


def test_a_name_of_the_package_is_imported_when_it_is_first_used() -> None:
    told = "import sys, zermelo; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert rooms(set(run.stdout.split())) <= {"brief", "draw", "errors", "game", "lazy", "limits", "stop"}
