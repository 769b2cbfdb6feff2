"""The player ``exact``: plays a proved best move where it finds a proof in time, else what tree search says.

Where one player moves at a time and nothing repeats, the proof is alpha-beta search from the position. Smaller games of
other kinds are written out once and solved everywhere: by retrograde analysis where positions repeat, by backward
induction where chance moves, where several move at once or where there are more than two players.

Half of the clock is for the proof. Without one, ``uct`` chooses in the time that is left; where the game is proved to
be lost it chooses too, since any move is as good by then and some set traps. In a game of more than two players with
interests of their own the move is an equilibrium's (max^n), which is not called proved.

>>> from zermelo.play.library_model import model_of
>>> from zermelo.play.player import Clock, make_player
>>> model = model_of("gdl:tictactoe:3,3,3")
>>> decision = make_player("exact", model, seat=0, seed=1).choose(model.start(), Clock(simulations=10_000))
>>> decision.value, decision.proved
(0.5, True)
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from zermelo import _native
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.gdl.game import why_hidden
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import Rulesheet
from zermelo.limits import Limits, step_watch
from zermelo.play.explored import MAX_POSITIONS, Solved, solved_everywhere
from zermelo.play.player import Clock, Decision, Player, RandomPlayer, make_player, need_known, register
from zermelo.search.backward import Backward, Interests
from zermelo.search.forward import ForwardModel, RulesheetModel, joint_moves
from zermelo.search.game_model import GameModel

PROOF_SHARE = 0.5
"""The part of the clock that is for a proof."""
NODES_A_SIMULATION = 32
"""What a simulation of a clock in simulations is worth in nodes of a proof: about the plies of a random game."""
NODES_A_POSITION = 16
"""What a position costs in nodes each of the two times that backward induction looks at it."""
WRITING_SECONDS = 10.0
"""For writing out a whole game, under a clock in simulations; games too large for that take longer anywhere."""
FIRST_POSITIONS, MORE_POSITIONS = 64, 8
"""How many positions are first written out, and how many times as many the next time."""
MOST_MOVES = 1000
"""Rulesheets of more moves are not written out: already to prepare that takes seconds."""
TABLE_BYTES_A_SECOND = 128 << 20
MOST_TABLE_BYTES = 256 << 20
LEAST_TABLE_BYTES = 4 << 20


@dataclass(frozen=True)
class Proof:
    """A best move of a seat and what it is worth there; not ``certain`` where it is only an equilibrium's."""

    move: int
    value: Fraction
    nodes: int
    certain: bool = True


class ExactPlayer:
    """Proves its move if it can; see above.

    >>> from zermelo.play.library_model import model_of
    >>> model = model_of("nim:1,2")
    >>> decision = ExactPlayer(model, seat=0, seed=1).choose(model.start(), Clock(seconds=1))
    >>> model.move_text(decision.move), decision.proved, decision.value
    ('1,1', True, 1.0)
    """

    def __init__(self, model: ForwardModel, seat: int, seed: int):
        self._model, self._seat = model, seat
        self._random = random.Random(seed)
        self._guess = _guesser(model, seat, seed)
        self._hidden = isinstance(model, RulesheetModel) and _is_hidden(model.game.sheet)
        self._searchable = not isinstance(model, RulesheetModel) or _is_searchable(model)
        self._solved: Solved | None = None
        self._explorable = True
        self._backward: Backward | None = None
        self._inducible = True

    def choose(self, position: Any, clock: Clock) -> Decision:
        """A proved move, or the best guess."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        proof = None if self._hidden else self._proof(position, _proof_limits(clock))
        spent = time.perf_counter() - begin
        if proof is not None and proof.value > 0:
            reason = "proved" if proof.certain else "an equilibrium's move"
            return Decision(proof.move, reason, 0, proof.nodes, spent, float(proof.value), proof.certain)
        guess = self._guess.choose(position, _rest(clock, spent))
        seconds = time.perf_counter() - begin
        if proof is None:
            return replace(guess, seconds=seconds)
        return replace(guess, nodes=guess.nodes + proof.nodes, seconds=seconds, value=0.0, proved=proof.certain)

    def _proof(self, position: Any, limits: Limits) -> Proof | None:
        """By the first way that takes the game; ``None`` if none does, or if time is up."""
        try:
            if self._searchable:
                return self._searched(position, limits)
        except _native.NotSearchable:
            self._searchable = False
        if self._backward is not None and position in self._backward:
            return self._by_induction(self._backward, position)
        if self._explorable and isinstance(self._model, RulesheetModel):
            self._explorable = False  # one try: the whole game does not get smaller on the way
            if len(self._model.game.moves) <= MOST_MOVES:
                self._solved = _written_out(self._model, limits)
        if self._solved is not None and (proof := self._looked_up(self._solved, position)) is not None:
            return proof
        return self._induced(position, limits)

    def _searched(self, position: Any, limits: Limits) -> Proof | None:
        """By alpha-beta on the ground game or on the native twin."""
        native = _native_game(self._model, position)
        if native is None:
            raise _native.NotSearchable
        if native.over or native.turn != self._model.seats.index(self._seat):
            return None
        params, seconds = _native.SearchParams(), limits.seconds_left()
        wanted = MOST_TABLE_BYTES if seconds is None else int(seconds * TABLE_BYTES_A_SECOND)
        params.table_bytes = min(max(wanted, LEAST_TABLE_BYTES), MOST_TABLE_BYTES)
        control = _native.Control(0.0 if seconds is None else max(seconds, 1e-3), limits.nodes or 0)
        engine = "alphabeta" if "alphabeta" in native.engines else "dp"
        outcome = native.search(engine, params).solve(control)
        if not outcome.solved or outcome.move < 0:
            return None
        move = self._model.legal(position, self._seat)[outcome.move]
        return Proof(move, self._own(position, outcome.lower), control.nodes)

    def _looked_up(self, solved: Solved, position: bytes) -> Proof | None:
        found = solved.best(position)
        if found is None:
            return None
        return Proof(self._model.legal(position, self._seat)[found[0]], self._own(position, found[1]), 0)

    def _induced(self, position: Any, limits: Limits) -> Proof | None:
        """By backward induction from the position on."""
        if not self._inducible:
            return None
        try:
            few = None if limits.nodes is None else max(limits.nodes // NODES_A_POSITION, 1)
            self._backward = Backward(self._model, position, step_watch(replace(limits, nodes=few), often=4))
        except LimitReachedError:
            return None
        except NotApplicableError:
            self._inducible = False
            return None
        return self._by_induction(self._backward, position)

    def _by_induction(self, backward: Backward, position: Any) -> Proof:
        mixture = backward.mixture(position, self._seat)
        [move] = self._random.choices(list(mixture), [float(chance) for chance in mixture.values()])
        value = backward.values(position)[self._model.seats.index(self._seat)]
        return Proof(move, value, len(backward), backward.interests is not Interests.MIXED)

    def _own(self, position: Any, first: int | Fraction) -> Fraction:
        """What the seat gets, from 0 to 1, where a kernel says that the first player gets so much."""
        model = self._model
        if isinstance(model, GameModel):
            problem = model.problem_at(position)
            assert problem is not None
            low, high = model.score_range
            score, total = Fraction(problem.exact(int(first))), Fraction(problem.total)
        else:
            low, high = Fraction(0), Fraction(100)
            score, total = Fraction(first), self._total
        own = score if self._seat == model.seats[0] else total - score
        return min(max((own - low) / (high - low), Fraction(0)), Fraction(1)) if low < high else Fraction(1, 2)

    @cached_property
    def _total(self) -> Fraction:
        """What the scores of a rulesheet add up to: the kernels take it only if that is the same at every end."""
        model, position = self._model, self._model.start()
        while not model.over(position):
            position = model.play(position, [moves[0] for moves in joint_moves(model, position)])
        return 100 * sum((model.score(position, seat) for seat in model.seats), Fraction(0))


def _written_out(model: RulesheetModel, limits: Limits) -> Solved | None:
    """The whole game solved, if it is small enough for the time: tried with more and more positions.

    Parts of that cannot be stopped half-way, so each try says whether there is time for the next one.
    """
    most = FIRST_POSITIONS
    while True:
        began, left = time.perf_counter(), limits.seconds_left()
        seconds = WRITING_SECONDS if left is None else max(left, 1e-3)
        try:
            return solved_everywhere(model.game, seconds, step_watch(limits), most)
        except _native.Stopped:
            taken, left = time.perf_counter() - began, limits.seconds_left()
            if most >= MAX_POSITIONS or (left is not None and MORE_POSITIONS * taken > left):
                return None
            most *= MORE_POSITIONS
        except (_native.NotSearchable, LimitReachedError, MemoryError):
            return None


_searchable: WeakKeyDictionary[RulesheetModel, bool] = WeakKeyDictionary()
"""What is known of rules in use; weak, since native objects must not outlive the module they come from."""


def _is_searchable(model: RulesheetModel) -> bool:
    """Whether the exact kernels take the game, as far as its start tells: to see that takes seconds for some games."""
    if model not in _searchable:
        native = model.game.native.searchable(model.start())
        _searchable[model] = native is not None
        try:
            if native is not None and not native.over:
                native.search("alphabeta", _native.SearchParams()).solve(_native.Control(0.0, 1))
        except _native.NotSearchable:
            _searchable[model] = False
    return _searchable[model]


@lru_cache(maxsize=8)
def _is_hidden(sheet: Rulesheet) -> bool:
    """Whether some role does not see every move: then a position is not all that matters."""
    return why_hidden(Reasoner(sheet)) is not None


def _native_game(model: ForwardModel, position: Any) -> _native.Game | None:
    """The position as the exact kernels take it; ``None`` if they do not."""
    if isinstance(model, RulesheetModel):
        return model.game.native.searchable(position)
    problem = model.problem_at(position) if isinstance(model, GameModel) else None
    return None if problem is None or problem.why_not_exact() is not None else problem.native


def _proof_limits(clock: Clock) -> Limits:
    if clock.seconds is None:
        assert clock.simulations is not None
        return Limits(nodes=max(int(clock.simulations * NODES_A_SIMULATION * PROOF_SHARE), 1))
    assert clock.usable_seconds is not None
    return Limits(clock.usable_seconds * PROOF_SHARE)


def _rest(clock: Clock, spent: float) -> Clock:
    """The clock without what a proof has taken; of a clock in simulations always the same part, so that play is."""
    if clock.seconds is None:
        assert clock.simulations is not None
        return Clock(simulations=max(int(clock.simulations * (1 - PROOF_SHARE)), 1))
    return Clock(max(clock.seconds - spent, 1e-3))


def _guesser(model: ForwardModel, seat: int, seed: int) -> Player:
    """Who chooses where there is no proof."""
    try:
        return make_player("uct", model, seat, seed)
    except NotApplicableError:
        return RandomPlayer(model, seat, seed)


@register("exact", "plays a proved best move where it finds one in time")
def _exact(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    need_known("exact", settings, ())
    return ExactPlayer(model, seat, seed)
