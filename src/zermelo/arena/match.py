"""One game between players on the rules that they share, and who sits where in the games of a match.

A match is played in rounds. The games of a round have the same players in every order of the seats, the same seed and
so the same dice: what luck gives to one seat it gives to each player in turn. Where there is nobody to play against,
because there is one seat or because all seats have the same goals, a round has one game for each player, alone at the
table, again with the same dice.

>>> model = model_of("gdl:tictactoe")
>>> table = table_of(model, ("uct", "random"))
>>> table.seatings, table.alone
((('uct', 'random'), ('random', 'uct')), False)
>>> record = play_number(model, table, Clock(simulations=20), seed=1, number=3)
>>> record.players, record.seed, record.clock
(('random', 'uct'), 2, '20sims')
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from zermelo.arena.meter import Meter
from zermelo.arena.record import GameRecord
from zermelo.errors import ArgumentError, InputError, ZermeloError, one_line
from zermelo.kinds.rulesheet import is_rulesheet
from zermelo.play.player import Clock, Listener, Player, make_player, read_player
from zermelo.search.forward import ForwardModel, RulesheetModel, rulesheet_model

T = TypeVar("T")
MAX_STEPS = 10_000
"""A game that has not ended by then is cut."""


class PlayerError(ZermeloError):
    """A player raised an error, or chose a move that is not legal. The game counts for nobody."""


class Dice:
    """The chance of a game: one number for each step, whatever came before, so that all games of a round share it.

    >>> dice, same = Dice(seed=7), Dice(seed=7)
    >>> dice.draw(6), same.draw(1), dice.draw(6) == same.draw(6)
    (5, 0, True)
    """

    def __init__(self, seed: int):
        self._random = random.Random(derived_seed("dice", seed))

    def draw(self, count: int) -> int:
        """The number of an outcome, from 0 to below ``count``; uses up one step of the dice for any ``count``."""
        return self._random.getrandbits(64) * count >> 64


def derived_seed(*parts: object) -> int:
    """A seed from what it is for; the same on every machine and in every process, unlike :func:`hash`.

    >>> derived_seed("dice", 1) == derived_seed("dice", 1) != derived_seed("dice", 2)
    True
    """
    digest = hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 1


@dataclass(frozen=True)
class Table:
    """Who sits where: the ``seatings`` of one round, and whether each player is ``alone`` at the table."""

    seatings: tuple[tuple[str, ...], ...]
    alone: bool

    @property
    def round(self) -> int:
        """The number of games in a round.

        >>> Table((("a", "b"), ("b", "a")), False).round
        2
        """
        return len(self.seatings)

    def seed(self, seed: int, number: int) -> int:
        """The seed of a game of a match: one for each round."""
        return seed + number // self.round


def table_of(model: ForwardModel, players: Sequence[str]) -> Table:
    """How players are seated; fewer than there are seats leave the other seats to the last of them.

    >>> three = model_of("gdl:chinesecheckers")
    >>> table_of(three, ("uct", "random")).seatings
    (('uct', 'random', 'random'), ('random', 'uct', 'random'), ('random', 'random', 'uct'))
    >>> table_of(model_of("gdl:orchard"), ("uct", "random"))
    Table(seatings=(('uct',), ('random',)), alone=True)
    >>> table_of(model_of("gdl:tictactoe"), ("uct",))
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: 1 player, expected 2: x, o play against each other
    """
    names = tuple(name.strip() for name in players)
    for name in names:
        read_player(name)
    seats = len(model.seats)
    if have_common_goals(model):
        if not names:
            raise ArgumentError("no player, expected one or more")
        return Table(tuple((name,) * seats for name in names), True)
    if not 2 <= len(names) <= seats:
        expected = "2" if seats == 2 else f"2 to {seats}"
        who = ", ".join(model.roles[seat] for seat in model.seats)
        said = f"{len(names)} player{'s' * (len(names) != 1)}"
        raise ArgumentError(f"{said}, expected {expected}: {who} play against each other")
    full = names + names[-1:] * (seats - len(names))
    # To the right: the first player starts in the first seat, then takes the second.
    return Table(tuple(full[seats - turn :] + full[: seats - turn] for turn in range(seats)), False)


def have_common_goals(model: ForwardModel) -> bool:
    """Whether all seats want the same: there is only one, or the rules give all the same goals in every position.

    >>> have_common_goals(model_of("gdl:matchingpennies")), have_common_goals(model_of("gdl:tictactoe"))
    (True, False)
    """
    if len(model.seats) == 1:
        return True
    if not isinstance(model, RulesheetModel):
        return False
    goals: dict[int, set[tuple[int, int]]] = {seat: set() for seat in model.seats}
    # Equal formulas are one gate of the circuit, since its gates are shared.
    for role, value, gate in model.game.native.circuit()[7].reshape(-1, 3).tolist():
        if role in goals:
            goals[role].add((value, gate))
    first, *others = goals.values()
    return all(other == first for other in others)


def play_number(
    model: ForwardModel,
    table: Table,
    clock: Clock,
    seed: int,
    number: int,
    *,
    game: str = "",
    commit: str = "",
    max_steps: int = MAX_STEPS,
) -> GameRecord:
    """Plays one game of a match; its number says who sits where, and with the match's seed, which dice fall."""
    return play_game(
        model,
        table.seatings[number % table.round],
        clock,
        table.seed(seed, number),
        number,
        game=game,
        commit=commit,
        max_steps=max_steps,
        alone=table.alone,
    )


def play_game(
    model: ForwardModel,
    players: Sequence[str],
    clock: Clock,
    seed: int,
    number: int = 0,
    *,
    game: str = "",
    commit: str = "",
    max_steps: int = MAX_STEPS,
    alone: bool = False,
) -> GameRecord:
    """Plays one game; ``players`` has a name for each seat. All are asked on the same position, then chance is drawn.

    A player with one legal move is not asked. Of its trees the largest counts in ``nodes``; its ``seconds`` are taken
    by the referee. A game that is cut is a draw; for a player that is ``alone`` it is worth nothing.

    >>> record = play_game(model_of("gdl:nim:1"), ("random", "random"), Clock(simulations=1), seed=1)
    >>> record.scores, record.steps
    (('1', '0'), 1)
    """
    if len(players) != len(model.seats):
        raise ArgumentError(f"{len(players)} players for {len(model.seats)} seats")
    seats = [_Seat(model, seat, name, seed) for seat, name in zip(model.seats, players, strict=True)]
    dice = Dice(seed)
    position, steps = model.start(), 0
    while not (over := model.over(position)) and steps < max_steps:
        joint: dict[int, int] = {seat.role: seat.move(position, clock, steps) for seat in seats}
        if model.chance is not None:
            outcomes = model.legal(position, model.chance)
            joint[model.chance] = outcomes[dice.draw(len(outcomes))]
        moves = [joint[role] for role in range(len(model.roles))]
        position = model.play(position, moves)
        steps += 1
        for seat in seats:
            seat.hear(moves, steps)
    nothing = Fraction(0) if alone else Fraction(1, 2)
    return GameRecord(
        game=game,
        players=tuple(players),
        number=number,
        seed=seed,
        clock=str(clock),
        commit=commit,
        scores=tuple(str(model.score(position, seat.role) if over else nothing) for seat in seats),
        steps=steps,
        simulations=tuple(seat.simulations for seat in seats),
        nodes=tuple(seat.nodes for seat in seats),
        seconds=tuple(round(seat.meter.seconds, 6) for seat in seats),
        cut=not over,
        cpu_seconds=tuple(round(seat.meter.cpu_seconds, 6) for seat in seats),
    )


class _Seat:
    """A player at the table, and what it has spent."""

    def __init__(self, model: ForwardModel, role: int, name: str, seed: int):
        self.role, self.simulations, self.nodes, self.meter = role, 0, 0, Meter()
        self._model, self._name = model, name
        self._player: Player = make_player(name, model, role, derived_seed(seed, role, name))

    def move(self, position: Any, clock: Clock, step: int) -> int:
        legal = self._model.legal(position, self.role)
        if len(legal) == 1:
            return legal[0]
        given = self.meter.clock(clock)
        with self.meter.running():
            decision = self._guarded(lambda: self._player.choose(position, given), step)
        move: int = decision.move
        if move not in legal:
            raise PlayerError(f"{self._where(step)} played {decision.move!r}, which is not legal")
        self.simulations += decision.simulations
        self.nodes = max(self.nodes, decision.nodes)
        return move

    def hear(self, joint: Sequence[int], step: int) -> None:
        if isinstance(self._player, Listener):
            listener = self._player
            with self.meter.running():
                self._guarded(lambda: listener.hear(joint), step)

    def _guarded(self, ask: Callable[[], T], step: int) -> T:
        try:
            return ask()
        except ZermeloError as error:
            raise PlayerError(f"{self._where(step)}: {error}") from error
        except Exception as error:
            said = one_line(f"{type(error).__name__}: {error}")
            raise PlayerError(f"{self._where(step)} raised {said}") from error

    def _where(self, step: int) -> str:
        return f"{self._name} as {self._model.roles[self.role]} in step {step + 1}"


def model_of(target: str, text: str | None = None) -> ForwardModel:
    """The rules that a target names; ``text`` are those of a rulesheet file, where the file may be out of reach.

    >>> model_of("gdl:nim:1,2").roles, model_of("wythoff:1,2").roles
    (('first', 'second'), ('first', 'second'))
    """
    if text is not None:
        from zermelo.gdl.reader import read_rules
        from zermelo.gdl.validate import require_valid

        sheet = read_rules(text, target)
        require_valid(sheet)
        return rulesheet_model(sheet)
    from zermelo.play import library_model

    return library_model.model_of(target if is_rulesheet(target) else sheet_of_name(target) or target)


def sheet_of_name(target: str) -> str | None:
    """The library rulesheet that has the name of a game, in the size that is asked for: what most players need.

    >>> sheet_of_name("tictactoe"), sheet_of_name("hex:5"), sheet_of_name("wythoff:3,5")
    ('gdl:tictactoe', 'gdl:hex:5', None)
    """
    from zermelo.gdl.library import rulesheet_names, rulesheet_text

    name, _, arguments = target.partition(":")
    if name not in rulesheet_names():
        return None
    try:
        rulesheet_text(name, arguments)
    except InputError:
        return None
    return f"gdl:{target}"


def rules_text(target: str) -> str | None:
    """The text of a rulesheet file; ``None`` for a game that is known by its name."""
    if target.startswith("gdl:") or not is_rulesheet(target):
        return None
    from zermelo import files
    from zermelo.gdl.reader import MAX_BYTES

    return files.read_text(target, "rulesheet", MAX_BYTES)


_COMMA = re.compile(r",(?![^()]*\))")


def read_players(text: str) -> tuple[str, ...]:
    """Names of players with commas between them; those within parentheses belong to a name.

    >>> read_players("mac-ucb(share=0.5,exploration=1.2), uct")
    ('mac-ucb(share=0.5,exploration=1.2)', 'uct')
    """
    return tuple(name.strip() for name in _COMMA.split(text))
