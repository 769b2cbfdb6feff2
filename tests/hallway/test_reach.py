"""Everything in the package is used: some verb reaches each module, and something uses each name.

What only tests, benchmarks or a reader of the code would use belongs to them. A module counts as reached where a verb
of the command line leads to it by imports, lazy ones included, or by the tables that name modules in strings.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.hallway.test_corridor import PACKAGE, imports

NO_VERB: dict[str, str] = {}
"""Modules that no verb reaches, each with the reason why it is here."""


def name_of(path: Path) -> str:
    """The module of a file."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def parsed(module: str) -> ast.Module:
    """The text of a module as a tree."""
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def exported(package: str) -> dict[str, str]:
    """The names that a package imports on first use, with the modules that hold them."""
    for node in ast.walk(parsed(package)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazy":
            return {name: f"{package}.{module}" for name, module in ast.literal_eval(node.args[1]).items()}
    return {}


def held(imported: str) -> str | None:
    """The module that has to be loaded for an import; ``None`` for one of another package."""
    if imported in MODULES:
        return imported
    module, _, name = imported.rpartition(".")
    return exported(module).get(name, module) if module in MODULES else None


def named_in_tables(module: str) -> Iterator[str]:
    """The modules that strings of a module name: whole, or beside it where it imports by name."""
    text = MODULES[module].read_text(encoding="utf-8")
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if found := re.fullmatch(r"(zermelo(?:\.\w+)+)(?::\w+)?", node.value):
                yield found[1]
        elif isinstance(node, ast.Dict) and "import_module" in text:
            words = [value.value for value in node.values if isinstance(value, ast.Constant)]
            yield from (f"{package}.{word}" for word in words)


def used_by(module: str) -> set[str]:
    """The modules that one needs, and the packages that they lie in."""
    found = {held(name) for name in [*imports(MODULES[module]), *named_in_tables(module)]}
    return {name for name in found if name is not None}


def reached(roots: list[str]) -> set[str]:
    """What can be reached from some modules."""
    found, waiting = set[str](), list(roots)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += [*used_by(module), *filter(None, [module.rpartition(".")[0]])]
    return found


def test_a_verb_reaches_every_module() -> None:
    verbs = [module for module in MODULES if module.startswith("zermelo.cli")]
    lost = set(MODULES) - reached(["zermelo", "zermelo.__main__", *verbs])
    assert lost == set(NO_VERB), "reach it by a verb, move it to where it is used, or say in NO_VERB why it is here"
