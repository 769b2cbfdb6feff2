"""Networks whose edges may fail, as the checker reads and plays them."""

from __future__ import annotations

import pytest

from zermelo.check.read.dgr import NOTHING, FailingGame, FailingNetwork, read
from zermelo.errors import InputError
from zermelo.source import Source

DIAMOND = """travel s t
edge left s a
edge right s b
edge on a t
edge off b t
erase s left right
erase b off
exclude left right
"""


def network(text: str) -> FailingNetwork:
    return read(Source("dgr", text, "n.dgr"))


def game(text: str) -> FailingGame:
    found = network(text).game()
    assert isinstance(found, FailingGame)
    return found


def test_all_that_is_stated_is_in_the_text_that_tells_networks_apart() -> None:
    nodes, edges = '["s","t","a","b"]', '[["left",0,2],["right",0,3],["on",2,1],["off",3,1]]'
    assert network(DIAMOND).canonical() == f"[{nodes},{edges},0,1,[[0,1],[],[],[3]],[[0,1]]]"


def test_nodes_come_once_and_after_those_that_they_lead_to() -> None:
    order = network(DIAMOND).order
    assert sorted(order) == [0, 1, 2, 3] and order[0] == 1 and order[-1] == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("edge a s t", "n.dgr:1: nothing says where to go, expected one line: travel START TARGET"),
        ("travel s t\ntravel s t", "n.dgr:1: two lines that say where to go, expected one line: travel START TARGET"),
        ("\n travel s s", "n.dgr:2:11: the target is the start, expected two nodes"),
        ("travel s t\nedge a s t\nedge b t s", "n.dgr: edges lead in a circle, expected a graph without circles"),
        ("travel s t\nedge a s", "n.dgr:2:8: 2 words after edge, expected 3"),
        ("travel s t u", "n.dgr:1:12: 3 words after travel, expected 2"),
        ("travel s t\nedge", "n.dgr:2:1: 0 words after edge, expected 3"),
        ("travel s t\nedge a s t\nerase s", "n.dgr:3:7: 1 words after erase, expected 2"),
        ("travel s t\nedges a s t", "n.dgr:2:1: 'edges' begins no line, expected travel, edge, erase, exclude"),
        ("travel s t\nedge a- s t", "n.dgr:2:6: 'a-' is no name, expected letters, digits and underscores"),
        ("travel s t\nedge a s t\nedge a s t", "n.dgr:3:6: edge 'a' has a line already"),
        ("travel s t\nerase s a", "n.dgr:2:9: unknown edge 'a'"),
        ("travel s t\nedge a s t\nerase x a", "n.dgr:3:7: unknown node 'x'"),
        ("travel s t\nedge a s t\nerase s a a", "n.dgr:3:11: 'a' is there already, expected each edge once"),
        ("travel s t\nedge a s t\nerase s a\nerase s a", "n.dgr:4:9: 'a' is there already, expected each edge once"),
    ],
)
def test_what_states_no_network_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        network(text)
    assert str(caught.value) == said


def test_the_opponent_erases_one_after_the_other_then_the_traveller_goes_on() -> None:
    played = game(DIAMOND)
    first = played.start()
    assert (first, played.turn(first), played.moves(first)) == ((0, frozenset(), 0), "opponent", [0, 1, NOTHING])
    after = played.play(first, 0)
    assert (after, played.turn(after), played.moves(after)) == ((0, frozenset({0}), NOTHING), "traveller", [1])
    there = played.play(after, 1)
    assert (there, played.moves(there)) == ((3, frozenset(), 0), [3, NOTHING])
    stuck = played.play(there, 3)
    assert (stuck, played.moves(stuck), played.result(stuck)) == ((3, frozenset({3}), NOTHING), [], (-1, 1))
    through = played.play(played.play(there, NOTHING), 3)
    assert (through, played.result(through)) == ((1, frozenset(), NOTHING), (1, -1))
    assert [played.result(position) for position in (first, after, there)] == [None] * 3
    assert [played.move_text(move) for move in (0, 3, NOTHING)] == ["left", "off", "-"]


def test_nothing_is_erased_at_the_target_whatever_lies_beyond() -> None:
    played = game("travel s t\nedge a s t\nedge b t u\nerase t b")
    there = played.play(played.start(), 0)
    assert (there, played.result(there)) == ((1, frozenset(), NOTHING), (1, -1))


def test_what_failed_is_remembered_while_it_lies_ahead_or_keeps_another_edge_whole() -> None:
    text = "travel s t\nedge a s m\nedge b m t\nedge c m t\nerase s b\nerase m c\nexclude b c"
    played = game(text)
    kept = played.play(played.play(played.start(), 1), 0)
    assert (kept, played.moves(kept)) == ((2, frozenset({1}), NOTHING), [2])
    whole = played.play(played.play(played.start(), NOTHING), 0)
    assert (whole, played.moves(whole)) == ((2, frozenset(), 0), [2, NOTHING])
