"""Failing cases as files that are read back: JSON with the part, the seed and the case as it was shrunk."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

FORMAT = "zermelo-fuzz-case"
FOLDER = Path("build/fuzz")
OURS = ("tests.", "zermelo.")
"""Where the classes of cases are defined."""


def to_json(value: Any) -> Any:
    """A case as JSON: dataclasses of the project, tuples, bytes and fractions say what they are.

    >>> from_json(to_json((1, Fraction(1, 3), b"x"))) == (1, Fraction(1, 3), b"x")
    True
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, tuple):
        return {"tuple": [to_json(item) for item in value]}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if is_dataclass(value) and type(value).__module__.startswith(OURS):
        named = {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
        return {"class": f"{type(value).__module__}:{type(value).__qualname__}", "fields": named}
    raise TypeError(f"a case holds a {type(value).__name__}, which has no form in JSON")


def from_json(data: Any) -> Any:
    """The inverse of :func:`to_json`."""
    if isinstance(data, list):
        return [from_json(item) for item in data]
    if not isinstance(data, dict):
        return data
    if "fraction" in data:
        return Fraction(data["fraction"])
    if "bytes" in data:
        return bytes.fromhex(data["bytes"])
    if "tuple" in data:
        return tuple(from_json(item) for item in data["tuple"])
    module, _, name = data["class"].partition(":")
    if not module.startswith(OURS):
        raise ValueError(f"{module} is no module of the project")
    made = getattr(import_module(module), name)
    return made(**{name: from_json(item) for name, item in data["fields"].items()})


def keep(part: str, seed: int, case: Any, error: str, folder: Path = FOLDER) -> Path:
    """Writes a failing case; the name of the file says the part and the seed."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{part}-{seed}.json"
    data = {"format": FORMAT, "part": part, "seed": seed, "error": error, "case": to_json(case)}
    file.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return file


def kept(file: Path) -> tuple[str, Any]:
    """The part and the case of a file."""
    data = json.loads(file.read_text(encoding="utf-8"))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"{file} is not a case that was kept")
    return data["part"], from_json(data["case"])
