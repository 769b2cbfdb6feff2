"""The finer points of matching pennies: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from statistics import mean

from tests.gdl.chance import expected
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.library import rulesheet


class TestMatchingPennies:
    """Fig. 1 of Koriche, Lagrue, Piette and Tabary (2016)."""

    def test_agreeing_wins_half_of_the_time(self) -> None:
        assert expected(RulesheetGame(rulesheet("matchingpennies"))) == 50

    def test_choosing_at_random_wins_a_quarter_of_the_time(self) -> None:
        assert expected(RulesheetGame(rulesheet("matchingpennies")), mean) == 25
