"""What is asked for and never stated, stated and never asked for, or stated twice: often a slip of the pen."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.gdl.finding import WARNING, Finding
from zermelo.gdl.syntax import Function, Rule, Rulesheet, Span, Term, Variable
from zermelo.gdl.validate.keywords import ARITY
from zermelo.gdl.validate.names import atoms_in

_GIVEN = frozenset(["true", "does", "distinct"])
_ASKED_BY_PLAY = frozenset(ARITY) - _GIVEN


def check_usage(sheet: Rulesheet) -> Iterator[Finding]:
    """Unused and unproduced relations, facts and moves; rules that are there twice."""
    yield from _relations(sheet)
    yield from _matching(sheet, "fact", ("init", "next"), "true", 0, "no init or next states it: it never holds")
    yield from _matching(sheet, "move", ("legal",), "does", 1, "no legal states it: it is never made")
    yield from _twice(sheet)


def _relations(sheet: Rulesheet) -> Iterator[Finding]:
    stated: dict[tuple[str, int], Span] = {}
    asked: dict[tuple[str, int], Span] = {}
    for rule in sheet.rules:
        head, *body = atoms_in(rule)
        stated.setdefault((head.name, len(head.args)), head.span)
        for atom in body:
            # A relation that only its own rules ask for is of no use to play.
            if (atom.name, len(atom.args)) != (head.name, len(head.args)):
                asked.setdefault((atom.name, len(atom.args)), atom.span)
    missing = {name: span for name, span in _asked_anywhere(sheet).items() if name not in stated}
    for (name, count), span in missing.items():
        if name not in _GIVEN and ARITY.get(name, count) == count:
            message = f"no rule states {_shown(name, count)}: it never holds"
            yield Finding(WARNING, "unproduced-relation", message, sheet.file, span)
    for (name, count), span in stated.items():
        if name not in _ASKED_BY_PLAY and (name, count) not in asked and name not in _GIVEN:
            message = f"no rule asks for {_shown(name, count)}: it is of no use"
            yield Finding(WARNING, "unused-relation", message, sheet.file, span)


def _asked_anywhere(sheet: Rulesheet) -> dict[tuple[str, int], Span]:
    asked: dict[tuple[str, int], Span] = {}
    for rule in sheet.rules:
        _, *body = atoms_in(rule)
        for atom in body:
            asked.setdefault((atom.name, len(atom.args)), atom.span)
    return asked


def _shown(name: str, count: int) -> str:
    return f"{name} with {count} argument{'' if count == 1 else 's'}" if count else name


def _matching(
    sheet: Rulesheet, kind: str, states: tuple[str, ...], asks: str, place: int, never: str
) -> Iterator[Finding]:
    """Facts (or moves) that bodies ask for against those that heads state, by name and number of arguments."""
    stated: dict[tuple[str, int], Span] = {}
    asked: dict[tuple[str, int], Span] = {}
    anything_stated = anything_asked = False
    for rule in sheet.rules:
        head, *body = atoms_in(rule)
        if head.name in states:
            anything_stated |= _note(stated, head, place)
        for atom in body:
            if atom.name == asks:
                anything_asked |= _note(asked, atom, place)
            elif atom.name in states:  # (legal ?r ?m) in a body uses moves as well
                anything_asked = True
    if not anything_stated:
        for (name, count), span in asked.items():
            if (name, count) not in stated:
                message = f"the {kind} {_shown(name, count)} is asked for, but {never}"
                yield Finding(WARNING, f"unproduced-{kind}", message, sheet.file, span)
    # Moves that nothing asks about are usual: noop.
    if not anything_asked and kind == "fact":
        for (name, count), span in stated.items():
            if (name, count) not in asked:
                message = f"the {kind} {_shown(name, count)} is stated, but nothing asks for it"
                yield Finding(WARNING, f"unused-{kind}", message, sheet.file, span)


def _note(found: dict[tuple[str, int], Span], atom: Function, place: int) -> bool:
    """Remembers what an atom is about; says whether that is a variable, which may be anything."""
    term: Term | None = atom.args[place] if place < len(atom.args) else None
    if isinstance(term, Function):
        found.setdefault((term.name, len(term.args)), term.span)
    return isinstance(term, Variable)


def _twice(sheet: Rulesheet) -> Iterator[Finding]:
    first: dict[Rule, Rule] = {}
    for rule in sheet.rules:
        before = first.setdefault(rule, rule)
        if before is not rule and rule.head.name != "role":
            message = f"this rule stands in line {before.span.line} already"
            yield Finding(WARNING, "duplicate-rule", message, sheet.file, rule.span)
