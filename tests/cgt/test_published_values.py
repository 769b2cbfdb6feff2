"""Values from the literature: graphs, partizan subtraction, toads and frogs."""

from __future__ import annotations

import random

import pytest

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import positions_of
from zermelo.cgt.values.value import Value, nimber, number, value_of

# Nim-values of rows of one place and more; Guy and Smith, The G-values of various games, 1956.
DAWSON = [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4]


def worth(target: str) -> Value:
    return value_of_board(*positions_of(target))


def path(vertices: int) -> str:
    return ",".join(["v1", *(f"v{place}-v{place + 1}" for place in range(1, vertices))])


def cycle(vertices: int) -> str:
    return f"{path(vertices)},v{vertices}-v1"


def test_node_kayles_on_a_path_is_dawsons_chess() -> None:
    # Schaefer, On the complexity of some two-person perfect-information games, 1978; Bodlaender and Kratsch 2002.
    assert [worth(f"nodekayles:{path(length)}") for length in range(1, 34)] == [nimber(heap) for heap in DAWSON]


def test_node_kayles_on_a_cycle_is_one_move_and_then_a_path() -> None:
    for length in range(4, 21):
        assert worth(f"nodekayles:{cycle(length)}") == nimber(int(DAWSON[length - 4] == 0))


def test_arc_kayles_on_a_path_is_dawsons_kayles_by_its_edges() -> None:
    found = [worth(f"arckayles:{path(edges + 1)}") for edges in range(1, 34)]
    assert found == [nimber(heap) for heap in DAWSON]


def random_graph(rng: random.Random) -> str:
    names = "abcdefg"[: rng.randint(2, 7)]
    edges = [f"{a}-{b}" for a in names for b in names if a < b and rng.random() < 0.45]
    tints = [f"{name}:{rng.choice('xo')}" for name in names if rng.random() < 0.3]
    return ",".join([*names, *edges, *tints])


@pytest.mark.parametrize("seed", range(40))
def test_col_on_any_graph_is_a_number_or_a_number_and_a_star(seed: int) -> None:
    # Conway, On Numbers and Games, chapter 8.
    value = worth(f"graphcol:{random_graph(random.Random(seed))}")
    assert value.is_number or (value + nimber(1)).is_number


@pytest.mark.parametrize("game", ["col", "snort"])
def test_a_row_is_a_path_whose_ends_are_tinted_by_the_stones_beside_them(game: str) -> None:
    # A stone leaves its own colour to the cells beside it in snort, the other one in col.
    tint = {"x": "x", "o": "o"} if game == "snort" else {"x": "o", "o": "x"}
    for length in range(2, 9):
        assert worth(f"graph{game}:{path(length)}") == worth(f"{game}:1x{length}")
        for first, last in (("x", "x"), ("x", "o")):
            tinted = f"{path(length)},v1:{tint[first]},v{length}:{tint[last]}"
            assert worth(f"graph{game}:{tinted}") == worth(f"{game}:{first}{'.' * length}{last}")


@pytest.mark.parametrize("order", range(2, 8))
def test_snort_with_a_vertex_beside_all_others_is_a_switch(order: int) -> None:
    # Whoever takes that vertex keeps all the others for himself.
    star = ",".join(f"c-l{leaf}" for leaf in range(1, order))
    whole = ",".join(f"v{one}-v{other}" for one in range(order) for other in range(one))
    for graph in (star, whole):
        assert worth(f"graphsnort:{graph}") == value_of(f"+-{order - 1}")


def test_subtraction_of_one_against_two_has_period_three() -> None:
    # Fraenkel and Kotzig, Partizan octal games: partizan subtraction games, 1987: such sequences are periodic.
    period = [number(0), number(1), value_of("{1|0}")]
    assert [worth(f"partsub:1/2:{heap}") for heap in range(30)] == 10 * period


def test_subtraction_of_one_or_two_against_one_counts_ups() -> None:
    for heap in range(1, 15):
        ups = value_of(f"^{heap - 1}") if heap > 1 else number(0)
        assert worth(f"partsub:1,2/1:{heap}") == ups + nimber(heap % 2)


# Erickson, New toads and frogs results, Games of No Chance, 1996; Winning Ways, chapter 5.
@pytest.mark.parametrize("toads", range(1, 7))
def test_toads_before_one_gap_and_a_frog(toads: int) -> None:
    assert worth(f"toads:{'x' * toads}.o") == value_of(f"{{{{{toads - 2}|1}}|0}}")


@pytest.mark.parametrize("toads", range(2, 6))
@pytest.mark.parametrize("frogs", range(2, 6))
def test_toads_and_frogs_with_one_gap_are_a_star(toads: int, frogs: int) -> None:
    assert worth(f"toads:{'x' * toads}.{'o' * frogs}") == nimber(1)


@pytest.mark.parametrize("toads", range(1, 6))
@pytest.mark.parametrize("gaps", range(2, 6))
def test_toads_before_several_gaps_and_a_frog(toads: int, gaps: int) -> None:
    assert worth(f"toads:{'x' * toads}{'.' * gaps}o") == number((toads - 1) * (gaps - 1)) + nimber(gaps % 2)
