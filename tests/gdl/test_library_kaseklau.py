"""The finer points of kaseklau: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from tests.gdl.chance import after, facts, rules, state, walk
from zermelo.gdl.reasoner import State


def larder(mouse: str, cat: str, stage: str, *facts: str, bare: str = "", pot: int = 0) -> State:
    """Red's turn, with both tiles of every value in all rooms that are not bare."""
    tiles = [f"(tiles {room} {value} {0 if room in bare else 2})" for room in "abcde" for value in (1, 2, 3)]
    rest = ("(score red 7)", "(score blue 5)", "(turn red)", f"(stage {stage})", "(tens 0)", "(ones 0)")
    return state(*tiles, f"(mouse {mouse})", f"(cat {cat})", f"(pot {pot})", *rest, *facts)


class TestKaseklau:
    """Cat and mouse on a ring of five rooms."""

    def test_apart_a_tile_is_turned_over_and_together_the_pot_is_lost(self) -> None:
        here = larder("a", "c", "throw", pot=4)
        apart = after("kaseklau", here, random="(throw 1 1)")
        assert {"(mouse b)", "(cat d)", "(stage tile)", "(pot 4)", "(turn red)"} <= set(apart)
        met = after("kaseklau", here, random="(throw 6 4)")
        assert {"(mouse b)", "(cat b)", "(stage throw)", "(pot 0)", "(turn blue)", "(score red 7)"} <= set(met)

    def test_each_tile_that_is_left_is_a_move_of_chance(self) -> None:
        here = larder("a", "b", "tile", pot=4)
        assert len(rules("kaseklau").legal(here, "random")) == 6
        here = after("kaseklau", here, random="(turn_over 3 2)")
        assert {"(tiles a 3 1)", "(pot 7)", "(stage decide)"} <= set(here)
        again = state(*(fact.replace("decide", "tile") for fact in here))
        assert len(rules("kaseklau").legal(again, "random")) == 5

    def test_who_stops_keeps_the_pot(self) -> None:
        here = after("kaseklau", larder("a", "b", "decide", pot=4), red="stop")
        assert {"(score red 11)", "(pot 0)", "(turn blue)", "(stage throw)"} <= set(here)

    def test_an_empty_room_gives_nothing_and_leaves_the_choice(self) -> None:
        here = after("kaseklau", larder("a", "c", "throw", bare="b", pot=4), random="(throw 1 1)")
        assert "(stage decide)" in here and "(pot 4)" in here
        assert rules("kaseklau").legal(here, "red") == ["on", "stop"]

    def test_with_three_rooms_empty_the_pot_is_kept_and_play_ends(self) -> None:
        here = larder("b", "c", "decide", bare="abd", pot=4)
        assert not rules("kaseklau").terminal(here)
        assert rules("kaseklau").legal(here, "red") == ["stop"]
        here = after("kaseklau", here, red="stop")
        assert rules("kaseklau").terminal(here)
        assert [rules("kaseklau").goals(here, role) for role in ("red", "blue")] == [["100"], ["0"]]


def test_the_cheese_of_kaseklau_is_only_lost_to_the_cat() -> None:
    cheese, before = 60, None
    for here in walk("kaseklau", 5):
        table = facts(here)
        pot = sum(int(amount) for (amount,) in table["pot"])
        held = pot + sum(int(amount) for _, amount in table["score"])
        held += sum(int(value) * int(count) for _, value, count in table["tiles"])
        lost = before if before and table["mouse"] == table["cat"] and ("throw",) in table["stage"] else 0
        assert held == cheese - lost
        cheese, before = held, pot
