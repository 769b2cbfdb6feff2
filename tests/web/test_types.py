"""The scripts of the page: every one is checked by TypeScript, and none comes from elsewhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "src" / "zermelo" / "web" / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))


def compiler() -> list[str] | None:
    """How TypeScript is called: the one that is named, that of this folder, or the system's."""
    if named := os.environ.get("ZERMELO_TSC"):
        return named.split()
    own = HERE / "node_modules" / "typescript" / "bin" / "tsc"
    if own.is_file() and (node := shutil.which("node")):
        return [node, str(own)]
    return [found] if (found := shutil.which("tsc")) else None


def test_every_script_asks_to_be_checked() -> None:
    assert SCRIPTS
    for path in SCRIPTS:
        assert path.read_text(encoding="utf-8").startswith("// @ts-check\n/**"), path.name


def test_scripts_are_well_typed() -> None:
    command = compiler()
    if command is None:
        pytest.skip("no TypeScript (make test-web installs it)")
    run = subprocess.run([*command, "-p", str(HERE / "tsconfig.json")], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org", "")
        assert not re.search(r"https?://", text), path.name
        assert not re.search(r"\b(eval|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b", text), path.name


def test_modules_are_small_and_imported() -> None:
    app = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    for path in SCRIPTS:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path.name
        assert path.name == "app.js" or f"'./{path.name}'" in app, f"nobody imports {path.name}"
