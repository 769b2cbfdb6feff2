"""Play: the state of a game after moves, what the moves are worth, the machine's reply, and why a move fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from zermelo.answer import Answer
from zermelo.certificate import parse_score, score_text
from zermelo.errors import InputError, LimitReachedError, NotApplicableError, ZermeloError, one_line
from zermelo.game import CHANCE, Game, Score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.picturing import PictureOptions, colour_of_value, picture, values_of
from zermelo.play.session import Session
from zermelo.progress import NO_BOUNDS, Progress, Question
from zermelo.solving import kind_of, solve_game
from zermelo.web.statement import session_after
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.solution import Solution
    from zermelo.solving.analysing import MoveAnalysis, PositionAnalysis
    from zermelo.web.worker import Emit

MOST_LEGAL: Final = 2000
"""More legal moves are only counted."""
LONGEST_TEXT: Final = 20_000
SEARCHING: Final = 0.6
"""The part of a reply's time that goes to search for a proof."""
MOST: Final = 1 << 62
"""Bounds beyond this are those of a run that knows nothing yet."""
ENDLESS: Final = (1 << 32) - 2
"""A proof number from here on is that of something proved impossible."""
ROUNDS: Final = (0.4, 1.5, 5.0, 15.0, 60.0)
"""Seconds of the rounds of an analysis: each tells more than the one before."""


def board_of(game: Game) -> Game:
    """The game that people play: of a program about a board, the one on the board."""
    return game.played_as or game


def state(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """Where play stands: who is to move, the legal moves, how it ended, and a picture."""
    del emit
    game = board_of(desk.game(asked.get("game")))
    game.limits = limits
    session = session_after(game, asked.get("moves") or [])
    position, ending = session.position, session.ending
    legal, more = _legal(session)
    return {
        "title": game.title,
        "kind": game.kind,
        "noun": kind_of(game).noun,
        "format": None if game.source is None else game.source.format,
        "roles": list(game.roles),
        "moves": _words(session),
        "turn": list(session.to_move),
        "legal": legal,
        "more": more,
        "over": ending is not None,
        "ending": None if ending is None else ending.words,
        "scores": None if ending is None or ending.scores is None else [score_text(score) for score in ending.scores],
        "hidden": game.hidden_information,
        "svg": drawn(session),
        "text": game.text(position)[:LONGEST_TEXT],
        "position": _as_json(position),
    }


def thumbnail(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The picture of the start."""
    del emit
    game = board_of(desk.game(asked.get("game")))
    game.limits = limits
    return {"svg": picture(game).svg}


def drawn(session: Session, analysis: PositionAnalysis | None = None) -> str:
    """The picture of the position: legal moves can be pointed at, the last one is marked, values are told."""
    values = {} if analysis is None else values_of(analysis)
    total = None if analysis is None else parse_score(analysis.solution.stats.get("total", "0"))
    last = session.line[-1] if session.line else None
    options = PictureOptions(values, last, session.before, legal=session.ending is None, total=total)
    return picture(session.game, session.position, options).svg


def _as_json(position: Any) -> Any:
    from zermelo.positions import position_json

    try:
        return position_json(position)
    except ZermeloError:
        return None


def _words(session: Session) -> list[Any]:
    """The moves made, as they were written: a list where several roles moved at once."""
    text = session.game.move_text
    game, position, words = session.game, session.game.start(), []
    for move in session.line:
        at_once = isinstance(game.turn(position), tuple)
        words.append([text(each) for each in move] if at_once else text(move))
        position = game.play(position, move)
    return words


def _legal(session: Session) -> tuple[list[dict[str, Any]], int]:
    """The legal moves, each with its role; outcomes of chance with their probabilities."""
    game, position, found = session.game, session.position, []
    for role in session.to_move:
        if role == CHANCE:
            found += [
                {"move": game.move_text(outcome), "role": role, "probability": str(probability)}
                for outcome, probability in game.chances(position)
            ]
        else:
            found += [{"move": game.move_text(move), "role": role} for move in session.legal(role)]
    return found[:MOST_LEGAL], max(0, len(found) - MOST_LEGAL)


def reply(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The machine's move, with what it rests on."""
    del emit
    from zermelo.play.engine_player import EnginePlayer

    stated = desk.game(asked.get("game"))
    game = board_of(stated)
    game.limits = None
    session = session_after(game, asked.get("moves") or [])
    if session.ending is not None:
        raise InputError("the game is over")
    role, engine = asked.get("role"), asked.get("engine") or "auto"
    if role is not None and role not in game.roles:
        raise InputError(f"no role {str(role)[:40]!r}, expected one of {', '.join(game.roles)}")
    if (name := asked.get("player")) is not None:
        return _of_player(session, str(name), role, limits)
    if stated.played_as is not None and engine == "auto":
        engine = kind_of(stated).auto(stated)
    allowed = limits.part(max(0.2, ((limits.seconds_left() or 4.0) - 1.0) * SEARCHING))
    player = kind_of(game).adviser(game, engine, allowed) or EnginePlayer(game, engine, allowed)
    chosen = player.choose(session.line, role=role)
    if "random games" in chosen.reason and engine == "auto" and (better := _guessed(session, role, limits)) is not None:
        return better
    return {
        "move": game.move_text(chosen.move),
        "reason": chosen.reason,
        "proved": chosen.proved,
        "value": None if chosen.score is None else score_text(chosen.score),
    }


def _guessed(session: Session, role: str | None, limits: Limits) -> dict[str, Any] | None:
    """The guess that the kind of game has for a position that is too large to search: a tree search on native rules."""
    game, movers = session.game, session.to_move
    later = game.at(session.line) if session.line else game
    guess = kind_of(game).guess(
        later, limits.part(max(0.2, (limits.seconds_left() or 2.0) - 0.8)), len(session.line) + 1
    )
    move = guess.move[movers.index(role or movers[0])] if len(movers) > 1 and guess.move is not None else guess.move
    if move is None or move not in session.legal(role or movers[0]):
        return None
    return {"move": game.move_text(move), "reason": f"not proved, {guess.rests_on}", "proved": False, "value": None}


def _of_player(session: Session, name: str, role: str | None, limits: Limits) -> dict[str, Any]:
    """The move of one of the players that sit at the tables of the arena."""
    from zermelo.play.player import Clock, make_player
    from zermelo.search.game_model import NOOP, GameModel

    model = GameModel(session.game)
    position, roles = model.start(), session.game.roles
    for move in session.line:
        turn = session.game.turn(position)
        movers = dict(zip(turn, move, strict=True)) if isinstance(turn, tuple) else {turn: move}
        by_seat = [movers.get(each) for each in (*roles, CHANCE)]
        joint = [NOOP if each is None else model.number_of(each) for each in by_seat]
        position = model.play(position, joint[: len(model.roles)])
    seat = roles.index(role or session.to_move[0])
    clock = Clock(seconds=min(1.0, max(0.1, (limits.seconds_left() or 2.0) - 1.5)))
    chosen = make_player(name, model, seat, seed=len(session.line) + 1).choose(position, clock)
    effort = f"{chosen.simulations:,} simulations" if chosen.simulations else ""
    expects = "" if chosen.value is None else f"expects {chosen.value:.2f} of 1"
    if chosen.proved and expects:
        told = f"proved: {expects}"
    else:
        told = "at random" if name == "random" else ", ".join(filter(None, ("not proved", expects, effort)))
    return {"move": model.move_text(chosen.move), "reason": told, "proved": chosen.proved, "value": None}


def analyse(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """What each legal move is worth: first what a moment shows, then ever more, until all of it is proved."""
    from zermelo.solving.analysing import analyse_game

    session = session_after(board_of(desk.game(asked.get("game"))), asked.get("moves") or [])
    if session.ending is not None:
        raise InputError("the game is over")
    later = session.game.at(session.line) if session.line else session.game
    told: dict[str, Any] = {}
    for seconds in ROUNDS:
        left = limits.seconds_left()
        if told and (left is None or left < seconds * 0.5):
            break
        title = session.game.title or "game"
        try:
            found = analyse_game(later, asked.get("engine") or "auto", limits.part(seconds), title, watching(emit))
            told = analysis_json(found) | {"svg": drawn(session, found)}
        except LimitReachedError:
            if not told:
                raise
            break  # what was told before stands
        emit("analysis", told)
        if limits.stop.asked or all(move.proved for move in found.moves):
            break
    return told


def watching(emit: Emit, every: float = 0.2) -> Any:
    """Tells of progress, each engine's at most a few times a second."""
    last: dict[str, float] = {}

    def show(progress: Progress) -> None:
        if progress.seconds - last.get(progress.engine, -1.0) < every:
            return
        last[progress.engine] = progress.seconds
        lower, upper = (_known(*pair) for pair in zip(progress.bounds, NO_BOUNDS, strict=True))
        emit(
            "progress",
            {
                "engine": progress.engine,
                "seconds": round(progress.seconds, 2),
                "nodes": progress.nodes,
                "depth": progress.depth,
                "bounds": [lower, upper],
                "memory": progress.memory,
                "question": _question(progress.question),
                "checked": progress.checked,
                "to_check": progress.to_check,
            },
        )

    return show


def _question(asked: Question | None) -> dict[str, Any] | None:
    """What proof numbers are about, and the two of them: ``None`` stands for one that is as good as endless."""
    if asked is None:
        return None
    numbers = {"proof": asked.proof, "disproof": asked.disproof}
    return {"at_least": score_text(asked.at_least)} | {
        name: number if number < ENDLESS else None for name, number in numbers.items()
    }


def _known(bound: Score, nothing: Score) -> str | None:
    return None if bound == nothing or not -MOST < bound < MOST else score_text(bound)


def analysis_json(found: PositionAnalysis) -> dict[str, Any]:
    """An analysis with each move in words and graded: 1 is a win for who moves, -1 a loss."""
    solution, game = found.solution, found.solution.game
    total = parse_score(solution.stats.get("total", "0"))
    grades = graded(solution, found.moves, total)
    data, shown = found.to_json(), values_of(found)
    for told, move, grade in zip(data["moves"], found.moves, grades, strict=True):
        told["words"] = found.verdict(move) if move.proved else _estimated(move)
        told["grade"] = grade
        share = move.value if move.value is not None else move.estimate
        mark = shown.get((move.role, move.move) if move.role else move.move)
        own = "" if mark is None else mark.colour
        told["own"] = own != ""
        told["colour"] = own or (None if share is None else colour_of_value(game, share, total))
    return data | {
        "headline": headline_of(solution),
        "best": found.moves[0].name if found.moves else None,
        "bounds": [None if bound is None else score_text(bound) for bound in solution.bounds],
        "complete": all(move.proved for move in found.moves),
    }


def headline_of(solution: Solution) -> str:
    """The answer in one line, without the name of the game."""
    return solution.kind.headline(solution).removeprefix(f"{one_line(solution.target)}: ")


def _estimated(move: MoveAnalysis) -> str:
    lower, upper = move.bounds
    known = "" if lower is upper is None else f"between {_bound(lower)} and {_bound(upper)}, proved; "
    if move.estimate is None:
        return f"{known}not known yet"
    return f"{known}about {move.estimate:.3g}, from {move.estimate_from}"


def _bound(bound: Score | None) -> str:
    return "?" if bound is None else score_text(bound)


def graded(solution: Solution, moves: Sequence[MoveAnalysis], total: Fraction) -> list[float | None]:
    """How good each move is for who moves, between -1 and 1; ``None`` where nothing is known."""
    game = solution.game
    turn = game.turn(game.start())
    if isinstance(turn, tuple):  # each role's moves for themselves, by what they come to while the others mix theirs
        return [
            grade for role in turn for grade in _graded_at_once(game, [each for each in moves if each.role == role])
        ]
    own = [Fraction(move.values[str(turn)]) for move in moves if str(turn) in move.values]
    if own and len(own) == len(moves):  # the mover plays for its own score: from the worst of these moves to the best
        return _spread(own)
    sign = -1 if len(game.roles) == 2 and turn == game.roles[1] else 1
    shares = [_share(solution, move) for move in moves]
    lead = [None if share is None else sign * (2 * share - total) for share in shares]
    most = max((abs(each) for each in lead if each is not None), default=Fraction(0))
    return [None if each is None else float(each / most) if most else 0.0 for each in lead]


def _graded_at_once(game: Game, moves: Sequence[MoveAnalysis]) -> list[float | None]:
    """How good each move of one role is, from its worst to its best."""
    sign = -1 if moves and len(game.roles) == 2 and moves[0].role == game.roles[1] else 1
    own = [Fraction(move.values.get(move.role, sign * move.value)) for move in moves if move.value is not None]
    if len(own) < len(moves):
        return [None] * len(moves)
    return _spread(own)


def _spread(own: Sequence[Fraction]) -> list[float | None]:
    """Scores between the worst and the best of them."""
    middle, half = (max(own) + min(own)) / 2, (max(own) - min(own)) / 2
    return [float((each - middle) / half) if half else 0.0 for each in own]


def _share(solution: Solution, move: MoveAnalysis) -> Fraction | None:
    """The first role's score after a move, in the terms in which it wants more: the objective of a program is not."""
    told = move.value if move.value is not None or move.estimate is None else Fraction(move.estimate)
    if told is None and not move.proved:
        return None
    score = solution.kind.to_score(solution.game, Answer("", "solved", told))
    return None if score is None else Fraction(score)


def why(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """What a move runs into: the best reply and the line that follows."""
    game = board_of(desk.game(asked.get("game")))
    moves, move = asked.get("moves") or [], asked.get("move")
    session = session_after(game, [*moves, move])
    if session.ending is not None:
        return {"move": move, "proved": True, "words": session.ending.words, "reply": None, "line": []}
    later = session.game.at(session.line)
    if isinstance(later.turn(later.start()), tuple):
        raise NotApplicableError("several roles move at once: there is no one reply")
    allowed = replace(limits, seconds=max(0.2, (limits.seconds_left() or 6.0) - 1.0)).restarted()
    try:
        found = solve_game(later, "auto", allowed, Options(verify=False, move_values=False), watch=watching(emit))
    except LimitReachedError as error:
        raise LimitReachedError(f"no reply is proved yet: {error}") from None
    line = [later.move_text(each) for each in found.line] or (
        [later.move_text(found.move)] if found.move is not None else []
    )
    proved = found.status == "solved"
    words = headline_of(found) if proved else "nothing is proved; this is the best guess"
    return {"move": move, "proved": proved, "words": words, "reply": line[0] if line else None, "line": line}
