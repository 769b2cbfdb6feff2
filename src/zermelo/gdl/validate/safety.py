"""Safety: every variable of a head, a negation or a distinct gets its values from a positive atom of the body.

Without it a rule would hold for infinitely many things, or for whatever happens to be known (Love et al. 2008,
definition of GDL rules; the usual range restriction of Datalog).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zermelo.gdl.finding import ERROR, Finding
from zermelo.gdl.syntax import Formula, Function, Not, Or, Rule, Rulesheet, Span, Variable, subterms, variables_of


def _always(atom: Function) -> bool:
    return True


def check_safety(sheet: Rulesheet) -> Iterator[Finding]:
    """One finding for each variable of a rule that has no values, at its first place."""
    for rule in sheet.rules:
        for name, span, where in _unbound(rule):
            what = "a variable in a fact" if not rule.body else f"{where}has no values"
            ending = "expected a ground fact" if not rule.body else "expected it in a positive atom of the body"
            yield Finding(ERROR, "unsafe-variable", f"?{name} {'is ' if not rule.body else ''}{what}: {ending}",
                          sheet.file, span)  # fmt: skip


def bound_by(formula: Formula, counts: Callable[[Function], bool] = _always) -> set[str]:
    """The variables that a formula gives values to: all of an atom's, those common to the parts of an ``or``.

    >>> p, q = Function("p", (Variable("x"), Variable("y"))), Function("q", (Variable("x"),))
    >>> sorted(bound_by(Or((p, q))))
    ['x']
    """
    return _bound_by(formula, True, counts)


def _bound_by(formula: Formula, positive: bool, counts: Callable[[Function], bool]) -> set[str]:
    # Formulas are nested to MAX_DEPTH at most, so recursion is safe; not over or is the and of nots (De Morgan).
    if isinstance(formula, Function):
        binds = positive and formula.name != "distinct" and counts(formula)
        return variables_of(formula) if binds else set()
    if isinstance(formula, Not):
        return _bound_by(formula.part, not positive, counts)
    parts = [_bound_by(part, positive, counts) for part in formula.parts]
    if isinstance(formula, Or) == positive:
        return set.intersection(*parts) if parts else set()
    return set().union(*parts)


def _unbound(rule: Rule) -> Iterator[tuple[str, Span, str]]:
    bound: set[str] = set().union(*map(bound_by, rule.body))
    said: set[str] = set()
    for name, span in _variables(rule.head):
        if name not in bound and name not in said:
            said.add(name)
            yield name, span, "of the head "
    waiting: list[tuple[Formula, set[str], bool]] = [(part, bound, True) for part in reversed(rule.body)]
    while waiting:
        here, known, positive = waiting.pop()
        if isinstance(here, Not):
            waiting.append((here.part, known, not positive))
        elif not isinstance(here, Function):
            if isinstance(here, Or) != positive:
                known = known.union(*(_bound_by(part, positive, _always) for part in here.parts))
                waiting.extend((part, known, positive) for part in reversed(here.parts))
            else:
                waiting.extend(
                    (part, known | _bound_by(part, positive, _always), positive) for part in reversed(here.parts)
                )
        elif not positive or here.name == "distinct":
            for name, span in _variables(here):
                if name not in known and name not in said:
                    said.add(name)
                    yield name, span, f"under {'distinct' if here.name == 'distinct' else 'not'} "


def _variables(atom: Function) -> Iterator[tuple[str, Span]]:
    return ((term.name, term.span) for term in subterms(atom) if isinstance(term, Variable))
