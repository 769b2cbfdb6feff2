"""What is wrong, or only unwise, about a rulesheet: one finding, with its place and a code that never changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from zermelo.brief import shown_in_brief
from zermelo.errors import InputError, one_line
from zermelo.gdl.syntax import NOWHERE, Span

Severity = Literal["error", "warning"]
ERROR: Final[Severity] = "error"
"""The sheet means nothing as it stands: it is not played."""
WARNING: Final[Severity] = "warning"
"""The sheet has a meaning, but perhaps not the one that was wanted."""


@dataclass(frozen=True)
class Finding:
    """One remark on a rulesheet.

    >>> print(Finding("error", "unsafe-variable", "?x is unbound", "g.kif", Span(3, 5)))
    g.kif:3:5: error: ?x is unbound [unsafe-variable]
    """

    severity: Severity
    code: str
    message: str
    file: str = "<rules>"
    span: Span = NOWHERE

    _repr_html_ = shown_in_brief

    @property
    def place(self) -> str:
        """``file:line:column``; only the file where the remark is about the sheet as a whole."""
        return f"{self.file}:{self.span.line}:{self.span.column}" if self.span.line else self.file

    def __str__(self) -> str:
        return one_line(f"{self.place}: {self.severity}: {self.message} [{self.code}]")

    def to_json(self) -> dict[str, str | int | None]:
        """The finding as a JSON object; line and column are null where it is about the sheet as a whole.

        >>> Finding("warning", "no-init", "nothing holds at the start", "g.kif").to_json()["line"] is None
        True
        """
        return {
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "file": self.file,
            "line": self.span.line or None,
            "column": self.span.column or None,
        }

    def as_error(self) -> InputError:
        """The finding as what is raised."""
        line, column = (self.span.line, self.span.column) if self.span.line else (None, None)
        return InputError(self.message, file=self.file, line=line, column=column)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings by their place in the text, each once; those about the whole sheet come first.

    >>> late, early = Finding("error", "a", "x", span=Span(9, 1)), Finding("warning", "b", "y", span=Span(2, 7))
    >>> [finding.code for finding in in_order([late, early, late])]
    ['b', 'a']
    """
    return sorted(set(findings), key=lambda f: (f.span.line, f.span.column, f.severity, f.code, f.message))
