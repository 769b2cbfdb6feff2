"""The types that mypy reads of the kernels are those of the compiled module."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from zermelo import _native

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "src/zermelo/_native.pyi"
PATTERNS = ROOT / "native/bindings/_native.pat"


def meaning(stub: Path) -> str:
    """A stub without its layout, which may change from one release of nanobind to the next."""
    return ast.unparse(ast.parse(stub.read_text(encoding="utf-8")))


def test_the_stub_is_what_make_stubs_writes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nanobind.stubgen", "--quiet", "--module", "zermelo._native"]
    command += ["--pattern-file", str(PATTERNS), "--output-file", str(tmp_path / "_native.pyi")]
    subprocess.run(command, check=True)
    assert meaning(WRITTEN) == meaning(tmp_path / "_native.pyi"), "run `make stubs`"


def test_patterns_are_for_names_that_the_module_has() -> None:
    for names in re.findall(r"^zermelo\._native\.(\S+?)\$:$", PATTERNS.read_text(encoding="utf-8"), re.MULTILINE):
        for name in alternatives(names):
            assert callable(getattr(_native, name[0])), name
            assert all(hasattr(getattr(_native, name[0]), member) for member in name[1:]), name


def alternatives(names: str) -> list[list[str]]:
    """What ``(A|B).c`` stands for: ``A.c`` and ``B.c``, each as its parts."""
    match = re.search(r"\(([^)]*)\)", names)
    chosen = [names] if match is None else [names.replace(match[0], name) for name in match[1].split("|")]
    return [name.split(".") for name in chosen]
