"""Sums: terms in brackets and boards of any ruleset, with values, thermographs, bounds and best moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from zermelo.cgt.boards.board_value import value_of_board
from zermelo.cgt.boards.ruleset import SIDES, Side, is_ruleset, positions_of
from zermelo.cgt.engines import score_facts
from zermelo.cgt.game import BoardSum
from zermelo.cgt.scores.bounds import Bounds, hanner, milnor, second_temperature, thermostatic
from zermelo.cgt.scores.naming import LONGEST_KEY, option_names, shown, text_length, written_out
from zermelo.cgt.scores.scored import Tree, trees_of, written
from zermelo.cgt.scores.sums import Played, solve_sum
from zermelo.cgt.text.printing import text
from zermelo.cgt.thermographs.thermograph import sum_thermograph
from zermelo.cgt.values.arena import controlled
from zermelo.cgt.values.value import Value, value_of
from zermelo.errors import InputError, LimitReachedError
from zermelo.kernel_thread import control_for
from zermelo.limits import Limits
from zermelo.picturing import picture
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_TERMS: Final = 30
LONGEST_VALUE: Final = 400
METHODS: Final = {
    "Milnor": milnor,
    "Hanner": hanner,
    "second temperature": second_temperature,
    "best tax": thermostatic,
}
"""The bounds of Yedwab's thesis, which need no search."""


def sum(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """Each term and the whole: value, mean, temperature and thermograph; scores, best moves and bounds."""
    del desk, emit
    terms = asked.get("terms")
    if not isinstance(terms, list) or not 1 <= len(terms) <= MOST_TERMS or not all(isinstance(t, str) for t in terms):
        raise InputError(f'"terms" is not a list of one to {MOST_TERMS} texts')
    told, trees, owners = [], list[Tree](), list[int]()
    for number, term in enumerate(terms):
        try:
            found, facts = _term(term.strip(), limits)
        except InputError as error:
            raise InputError(f"term {number + 1}: {error.message}") from None
        told.append(facts)
        trees += found
        owners += [number] * len(found)
    answer = solve_sum(trees, limits.part(3.0))
    return {
        "terms": told,
        "whole": _value_facts(trees, limits),
        "play": _played_as([term.strip() for term in terms], trees),
        "scores": score_facts(answer),
        "best": {
            "left": _move(answer.left_first, trees, owners, "left"),
            "right": _move(answer.right_first, trees, owners, "right"),
        },
        "bounds": [
            {"method": name, "starts": side, **_bounds(find(trees, side))}
            for side in SIDES
            for name, find in METHODS.items()
        ],
    }


def _played_as(terms: Sequence[str], trees: Sequence[Tree]) -> str:
    """The target that is the sum: boards as boards, brackets after them; brackets alone are played for a score.

    >>> _played_as(["toads:x.o", "toads:xx.oo"], ())
    'toads:x.o+xx.oo'
    >>> _played_as(["+-1", "toads:x.o", "clobber:xo"], ())
    'toads:x.o + clobber:xo + (+-1)'
    """
    boards = [term for term in terms if is_ruleset(term.partition(":")[0])]
    names = {term.partition(":")[0] for term in boards}
    if not boards and all(text_length(tree) <= LONGEST_KEY for tree in trees):
        return " + ".join(written(tree) for tree in trees)
    if len(names) == 1 and len(boards) == len(terms):
        return f"{names.pop()}:{'+'.join(term.partition(':')[2] for term in boards)}"
    return " + ".join([*boards, *(f"({term})" for term in terms if term not in boards)])


def _term(term: str, limits: Limits) -> tuple[list[Tree], dict[str, Any]]:
    """The trees of a term, and what is told of it."""
    if not term:
        raise InputError("the term is empty")
    if is_ruleset(term.partition(":")[0]):
        rules, positions = positions_of(term)
        with controlled(control_for(limits)):
            value = value_of_board(rules, tuple(positions), limits)
        trees = trees_of(text(value))
        facts = _value_facts(trees, limits, value)
        return trees, facts | {"text": term, "svg": picture(BoardSum(rules, positions, term)).svg}
    trees = trees_of(term)
    return trees, _value_facts(trees, limits) | {"text": term, "svg": None}


def _value_facts(trees: Sequence[Tree], limits: Limits, value: Value | None = None) -> dict[str, Any]:
    """Value, outcome, mean, temperature and thermograph, as far as they can be worked out in a moment."""
    facts: dict[str, Any] = {"value": None, "outcome": None, "mean": None, "temperature": None, "thermograph": None}
    try:
        shape = sum_thermograph(trees)
        facts |= {"mean": str(shape.mean), "temperature": str(shape.temperature), "thermograph": shape.to_json()}
        if value is None:
            with controlled(control_for(limits.part(1.0))):
                value = value_of(" + ".join(map(written_out, trees)))
        printed = str(value)
        facts |= {"value": printed if len(printed) <= LONGEST_VALUE else None, "outcome": value.outcome}
    except (LimitReachedError, InputError):
        pass  # what is not known is left open
    return facts


def _move(played: Played, trees: Sequence[Tree], owners: Sequence[int], side: Side) -> dict[str, Any] | None:
    """The best move of who starts: in which term, and what it makes of it."""
    if played.move is None:
        return None
    component, option = played.move.component, played.move.option
    options = trees[component].left if side == "left" else trees[component].right
    return {
        "term": owners[component],
        "to": shown(option),
        "move": option_names(component, options)[options.index(option)],
        "sente": played.move.sente,
        "side": side,
    }


def _bounds(found: Bounds) -> dict[str, str]:
    return {"lower": str(found.lower.value), "upper": str(found.upper.value), "tax": str(found.lower.t)}
