"""Objects introduce themselves in one line, however much they hold."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from zermelo.brief import LONGEST, shown_in_brief
from zermelo.cgt import NimSequence, OctalCode, nimber, solve_sum, trees_of, value_of
from zermelo.cgt.values.value import options
from zermelo.games.graphfile import Graph
from zermelo.graph import GameGraph, graph_of
from zermelo.limits import Limits
from zermelo.qbf import Block, Circuit, Formula, FormulaGame, Functions
from zermelo.qip import Model, Objective, Program, Row, Variable
from zermelo.scsp import Chance, Network, Policy, Table, Utility
from zermelo.scsp import Variable as NetworkVariable
from zermelo.search.problem import problem_of
from zermelo.solving import ENGINES, KINDS, analyse_game
from zermelo.source import Source

LARGE = 3000
LAZY = ("zermelo", "zermelo.cgt", "zermelo.gdl", "zermelo.qbf", "zermelo.qip", "zermelo.scsp", "zermelo.solving")


def _formula(size: int) -> Formula:
    circuit = Circuit()
    literals = [circuit.variable() for _ in range(size)]
    output = circuit.conjunction(literals)
    blocks = tuple(Block("exists" if at % 2 else "forall", (literal // 2,)) for at, literal in enumerate(literals))
    return Formula(circuit, blocks, output, {literal // 2: f"variable{literal}" for literal in literals})


def _model(size: int) -> Model:
    model = Model("a model " * size)
    variables = [model.exists.binary(f"x{at}") for at in range(size)]
    model.add(sum(variables[1:], start=variables[0]) >= 1)
    return model


def _sheet(size: int) -> Any:
    from zermelo.gdl import read_rules

    facts = " ".join(f"(init (cell {at} {'(f ' * 20}x{')' * 20}))" for at in range(size))
    return read_rules(f"(role you) {facts} (legal you go) (<= terminal (true (cell 0 x))) (goal you {size % 100})")


def _network(size: int) -> Network:
    variables = tuple(NetworkVariable(f"v{at}", ("no", "yes"), stochastic=at % 2 == 1) for at in range(size))
    chances = tuple(Chance(at, (), {(): (Fraction(1, 2), Fraction(1, 2))}) for at in range(1, size, 2))
    return Network(1, variables, chances=chances)


def _game(size: int) -> zermelo.Game:
    return zermelo.make_game(f"nim:{','.join('1' for _ in range(min(size, 40)))}")


def _pile(size: int) -> zermelo.Game:
    class Pile(zermelo.Game):
        roles = tuple(f"role{at}" for at in range(size))

        def start(self) -> Any:
            return (size,)

        def turn(self, position: Any) -> Any:
            return self.roles[0]

        def moves(self, position: Any) -> Any:
            return list(range(1, position[0] + 1))

        def play(self, position: Any, move: Any) -> Any:
            return (position[0] - move,)

        def result(self, position: Any) -> Any:
            return None if position[0] else (0,) * size

    return Pile()


def _certificate(size: int) -> zermelo.Certificate:
    table = {f"position {at}": (f"move {at}", at) for at in range(size)}
    claim = zermelo.Claim("first", 10**size, table, after=("a move",) * size, starts="first")
    return zermelo.Certificate(f"nim:{size}" * size, (claim, claim))


def _solution(size: int) -> zermelo.Solution:
    return zermelo.solve("connect:4,3,3" if size > 9 else "nim:1")


MADE: dict[str, Callable[[int], Any]] = {
    "board": lambda size: zermelo.Board((("x",) * size,) * size),
    "certificate": _certificate,
    "claim": lambda size: _certificate(size).claims[0],
    "limits": lambda size: Limits(size, size << 40, size << 40),
    "options": lambda size: zermelo.Options(seed=size, simulations=size << 40, depth=size, verify=False, guess=False),
    "solution": _solution,
    "its certificate": lambda size: _solution(size).certificate,
    "its strategy": lambda size: _solution(size).strategy,
    "analysis": lambda size: analyse_game(zermelo.make_game("nim:2,2" if size < 9 else "nim:9,9,9")),
    "a move of it": lambda size: analyse_game(zermelo.make_game("nim:2,2")).moves[0],
    "library game": _game,
    "a game of a class": _pile,
    "game after moves": lambda size: _pile(size).at([1] * (size // 2)),
    "graph of a game": lambda size: graph_of(zermelo.make_game("nim:2,2" if size < 9 else "nim:9,9,9"), Limits()),
    "empty graph": lambda size: GameGraph(),
    "problem": lambda size: problem_of(
        zermelo.make_game("geography:random:3,1,1" if size < 9 else "nim:9,9,9"), Limits()
    ),
    "source": lambda size: Source("qcir", "text\n" * size, "name" * size),
    "circuit": lambda size: _formula(size).circuit,
    "formula": _formula,
    "formula's game": lambda size: FormulaGame(_formula(size)),
    "block": lambda size: Block("exists", tuple(range(size))),
    "functions": lambda size: Functions("exists", Circuit(), {}, dict.fromkeys(range(size), 1)),
    "model": _model,
    "program": lambda size: _model(size).program(),
    "row": lambda size: Row(tuple((at, Fraction(at + 1, 7)) for at in range(size)), "<=", Fraction(1, 3)),
    "huge row": lambda size: Row(((0, Fraction(1 << 20 * size)),), "<=", Fraction(1, 3)),
    "objective": lambda size: Objective("min", tuple((at, Fraction(1)) for at in range(size))),
    "variable": lambda size: Variable("x" * size),
    "expression": lambda size: sum(_model(size)._variables, start=_model(1).exists("y", 0, 1)),
    "program made at once": lambda size: Program(tuple(Variable(f"x{at}") for at in range(size))),
    "value": lambda size: options([nimber(min(size, 100))], [nimber(at) + 1 for at in range(min(size, 60))]),
    "thermograph": lambda size: value_of("{" * min(size, 50) + "1" + "|0}" * min(size, 50)).thermograph,
    "tree": lambda size: trees_of("{9|" * min(size, 150) + "1" + "}" * min(size, 150))[0],
    "sum answer": lambda size: solve_sum(trees_of(" + ".join(["{5|-5}"] * min(size, 30)))),
    "octal code": lambda size: OctalCode((0,) + (7,) * size),
    "nim sequence": lambda size: NimSequence(OctalCode((0,) + (7,) * size)),
    "network": _network,
    "table of a network": lambda size: Table((0, 1), frozenset((at, at) for at in range(size))),
    "utility": lambda size: Utility((0,), {(at,): (Fraction(1),) for at in range(size)}),
    "policy": lambda size: Policy({at: Policy({}) for at in range(size)}),
    "rulesheet": _sheet,
    "rule": lambda size: _sheet(size).rules[1],
    "kinds": lambda size: KINDS,
    "kind": lambda size: KINDS["game"],
    "format": lambda size: KINDS["formula"].formats[0],
    "engine": lambda size: ENGINES["pns"],
}


@pytest.mark.parametrize("size", [2, LARGE])
@pytest.mark.parametrize("name", MADE)
def test_an_object_introduces_itself_in_one_line(name: str, size: int) -> None:
    told = repr(MADE[name](size))
    assert 0 < len(told) <= LONGEST, told[:1000]
    assert "\n" not in told
    assert " object at 0x" not in told


@pytest.mark.parametrize("name", ["certificate", "claim", "limits", "options", "library game", "formula", "program"])
def test_what_is_printed_is_as_short(name: str) -> None:
    printed = str(MADE[name](2))
    assert len(printed) <= LONGEST


def test_a_certificate_tells_how_much_it_holds_and_not_what() -> None:
    assert repr(zermelo.solve("mnk:3,3,3").certificate) == "<Certificate: mnk:3,3,3, 2 claims, 365 moves>"


def test_a_claim_tells_what_it_promises() -> None:
    claim = zermelo.Claim("first", 1, {"a": ("b", 1)}, starts="first")
    assert repr(claim) == "<Claim: first gets at least 1 if first starts, 1 move>"


def test_options_tell_what_is_not_as_usual() -> None:
    assert repr(zermelo.Options()) == "Options()"
    assert repr(zermelo.Options(seed=3, verify=False)) == "Options(seed=3, verify=False)"


def test_a_game_tells_its_target_and_the_moves_made() -> None:
    game = zermelo.game_of("nim:3,4")
    assert repr(game) == "<Nim: nim:3,4>"
    assert repr(game.at([(0, 3)])) == "<Continued: nim:3,4, after 0,3>"


PICTURED = ("board", "solution", "library game", "formula", "formula's game", "network", "program", "rulesheet", "tree",
            "thermograph")  # fmt: skip


@pytest.mark.parametrize("thing", [*(MADE[name](2) for name in PICTURED), Graph(("a", "b"), ((1,), ()))], ids=repr)
def test_what_has_a_picture_shows_it_in_a_notebook(thing: Any) -> None:
    assert thing._repr_svg_().startswith("<svg")


def test_an_analysis_is_a_small_table_in_a_notebook() -> None:
    found = analyse_game(zermelo.make_game("nim:40,50"), limits=Limits(seconds=5))
    table = found._repr_html_()
    assert table.startswith("<table>")
    assert table.count("<tr>") == 31
    assert "first wins, proved" in table
    assert "and 60 moves more" in table


@pytest.mark.parametrize("name", LAZY)
def test_a_package_has_what_it_names_and_lists_it(name: str) -> None:
    package = importlib.import_module(name)
    assert set(package.__all__) <= set(dir(package))
    for each in package.__all__:
        assert getattr(package, each) is not None
    assert not hasattr(package, "no_such_name")


@pytest.mark.parametrize("name", LAZY[1:-1])
def test_the_docstring_of_a_room_teaches_by_an_example(name: str) -> None:
    docstring = importlib.import_module(name).__doc__ or ""
    assert ">>> " in docstring
    assert 8 <= docstring.count("\n") <= 40


SHOWN = ("_repr_svg_", "_repr_html_", "_repr_latex_")
PUBLIC = ("zermelo", "zermelo.cgt", "zermelo.cgt.go", "zermelo.gdl", "zermelo.qbf", "zermelo.qip", "zermelo.scsp")


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_class_shows_itself_in_a_notebook(name: str) -> None:
    package = importlib.import_module(name)
    exported = [getattr(package, word) for word in package.__all__]
    classes = [
        thing
        for thing in exported
        if isinstance(thing, type)
        and thing.__module__.startswith("zermelo")
        and not issubclass(thing, BaseException)
        and not getattr(thing, "_is_protocol", False)
    ]
    assert [one.__name__ for one in classes if not any(hasattr(one, way) for way in SHOWN)] == []


@pytest.mark.parametrize("size", [2, LARGE])
@pytest.mark.parametrize("name", MADE)
def test_a_table_in_a_notebook_is_small(name: str, size: int) -> None:
    thing = MADE[name](size)
    if getattr(type(thing), "_repr_html_", None) is shown_in_brief:
        table = thing._repr_html_()
        assert table.startswith("<table><caption>") and len(table) < 4000


def test_strategies_and_symbols_show_themselves_in_a_notebook() -> None:
    from zermelo.cgt import misere_game

    assert "by mirror" in zermelo.solve("nim:1,2").strategy._repr_html_()
    assert "<th>game</th>" in zermelo.solve("mnk:3,3,2").strategy._repr_html_()
    assert misere_game("*2 + *2").genus._repr_latex_() == "$0^{02}$"
    assert "<th>length</th><td>34</td>" in NimSequence(OctalCode.parse("0.07")).period()._repr_html_()
