"""Games of OpenSpiel (Lanctot et al. 2019): ``open_spiel:tic_tac_toe``, ``open_spiel:connect_four(rows=4,columns=5)``.

The rules are those of the package ``open_spiel``, asked move by move. Games in which somebody does not see everything
are refused, and so are games whose chances are only sampled.

A position is the history of the game, which is always right, but tells positions apart that are the same. For the
games in ``SHOWN_WHOLE`` a position is instead what the state shows of itself, with the player to move and the scores so
far: their text shows everything that matters. Other games hide something there, such as a count of repeated
positions, a piece that is already picked up, or how many moves are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final

from zermelo.errors import ArgumentError, GameError, NotApplicableError
from zermelo.game import CHANCE, Game, Role, Score, plain_score
from zermelo.games.entry import Entry

USAGE: Final = "open_spiel:NAME or open_spiel:NAME(parameter=value,...)"
LARGEST_DENOMINATOR: Final = 10**6
"""OpenSpiel has scores and chances as floating-point numbers: each stands for the fraction nearest to it."""
SHOWN_WHOLE: Final = frozenset(
    {
        "breakthrough",
        "clobber",
        "connect_four",
        "dots_and_boxes",
        "gomoku",
        "hex",
        "mancala",
        "mnk",
        "nim",
        "othello",
        "pentago",
        "tic_tac_toe",
        "y",
    }
)
"""Games whose states show everything that matters; tests play pairs of lines that lead to one text on, side by side."""


class Held:
    """A position: what it is known by, and the state of OpenSpiel behind it."""

    __slots__ = ("known_by", "state")

    def __init__(self, known_by: tuple[Any, ...], state: Any) -> None:
        self.known_by, self.state = known_by, state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and self.known_by == other.known_by

    def __hash__(self) -> int:
        return hash(self.known_by)

    def __repr__(self) -> str:
        return f"<a position after {len(self.state.history())} moves>"


class OpenSpielGame(Game):
    """A game of OpenSpiel by its name and parameters, as OpenSpiel writes them."""

    def __init__(self, name: str):
        self.name, self._game = name, _loaded(name)
        kind = self._game.get_type()
        players = self._game.num_players()
        self.roles = tuple(f"player {number}" for number in range(players))
        self.shown_whole = kind.short_name in SHOWN_WHOLE
        if kind.utility == _spiel().GameType.Utility.ZERO_SUM and players == 2:
            low, high = (_exact(score()) for score in (self._game.min_utility, self._game.max_utility))
            self.score_range = (low, high)

    def start(self) -> Held:
        """A new game."""
        return self._held(self._game.new_initial_state())

    def _held(self, state: Any) -> Held:
        history = tuple(state.history())
        if not self.shown_whole:
            return Held(history, state)
        return Held((str(state), int(state.current_player()), tuple(state.returns())), state)

    def turn(self, position: Held) -> Role | tuple[Role, ...]:
        """Who acts."""
        state = position.state
        if state.is_chance_node():
            return CHANCE
        if state.is_simultaneous_node():
            acting = [role for player, role in enumerate(self.roles) if state.legal_actions(player)]
            return tuple(acting) if len(acting) > 1 else acting[0]
        return self.roles[int(state.current_player())]

    def moves(self, position: Held) -> Sequence[Any]:
        """The texts of the legal actions."""
        turn, state = self.turn(position), position.state
        if turn == CHANCE:
            return [outcome for outcome, _ in self.chances(position)]
        if isinstance(turn, tuple):
            return list(product(*(self.moves_of(position, role) for role in turn)))
        return self._texts(state, self.roles.index(turn))

    def moves_of(self, position: Held, role: Role) -> Sequence[str]:
        """The texts of one player's legal actions."""
        return self._texts(position.state, self.roles.index(role))

    def _texts(self, state: Any, player: int) -> list[str]:
        return _told_apart([state.action_to_string(player, action) for action in state.legal_actions(player)])

    def chances(self, position: Held) -> list[tuple[str, Fraction]]:
        """The outcomes of chance; their probabilities are the fractions that OpenSpiel's numbers stand for."""
        state = position.state
        outcomes = [(action, Fraction(_exact(chance))) for action, chance in state.chance_outcomes()]
        if sum(chance for _, chance in outcomes) != 1:
            raise GameError(f"{self.name}: probabilities that are no plain fractions")
        player = _spiel().PlayerId.CHANCE
        texts = _told_apart([state.action_to_string(player, action) for action, _ in outcomes])
        return [(text, chance) for text, (_, chance) in zip(texts, outcomes, strict=True)]

    def play(self, position: Held, move: Any) -> Held:
        """The state after an action, or after an action of every player who acts."""
        turn, state = self.turn(position), position.state
        after = state.clone()
        if turn == CHANCE:
            actions = [action for action, _ in state.chance_outcomes()]
            after.apply_action(actions[self.moves(position).index(move)])
        elif state.is_simultaneous_node():
            chosen = dict(zip(turn, move, strict=True)) if isinstance(turn, tuple) else {turn: move}
            joint = []
            for player, role in enumerate(self.roles):
                actions = state.legal_actions(player)
                joint.append(actions[self._texts(state, player).index(chosen[role])] if role in chosen else 0)
            after.apply_actions(joint)
        else:
            player = self.roles.index(str(turn))
            after.apply_action(state.legal_actions(player)[self._texts(state, player).index(move)])
        return self._held(after)

    def result(self, position: Held) -> tuple[Score, ...] | None:
        """The returns at an end."""
        return tuple(_exact(score) for score in position.state.returns()) if position.state.is_terminal() else None

    def move_text(self, move: Any) -> str:
        """The text of OpenSpiel without its blanks, so that it can stand in a line of moves."""
        return ",".join(map(self.move_text, move)) if isinstance(move, tuple) else str(move).replace(" ", "_")

    def key(self, position: Held) -> str:
        """What the position is known by."""
        return repr(position.known_by)

    def text(self, position: Held) -> str:
        """What the state shows of itself."""
        return str(position.state)


def _spiel() -> Any:
    try:
        import pyspiel  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise NotApplicableError("OpenSpiel is not installed, expected the package open_spiel") from None
    return pyspiel


def _loaded(text: str) -> Any:
    """The game of that name, if everybody sees everything and all chances are known."""
    spiel, name = _spiel(), text.partition("(")[0]
    if name not in spiel.registered_names():
        raise ArgumentError(f"OpenSpiel has no game {name!r}, expected {USAGE}", file=f"open_spiel:{text}")
    try:
        game = spiel.load_game(text)
    except IndexError as error:
        why = f"OpenSpiel does not load it without parameters that it needs ({error})"
        raise ArgumentError(why, file=f"open_spiel:{text}") from None
    except (spiel.SpielError, RuntimeError, ValueError) as error:
        raise ArgumentError(" ".join(str(error).split()), file=f"open_spiel:{text}") from None
    kind, types = game.get_type(), spiel.GameType
    if kind.information == types.Information.IMPERFECT_INFORMATION:
        raise NotApplicableError(f"open_spiel:{text}: some player does not see everything")
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        raise NotApplicableError(f"open_spiel:{text}: its chances are only sampled")
    if kind.dynamics == types.Dynamics.MEAN_FIELD:
        raise NotApplicableError(f"open_spiel:{text}: a game of a crowd, not of players")
    return game


def _exact(number: float) -> Score:
    """The fraction that a floating-point number stands for.

    >>> _exact(1 / 6), _exact(-1.0)
    (Fraction(1, 6), -1)
    """
    found = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    if float(found) != number:
        raise GameError(f"{number!r} stands for no plain fraction")
    return plain_score(found)


def _told_apart(texts: list[str]) -> list[str]:
    """The texts of actions, with their numbers where some are alike.

    >>> _told_apart(["a", "b"]), _told_apart(["a", "a"])
    (['a', 'b'], ['a#1', 'a#2'])
    """
    if len(set(texts)) == len(texts):
        return texts
    return [f"{text}#{number}" for number, text in enumerate(texts, 1)]


ENTRIES = (
    Entry(
        "open_spiel",
        USAGE,
        "a game of the package OpenSpiel",
        "open_spiel:tic_tac_toe",
        OpenSpielGame,
    ),
)
