"""OpenSpiel both ways: its games as targets, and our games as its games."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from zermelo.errors import InputError, NotApplicableError, ZermeloError
from zermelo.games.open_spiel import SHOWN_WHOLE, OpenSpielGame
from zermelo.solving.targets import game_of

pyspiel = pytest.importorskip("pyspiel", reason="the package open_spiel is not installed")

SMALL = {
    "breakthrough": "(rows=4,columns=3)",
    "clobber": "(rows=3,columns=3)",
    "connect_four": "(rows=4,columns=4,x_in_row=3)",
    "dots_and_boxes": "(num_rows=2,num_cols=2)",
    "gomoku": "(size=4,connect=3)",
    "hex": "(board_size=3)",
    "mnk": "(m=3,n=4,k=3)",
    "nim": "(pile_sizes=2;3;4)",
    "y": "(board_size=4)",
}
"""Small ones, of which two lines often lead to one position."""
VALUES = {
    "tic_tac_toe": 0,
    "connect_four(rows=4,columns=4)": "connect:4,4,4",
    "connect_four(rows=4,columns=4,x_in_row=3)": "connect:4,4,3",
    "connect_four(rows=3,columns=4,x_in_row=3)": "connect:3,4,3",
    "connect_four(rows=3,columns=3,x_in_row=3)": "connect:3,3,3",
    "hex(board_size=2)": 1,
    "hex(board_size=3)": 1,
    "hex(num_cols=2,num_rows=3)": None,
    "mnk(m=3,n=3,k=3)": "mnk:3,3,3",
    "mnk(m=4,n=3,k=3)": "mnk:4,3,3",
    "mnk(m=2,n=3,k=2)": "mnk:2,3,2",
    "nim(pile_sizes=1;2;3,is_misere=False)": "nim:1,2,3",
    "nim(pile_sizes=3;4;5,is_misere=False)": "nim:3,4,5",
    "nim(pile_sizes=1;2;3)": -1,
    "nim(pile_sizes=1;1;1)": -1,
    "nim(pile_sizes=2;3;4)": 1,
    "y(board_size=2)": 1,
    "y(board_size=3)": 1,
    "dots_and_boxes(num_rows=1,num_cols=1)": -1,
    "dots_and_boxes(num_rows=1,num_cols=2)": None,
    "clobber(rows=2,columns=3)": None,
    "clobber(rows=2,columns=4)": None,
    "breakthrough(rows=4,columns=2)": "breakthrough:4,2",
    "matrix_rps": 0,
    "matrix_mp": 0,
    "catch(rows=4,columns=3)": 1,
    "goofspiel(num_cards=3,points_order=descending)": 0,
    "oshi_zumo(coins=3,size=1,horizon=4)": 0,
    "blotto(coins=4,fields=2)": 0,
    "cliff_walking(height=2,width=3,horizon=5)": -4,
    "go(board_size=2)": None,
    "gomoku(size=3,connect=3)": "tictactoe",
    "havannah(board_size=2)": None,
    "markov_soccer(horizon=2)": 0,
    "matrix_brps": 0,
    "matrix_coordination": 1,
    "matrix_rpsw": 0,
    "misere(game=tic_tac_toe())": 0,
    "zerosum(game=matrix_mp())": 0,
    "repeated_game(stage_game=matrix_mp(),num_repetitions=2)": 0,
}
"""Games with their values: as known, as the game of our library has it, or as plain minimax says (``None``)."""


def plain_value(state: Any) -> float:
    """The first player's score by plain minimax over histories, asking OpenSpiel alone."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_chance_node():
        return sum(chance * plain_value(state.child(action)) for action, chance in state.chance_outcomes())
    best = max if state.current_player() == 0 else min
    return best(plain_value(state.child(action)) for action in state.legal_actions())


def test_at_least_twenty_five_of_its_games_are_among_them() -> None:
    assert len({name.partition("(")[0] for name in VALUES}) >= 25


@pytest.mark.parametrize("name", VALUES)
def test_a_game_of_openspiel_has_its_known_value(name: str) -> None:
    known = VALUES[name]
    if known is None:
        known = plain_value(pyspiel.load_game(name).new_initial_state())
    elif isinstance(known, str):
        known = zermelo.solve(known).value
    assert zermelo.solve(f"open_spiel:{name}").value == Fraction(known)


def test_what_is_proved_of_a_game_of_openspiel_is_checked() -> None:
    assert zermelo.solve("open_spiel:mnk(m=2,n=3,k=2)").verified
    assert zermelo.solve("open_spiel:catch(rows=3,columns=3)").verified


def _known_by(state: Any) -> tuple[Any, ...]:
    return (str(state), int(state.current_player()), tuple(state.returns()))


def _walk(state: Any, rng: random.Random) -> Any:
    while not state.is_terminal():
        yield state.clone()
        actions = state.legal_actions()
        state.apply_action(rng.choice(actions[:2] if rng.random() < 0.5 else actions))


@pytest.mark.parametrize("name", sorted(SHOWN_WHOLE))
def test_lines_that_lead_to_one_position_have_one_future(name: str) -> None:
    rng = random.Random(5)
    game = pyspiel.load_game(name + SMALL.get(name, ""))
    reached: dict[Any, dict[tuple[int, ...], Any]] = defaultdict(dict)
    for _ in range(60):
        for state in _walk(game.new_initial_state(), rng):
            reached[_known_by(state)][tuple(state.history())] = state
    pairs = [list(states.values())[:2] for states in reached.values() if len(states) > 1]
    for one, other in rng.sample(pairs, min(40, len(pairs))):
        while not one.is_terminal():
            assert _known_by(one) == _known_by(other) and one.legal_actions() == other.legal_actions()
            action = rng.choice(one.legal_actions())
            one.apply_action(action)
            other.apply_action(action)
        assert other.is_terminal() and one.returns() == other.returns()


def test_a_game_that_hides_something_tells_positions_apart_by_their_history() -> None:
    game = OpenSpielGame("oshi_zumo(coins=3,size=1,horizon=4)")
    start = game.start()
    assert not game.shown_whole and game.play(start, game.moves(start)[0]) != start


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("kuhn_poker", NotApplicableError, "does not see everything"),
        ("no_such_game", InputError, "no game 'no_such_game'"),
        ("connect_four(no_such_thing=1)", ZermeloError, "no_such_thing"),
        ("mfg_garnet", NotApplicableError, "a crowd"),
        ("nfg_game", InputError, "without parameters that it needs"),
    ],
)
def test_what_cannot_be_solved_is_refused(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        game_of(f"open_spiel:{name}")


@pytest.mark.parametrize("target", ["nim:1,2,3", "mnk:2,3,2", "examples/toss.efg", "subtraction:7;1,2,3"])
def test_our_game_has_the_same_value_as_a_game_of_openspiel(target: str) -> None:
    from zermelo.bridges.open_spiel import game

    assert plain_value(game(target).new_initial_state()) == zermelo.solve(target).value


def test_our_games_play_openspiels_way_at_random() -> None:
    from zermelo.bridges.open_spiel import game

    rng = random.Random(1)
    for target in ("connect:6,7,4", "examples/toss.efg", "gdl:tictactoe", "examples/pennies.nfg"):
        ours = game(target)
        state = ours.new_initial_state()
        while not state.is_terminal():
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(ours.num_players())])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            assert str(state.clone()) == str(state)
        assert len(state.returns()) == ours.num_players()


def test_openspiel_searches_our_games() -> None:
    from open_spiel.python.algorithms import minimax

    from zermelo.bridges.open_spiel import register

    register()
    register()
    value, _ = minimax.alpha_beta_search(pyspiel.load_game("zermelo", {"target": "nim:3;4;5"}))
    assert value == 1
