"""One board by cgt-py, for :mod:`benchmarks.cgt`: run by an interpreter that has it, which need not have Zermelo.

``python benchmarks/cgt_peer.py Domineering "..|.."`` prints CPU seconds, peak memory in bytes, both stops and the
temperature, as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import types


class Stand:
    """Stands in for whatever cgt-py takes from the widget libraries, which it imports but does not ask for."""

    def __init__(self, *arguments: object, **named: object) -> None:
        del arguments, named

    def __call__(self, function: object = None, *arguments: object, **named: object) -> object:
        del arguments, named
        return function

    def tag(self, **named: object) -> Stand:
        """As traits have it."""
        del named
        return self


class Absent(types.ModuleType):
    """A module that has every name."""

    def __getattr__(self, name: str) -> type[Stand]:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stand


def main() -> None:
    """Works the board out once: the second time cgt-py would remember it."""
    for name in ("anywidget", "traitlets"):
        sys.modules.setdefault(name, Absent(name))
    import cgt_py

    position = getattr(cgt_py, sys.argv[1])(sys.argv[2])
    began = time.process_time()
    form = position.canonical_form
    seconds = time.process_time() - began
    facts = [float(form.left_stop), float(form.right_stop), float(form.temperature)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "memory": memory, "facts": facts}))


if __name__ == "__main__":
    main()
