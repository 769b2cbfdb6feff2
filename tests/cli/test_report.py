"""What the report says where a win is not certain, or nothing is proved."""

from __future__ import annotations

import zermelo
from zermelo import CHANCE, Game, Limits, Options


class Toss(Game):
    """The first role wins by heads, but may also settle for nothing."""

    def start(self) -> str:
        return "start"

    def turn(self, position: str) -> str:
        return CHANCE if position == "air" else "first"

    def moves(self, position: str) -> list[str]:
        return ["heads", "edge", "tails"] if position == "air" else ["settle", "toss"]

    def play(self, position: str, move: str) -> str:
        return "air" if move == "toss" else move

    def result(self, position: str) -> tuple[int, int] | None:
        return {"heads": (2, -2), "edge": (0, 0), "tails": (-1, 1), "settle": (0, 0)}.get(position)


class Three(Game):
    """Three roles choose in turn; the last one decides who gets the prize."""

    roles = ("a", "b", "c")

    def start(self) -> tuple[int, ...]:
        return ()

    def turn(self, position: tuple[int, ...]) -> str:
        return self.roles[len(position)]

    def moves(self, position: tuple[int, ...]) -> list[int]:
        return [0, 1]

    def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*position, move)

    def result(self, position: tuple[int, ...]) -> tuple[int, ...] | None:
        return None if len(position) < 3 else tuple(int(role == sum(position) % 3) for role in range(3))


def test_headline_under_chance_is_an_expectation_not_a_win() -> None:
    assert str(zermelo.solve(Toss())).splitlines()[0] == "Toss: first can expect 1/3"


def test_uct_ends_by_itself_where_nothing_can_be_proved() -> None:
    solution = zermelo.solve(Three(), "uct")
    assert (solution.engine, solution.status) == ("uct", "unknown")
    assert solution.note == "not proved in 1,000,000 simulations"
    assert "estimate" in str(solution)


def test_three_roles_have_a_line_each() -> None:
    report = str(zermelo.solve(Three())).splitlines()
    assert report[:5] == [
        "Three: a gets 1, b 0, c 0",
        "  value    1 for a",
        "           0 for b",
        "           0 for c",
        "  ties     taken first; choices between equal moves lead to",
    ]
    assert report[-1].startswith("  checked  yes")


def test_all_engines_end_on_a_game_of_chance() -> None:
    assert zermelo.solve(Toss(), "all").stats["engines"].keys() == {"dp", "uct", "induction"}


def test_estimate_of_a_python_game_is_a_score() -> None:
    class Long(Game):
        """Ten plies to a win by either, of 100 or nothing: nothing is known within two."""

        def start(self) -> tuple[int, ...]:
            return ()

        def turn(self, position: tuple[int, ...]) -> str:
            return self.roles[len(position) % 2]

        def moves(self, position: tuple[int, ...]) -> list[int]:
            return [0, 1]

        def play(self, position: tuple[int, ...], move: int) -> tuple[int, ...]:
            return (*position, move)

        def result(self, position: tuple[int, ...]) -> tuple[int, int] | None:
            won = 100 if sum(position) % 2 else -100
            return None if len(position) < 6 else (won, -won)

    solution = zermelo.solve(Long(), "alphabeta", Limits(), Options(depth=2))
    assert solution.stats["estimate"] == 0  # half way between -100 and 100, not a place in their order


def test_a_lemma_is_named_where_no_position_was_walked() -> None:
    assert "(by a lemma)" in str(zermelo.solve("nim:100000,99999,3"))


class Share(Game):
    """The first role divides six points badly, whatever it does."""

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return "first"

    def moves(self, position: int) -> list[int]:
        return [1, 2]

    def play(self, position: int, move: int) -> int:
        return move

    def result(self, position: int) -> tuple[int, int] | None:
        return (position, 6 - position) if position else None


def test_a_share_of_one_point_in_six_is_not_called_a_win() -> None:
    said = str(zermelo.solve(Share())).splitlines()
    assert said[0] == "Share: second wins in 1 move"
    assert "  others   1: 1 for first" in said
