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

from tests.hallway.test_corridor import PACKAGE, ROOT, imports

NO_VERB = {
    "zermelo.arena.paper": "Makefile",
    "zermelo.arena.reproduce": "Makefile",
    "zermelo.bridges": "docs/bridges.md",
    "zermelo.bridges.figures": "src/zermelo/bridges/open_spiel.py",
    "zermelo.bridges.many_games": "docs/bridges.md",
    "zermelo.bridges.open_spiel": "docs/bridges.md",
    "zermelo.bridges.pettingzoo": "docs/bridges.md",
    "zermelo.qbf.reading": "src/zermelo/qbf/__init__.py",
}
"""Modules that no verb reaches, each with the file that does: ``make reproduce`` makes pages of the paper's tables, and
what those who work in Python ask of a room, or of a bridge to another package, is exported or told of there."""
NOBODY_NAMES = {
    "do_GET": "the server of the standard library calls it",
    "do_OPTIONS": "the server of the standard library calls it",
    "do_POST": "the server of the standard library calls it",
    "handle_error": "the server of the standard library calls it",
    "log_message": "the server of the standard library calls it",
    "_action_to_string": "OpenSpiel calls it",
    "_apply_action": "OpenSpiel calls it",
    "_apply_actions": "OpenSpiel calls it",
    "_legal_actions": "OpenSpiel calls it",
    "chance_outcomes": "OpenSpiel calls it",
    "current_player": "OpenSpiel calls it",
    "information_state_string": "OpenSpiel calls it",
    "is_terminal": "OpenSpiel calls it",
    "make_py_observer": "OpenSpiel calls it",
    "new_initial_state": "OpenSpiel calls it",
    "observation_string": "OpenSpiel calls it",
    "returns": "OpenSpiel calls it",
    "action_space": "PettingZoo calls it",
    "observation_space": "PettingZoo calls it",
    "observe": "PettingZoo calls it",
    "render": "PettingZoo calls it",
    "data_received": "uvicorn calls it",
    "send_400_response": "uvicorn calls it",
    "is_won": "it defines the problems that docs/cgt-hardness.md turns into sums",
}
"""Names that nothing in the package uses, each with the reason why it is here."""


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
    doors = ["zermelo", "zermelo.__main__", *exported("zermelo").values()]
    lost = set(MODULES) - reached([*doors, *verbs])
    assert lost == set(NO_VERB), "reach it by a verb, move it to where it is used, or say in NO_VERB why it is here"


@pytest.mark.parametrize("module", NO_VERB)
def test_what_no_verb_reaches_is_reached_from_the_file_that_is_named(module: str) -> None:
    text = (ROOT / NO_VERB[module]).read_text(encoding="utf-8")
    inside = MODULES["zermelo.arena.reproduce"].read_text(encoding="utf-8") if "arena" in module else ""
    assert module in text + inside


def words_of(text: str) -> set[str]:
    """The words of a text that may be names."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def names_used(tree: ast.Module) -> Iterator[str]:
    """The names that a module reads, be it in a short string; what it defines alone is not among them."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {id(node.body[0]) for node in ast.walk(tree) if isinstance(node, documented) and node.body}
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and id(node) in docstrings:
            continue
        waiting += ast.iter_child_nodes(node)
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if len(text) < 200:
                yield from words_of(text)


def names_defined(tree: ast.Module) -> Iterator[str]:
    """Functions, classes, methods and constants; what a decorator hands to somebody else is used there."""
    plain = {"property", "cached_property", "classmethod", "staticmethod", "abstractmethod", "dataclass", "cache"}
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        if all(words_of(ast.unparse(each)) & plain for each in node.decorator_list):
            yield node.name
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement.target.id


def test_something_uses_every_name_or_the_documentation_tells_of_it() -> None:
    used = {name for module in MODULES for name in names_used(parsed(module))} | set(NOBODY_NAMES)
    for page in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.py"), ROOT / "README.md"]:
        used |= words_of(page.read_text(encoding="utf-8"))
    for module in MODULES:
        for name in names_defined(parsed(module)):
            special = name.startswith("__") or name.startswith("_repr_")
            assert special or name in used, f"{module}: nothing uses {name}, and no page tells of it"
