"""Says what is wrong with a rulesheet, without playing it.

An *error* makes the sheet meaningless: a variable without values, negation in a circle, a move that decides whether
it is legal. Everything else that a careful reader would remark on is a *warning*; the sheet is played as it stands.
The restrictions are those of Love, Hinrichs, Haley, Schkufza and Genesereth, "General Game Playing: Game Description
Language Specification" (2008), and for ``random`` and ``sees`` of Thielscher, "A General Game Description Language for
Incomplete Information Games" (AAAI 2010).

One concern a module:

:mod:`~zermelo.gdl.validate.completeness`
    roles, legal moves, goals, an end.
:mod:`~zermelo.gdl.validate.keywords`
    relations with a fixed meaning in their places.
:mod:`~zermelo.gdl.validate.safety`
    every variable has values.
:mod:`~zermelo.gdl.validate.dependence`
    what depends on what: negation in layers, recursion that ends, nothing that depends on moves too early.
:mod:`~zermelo.gdl.validate.names`
    numbers of arguments, capitals.
:mod:`~zermelo.gdl.validate.usage`
    what is never used, never produced, or stated twice.
"""

from __future__ import annotations

from zermelo.gdl.finding import ERROR, WARNING, Finding, in_order
from zermelo.gdl.reader import no_garbage
from zermelo.gdl.syntax import Rulesheet
from zermelo.gdl.validate.completeness import check_completeness
from zermelo.gdl.validate.dependence import check_dependence
from zermelo.gdl.validate.keywords import check_keywords
from zermelo.gdl.validate.names import check_names
from zermelo.gdl.validate.safety import check_safety
from zermelo.gdl.validate.usage import check_usage

CHECKS = (check_completeness, check_keywords, check_safety, check_dependence, check_names, check_usage)


def check_rules(sheet: Rulesheet) -> list[Finding]:
    """Everything there is to say about a sheet, by place.

    >>> from zermelo.gdl.reader import read_rules
    >>> sheet = read_rules("role(a). terminal. goal(a, 100). legal(a, X) :- distinct(X, b).", "g.pl")
    >>> print(*check_rules(sheet), sep="\\n")
    g.pl: warning: no init: nothing holds at the start [no-init]
    g.pl: warning: no next: every position after the first is empty [no-next]
    g.pl:1:43: error: ?x of the head has no values: expected it in a positive atom of the body [unsafe-variable]
    """
    with no_garbage():
        findings = [Finding(WARNING, note.code, note.message, sheet.file, note.span) for note in sheet.notes]
        for check in CHECKS:
            findings.extend(check(sheet))
        return in_order(findings)


def require_valid(sheet: Rulesheet) -> None:
    """Raises the first error of a sheet as :class:`zermelo.errors.InputError`; warnings pass.

    >>> from zermelo.gdl.reader import read_rules
    >>> require_valid(read_rules("role(a). legal(a, wait). goal(a, 100)."))
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: <rules>: no terminal: play would never end
    """
    for finding in check_rules(sheet):
        if finding.severity == ERROR:
            raise finding.as_error()
