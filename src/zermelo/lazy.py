"""Packages that name much and load little: a name is imported when it is first asked for.

A package lists its names with the modules that hold them:

    __getattr__, __dir__ = lazy(__name__, {"Formula": "formula", "parse_qcir": "qcir"})

The type checker and editors see the same names imported below ``if TYPE_CHECKING``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions ``__getattr__`` and ``__dir__`` of a package, from its names and the modules that hold them.

    >>> import zermelo.qbf
    >>> "Formula" in dir(zermelo.qbf), zermelo.qbf.Formula.__name__
    (True, 'Formula')
    >>> zermelo.qbf.formular
    Traceback (most recent call last):
        ...
    AttributeError: module 'zermelo.qbf' has no attribute 'formular'
    """

    def get(name: str) -> Any:
        if name in names:
            return getattr(import_module(f"{package}.{names[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def listed() -> list[str]:
        own = (name for name in vars(sys.modules[package]) if not name.startswith("_") or name.endswith("__"))
        return sorted({*own, *names})

    return get, listed
