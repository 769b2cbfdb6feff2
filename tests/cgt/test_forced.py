"""Sums in which temperature says where to move: the engine, its theorems, and the checker of its certificates."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest

import zermelo
from tests.cgt.hotsums import hot_sum
from tests.cgt.problems import is_true
from tests.cgt.randomgames import brute_force, random_sum
from zermelo.certificate import Claim
from zermelo.cgt.forced import NotForced, forced_answer, forced_play, why_not_forced
from zermelo.cgt.forced.counted import Counted, counted
from zermelo.cgt.forced.selecting import selections, taken
from zermelo.cgt.forced.steps import forced_among
from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.scored import Tree, leaf, tree, trees_of, written
from zermelo.cgt.scores.sums import best_move
from zermelo.check.forced import check_forced_claim
from zermelo.encode.sum import (
    AlternatingFormula,
    alt_of_partition,
    cover_of_formula,
    partition_of_cover,
    sum_of_switches,
)
from zermelo.games import make_game
from zermelo.limits import Limits


def games_of(formula: AlternatingFormula) -> list[Tree]:
    """The sum that a formula becomes."""
    return sum_of_switches(alt_of_partition(partition_of_cover(cover_of_formula(formula)))).games


def stated(games: list[Tree]) -> WrittenSum:
    """The sum as the command line has it."""
    return WrittenSum(" + ".join(map(written, games)))


def test_the_score_is_that_of_brute_force_wherever_temperature_tells() -> None:
    rng = random.Random(7)
    told = 0
    while told < 150:
        games = hot_sum(rng) if rng.random() < 0.8 else random_sum(rng)
        if len(games) > 8:
            continue
        try:
            answer = forced_answer(games)
        except NotForced:
            continue
        told += 1
        for played in (answer.left_first, answer.right_first):
            left = played.starts == "left"
            assert played.lower == played.upper == brute_force(games, left), list(map(str, games))
            if played.move is not None:  # it leads to the same score
                after = list(games)
                after[played.move.component] = played.move.option
                assert brute_force(after, not left) == played.lower


def small_formulas() -> list[AlternatingFormula]:
    """All formulas over two variables of at most two different clauses of one or two literals."""
    literals = [(v,) for v in (1, -1, 2, -2)] + [(a, b) for a, b in product((1, -1), (2, -2))]
    sets = [one for size in (1, 2) for one in combinations(literals, size)]
    return [AlternatingFormula(("x", "y"), clauses) for clauses in sets]


def test_every_small_formula_has_the_answer_of_its_sum() -> None:
    for formula in small_formulas():
        assert (forced_play(games_of(formula), "left").winner == "left") == is_true(formula), formula


@pytest.mark.parametrize("clauses", [2, 3, 4])
def test_formulas_of_four_variables_are_decided_and_proved(clauses: int) -> None:
    rng = random.Random(clauses)
    answers = set[bool]()
    while len(answers) < 2:
        formula = AlternatingFormula(
            ("a", "b", "c", "d"),
            tuple(
                tuple(v * rng.choice((1, -1)) for v in rng.sample(range(1, 5), rng.choice((1, 3, 3))))
                for _ in range(clauses)
            ),
        )
        if is_true(formula) in answers:
            continue
        answers.add(is_true(formula))
        games = games_of(formula)
        answer = forced_answer(games, certify=True)
        assert (answer.left_first.winner == "left") == is_true(formula)
        game = stated(games)
        assert [check_forced_claim(game, claim, Limits()).status for claim in answer.claims] == ["accepted"] * 4


def test_auto_takes_it_for_many_games_and_the_answer_is_verified() -> None:
    games = games_of(AlternatingFormula(("x", "y"), ((1, 2), (1, -2))))
    solution = zermelo.solve(" + ".join(map(written, games)))
    assert (solution.engine, solution.winner, solution.value, solution.verified) == ("forced", "left", 0, True)
    assert best_move(games, "left")[0] == 0


def test_a_formula_is_answered_through_its_sum() -> None:
    clauses = "p cnf 4 2\ne 1 0\na 2 0\ne 3 0\na 4 0\n1 -2 3 0\n-1 2 -4 0\n"
    from zermelo.qbf.game import FormulaGame
    from zermelo.qbf.qdimacs import parse_qdimacs

    answer = zermelo.solve(FormulaGame(parse_qdimacs(clauses)), "forced")
    assert answer.winner == zermelo.solve(FormulaGame(parse_qdimacs(clauses))).winner and not answer.verified


def test_the_engine_says_where_it_does_not_apply() -> None:
    assert why_not_forced(trees_of("{9|1||-3} + {8|2||-3}")) == "temperature alone does not say where to move"
    deep = leaf(0)
    for size in range(1, 20):
        deep = tree([leaf(3**size)], [deep])
    assert "too many moves" in str(why_not_forced([deep]))
    with pytest.raises(NotForced):
        forced_answer(trees_of("{9|1||-3} + {8|2||-3}"))


def over(number: int) -> Counted:
    """A game that has ended."""
    return Counted.over(number)


def test_each_theorem_needs_its_last_unit() -> None:
    threat = Counted.of([over(10)], [Counted.of([over(0)], [over(-9)])])
    assert threat.swing == 10
    rest = Counted.of([Counted.of([over(5)], [over(4)])], [over(-5)])
    assert forced_among([threat, rest]) == (0,)
    wider = Counted.of([Counted.of([over(6)], [over(4)])], [over(-5)])
    assert forced_among([threat, wider]) == (0, 1)  # not by the first theorem: only the third applies
    equal, third = Counted.switch(5), Counted.switch(4)
    assert forced_among([third, equal, rest]) == (1,)  # the widest switch, though it is no threat to both others
    assert forced_among([third, equal, wider]) == (1, 2)  # likewise
    one = Counted.of([Counted.switch(2)], [over(-20)])
    other = Counted.of([over(0)], [over(-20)])
    assert set(forced_among([one, other, Counted.switch(8)])) == {0, 1}
    assert forced_among([one, other, Counted.switch(9)]) == ()
    double = Counted.of([Counted.switch(2), over(1)], [over(-20), over(-19)])
    twofold = Counted.of([over(0), over(-1)], [over(-20), over(-19)])
    assert forced_among([double, twofold, Counted.switch(6)]) == ()  # both sides choose in both games
    assert set(forced_among([double, other, Counted.switch(6)])) == {0, 1}


def test_selections_are_all_alternating_sums_in_the_intervals() -> None:
    rng = random.Random(5)
    for _ in range(200):
        coins = sorted(((rng.randint(1, 30), rng.random() < 0.7) for _ in range(rng.randint(0, 7))), reverse=True)
        low = [rng.randint(-5, 30) for _ in range(2)]
        within = [(low[0], low[0] + rng.randint(0, 9))], [(low[1], low[1] + rng.randint(0, 3))]
        wanted = set()
        for choice in product((False, True), repeat=len(coins)):
            if all(chosen or optional for chosen, (_, optional) in zip(choice, coins, strict=True)):
                sizes = [size for chosen, (size, _) in zip(choice, coins, strict=True) if chosen]
                total, odd = sum(sizes[0::2]) - sum(sizes[1::2]), len(sizes) % 2
                if any(least <= total <= most for least, most in within[odd]):
                    wanted.add((total, odd))
        found = list(selections(coins, within, lambda: None))
        assert {(total, odd) for total, odd, _ in found} == wanted
        for total, _, clue in found:
            sizes = [size for chosen, (size, _) in zip(taken(clue), coins, strict=True) if chosen]
            assert sum(sizes[0::2]) - sum(sizes[1::2]) == total


def test_the_tempo_is_counted_in() -> None:
    (up,) = trees_of("^")
    made = counted(up, leaf(1).left_stop, lambda: None)
    assert made is not None and (made.low, made.high) == (-2, 1)


def forgeries(claim: Claim) -> list[Claim]:
    """Claims that promise more, or that choose otherwise or in the wrong shape."""
    better = replace(claim, at_least=claim.at_least + 1)
    value = int(claim.data["value"])
    further = value + 1 if claim.role == "left" else value - 1
    found = [better, replace(claim, data={**claim.data, "value": str(further)})]
    found += [replace(claim, data={**claim.data, "strategy": strategy}) for strategy in changed(claim.data["strategy"])]
    return [*found, replace(claim, data={**claim.data, "value": "1/2"}), replace(claim, data={"starts": "left"})]


def changed(strategy: Any) -> list[Any]:
    """Strategies that are not of the right shape, or select something else."""
    if strategy is None:
        return [[], {"select": "0"}, {"move": 0, "then": None}]
    if isinstance(strategy, list):
        deeper = [[*strategy[:at], one, *strategy[at + 1 :]] for at, old in enumerate(strategy) for one in changed(old)]
        return [None, strategy[1:], *deeper]
    if "select" in strategy:
        old = strategy["select"]
        flipped = [old[:at] + "10"[int(old[at])] + old[at + 1 :] for at in range(len(old))]
        return [None, *({"select": text} for text in [*flipped, old + "0", old.replace("1", "2"), 7])]
    moves = [{"move": place, "then": strategy["then"]} for place in (-1, 99, "0", True)]
    return [None, [strategy], *moves, *({**strategy, "then": one} for one in changed(strategy["then"]))]


def test_forged_certificates_are_refused() -> None:
    for clauses in (((1, 2),), ((1,), (-1,))):
        games = games_of(AlternatingFormula(("x", "y"), clauses))
        game = stated(games)
        for claim in forced_answer(games, certify=True).claims:
            assert check_forced_claim(game, claim, Limits()).accepted
            for forged in forgeries(claim):
                assert check_forced_claim(game, forged, Limits()).status == "refuted", forged


def test_no_true_value_has_a_better_one_beside_it() -> None:
    """The checker refuses one more than the value of random sums, whatever the owner might choose."""
    rng = random.Random(11)
    checked = 0
    while checked < 40:
        games = hot_sum(rng)
        try:
            answer = forced_answer(games, certify=True)
        except NotForced:
            continue
        if all(game.is_number for game in games):
            continue
        checked += 1
        game = stated(games)
        for claim in answer.claims:
            assert check_forced_claim(game, claim, Limits()).accepted, list(map(str, games))
            further = int(claim.data["value"]) + (1 if claim.role == "left" else -1)
            forged = replace(claim, data={**claim.data, "value": str(further)})
            assert check_forced_claim(game, forged, Limits()).status == "refuted", list(map(str, games))


def test_claims_about_other_games_are_refused() -> None:
    claim = Claim("left", 4, rule="forced", data={"starts": "left", "value": "8", "strategy": None})
    assert check_forced_claim(WrittenSum("{7|-7} + {2|-3}"), claim, Limits()).accepted
    assert "no theorem" in check_forced_claim(WrittenSum("{9|1||-3} + {8|2||-3}"), claim, Limits()).reason
    assert "sums in brackets" in check_forced_claim(make_game("nim:3"), claim, Limits()).reason
    wrong = replace(claim, starts="right")
    assert "starts" in check_forced_claim(WrittenSum("{7|-7} + {2|-3}"), wrong, Limits()).reason
