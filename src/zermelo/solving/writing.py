"""A game written in another form for other tools: in one that its kind has for it, else as every game is encoded."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Final

from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.kind import PROGRAM_FORMS, Writing
from zermelo.solving.tables import kind_of

NETWORKS: Final = ("network", "xcsp")
_COMMENT: Final = {"qlp": "//", "lp": "\\", "mps": "*"}
_SAMPLED: Final = "the longest of some random games took {} plies: longer ones count as not won"


def written(game: Game, writing: Writing) -> str:
    """The game in the form that was asked for.

    >>> from zermelo.games import make_game
    >>> from zermelo.limits import Limits
    >>> written(make_game("nim:1"), Writing("nim:1", "graph", Limits()))[:25]
    '{"format":"zermelo-graph"'
    """
    form, target = writing.form, writing.target
    if (own := kind_of(game).written(game, writing)) is not None:
        return own
    if form == "graph":
        writing.refuse("horizon", "goal", "encoding", because="for formulas and programs")
        return _graph_text(game, writing)
    if form == "sum":
        raise InputError("no formula: a sum is made of a formula or of partition:3,1,1,2", file=target)
    if form in NETWORKS:
        raise InputError("no rulesheet: a network is made of the rules of a game, as in gdl:tictactoe", file=target)
    if form in PROGRAM_FORMS:
        writing.refuse("goal", because="for formulas: of a program the score is the objective")
        return _program_text(game, writing)
    return _formula_text(game, writing)


def _graph_text(game: Game, writing: Writing) -> str:
    from zermelo.encode.graphjson import graph_json
    from zermelo.graph import graph_of

    data = graph_json(game, graph_of(game, writing.limits), writing.target)
    return json.dumps(data, separators=(",", ":")) + "\n"


def _program_text(game: Game, writing: Writing) -> str:
    from zermelo.encode.qip import program_encoder
    from zermelo.qip.formats.export import program_text

    encoder = program_encoder(game, writing.encoding, writing.limits)
    plies = encoder.length if writing.horizon is None else writing.horizon
    if not encoder.grows and plies != encoder.length:
        message = f"--horizon {plies}: the encoding {encoder.encoding} takes the whole game"
        raise InputError(message, file=writing.target)
    encoded = encoder.encode(plies)
    comments = [
        f"{writing.target}: {game.roles[0]} (exists) against {game.roles[1]} (forall), {plies} plies",
        f"encoding: {encoder.encoding}; {encoded.meaning}",
        *_doubts(writing, plies, encoder.exact),
    ]
    text = program_text(replace(encoded.program, name=writing.target), PROGRAM_FORMS[writing.form])
    return "".join(f"{_COMMENT[writing.form]} {comment}\n" for comment in comments) + text


def _doubts(writing: Writing, plies: int, exact: bool) -> list[str]:
    """What is said where the length of a game was only sampled."""
    if writing.horizon is not None or exact:
        return []
    print(f"zermelo: horizon {plies}, the longest of some random games", file=sys.stderr)
    return [_SAMPLED.format(plies)]


def _formula_text(game: Game, writing: Writing) -> str:
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
    encoded = encoder.encode(Question(plies, score))
    need_turns(encoded)
    first, second = game.roles
    goal = f"{first} (exists) gets at least {score_text(score)} within {plies} plies, against {second} (forall)"
    comments = [f"{writing.target}: {goal}", f"encoding: {encoder.encoding}", *_doubts(writing, plies, encoder.exact)]
    return formula_in(encoded.formula, writing.form, comments)
