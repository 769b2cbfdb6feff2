"""What a terminal gets beside the plain text: colours, lines that fit, and a line of progress redrawn in place.

A pipe or a file gets the plain text. ``NO_COLOR`` (https://no-color.org) and ``TERM=dumb`` turn colours off; a dumb
terminal has no line redrawn either.
"""

from __future__ import annotations

import os
import re
import shutil
from textwrap import wrap
from typing import Final, TextIO

INDENT: Final = 11
"""Where the texts of a report begin, below one another: two blanks, a name of eight letters, a blank."""
NARROWEST: Final = 40
"""Narrower terminals get lines of this width, which they break themselves."""

_CODES: Final = {"strong": "1", "good": "32", "bad": "31", "doubt": "33"}
_ROW: Final = re.compile(r"  ([a-z]*) +(.*)")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at the stream.

    >>> import io
    >>> is_terminal(io.StringIO()), is_terminal(None)
    (False, False)
    """
    return stream is not None and stream.isatty()


def redraws(stream: TextIO | None) -> bool:
    """Whether a line on the stream can be drawn again in place."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def has_colour(stream: TextIO | None) -> bool:
    """Whether colours are shown on the stream, and nobody forbade them."""
    modern = os.name != "nt" or "WT_SESSION" in os.environ  # the old console of Windows shows the codes themselves
    return redraws(stream) and not os.environ.get("NO_COLOR") and modern


def width_of(stream: TextIO | None) -> int | None:
    """How many columns a terminal has; ``None`` for everything else, whose lines are left as they are.

    >>> import io
    >>> width_of(io.StringIO()) is None
    True
    """
    return max(shutil.get_terminal_size().columns, NARROWEST) if is_terminal(stream) else None


def painted(text: str, style: str) -> str:
    r"""The text in a style: strong, good, bad or doubt.

    >>> painted("accepted", "good")
    '\x1b[32maccepted\x1b[0m'
    """
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def folded(text: str, width: int | None, indent: int = 0) -> str:
    """The lines of a text, broken between words where they are too long; what follows a break is indented.

    >>> print(folded("  move     take one of the many heaps", 24, 11))
      move     take one of
               the many
               heaps
    >>> folded("nothing is broken here", None)
    'nothing is broken here'
    """
    if width is None:
        return text
    return "\n".join(_broken(line, width, indent) for line in text.split("\n"))


def _broken(line: str, width: int, indent: int) -> str:
    if len(line) <= width:
        return line
    own = len(line) - len(line.lstrip())
    options = {"break_long_words": False, "break_on_hyphens": False, "drop_whitespace": True}
    return "\n".join(wrap(line, width, subsequent_indent=" " * max(own, indent), **options))  # type: ignore[arg-type]


def report_on(stream: TextIO | None, report: str) -> str:
    """A report for the stream: on a terminal its lines fit, the headline is strong and the verdict coloured.

    >>> import io
    >>> report_on(io.StringIO(), "nim:1: first wins")
    'nim:1: first wins'
    """
    width, colour = width_of(stream), has_colour(stream)
    lines = []
    for line in report.split("\n"):
        row = line.startswith("  ")
        fitting = folded(line, width, INDENT if row else 2)
        style = (_style(line) if row else "strong") if colour else None
        lines.append("\n".join(painted(part, style) for part in fitting.split("\n")) if style else fitting)
    return "\n".join(lines)


def _style(line: str) -> str | None:
    """The colour of a row: whether the answer was checked, and what casts doubt on it.

    >>> _style("  checked  yes, by the independent checker"), _style("  value    1")
    ('good', None)
    """
    row = _ROW.fullmatch(line)
    if row is None:
        return None
    if row[1] == "checked":
        return "good" if row[2].startswith("yes") else "doubt"
    return "doubt" if row[1] == "note" else None


def verdict_on(stream: TextIO | None, verdict: str, style: str) -> str:
    """A text whose first word is the verdict, coloured where the stream shows colours."""
    text = folded(verdict, width_of(stream), 2)
    if not has_colour(stream):
        return text
    word, colon, rest = text.partition(":")
    return painted(word, style) + colon + rest


class LiveLine:
    r"""One line that is drawn again and again in the same place, and wiped at the end.

    >>> import io
    >>> stream = io.StringIO()
    >>> line = LiveLine(stream)
    >>> line.draw("1 game"); line.draw("2"); line.wipe()
    >>> stream.getvalue()
    '\r1 game\r2     \r \r'
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = 0

    def draw(self, text: str) -> None:
        """Shows the text in place of the one before it, cut to the width of the terminal."""
        text = text[: (width_of(self.stream) or 120) - 1]
        self._write("\r" + text.ljust(self.shown))
        self.shown = len(text)

    def wipe(self) -> None:
        """Leaves a clean line to what follows."""
        if self.shown:
            self._write("\r" + " " * self.shown + "\r")
            self.shown = 0

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()
