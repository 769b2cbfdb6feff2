"""The finer points of can't stop: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from tests.gdl.chance import after, facts, rules, state, walk
from zermelo.gdl.reasoner import State


def camps(red: dict[int, int], blue: dict[int, int]) -> list[str]:
    sides = (("red", red), ("blue", blue))
    return [f"(camp {role} {column} {at.get(column, 0)})" for role, at in sides for column in range(2, 13)]


def climb(dice: str, *facts: str, red: dict[int, int] | None = None, blue: dict[int, int] | None = None) -> State:
    """Red is to pair these dice."""
    shown = [f"(die {number} {face})" for number, face in enumerate(dice, 1)]
    clock = ("(tens 0)", "(ones 0)", "(turn red)", "(stage pairs)")
    return state(*shown, *clock, *camps(red or {}, blue or {}), *facts)


class TestCantStop:
    """Sid Sackson's game."""

    def test_four_dice_make_three_pairings(self) -> None:
        moves = rules("cantstop").legal(climb("1356"), "red")
        assert moves == ["(climb 4 11)", "(climb 6 9)", "(climb 7 8)"]

    def test_a_pairing_that_comes_twice_is_one_move(self) -> None:
        assert rules("cantstop").legal(climb("2255"), "red") == ["(climb 4 10)", "(climb 7 7)"]

    def test_equal_sums_are_two_steps_from_the_camp(self) -> None:
        here = after("cantstop", climb("2255", red={7: 3}), red="(climb 7 7)")
        assert "(runner 7 5)" in here and "(stage decide)" in here

    def test_equal_sums_below_the_top_are_one_step(self) -> None:
        here = after("cantstop", climb("1111", "(runner 2 2)"), red="(climb 2 2)")
        assert "(runner 2 3)" in here

    def test_two_new_columns_for_the_last_runner_are_a_choice(self) -> None:
        here = climb("1356", "(runner 2 1)", "(runner 7 1)")
        moves = rules("cantstop").legal(here, "red")
        assert moves == ["(climb 7 8)", "(only 11)", "(only 4)", "(only 6)", "(only 9)"]

    def test_without_a_runner_in_hand_only_the_columns_begun_are_climbed(self) -> None:
        here = climb("1356", "(runner 2 1)", "(runner 7 1)", "(runner 12 1)")
        assert rules("cantstop").legal(here, "red") == ["(only 7)"]

    def test_columns_that_are_won_are_closed(self) -> None:
        here = climb("1111", blue={2: 3})
        assert rules("cantstop").legal(here, "red") == ["fall"]
        here = after("cantstop", here, red="fall")
        assert {"(turn blue)", "(stage throw12)", "(ones 1)"} <= set(here)

    def test_a_fall_loses_the_climb_and_a_stop_keeps_it(self) -> None:
        ran = ("(runner 2 3)", "(runner 3 1)", "(runner 12 1)")
        fell = after("cantstop", climb("4444", *ran), red="fall")
        assert "(camp red 3 0)" in fell and not any(fact.startswith("(runner") for fact in fell)
        here = tuple(fact for fact in climb("1112", *ran) if not fact.startswith("(die"))
        here = state(*(fact.replace("pairs", "decide") for fact in here))
        kept = after("cantstop", here, red="stop")
        assert {"(camp red 2 3)", "(camp red 3 1)", "(camp red 12 1)", "(turn blue)"} <= set(kept)

    def test_three_columns_win(self) -> None:
        here = climb("1111", red={2: 3, 3: 5, 12: 3}, blue={7: 13})
        assert rules("cantstop").terminal(here)
        assert [rules("cantstop").goals(here, role) for role in ("red", "blue")] == [["100"], ["0"]]


def test_runners_and_camps_keep_to_the_columns_of_cant_stop() -> None:
    for here in walk("cantstop", 3):
        table = facts(here)
        assert len(table["camp"]) == 22 and len(table.get("runner", ())) <= 3
        (turn,) = (role for (role,) in table["turn"])
        camp = {column: int(height) for role, column, height in table["camp"] if role == turn}
        assert all(int(height) > camp[column] for column, height in table.get("runner", ()))
        tops = [column for _, column, height in table["camp"] if int(height) == 13 - 2 * abs(7 - int(column))]
        assert len(set(tops)) == len(tops)
