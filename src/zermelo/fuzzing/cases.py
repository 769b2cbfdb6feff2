"""One case: a game, moves that were made, the routes that are asked, and the law that all of them keep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from zermelo.answer import Answer
from zermelo.engine import Task
from zermelo.errors import LimitReachedError, NotApplicableError, ZermeloError
from zermelo.fuzzing.drawing import DRAWN, TABLE, TARGET, Statement, table_from, table_text
from zermelo.fuzzing.truth import TooLargeError, truths
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.options import TIES, Options
from zermelo.solution import Solution
from zermelo.solving.reproducing import SEPARATORS, smaller_tables, without_pieces
from zermelo.solving.routes import every_route, route_to
from zermelo.solving.tables import kind_of
from zermelo.solving.verifying import checked, need_agreement, solution_of

FORMAT = "zermelo-fuzz-case"
ASKED = 3
"""So many routes are asked beside ``auto``."""
WEIGHTS = (1.0, 0.2, 0.04, 0.04)
"""How often routes are asked, by the number of encodings on the way."""
LIMITS = Limits(seconds=2.0)
"""What one route may take; nobody is blamed for needing longer."""
SIMULATIONS = 300


@dataclass(frozen=True)
class Case:
    """A game as text, after how many moves of a random line it is taken up, and who is asked."""

    kind: str
    statement: Statement
    seed: int
    plies: int = 0
    routes: tuple[str, ...] = ()
    ties: str = TIES[0]

    def to_json(self) -> dict[str, Any]:
        """What is kept of it."""
        return {"format": FORMAT, "version": 1, **asdict(self)}


def case_from(text: str) -> Case:
    """The case that a file holds.

    >>> case = drawn(7)
    >>> case_from(json.dumps(case.to_json())) == case
    True
    """
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"expected an object whose format is {FORMAT}")
    statement = Statement(data["statement"]["format"], data["statement"]["text"])
    ties = data.get("ties", TIES[0])
    if ties not in TIES:
        raise ValueError(f"expected ties to be one of {', '.join(TIES)}")
    return Case(data["kind"], statement, int(data["seed"]), int(data["plies"]), tuple(data["routes"]), ties)


def drawn(seed: int) -> Case:
    """The case of a seed; which routes are asked is drawn when the game is known.

    >>> drawn(1) == drawn(1)
    True
    """
    rng = Random(seed)
    kind = rng.choice(list(DRAWN))
    return Case(kind, DRAWN[kind](rng), rng.getrandbits(32), rng.choice((0, 0, 0, 1, 2)), ties=rng.choice(TIES))


def game_after(case: Case) -> Game:
    """The game of a case, after its moves."""
    game = case.statement.game()
    rng, position, line = Random(case.seed), game.start(), list[Any]()
    while len(line) < case.plies and game.result(position) is None:
        here = game.turn(position)
        if isinstance(here, tuple):
            line.append(tuple(rng.choice(list(game.moves_of(position, role))) for role in here))
        else:
            moves = [move for move, _ in game.chances(position)] if here == CHANCE else list(game.moves(position))
            line.append(rng.choice(moves))
        position = game.play(position, line[-1])
    return game.at(line) if line else game


@dataclass
class Count:
    """What was asked: cases, answers by route, and reasons why nothing could be compared."""

    cases: int = 0
    answers: int = 0
    routes: dict[str, int] | None = None
    skipped: int = 0


def broken_law(case: Case, count: Count | None = None, limits: Limits = LIMITS) -> str | None:
    """What is wrong with what the routes say, in one line; ``None`` if nothing is.

    Every route that answers says the truth where that can be worked out, and what the others say; every certificate
    is accepted. A text that the rules refuse is no case.

    >>> broken_law(replace(drawn(3), routes=("auto",))) is None
    True
    """
    count = count or Count()
    try:
        game = game_after(case)
    except ZermeloError:
        count.skipped += 1
        return None
    routes = case.routes or routes_drawn(game, case.seed)
    said: list[Answer] = []
    try:
        expected = _expected(game, case)
    except ZermeloError:  # rules that contradict themselves
        count.skipped += 1
        return None
    try:
        for name in routes:
            if (solution := _asked(name, game, case.ties, limits)) is None:
                continue
            answer = replace(_plain(solution), engine=name)
            count.answers += answer.status == "solved"
            if count.routes is not None and answer.status == "solved":
                count.routes[name] = count.routes.get(name, 0) + 1
            if expected is not None:
                need_agreement("it", [answer, expected])
            said.append(answer)
        need_agreement("it", said)
    except (LimitReachedError, MemoryError):
        count.skipped += 1
    except Exception as error:  # whatever goes wrong is found out here
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return None


def routes_drawn(game: Game, seed: int) -> tuple[str, ...]:
    """``auto`` and some other routes: the more encodings lie on the way, the more rarely, since they take longer.

    >>> from zermelo.games import make_game
    >>> routes_drawn(make_game("nim:1"), 1)[0], len(routes_drawn(make_game("nim:1"), 1))
    ('auto', 4)
    """
    rng = Random(seed)
    # Each route has a random date, by its weight the sooner: the first ones are a weighted sample (Efraimidis 2006).
    dated = [(rng.random() ** (1 / WEIGHTS[len(route.encodings)]), route.name) for route in every_route(game)]
    return ("auto", *(name for _, name in sorted(dated, reverse=True)[:ASKED]))


def _expected(game: Game, case: Case) -> Answer | None:
    """The truth as an answer; ``None`` where it is not worked out."""
    try:
        vector = truths(game, case.ties)
    except (TooLargeError, NotApplicableError, RecursionError):
        return None
    values = dict(zip(game.roles, vector, strict=True))
    said = Answer("trying everything", "solved", vector[0], (vector[0], vector[0]), values=values)
    answer = kind_of(game).in_own_terms(game, said)
    return replace(answer, winner=None, values={} if answer.value is None else answer.values)


def _asked(name: str, game: Game, ties: str = TIES[0], limits: Limits = LIMITS) -> Solution | None:
    """The checked solution of a route; ``None`` where it does not take the game after all."""
    options = Options(move_values=False, guess=False, simulations=SIMULATIONS, ties=ties)
    task = Task(limits.restarted(), options, "it")
    try:
        answer = route_to(name, game).answer(game, task)
    except NotApplicableError:
        return None
    return checked(solution_of(game, answer, "it"), options, task.limits)


def _plain(solution: Solution) -> Answer:
    """What a solution says of the value alone: who wins follows from it, and is worded by each room."""
    values = {} if solution.about is not None else solution.values
    return Answer(solution.engine, solution.status, value=solution.value, bounds=solution.bounds, values=values)


def smaller(case: Case) -> Iterator[Case]:
    """Simpler cases: fewer routes, fewer moves, texts with pieces left out, tables with rows left out."""
    if len(case.routes) > 1:
        yield from (replace(case, routes=case.routes[:n] + case.routes[n + 1 :]) for n in range(len(case.routes)))
    yield from (replace(case, plies=plies) for plies in range(case.plies))
    if case.statement.format == TABLE:
        for table in smaller_tables(table_from(case.statement.text)):
            yield replace(case, statement=Statement(TABLE, table_text(table)))
    elif case.statement.format != TARGET:
        separator = SEPARATORS.get(case.statement.format, "\n")
        for pieces in without_pieces(tuple(case.statement.text.split(separator))):
            yield replace(case, statement=replace(case.statement, text=separator.join(pieces)))


def in_words(case: Case) -> str:
    """The case for a person.

    >>> print(in_words(Case("sum", Statement("cgt", "{1|0}"), 0, 0, ("sum",))))
    sum, after 0 moves by 0, ties first, asked sum:
    {1|0}
    """
    told = f"{case.kind}, after {case.plies} moves by {case.seed}, ties {case.ties}"
    return f"{told}, asked {', '.join(case.routes)}:\n{case.statement.text}"
