"""The page that says why certificates are proofs names functions of the checker: they exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from zermelo.check.named import MODULES
from zermelo.check.rules import CHECKERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/why-certificates-hold.md").read_text()
NAMED = sorted(set(re.findall(r"`(check/[\w/]+\.py):([\w.]+)`", PAGE)))


def names_in(file: str) -> set[str]:
    """The functions and classes of a module, and the methods of classes with their class."""
    tree = ast.parse((ROOT / "src/zermelo" / file).read_text())
    found = set[str]()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            inner = node.body if isinstance(node, ast.ClassDef) else ()
            found |= {f"{node.name}.{one.name}" for one in inner if isinstance(one, ast.FunctionDef)}
    return found


def test_every_function_that_the_page_names_exists() -> None:
    assert len(NAMED) > 60
    missing = [f"{file}:{name}" for file, name in NAMED if name not in names_in(file)]
    assert not missing


def test_every_rule_of_certificates_has_its_proof_on_the_page() -> None:
    modules = {module.removeprefix("zermelo.").replace(".", "/") + ".py" for module, _ in CHECKERS.values()}
    modules |= {f"check/named/{module}.py" for module in MODULES.values()} | {"check/walk.py"}
    assert modules <= {file for file, _ in NAMED}
