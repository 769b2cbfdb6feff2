"""Rulesheets in the Game Description Language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

from zermelo.answer import Guess
from zermelo.brief import counted
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game, taken_as
from zermelo.kind import Format, Writing
from zermelo.kinds.game import PlayedKind
from zermelo.kinds.network import NETWORK_FORMS, network_in
from zermelo.limits import Limits
from zermelo.source import Source

EXPLORATION = 1.0
LONGEST_PLAYOUT = 10_000
_RULES = re.compile(
    r"\(\s*(?:role|<=)\s|^\s*(?:role\s*\(|[a-z]\w*\s*\([^)\n]*\)\s*(?::-|&|\.))", re.IGNORECASE | re.MULTILINE
)
"""What prefix rulesheets have somewhere, and how infix ones look."""


def _read(source: Source) -> Game:
    from zermelo.gdl.game import RulesheetGame
    from zermelo.gdl.reader import read_rules
    from zermelo.gdl.validate import require_valid

    sheet = read_rules(source.text, source.name)
    require_valid(sheet)
    return RulesheetGame(sheet)


SUFFIXES = (".kif", ".gdl", ".pl", ".hrf")


def is_rulesheet(target: str) -> bool:
    """Whether a target names a rulesheet, be it one that is not there.

    >>> is_rulesheet("gdl:chess"), is_rulesheet("rules.kif"), is_rulesheet("tictactoe")
    (True, True, False)
    """
    return target.startswith("gdl:") or Path(target).suffix.lower() in SUFFIXES


def _of_library(target: str) -> Source | None:
    if not target.startswith("gdl:"):
        return None
    from zermelo.games.sheet_texts import rulesheet_text

    name, _, arguments = target.removeprefix("gdl:").partition(":")
    return Source("rulesheet", rulesheet_text(name, arguments), target)


class RulesheetKind(PlayedKind):
    """A rulesheet, played by its ground game where there is one."""

    name, noun, plural = "rulesheet", "rulesheet", "rulesheets"
    expected = "a rulesheet such as gdl:tictactoe or a .kif file"
    formats: ClassVar[tuple[Format, ...]] = (
        Format(
            "rulesheet", "rulesheet", SUFFIXES, _read, lambda text: bool(_RULES.search(text)),
            ways=_of_library,
        ),
    )  # fmt: skip

    def stated_by(self, thing: object) -> Game | None:
        """A rulesheet that was read before."""
        from zermelo.gdl.game import RulesheetGame
        from zermelo.gdl.syntax import Rulesheet

        return RulesheetGame(thing) if isinstance(thing, Rulesheet) else None

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """By the tree search of rulesheets where the run has made a ground game, else by random play."""
        from zermelo.search.guessing import at_random

        game.limits = limits
        return _by_ground_game(game, limits, seed) or at_random(game, limits, seed)

    def written(self, game: Game, writing: Writing) -> str | None:
        """As a network of one round, or of so many rounds."""
        from zermelo.encode.scsp import micro_network, staged_network
        from zermelo.gdl.game import RulesheetGame

        if writing.form not in NETWORK_FORMS:
            return None
        sheet = taken_as(RulesheetGame, game)
        writing.refuse("goal", "encoding", because="for formulas and programs")
        if sheet.hidden_information:
            raise NotApplicableError("some role does not see every move: networks need complete information")
        sheet.limits = writing.limits
        if (ground := sheet.ground) is None:
            raise LimitReachedError(f"{writing.target}: the ground game is too large for the limits")
        if writing.horizon is None:
            return network_in(micro_network(ground, writing.limits).network, writing.form)
        return network_in(staged_network(ground, writing.horizon, writing.limits).network, writing.form)


def _by_ground_game(game: Game, limits: Limits, seed: int) -> Guess | None:
    """By the ground game: roles may move at once."""
    from zermelo import _native
    from zermelo.gdl.game import Halfway, RulesheetGame
    from zermelo.kernel_thread import control_for, run_native
    from zermelo.search.guessing import simulations, tree_limits

    inside = game
    while (inner := getattr(inside, "inner", None)) is not None:
        inside = inner
    sheet = taken_as(RulesheetGame, inside)
    ground = vars(sheet).get("ground")
    position = game.start()
    if ground is None or isinstance(position, Halfway) or game.result(position) is not None:
        return None
    try:
        packed = ground.pack(position)
    except InputError:
        return None  # a position that was set up, with facts that the rules do not reach
    small = tree_limits(limits)
    rules = _native.BanditRules(ground.native, batches=False)
    plan = _native.BanditPlan(
        rules, packed, small.memory, seed, exploration=EXPLORATION, max_steps=LONGEST_PLAYOUT, plain=True
    )
    tree = _native.BanditTree(plan)

    def search(control: _native.Control) -> int:
        return tree.run(simulations(limits), 0.0, control)

    played = run_native("uct", search, control_for(small))
    turn = game.turn(position)
    movers = turn if isinstance(turn, tuple) else (turn,)
    chosen = []
    for role in movers:
        if role not in game.roles:
            break  # chance
        chosen.append(ground.moves[tree.verdict(ground.roles.index(sheet.rulesheet_role(role)))[0]])
    if not played:
        return None
    mean = 100 * tree.mean(ground.roles.index(sheet.rulesheet_role(game.roles[0])))
    move = tuple(chosen) if isinstance(turn, tuple) else chosen[0] if chosen else None
    return Guess(move, mean, counted(played, "simulation"))


RULESHEET = RulesheetKind()
