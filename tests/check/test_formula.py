"""The checker of functions: right ones are accepted, wrong ones are refuted by a line of play, nothing is believed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.qbf.bruteforce import brute_functions, winning
from tests.qbf.randomformulas import random_clauses, random_formula

from zermelo.certificate import Certificate, Claim
from zermelo.check import Verdict, check_certificate, plays
from zermelo.game import play_line
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.qbf.aiger import write_aag
from zermelo.qbf.circuit import Circuit
from zermelo.qbf.formula import Block, Formula, Quantifier
from zermelo.qbf.game import FormulaGame


def check(game: FormulaGame, role: str, aag: object, limits: Limits | None = None) -> Verdict:
    claim = Claim(role, 1, rule="functions", data={"aag": aag})
    return check_certificate(game, Certificate("", (claim,)), limits)


@pytest.fixture(params=["plays", "proof"])
def by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The ways to look for a counterexample: all plays at once or, where they are too many, a proof that none loses."""
    if request.param != "plays":
        monkeypatch.setattr(plays, "MOST_WORK", -1)
    return str(request.param)


def example() -> FormulaGame:
    """For all x there is y, for all u there is v: y differs from x and v differs from u."""
    circuit = Circuit()
    x, y, u, v = (circuit.variable() // 2 for _ in range(4))
    output = circuit.conjunction([circuit.exclusive(2 * x, 2 * y), circuit.exclusive(2 * u, 2 * v)])
    prefix = (Block("forall", (x,)), Block("exists", (y,)), Block("forall", (u,)), Block("exists", (v,)))
    return FormulaGame(Formula(circuit, prefix, output, {x: "x", y: "y", u: "u", v: "v"}))


RIGHT = "aag 2 2 0 2 0\n2\n4\n3\n5\ni0 x\ni1 u\no0 y\no1 v\n"


def either() -> FormulaGame:
    """For all x and w there is y, for all u there is v: y is x or w, and v differs from u unless y holds."""
    circuit = Circuit()
    x, w, y, u, v = (circuit.variable() // 2 for _ in range(5))
    same = circuit.exclusive(2 * y, circuit.disjunction([2 * x, 2 * w])) ^ 1
    output = circuit.conjunction([same, circuit.disjunction([2 * y, circuit.exclusive(2 * u, 2 * v)])])
    prefix = (Block("forall", (x, w)), Block("exists", (y,)), Block("forall", (u,)), Block("exists", (v,)))
    return FormulaGame(Formula(circuit, prefix, output, {x: "x", w: "w", y: "y", u: "u", v: "v"}))


def test_right_functions_are_accepted(by: str) -> None:
    clear = check(example(), "exists", RIGHT)
    assert clear.accepted and clear.how == "by putting the functions in"
    # x or w out of x, and of w without x: not the way in which the formula has it.
    text = "aag 5 3 0 2 2\n2\n4\n6\n11\n7\n8 3 4\n10 3 9\ni0 x\ni1 w\ni2 u\no0 y\no1 v\n"
    verdict = check(either(), "exists", text)
    assert verdict.accepted
    assert by in verdict.how
    wrong = check(either(), "exists", text.replace("8 3 4", "8 2 4"))
    assert wrong.status == "refuted"
    assert either().result(play_line(either(), wrong.line)) == (-1, 1)


@pytest.mark.usefixtures("by")
def test_wrong_functions_are_refuted_by_a_line_of_play() -> None:
    game = example()
    verdict = check(game, "exists", RIGHT.replace("\n5\n", "\n4\n"))
    assert verdict.status == "refuted"
    assert game.result(play_line(game, verdict.line)) == (-1, 1)
    assert verdict.reason == "the formula comes out false against the functions of exists"


def test_a_function_that_looks_at_a_later_choice_is_refused_even_if_it_would_win() -> None:
    circuit = Circuit()
    y, x = circuit.variable() // 2, circuit.variable() // 2
    output = circuit.exclusive(2 * x, 2 * y)
    game = FormulaGame(Formula(circuit, (Block("exists", (y,)), Block("forall", (x,))), output, {x: "x", y: "y"}))
    verdict = check(game, "exists", "aag 1 1 0 1 0\n2\n3\ni0 x\no0 y\n")
    assert verdict.reason == "the function of y looks at x, which forall chooses later"


def test_a_function_that_looks_later_through_gates_is_refused() -> None:
    text = "aag 4 2 0 2 2\n2\n4\n8\n5\n6 2 4\n8 3 7\ni0 x\ni1 u\no0 y\no1 v\n"
    assert check(example(), "exists", text).reason == "the function of y looks at u, which forall chooses later"


REFUSED = {
    "it is not a text": 7,
    "there is nothing": "",
    "a variable of its own as input": RIGHT.replace("i0 x", "i0 v"),
    "a variable of the other role as output": RIGHT.replace("o0 y", "o0 x"),
    "an unknown variable": RIGHT.replace("i0 x", "i0 w"),
    "a function is missing": "aag 1 1 0 1 0\n2\n3\ni0 u\no0 v\n",
    "two functions for one variable": RIGHT.replace("o1 v", "o1 y"),
    "one input twice": RIGHT.replace("i1 u", "i1 x"),
    "gates in a circle": "aag 4 2 0 2 2\n2\n4\n6\n5\n6 8 2\n8 6 2\ni0 x\ni1 u\no0 y\no1 v\n",
    "a gate that uses itself": "aag 3 2 0 2 1\n2\n4\n6\n5\n6 6 2\ni0 x\ni1 u\no0 y\no1 v\n",
    "a gate defined twice": "aag 4 2 0 2 2\n2\n4\n6\n5\n6 2 2\n6 3 2\ni0 x\ni1 u\no0 y\no1 v\n",
    "an input that is the constant": RIGHT.replace("\n2\n", "\n0\n"),
    "latches": RIGHT.replace("aag 2 2 0", "aag 3 2 1"),
    "counts beyond all measure": "aag 99999999999 99999999999 0 0 0\n",
    "an output that is not defined": RIGHT.replace("\n5\n", "\n9\n"),
    "no name for an output": RIGHT.replace("o1 v\n", ""),
    "numbers in other scripts": RIGHT.replace("\n3\n", "\n\N{SUPERSCRIPT THREE}\n"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_malformed_functions_are_refused(why: str) -> None:
    assert check(example(), "exists", REFUSED[why]).status == "refuted"


def test_the_data_of_the_rule_is_one_text() -> None:
    for data in ({}, {"aag": RIGHT, "more": 1}):
        claim = Claim("exists", 1, rule="functions", data=data)
        assert check_certificate(example(), Certificate("", (claim,))).status == "refuted"


def test_functions_promise_a_win_and_no_more_to_a_role_of_the_formula_and_no_other() -> None:
    game = example()
    for role, at_least, status in (("exists", 1, "accepted"), ("exists", 0, "accepted"), ("exists", 2, "refuted")):
        claim = Claim(role, at_least, rule="functions", data={"aag": RIGHT})
        assert check_certificate(game, Certificate("", (claim,))).status == status
    assert check(game, "forall", RIGHT).status == "refuted"
    assert check(game, "nobody", RIGHT).status == "refuted"
    claim = Claim("first", 1, rule="functions", data={"aag": RIGHT})
    assert check_certificate(make_game("nim:1"), Certificate("", (claim,))).status == "refuted"


@pytest.mark.parametrize("chunk", range(6))
@pytest.mark.usefixtures("by")
def test_functions_by_brute_force_are_accepted(chunk: int) -> None:
    for seed in range(50 * chunk, 50 * chunk + 50):
        formula = (random_formula if seed % 2 else random_clauses)(Random(seed))
        functions = brute_functions(formula).functions
        assert functions is not None
        assert check(FormulaGame(formula), functions.owner, write_aag(formula, functions)).accepted


OPEN = "aag 1 1 0 1 0\n2\n3\ni0 x\no0 y\n"


def test_the_last_choice_may_be_left_open(by: str) -> None:
    assert check(example(), "exists", OPEN).accepted
    text = "aag 4 2 0 1 2\n2\n4\n9\n6 3 4\n8 3 7\ni0 x\ni1 w\no0 y\n"
    verdict = check(either(), "exists", text)
    assert verdict.accepted
    assert by in verdict.how
    assert check(either(), "exists", text.replace("\n9\n", "\n8\n")).status == "refuted"


@pytest.mark.usefixtures("by")
def test_an_open_choice_none_of_whose_values_wins_is_refuted_by_a_line_of_play() -> None:
    game = example()
    verdict = check(game, "exists", OPEN.replace("\n3\n", "\n2\n"))
    assert verdict.reason == "the formula comes out false against the functions of exists"
    assert game.result(play_line(game, verdict.line)) == (-1, 1)


def test_an_open_choice_is_made_before_what_follows() -> None:
    """For all u: v is chosen, then w, and v has to be w."""
    circuit = Circuit()
    v, w = circuit.variable() // 2, circuit.variable() // 2
    same = circuit.exclusive(2 * v, 2 * w) ^ 1
    prefix = (Block("exists", (v,)), Block("forall", (w,)))
    assert check(FormulaGame(Formula(circuit, prefix, same)), "exists", "aag 0 0 0 0 0\n").status == "refuted"
    late = FormulaGame(Formula(circuit, (prefix[1], prefix[0]), same))
    assert check(late, "exists", "aag 0 0 0 0 0\n").accepted


def test_only_a_choice_after_which_the_claimer_has_none_may_be_left_open() -> None:
    text = "aag 1 1 0 1 0\n2\n3\ni0 u\no0 v\n"
    assert check(example(), "exists", text).reason == "there is no function for y, and exists has to choose again later"
    assert check(example(), "exists", "aag 0 0 0 0 0\n").status == "refuted"


def test_too_many_open_choices_are_refused() -> None:
    many = 17
    circuit = Circuit()
    variables = [circuit.variable() for _ in range(many)]
    game = FormulaGame(
        Formula(circuit, (Block("exists", tuple(v // 2 for v in variables)),), circuit.disjunction(variables))
    )
    assert "16 others" in check(game, "exists", "aag 0 0 0 0 0\n").reason


@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.usefixtures("by")
def test_functions_without_those_of_the_last_block_are_accepted_only_if_some_value_wins(chunk: int) -> None:
    """Outputs are left out, and gates turned over: what is accepted wins by definition."""
    chance = Random(chunk)
    accepted = refuted = 0
    for seed in range(100 * chunk, 100 * chunk + 100):
        formula = random_formula(Random(seed), variables=7, gates=9, blocks=4)
        functions = brute_functions(formula).functions
        assert functions is not None
        kept = {
            v: literal ^ (chance.random() < 0.3) for v, literal in functions.outputs.items() if chance.random() < 0.7
        }
        text = write_aag(formula, replace(functions, outputs=kept))
        game = FormulaGame(formula)
        verdict = check(game, functions.owner, text)
        right = winning(formula, functions.owner, text)
        if verdict.accepted:
            accepted += len(kept) < len(functions.outputs)
            assert right, (seed, text)
        elif verdict.line:
            refuted += len(kept) < len(functions.outputs)
            assert not right
            assert game.result(play_line(game, verdict.line)) == ((-1, 1) if functions.owner == "exists" else (1, -1))
    assert accepted > 5
    assert refuted > 0


@pytest.mark.usefixtures("by")
def test_play_that_is_taken_up_on_the_way_is_checked_from_there() -> None:
    game = FormulaGame(example().formula, b"\x01\x00")
    rest = "aag 1 1 0 1 0\n2\n3\ni0 u\no0 v\n"
    assert check(game, "exists", rest).accepted
    assert check(game, "exists", RIGHT).status == "refuted"  # x and y are chosen already
    lost = FormulaGame(example().formula, b"\x01\x01")
    assert check(lost, "exists", rest).status == "refuted"


@pytest.mark.usefixtures("by")
def test_the_clock_stops_the_checker() -> None:
    assert check(example(), "exists", RIGHT, Limits(seconds=1e-9)).status == "limit"


def pigeons(holes: int) -> FormulaGame:
    """More pigeons than holes, each put into a hole: forall says where, and must break a rule."""
    circuit = Circuit()
    sits = [[circuit.variable() for _ in range(holes)] for _ in range(holes + 1)]
    housed = [circuit.disjunction(row) for row in sits]
    apart = [
        circuit.disjunction([one[hole] ^ 1, other[hole] ^ 1])
        for hole in range(holes)
        for number, one in enumerate(sits)
        for other in sits[:number]
    ]
    variables = tuple(literal >> 1 for row in sits for literal in row)
    return FormulaGame(Formula(circuit, (Block("forall", variables),), circuit.conjunction(housed + apart) ^ 1))


@pytest.mark.usefixtures("by")
def test_a_hard_question_is_given_up_at_the_time_limit() -> None:
    nothing = "aag 0 0 0 0 0\n"
    assert check(pigeons(4), "exists", nothing).accepted
    assert check(pigeons(14), "exists", nothing, Limits(seconds=0.3)).status == "limit"


def mutated(chance: Random, text: str) -> str:
    lines = text.split("\n")
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        at = chance.randrange(len(lines))
        match chance.randrange(8):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(at, chance.choice(lines))
            case 2:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                words = lines[at].split(" ")
                place = chance.randrange(len(words))
                if words[place].isdecimal():
                    words[place] = str(max(0, int(words[place]) ^ chance.choice((1, 1, 1, 2, 3, 4, 6))))
                elif chance.random() < 0.3:
                    words[place] = chance.choice(text.split())
                lines[at] = " ".join(words)
    return "\n".join(lines)


@pytest.mark.parametrize("chunk", range(10))
@pytest.mark.usefixtures("by")
def test_five_thousand_damaged_certificates_are_refused_or_still_right(chunk: int) -> None:
    chance = Random(chunk)
    accepted = lines = 0
    for seed in range(50 * chunk, 50 * chunk + 50):
        formula = random_formula(Random(seed), variables=6, gates=6, blocks=4)
        game = FormulaGame(formula)
        functions = brute_functions(formula).functions
        assert functions is not None
        text = write_aag(formula, functions)
        for _ in range(10):
            damaged = mutated(chance, text)
            role: Quantifier = functions.owner if chance.random() < 0.95 else chance.choice(("exists", "forall"))
            verdict = check(game, role, damaged)
            right = winning(formula, role, damaged)
            if verdict.accepted:
                accepted += 1
                assert right, (seed, damaged)
            elif verdict.line:
                lines += 1
                result = game.result(play_line(game, verdict.line))
                assert result == ((-1, 1) if role == "exists" else (1, -1))
                assert not right
    assert accepted > 25
    assert lines > 0


def test_checking_functions_loads_no_engine_and_no_native_code() -> None:
    example = Path(__file__).parents[2] / "examples" / "choices.qcir"
    program = (
        "import sys\n"
        "from zermelo.certificate import Certificate, Claim\n"
        "from zermelo.check import check_certificate\n"
        "from zermelo.solving.targets import game_of\n"
        f"game = game_of({str(example)!r})\n"
        "claim = Claim('exists', 1, rule='functions', data={'aag': 'aag 0 0 0 2 0\\n0\\n1\\no0 x1\\no1 x2\\n'})\n"
        "assert check_certificate(game, Certificate('', (claim,))).accepted\n"
        "engines = ('zermelo.search', 'zermelo._native', 'nanobind', 'zermelo.kernel_thread',\n"
        "           'zermelo.qbf.solver_answer',\n"
        "           'zermelo.qbf.circuit_search', 'zermelo.qbf.cegar', 'zermelo.qbf.engines', 'zermelo.qbf.external')\n"
        "print([name for name in sys.modules if name.startswith(engines)])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
