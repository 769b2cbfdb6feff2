"""Plans: what they may say, and where they say something wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.arena.plan import Sprt, _Reader, plan_of, read_plan
from zermelo.errors import InputError

PAIR = '[[pairing]]\ngame = "gdl:nim"\nplayers = ["uct", "random"]\n'


def test_an_entry_stands_for_all_its_games_clocks_and_players() -> None:
    plan = plan_of("""
[[pairing]]
game = ["gdl:nim", "gdl:tictactoe"]
clock = ["1s", "10sims"]
players = [["uct", "random"], ["uct(exploration=1)", "uct"]]
""")
    assert len(plan.pairings) == len({pairing.key for pairing in plan.pairings}) == 8
    assert str(plan.pairings[0].clock) == "1s"


def test_defaults_hold_where_a_pairing_says_nothing() -> None:
    first, second = plan_of(
        f"[defaults]\nclock = '7sims'\nseed = 5\nsprt = {{elo1 = 30}}\n{PAIR}{PAIR}seed = 6\ngames = 12\n"
    ).pairings
    assert (str(first.clock), first.seed, first.sprt) == ("7sims", 5, Sprt(elo1=30.0))
    assert (second.seed, second.sprt, second.games) == (6, None, 12)


def test_the_key_of_a_pairing_does_not_depend_on_how_many_games_are_wanted() -> None:
    few, many, other = (plan_of(PAIR + more).pairings[0] for more in ("games = 1", "games = 2", "seed = 2"))
    assert few.key == many.key != other.key


def test_a_rulesheet_beside_the_plan_is_part_of_the_key(tmp_path: Path) -> None:
    rules = "(role a) (role b) (init p) (legal a {0}) (legal b {0}) (<= terminal (not (true p))) (goal a 1) (goal b 1)"
    (tmp_path / "plan.toml").write_text(PAIR.replace("gdl:nim", "own.kif"), encoding="utf-8")
    keys = set()
    for move in ("go", "run"):
        (tmp_path / "own.kif").write_text(rules.format(move), encoding="utf-8")
        [pairing] = read_plan(tmp_path / "plan.toml").pairings
        assert (pairing.game, pairing.text) == ("own.kif", rules.format(move))
        keys.add(pairing.key)
    assert len(keys) == 2


def test_the_store_lies_beside_the_plan(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(PAIR, encoding="utf-8")
    assert read_plan(path).store == tmp_path / "cup.sqlite"
    path.write_text(f'store = "all.db"\n{PAIR}', encoding="utf-8")
    assert read_plan(path).store == tmp_path / "all.db"


def test_a_part_has_its_own_pairings() -> None:
    text = f'{PAIR}games = 4\n{PAIR}games = 5000\npart = "full"\n'
    assert [pairing.games for pairing in plan_of(text).pairings] == [4]
    assert [pairing.games for pairing in plan_of(text, part="full").pairings] == [5000]
    with pytest.raises(InputError, match="no pairing of part 'whole', expected full"):
        plan_of(text, part="whole")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "p.toml:1:1: no pairing, expected at least one [[pairing]]"),
        ("[[pairing]\n", "p.toml:1:10: expected "),
        ("pairing = 3\n", "p.toml:1:1: 3, expected tables [[pairing]]"),
        (f"{PAIR}clok = '1s'\n", "p.toml:4:1: unknown key 'clok': did you mean clock?"),
        (
            f"{PAIR}clock = 'soon'\n",
            "p.toml:4:1: 'soon' is no clock, expected one like 1s, 250ms, cpu:250ms or 1000sims",
        ),
        (f"{PAIR}clock = 3\n", "p.toml:4:1: 3, expected a clock such as 1s or 1000sims, or a list of them"),
        (f"{PAIR}games = 0\n", "p.toml:4:1: 0, expected a whole number from 1 to 10000000"),
        (f"{PAIR}games = true\n", "p.toml:4:1: true, expected a whole number from 1 to 10000000"),
        (f"{PAIR}games = 3\nsprt = {{}}\n", "p.toml:5:1: both games and sprt, expected one of them"),
        (f"{PAIR}sprt = {{elo3 = 1}}\n", "p.toml:4:9: unknown key 'elo3': did you mean elo1?"),
        (f"{PAIR}sprt = {{elo1 = -1}}\n", "p.toml:4:1: elo0 = 0 and elo1 = -1, expected elo0 < elo1"),
        (f"{PAIR}sprt = {{games = 5, least = 6}}\n", "p.toml:4:1: 6, expected a whole number from 1 to 5"),
        (f"{PAIR}sprt = {{alpha = 2}}\n", "p.toml:4:1: expected alpha and beta between 0 and 0.5"),
        (f"{PAIR}sprt = 'yes'\n", 'p.toml:4:1: "yes", expected a table such as {elo0 = 0, elo1 = 20}'),
        (f"{PAIR}{PAIR}", "p.toml:5:1: gdl:nim: uct, random, 0.1s is already in the plan"),
        ('[[pairing]]\ngame = "gdl:nim"\n', "p.toml:1:1: no players, expected a list such as [\"uct\", \"random\"]"),
        (PAIR.replace("random", "rnd"), "p.toml:3:1: unknown player 'rnd': did you mean random?"),
        (PAIR.replace("gdl:nim", "no.kif"), "p.toml:2:1: no.kif: no such file"),
        ('[defaults]\nclock = 1\n' + PAIR, "p.toml:2:1: 1, expected a clock"),
        (PAIR.replace("random", "uct") + "sprt = {}\n", "p.toml:4:1: a test of one player, expected another"),
        ("x = " + "[" * 9999, "p.toml: lists and tables are nested too deeply"),
        (f"{PAIR}seed = {'9' * 5000}\n", "p.toml:"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_place(text: str, line: str) -> None:
    with pytest.raises(InputError) as told:
        plan_of(text, "p.toml")
    assert str(told.value).startswith(line)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["1s", "gdl:nim", "uct"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["elo0", "games", "x"]), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["game", "players", "clock", "games", "sprt", "seed", "max_steps", "label", "part"])


@given(st.dictionaries(KEYS, VALUES), st.dictionaries(KEYS, VALUES))
def test_whatever_a_plan_holds_it_is_read_or_refused(pairing: dict[str, Any], defaults: dict[str, Any]) -> None:
    try:
        plan = _Reader("", "p.toml").plan({"pairing": [pairing], "defaults": defaults})
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert plan.pairings
