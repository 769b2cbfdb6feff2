"""Reads the terms in which functions are shown: the inverse of ``write_decisions``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from zermelo.errors import InputError
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal, negate
from zermelo.qbf.formula import OTHER, Formula, Quantifier, quantifiers, variables_by_name
from zermelo.qbf.functions import Functions

MOST_GATES = 200_000
"""Larger functions are for programs to read, not for people: AIGER takes them."""

_TOKEN = re.compile(r"\s*([(),]|[^\s(),]+)")


def parse_decisions(text: str, formula: Formula, owner: Quantifier | None = None, name: str = "functions") -> Functions:
    """The functions that a list of terms states; the inverse of :func:`write_decisions`.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x = circuit.variable() // 2
    >>> formula = Formula(circuit, (Block("exists", (x,)),), 2 * x, {x: "x"})
    >>> parse_decisions("list(list(x, true()))", formula).outputs == {x: TRUE}
    True
    >>> parse_decisions("list(list(x, maybe()))", formula)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: functions:1:14: maybe( is no term, expected true(, false(, not(, and(, or( or ite(
    """
    return _Terms(text, formula, owner, name).functions()


_WIDTHS = {"true": 0, "false": 0, "not": 1, "ite": 3}


class _Terms:
    """Reads terms with an explicit stack of those that are open."""

    def __init__(self, text: str, formula: Formula, owner: Quantifier | None, name: str) -> None:
        self.text, self.formula, self.owner, self.name = text, formula, owner, name
        self.known, self.role = variables_by_name(formula), quantifiers(formula)
        self.circuit = Circuit()
        self.inputs: dict[int, int] = {}
        if owner is not None:
            self.belongs_to(owner)
        self.outputs: dict[int, Literal] = {}
        self.named: dict[str, Literal] = {}
        self.at = 0

    def fail(self, message: str) -> NoReturn:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        raise InputError(message, file=self.name, line=line, column=column)

    def tokens(self) -> Iterator[str]:
        place = 0
        while match := _TOKEN.match(self.text, place):
            self.at, place = match.start(1), match.end()
            yield match[1]
        self.at = len(self.text)

    def functions(self) -> Functions:
        tokens = self.tokens()
        self.expect(tokens, "list")
        self.expect(tokens, "(")
        token = self.next(tokens)
        while token != ")":
            if token not in ("list", "let"):
                self.fail(f"{token!r} found, expected list( or let(")
            self.expect(tokens, "(")
            word = self.next(tokens)
            variable = self.variable(word) if token == "list" else None
            self.expect(tokens, ",")
            value = self.term(tokens)
            if variable is not None:
                self.outputs[variable] = value
            elif self.named.setdefault(word, value) != value or word in self.known:
                self.fail(f"{word} has a meaning already")
            token = self.next(tokens)
            if token == ",":
                token = self.next(tokens)
            elif token != ")":
                self.fail(f"{token!r} found, expected a comma or )")
        if (rest := next(tokens, None)) is not None:
            self.fail(f"{rest!r} found after the end of the list")
        return Functions(self.owner or "exists", self.circuit, self.inputs, self.outputs)

    def belongs_to(self, owner: Quantifier) -> None:
        """All the other role's variables are inputs, in the order of the prefix."""
        self.owner = owner
        if not self.inputs:
            others = [variable for variable, role in self.role.items() if role != owner]
            self.inputs = {variable: self.circuit.variable() >> 1 for variable in others}

    def variable(self, word: str) -> int:
        variable = self.known.get(word)
        if variable is None:
            self.fail(f"the formula has no variable {word!r}")
        self.belongs_to(self.owner or self.role[variable])
        if self.role[variable] != self.owner:
            self.fail(f"{word} is a variable of {self.role[variable]}, expected one of {self.owner}")
        if variable in self.outputs:
            self.fail(f"a second function for {word}")
        return variable

    def term(self, tokens: Iterator[str]) -> Literal:
        """Reads a term and the parenthesis that closes its entry."""
        stack: list[tuple[str, list[Literal]]] = [("", [])]
        while True:
            token = self.next(tokens)
            if token == ")" and not stack[-1][1] and stack[-1][0] in ("true", "false", "and", "or"):
                pass  # no parts
            elif token in "(),":
                self.fail(f"{token!r} found, expected a term")
            else:
                start = self.at
                following = self.next(tokens)
                if following == "(":
                    if token not in ("true", "false", "not", "and", "or", "ite"):
                        self.at = start
                        self.fail(f"{token}( is no term, expected true(, false(, not(, and(, or( or ite(")
                    stack.append((token, []))
                    continue
                end, self.at = self.at, start
                stack[-1][1].append(self.leaf(token))
                token, self.at = following, end
            while token == ")":
                head, parts = stack.pop()
                if not stack:
                    if len(parts) != 1:
                        self.fail(f"{len(parts)} terms, expected one")
                    return parts[0]
                stack[-1][1].append(self.gate(head, parts))
                token = self.next(tokens)
            if token != ",":
                self.fail(f"{token!r} found, expected a comma or )")

    def leaf(self, word: str) -> Literal:
        if word in self.named:
            return self.named[word]
        variable = self.known.get(word)
        if variable is None:
            self.fail(f"the formula has no variable {word!r}")
        self.belongs_to(self.owner or OTHER[self.role[variable]])
        if variable not in self.inputs:
            self.fail(f"{word} is a variable of {self.owner}, expected one of the other role")
        return 2 * self.inputs[variable]

    def gate(self, head: str, parts: list[Literal]) -> Literal:
        width = _WIDTHS.get(head)
        if width is not None and len(parts) != width:
            self.fail(f"{head} has {len(parts)} parts, expected {width}")
        match head:
            case "true" | "false":
                return TRUE if head == "true" else FALSE
            case "not":
                return negate(parts[0])
            case "and":
                return self.circuit.conjunction(parts)
            case "or":
                return self.circuit.disjunction(parts)
            case _:
                return self.circuit.choice(*parts)

    def expect(self, tokens: Iterator[str], wanted: str) -> None:
        if (token := self.next(tokens)) != wanted:
            self.fail(f"{token!r} found, expected {wanted}")

    def next(self, tokens: Iterator[str]) -> str:
        token = next(tokens, None)
        if token is None:
            self.fail("the text ends here, expected )")
        return token
