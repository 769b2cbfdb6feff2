"""QLP, Yasol's format of quantified programs, read and written.

::

    MINIMIZE
    3 x + 2 y - 5                  the objective, over as many lines as it takes; a name: may come first
    SUBJECT TO
    cover: x + y >= u              rows; each ends on the line that holds its relation
    UNCERTAINTY SUBJECT TO
    u + v <= 1                     rows that the universal player keeps to
    BOUNDS
    0 <= x <= 3
    GENERALS
    x
    BINARIES
    y u v
    EXISTS
    x y
    ALL
    u v
    ORDER
    x u v y
    END

Keywords stand alone on their lines, in any case. Comments go from ``//`` or ``\\`` to the end of the line, or from
``/*`` to ``*/``. All numbers are read exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Final

from zermelo.errors import InputError
from zermelo.qbf.formula_text import formula_text, shown
from zermelo.qip.formats.qlp_reader import NAME, ROW_NAME, UNIVERSAL, is_reserved, program_of
from zermelo.qip.programs.program import Program, Row, Terms
from zermelo.qip.programs.wellformed import need_wellformed


def read_qlp(path: str | Path) -> Program:
    """The program of a QLP file; ``-`` is standard input; ``InputError`` with the place if it holds none.

    >>> read_qlp("no/such.qlp")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.qlp: no such file
    """
    return parse_qlp(formula_text(path, "program"), str(path))


def parse_qlp(text: str, name: str = "program") -> Program:
    """The program that a text states.

    >>> program = parse_qlp(
    ...     "maximize\\n x + 2u \\nsubject to\\n x - u <= 1/2\\nbounds\\n 0 <= x <= 9.5\\n"
    ...     "binaries\\nu\\nexists\\nx\\nall\\nu\\norder\\nu x\\nend"
    ... )
    >>> [variable.name for variable in program.variables], str(program.rows[0])
    (['u', 'x'], '- 1*#0 + 1*#1 <= 1/2')
    >>> parse_qlp("MINIMIZE\\nx\\nORDER\\nEND", "small.qlp")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: small.qlp:2:1: variable 'x' is not declared, expected it in ORDER
    """
    return program_of(text, name)


def write_qlp(program: Program) -> str:
    """The text of a program, from which :func:`parse_qlp` makes the same one.

    Numbers that have no finite decimal form are written as fractions, which other programs may not read.

    >>> from zermelo.qip.programs.program import Variable, terms
    >>> rows = (Row(terms({0: Fraction(1, 2), 1: -1}), "<=", Fraction(1, 3), "half"),)
    >>> print(write_qlp(Program((Variable("u", "forall"), Variable("x", upper=Fraction(3))), rows)), end="")
    MINIMIZE
    SUBJECT TO
    half: 0.5 u - x <= 1/3
    BOUNDS
    0 <= u <= 1
    0 <= x <= 3
    GENERALS
    x
    BINARIES
    u
    EXISTS
    x
    ALL
    u
    ORDER
    u x
    END
    """
    need_wellformed(program)
    names = [variable.name for variable in program.variables]
    for name in names:
        need_name(name)
    objective = expression_text(program.objective.terms, names, program.objective.constant)
    parts = ["MINIMIZE" if program.objective.sense == "min" else "MAXIMIZE"]
    parts += [objective] * (objective != "0")
    for row in program.rows:
        if row.name.startswith(UNIVERSAL):
            raise InputError(
                f"row {shown(row.name)}: expected another name, {UNIVERSAL} is for the universal player's rows"
            )
    parts += ["SUBJECT TO", *(_row_text(row, names) for row in program.rows)]
    if program.uncertainty:
        parts += ["UNCERTAINTY SUBJECT TO", *(_row_text(row, names) for row in program.uncertainty)]
    parts += ["BOUNDS"] * bool(names)
    parts += [f"{_bound_text(v.lower, '-inf')} <= {v.name} <= {_bound_text(v.upper, 'inf')}" for v in program.variables]
    binary = {v.name for v in program.variables if v.integer and v.lower == 0 and v.upper == 1}
    parts += _list_text("GENERALS", (v.name for v in program.variables if v.integer and v.name not in binary))
    parts += _list_text("BINARIES", (name for name in names if name in binary))
    parts += _list_text("EXISTS", (v.name for v in program.variables if v.quantifier == "exists"))
    parts += _list_text("ALL", (v.name for v in program.variables if v.quantifier == "forall"))
    parts += _list_text("ORDER", names) or ["ORDER"]
    return "\n".join([*parts, "END"]) + "\n"


_FORBIDDEN: Final = "+ - * / < > = : ^ and backslashes"


def need_name(name: str) -> None:
    """Raises ``InputError`` where a variable's name cannot stand in a file.

    >>> need_name("x_1")
    >>> need_name("2x")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: variable '2x': expected a name that does not begin with a digit, without blanks...
    """
    if not NAME.fullmatch(name) or not name.isprintable():
        kind = "a name that does not begin with a digit, without blanks and without"
        raise InputError(f"variable {shown(name)}: expected {kind} {_FORBIDDEN}")
    if is_reserved(name):
        raise InputError(f"variable {shown(name)}: expected a name that is no keyword")


def need_row_name(name: str) -> None:
    """Raises ``InputError`` where a row's name cannot stand in a file; rows need none.

    >>> need_row_name("cover")
    """
    if name and (not ROW_NAME.fullmatch(name) or not name.isprintable()):
        raise InputError(f"row {shown(name)}: expected a name without blanks and without {_FORBIDDEN}")


def number_text(number: Fraction) -> str:
    """A number as decimals where they end soon, else as a fraction.

    >>> number_text(Fraction(-5, 4)), number_text(Fraction(2, 3)), number_text(Fraction(7))
    ('-1.25', '2/3', '7')
    """
    places = decimal_places(number.denominator)
    if places is None:
        return str(number)
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def decimal_places(denominator: int) -> int | None:
    """How many decimals a fraction has; ``None`` where they never end, or not soon."""
    for places in range(31):
        if 10**places % denominator == 0:
            return places
    return None


def expression_text(form: Terms, names: list[str], constant: Fraction = Fraction(0)) -> str:
    """A linear expression.

    >>> expression_text(((0, Fraction(-1)), (1, Fraction(5, 2))), ["x", "y"], Fraction(-3))
    '-x + 2.5 y - 3'
    """
    parts: list[str] = []
    for number, name in [*((c, names[variable]) for variable, c in form), *([(constant, "")] if constant else [])]:
        sign = ("-" if number < 0 else "") if not parts else "- " if number < 0 else "+ "
        size = abs(number)
        parts.append(sign + (name if size == 1 and name else f"{number_text(size)} {name}".rstrip()))
    return " ".join(parts) or "0"


def _row_text(row: Row, names: list[str]) -> str:
    need_row_name(row.name)
    label = f"{row.name}: " if row.name else ""
    return f"{label}{expression_text(row.terms, names)} {row.relation} {number_text(row.right)}"


def _bound_text(bound: Fraction | None, missing: str) -> str:
    return missing if bound is None else number_text(bound)


def _list_text(keyword: str, names: Iterable[str]) -> list[str]:
    """A keyword and names in lines of a readable length; nothing where there are no names."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < 110:
            lines[-1] += f" {name}"
        else:
            lines.append(name)
    return [keyword, *lines] if lines else []
