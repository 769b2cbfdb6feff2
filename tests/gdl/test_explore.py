"""What random walks bring to light."""

from __future__ import annotations

import pytest

from tests.gdl.samples import CROSS, DICE, NIM, sheet_of
from zermelo.gdl.explore import STEPS, explore_rules
from zermelo.gdl.syntax import MAX_DEPTH
from zermelo.limits import Limits


@pytest.mark.parametrize("text", [DICE, CROSS], ids=["dice", "cross"])
def test_sound_rulesheets_get_no_serious_finding(text: str) -> None:
    assert {finding.code for finding in explore_rules(sheet_of(text), Limits(nodes=100))} <= {"goal-falls"}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("(legal a go)", "position-repeats", "play need not end: the state after 0 steps can come again"),
        ("(<= (legal a go) (true on))", "stuck", "a has no legal move in a state that is not terminal"),
        ("terminal", "goal-missing", "a has no goal value in a terminal state (after 0 steps: no facts)"),
        ("terminal (goal a 1) (goal a 2)", "goal-several", "a has the goal values 1 and 2 in a terminal state"),
        ("terminal (goal a 101)", "goal-value", "the goal value 101 of a is not a whole number from 0 to 100"),
        ("terminal (goal a 1) (init on) (base off)", "not-in-base", "base lacks the fact on"),
        ("(legal a go) (input a stay)", "not-in-input", "input lacks the legal move go of a"),
        (
            "(init (n 0)) (legal a go) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))"
            + " ".join(f"(succ {n} {n + 1})" for n in range(STEPS)),
            "endless",
            f"a random walk has not ended after {STEPS} steps",
        ),
        (
            "(init (n 0)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))",
            "cannot-be-played",
            f"terms grow beyond 4096 symbols or {MAX_DEPTH} levels",
        ),
        ("(<= p (q ?x) (not p))", "cannot-be-played", "not stratified"),
    ],
)
def test_what_should_not_happen_is_reported(text: str, code: str, message: str) -> None:
    findings = {
        finding.code: finding for finding in explore_rules(sheet_of("(role a)" + text), Limits(nodes=2 * STEPS))
    }
    assert message in findings[code].message


def test_falling_goals_are_a_warning_with_the_place_of_the_first_rule() -> None:
    found = [finding for finding in explore_rules(sheet_of(NIM, "nim.kif")) if finding.code == "goal-falls"]
    assert len(found) == 1
    assert found[0].place.startswith("nim.kif:") and found[0].severity == "warning"


def test_the_same_seed_finds_the_same() -> None:
    assert explore_rules(sheet_of(CROSS), seed=4) == explore_rules(sheet_of(CROSS), seed=4)


def test_a_time_limit_ends_the_walks() -> None:
    assert explore_rules(sheet_of(CROSS), Limits(seconds=1e-9)) == []
