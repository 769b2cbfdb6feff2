"""From a target to the text that states its game: which format it is in, and what it says; nothing is read from it yet.

Both readers begin here, that of the engines (:mod:`zermelo.targets`) and that of the checker
(:mod:`zermelo.check.instance`); from the text on they have nothing in common.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from zermelo.cgt.ruleset import is_ruleset
from zermelo.files import read_text
from zermelo.games import is_library_game
from zermelo.source import Source, formula_format_of

RULES_SUFFIXES = (".kif", ".gdl", ".pl", ".hrf")
FORMULA_SUFFIXES = (".qcir", ".qdimacs", ".qcnf", ".cnf", ".dimacs")
FORMATS: Final[dict[str, tuple[str, str, int]]] = {
    **dict.fromkeys(RULES_SUFFIXES, ("rulesheet", "rulesheet", 64 << 20)),
    **dict.fromkeys((".graph", ".txt", ".edges", ".edgelist"), ("graph", "graph", 64 << 20)),
    **dict.fromkeys(FORMULA_SUFFIXES[1:], ("qdimacs", "formula", 512 << 20)),
    ".qcir": ("qcir", "formula", 512 << 20),
    ".qlp": ("qlp", "program", 512 << 20),
    ".cgt": ("cgt", "sum of games", 64 << 20),
    ".json": ("network", "network", 64 << 20),
    ".dgr": ("dgr", "network", 64 << 20),
}
"""Ends of file names: the format, what errors call it, and the most bytes that are read."""
RECORD_BYTES = 16 << 20
MOST_FROM_STREAM = 512 << 20
_SUM = re.compile(r"[\d\s{}|,()+\-*/^v._±−∗★·↑↓⇑⇓⧾⧿]*|.*[{}].*", re.DOTALL)
"""How a sum in brackets looks; whatever has braces is taken for one, so that slips are shown with their place."""
_RECORD = re.compile(r"(?P<file>.+\.sgf)(?::(?P<options>.*))?", re.IGNORECASE | re.DOTALL)
_PROGRAM = re.compile(r"(?:\ufeff|\s|//[^\n]*|\\[^\n]*|/\*.*?\*/)*(?:minimize|maximize)\s", re.IGNORECASE | re.DOTALL)
"""How a quantified program begins, after its comments."""
_NETWORK = re.compile(r'\s*\{\s*"')
"""How a network begins, as any object of JSON does."""


def source_of(target: str) -> Source | None:
    """The text that states a target's game; ``None`` for games of the library and of Python classes.

    >>> source_of("{5|-5}").format, source_of("domineering:..|..").format, source_of("nim:3,4")
    ('cgt', 'board', None)
    """
    if target == "-":
        text = read_text("-", "graph, formula, program, sum or network", MOST_FROM_STREAM)
        return Source(format_of(text), text, "-")
    if target.startswith("gdl:"):
        from zermelo.gdl.library import rulesheet_text

        name, _, arguments = target.removeprefix("gdl:").partition(":")
        return Source("rulesheet", rulesheet_text(name, arguments), target)
    file = target.removeprefix("dgr:")
    if target.startswith("dgr:") and (file.startswith("random:") or not Path(file).is_file()):
        return None
    suffix = ".dgr" if target.startswith("dgr:") else Path(target).suffix.lower()
    if suffix in FORMATS:
        kind, what, most = FORMATS[suffix]
        text = read_text(file, what, most)
        return Source(format_of(text) if suffix == ".txt" else kind, text, file)  # .txt may be anything
    return _record_or_sum(target)


def _record_or_sum(target: str) -> Source | None:
    """The Go record, the boards or the sum in brackets that a target is; ``None`` if it is none of them."""
    if match := _RECORD.fullmatch(target):
        text = read_text(match["file"], "game record", RECORD_BYTES)
        return Source("sgf", text, match["file"], match["options"] or "")
    name = target.partition(":")[0]
    if name == "dots" or (is_ruleset(name) and not is_library_game(name)):
        return Source("board", target, target)
    return Source("cgt", target, "literal") if _SUM.fullmatch(target) and target.strip() else None


def format_of(text: str) -> str:
    """The format that a text looks to be in; a graph where it looks like nothing else.

    >>> format_of("# a graph\\n3\\n0 1"), format_of("c remark\\np cnf 1 1"), format_of("exists (x)")
    ('graph', 'qdimacs', 'qcir')
    >>> format_of("MINIMIZE\\n x"), format_of('{"format": ...'), format_of("{5|-5}")
    ('qlp', 'network', 'cgt')
    """
    if (formula := formula_format_of(text)) is not None:
        return formula
    if _PROGRAM.match(text):
        return "qlp"
    if _NETWORK.match(text):
        return "network"
    return "cgt" if "|" in text and "{" in text else "graph"
