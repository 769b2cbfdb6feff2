"""Chooses moves under a clock: exactly where a game can be solved in time, by tree search otherwise.

:class:`OpenThinker` knows the position of a ground game, :class:`PlainThinker` that of rules which are too large to
ground. :class:`HiddenThinker` plays GDL-II games, in which a role only knows what it perceives: from the positions of
its :class:`~zermelo.play.belief.Belief` it searches among what roles know; or it searches several of these positions
and takes the move that is best on average (perfect-information Monte Carlo: Long, Sturtevant, Buro and Furtak 2010).

All of them think about a :class:`~zermelo.play.turn.Turn` until it is over. The first thing that they tell it is a
legal move, then what they have found so far, so that whoever has to answer need not wait for the end.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

from zermelo import _native
from zermelo.decision import Clock, Decision, Player
from zermelo.errors import ArgumentError, InputError
from zermelo.gdl.game import why_hidden
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.limits import Limits
from zermelo.play.bandits import MAC_UCB, UCT, Bandit, bandit_tree, ongoing_search, shared_rules
from zermelo.play.belief import Belief
from zermelo.play.explored import Solved, solved_everywhere
from zermelo.play.ggp_message import meant
from zermelo.play.information_sets import InformationSearch
from zermelo.play.plain_tree import PlainTree
from zermelo.play.rollout import Estimate, Rollouts
from zermelo.play.turn import Turn
from zermelo.search.forward import ForwardModel, PerceivedModel, RulesheetModel

THREAD = "zermelo.thought"
"""The name of all threads that think, but for that of the native search."""
PROVERS = ("pns", "alphabeta")
"""How the search for a proof goes: the first has half of the time. In 80 positions of five sheets, with as many nodes,
proof-number search proved 50 where alpha-beta proved 25."""
PROVER_BYTES = 128 << 20
GIVES_WAY = 10
"""By so much the search for a proof is nicer than the others."""
LOOK_SECONDS = 0.02
"""So often it is looked whether a proof has been found."""
PIECE_SECONDS = 0.1
"""So long a piece of a search from a believed position may take, after which it tells what it has found."""
QUIET_SECONDS = 0.02
"""So long before the end of a turn who plays in Python is quiet: who answers needs the lock of the interpreter."""
BELIEVED = 16
"""From so many believed positions a search is made."""
BELIEVED_SIMULATIONS = 20_000
"""So many simulations are made from each of them."""
TOLD_EVERY = 16
"""After so many games among what roles know the best move is told."""
PLAIN, GROUND = 0, 1
"""The voices of thinkers that play from the rules as they stand, and of those that have the ground game."""


class Thinker(Player, Protocol):
    """A player that thinks aloud: about one turn after the other, in one thread, and on the time of the others."""

    def think(self, turn: Turn) -> None: ...
    def close(self) -> None: ...


def chosen(thinker: Thinker, model: ForwardModel, legal: Sequence[int], clock: Clock) -> Decision:
    """What a thinker chooses among its legal moves within the time; with a single one, or a proof, at once."""
    if clock.usable_seconds is None:
        raise ArgumentError(f"{clock} is no clock to think by, expected one in seconds")
    turn = Turn(time.monotonic_ns(), time.monotonic() + clock.usable_seconds)
    thinker.think(turn)
    found = turn.best()
    assert found is not None, "the first thing that is told is a legal move"
    return replace(found, move=next(move for move in legal if model.move_text(move) == found.move))


class OpenThinker:
    """Plays one role of a ground game whose position everybody knows.

    The search has native threads of its own, as many as the ``bandit`` says, from the first turn until it is told to
    rest, or closed. From one turn to the next it goes without a stop.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> thinker = OpenThinker(ground(rulesheet("tictactoe")), 0)
    >>> thinker.choose(thinker.state, Clock(10.0)).reason
    'proved'
    >>> thinker.close()
    """

    def __init__(
        self,
        game: GroundReasoner,
        role: int,
        *,
        seed: int = 1,
        exact: bool = True,
        limits: Limits | None = None,
        bandit: Bandit = MAC_UCB,
    ):
        self.game, self.role, self.exact, self.bandit = game, role, exact, bandit
        self.explored: Solved | None = None
        self.model = RulesheetModel(game)
        self.state = self.model.start()
        self.run = ongoing_search(game, role, seed, bandit, limits)
        self._least = shared_rules(game).least(role) / 100

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        self.state = self.model.play(self.state, joint_meant(self.model, self.state, joint))

    def choose(self, position: bytes, clock: Clock) -> Decision:
        """The best move found within the time; with a single legal move, or a proof, at once."""
        self.state = position
        try:
            return chosen(self, self.model, self.model.legal(position, self.role), clock)
        finally:
            self.rest()

    def think(self, turn: Turn) -> None:
        """Searches while the turn lasts, and after it until told to rest: that counts after the next moves."""
        legal = some_move(self.model, self.model.legal(self.state, self.role), self.role)
        turn.tell(Decision(self.model.move_text(legal[0]), "the first legal move"), GROUND)
        if len(legal) == 1:
            turn.settle(Decision(self.model.move_text(legal[0]), "the only legal move"))
        seconds = turn.seconds()
        if turn.idle > turn.end or (seconds > 0 and len(legal) > 1):
            self.run.search(turn.number, self.state, max(seconds, LOOK_SECONDS))
            turn.ask(lambda: self._found(turn.number), GROUND)
        prover = _Prover(self, seconds) if self.exact and seconds > 0 and len(legal) > 1 else None
        try:
            while not (turn.settled or turn.seconds() == 0 or turn.wait(LOOK_SECONDS)):
                self._look(turn, prover)
        finally:
            if prover is not None:
                prover.stop()
                self.exact, self.explored = not prover.refused, prover.explored
        turn.wait(turn.idle - time.monotonic())  # the search goes on, on the time of the others

    def rest(self) -> None:
        """There is no turn to think about."""
        self.run.rest()

    def close(self) -> None:
        """Ends the search."""
        self.run.close()

    def _look(self, turn: Turn, prover: _Prover | None) -> None:
        """Settles the turn where a proof is there."""
        found = self.run.best()
        if prover is not None and prover.move is not None:
            turn.settle(Decision(prover.move, "proved", found.simulations if found.turn == turn.number else 0))
        elif found.turn == turn.number and found.decided and (thought := self._found(turn.number)) is not None:
            turn.settle(thought)

    def _found(self, number: int) -> Decision | None:
        """What the search has published for a turn, if anything: never for another."""
        found = self.run.best()
        if found.turn != number or found.move < 0:
            return None
        proved = found.decided and found.value > self._least
        return Decision(self.game.moves[found.move], "proved" if proved else "searched", found.simulations)


class _Prover:
    """Looks for a proof of the best move in a thread of its own, while the tree search runs.

    By proof numbers, which find forced wins soonest, and then by alpha-beta; where those are refused by retrograde
    analysis, or by backward induction where chance moves, if the game is small.
    """

    def __init__(self, thinker: OpenThinker, seconds: float):
        self.game, self.state, self.role = thinker.game, thinker.state, thinker.role
        self.explored = thinker.explored
        self.move: str | None = None
        self.refused = False
        self._seconds = seconds
        self._control = _native.Control(seconds)
        self._controls = [_native.Control(seconds / 2), self._control]
        self._stopped = False
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def stop(self) -> None:
        """It need not be waited for: what it works on is its own."""
        self._stopped = True
        for control in list(self._controls):
            control.stop()

    def _hear(self, control: _native.Control) -> None:
        self._controls.append(control)
        if self._stopped:
            control.stop()

    def _run(self) -> None:
        with suppress(_native.NotSearchable, _native.Stopped, MemoryError):
            try:
                found = self._found() if self.explored is None else self._looked_up(self.explored)
            except _native.NotSearchable:
                self.refused = True  # unless the game is small
                self.explored = solved_everywhere(self.game, self._seconds, self._go_on, hear=self._hear)
                self.refused = False
                found = self._looked_up(self.explored)
            if found is not None:
                self.move = self.game.moves[self.game.native.legal(self.state, self.role)[found]]

    def _go_on(self) -> None:
        if self._stopped or self._control.elapsed > self._seconds:
            raise _native.Stopped

    def _found(self) -> int | None:
        native = self.game.native.searchable(self.state, self._control)
        if native is None:
            raise _native.NotSearchable
        if native.over or native.turn != self.role:
            return None
        params = _native.SearchParams()
        params.table_bytes = PROVER_BYTES
        for engine, control in zip(PROVERS, self._controls[:2], strict=True):
            # Low priority is for native threads alone: a Python thread that has it keeps all others waiting for the
            # lock of the interpreter, and they are late.
            outcome = native.solve_aside(engine, params, control, GIVES_WAY)
            if outcome.solved:
                return outcome.move if self._is_worth(outcome.lower, native.worst, native.best) else None
        return None

    def _looked_up(self, explored: Solved) -> int | None:
        found = explored.best(self.state)
        return found[0] if found is not None and self._is_worth(found[1], explored.least, explored.most) else None

    def _is_worth(self, value: int | Fraction, least: int, most: int) -> bool:
        """Not to lose: where that is all there is, any move is as good, and the search sets more traps."""
        first = next(number for number, role in enumerate(self.game.roles) if role != RANDOM)
        return value != (least if self.role == first else most)


class PlainThinker:
    """Plays by a tree on the rules as they stand, where the ground game is too large or came too late.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.search.forward import ReasonerModel
    >>> model = ReasonerModel(Reasoner(rulesheet("nim", "1")))
    >>> decision = PlainThinker(model, 0).choose(model.start(), Clock(0.1))
    >>> model.move_text(decision.move), decision.reason
    ('(take a 1)', 'the only legal move')
    """

    def __init__(self, model: ForwardModel, role: int, *, seed: int = 1):
        self.model, self.role = model, role
        self.state = model.start()
        self.retired = False
        self._tree = PlainTree(model, role, seed)

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        self.state = self.model.play(self.state, joint_meant(self.model, self.state, joint))

    def choose(self, position: Any, clock: Clock) -> Decision:
        """The best move found within the time; with a single legal move, or a proof, at once."""
        self.state = position
        return chosen(self, self.model, self.model.legal(position, self.role), clock)

    def think(self, turn: Turn) -> None:
        """Searches until the answer is wanted; tells after each simulation which move is best."""
        legal = some_move(self.model, self.model.legal(self.state, self.role), self.role)
        turn.tell(Decision(self.model.move_text(legal[0]), "the first legal move"), PLAIN)
        if len(legal) == 1:
            turn.settle(Decision(self.model.move_text(legal[0]), "the only legal move"))
            return
        tree = self._tree
        tree.place(self.state)

        def stop() -> bool:
            return self.retired or turn.over or turn.seconds() < QUIET_SECONDS

        while not stop() and not tree.proved and tree.simulate(stop):
            turn.tell(self._thought("searched by the rules as they stand"), PLAIN)
        if tree.proved:
            turn.settle(self._thought("proved"))

    def _thought(self, reason: str) -> Decision:
        return Decision(self.model.move_text(self._tree.best()), reason, self._tree.simulations)

    def close(self) -> None:
        """Nothing goes on behind it."""
        self.retired = True


Search = Callable[[Any, float, int, Turn], Iterator[Estimate]]
"""How good our moves are in a position, better and better, within some seconds and simulations and the turn."""


class HiddenThinker:
    """Plays one role of a game in which roles perceive only part of what happens.

    ``search`` says how good our moves are in a position; random games by default. If ``informed``, positions are not
    searched one by one: one search goes among what roles know
    (:class:`~zermelo.play.information_sets.InformationSearch`), which is right where something stays hidden.
    """

    def __init__(
        self,
        model: PerceivedModel,
        role: int,
        *,
        seed: int = 1,
        search: Search | None = None,
        voice: int = PLAIN,
        informed: bool = False,
    ):
        self.model, self.role, self.voice, self.informed = model, role, voice, informed
        self.retired = False
        self.belief = Belief(model, role, seed)
        self._seed = seed
        self._search: Search = search or self._play_out

    def advance(self, move: str, percepts: Sequence[str], seconds: float = 1.0, patience: float | None = None) -> None:
        """We have moved and perceived."""
        self.belief.advance(move, percepts, seconds, patience)

    def choose(self, position: Belief, clock: Clock) -> Decision:
        """The move that is best on average over what we believe."""
        self.belief = position
        return chosen(self, self.model, self.belief.legal(), clock)

    def think(self, turn: Turn) -> None:
        """Searches from one believed position after the other; tells after each which move is best on average."""
        legal = some_move(self.model, self.belief.legal(), self.role)
        turn.tell(Decision(self.model.move_text(legal[0]), "the first legal move"), self.voice)
        if len(legal) == 1:
            turn.settle(Decision(self.model.move_text(legal[0]), "the only legal move"))
            return
        if self.informed:
            self._search_knowledge(turn)
            return
        value = dict.fromkeys(legal, 0.0)
        simulations = 0
        believed = self.belief.sample(BELIEVED)
        # One guess among many deserves no more than that; a position that we know deserves all the time there is.
        most = BELIEVED_SIMULATIONS if len(believed) > 1 else sys.maxsize
        best = legal[0]
        for left, (state, weight) in zip(range(len(believed), 0, -1), believed, strict=True):
            share = turn.seconds() / left
            if share <= 0:
                return
            total, made = value, 0
            for estimate in self._search(state, share, most, turn):
                total = {move: value[move] + weight * estimate.means.get(move, 0.0) for move in legal}
                best, made = max(legal, key=lambda move: total[move]), estimate.simulations
                # What is solved counts as well as what is searched.
                turn.tell(self._thought(best, max(1, simulations + made)), self.voice)
            value, simulations = total, simulations + made
            if self.retired or turn.closed:  # it was cut short: there may be better
                return
        turn.settle(self._thought(best, simulations))

    def close(self) -> None:
        """Nothing goes on behind it."""
        self.retired = True

    def _search_knowledge(self, turn: Turn) -> None:
        search = InformationSearch(self.belief, self._seed)

        def stop() -> bool:
            return self.retired or turn.over or turn.seconds() < QUIET_SECONDS

        while not stop() and search.play(stop):
            if search.simulations % TOLD_EVERY == 1:
                turn.tell(self._thought(search.best(), search.simulations), self.voice)

    def _thought(self, move: int, simulations: int) -> Decision:
        return Decision(self.model.move_text(move), "best on average", simulations)

    def _play_out(self, state: Any, seconds: float, most: int, turn: Turn) -> Iterator[Estimate]:
        end = time.monotonic() + seconds
        games = Rollouts(self.model, state, self.role, self._seed)

        def stop() -> bool:
            return self.retired or turn.over or time.monotonic() >= end or turn.seconds() < QUIET_SECONDS

        while games.simulations < most and not stop() and games.play(stop):
            yield games.estimate()


def hidden_thinker(
    game: GroundReasoner, role: int, seed: int = 1, control: _native.Control | None = None, threads: int = 1
) -> HiddenThinker:
    """A player of a ground game with percepts.

    Where they tell everything it searches trees, and solves small games; else it searches among what roles know.
    """
    shared_rules(game, control)  # which can be called off
    tree = bandit_tree(game, seed, replace(UCT, threads=threads))
    solver = _Solver(game, role)

    def solved(state: bytes, simulations: int) -> Estimate | None:
        move = solver.move(state)
        return None if move is None else Estimate({move: 1.0}, simulations)

    def search(state: bytes, seconds: float, most: int, turn: Turn) -> Iterator[Estimate]:
        """By whole batches: pieces grow by number until they take a while, and none ends before its time."""
        if (found := solved(state, 0)) is not None:
            yield found
            return
        tree.place(state)
        heard = turn.heard_by(_native.Control(max(0.001, seconds)))
        simulations, piece = 0, 512 if tree.kernel == "bulk" else 16
        with solver.at_work(heard, turn):
            while simulations < most:
                begin = time.monotonic()
                done = tree.run(min(piece, most - simulations), 0.0, heard)
                simulations += done
                if (found := solved(state, simulations)) is not None:
                    yield found
                    return
                if done:
                    means = {move: mean for move, visits, mean, *_ in tree.options(role) if visits}
                    yield Estimate(means, simulations)
                if not done or heard.cause != "none":
                    return
                if time.monotonic() - begin < PIECE_SECONDS / 2:
                    piece *= 2

    hides = why_hidden(Reasoner(game.sheet)) is not None
    return HiddenThinker(RulesheetModel(game), role, seed=seed, search=search, voice=GROUND, informed=hides)


class _Solver:
    """The best moves of a small game in which percepts tell everything, worked out beside the first search."""

    def __init__(self, game: GroundReasoner, role: int):
        self._game, self._role = game, role
        self._solved: Solved | None = None
        self._hopeless = why_hidden(Reasoner(game.sheet)) is not None

    def move(self, state: bytes) -> int | None:
        """A move that is proved to be best; ``None`` if there is no proof."""
        found = None if self._solved is None else self._solved.best(state)
        return None if found is None else self._game.native.legal(state, self._role)[found[0]]

    @contextmanager
    def at_work(self, search: _native.Control, turn: Turn) -> Iterator[None]:
        """Solves the game meanwhile, which then stops the search; what is not solved in time never will be."""
        if self._hopeless or self._solved is not None:
            yield
            return
        over = threading.Event()

        def go_on() -> None:
            if over.is_set():
                raise _native.Stopped

        def solve() -> None:
            try:
                self._solved = solved_everywhere(self._game, max(turn.seconds(), 0.001), go_on, hear=turn.heard_by)
            except (_native.NotSearchable, _native.Stopped, MemoryError):
                self._hopeless = True
            else:
                search.stop()

        threading.Thread(target=solve, name=THREAD, daemon=True).start()
        try:
            yield
        finally:
            over.set()


def joint_meant(model: ForwardModel, position: Any, joint: Sequence[str]) -> list[int]:
    """The legal moves that a joint move means; :class:`InputError` if it means none."""
    roles = model.roles
    if len(joint) != len(roles):
        raise InputError(f"a joint move of {len(joint)} moves, expected {len(roles)}: one each for {', '.join(roles)}")
    if model.over(position):
        raise InputError("a joint move after the end of the game")
    numbers = []
    for role, text in enumerate(joint):
        legal = {model.move_text(move): move for move in model.legal(position, role)}
        numbers.append(legal[meant(text, list(legal))])
    return numbers


def some_move(model: ForwardModel, legal: list[int], role: int) -> list[int]:
    """The moves of a role, by their text; :class:`InputError` if there are none.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.search.forward import rulesheet_model
    >>> some_move(rulesheet_model(rulesheet("nim", "1")), [], 0)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: first has no legal move here
    """
    if not legal:
        raise InputError(f"{model.roles[role]} has no legal move here")
    return sorted(legal, key=model.move_text)
