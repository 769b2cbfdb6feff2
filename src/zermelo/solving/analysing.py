"""A position analysed: the value of every legal move, as far as it is proved, and else what is estimated.

First the position itself is solved; many engines tell the values of its moves on the way. What is still open is solved
move by move, each move with its share of the time that is left, so that one hard move does not hide all the others.
What is not proved even then is guessed. Proofs and guesses are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from typing import Any

from zermelo.answer import Answer
from zermelo.brief import counted, cut, fields_in_brief, shown_in_brief
from zermelo.certificate import parse_score, score_text
from zermelo.draw.hands import choice_name
from zermelo.errors import LimitReachedError
from zermelo.game import CHANCE, Game, Role, Score, plain_score
from zermelo.limits import Limits, need_limits, reading_under
from zermelo.options import Options
from zermelo.progress import Watch, no_watch
from zermelo.solution import LONGEST_TARGET, Solution
from zermelo.solving.guesses import guess
from zermelo.solving.pipeline import solve_game
from zermelo.solving.targets import game_of, target_named
from zermelo.solving.verifying import solution_of
from zermelo.taking_up import taken_up
from zermelo.watchdog import deadline
from zermelo.words import shares

SEARCH_SHARE = 0.4
"""Of the time there is, this part goes to the position itself; the rest to its moves."""
SECONDS = 10.0
"""What an analysis takes where no limit is set."""
GUESS_SECONDS, GUESS_SHARE, LEAST_GUESS = 0.1, 0.3, 0.001
"""What the guess about one move may take: so long, and at most this part of the move's time, but never no time."""
MOST_ROWS = 30
"""Moves that a notebook shows."""
LONGEST_SCORE = 12
"""Longer fractions are shown as decimals."""


@dataclass(frozen=True)
class MoveAnalysis:
    """One legal move: the first role's score after it, proved or estimated.

    ``value`` and ``bounds`` are proved; ``estimate`` is a guess, with what it rests on in ``estimate_from``. A move
    after which a program cannot be kept has no value, and is ``proved`` all the same.
    """

    move: Any
    name: str
    value: Score | None = None
    bounds: tuple[Score | None, Score | None] = (None, None)
    estimate: float | None = None
    estimate_from: str = ""
    proved: bool = False
    values: Mapping[Role, Score] = field(default_factory=dict)
    """What each role gets after it, where roles have interests of their own."""
    role: Role = ""
    """Whose move it is, where several roles move at once."""
    chance: Score | None = None
    """With which chance that role plays it; ``value`` is then what it comes to while the others mix their moves."""

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "move": self.name,
            "proved": self.proved,
            "value": None if self.value is None else score_text(self.value),
            "bounds": [None if bound is None else score_text(bound) for bound in self.bounds],
            "estimate": self.estimate,
            "estimate_from": self.estimate_from or None,
            "values": {role: score_text(value) for role, value in self.values.items()},
            "role": self.role or None,
            "chance": None if self.chance is None else score_text(self.chance),
        }

    @property
    def title(self) -> str:
        """The move as it is listed: with its role, where several move at once."""
        return choice_name(self.role, self.name) if self.role else self.name


@dataclass(frozen=True, repr=False)
class PositionAnalysis:
    """A position with its legal moves, the best for the role to move first.

    >>> from zermelo.games import make_game
    >>> found = analyse_game(make_game("nim:1,2"))
    >>> found
    <PositionAnalysis of Nim: 3 moves, 3 proved, best 1,1>
    >>> [(move.name, move.value) for move in found.moves]
    [('1,1', 1), ('0,1', -1), ('1,2', -1)]
    """

    solution: Solution
    moves: tuple[MoveAnalysis, ...]

    def __repr__(self) -> str:
        best = f", best {cut(self.moves[0].name, 30)}" if self.moves else ""
        proved = sum(move.proved for move in self.moves)
        target = cut(self.solution.target, LONGEST_TARGET)
        return cut(f"<PositionAnalysis of {target}: {counted(len(self.moves), 'move')}, {proved} proved{best}>")

    def __str__(self) -> str:
        kind, solution = self.solution.kind, self.solution
        width = max((len(move.title) for move in self.moves), default=0)
        rows = [f"  {move.title:<{width}}  {_words(self.verdict(move), move)}" for move in self.moves]
        return "\n".join([kind.headline(solution), *rows])

    def verdict(self, move: MoveAnalysis) -> str:
        """What a move leads to, in words."""
        if move.chance is not None:
            return f"{percent(move.chance)}, {_mixed_verdict(move, self.solution.game)}"
        return shares(move.values) if move.values else self.solution.kind.verdict(self.solution, move.value)

    def _repr_html_(self) -> str:
        """A small table: the moves, what is known of each, and whether that is proved; and a picture with it."""
        from zermelo.picturing import PictureOptions, picture, values_of

        kind, solution = self.solution.kind, self.solution
        rows = [
            f"<tr><td>{escape(move.title)}</td><td>{escape(_words(self.verdict(move), move))}</td></tr>"
            for move in self.moves[:MOST_ROWS]
        ]
        if (more := len(self.moves) - MOST_ROWS) > 0:
            rows.append(f'<tr><td colspan="2">and {counted(more, "move")} more</td></tr>')
        drawn = picture(solution.game, None, PictureOptions(values=values_of(self))).svg
        return f"<table><caption>{escape(kind.headline(solution))}</caption>{''.join(rows)}</table>{drawn}"

    def to_json(self) -> dict[str, Any]:
        """The object that ``zermelo analyse --json`` prints."""
        return {
            "target": self.solution.target,
            "after": [self.solution.game.move_text(move) for move in self.solution.game.line],
            "status": self.solution.status,
            "value": None if self.solution.value is None else score_text(self.solution.value),
            "values": {role: score_text(value) for role, value in self.solution.values.items()},
            "moves": [move.to_json() for move in self.moves],
        }


def percent(chance: Score) -> str:
    """A chance as people read it.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 40000)), percent(1)
    ('33.3 %', '0.0025 %', '100 %')
    """
    return f"{float(100 * chance):.3g} %"


def _mixed_verdict(move: MoveAnalysis, game: Game) -> str:
    """What a move comes to while the others mix theirs: for its own role, or for the first of two opposed ones."""
    role = move.role if move.values else game.roles[0]
    score = move.values.get(role, move.value)
    told = "?" if score is None else score_text(score)
    return f"{told if len(told) <= LONGEST_SCORE else f'about {float(score or 0):.4g}'} for {role}"


def _words(verdict: str, move: MoveAnalysis) -> str:
    if move.proved:
        return f"{verdict}, proved"
    lower, upper = ("?" if bound is None else score_text(bound) for bound in move.bounds)
    known = "" if move.bounds == (None, None) else f"{lower} .. {upper} proved, "
    if move.estimate is None:
        return f"{known}no estimate: {move.estimate_from or 'not worked out'}"
    return f"{known}about {move.estimate:.4g}, estimated from {move.estimate_from}"


def analyse(
    game: object,
    engine: str = "auto",
    limits: Limits | None = None,
    watch: Watch = no_watch,
    *,
    kind: str | None = None,
    after: str | Sequence[Any] = (),
    position: Any = None,
    seed: int = 1,
) -> PositionAnalysis:
    """The value, bounds or estimate of every legal move, best first; the clock of the limits starts now.

    The game, and where it is taken up, are stated as for :func:`zermelo.solve`.

    >>> analyse("nim:3,4", after="0,3").moves[0].name
    '1,4'
    """
    limits = need_limits(limits, SECONDS).restarted()
    with deadline(limits), reading_under(limits):
        stated = taken_up(game_of(game, kind), after, position)
        return analyse_game(stated, engine, limits, target_named(game, kind), watch, seed)


def analyse_game(
    game: Game,
    engine: str = "auto",
    limits: Limits | None = None,
    target: str = "",
    watch: Watch = no_watch,
    seed: int = 1,
) -> PositionAnalysis:
    """The value of every legal move of a position, best first; the clock of the limits is not set back."""
    limits = limits or Limits(seconds=SECONDS)
    options = Options(certify=False, verify=False, seed=seed)
    start = game.start()
    at_once = isinstance(game.turn(start), tuple)
    first = limits.part((limits.seconds_left() or SECONDS) * (1.0 if at_once else SEARCH_SHARE))
    target = target or type(game).__name__
    try:
        solution = solve_game(game, engine, first, options, target, watch)
    except STOPS as stop:
        answer = Answer(engine, "unknown", note=_why(stop), stats={"nodes": 0})
        solution = solution_of(game, answer, target)
    if game.result(start) is not None:
        return PositionAnalysis(solution, ())
    if at_once:
        return PositionAnalysis(solution, tuple(_at_once(game, start, solution)))
    legal = _legal(game, start)
    found = list(_analysed(game, legal, solution, limits, engine, seed))
    best_last = game.turn(start) in (game.roles[0], CHANCE) or len(game.roles) > 2
    own = game.turn(start)
    if all(own in move.values for move in found):  # a role that plays for its own score
        found.sort(key=lambda move: move.values[str(own)], reverse=True)
    else:
        found.sort(key=lambda move: _rank(solution, move, 1 if best_last else -1), reverse=True)
    return PositionAnalysis(solution, tuple(found))


def _legal(game: Game, start: Any) -> Sequence[Any]:
    return [outcome for outcome, _ in game.chances(start)] if game.turn(start) == CHANCE else game.moves(start)


def _at_once(game: Game, start: Any, solution: Solution) -> Iterator[MoveAnalysis]:
    """The moves of every role that moves now, each role's likeliest first: of one alone a move has no value."""
    from zermelo.search.induction.engine import RolePayoffs

    details = solution.details if isinstance(solution.details, RolePayoffs) else RolePayoffs(game.roles)
    stopped = solution.note or "not solved"
    for role in game.turn(start):
        found = []
        for move in game.moves_of(start, role):
            name = game.move_text(move)
            if (vector := details.against.get(role, {}).get(name)) is None:
                found.append(MoveAnalysis(move, name, role=role, estimate_from=stopped))
                continue
            chance = parse_score(details.mixtures[role].get(name, "0"))
            by_role = dict(zip(game.roles, vector, strict=True)) if _own_interests(solution) else {}
            found.append(replace(_proved(move, name, vector[0]), values=by_role, role=role, chance=chance))
        sign = -1 if role != game.roles[0] and len(game.roles) == 2 else 1
        yield from sorted(found, key=lambda each: _likeliest(each, sign))


def _likeliest(move: MoveAnalysis, sign: int) -> tuple[Score, Score]:
    """In the order in which a role's moves are listed; of those that it never plays, the better ones first."""
    own = move.values.get(move.role, sign * (move.value or 0))
    return -(move.chance or 0), -own


def _analysed(
    game: Game, legal: Sequence[Any], solution: Solution, limits: Limits, engine: str, seed: int
) -> Iterator[MoveAnalysis]:
    """What is known of each move, those of which the engine has told nothing solved one by one."""
    told = {name: value for name, value in solution.move_values.items() if value is not None}
    if solution.status == "solved" and solution.move is not None and solution.value is not None:
        told.setdefault(game.move_text(solution.move), solution.value)
    waiting = sum(game.move_text(move) not in told for move in legal)
    options = Options(certify=False, verify=False, move_values=False, guess=False, seed=seed)
    stopped = ""
    for move in legal:
        name = game.move_text(move)
        if name in told:
            by_role = solution.moves_by_role.get(name, {}) if _own_interests(solution) else {}
            yield replace(_proved(move, name, told[name]), values=by_role)
            continue
        left = limits.seconds_left()
        share = limits.part((SECONDS if left is None else left) / max(1, waiting))
        waiting -= 1
        stopped = stopped or ("interrupted" if limits.stop.asked else "")
        try:
            known = MoveAnalysis(move, name, estimate_from=stopped)
            known = known if stopped else _of_move(game.at([move]), known, solution, engine, share, options)
        except STOPS as stop:  # what is known of the other moves is told all the same
            stopped = _why(stop)
            known = MoveAnalysis(move, name, estimate_from=stopped)
        yield known


def _of_move(
    after: Game, known: MoveAnalysis, solution: Solution, engine: str, share: Limits, options: Options
) -> MoveAnalysis:
    """What is known of a move once the game after it has had its share of the time."""
    result = after.result(after.start())
    if result is not None:
        over = Answer("", "solved", plain_score(result[0]))
        return _proved(known.move, known.name, solution.kind.in_own_terms(after, over).value)
    guessing = max(LEAST_GUESS, min(GUESS_SECONDS, (share.seconds_left() or 0.0) * GUESS_SHARE))
    found = solve_game(after, engine, share.part(max(0.0, (share.seconds_left() or 0.0) - guessing)), options)
    if found.status == "solved":
        by_role = found.values if _own_interests(found) else {}
        return replace(_proved(known.move, known.name, found.value), values=by_role)
    guessed = guess(after, replace(share, seconds=guessing).restarted(), options.seed)
    return replace(known, bounds=found.bounds, estimate=guessed.estimate, estimate_from=guessed.rests_on)


def _own_interests(solution: Solution) -> bool:
    """Whether a solution says what each role gets, and not who wins."""
    return solution.winner is None and len(solution.values) > 1


STOPS = (KeyboardInterrupt, LimitReachedError, MemoryError)
"""What ends the work on a move, and not the analysis."""


def _why(stop: BaseException) -> str:
    return "interrupted" if isinstance(stop, KeyboardInterrupt) else str(stop) or "out of memory"


def _proved(move: Any, name: str, value: Score | None) -> MoveAnalysis:
    return MoveAnalysis(move, name, value, (value, value), proved=True)


def _rank(solution: Solution, move: MoveAnalysis, sign: int) -> tuple[float, bool]:
    """Better moves have higher ranks; of equal ones what is proved comes first."""
    told = Fraction(move.estimate) if move.value is None and move.estimate is not None else move.value
    known = move.proved or told is not None
    worth = solution.kind.to_score(solution.game, Answer("", "solved", told)) if known else None
    return (float("-inf") if worth is None else sign * float(worth)), move.proved
