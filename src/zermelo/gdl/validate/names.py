"""Names: one number of arguments for each relation and function, one way to write each."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.gdl.finding import WARNING, Finding
from zermelo.gdl.syntax import Function, Rule, Rulesheet, Span, Term, Variable, atoms_of, subterms
from zermelo.gdl.validate.keywords import ARITY


def check_names(sheet: Rulesheet) -> Iterator[Finding]:
    """Relations and functions with different numbers of arguments; names that differ only in their capitals."""
    relations: dict[str, dict[int, Span]] = {}
    functions: dict[str, dict[int, Span]] = {}
    for rule in sheet.rules:
        for atom in atoms_in(rule):
            if atom.name not in ARITY:
                relations.setdefault(atom.name, {}).setdefault(len(atom.args), atom.span)
            for term in terms_in(atom):
                if isinstance(term, Function):
                    functions.setdefault(term.name, {}).setdefault(len(term.args), term.span)
        yield from _capitals_of_variables(sheet, rule)
    yield from _arities(sheet, "relation", relations)
    # A name may well be a constant here and a function there.
    yield from _arities(
        sheet, "function", {name: {n: at for n, at in found.items() if n} for name, found in functions.items()}
    )
    yield from _capitals(sheet, "relation", relations)
    yield from _capitals(sheet, "name", {name: found for name, found in functions.items() if len(name) > 1})


def atoms_in(rule: Rule) -> Iterator[Function]:
    """The head of a rule, then the atoms of its body.

    >>> [atom.name for atom in atoms_in(Rule(Function("p"), (Function("q"),)))]
    ['p', 'q']
    """
    yield rule.head
    for part in rule.body:
        for atom, _ in atoms_of(part):
            yield atom


def terms_in(atom: Function) -> Iterator[Term]:
    """The terms in an atom, with those inside them.

    >>> [str(term) for term in terms_in(Function("true", (Function("f", (Variable("x"),)),)))]
    ['(f ?x)', '?x']
    """
    for argument in atom.args:
        yield from subterms(argument)


def _arities(sheet: Rulesheet, kind: str, found: dict[str, dict[int, Span]]) -> Iterator[Finding]:
    for name, spans in found.items():
        if len(spans) < 2:
            continue
        (first, there), *others = spans.items()
        for count, span in others:
            message = (
                f"the {kind} {name} has {count} argument{'' if count == 1 else 's'} here and {first} in line "
                f"{there.line}: read as two {kind}s, expected one number"
            )
            yield Finding(WARNING, f"{kind}-arity", message, sheet.file, span)


def _capitals(sheet: Rulesheet, kind: str, found: dict[str, dict[int, Span]]) -> Iterator[Finding]:
    spellings: dict[str, str] = {}
    for name, spans in found.items():
        other = spellings.setdefault(name.lower(), name)
        if other != name:
            there = min((span.line, span.column) for span in found[other].values())
            place = min(spans.values(), key=lambda span: (span.line, span.column))
            message = f"the {kind} {name} differs from {other} (line {there[0]}) only in capitals: read as two {kind}s"
            yield Finding(WARNING, "capitalisation", message, sheet.file, place)


def _capitals_of_variables(sheet: Rulesheet, rule: Rule) -> Iterator[Finding]:
    spellings: dict[str, str] = {}
    said: set[str] = set()
    for atom in atoms_in(rule):
        for term in terms_in(atom):
            if isinstance(term, Variable) and term.name not in said:
                other = spellings.setdefault(term.name.lower(), term.name)
                if other != term.name:
                    said.add(term.name)
                    message = f"the variable {term} differs from ?{other} only in capitals: read as two variables"
                    yield Finding(WARNING, "capitalisation", message, sheet.file, term.span)
