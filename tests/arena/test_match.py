"""Games of a match: who sits where, which dice fall, what a game comes to, and what players may do wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.arena.match import Dice, PlayerError, model_of, play_game, play_number, read_players, table_of
from zermelo.cli import main
from zermelo.errors import ArgumentError
from zermelo.play import player as players
from zermelo.play.player import Clock, Decision
from zermelo.search.forward import ForwardModel

FEW = Clock(simulations=20)


@pytest.fixture
def odd_players() -> Iterator[None]:
    """Players that do what none should, for as long as a test lasts."""

    class Odd:
        def __init__(self, kind: str, model: ForwardModel):
            self.kind, self.model = kind, model

        def choose(self, position: Any, clock: Clock) -> Decision:
            if self.kind == "raises":
                raise ZeroDivisionError("nothing\nis left")
            return Decision(10_000)

    for kind in ("raises", "cheats"):
        players.register(kind, kind)(lambda model, seat, seed, settings, kind=kind: Odd(kind, model))
    yield
    for kind in ("raises", "cheats"):
        del players._makers[kind]


def test_two_players_take_both_seats_with_one_seed() -> None:
    model = model_of("gdl:tictactoe")
    table = table_of(model, ("uct", "random"))
    games = [play_number(model, table, FEW, 5, number) for number in range(4)]
    assert [game.players for game in games] == [("uct", "random"), ("random", "uct")] * 2
    assert [game.seed for game in games] == [5, 5, 6, 6]


def test_three_players_take_every_seat() -> None:
    table = table_of(model_of("gdl:chinesecheckers"), ("random", "uct", "uct(exploration=1)"))
    assert not table.alone
    for seat in range(3):
        assert len({seating[seat] for seating in table.seatings}) == 3


def test_where_goals_are_common_each_plays_alone_on_the_same_dice() -> None:
    model = model_of("gdl:matchingpennies")
    table = table_of(model, ("uct", "random"))
    assert table.alone
    games = [play_number(model, table, FEW, 1, number) for number in range(2)]
    assert [game.players for game in games] == [("uct", "uct"), ("random", "random")]
    assert games[0].seed == games[1].seed


@pytest.mark.parametrize("names", [("uct",), ("uct", "uct", "uct")])
def test_a_wrong_number_of_players_is_an_error(names: tuple[str, ...]) -> None:
    with pytest.raises(ArgumentError, match="expected 2: x, o play against each other"):
        table_of(model_of("gdl:tictactoe"), names)


def test_the_same_seed_gives_the_same_game() -> None:
    model = model_of("gdl:orchard:2,4,5")
    first, again = (play_game(model, ("uct",), FEW, seed=3) for _ in range(2))
    assert replace(first, seconds=(), cpu_seconds=()) == replace(again, seconds=(), cpu_seconds=())
    others = [play_game(model, ("uct",), FEW, seed=seed) for seed in range(4, 12)]
    assert any(
        replace(other, seconds=(), cpu_seconds=(), seed=3) != replace(first, seconds=(), cpu_seconds=())
        for other in others
    )


def test_dice_are_shared_by_all_games_of_a_round() -> None:
    """Orchard's dice do not depend on the player: two players who have no choice see the same throws."""
    model = model_of("gdl:orchard")
    assert model.chance is not None
    thrown = []
    for seat_name in ("random", "uct"):
        dice, position, faces = Dice(9), model.start(), []
        chooser = players.make_player(seat_name, model, model.seats[0], 1)
        for _ in range(12):
            outcomes = model.legal(position, model.chance)
            face = outcomes[dice.draw(len(outcomes))]
            legal = model.legal(position, model.seats[0])
            move = legal[0] if len(legal) == 1 else chooser.choose(position, FEW).move
            joint = {model.chance: face, model.seats[0]: move}
            position = model.play(position, [joint[role] for role in range(len(model.roles))])
            faces.append((len(outcomes), model.move_text(face)))
        thrown.append(faces)
    common = [one for one, other in zip(*thrown, strict=True) if one == other]
    assert len(common) >= 10


@given(st.integers(0, 1 << 60), st.lists(st.integers(1, 100), max_size=20), st.integers(1, 100))
def test_a_step_of_the_dice_does_not_depend_on_earlier_counts(seed: int, counts: list[int], last: int) -> None:
    one, other = Dice(seed), Dice(seed)
    for count in counts:
        assert 0 <= one.draw(count) < count
        other.draw(1)
    assert one.draw(last) == other.draw(last)


def test_scores_are_those_of_the_rules() -> None:
    record = play_game(model_of("gdl:tictactoe"), ("uct", "random"), Clock(simulations=300), seed=1)
    assert record.scores in {("1", "0"), ("1/2", "1/2")}
    assert record.simulations[0] > 0 == record.simulations[1]
    assert record.nodes[0] > 0
    assert not record.cut


def test_a_game_that_is_cut_is_a_draw() -> None:
    record = play_game(model_of("gdl:tictactoe"), ("random", "random"), FEW, seed=1, max_steps=3)
    assert record.cut
    assert record.scores == ("1/2", "1/2")
    assert record.steps == 3


@pytest.mark.usefixtures("odd_players")
def test_an_illegal_move_is_an_error_that_says_whose() -> None:
    with pytest.raises(PlayerError, match="cheats as o in step 2 played 10000, which is not legal"):
        play_game(model_of("gdl:tictactoe"), ("random", "cheats"), FEW, seed=1)


@pytest.mark.usefixtures("odd_players")
def test_what_a_player_raises_is_one_line() -> None:
    with pytest.raises(PlayerError, match=r"raises as x in step 1 raised ZeroDivisionError: nothing\\nis left"):
        play_game(model_of("gdl:tictactoe"), ("raises", "random"), FEW, seed=1)


def test_commas_in_parentheses_belong_to_a_player() -> None:
    assert read_players("a(x=1,y=2),b,c(z=3)") == ("a(x=1,y=2)", "b", "c(z=3)")


def test_match_counts_by_player_and_by_seat(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "gdl:tictactoe", "--players", "uct,random", "--games", "6", "--clock", "50sims", "--json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["clock"], told["seed"], told["kind"]) == (6, "50sims", 1, "against")
    first, second = told["players"]
    assert (first["player"], second["player"]) == ("uct", "random")
    assert first["wins"] == second["losses"] and first["draws"] == second["draws"]
    assert first["wins"] + first["draws"] + first["losses"] == 6
    low, high = first["interval"]
    assert 0 <= low <= first["score"] <= high <= 1
    assert first["simulations_per_second"] > 0 and first["nodes"] > 0
    assert [line["role"] for line in told["seats"]] == ["x", "o"]


def test_match_is_the_same_again(capsys: pytest.CaptureFixture[str]) -> None:
    def told() -> Any:
        arguments = ["--players", "uct,random", "--games", "4", "--clock", "9sims", "--json"]
        assert main(["match", "gdl:orchard:2,4,5", *arguments]) == 0
        found = json.loads(capsys.readouterr().out)
        for line in found["players"]:
            del line["seconds"], line["simulations_per_second"]
        return found

    assert told() == told()


def test_a_player_against_itself_has_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "gdl:tictactoe", "--players", "random,random", "--games", "20", "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["players"]
    assert first["wins"] == second["losses"] and first["wins"] + first["losses"] > 0


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--players", "utc,random"], "zermelo: unknown player 'utc': did you mean uct?"),
        (["--players", "uct"], "zermelo: 1 player, expected 2: x, o play against each other"),
        (
            ["--players", "uct,random", "--clock", "now"],
            "zermelo: 'now' is no clock, expected one like 1s, 250ms, cpu:250ms or 1000sims",
        ),
        (["--players", "uct,random", "--games", "0"], "zermelo: --games 0 is not in 1..10000000"),
        (["--players", "uct,random", "--remote", "random"], "zermelo: --remote means nothing with --players"),
        (["--games", "3"], "zermelo: --games means nothing without --players"),
        (["--players", "uct(speed=3),random"], "zermelo: uct has no setting 'speed', expected exploration or threads"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "gdl:tictactoe", *arguments]) == 2
    assert capsys.readouterr().err.strip() == line


@pytest.mark.usefixtures("odd_players")
def test_a_player_that_fails_does_not_lose_the_games_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "gdl:tictactoe", "--players", "cheats,random", "--games", "4", "--json"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "cheats as x in step 1 played 10000, which is not legal" in told.err
    assert main(["match", "gdl:nim:1", "--players", "random,cheats", "--games", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    assert main(["match", "gdl:nim:2", "--players", "random,cheats", "--games", "9", "--json", "--seed", "2"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["games"] > 0 and "which is not legal" in told.err


def test_ctrl_c_shows_the_games_so_far(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.arena import pool

    original, count = pool.play, 0

    def interrupted(task: Any) -> Any:
        nonlocal count
        count += 1
        if count == 4:
            raise KeyboardInterrupt
        return original(task)

    monkeypatch.setattr(pool, "play", interrupted)
    assert (
        main(["match", "gdl:tictactoe", "--players", "random,uct", "--clock", "9sims", "--games", "10", "--json"]) == 3
    )
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["games"], found["planned"]) == (3, 10)
    assert told.err.strip() == "zermelo: interrupted"
