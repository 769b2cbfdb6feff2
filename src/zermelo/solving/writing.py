"""A game, a formula or a program written in another form, for other tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any, Final

from zermelo.errors import InputError, need
from zermelo.game import Game
from zermelo.kind import Writing
from zermelo.limits import Limits, need_limits, reading_under
from zermelo.solving.tables import kind_of
from zermelo.solving.targets import game_of
from zermelo.taking_up import taken_up
from zermelo.watchdog import deadline

FORMS: Final = ("graph", "qcir", "qdimacs", "qlp", "lp", "mps", "sum", "network", "xcsp", "efg", "nfg")
"""What a game can be turned into; not every game into all of them."""
_COMMENT: Final = {"qlp": "//", "lp": "\\", "mps": "*"}
_SAMPLED: Final = "the longest of some random games took {} plies: longer ones count as not won"


def encoded(
    game: object,
    to: str,
    limits: Limits | None = None,
    *,
    horizon: int | None = None,
    goal: str | None = None,
    encoding: str | None = None,
    kind: str | None = None,
    after: str | Sequence[Any] = (),
) -> str:
    """The text of a game in another form: one of ``FORMS``.

    The game is stated as for :func:`zermelo.solve`; the other words mean what they mean to ``zermelo encode``.

    >>> print(encoded("nim:1", "qcir"))
    #QCIR-G14
    # nim:1: first (exists) gets at least 1 within 1 plies, against second (forall)
    ...
    """
    limits = need_limits(limits).restarted()
    need(horizon, (int, NoneType), "horizon", "a number of plies")
    need(goal, (str, NoneType), "goal", "a score as text, as '1'")
    target = game if isinstance(game, str) and kind is None else str(game) if isinstance(game, Path) else ""
    writing = Writing(target or type(game).__name__, to, limits, horizon, goal, encoding)
    if to not in FORMS:
        raise InputError(f"no form {to!r}, expected one of {', '.join(FORMS)}")
    with deadline(limits), reading_under(limits):
        if is_partition(writing):
            return partition_text(writing)
        return written(taken_up(game_of(game, kind), after), writing)


def is_partition(writing: Writing) -> bool:
    """Whether the target is no game but a set of numbers to be parted, which only a sum is made of.

    >>> is_partition(Writing("partition:3,1,1,2", "sum", Limits()))
    True
    """
    return writing.form == "sum" and writing.target.startswith("partition:")


def partition_text(writing: Writing) -> str:
    """The sum that asks whether numbers can be parted into halves.

    >>> partition_text(Writing("partition:1,1", "sum", Limits())).startswith("#")
    True
    """
    from zermelo.encode.sum.text import text_of_partition

    writing.refuse("horizon", "goal")
    if writing.encoding not in (None, "thesis"):
        raise InputError(f"no encoding {writing.encoding!r} of sums, expected thesis or none", file=writing.target)
    return text_of_partition(writing.target)


def written(game: Game, writing: Writing, say: Callable[[str], None] = lambda line: None) -> str:
    """The game in a form that its kind has for it, else encoded as every game is; ``say`` hears of doubts.

    >>> from zermelo.games import make_game
    >>> written(make_game("nim:1"), Writing("nim:1", "graph", Limits()))[:26]
    '{"format":"zermelo-graph",'
    """
    if writing.horizon is not None and writing.horizon < 0:
        raise InputError(f"--horizon {writing.horizon} is not a number of plies")
    form, target = writing.form, writing.target
    if (own := kind_of(game).written(game, writing)) is not None:
        return own
    if form == "graph":
        writing.refuse("horizon", "goal", "encoding", because="for formulas and programs")
        return _graph_text(game, writing)
    if form in ("efg", "nfg"):
        from zermelo.encode.gambit import extensive_text, strategic_text

        writing.refuse("horizon", "goal", "encoding", because="for formulas and programs")
        return extensive_text(game, writing.limits, target) if form == "efg" else strategic_text(game, target)
    if form == "sum":
        raise InputError("no formula: a sum is made of a formula or of partition:3,1,1,2", file=target)
    if form in ("network", "xcsp"):
        raise InputError("no rulesheet: a network is made of the rules of a game, as in gdl:tictactoe", file=target)
    if form in ("qlp", "lp", "mps"):
        writing.refuse("goal", because="for formulas: of a program the score is the objective")
        return _program_text(game, writing, say)
    return _formula_text(game, writing, say)


def _graph_text(game: Game, writing: Writing) -> str:
    from zermelo.encode.graphjson import graph_json
    from zermelo.graph import graph_of

    data = graph_json(game, graph_of(game, writing.limits), writing.target)
    return json.dumps(data, separators=(",", ":")) + "\n"


def _program_text(game: Game, writing: Writing, say: Callable[[str], None]) -> str:
    from zermelo.encode.qip import program_encoder
    from zermelo.kind import PROGRAM_FORMS
    from zermelo.qip.formats.export import program_text

    encoder = program_encoder(game, writing.encoding, writing.limits)
    plies = encoder.length if writing.horizon is None else writing.horizon
    if not encoder.grows and plies != encoder.length:
        message = f"--horizon {plies}: the encoding {encoder.encoding} takes the whole game"
        raise InputError(message, file=writing.target)
    coded = encoder.encode(plies)
    comments = [
        f"{writing.target}: {game.roles[0]} (exists) against {game.roles[1]} (forall), {plies} plies",
        f"encoding: {encoder.encoding}; {coded.meaning}",
        *_doubts(writing, plies, encoder.exact, say),
    ]
    text = program_text(replace(coded.program, name=writing.target), PROGRAM_FORMS[writing.form])
    return "".join(f"{_COMMENT[writing.form]} {comment}\n" for comment in comments) + text


def _doubts(writing: Writing, plies: int, exact: bool, say: Callable[[str], None]) -> list[str]:
    """What is said where the length of a game was only sampled."""
    if writing.horizon is not None or exact:
        return []
    say(f"horizon {plies}, the longest of some random games")
    return [_SAMPLED.format(plies)]


def _formula_text(game: Game, writing: Writing, say: Callable[[str], None]) -> str:
    from zermelo.certificate import parse_score, score_text
    from zermelo.encode.qbf import Question, encoder_of, need_turns
    from zermelo.game import plain_score
    from zermelo.kinds.formula import formula_in

    encoder = encoder_of(game, writing.encoding, writing.limits)
    try:
        score = encoder.scores[-1] if writing.goal is None else plain_score(parse_score(writing.goal))
    except ValueError as error:
        raise InputError(f"--goal: {error}") from None
    plies = encoder.length if writing.horizon is None else writing.horizon
    coded = encoder.encode(Question(plies, score))
    need_turns(coded)
    first, second = game.roles
    goal = f"{first} (exists) gets at least {score_text(score)} within {plies} plies, against {second} (forall)"
    comments = [
        f"{writing.target}: {goal}",
        f"encoding: {encoder.encoding}",
        *_doubts(writing, plies, encoder.exact, say),
    ]
    return formula_in(coded.formula, writing.form, comments)
