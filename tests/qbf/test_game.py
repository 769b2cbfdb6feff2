"""A formula as a game: play, texts, and what is left of it on the way."""

from __future__ import annotations

from random import Random

from tests.qbf.bruteforce import brute_functions
from tests.qbf.randomformulas import random_formula
from zermelo import solve
from zermelo.game import play_line
from zermelo.options import Options
from zermelo.qbf.circuit import Circuit
from zermelo.qbf.formula import Block, Formula, truth
from zermelo.qbf.game import FormulaGame, restricted
from zermelo.qbf.qcir import parse_qcir

NESTED = """#QCIR-G14
free(f)
forall(x)
output(g)
g = and(f, h)
h = exists(y; d)
d = xor(x, y)
"""


def test_the_search_for_games_finds_who_wins_a_formula() -> None:
    options = Options(move_values=False)
    for seed in range(30):
        formula = random_formula(Random(seed))
        for engine in ("dp", "alphabeta", "pns"):
            solution = solve(FormulaGame(formula), engine, options=options)
            assert solution.winner == ("exists" if truth(formula) else "forall")
            assert solution.verified


def test_free_variables_are_chosen_first_and_quantified_gates_where_they_must() -> None:
    game = FormulaGame(parse_qcir(NESTED))
    assert [game.formula.name(variable) for variable in game.order] == ["f", "x", "y"]
    assert [game.quantifiers[variable] for variable in game.order] == ["exists", "forall", "exists"]
    assert game.written.free
    assert game.result(play_line(game, [game.order[0] * 2, game.order[1] * 2, game.order[2] * 2 + 1])) == (1, -1)


def test_moves_are_written_and_read_as_name_and_value() -> None:
    game = FormulaGame(parse_qcir(NESTED))
    position = game.start()
    for text in ("f=1", "x=0", "y=1"):
        position = game.play(position, game.parse_move(position, text))
    assert game.key(position) == "101"
    assert game.text(position).splitlines() == [
        "exists  f=1", "forall  x=0", "exists  y=1", "the formula is true",
    ]  # fmt: skip
    assert "<svg" in game.svg(position)


def test_a_long_prefix_is_shown_around_the_next_choice() -> None:
    circuit = Circuit()
    variables = [circuit.variable() >> 1 for _ in range(1000)]
    prefix = tuple(Block(("exists", "forall")[i % 2], (variable,)) for i, variable in enumerate(variables))
    game = FormulaGame(Formula(circuit, prefix, 2 * variables[-1]))
    shown = game.text(b"\x01" * 500)
    assert len(shown.splitlines()) < 50
    assert f"v{variables[500]}=?" in shown
    assert len(game.text(b"").splitlines()) < 50


def test_putting_values_in_leaves_the_formula_of_the_rest() -> None:
    for seed in range(100):
        formula = random_formula(Random(seed))
        first = formula.prefix[0]
        values = [truth(restricted(formula, {first.variables[0]: value})[0]) for value in (False, True)]
        assert (any(values) if first.quantifier == "exists" else all(values)) == truth(formula)


def test_a_game_taken_up_on_the_way_has_the_same_moves_and_its_own_strategy() -> None:
    for seed in range(40):
        chance = Random(seed)
        formula = random_formula(chance, variables=6)
        whole = FormulaGame(formula)
        given = bytes(chance.getrandbits(1) for _ in range(chance.randrange(len(whole.order) + 1)))
        game = FormulaGame(formula, given)
        solution = solve(game)
        rest, _ = game.remaining
        assert solution.winner == ("exists" if truth(rest) else "forall")
        assert solution.verified
        position = game.start()
        while game.result(position) is None:
            moves = whole.moves(position)
            own = game.turn(position) == solution.winner
            strategy = solution.strategy
            assert strategy is not None
            position = game.play(position, strategy(position) if own else chance.choice(moves))
        scores = game.result(position)
        assert scores is not None
        assert scores[game.roles.index(solution.winner or "")] == 1


def test_brute_force_and_the_game_agree_on_every_end() -> None:
    formula = random_formula(Random(5), variables=5)
    answer = brute_functions(formula)
    assert solve(FormulaGame(formula), "minimax").value == (1 if answer.value else -1)


def test_a_quantified_gate_that_nothing_uses_does_not_disturb_play() -> None:
    game = FormulaGame(parse_qcir("exists(x)\nforall(z)\noutput(k)\ng = exists(y; h)\nh = and(x, y)\nk = or(x, z)"))
    assert [game.formula.name(variable) for variable in game.order] == ["x", "z"]
    solution = solve(game, "alphabeta")
    assert solution.winner == "exists" and solution.verified
