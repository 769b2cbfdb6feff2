"""Programs for other solvers: LP and MPS files of the deterministic equivalent, and solutions as Yasol lists them.

LP and MPS state ordinary mixed integer programs, which a quantified program becomes once every line of play of
``forall`` is written out (:mod:`zermelo.qip.programs.deterministic_equivalent`). All numbers are exact: those without a
finite decimal form disappear because their row is multiplied, which changes nothing in it; an objective that has some
becomes a column of its own, defined by such a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Final, Literal
from xml.sax.saxutils import quoteattr

from zermelo.errors import InputError
from zermelo.game import taken_as
from zermelo.qip.formats.qlp import decimal_places, expression_text, number_text, write_qlp
from zermelo.qip.game import ProgramGame
from zermelo.qip.programs.deterministic_equivalent import MOST_ENTRIES, deterministic
from zermelo.qip.programs.packed import whole_factor
from zermelo.qip.programs.program import Bound, Objective, Program, Row, Terms, Variable, terms
from zermelo.solution import Solution

Target = Literal["qlp", "lp", "mps"]
"""The formats that a program can be written in."""

_SAFE: Final = re.compile(r"(?![eE]([0-9]|$))[A-Za-z_][A-Za-z0-9_.]*")
"""Names that every reader of LP files takes: e and e1 look like exponents to some."""

_KEYWORDS: Final = re.compile(
    r"(min|max)(imi[sz]e|imum)?|subject|such|s\.?t\.?|bounds?|gen(erals?)?|int(egers?)?|bin(ary|aries)?|free|end|"
    r"inf(inity)?|semis?|sos[12]?|obj|range",
    re.IGNORECASE,
)
"""Words that have a meaning of their own in LP files, whoever reads them."""


def program_text(program: Program, to: Target, most: int = MOST_ENTRIES) -> str:
    """The text of a program: itself as ``qlp``, its deterministic equivalent as ``lp`` or ``mps``.

    ``LimitReachedError`` where the equivalent would have more than ``most`` coefficients.

    >>> from zermelo.qip import Model
    >>> m = Model("umbrella")
    >>> take, rain, wet = m.exists.binary("take"), m.forall.binary("rain"), m.exists.binary("wet")
    >>> m.add(wet >= rain - take)
    >>> m.minimize(take + "1/3" * wet)
    >>> print(program_text(m.program(), "lp"), end="")
    \\ the deterministic equivalent of umbrella
    minimize
     obj: worst
    subject to
     r1: 3 take + wet.1 - 3 worst <= 0
     r2: 3 take + wet.2 - 3 worst <= 0
     r3: take + wet.1 >= 0
     r4: take + wet.2 >= 1
    bounds
     0 <= take <= 1
     0 <= wet.1 <= 1
     0 <= wet.2 <= 1
     worst free
    general
     take wet.1 wet.2
    end
    """
    if to == "qlp":
        return write_qlp(program)
    plain = equivalent_program(program, most)
    return lp_text(plain) if to == "lp" else mps_text(plain)


def equivalent_program(program: Program, most: int = MOST_ENTRIES) -> Program:
    """The deterministic equivalent as a program of ``exists`` alone, with the same value.

    >>> from zermelo.qip.programs.program import Variable
    >>> u, y = Variable("u", "forall"), Variable("y")
    >>> plain = equivalent_program(Program((u, y), (Row(terms({0: 1, 1: 1}), "=", Fraction(1)),)))
    >>> [variable.name for variable in plain.variables], [str(row) for row in plain.rows]
    (['y.1', 'y.2'], ['1*#0 = 1', '1*#1 = 0'])
    """
    made = deterministic(program, most=most)
    variables = tuple(
        Variable(name, "exists", column.lower, column.upper, column.integer)
        for name, column in zip(made.names(), made.columns, strict=True)
    )
    rows = tuple(Row(line.terms, line.relation, line.right) for line in made.rows)
    return Program(variables, rows, Objective(made.sense, made.objective, made.constant), name=program.name)


def lp_text(program: Program) -> str:
    """A program of ``exists`` alone in the LP format.

    >>> x = Variable("x", lower=None, upper=Fraction(5, 2), integer=False)
    >>> print(lp_text(Program((x,), (), Objective("max", terms({0: 1}), Fraction(-1)))), end="")
    \\ the deterministic equivalent of program
    maximize
     obj: x - 1
    subject to
    bounds
     -inf <= x <= 2.5
    end
    """
    plain = _decimal(program)
    names = _safe_names(plain)
    lines = [f"\\ the deterministic equivalent of {_one_word(program.name)}"]
    lines += [f"\\ {safe} is {v.name}" for v, safe in zip(plain.variables, names, strict=True) if safe != v.name]
    goal = plain.objective
    lines.append("minimize" if goal.sense == "min" else "maximize")
    lines += _wrapped("obj:", expression_text(goal.terms, names, goal.constant) if goal.terms or goal.constant else "")
    lines.append("subject to")
    for number, row in enumerate(plain.rows, 1):
        left = expression_text(row.terms, names) if row.terms else f"0 {names[0]}"
        lines += _wrapped(f"r{number}:", f"{left} {row.relation} {number_text(row.right)}")
    lines.append("bounds")
    lines += [f" {_bounds_text(v, name)}" for v, name in zip(plain.variables, names, strict=True)]
    integers = " ".join(name for v, name in zip(plain.variables, names, strict=True) if v.integer)
    lines += ["general", *_wrapped("", integers)] if integers else []
    return "\n".join([*lines, "end"]) + "\n"


def mps_text(program: Program) -> str:
    """A program of ``exists`` alone in the MPS format, with names of any length (free MPS).

    >>> x = Variable("x", upper=Fraction(9))
    >>> rows = (Row(terms({0: 2}), "<=", Fraction(7)),)
    >>> print(mps_text(Program((x,), rows, Objective("max", terms({0: 1}), Fraction(3)))), end="")
    * the deterministic equivalent of program
    NAME program
    OBJSENSE
        MAX
    ROWS
     N obj
     L r1
    COLUMNS
     INTEGERS 'MARKER' 'INTORG'
     x obj 1
     x r1 2
     CONTINUOUS 'MARKER' 'INTEND'
    RHS
     RHS obj -3
     RHS r1 7
    BOUNDS
     LO BND x 0
     UP BND x 9
    ENDATA
    """
    plain = _decimal(program)
    names = _safe_names(plain)
    lines = [f"* the deterministic equivalent of {_one_word(program.name)}"]
    lines += [f"* {safe} is {v.name}" for v, safe in zip(plain.variables, names, strict=True) if safe != v.name]
    lines.append(f"NAME {_one_word(program.name)}")
    lines += ["OBJSENSE", "    MAX"] if plain.objective.sense == "max" else []
    kinds = {"<=": "L", ">=": "G", "=": "E"}
    lines += ["ROWS", " N obj", *(f" {kinds[row.relation]} r{n}" for n, row in enumerate(plain.rows, 1))]
    lines += ["COLUMNS", *_columns(plain, names), "RHS"]
    # By convention the objective's right side is its constant with the other sign.
    rights = [("obj", -plain.objective.constant), *((f"r{n}", row.right) for n, row in enumerate(plain.rows, 1))]
    lines += [f" RHS {row} {number_text(right)}" for row, right in rights if right]
    lines.append("BOUNDS")
    for variable, name in zip(plain.variables, names, strict=True):
        lines += [f" {bound}" for bound in _mps_bounds(variable, name)]
    return "\n".join([*lines, "ENDATA"]) + "\n"


def sol_text(program: Program, value: Fraction | None, values: Mapping[str, Fraction | int]) -> str:
    """A solution in the form in which Yasol lists it, with exact numbers; ``None`` as the value is infeasible.

    ``values`` are those of the first stage, or of a line of play that goes on.

    >>> program = Program((Variable("x"), Variable("u", "forall")), name="small")
    >>> print(sol_text(program, Fraction(7, 2), {"x": 1}), end="")
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <YasolSolution version="1">
     <header ProblemName="small" ObjectiveValue="3.5"/>
     <quality SolutionStatus="OPTIMAL" Gap="0"/>
     <variables>
      <variable name="x" index="0" value="1" block="1"/>
     </variables>
    </YasolSolution>
    """
    known = {variable.name for variable in program.variables}
    if strange := next((name for name in values if name not in known), None):
        raise InputError(f"there is no variable {strange} in the program {program.name}")
    shown = "" if value is None else f" ObjectiveValue={quoteattr(number_text(value))}"
    status = "INFEASIBLE" if value is None else "OPTIMAL"
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
        '<YasolSolution version="1">',
        f" <header ProblemName={quoteattr(program.name)}{shown}/>",
        f' <quality SolutionStatus="{status}"{" Gap=" + quoteattr("0") if value is not None else ""}/>',
        " <variables>",
    ]
    for number, block in enumerate(program.blocks, 1):
        for index in range(block.first, block.end):
            name = program.variables[index].name
            if name in values:
                text = quoteattr(number_text(Fraction(values[name])))
                lines.append(f'  <variable name={quoteattr(name)} index="{index}" value={text} block="{number}"/>')
    return "\n".join([*lines, " </variables>", "</YasolSolution>"]) + "\n"


def solution_text(solution: Solution) -> str:
    """The solution of a program in the form in which Yasol lists it: the value, and a line of play where there is one.

    >>> import zermelo
    >>> print(solution_text(zermelo.solve("examples/bakery.qlp")).splitlines()[2])
     <header ProblemName="bakery" ObjectiveValue="7"/>
    """
    if solution.status != "solved":
        raise InputError("there is no solution of a program to write", file=solution.target)
    program = taken_as(ProgramGame, solution.game).program
    if solution.value is None:
        return sol_text(program, None, {})
    line = {program.variables[number].name: value for number, value in solution.line}
    return sol_text(program, Fraction(solution.value), line)


def _decimal(program: Program) -> Program:
    """The same program with decimals that end: rows are multiplied, the objective becomes a column if it must."""
    if any(variable.quantifier == "forall" for variable in program.variables):
        raise InputError("the program has universal variables, expected its deterministic equivalent")
    rows = [_decimal_row(row) for row in program.rows]
    variables, goal = list(program.variables), program.objective
    if not _ends((*(c for _, c in goal.terms), goal.constant)):
        name = "objective"
        while any(variable.name == name for variable in variables):
            name += "_"
        column = len(variables)
        variables.append(Variable(name, "exists", None, None, integer=False))
        rows.append(_decimal_row(Row((*goal.terms, (column, Fraction(-1))), "=", -goal.constant)))
        goal = Objective(goal.sense, terms({column: 1}))
    for number, v in enumerate(variables):
        # Bounds of integers are whole; a continuous variable may have a bound that only a row can say exactly.
        lower, upper = v.lower, v.upper
        for bound, relation in ((lower, ">="), (upper, "<=")):
            if bound is not None and not _ends((bound,)):
                rows.append(_decimal_row(Row(terms({number: 1}), ">=" if relation == ">=" else "<=", bound)))
                lower, upper = (None, upper) if relation == ">=" else (lower, None)
        variables[number] = Variable(v.name, v.quantifier, lower, upper, v.integer)
    if not variables:
        # Both formats need a column for a row or an objective that has none.
        variables.append(Variable("nothing", "exists", Fraction(0), Fraction(0), integer=False))
    return Program(tuple(variables), tuple(rows), goal, name=program.name)


def _decimal_row(row: Row) -> Row:
    if _ends((*(c for _, c in row.terms), row.right)):
        return row
    factor = whole_factor(Bound(row.terms, row.right))
    form: Terms = tuple((variable, factor * c) for variable, c in row.terms)
    return Row(form, row.relation, factor * row.right, row.name)


def _ends(numbers: Iterable[Fraction]) -> bool:
    return all(decimal_places(number.denominator) is not None for number in numbers)


def _safe_names(program: Program) -> list[str]:
    """Names that readers of LP and MPS files take: those of the program where they are such."""
    kept = [v.name if _SAFE.fullmatch(v.name) and not _KEYWORDS.fullmatch(v.name) else "" for v in program.variables]
    taken = set(kept)
    for number, name in enumerate(kept):
        if not name:
            made = f"v{number + 1}"
            while made in taken:
                made += "_"
            taken.add(made)
            kept[number] = made
    return kept


def _one_word(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name) or "program"


def _wrapped(label: str, text: str) -> list[str]:
    """A statement in lines of a length that all readers take."""
    lines = [f" {label}".rstrip()]
    for word in text.split():
        if len(lines[-1]) + len(word) > 110:
            lines.append(f"  {word}")
        else:
            lines[-1] += f" {word}"
    return lines


def _bounds_text(variable: Variable, name: str) -> str:
    if variable.lower is None and variable.upper is None:
        return f"{name} free"
    lower = "-inf" if variable.lower is None else number_text(variable.lower)
    upper = "+inf" if variable.upper is None else number_text(variable.upper)
    return f"{lower} <= {name} <= {upper}"


def _columns(program: Program, names: list[str]) -> Iterable[str]:
    entries: list[list[str]] = [[] for _ in names]
    for label, form in [("obj", program.objective.terms), *((f"r{n}", r.terms) for n, r in enumerate(program.rows, 1))]:
        for place, c in form:
            entries[place].append(f" {names[place]} {label} {number_text(c)}")
    inside = False
    for number, variable in enumerate(program.variables):
        if variable.integer != inside:
            yield " INTEGERS 'MARKER' 'INTORG'" if variable.integer else " CONTINUOUS 'MARKER' 'INTEND'"
            inside = variable.integer
        # A column without entries is still one: it is said with a zero.
        yield from entries[number] or [f" {names[number]} obj 0"]
    if inside:
        yield " CONTINUOUS 'MARKER' 'INTEND'"


def _mps_bounds(variable: Variable, name: str) -> list[str]:
    lower, upper = variable.lower, variable.upper
    if lower is None and upper is None:
        return [f"FR BND {name}"]
    if lower is not None and lower == upper:
        return [f"FX BND {name} {number_text(lower)}"]
    below = f"MI BND {name}" if lower is None else f"LO BND {name} {number_text(lower)}"
    return [below] if upper is None else [below, f"UP BND {name} {number_text(upper)}"]
