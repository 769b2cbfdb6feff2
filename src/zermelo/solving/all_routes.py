"""Every route at once: all engines that a game reaches answer within their shares of the limits, and must agree.

Routes run in processes of their own (:mod:`zermelo.solving.lanes`), as many at a time as there are processors. A share
is processor time: what is left of the time limit on all lanes, divided by the routes that have not begun. Without a
limit it is two seconds, and routes that used them up begin again with four times as much, until somebody has the value.
Then the others have no more than twenty times what that took, or one second if that is more.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import process_time
from typing import Any

from zermelo._native import Stopped
from zermelo.answer import Answer, Status
from zermelo.certificate import score_text
from zermelo.engine import Task, nobody
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game, Score
from zermelo.limits import Limits, reading_under
from zermelo.portfolio import cores
from zermelo.progress import Progress
from zermelo.solution import Solution
from zermelo.solving.lanes import CLOCK, Ended, Lanes, lanes_possible
from zermelo.solving.routes import Route, every_way
from zermelo.solving.tables import kind_of
from zermelo.solving.verifying import checked, need_agreement, solution_of
from zermelo.stop import Stop
from zermelo.watchdog import deadline

LEAST_SHARE = 0.1
"""Seconds of processor time that every route has, however many there are."""
FIRST_SHARE, MORE = 2.0, 4.0
"""The share of every route where there is no limit, in seconds, and how much longer it is each time it begins again."""
LEAST_AFTER, TIMES_AFTER = 1.0, 20.0
"""What the others have once somebody has the value: seconds, or times what that took."""


@dataclass(frozen=True)
class Told:
    """What one route had to say: an answer, or a reason why there is none."""

    route: str
    engine: str
    status: Status = "unknown"
    value: Score | None = None
    bounds: tuple[Score | None, Score | None] = (None, None)
    winner: str | None = None
    values: Mapping[str, Score] = field(default_factory=dict)
    """What each role gets, where a route says that."""
    move: str | None = None
    nodes: int = 0
    cpu_seconds: float = 0.0
    checked: bool | None = None
    """Whether the independent checker accepted the certificate; ``None`` where there was none to read."""
    note: str = ""
    refused: bool = False
    """Whether the route does not lead from this game to an answer at all: ``note`` says why."""

    def to_json(self) -> dict[str, Any]:
        """The line of the table, as ``zermelo solve --json`` has it."""
        return {
            "route": self.route,
            "status": "refused" if self.refused else self.status,
            "value": None if self.value is None else score_text(self.value),
            "winner": self.winner,
            "values": {role: score_text(value) for role, value in self.values.items()},
            "move": self.move,
            "cpu_seconds": self.cpu_seconds,
            "nodes": self.nodes,
            "checked": self.checked,
            "note": self.note or None,
        }

    def answer(self) -> Answer:
        """What it says of the value, to be compared with others."""
        return Answer(self.route, self.status, self.value, self.bounds, self.winner, values=self.values)


@dataclass(frozen=True)
class _Asked:
    """What a lane sends back: the line of the table, and the solution where it can be sent."""

    told: Told
    solution: Solution | None = None
    wrong: str = ""
    """What the checker refutes."""


def solve_by_all(game: Game, task: Task) -> Solution:
    """The solution that all routes have together, with their table in ``stats["routes"]``.

    ``DisagreementError`` where two of them do not leave room for each other's answer.
    """
    if task.options.depth is not None:
        raise InputError("all takes no depth: name the engine that is to look as far as a horizon")
    ways = list(every_way(game))
    routes = [way.route for way in ways if way.why_not is None]
    if not routes:
        raise NotApplicableError(f"no engine takes {task.target}")
    runs = _Runs(game, task, routes)
    asked = runs.by_lanes() if lanes_possible() else runs.one_by_one()
    refused = [Told(way.route.name, way.route.engines[0].name, note=way.why_not, refused=True)
               for way in ways if way.why_not is not None]  # fmt: skip
    found = [each for each in asked if not each.told.refused]
    if not found:
        raise NotApplicableError(f"no engine takes {task.target}")
    table = [each.told for each in asked] + refused
    need_agreement(task.target, [each.told.answer() for each in found])
    if wrong := [each for each in found if each.wrong]:
        raise DisagreementError(wrong[0].wrong, (wrong[0].told.route,))
    return _together(game, task, routes, asked, table)


def _together(
    game: Game, task: Task, routes: Sequence[Route], asked: Sequence[_Asked], table: Sequence[Told]
) -> Solution:
    """One solution: the first that is verified, else the first that is solved, else the one with the best to say."""
    found = [each for each in asked if not each.told.refused]

    def worth(each: _Asked) -> tuple[bool, bool, bool, bool]:
        told = each.told
        return bool(told.checked), told.status == "solved", told.bounds != (None, None), each.solution is not None

    best = max(found, key=worth)
    solution = best.solution
    if solution is None and best.told.status == "solved":
        # It could not be sent from the lane: said once more here, now that it is known to end.
        route = next(route for route in routes if route.name == best.told.route)
        solution = _solved_by(route, game, task)
    if solution is None:
        solution = solution_of(game, best.told.answer(), task.target)
    answers: list[Answer] = [each.solution for each in found if each.solution is not None]
    whole = kind_of(game).together(solution, answers)
    solution = replace(solution, details=whole.details)
    agreed = sum(each.told.status == "solved" for each in found)
    engines = {each.told.route: _summary(each) for each in found}
    stats = dict(solution.stats) | {"engines": engines, "routes": [told.to_json() for told in table]}
    note = solution.note or (f"{agreed} routes agree" if agreed > 1 else "one route answered" if agreed else "")
    return replace(solution, engine="all", stats=stats, note=note)


def _summary(asked: _Asked) -> dict[str, Any]:
    """What a comparison of engines says of one of them."""
    told, solution = asked.told, asked.solution
    return {
        "status": told.status,
        "value": None if told.value is None else str(told.value),
        "seconds": None if solution is None else solution.stats.get("seconds"),
        "nodes": told.nodes,
        "cpu_seconds": told.cpu_seconds,
    }


class _Runs:
    """The routes of one game on their way."""

    def __init__(self, game: Game, task: Task, routes: Sequence[Route]) -> None:
        self.game, self.task, self.routes = game, task, routes
        self.asked: dict[int, _Asked] = {}
        self.quickest: float | None = None
        self.begun = [0] * len(routes)
        """How often each route has begun."""

    def by_lanes(self) -> list[_Asked]:
        """All routes, side by side where there are processors for them."""
        limits = self.task.limits
        lanes = Lanes([partial(self.job, route) for route in self.routes], min(cores(), len(self.routes)))
        waiting = list(range(len(self.routes)))
        interrupted = False
        try:
            while waiting or lanes.busy:
                interrupted = interrupted or limits.stop.asked
                if interrupted or limits.expired():
                    waiting.clear()
                    lanes.interrupt()
                while waiting and lanes.free:
                    left = limits.seconds_left()
                    lanes.begin(waiting[0], self.share(len(waiting), lanes.most, self.begun[waiting[0]]), left)
                    self.begun[waiting.pop(0)] += 1
                try:
                    for ended in lanes.hear():
                        self.note(ended)
                        if self.used_up(ended) and not interrupted:
                            waiting.append(ended.number)
                        if self.quickest is not None:
                            lanes.bound(CLOCK * self.after())
                except KeyboardInterrupt:
                    interrupted = True
        except OSError:
            lanes.close()
            return self.one_by_one()
        finally:
            lanes.close()
        return [self.asked.get(n, _stopped(route)) for n, route in enumerate(self.routes)]

    def one_by_one(self) -> list[_Asked]:
        """All routes in this process, one after the other."""
        limits = self.task.limits
        for number, route in enumerate(self.routes):
            if number in self.asked:
                continue
            if limits.expired():
                break
            before, share = process_time(), self.share(len(self.routes) - len(self.asked), 1, 0)
            result = self.job(route, Stop(limits.stop), share)
            self.note(Ended(number, result, "", round(process_time() - before, 6)))
        return [self.asked.get(n, _stopped(route)) for n, route in enumerate(self.routes)]

    def share(self, waiting: int, most: int, begun: int) -> float:
        """The processor time of the route that begins next, which has begun so often before."""
        left = self.task.limits.seconds_left()
        allowed = FIRST_SHARE * MORE**begun if left is None else max(left * min(most, waiting) / waiting, LEAST_SHARE)
        return allowed if self.quickest is None else min(allowed, self.after())

    def used_up(self, ended: Ended) -> bool:
        """Whether a route needed more than the share it had, and there is no limit that forbids it to have more."""
        told, share = self.asked[ended.number].told, FIRST_SHARE * MORE ** (self.begun[ended.number] - 1)
        open_still = self.quickest is None and told.status != "solved" and not told.refused
        return open_still and self.task.limits.seconds is None and ended.cpu_seconds > share / 2

    def after(self) -> float:
        """What a route has at most once somebody has the value."""
        return max(LEAST_AFTER, TIMES_AFTER * (self.quickest or 0.0))

    def job(self, route: Route, stop: Stop, seconds: float | None) -> _Asked:
        """What a route says, in whichever process it runs."""
        limits = self.task.limits
        memory = limits.memory // max(1, min(cores(), len(self.routes)))
        own = Limits(seconds, memory, limits.nodes, stop=stop)
        options = replace(self.task.options, move_values=self.task.options.move_values and self.quickest is None)
        task = replace(self.task, limits=own, options=options, watch=self.hear, proved=nobody, shared={})
        engine = route.engines[0].name
        unchecked: Solution | None = None
        try:
            with deadline(own), reading_under(own):
                unchecked = solution_of(self.game, route.answer(self.game, task), task.target)
                solution = checked(unchecked, options, own)
        except NotApplicableError as error:
            return _Asked(Told(route.name, engine, note=str(error), refused=True))
        except DisagreementError as error:
            said = Told(route.name, engine) if unchecked is None else _told(route, self.game, unchecked)
            return _Asked(said, wrong=str(error))
        except (Stopped, LimitReachedError, MemoryError, KeyboardInterrupt) as error:
            return _Asked(Told(route.name, engine, note=str(error) or "out of memory"))
        return _Asked(_told(route, self.game, solution), solution if _can_be_sent(solution) else None)

    def hear(self, progress: Progress) -> None:
        """Progress is shown only where all runs in one process."""

    def note(self, ended: Ended) -> None:
        """Keeps what a route said."""
        route = self.routes[ended.number]
        asked: _Asked = ended.result or _Asked(Told(route.name, route.engines[0].name, note=ended.why_not))
        told = replace(asked.told, cpu_seconds=ended.cpu_seconds)
        self.asked[ended.number] = replace(asked, told=told)
        if told.status == "solved":
            self.quickest = min(ended.cpu_seconds, self.quickest or ended.cpu_seconds)
        self.task.watch(Progress(route.name, ended.cpu_seconds, told.nodes))


def _solved_by(route: Route, game: Game, task: Task) -> Solution:
    """The checked solution of one route."""
    answer = route.answer(game, task)
    return checked(solution_of(game, answer, task.target), task.options, task.limits)


def _can_be_sent(solution: Solution) -> bool:
    """Whether a solution can go from a lane to whoever waits for it: a game may hold what cannot be written down."""
    try:
        pickle.dumps(solution)
    except Exception:  # whatever pickle meets in objects of others
        return False
    return True


def _stopped(route: Route) -> _Asked:
    return _Asked(Told(route.name, route.engines[0].name, note="there was no time for it"))


def _told(route: Route, game: Game, solution: Solution) -> Told:
    """The line of the table that a solution makes."""
    winner = solution.winner
    if solution.about is not None and winner in solution.about.roles:
        winner = game.roles[solution.about.roles.index(winner)]
    checked_so = None if solution.certificate is None and not solution.verified else solution.verified
    return Told(
        route.name,
        route.engines[0].name,
        solution.status,
        solution.value,
        solution.bounds,
        winner,
        {} if solution.about is not None else dict(solution.values),
        None if solution.move is None else solution.game.move_text(solution.move),
        int(solution.stats.get("nodes") or 0),
        checked=checked_so,
        note=solution.note,
    )
