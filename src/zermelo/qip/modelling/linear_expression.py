"""Linear expressions that read like the algebra, and the comparisons between them that become rows of a program.

Numbers are exact: ``int``, ``Fraction``, ``Decimal`` or text such as ``"0.25"`` and ``"1/3"``; never ``float``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Final, NoReturn

from zermelo.brief import cut, shown_in_brief
from zermelo.errors import InputError
from zermelo.qip.programs.program import OTHER, Quantifier, Relation

Number = int | Fraction | Decimal | str
"""What is taken for an exact number."""

_LONGEST: Final = 5000
"""Text of a number may have this many characters, exponents this many digits of value: nothing huge is built."""


def exact(number: object) -> Fraction:
    """A number as a fraction; ``InputError`` for one that is not exact.

    >>> exact("0.25"), exact(3)
    (Fraction(1, 4), Fraction(3, 1))
    >>> exact(0.1)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: 0.1 is a float, expected an exact number: an int, a Fraction or text such as '0.1'
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Decimal):
        number = str(number)
    if isinstance(number, str):
        mantissa, _, exponent = number.strip().lower().partition("e")
        try:
            if len(mantissa) <= _LONGEST and len(exponent) <= 6 and abs(int(exponent or 0)) <= _LONGEST:
                return Fraction(number)
        except (ValueError, ZeroDivisionError):
            pass
        shown = number if len(number) <= 40 else number[:40] + "..."
        raise InputError(f"{shown!r} is no number, expected one such as '0.25' or '1/3'")
    if isinstance(number, float):
        expected = f"expected an exact number: an int, a Fraction or text such as {str(number)!r}"
        raise InputError(f"{number} is a float, {expected}")
    raise InputError(f"{number!r} is no number, expected an int, a Fraction or text such as '0.25'")


class Expression:
    """A sum of variables times numbers, and a constant. Expressions are never changed once they are made.

    >>> from zermelo.qip import Model
    >>> m = Model()
    >>> x, y = m.exists("x", 0, 3), m.forall.binary("y")
    >>> print(2 * (x - y) + "0.5" * y + 1)
    2 x - 3/2 y + 1
    >>> print(x + y <= 2 * x - 1)
    -x + y <= -1
    """

    __slots__ = ("coefficients", "constant")

    # So that numbers of numpy leave the arithmetic to this class.
    __array_ufunc__: None = None

    _repr_html_ = shown_in_brief

    def __init__(self, coefficients: Mapping[Var, Fraction], constant: Fraction = Fraction(0)) -> None:
        self.coefficients = coefficients
        self.constant = constant

    def __add__(self, other: Linear) -> Expression:
        return _combined(self, expression(other), 1)

    def __radd__(self, other: Linear) -> Expression:
        return _combined(expression(other), self, 1)

    def __sub__(self, other: Linear) -> Expression:
        return _combined(self, expression(other), -1)

    def __rsub__(self, other: Linear) -> Expression:
        return _combined(expression(other), self, -1)

    def __mul__(self, factor: Linear) -> Expression:
        if isinstance(factor, Expression):
            if factor.coefficients and self.coefficients:
                raise InputError(f"({self}) * ({factor}) is not linear, expected a number times an expression")
            if not self.coefficients:
                return factor * self.constant
            factor = factor.constant
        number = exact(factor)
        return Expression({v: number * c for v, c in self.coefficients.items() if number}, number * self.constant)

    def __rmul__(self, factor: Linear) -> Expression:
        return self * factor

    def __truediv__(self, divisor: Number) -> Expression:
        number = exact(divisor)
        if not number:
            raise InputError(f"({self}) / 0 has no value")
        return self * (1 / number)

    def __neg__(self) -> Expression:
        return self * -1

    def __pos__(self) -> Expression:
        return self

    def __le__(self, other: Linear) -> Constraint:
        return Constraint(self - other, "<=")

    def __ge__(self, other: Linear) -> Constraint:
        return Constraint(self - other, ">=")

    def __eq__(self, other: object) -> Any:
        return Constraint(self - expression(other), "=")

    __hash__ = object.__hash__

    def __lt__(self, other: object) -> NoReturn:
        raise InputError("< and > are no relations of linear programs, expected <=, >= or ==")

    __gt__ = __lt__

    def __bool__(self) -> bool:
        raise InputError(f"{self} has no truth value before the program is solved")

    def __str__(self) -> str:
        parts: list[str] = []
        constant = [(self.constant, "")] if self.constant or not self.coefficients else []
        for number, name in [*((c, v.name) for v, c in self.coefficients.items()), *constant]:
            sign = ("-" if number < 0 else "") if not parts else "- " if number < 0 else "+ "
            parts.append(sign + (name if abs(number) == 1 and name else f"{abs(number)} {name}".rstrip()))
        return " ".join(parts)

    def __repr__(self) -> str:
        return cut(str(self))


class Var(Expression):
    """A variable of a model: made by :class:`zermelo.qip.Model`, used in expressions.

    ``~b`` of a binary variable is ``1 - b``.
    """

    __slots__ = ("integer", "lower", "model", "name", "number", "quantifier", "stage", "upper")

    def __init__(
        self,
        model: object,
        number: int,
        name: str,
        quantifier: Quantifier,
        lower: Fraction | None,
        upper: Fraction | None,
        integer: bool,
        stage: Fraction,
    ) -> None:
        super().__init__({self: Fraction(1)})
        self.model, self.number, self.name, self.quantifier = model, number, name, quantifier
        self.lower, self.upper, self.integer, self.stage = lower, upper, integer, stage

    @property
    def is_binary(self) -> bool:
        """Whether the variable is 0 or 1."""
        inside = self.lower is not None and self.upper is not None and self.lower >= 0 and self.upper <= 1
        return self.integer and inside

    def __invert__(self) -> Expression:
        if not self.is_binary:
            raise InputError(f"~{self.name} means 1 - {self.name}, expected a binary variable")
        return 1 - self


Linear = Expression | Number
"""What expressions are made of."""


@dataclass(frozen=True, eq=False)
class Constraint:
    """An expression compared with 0. It is a statement, not a truth value: give it to a model.

    >>> from zermelo.qip import Model
    >>> m = Model()
    >>> x = m.exists("x", 0, 3)
    >>> print(3 * x >= 2 + x)
    2 x >= 2
    >>> 0 <= x <= 3
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: x >= 0 has no truth value: expected one comparison at a time, without and, or and not
    """

    left: Expression
    relation: Relation

    _repr_html_ = shown_in_brief

    def __bool__(self) -> bool:
        expected = "expected one comparison at a time, without and, or and not"
        raise InputError(f"{self} has no truth value: {expected}")

    def __str__(self) -> str:
        return f"{Expression(self.left.coefficients)} {self.relation} {-self.left.constant}"

    def __repr__(self) -> str:
        return cut(str(self))


def expression(value: object) -> Expression:
    """A number or an expression as an expression."""
    return value if isinstance(value, Expression) else Expression({}, exact(value))


def total(parts: Iterable[Linear]) -> Expression:
    """The sum of many expressions, which is one also where there are none.

    >>> from zermelo.qip import Model
    >>> m = Model()
    >>> print(total(i * x for i, x in m.exists.binaries("x", 4).items()), "and", total([]))
    x_1 + 2 x_2 + 3 x_3 and 0
    """
    coefficients: dict[Var, Fraction] = {}
    constant = Fraction(0)
    for part in parts:
        if isinstance(part, Expression):
            constant += part.constant
            for variable, c in part.coefficients.items():
                coefficients[variable] = coefficients.get(variable, Fraction(0)) + c
        else:
            constant += exact(part)
    return Expression({variable: c for variable, c in coefficients.items() if c}, constant)


def _combined(first: Expression, second: Expression, factor: int) -> Expression:
    coefficients = dict(first.coefficients)
    for variable, c in second.coefficients.items():
        changed = coefficients.get(variable, Fraction(0)) + factor * c
        if changed:
            coefficients[variable] = changed
        else:
            del coefficients[variable]
    return Expression(coefficients, first.constant + factor * second.constant)


def literal(condition: Expression | Constraint) -> Expression:
    """What is 1 if a condition on one binary variable holds and 0 if it does not.

    >>> from zermelo.qip import Model
    >>> m = Model()
    >>> b = m.forall.binary("b")
    >>> print(literal(b), "and", literal(~b), "and", literal(b == 0), "and", literal(b >= 1))
    b and -b + 1 and -b + 1 and b
    """
    form = condition.left if isinstance(condition, Constraint) else condition
    if not isinstance(form, Expression) or len(form.coefficients) != 1:
        raise InputError(f"{condition} is no condition, expected a binary variable b, ~b, b == 0 or b == 1")
    ((variable, c),) = form.coefficients.items()
    if variable.is_binary:
        values = [form.constant, form.constant + c]
        if isinstance(condition, Constraint):
            holds = [_holds(value, condition.relation) for value in values]
        else:
            holds = [value == 1 for value in values] if set(values) == {0, 1} else []
        if holds in ([False, True], [True, False]):
            return variable if holds[1] else 1 - variable
    raise InputError(f"{condition} is no condition, expected a binary variable b, ~b, b == 0 or b == 1")


def _holds(value: Fraction, relation: Relation) -> bool:
    return value <= 0 if relation == "<=" else value >= 0 if relation == ">=" else value == 0


EXISTS: Final[Quantifier] = "exists"
FORALL: Final[Quantifier] = OTHER[EXISTS]
