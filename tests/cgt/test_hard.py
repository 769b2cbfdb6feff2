"""Every reduction of chapter 4 keeps the answer, in both directions, and so does the whole chain."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from tests.cgt.problems import is_true, left_wins
from tests.cgt.randomgames import brute_force
from tests.cgt.sumwinner import SumWinner
from tests.qbf.randomformulas import random_clauses, random_formula
from zermelo import solve
from zermelo.cgt.scores.scored import RIGHT_TO_MOVE, Tree, depth, leaf, positions, tree, trees_of
from zermelo.cli import main
from zermelo.encode.sum import (
    Alt,
    AlternatingFormula,
    EncodedSum,
    ExactCover,
    GenPartition,
    alt_of_partition,
    alternating,
    cover_of_formula,
    partition_of_cover,
    partition_of_numbers,
    sum_of_formula,
    sum_of_numbers,
    sum_of_switches,
    text_of_formula,
)
from zermelo.encode.sum.sums import Constants, constants_of
from zermelo.errors import LimitReachedError
from zermelo.qbf.formula import truth
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qdimacs import parse_qdimacs


def wins_moving_first(games: list[Tree]) -> bool:
    """Does Left win a sum if he starts?"""
    return SumWinner(games).left_wins(games, True)


def random_alternating(rng: random.Random, variables: int = 4, literals: int = 4) -> AlternatingFormula:
    """A small alternating formula, at times with an empty clause or without any."""
    clauses = []
    left = rng.randint(0, literals)
    while left > 0:
        width = min(left, rng.randint(1, 3))
        clauses.append(tuple(v * rng.choice((1, -1)) for v in rng.sample(range(1, variables + 1), width)))
        left -= width
    if rng.random() < 0.05:
        clauses.append(())
    return AlternatingFormula(("v",) * variables, tuple(clauses))


def random_partition(rng: random.Random, extras: int = 4, spread: int = 7) -> GenPartition:
    """A 2P-GEN-PARTITION whose target is reached by some play, more often than not."""
    choices = tuple((rng.randint(0, spread), rng.randint(0, spread)) for _ in range(rng.randint(0, 4)))
    numbers = tuple(rng.randint(0, spread) for _ in range(rng.randint(0, extras)))
    reached = sum(rng.choice(pair) for pair in choices) + sum(number for number in numbers if rng.random() < 0.5)
    return GenPartition(choices, numbers, reached if rng.random() < 0.7 else rng.randint(0, 3 * spread))


def random_alt(rng: random.Random, pairs: int = 1, extras: int = 3, spread: int = 9) -> Alt:
    """A 2P-ALT over positive numbers in any order, as above."""
    choices = tuple((rng.randint(1, spread), rng.randint(1, spread)) for _ in range(2 * rng.randint(0, pairs)))
    numbers = tuple(rng.randint(1, spread) for _ in range(rng.randint(0, extras)))
    taken = sorted([rng.choice(pair) for pair in choices] + [n for n in numbers if rng.random() < 0.5], reverse=True)
    reached = sum(taken[0::2]) - sum(taken[1::2])
    return Alt(choices, numbers, reached if rng.random() < 0.7 else rng.randint(-1, 3 * spread))


def test_alternating_formulas_are_equivalent() -> None:
    rng = random.Random(1)
    answers = []
    for _ in range(150):
        formula = random_clauses(rng, variables=5, clauses=6)
        answers.append(truth(formula))
        assert is_true(alternating(formula)) == answers[-1]
    for _ in range(40):
        formula = random_formula(rng, variables=4, gates=4)
        assert is_true(alternating(formula)) == truth(formula)
    assert 20 < sum(answers) < 130


def test_the_form_of_the_thesis_has_three_different_variables_in_each_clause() -> None:
    rng = random.Random(2)
    for _ in range(60):
        formula = random_clauses(rng, variables=4, clauses=4)
        three = alternating(formula, three=True)
        assert all(len({abs(literal) for literal in clause}) == 3 == len(clause) for clause in three.clauses)
        assert len(three.names) % 2 == 0
        if len(three.names) <= 12:
            assert is_true(three) == truth(formula)


def test_lemma_4_2_a_formula_as_an_exact_cover() -> None:
    rng = random.Random(3)
    answers = []
    for _ in range(150):
        formula = random_alternating(rng)
        answers.append(is_true(formula))
        assert left_wins(cover_of_formula(formula)) == answers[-1]
    assert 20 < sum(answers) < 130


def test_lemma_4_2_the_formula_of_figure_4_3_has_4m_points_and_6m_extras() -> None:
    formula = AlternatingFormula(("x1", "x2", "x3", "x4"), ((1, 2, 3), (-1, -2, 4), (-3, 2, -4)))
    cover = cover_of_formula(formula)
    assert cover.points == 4 * 3 and len(cover.extras) == 6 * 3 and len(cover.choices) == 4
    assert [len(part) for pair in cover.choices for part in pair] == [1, 1, 2, 1, 1, 1, 1, 1]


def test_lemma_4_3_an_exact_cover_as_a_partition() -> None:
    rng = random.Random(4)
    answers = []
    for _ in range(300):
        points = rng.randint(1, 3)

        def some(points: int = points) -> frozenset[int]:
            return frozenset(point for point in range(points) if rng.random() < 0.4)

        pairs = tuple((some(), some()) for _ in range(rng.randint(0, 3)))
        cover = ExactCover(points, pairs, tuple(some() for _ in range(rng.randint(0, 6))))
        answers.append(left_wins(cover))
        assert left_wins(partition_of_cover(cover)) == answers[-1]
    assert 30 < sum(answers) < 270


def test_erratum_12_the_base_is_4_for_three_literals_and_the_target_has_ones_only() -> None:
    formula = AlternatingFormula(("x1", "x2", "x3", "x4"), ((1, 2, 3), (-1, -2, 4)))
    assert partition_of_cover(cover_of_formula(formula)).target == (4**8 - 1) // 3
    # Long clauses are in as many sets as they have literals: a larger base, or digits would carry.
    long = AlternatingFormula(("x",) * 6, ((1, 2, 3, 4, 5, 6),))
    assert partition_of_cover(cover_of_formula(long)).target == (7**7 - 1) // 6


def test_lemma_4_4_a_partition_as_an_alternating_sum() -> None:
    rng = random.Random(5)
    answers = []
    for _ in range(200):
        partition = random_partition(rng)
        answers.append(left_wins(partition))
        assert left_wins(alt_of_partition(partition)) == answers[-1]
    assert 30 < sum(answers) < 170


def test_erratum_13_the_last_power_in_the_target_is_that_of_the_last_choice() -> None:
    partition = GenPartition(((1, 2), (0, 1)), (1, 2), 4)
    alt = alt_of_partition(partition)
    lowest = 1 << (alt.choices[-1][0].bit_length() - 1)
    assert left_wins(partition) and left_wins(alt)
    assert alt.target == partition.target + lowest
    assert not left_wins(replace(alt, target=partition.target + 2 * lowest))  # as printed


def test_lemma_4_1_is_lemma_4_4_without_choices() -> None:
    alt = alt_of_partition(partition_of_numbers([3, 1, 2]))
    assert alt.choices == () and alt.target == 3
    assert alt.extras == tuple(number for x, bit in ((3, 8), (1, 6), (2, 4)) for number in ((1 << bit) + x, 1 << bit))


def test_theorem_4_2_switches_to_choose_and_select_as_a_sum() -> None:
    rng = random.Random(6)
    answers = []
    for _ in range(250):
        problem = random_alt(rng, pairs=2)
        answers.append(left_wins(problem))
        encoded = sum_of_switches(problem)
        assert wins_moving_first(encoded.games) == answers[-1], problem
        assert max(map(depth, encoded.games)) == 2
    assert 50 < sum(answers) < 200


def test_theorem_4_2_by_trying_everything() -> None:
    # No bounds, no order: the whole tree of play. The score is 0 if Left wins, so that up decides: without it V_L >= 0.
    rng = random.Random(7)
    answers = []
    for problem in [random_alt(rng, pairs=0, extras=2, spread=5) for _ in range(12)] + [Alt(((2, 1), (1, 3)), (), 1)]:
        answers.append(left_wins(problem))
        encoded = sum_of_switches(problem)
        stop = brute_force(encoded.games, True)
        assert (stop == (0, RIGHT_TO_MOVE)) == answers[-1] == (stop[0] >= 0)
        without_up = brute_force(encoded.games[:-1], True)
        assert (without_up[0] >= 0) == answers[-1]
    assert 0 < sum(answers) < len(answers)


def test_erratum_10_the_constants_dominate_and_infinity_is_more_than_everything_else() -> None:
    rng = random.Random(8)
    for _ in range(50):
        problem = random_alt(rng, pairs=2, extras=4)
        k = constants_of(problem)
        total = sum(problem.extras) + sum(number for pair in problem.choices for number in pair)
        rest = k.c + k.d + k.e + k.s + total
        assert 0 <= k.s <= total + 1
        assert k.e > 2 * total and k.d > 4 * k.e and k.c > k.d + total
        for place, bar in enumerate(k.a):
            assert bar > 2 * sum(k.a[place + 1 :]) + rest
        for place, bar in enumerate(k.f):
            assert bar > 4 * max((*k.f[place + 1 :], *k.a, rest))
        encoded = sum_of_switches(problem)
        others = [max(abs(p.number) for p in positions(g) if p.number is not None) for g in encoded.games[1:]]
        assert largest_number(encoded) == k.infinity > sum(others) + sum(k.a) - k.c


def largest_number(encoded: EncodedSum) -> int:
    """The largest absolute value of a leaf: the stand-in for infinity."""
    leaves = (position.number for game in set(encoded.games) for position in positions(game))
    return int(max(abs(number) for number in leaves if number is not None))


def changed(constants: Constants, name: str) -> Constants:
    """The constants with one of their inequalities broken."""
    match name:
        case "e":
            return replace(constants, e=1)
        case "d":
            return replace(constants, d=1)
        case "c":
            return replace(constants, c=1)
        case "a":
            return replace(constants, a=(constants.e,) * len(constants.a))
        case "f":
            return replace(constants, f=constants.f[::-1])
        case _:
            return replace(constants, infinity=constants.f[0] if constants.f else sum(constants.a))


@pytest.mark.parametrize("name", ["e", "d", "c", "a", "f", "infinity"])
def test_erratum_14_no_group_of_constants_can_be_done_without(name: str) -> None:
    rng = random.Random(9)
    wrong = 0
    for _ in range(60):
        problem = random_alt(rng, pairs=1)
        broken = sum_of_switches(problem, changed(constants_of(problem), name))
        wrong += wins_moving_first(broken.games) != left_wins(problem)
    assert wrong > 0


def test_erratum_14_j_adds_up_the_constants_of_all_extras() -> None:
    problem = Alt(((4, 3), (2, 1)), (1, 1), 2)
    encoded = sum_of_switches(problem)
    k = encoded.constants
    assert left_wins(problem) and wins_moving_first(encoded.games)
    # As printed, the sum ends with the number of pairs of choices, here one.
    printed = tree([tree([leaf(k.infinity)], [leaf(k.a[0] - k.c)])], [leaf(-k.infinity)])
    assert not wins_moving_first([printed, *encoded.games[1:]])


def test_targets_out_of_reach_are_lost_by_left() -> None:
    for target in (-1, -100, 8, 100):
        assert not wins_moving_first(sum_of_switches(Alt((), (4, 3), target)).games)


@pytest.mark.parametrize("problem", [Alt(((1, 2),), (), 1), Alt((), (0,), 0)])
def test_sums_are_made_of_whole_rounds_and_of_hot_switches(problem: Alt) -> None:
    with pytest.raises(ValueError, match=r"choices|temperature"):
        sum_of_switches(problem)


def parts_evenly(numbers: list[int]) -> bool:
    """PARTITION by trying all subsets."""
    return any(
        2 * sum(part) == sum(numbers) for size in range(len(numbers) + 1) for part in combinations(numbers, size)
    )


def test_partition_as_a_sum() -> None:
    rng = random.Random(10)
    answers = []
    for _ in range(30):
        numbers = [rng.randint(0, 6) for _ in range(rng.randint(0, 4))]
        answers.append(parts_evenly(numbers))
        assert wins_moving_first(sum_of_numbers(numbers).games) == answers[-1], numbers
    assert 5 < sum(answers) < 25


FORMULAS = {
    "a variable of exists": "p cnf 1 1\ne 1 0\n1 0\n",
    "a variable of forall": "p cnf 1 1\na 1 0\n1 0\n",
    "a tautology": "p cnf 1 1\na 1 0\n1 -1 0\n",
    "an empty clause": "p cnf 1 1\ne 1 0\n0\n",
    "no clauses": "p cnf 1 0\ne 1 0\n",
    "exists before forall": "p cnf 2 1\ne 1 0\na 2 0\n1 2 0\n",
    "forall against forall": "p cnf 2 1\na 1 2 0\n1 -2 0\n",
    "forall before exists": "p cnf 2 1\na 1 0\ne 2 0\n-1 2 0\n",
    "two units": "p cnf 2 2\ne 1 2 0\n1 0\n-2 0\n",
    "two units against forall": "p cnf 2 2\ne 1 0\na 2 0\n1 0\n-2 0\n",
}


@pytest.mark.parametrize("text", FORMULAS.values(), ids=FORMULAS.keys())
def test_formulas_as_sums_end_to_end(text: str) -> None:
    formula = parse_qdimacs(text)
    made = sum_of_formula(formula)
    solution = solve(FormulaGame(formula))
    assert wins_moving_first(made.sum.games) == truth(formula) == (solution.winner == "exists")


@pytest.mark.parametrize("name", ["a variable of exists", "a variable of forall"])
def test_formulas_as_the_thesis_wants_them_end_to_end(name: str) -> None:
    formula = parse_qdimacs(FORMULAS[name])
    made = sum_of_formula(formula, three=True)
    assert len(made.cover.extras) == 6 and made.cover.points == 4
    assert wins_moving_first(made.sum.games) == truth(formula)


def played(encoded: EncodedSum, moves: list[tuple[int, Tree]]) -> list[Tree]:
    """The sum after some moves (component, option)."""
    games = encoded.games
    for component, option in moves:
        games[component] = option
    return games


@pytest.mark.parametrize(("literal", "value"), [("1", True), ("-1", False)])
def test_the_winning_choice_is_read_back_as_a_value(literal: str, value: bool) -> None:
    made = sum_of_formula(parse_qdimacs(f"p cnf 2 1\ne 1 0\na 2 0\n{literal} 2 0\n"))
    encoded = made.sum
    threat = encoded.games[0].left[0]
    for option in encoded.games[1].left:
        line = [(0, threat), (0, threat.right[0]), (1, option)]
        games = played(encoded, line)
        [(name, chosen)] = made.values_chosen(line).items()
        assert name == "1"
        assert SumWinner(games).left_wins(games, False) == (chosen == value)


def normal_play(encoded: EncodedSum, sides: list[int], selected: set[int], option: Tree) -> int:
    """The score when both sides play as the proof of theorem 4.2 says, and Right chooses that option in I."""
    by_name = {component.name: component.game for component in encoded.components}
    score = by_name["J"].left[0].right[0].left_stop + by_name["H"].left[0].left_stop
    switches = [number for pair, side in zip(encoded.problem.choices, sides, strict=True) for number in [pair[side]]]
    for place, number in enumerate(encoded.problem.extras):
        score += by_name[f"G{place + 1}"].right[0].left_stop  # Right takes A_j in the other game of the pair
        switches += [number] if place in selected else []
    switches.sort(reverse=True)
    left_starts = option.is_number
    score += option.left_stop
    gain = sum(switches[0::2]) - sum(switches[1::2])
    return int(score + (gain if left_starts else -gain))


def test_a_strategy_for_a_large_formula_is_one_for_its_sum() -> None:
    # Far too large to search: what Left should select is known from the values, and normal play ends at 0 in both ways.
    rng = random.Random(13)
    satisfied = 0
    for _ in range(40):
        made = sum_of_formula(random_clauses(rng, variables=12, clauses=8), three=rng.random() < 0.5)
        values = [rng.random() < 0.5 for _ in made.formula.names]
        selected = made.selection(values)
        sides = [int(value) for value in values]
        holds = all(any(values[abs(i) - 1] == (i > 0) for i in clause) for clause in made.formula.clauses)
        assert (selected is not None) == holds
        if selected is not None:
            satisfied += 1
            assert made.alt.is_won(sides, selected)
            [decision] = [component.game for component in made.sum.components if component.name == "I"]
            assert [normal_play(made.sum, sides, set(selected), option) for option in decision.right] == [0, 0]
    assert satisfied > 5


def test_the_text_is_read_as_the_same_sum() -> None:
    rng = random.Random(11)
    for _ in range(10):
        formula = random_clauses(rng, variables=5, clauses=6)
        assert trees_of(text_of_formula(formula, "f")) == sum_of_formula(formula).sum.games


def test_erratum_21_numbers_of_hundreds_of_bits_are_exact() -> None:
    formula = random_clauses(random.Random(12), variables=8, clauses=30)
    made = sum_of_formula(formula)
    assert largest_number(made.sum).bit_length() > 200
    assert trees_of(text_of_formula(formula, "f")) == made.sum.games


def test_numbers_that_could_not_be_read_again_are_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clauses = "".join(f"{i} {i + 1} {i + 2} 0\n" for i in range(1, 399))
    text = f"p cnf 400 398\ne {' '.join(map(str, range(1, 401)))} 0\n{clauses}"
    with pytest.raises(LimitReachedError, match="digits"):
        sum_of_formula(parse_qdimacs(text))
    file = tmp_path / "large.qdimacs"
    file.write_text(text, encoding="utf-8")
    assert main(["encode", str(file), "--to", "sum"]) == 3
    assert "digits" in capsys.readouterr().err


def test_encode_writes_a_formula_as_a_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, sum_file = tmp_path / "f.qdimacs", tmp_path / "f.cgt"
    file.write_text(FORMULAS["exists before forall"], encoding="utf-8")
    assert main(["encode", str(file), "--to", "sum", "-o", str(sum_file)]) == 0
    games = trees_of(sum_file.read_text(encoding="utf-8"))
    assert len(games) == 22 and wins_moving_first(games)
    assert main(["encode", str(file), "--to", "sum", "--encoding", "thesis"]) == 0
    assert len(trees_of(capsys.readouterr().out)) == 32


def test_encode_writes_a_partition_as_a_sum(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["encode", "partition:2,1,1", "--to", "sum"]) == 0
    assert wins_moving_first(trees_of(capsys.readouterr().out))
    assert main(["encode", "partition:2,1,2", "--to", "sum"]) == 0
    assert not wins_moving_first(trees_of(capsys.readouterr().out))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["partition:2,x"], "'x' is no natural number"),
        (["partition:"], "'' is no natural number"),
        (["partition:-1"], "'-1' is no natural number"),
        (["nim:3,4"], "no formula"),
        (["partition:1,1", "--horizon", "3"], "--horizon is for games"),
        (["partition:1,1", "--encoding", "short"], "no encoding 'short'"),
    ],
)
def test_what_is_no_sum_is_refused_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["encode", *arguments, "--to", "sum"]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
