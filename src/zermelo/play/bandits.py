"""Players that search trees with bandits: MAC-UCB, UCT and their relatives.

On a rulesheet all of them search its ground game. On other games ``mac-ucb`` and ``fc-ucb`` search the native twin, or
the game written out if it is small, as long as one role moves at a time, nothing is left to chance and scores are
opposed; the others use what only a rulesheet has, and refuse.

>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.search.forward import rulesheet_model
>>> from zermelo.play.player import Clock, make_player
>>> model = rulesheet_model(rulesheet("tictactoe"))
>>> decision = make_player("uct", model, seat=0, seed=1).choose(model.start(), Clock(simulations=2000))
>>> decision.simulations, model.move_text(decision.move)
(2000, '(mark b 2)')
>>> decision = make_player("mac-ucb", model, seat=0, seed=1).choose(model.start(), Clock(simulations=100_000))
>>> decision.value, decision.proved
(0.5, True)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from zermelo import _native
from zermelo.errors import ArgumentError, LimitReachedError, NotApplicableError
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.symmetries import symmetries
from zermelo.learn.values import Values, read_values
from zermelo.limits import Limits
from zermelo.play.player import Clock, Decision, Player, need_known, number_setting, register
from zermelo.play.rollout import EXPLORATION, MAX_STEPS
from zermelo.play.twin_player import TwinPlayer
from zermelo.search.forward import ForwardModel, RulesheetModel
from zermelo.search.game_model import GameModel
from zermelo.search.problem import Problem

TREE_BYTES: Final = 256 << 20
MEBIBYTE: Final = 1 << 20
MAC_EXPLORATION: Final = 0.55
"""Less than UCT's: in matches at othello it was stronger by it, and elsewhere no weaker."""
GRAVE: Final = 50
"""Statistics of moves wherever they were played guide the choice below a node with so many simulations."""
TURN: Final = 200_000
"""A turn with chance in it that has no more positions is solved to its end, where the clock allows it."""
_SAMPLED_GAMES, _SAMPLED_STEPS = 8, 200
"""Random games that show how many joint moves there are."""
_COMMON_SEED = 1
STAGE_SECONDS: Final = 10.0
"""The most that the network of a round may take to be made."""


@dataclass(frozen=True)
class Bandit:
    """How a tree of bandits searches; each field is a setting of the players that use it.

    ``share`` is the most of all work that solving may take, the rest is random games; ``ahead`` whether the one-stage
    problem of a new position is solved; ``joint`` how many joint moves of a position are played one by one for that,
    where more are left to constraint propagation; ``turn`` how many positions the rest of a turn with chance in it may
    have to be solved as a graph; ``prove`` the most of all work that the search for forced wins and losses may take;
    ``regret`` whether roles that choose at once match regrets and play what they played on average, and not each the
    best arm of UCB1; ``grave`` and ``mast`` use statistics of moves wherever they were
    played, ``grave`` where players have so many ``choices`` on average; ``plain`` proves nothing: decoupled UCT;
    ``values`` names a file of ``zermelo learn``, of which ``trust`` is the part in the reward of a leaf, beside random
    games, and ``prior`` the weight in the choice between moves (0: none);
    ``literal`` and ``samples`` are for the algorithm of Koriche et al. as printed. ``threads`` is how many trees grow
    at once, each in its thread, whose visits are added up; they share the ``memory``.
    """

    exploration: float = MAC_EXPLORATION
    share: float = 0.9
    ahead: bool = True
    joint: int = 1024
    turn: int = 0
    grave: int = 0
    choices: int = 16
    mast: float = 0.0
    plain: bool = False
    literal: bool = False
    samples: int = 10_000
    symmetric: bool = False
    prove: float = 0.0
    regret: bool = False
    kernel: str = "auto"
    values: str = ""
    trust: float = 1.0
    prior: float = 1.0
    memory: int = TREE_BYTES // MEBIBYTE
    threads: int = 1


class BanditPlayer:
    """Plays by a tree of bandits with proofs, which it keeps from move to move."""

    def __init__(self, model: RulesheetModel, seat: int, tree: _native.BanditTree):
        self._model, self._seat, self._tree = model, seat, tree

    def choose(self, position: bytes, clock: Clock) -> Decision:
        """The move with the highest lower bound, unless another is proved better; of a plain tree the most visited."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        self._tree.place(position)
        done = _run(self._tree, clock)
        move, value, proved = self._tree.verdict(self._seat)
        extra = {
            "solving share": self._tree.solving_share,
            "proving share": self._tree.proving_share,
            "AMAF error": self._tree.amaf_error,
            "kernel": self._tree.kernel,
            **stage_counts(self._tree),
        }
        return _decision(move, done, self._tree, begin, value, proved, extra)


class TwinBanditPlayer:
    """The same on a game that is no rulesheet: on its native twin, or on its graph if that is small.

    >>> from zermelo.play.library_model import model_of
    >>> model = model_of("connect:4,5,3")
    >>> player = TwinBanditPlayer(model, seat=0, seed=1, name="mac-ucb", bandit=MAC_UCB)
    >>> decision = player.choose(model.start(), Clock(simulations=20_000))
    >>> model.move_text(decision.move), decision.proved, decision.value
    ('c', True, 1.0)
    """

    def __init__(self, model: GameModel, seat: int, seed: int, name: str, bandit: Bandit):
        self._model, self._seat = model, seat
        problem = model.problem
        if problem is None:
            raise NotApplicableError(f"{name}: the game has no native twin and is too large to write out, take uct")
        if (reason := problem.why_not_exact()) is not None:
            raise NotApplicableError(f"{name}: {reason}")
        self._tree = _native.BanditTree(
            problem.native,
            bandit.memory * MEBIBYTE,
            seed,
            exploration=bandit.exploration,
            share=bandit.share,
            look_ahead=bandit.ahead,
            max_steps=MAX_STEPS,
        )

    def choose(self, position: Any, clock: Clock) -> Decision:
        """The move with the highest lower bound, unless another is proved better."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        problem = self._model.problem_at(position)
        if problem is None:
            raise NotApplicableError("a position that was not reached by playing")
        side = self._model.seats.index(self._seat)
        self._tree.place_game(problem.native)
        done = _run(self._tree, clock)
        move, value, proved = self._tree.verdict(side)
        place = [option[0] for option in self._tree.options(side)].index(move)
        extra = {"solving share": self._tree.solving_share}
        own = self._own(problem, value)
        return _decision(legal[place], done, self._tree, begin, own, proved, extra)

    def _own(self, problem: Problem, value: float) -> float:
        """What the seat expects, from 0 to 1: the kernels count from the worst score that they know to the best."""
        worst, best = problem.native.worst, problem.native.best
        first = value if self._seat == self._model.seats[0] else 1 - value
        score = problem.between(worst + first * (best - worst))
        low, high = self._model.score_range
        own = score if self._seat == self._model.seats[0] else float(problem.total) - score
        return min(max((own - float(low)) / float(high - low), 0.0), 1.0) if low < high else 0.5


def _run(tree: _native.BanditTree, clock: Clock) -> int:
    """Adds simulations to a tree until the clock stops them; how many there were."""
    seconds = clock.usable_seconds or 0.0
    control = _native.Control(seconds)
    if clock.processor:
        control.count_processor()
    return tree.run(sys.maxsize if clock.simulations is None else clock.simulations, seconds, control)


def _decision(
    move: int, done: int, tree: _native.BanditTree, begin: float, value: float, proved: bool, extra: Mapping[str, Any]
) -> Decision:
    seconds = time.perf_counter() - begin
    reason = "proved" if proved else "searched"
    return Decision(move, reason, done, tree.nodes, seconds, value, proved, extra=extra)


_rules: WeakKeyDictionary[GroundReasoner, _native.BanditRules] = WeakKeyDictionary()
_stages: WeakKeyDictionary[GroundReasoner, _native.BanditStage | None] = WeakKeyDictionary()
_symmetric: WeakKeyDictionary[GroundReasoner, _native.StateSymmetry] = WeakKeyDictionary()


def shared_rules(game: GroundReasoner, control: _native.Control | None = None) -> _native.BanditRules:
    """The kernels of a game, made once, whoever plays it. A control can stop that: :class:`_native.Stopped`.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> shared_rules(ground(rulesheet("matchingpennies"))).cooperative
    True
    """
    if game not in _rules:
        _rules[game] = _native.BanditRules(game.native, control)
    return _rules[game]


def shared_stage(game: GroundReasoner, joint: int, limits: Limits | None = None) -> _native.BanditStage | None:
    """The one-stage problem of a game as a network, made once; ``None`` where it is not needed or not to be had soon.

    It is needed where some position of a few random games has more joint moves than ``joint``. The limits are those of
    who asks first.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("matchingpennies"))
    >>> shared_stage(game, 1024), shared_stage(game, 3) is not None
    (None, True)
    """
    if shared_rules(game).most_joint_moves(_SAMPLED_GAMES, _SAMPLED_STEPS) <= joint:
        return None
    if game not in _stages:
        # What makes networks is large, and most games need none.
        from zermelo.encode.scsp.ahead import ahead_network, native_stage

        try:
            limits = limits or Limits(seconds=STAGE_SECONDS)
            _stages[game] = native_stage(ahead_network(game, limits), limits)
        except LimitReachedError:
            _stages[game] = None
    return _stages[game]


def stage_counts(tree: _native.BanditTree) -> dict[str, int]:
    """What constraint propagation did for a tree, as statistics of a decision; nothing where it was not asked.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> tree = bandit_tree(ground(rulesheet("matchingpennies")), 1, replace(MAC_UCB, joint=3))
    >>> tree.run(100, 0.0, _native.Control()) > 0, stage_counts(tree)["stages by MAC"]
    (True, 1)
    """
    asked, told, found = tree.stages
    return {"stages by MAC": asked, "bounded by MAC": told, "joint moves by MAC": found} if asked else {}


_values: WeakKeyDictionary[GroundReasoner, dict[tuple[str, int, int], Values]] = WeakKeyDictionary()


def shared_values(game: GroundReasoner, file: str) -> Values:
    """The values that a file holds, read once for each game as long as the file stays what it is.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> shared_values(ground(rulesheet("nim", "1,2")), "no/such.npz")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.npz: no such file
    """
    known = _values.setdefault(game, {})
    try:
        found = Path(file).stat()
    except OSError:
        return read_values(file, game)
    key = (file, found.st_mtime_ns, found.st_size)
    if key not in known:
        known[key] = read_values(file, game)
    return known[key]


def _shared_symmetry(game: GroundReasoner) -> _native.StateSymmetry:
    if game not in _symmetric:
        _symmetric[game] = symmetries(game).states
    return _symmetric[game]


def bandit_tree(game: GroundReasoner, seed: int, bandit: Bandit) -> _native.BanditTree:
    """A tree at the start of a game.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> tree = bandit_tree(ground(rulesheet("nim", "1,2")), 1, MAC_UCB)
    >>> _ = tree.run(1000, 0.0, _native.Control())
    >>> tree.bounds(0) == (100 << 32, 100 << 32)
    True
    """
    return _native.BanditTree(_plan(game, seed, bandit, None))


def ongoing_search(
    game: GroundReasoner, role: int, seed: int, bandit: Bandit, limits: Limits | None = None
) -> _native.OngoingSearch:
    """The same tree in a thread of its own, which searches wherever it is told to; the limits are those of the stage.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> game = ground(rulesheet("nim", "1,2"))
    >>> run = ongoing_search(game, 0, 1, MAC_UCB)
    >>> run.search(7, game.native.start(), 0.0)
    >>> while not run.best().decided:
    ...     time.sleep(0.01)
    >>> run.close()
    >>> run.best().turn, game.moves[run.best().move], run.best().value
    (7, '(take b 1)', 1.0)
    """
    return _native.OngoingSearch(_plan(game, seed, bandit, limits), role)


def _plan(game: GroundReasoner, seed: int, bandit: Bandit, limits: Limits | None) -> _native.BanditPlan:
    """Players with one goal and too many joint moves to list them meet by thinking alike: there all have one seed."""
    rules, stage = shared_rules(game), shared_stage(game, bandit.joint, limits) if bandit.ahead else None
    return _native.BanditPlan(
        rules,
        game.native.start(),
        bandit.memory * MEBIBYTE,
        _COMMON_SEED if stage is not None and rules.cooperative else seed,
        exploration=bandit.exploration,
        share=bandit.share,
        look_ahead=bandit.ahead,
        max_steps=MAX_STEPS,
        grave=bandit.grave,
        choices=bandit.choices,
        mast=bandit.mast,
        plain=bandit.plain,
        literal=bandit.literal,
        samples=bandit.samples,
        kernel=bandit.kernel,
        joint=bandit.joint,
        prove=bandit.prove,
        regret=bandit.regret,
        turn=bandit.turn,
        stage=stage,
        symmetry=_shared_symmetry(game) if bandit.symmetric else None,
        values=shared_values(game, bandit.values).model if bandit.values else None,
        trust=bandit.trust,
        prior=bandit.prior,
        threads=bandit.threads,
    )


def _with_settings(name: str, bandit: Bandit, settings: Mapping[str, str], known: tuple[str, ...]) -> Bandit:
    need_known(name, settings, known)
    changes: dict[str, Any] = {}
    for key, text in settings.items():
        if key == "values":
            changes[key] = text
            continue
        if key == "kernel":
            if text not in ("auto", "single", "bulk"):
                raise ArgumentError(f"kernel={text} is none, expected auto, single or bulk")
            changes[key] = text
            continue
        value = number_setting(settings, key, 0)
        least, most = _RANGES[key]
        if not least <= value <= most:
            raise ArgumentError(f"{key}={text} is not between {least} and {most}")
        whole = isinstance(getattr(bandit, key), int)
        if whole and value != int(value):
            raise ArgumentError(f"{key}={text} is no whole number")
        changes[key] = type(getattr(bandit, key))(int(value) if whole else value)
    return replace(bandit, **changes)


_RANGES: Final = {
    "exploration": (0, 100),
    "share": (0, 1),
    "prove": (0, 1),
    "regret": (0, 1),
    "grave": (0, 1_000_000),
    "choices": (0, 1_000_000),
    "mast": (0, 100),
    "samples": (1, 1_000_000_000),
    "joint": (1, 1_000_000),
    "trust": (0, 1),
    "prior": (0, 100),
    "turn": (0, 10_000_000),
    "memory": (1, 1 << 20),
    "threads": (1, 1024),
}
_LEARNT: Final = ("values", "trust", "prior")
_SEARCH: Final = ("exploration", "share", "prove", "regret", "grave", "choices", "mast", "joint", "turn")
_ALL: Final = (*_SEARCH, "kernel", "memory", "threads", *_LEARNT)

_TWIN: Final = ("exploration", "share", "memory")
"""Settings that mean something on games that are no rulesheets."""

MAC_UCB: Final = Bandit(grave=GRAVE, regret=True, turn=TURN)
UCT: Final = Bandit(exploration=EXPLORATION, ahead=False, plain=True)
"""Every role for itself, without proofs: the baseline."""
BANDITS: Final[Mapping[str, tuple[Bandit, tuple[str, ...], str]]] = {
    "mac-ucb": (MAC_UCB, _ALL, "solves each stage of the game ahead and samples the rest by UCB1, with proofs"),
    "fc-ucb": (
        replace(MAC_UCB, ahead=False, turn=0),
        _ALL,
        "mac-ucb without looking ahead: an end is seen when it is reached",
    ),
    "mac-ucb-sym": (replace(MAC_UCB, symmetric=True), _ALL, "mac-ucb on positions up to the symmetries of the rules"),
    "grave": (
        Bandit(grave=GRAVE, choices=0, kernel="single"),
        _ALL,
        "mac-ucb with random games one at a time, always guided by statistics of moves (GRAVE)",
    ),
    "mast": (
        Bandit(mast=0.1, kernel="single"),
        _ALL,
        "mac-ucb with random games, one at a time, that prefer moves good elsewhere",
    ),
    "paper-literal": (
        Bandit(ahead=False, literal=True),
        ("samples", "kernel", "memory", "threads"),
        "the algorithm of Koriche et al. (2016) as printed: a bandit at one level, one threshold for all",
    ),
}
"""The players that are trees with proofs: how each searches, which settings it takes, what it is."""


_WHY_RULESHEET: Final = {
    "mac-ucb-sym": "whose symmetries are found from its rules",
    "grave": "whose moves have numbers to count them by",
    "mast": "whose moves have numbers to count them by",
}


def _register(name: str) -> None:
    bandit, known, summary = BANDITS[name]

    @register(name, summary)
    def make(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
        if isinstance(model, GameModel) and name in ("mac-ucb", "fc-ucb"):
            return TwinBanditPlayer(model, seat, seed, name, _with_settings(name, bandit, settings, _TWIN))
        chosen = _with_settings(name, bandit, settings, known)
        if not isinstance(model, RulesheetModel):
            raise NotApplicableError(
                f"{name}: expected a rulesheet, {_WHY_RULESHEET.get(name, 'this is another game')}"
            )
        return BanditPlayer(model, seat, bandit_tree(model.game, seed, chosen))


for _name in BANDITS:
    _register(_name)


@register("uct", "Monte-Carlo tree search by UCB1 (Kocsis and Szepesvari 2006)")
def _uct(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    chosen = _with_settings(
        "uct", UCT, settings, ("exploration",) if isinstance(model, GameModel) else ("exploration", "threads")
    )
    if isinstance(model, GameModel):
        return TwinPlayer(model, seat, seed, chosen.exploration)
    if not isinstance(model, RulesheetModel):
        raise NotApplicableError("uct: expected a game with a ground rulesheet")
    return BanditPlayer(model, seat, bandit_tree(model.game, seed, chosen))
