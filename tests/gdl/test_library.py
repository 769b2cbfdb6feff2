"""One suite that every rulesheet of the library passes: valid, playable, ends, has the scores it should have."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from zermelo.errors import ArgumentError, UnknownGameError
from zermelo.gdl.explore import explore_rules
from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet, rulesheet_entry, rulesheet_names, rulesheet_text
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.gdl.validate import check_rules
from zermelo.limits import Limits

GOLDEN = Path(__file__).parent / "golden"
NAMES = rulesheet_names()
SIZES = [
    ("tictactoe", "4,3,3"),
    ("tictactoe", "1,5,3"),
    ("tictactoe", "4,2,3"),
    ("polyomino", "3,4,tippy"),
    ("polyomino", "1,5,tic"),
    ("gomoku", "7"),
    ("connectfour", "4,4,3"),
    ("connectfour", "4,2,3"),
    ("breakthrough", "4,4"),
    ("breakthrough", "6,3"),
    ("breakthrough", "4,3,2"),
    ("hex", "2"),
    ("hex", "5"),
    ("dotsandboxes", "1,2"),
    ("dotsandboxes", "3,2"),
    ("nim", "1"),
    ("nim", "2,7,1,3"),
    ("orchard", "1,1,1"),
    ("orchard", "2,3,4"),
    ("yahtzee", "1"),
    ("geography", "random:8,2,1"),
    ("chess", "8/8/8/8/8/k7/p7/K7 w - - 0 1"),
]
DEFAULTS = [
    ("tictactoe", "3,3,3"),
    ("polyomino", "4,4,elly"),
    ("gomoku", "15"),
    ("connectfour", "6,7,4"),
    ("breakthrough", "8,8"),
    ("hex", "9"),
    ("dotsandboxes", "2,2"),
    ("nim", "3,4,5"),
    ("orchard", "4,10,9"),
    ("yahtzee", "2"),
]
# Where what one wins the other loses.
ZERO_SUM = {
    "amazons",
    "backgammon",
    "bomberman",
    "breakthrough",
    "cantstop",
    "checkers",
    "chess",
    "connectfour",
    "dotsandboxes",
    "geography",
    "gomoku",
    "hex",
    "kaseklau",
    "nim",
    "othello",
    "oware",
    "pickomino",
    "polyomino",
    "tictactoe",
    "yahtzee",
}


@pytest.mark.parametrize("name", NAMES)
def test_the_header_says_what_the_game_is(name: str) -> None:
    entry = rulesheet_entry(name)
    assert entry.name == name
    assert entry.title and entry.summary and entry.variant and entry.golden
    game = ground(rulesheet(name))
    assert (entry.roles, entry.facts, entry.moves) == (game.roles, len(game.fluents), len(game.moves))


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_to_be_said_against_the_rules(name: str) -> None:
    assert [str(finding) for finding in check_rules(rulesheet(name))] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_walk_by_the_plain_rules_finds_nothing_to_warn_of(name: str) -> None:
    assert [str(finding) for finding in explore_rules(rulesheet(name), Limits(nodes=25))] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_goal_falls_along_a_whole_game(name: str) -> None:
    game = ground(rulesheet(name))
    chance, state = Random(3), game.start()
    before = [0] * len(game.roles)
    while True:
        goals = [int(game.goals(state, role)[0]) if role != RANDOM else 0 for role in game.roles]
        assert all(now >= then for now, then in zip(goals, before, strict=True))
        if game.terminal(state):
            break
        before = goals
        state = game.next(state, [chance.choice(game.legal(state, role)) for role in game.roles])


@pytest.mark.parametrize("name", NAMES)
def test_lines_fit_on_a_screen(name: str) -> None:
    text = rulesheet_text(name)
    assert max(map(len, text.splitlines())) <= 125
    assert "\t" not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_random_line_ends_with_one_score_for_each_role(name: str) -> None:
    goals = play_to_the_end(Reasoner(rulesheet(name)), Random(5))
    assert name not in ZERO_SUM or sum(goals) == 100


@pytest.mark.parametrize("name", NAMES)
def test_the_ground_game_says_what_the_plain_reasoner_says(name: str) -> None:
    plain, rng = Reasoner(rulesheet(name)), Random(6)
    game = ground(plain.sheet)
    state = plain.start()
    assert game.start() == state
    for _ in range(40):
        goals = [plain.goals(state, role) for role in plain.roles]
        assert (plain.terminal(state), goals) == (
            game.terminal(state),
            [game.goals(state, role) for role in game.roles],
        )
        if plain.terminal(state):
            break
        legal = [plain.legal(state, role) for role in plain.roles]
        assert legal == [game.legal(state, role) for role in game.roles]
        joint = [rng.choice(moves) for moves in legal]
        assert [plain.sees(state, joint, role) for role in plain.roles] == [
            game.sees(state, joint, role) for role in game.roles
        ]
        after = plain.next(state, joint)
        assert game.next(state, joint) == after
        state = after


@pytest.mark.parametrize(("name", "arguments"), SIZES)
def test_other_sizes_are_sound_as_well(name: str, arguments: str) -> None:
    sheet = rulesheet(name, arguments)
    assert [str(finding) for finding in check_rules(sheet)] == []
    for seed in range(3):
        play_to_the_end(Reasoner(sheet), Random(seed))


@pytest.mark.parametrize(("name", "arguments"), DEFAULTS)
def test_the_arguments_of_the_file_make_the_file(name: str, arguments: str) -> None:
    assert rulesheet(name, arguments).rules == rulesheet(name).rules


@pytest.mark.parametrize("name", NAMES)
def test_the_golden_line_is_played_as_recorded(name: str) -> None:
    golden = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    assert golden["rulesheet"] == name
    reasoner = Reasoner(rulesheet(name))
    state = reasoner.start()
    for step in golden["line"]:
        assert not reasoner.terminal(state)
        legal = [reasoner.legal(state, role) for role in reasoner.roles]
        assert [len(moves) for moves in legal] == step["legal"]
        assert all(move in moves for move, moves in zip(step["move"], legal, strict=True))
        state = reasoner.next(state, step["move"])
    assert reasoner.terminal(state)
    assert [reasoner.goals(state, role) for role in players(reasoner)] == [[str(value)] for value in golden["goal"]]


def test_a_generated_sheet_says_which_variant_it_is() -> None:
    assert "; variant: 4 rows, 5 columns, 3 in a line" in rulesheet_text("connectfour", "4,5,3")


def test_a_bound_on_the_rounds_of_geography_ends_play(tmp_path: Path) -> None:
    graph = tmp_path / "line.graph"
    graph.write_text("2\n0 1\n1 2\n2 3\n3 4\n4\n", encoding="utf-8")
    reasoner = Reasoner(rulesheet("geography", str(graph)))
    state = reasoner.next(reasoner.start(), ("(go 1)", "noop"))
    state = reasoner.next(state, ("noop", "(go 2)"))
    assert reasoner.terminal(state)
    assert reasoner.goals(state, "second") == ["100"]


def test_nodes_whose_names_are_no_words_of_kif_are_numbered(tmp_path: Path) -> None:
    graph = tmp_path / "odd.graph"
    graph.write_text("?a (b\n(b c)\n", encoding="utf-8")
    reasoner = Reasoner(rulesheet("geography", str(graph)))
    assert reasoner.legal(reasoner.start(), "first") == ["(go n0)"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("tictactoe", "3,x", "gdl:tictactoe:3,x:1:17: 'x' is not a whole number, expected gdl:tictactoe:M,N,K"),
        ("tictactoe", "3,3,4", "gdl:tictactoe:3,3,4:1:19: 4 in a row on 3 x 3, expected 2..3"),
        (
            "connectfour",
            "1,4,3",
            "gdl:connectfour:1,4,3:1:17: 1 row, expected 2 or more: on one row it is gdl:tictactoe:1,N,K",
        ),
        ("oware", "7", "gdl:oware:7:1:11: no arguments expected: gdl:oware"),
        ("hex", "1", "gdl:hex:1:1:9: 1 is not in 2..100, expected gdl:hex:N"),
        ("breakthrough", "5,5,3", "gdl:breakthrough:5,5,3:1:22: 3 rows of pawns a side on 5 rows, expected 1..2"),
        ("polyomino", "2,2,elly", "gdl:polyomino:2,2,elly:1:15: elly does not fit on 2 x 2"),
    ],
)
def test_wrong_arguments_are_pointed_at(name: str, arguments: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        rulesheet(name, arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "8/8/8/8/8/8/8/8 w - -",
        "4k3/8/8/8/8/8/8/4K2P w - -",
        "4k3/8/8/8/8/8/8/4K3 w K -",
        "4k3/8/8/8/8/8/8/4K3 x - -",
        "4k3/8/8/8/8/8/8/4K3 w - e6",
        "4k3/9/8/8/8/8/8/4K3 w - -",
    ],
)
def test_positions_that_are_none_are_refused(fen: str) -> None:
    with pytest.raises(ArgumentError, match="expected a position such as"):
        rulesheet("chess", fen or " ")


def test_an_unknown_rulesheet_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownGameError, match="did you mean othello"):
        rulesheet("otello")


def players(reasoner: Reasoner) -> list[str]:
    """The roles that have scores: chance has none."""
    return [role for role in reasoner.roles if role != RANDOM]


def play_to_the_end(reasoner: Reasoner, rng: Random, longest: int = 3000) -> list[int]:
    """The scores at the end of a line of random moves, with a look at what must hold on the way and there."""
    state = reasoner.start()
    for _ in range(longest):
        if reasoner.terminal(state):
            break
        legal = [reasoner.legal(state, role) for role in reasoner.roles]
        assert all(legal)
        state = reasoner.next(state, [rng.choice(moves) for moves in legal])
    assert reasoner.terminal(state)
    goals = [reasoner.goals(state, role) for role in players(reasoner)]
    assert all(len(values) == 1 and 0 <= int(values[0]) <= 100 for values in goals)
    return [int(values[0]) for values in goals]
