"""Reads stylesheets of rulesheets: ``NAME.view.toml``, as docs/formats/view.md describes them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from zermelo.errors import InputError

# For each kind of part: its settings, with the type of each and the variables that a pattern must have.
SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "grid": {
        "columns": "names C",
        "rows": "names R",
        "rows_from": "word top bottom",
        "shape": "word square hex",
        "sides": "names",
        "checkered": "flag",
        "cells": "list C R",
        "pieces": "table",
    },
    "star": {"rows": "names", "facts": "pattern P WHO"},
    "heaps": {"facts": "pattern H N", "take": "pattern H N", "counter": "word counter fruit"},
    "pits": {"facts": "pattern P N", "rows": "names", "stores": "pattern WHO N"},
    "points": {"facts": "pattern WHO P N", "mirror": "text", "bar": "text", "off": "text", "move": "pattern P D"},
    "tracks": {"length": "pattern C L", "camps": "pattern WHO C N", "runners": "pattern C N"},
    "rooms": {"tiles": "pattern R V N", "tokens": "list R"},
    "dice": {
        "facts": "pattern I F", "counts": "pattern F N", "loose": "pattern I", "kept": "pattern F",
        "pairs": "patterns A", "with": "pattern D",
    },
    "tiles": {"all": "pattern T", "facts": "pattern T", "owned": "pattern WHO T", "marks": "text"},
    "card": {"rows": "patterns B", "filled": "pattern WHO B"},
    "coins": {"facts": "pattern WHO SIDE"},
    "graph": {"edges": "pattern A B", "token": "pattern A", "visited": "pattern A"},
    "dots": {"columns": "names C", "rows": "names R", "drawn": "pattern A B C D", "boxes": "pattern C R WHO"},
    "numbers": {"facts": "pattern N", "digits": "patterns N", "label": "text"},
    "track": {"facts": "pattern N", "steps": "pattern N", "piece": "text", "label": "text"},
}  # fmt: skip
"""What a stylesheet may say, and how it is checked: the first word is the type, the others are what it must contain."""
NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "grid": ("cells",),
    "star": ("rows", "facts"),
    "heaps": ("facts",),
    "pits": ("facts", "rows"),
    "points": ("facts", "mirror", "bar", "off"),
    "tracks": ("length", "camps"),
    "rooms": ("tiles",),
    "tiles": ("all", "facts"),
    "card": ("rows", "filled"),
    "coins": ("facts",),
    "graph": ("edges", "token"),
    "dots": ("columns", "rows", "drawn"),
    "track": ("facts", "steps"),
}
_VARIABLE = re.compile(r"\b[A-Z]+\b")
_PLACE = re.compile(r"\(at (?:line (\d+), column (\d+)|end of document)\)")


@dataclass(frozen=True)
class Part:
    """One part of a picture: which kind of drawing, and what it shows."""

    draw: str
    settings: Mapping[str, Any]
    beside: bool = False
    """Whether it stands to the right of the part before it."""


@dataclass(frozen=True)
class View:
    """A stylesheet: the parts of a picture, and relations whose facts are not shown."""

    parts: tuple[Part, ...] = ()
    hide: frozenset[str] = field(default_factory=frozenset)
    turn: bool = True
    """Whether a line says whose turn it is."""


def read_view(text: str, file: str = "<view>") -> View:
    """The stylesheet that a text states.

    >>> read_view('hide = ["step"]\\n[[part]]\\ndraw = "heaps"\\nfacts = "size H N"').parts[0].draw
    'heaps'
    >>> read_view('[[part]]\\ndraw = "heap"', "x.view.toml")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: x.view.toml:1:1: 'heap' is no kind of part, expected one of grid, star, heaps, ...
    """
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        line, column = (int(found[1]), int(found[2])) if found and found[1] else (text.count("\n") + 1, 1)
        what = _PLACE.sub("", str(error)).strip()
        raise InputError(f"not TOML: {what}", file=file, line=line, column=column) from None
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("[[part]]")]
    for key in said:
        if key not in ("hide", "part", "turn"):
            raise InputError(f"unknown setting {key!r}, expected hide, turn or part", file=file, line=1, column=1)
    hide = said.get("hide", [])
    if not (isinstance(hide, list) and all(isinstance(name, str) for name in hide)):
        raise InputError("hide is a list of names of relations", file=file, line=1, column=1)
    parts = said.get("part", [])
    if not (isinstance(parts, list) and all(isinstance(part, dict) for part in parts)):
        raise InputError("a part begins with [[part]]", file=file, line=1, column=1)
    made = []
    for place, part in enumerate(parts):
        try:
            made.append(_part(part))
        except ValueError as error:
            line = lines[place] if place < len(lines) else 1
            raise InputError(str(error), file=file, line=line, column=1) from None
    return View(tuple(made), frozenset(hide), bool(said.get("turn", True)))


def _part(said: Mapping[str, Any]) -> Part:
    draw = str(said.get("draw"))
    if draw not in SETTINGS:
        raise ValueError(f"{draw!r} is no kind of part, expected one of {', '.join(SETTINGS)}")
    allowed = SETTINGS[draw]
    for key, value in said.items():
        if key == "draw":
            continue
        if key == "beside":
            _check("flag", "beside", value)
        elif key not in allowed:
            raise ValueError(f"a part of kind {draw} has no {key!r}, expected {', '.join(allowed)}")
        else:
            _check(allowed[key], key, value)
    for key in NEEDED.get(draw, ()):
        if key not in said:
            raise ValueError(f"a part of kind {draw} needs {key!r}")
    settings = {key: value for key, value in said.items() if key not in ("draw", "beside")}
    return Part(draw, settings, bool(said.get("beside", False)))


def _check(rule: str, key: str, value: Any) -> None:
    """Sees that a setting is of its type; ``ValueError`` says what was expected."""
    kind, *must = rule.split()
    if kind in _SIMPLE:
        fits, expected = _SIMPLE[kind]
        if not fits(value):
            raise ValueError(f"{key} is {expected}")
    elif kind == "word":
        if value not in must:
            raise ValueError(f"{key} is one of {', '.join(must)}")
    elif kind == "pattern" or (kind == "names" and isinstance(value, str)):
        _check_pattern(key, value, must)
    elif not isinstance(value, list):
        raise ValueError(f"{key} is a list")
    elif kind == "names":
        if not all(isinstance(name, str) for name in value):
            raise ValueError(f"{key} is a list of names")
    else:
        for entry in value:
            inner = isinstance(entry, dict) and kind == "list"
            _check_pattern(key, entry.get("facts") if inner else entry, must)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(name, str) for name in value.values())


_SIMPLE: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "flag": (lambda value: isinstance(value, bool), "true or false"),
    "text": (lambda value: isinstance(value, str), "a text"),
    "table": (_is_table, "a table of names of pieces"),
}


def _check_pattern(key: str, value: Any, must: list[str]) -> None:
    if not isinstance(value, str) or not value.split():
        raise ValueError(f'{key} is a pattern of facts such as "cell C R WHAT"')
    missing = sorted(set(must) - set(_VARIABLE.findall(value)))
    if missing:
        raise ValueError(f"{key} is a pattern with {' and '.join(must)}: {value!r} has no {' and no '.join(missing)}")
