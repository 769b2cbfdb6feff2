"""Programs as the checker sees them: what is sound, what is worth what, and when ``forall`` can keep his own rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest

import zermelo
from zermelo.certificate import Certificate, Claim, about
from zermelo.check import check_certificate, programmoves
from zermelo.check.ownrows import OwnRows, can_be_kept
from zermelo.check.programplay import ProgramPlay
from zermelo.check.quantified import AtMost, QuantifiedProgram, Role, Variable, at_most, sound
from zermelo.check.resumed import after_values
from zermelo.errors import InputError, NotApplicableError
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.qip import Model
from zermelo.qip.game import ProgramGame

U = Variable("u", "forall", True, Fraction(0), Fraction(2))
Y = Variable("y", "exists", True, Fraction(-1), Fraction(2))
Z = Variable("z", "exists", False, Fraction(0), None)


def kept(row: AtMost, values: tuple[int, ...]) -> bool:
    return sum((c * values[v] for v, c in row.terms), Fraction(0)) <= row.right


def random_own_rows(chance: Random) -> QuantifiedProgram:
    roles: list[Role] = [chance.choice(("forall", "forall", "exists")) for _ in range(chance.randint(1, 5))]
    variables = []
    for number, role in enumerate(roles):
        low = chance.randint(-2, 1)
        variables.append(Variable(f"v{number}", role, True, Fraction(low), Fraction(low + chance.randint(0, 2))))
    universal = [number for number, role in enumerate(roles) if role == "forall"]
    own: list[AtMost] = []
    for _ in range(chance.randint(1, 4)):
        held = chance.sample(universal, min(len(universal), chance.randint(0, 3)))
        terms = [(v, Fraction(chance.choice((-3, -2, -1, 1, 2, 3)), chance.choice((1, 1, 2, 3)))) for v in held]
        right = Fraction(chance.randint(-5, 4), chance.choice((1, 2, 3)))
        own += at_most(terms, chance.choice(("<=", ">=", "=") if chance.random() < 0.3 else ("<=", ">=")), right)
    return QuantifiedProgram(tuple(variables), own=tuple(own))


@pytest.mark.parametrize("chunk", range(4))
def test_forall_can_keep_his_rows_exactly_where_some_values_do(chunk: int) -> None:
    """From the start, and after any values of the first variables."""
    yes = no = 0
    for seed in range(60 * chunk, 60 * chunk + 60):
        program = random_own_rows(Random(seed))
        ranges = [range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables]
        ways = [values for values in product(*ranges) if all(kept(row, values) for row in program.own)]
        rows = OwnRows(program)
        assert can_be_kept(program, Limits()) == bool(ways), seed
        for count in range(len(ranges) + 1):
            for first in product(*ranges[:count]):
                wanted = any(values[:count] == first for values in ways)
                assert rows.left_by(first, Limits()) == wanted, (seed, first)
                yes, no = yes + wanted, no + (not wanted)
    assert yes > 100 and no > 100


@pytest.mark.parametrize("coefficients", list(product((-2, -1, 1, 2), repeat=2)))
def test_two_rows_of_two_bits_are_kept_exactly_where_some_values_keep_both(coefficients: tuple[int, int]) -> None:
    bit = replace(U, upper=Fraction(1))
    for right in range(-2, 2):
        (one,) = at_most(list(enumerate(coefficients)), "<=", right)
        for others in product((-2, -1, 1, 2), repeat=2):
            for other_right in range(-2, 2):
                (other,) = at_most(list(enumerate(others)), "<=", other_right)
                program = QuantifiedProgram((bit, replace(bit, name="v")), own=(one, other))
                ways = any(kept(one, values) and kept(other, values) for values in product((0, 1), repeat=2))
                assert can_be_kept(program, Limits()) == ways, (one, other)


@pytest.mark.parametrize("sign", [1, -1])
def test_no_value_beyond_a_bound_keeps_rows(sign: int) -> None:
    """The rows need v = 1 and u = 2 (or -2), where u goes to 1 (or -1)."""
    low, high = sorted((0, sign))
    u, v = replace(U, lower=Fraction(low), upper=Fraction(high)), replace(U, name="v", upper=Fraction(1))
    own = (*at_most([(0, sign), (1, -3)], "<=", -1), *at_most([(0, -sign), (1, 4)], "<=", 2))
    assert not can_be_kept(QuantifiedProgram((u, v), own=own), Limits())
    wider = replace(u, lower=Fraction(2 * low), upper=Fraction(2 * high))
    assert can_be_kept(QuantifiedProgram((wider, v), own=own), Limits())


def test_rows_are_connected_through_what_others_connect() -> None:
    bits = tuple(replace(U, name=name, upper=Fraction(1)) for name in "abc")
    rows = (*at_most([(0, 1), (1, 1)], ">=", 2), *at_most([(1, 1), (2, 1)], ">=", 1), *at_most([(0, 1)], "<=", 0))
    for own in permutations(rows):
        assert not can_be_kept(QuantifiedProgram(bits, own=own), Limits())
        assert can_be_kept(QuantifiedProgram(bits, own=tuple(row for row in own if row is not rows[2])), Limits())


def test_moves_of_forall_are_those_that_leave_him_a_way_to_keep_his_rows() -> None:
    program = QuantifiedProgram((U, Y, replace(U, name="w")), own=at_most([(0, 1), (2, 1)], ">=", 3))
    game = ProgramPlay(program)
    assert list(game.moves(())) == [(0, 1), (0, 2)]
    assert list(game.moves((1,))) == [(1, value) for value in (-1, 0, 1, 2)]
    assert list(game.moves((1, 0))) == [(2, 2)] and list(game.moves((2, 0))) == [(2, 1), (2, 2)]
    assert list(game.moves((2, 0, 1))) == []


def test_a_play_is_worth_its_objective_or_less_than_that_where_a_row_is_broken() -> None:
    goal = ((0, Fraction(1)), (1, Fraction(3, 2)))
    program = QuantifiedProgram((U, Y), at_most([(0, 1), (1, 1)], "<=", 2), goal=goal, constant=Fraction(1, 2))
    game = ProgramPlay(program)
    assert game.result((1,)) is None
    assert game.result((1, 1)) == (-3, 3)  # the row is kept with no room left
    assert game.result((1, 2)) == (-6, 6)  # 5 1/2 at the worst
    best = ProgramPlay(replace(program, maximise=True))
    assert best.result((1, 1)) == (3, -3)
    assert best.result((1, 2)) == (-2, 2)  # -1 at the worst
    assert game.key((1, -1)) == "1 -1" and game.move_text((1, -1)) == "y=-1" and game.turn((1,)) == "exists"


def test_an_integer_with_too_many_values_has_no_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programmoves, "MOST_VALUES", 3)
    game = ProgramPlay(QuantifiedProgram((replace(Y, upper=Fraction(1)), Y)))
    assert len(game.moves(())) == 3
    with pytest.raises(NotApplicableError, match="too many values"):
        game.moves((0,))


@pytest.mark.parametrize("variable", [Z, replace(Z, upper=Fraction(1)), replace(Y, lower=None), replace(Y, upper=None)])
def test_what_is_continuous_or_without_a_bound_has_no_moves(variable: Variable) -> None:
    with pytest.raises(NotApplicableError, match="continuous"):
        ProgramPlay(QuantifiedProgram((variable,))).moves(())


@pytest.mark.parametrize("maximise", [False, True])
def test_a_broken_row_is_worth_less_than_any_value_of_the_objective(maximise: bool) -> None:
    for low, high in product((-2, 0), (1, 3)):
        for c, d in product((-2, 1), (Fraction(1, 2), Fraction(-1, 3))):
            y = replace(Y, lower=Fraction(low), upper=Fraction(high))
            program = QuantifiedProgram((U, y), goal=((0, Fraction(c)), (1, Fraction(d))), maximise=maximise)
            worst = min(program.score(Fraction(c) * u + d * v) for u in range(3) for v in range(low, high + 1))
            broken = program.score(None)
            assert broken < worst <= broken + 2 and broken.denominator == 1
            assert program.most_for_exists(None) == broken
            assert program.most_for_exists(Fraction(10**6)) == (Fraction(10**6) if maximise else broken)


def test_without_bounds_an_objective_is_not_compared_with_a_broken_row() -> None:
    program = QuantifiedProgram((Z,), goal=((0, Fraction(1)),))
    assert program.most_for_exists(Fraction(5)) == -5
    assert program.score(None) == -1  # a number that nobody takes for an objective
    assert replace(program, maximise=True).most_for_exists(Fraction(-5)) == -1  # it is 0 at the worst


@pytest.mark.parametrize(("relation", "rights"), [("<=", [3]), (">=", [-3]), ("=", [3, -3])])
def test_terms_of_one_variable_are_added_and_none_is_zero(relation: str, rights: list[int]) -> None:
    rows = at_most([(2, 1), (0, 2), (2, 1), (1, 1), (1, -1)], relation, 3)
    assert [row.right for row in rows] == rights
    assert [row.terms for row in rows] == [
        tuple((v, c if right > 0 else -c) for v, c in ((0, 2), (2, 2))) for right in rights
    ]


UNSOUND: dict[str, tuple[QuantifiedProgram, str]] = {
    "one name": (QuantifiedProgram((U, replace(Y, name="u"))), "two variables have the same name"),
    "no name": (QuantifiedProgram((replace(U, name=""),)), "a variable has no name"),
    "no lower bound": (QuantifiedProgram((replace(Y, lower=None),)), "variable y has no lower bound"),
    "no upper bound": (QuantifiedProgram((replace(Y, upper=None),)), "variable y has no upper bound"),
    "no bound of forall": (
        QuantifiedProgram((replace(Z, role="forall"),)),
        "variable z has no upper bound, which only continuous ones of exists may lack",
    ),
    "no value": (QuantifiedProgram((replace(Z, upper=Fraction(-1)),)), "variable z has no value from 0 to -1"),
    "no whole value": (
        QuantifiedProgram((replace(Y, lower=Fraction(1, 3), upper=Fraction(2, 3)),)),
        "variable y has no value from 1/3 to 2/3",
    ),
    "a row of forall with a variable of exists": (
        QuantifiedProgram((U, Y), own=at_most([(0, 1), (1, 1)], "<=", 1)),
        "y is in a row of forall, expected integers that he sets",
    ),
    "a row of forall with a continuous variable": (
        QuantifiedProgram((replace(U, integer=False),), own=at_most([(0, 1)], "<=", 1)),
        "u is in a row of forall, expected integers that he sets",
    ),
    "a continuous variable before one of forall": (
        QuantifiedProgram((Y, Z, U)),
        "z is continuous and not in a last block of exists, beside her integers",
    ),
    "a continuous variable between two of forall": (
        QuantifiedProgram((Y, U, Z, replace(U, name="w"))),
        "z is continuous and not in a last block of exists, beside her integers",
    ),
    "a continuous variable of forall": (
        QuantifiedProgram((Y, replace(U, integer=False))),
        "u is continuous and not in a last block of exists, beside her integers",
    ),
    "a long bound": (QuantifiedProgram((replace(Z, upper=Fraction(10**300)),)), "more than 300 digits"),
    "a long coefficient": (QuantifiedProgram((Y,), at_most([(0, -(10**300))], "<=", 1)), "more than 300 digits"),
    "a long right side": (QuantifiedProgram((Y,), at_most([(0, 1)], "<=", 10**300)), "more than 300 digits"),
    "a long denominator": (QuantifiedProgram((Y,), goal=((0, Fraction(1, 10**300)),)), "more than 300 digits"),
    "a long constant": (QuantifiedProgram((Y,), constant=Fraction(10**300)), "more than 300 digits"),
    "a long row of forall": (QuantifiedProgram((U,), own=at_most([(0, 1)], "<=", 10**300)), "more than 300 digits"),
}


@pytest.mark.parametrize("what", UNSOUND)
def test_what_cannot_be_solved_is_refused(what: str) -> None:
    program, message = UNSOUND[what]
    with pytest.raises(InputError, match=message):
        sound(program)


SOUND = {
    "continuous variables in her last block": QuantifiedProgram((Y, U, Z)),
    "continuous variables beside integers of his": QuantifiedProgram((Z, U)),
    "no lower bound": QuantifiedProgram((replace(Z, lower=None),)),
    "continuous variables beside integers of hers alone": QuantifiedProgram((Z, Y)),
    "continuous variables without a whole value": QuantifiedProgram(
        (replace(Z, lower=Fraction(1, 3), upper=Fraction(2, 3)),)
    ),
    "one value": QuantifiedProgram((replace(Y, lower=Fraction(2)), replace(Z, upper=Fraction(0)))),
    "numbers of 300 digits": QuantifiedProgram((replace(Z, upper=Fraction(10**300 - 1, 7)),)),
    "rows of his integers": QuantifiedProgram((U, Y), own=at_most([(0, 1)], "<=", 1)),
}


@pytest.mark.parametrize("what", SOUND)
def test_what_can_be_solved_is_taken_as_it_is(what: str) -> None:
    assert sound(SOUND[what]) == SOUND[what]


def test_integers_get_whole_bounds_and_others_keep_theirs() -> None:
    halves = {"lower": Fraction(-1, 2), "upper": Fraction(5, 2)}
    one, other = sound(QuantifiedProgram((replace(Y, **halves), replace(Z, **halves)))).variables
    assert (one.lower, one.upper, other.lower, other.upper) == (0, 2, Fraction(-1, 2), Fraction(5, 2))


def test_programs_that_differ_have_different_texts() -> None:
    program = QuantifiedProgram((U, Y), at_most([(0, 1)], "<=", 1), goal=((1, Fraction(1)),))
    others = [
        program,
        after_values(program, (1,)),
        replace(program, maximise=True),
        replace(program, constant=Fraction(1)),
        replace(program, goal=()),
        replace(program, goal=((1, Fraction(2)),)),
        replace(program, rows=()),
        replace(program, rows=(), own=program.rows),
        replace(program, rows=at_most([(0, 1)], "<=", 2)),
        replace(program, variables=(U, replace(Y, integer=False))),
        replace(program, variables=(U, replace(Y, role="forall"))),
        replace(program, variables=(U, replace(Y, name="x"))),
        replace(program, variables=(U, replace(Y, upper=None))),
    ]
    assert len({other.canonical() for other in others}) == len(others)


def test_a_table_after_half_a_unit_is_worth_what_it_is_and_no_more() -> None:
    model = Model()
    y = model.exists.continuous("y", 0, 4)
    model.maximize(model.exists("x", 0, 1) - y)
    game = ProgramGame(model.program()).at([(0, Fraction(7, 2))])
    table = {"7/2": ("x=1", 0)}
    for promised, accepted in ((Fraction(-5, 2), True), (-2, False)):
        claim = about(game, Claim("exists", promised, table))
        assert check_certificate(game, Certificate("y = 7/2", (claim,))).accepted == accepted
    assert zermelo.solve(game, "alphabeta").verified


def test_moves_change_nothing_of_what_a_broken_row_is_worth() -> None:
    program = QuantifiedProgram((U, Y), goal=((0, Fraction(1)), (1, Fraction(1))))
    once = after_values(program, (0,))
    assert program.score(None) == once.score(None) == after_values(once, (0, 1)).score(None) == -5


@pytest.mark.parametrize(("maximise", "sign"), [(False, 1), (True, -1)])
def test_row_0_says_that_the_objective_is_as_good_as_a_value(maximise: bool, sign: int) -> None:
    program = QuantifiedProgram((Y,), goal=((0, Fraction(3)),), constant=Fraction(1, 2), maximise=maximise)
    assert program.asked(4) == AtMost(((0, Fraction(3 * sign)),), sign * Fraction(7, 2))


def test_a_long_program_may_be_played_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "longest", 4)
    assert [ProgramPlay(QuantifiedProgram((Y,) * count)).longest for count in (1, 3, 4, 7)] == [4, 4, 5, 8]
