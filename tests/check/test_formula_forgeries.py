"""Functions that claim what they must not, one trick each; and what they may leave out, to the last one allowed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from zermelo.certificate import Certificate, Claim
from zermelo.check import Verdict, check_certificate, openchoice
from zermelo.check import formula as functions
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit as CheckersCircuit
from zermelo.check.formulaline import line_of
from zermelo.check.instance import instance_of
from zermelo.game import play_line
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.qbf.circuit import Circuit, Literal
from zermelo.qbf.formula import Block, Formula, Quantifier
from zermelo.qbf.game import FormulaGame
from zermelo.wrapper import GameWrapper

Prefix = Sequence[tuple[Quantifier, str]]
NOTHING = "aag 0 0 0 0 0\n"


def game_of(prefix: Prefix, *clauses: str) -> FormulaGame:
    """A formula whose circuit is clauses; a capital letter is a negated variable."""
    circuit = Circuit()
    literal: dict[str, Literal] = {}
    for _, names in prefix:
        for name in names:
            literal[name] = circuit.variable()
            literal[name.upper()] = literal[name] ^ 1
    blocks = tuple(Block(quantifier, tuple(literal[name] >> 1 for name in names)) for quantifier, names in prefix)
    output = circuit.conjunction([circuit.disjunction([literal[name] for name in clause]) for clause in clauses])
    return FormulaGame(Formula(circuit, blocks, output, {literal[n] >> 1: n for _, names in prefix for n in names}))


def check(game: FormulaGame, role: str, aag: str) -> Verdict:
    claim = Claim(role, 1, rule="functions", data={"aag": aag})
    return check_certificate(game, Certificate("", (claim,)))


def test_nobody_chooses_for_the_other_role() -> None:
    game = game_of([("forall", "x")], "x")
    assert (
        check(game, "exists", "aag 0 0 0 1 0\n1\no0 x\n").reason
        == "x is not a variable that exists still has to choose"
    )


def test_nobody_looks_at_variables_of_his_own() -> None:
    game = game_of([("exists", "x"), ("forall", "z"), ("exists", "y")], "xY", "Xy")
    reason = check(game, "exists", "aag 1 1 0 2 0\n2\n1\n2\ni0 x\no0 x\no1 y\n").reason
    assert reason == "x is not a variable that forall still has to choose"


@pytest.mark.parametrize("text", ["aag 0 0 0 2 0\n0\n1\no0 x\no1 x\n", "aag 2 2 0 1 0\n2\n4\n1\ni0 y\ni1 y\no0 x\n"])
def test_a_variable_is_named_once(text: str) -> None:
    assert check(game_of([("forall", "y"), ("exists", "x")], "x"), "exists", text).reason == "a variable is named twice"


@pytest.mark.parametrize("gates", ["6 2 4\n8 6 7\n", "6 4 2\n8 6 2\n", "6 2 3\n8 4 6\n", "6 3 5\n8 7 2\n"])
def test_a_choice_that_comes_later_is_seen_through_gates(gates: str) -> None:
    game = game_of([("forall", "x"), ("exists", "y"), ("forall", "u"), ("exists", "v")], "yxYXuUvV")
    text = f"aag 4 2 0 2 2\n2\n4\n8\n5\n{gates}i0 x\ni1 u\no0 y\no1 v\n"
    assert check(game, "exists", text).reason == "the function of y looks at u, which forall chooses later"


def test_what_was_chosen_before_may_be_looked_at_through_gates() -> None:
    game = game_of([("forall", "xz"), ("exists", "y"), ("forall", "u")], "xzY", "Xy", "Zy", "uU")
    text = "aag 4 3 0 1 1\n2\n4\n6\n9\n8 3 5\ni0 x\ni1 z\ni2 u\no0 y\n"  # y is x or z
    verdict = check(game, "exists", text)
    assert verdict.accepted and verdict.how == "by trying all 4 plays"


def test_functions_say_what_they_do_against_every_reply() -> None:
    """Each of the functions of two variables, built from one gate and negations, for a variable that must be "and"."""
    game = game_of([("forall", "xz"), ("exists", "y")], "XZy", "xY", "zY")
    accepted = []
    for one in (0, 1, 2, 3, 4, 5):
        for other in (0, 1, 2, 3, 4, 5):
            for output in (6, 7):
                text = f"aag 3 2 0 1 1\n2\n4\n{output}\n6 {one} {other}\ni0 x\ni1 z\no0 y\n"
                verdict = check(game, "exists", text)
                if verdict.accepted:
                    accepted.append((one, other, output))
                else:
                    assert game.result(play_line(game, verdict.line)) == (-1, 1)
    assert accepted == [(2, 4, 6), (4, 2, 6)]


def test_an_open_choice_may_be_followed_by_choices_of_the_other_role() -> None:
    game = game_of([("exists", "v"), ("forall", "w")], "vw")
    assert check(game, "exists", NOTHING).accepted
    assert check(game_of([("exists", "v"), ("forall", "w")], "vw", "VW"), "exists", NOTHING).status == "refuted"


def test_an_open_choice_may_be_followed_by_own_ones_that_do_not_matter() -> None:
    prefix: Prefix = [("exists", "v"), ("forall", "w"), ("exists", "z")]
    assert check(game_of(prefix, "vw"), "exists", NOTHING).accepted
    assert check(game_of(prefix, "vW", "Vw"), "exists", NOTHING).status == "refuted"  # w is not known yet


def test_the_clock_is_looked_at_for_each_value_that_is_left_open() -> None:
    formula = instance_of(game_of([("exists", "vw")], "vw"))
    assert isinstance(formula, QuantifiedFormula)
    looks: list[int] = []
    losing = openchoice.losing_whatever_is_chosen(formula, "exists", CheckersCircuit(), {}, lambda: looks.append(1))
    assert (losing, len(looks)) == (0, 4)


def test_what_is_negated_twice_is_as_it_was() -> None:
    """The only gate is "not x and not x": negated, it is x."""
    game = game_of([("forall", "x"), ("exists", "y")], "xY", "Xy")
    text = "aag 2 1 0 1 1\n2\n5\n4 3 3\ni0 x\no0 y\n"
    assert check(game, "exists", text).accepted
    assert check(game, "exists", text.replace("\n5\n", "\n4\n")).status == "refuted"


def test_choices_of_two_blocks_are_not_left_open() -> None:
    game = game_of([("exists", "v"), ("forall", "w"), ("exists", "z")], "vw", "vz")
    assert check(game, "exists", NOTHING).reason == "there is no function for v, and exists has to choose again later"


def test_all_values_of_open_variables_are_tried() -> None:
    for clauses in (("a", "b"), ("a", "B"), ("A", "b"), ("A", "B")):
        assert check(game_of([("forall", "x"), ("exists", "ab")], *clauses), "exists", NOTHING).accepted
        negated = tuple(clause.swapcase() for clause in clauses)
        assert check(game_of([("exists", "x"), ("forall", "ab")], "".join(negated)), "forall", NOTHING).accepted
    assert check(game_of([("exists", "ab")], "a", "b", "AB"), "exists", NOTHING).status == "refuted"


def test_so_many_choices_may_be_left_open_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openchoice, "MOST_OPEN", 2)
    assert check(game_of([("exists", "ab")], "a", "b"), "exists", NOTHING).accepted
    verdict = check(game_of([("exists", "abc")], "a", "b"), "exists", NOTHING)
    assert verdict.reason == "there is no function for a and 2 others"


def test_so_many_copies_may_be_made_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of([("forall", "x"), ("exists", "y")], "xy", "XY")  # y and three gates, each for two values
    monkeypatch.setattr(openchoice, "MOST_COPIES", 8)
    assert check(game, "exists", NOTHING).accepted
    monkeypatch.setattr(openchoice, "MOST_COPIES", 7)
    assert check(game, "exists", NOTHING).reason == "there is no function for y, and to try all values takes long"


def test_a_formula_without_replies_is_clear_once_the_functions_are_in() -> None:
    verdict = check(game_of([("exists", "x")], "x"), "exists", "aag 0 0 0 1 0\n1\no0 x\n")
    assert verdict.accepted and verdict.how == "by putting the functions in"


@pytest.mark.parametrize(("role", "word"), [("exists", "false"), ("forall", "true")])
def test_who_loses_against_the_functions_is_told(role: Quantifier, word: str) -> None:
    game = game_of([("exists", "x"), ("forall", "y")], "xy", "XY")
    text = f"aag 0 0 0 1 0\n0\no0 {'x' if role == 'exists' else 'y'}\n"
    assert check(game, role, text).reason == f"the formula comes out {word} against the functions of {role}"


def test_a_game_around_a_formula_is_not_that_formula() -> None:
    game = game_of([("exists", "x")], "x")
    claim = Claim("exists", 1, rule="functions", data={"aag": "aag 0 0 0 1 0\n1\no0 x\n"})
    assert functions.check_functions(game, claim, Limits()).accepted
    wrapped = functions.check_functions(GameWrapper(game), claim, Limits())
    assert wrapped.reason == "the rule 'functions' is for formulas, not GameWrapper"


def test_a_check_ends_at_the_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.verdict.memory_watch", lambda memory: lambda: True)
    assert check(game_of([("exists", "x")], "x"), "exists", "aag 0 0 0 1 0\n1\no0 x\n").status == "limit"


def test_a_choice_that_comes_later_is_seen_through_one_gate() -> None:
    game = game_of([("forall", "x"), ("exists", "y"), ("forall", "u"), ("exists", "v")], "yxYXuUvV")
    for gate in ("6 2 4", "6 4 2", "6 4 4", "6 5 1"):
        text = f"aag 3 2 0 2 1\n2\n4\n6\n5\n{gate}\ni0 x\ni1 u\no0 y\no1 v\n"
        assert check(game, "exists", text).reason == "the function of y looks at u, which forall chooses later"


@pytest.mark.parametrize("chosen", [0, 1])
def test_play_that_is_taken_up_later_has_the_values_that_were_chosen(chosen: int) -> None:
    game = FormulaGame(game_of([("exists", "x"), ("forall", "y")], "x", "xyY").formula, bytes([chosen]))
    assert check(game, "exists", NOTHING).accepted == (chosen == 1)
    assert check(game, "forall", NOTHING).accepted == (chosen == 0)


def test_one_reply_has_two_plays_if_it_is_not_clear_before_what_comes_of_it() -> None:
    game = game_of([("forall", "xz"), ("exists", "y")], "xzy", "XY", "ZY")
    assert check(game, "exists", "aag 3 2 0 1 1\n2\n4\n6\n6 3 5\ni0 x\ni1 z\no0 y\n").accepted
    game = game_of([("forall", "x"), ("exists", "y")], "xy", "XY")
    verdict = check(game, "exists", "aag 1 1 0 1 0\n2\n3\ni0 x\no0 y\n")
    assert verdict.accepted and verdict.how == "by putting the functions in"


def test_values_that_are_no_moves_of_the_game_are_no_line() -> None:
    formula = instance_of(game_of([("exists", "x")], "x"))
    assert isinstance(formula, QuantifiedFormula)
    assert line_of(make_game("nim:3"), formula, "forall", formula.circuit, {1: 1}, {}) == ()
