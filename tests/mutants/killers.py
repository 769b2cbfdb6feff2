"""What killed each mutant when it was last tried: a list kept with the tests (``killers.txt``).

To find the tests that come to a changed line, every test of the checker has to be traced, which takes far longer than
to run for each mutant the one test that is known to notice it. So that test goes first, and only mutants which it lets
live have the others. A wrong line of the list costs time and no more: a mutant counts as killed only if a test that
passes without the change fails with it, in this run.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tests.mutants.mutate import Mutant
from tests.mutants.running import Reach

LISTED = Path(__file__).with_name("killers.txt")
HEAD = """\
# Which test killed which mutants when they were last tried: its name, its seconds, and short names of the mutants.
# Written by python -m tests.mutants --record.
"""


def hint(mutant: Mutant) -> str:
    """A short name that stays when the function around the change becomes another; two mutants may share one."""
    text = "\n".join((mutant.path, mutant.within, mutant.change, str(mutant.nth)))
    return sha256(text.encode()).hexdigest()[:8]


@dataclass
class Killers:
    """For mutants by their short names the test that killed them, and for each test its seconds.

    >>> killers = Killers.read("tests/a.py::test_a 0.25\\n    0123abcd 4567ef01")
    >>> killers.tests["4567ef01"], killers.seconds["tests/a.py::test_a"]
    ('tests/a.py::test_a', 0.25)
    """

    tests: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    passing: set[str] = field(default_factory=set)
    """The tests that have been seen to pass without a change."""

    @classmethod
    def read(cls, text: str) -> Killers:
        """The list from its text."""
        killers, test = cls(), ""
        for line in text.splitlines():
            if line.startswith(" "):
                killers.tests.update(dict.fromkeys(line.split(), test))
            elif line and not line.startswith("#"):
                test, _, seconds = line.rpartition(" ")
                killers.seconds[test] = float(seconds)
        return killers

    @classmethod
    def listed(cls) -> Killers:
        """The list that is kept with the tests."""
        return cls.read(LISTED.read_text(encoding="utf-8")) if LISTED.exists() else cls()

    def write(self) -> str:
        """The list as a text."""
        of_test: dict[str, list[str]] = {}
        for name, test in self.tests.items():
            of_test.setdefault(test, []).append(name)
        parts = [_part(f"{test} {self.seconds.get(test, 1.0):.2f}", of_test[test]) for test in sorted(of_test)]
        return HEAD + "".join(parts)

    def first(self, mutant: Mutant) -> Reach | None:
        """The test to try first, if one is known and its file is there."""
        test = self.tests.get(hint(mutant), "")
        if not test or not Path(test.split("::")[0]).is_file():
            return None
        return Reach(test, self.seconds.get(test, 1.0), frozenset())


def _part(head: str, names: Iterable[str]) -> str:
    lines = textwrap.wrap(" ".join(sorted(names)), 112)
    return head + "\n" + "".join(f"    {line}\n" for line in lines)
