"""Which encoding a game takes, behind one interface."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from math import ceil
from typing import Any, Final, Protocol

from zermelo.continued import Continued
from zermelo.encode.qbf.encoded import Encoded, Question
from zermelo.encode.qbf.geography import GEOGRAPHY_ENCODINGS, encode_geography, rounds_of
from zermelo.encode.qbf.ground import GROUND_ENCODINGS, GroundCircuit, TwinWords, encode_ground, ground_circuit
from zermelo.encode.qbf.layers import Layers, encode_layers
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game, Score
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.connect import Connect
from zermelo.games.geography import Geography
from zermelo.games.hex import Hex
from zermelo.games.mnk import MNK
from zermelo.gdl.game import Halfway, Position, RulesheetGame
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.library import sheet_of
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import RANDOM
from zermelo.limits import Limits
from zermelo.user_game import well_behaved

LAYERS: Final = "layers"
ENCODINGS: Final = tuple(dict.fromkeys((*GROUND_ENCODINGS, *GEOGRAPHY_ENCODINGS, LAYERS)))
"""All names of encodings; ``geography.py``, ``ground.py`` and ``layers.py`` describe them."""
SAMPLES: Final = 200
SAMPLED_PLIES: Final = 4000
"""So many random games, or plies of them, tell how long a game lasts."""


class Encoder(Protocol):
    """A game from its start on, ready to be turned into formulas.

    ``play`` has the same rules, positions and moves, and answers faster where it can. ``length`` is how many plies the
    longest line takes, as far as is known, ``exact`` whether it is. ``scores`` are those that the first role may
    get, the lowest first; both scores of an end add up to ``total``.
    """

    game: Game
    play: Game
    encoding: str
    length: int
    exact: bool
    scores: tuple[Score, ...]
    total: Score

    def encode(self, question: Question) -> Encoded:
        """The question as a formula."""


def encoder_of(game: Game, encoding: str | None = None, limits: Limits | None = None) -> Encoder:
    """The encoder for a game, or for the rest of one: of two roles, one of them to move at a time, without chance.

    >>> from zermelo.games import make_game
    >>> encoder = encoder_of(make_game("nim:2,1"))
    >>> encoder.encoding, encoder.length, encoder.scores
    ('layers', 3, (-1, 1))
    """
    limits = limits or Limits()
    if game.hidden_information:
        raise NotApplicableError("some role does not see every move: formulas need complete information")
    if len(game.roles) != 2:
        raise NotApplicableError(f"{len(game.roles)} roles: only games of two roles become formulas")
    whole = game.whole if isinstance(game, Continued) else game
    if encoding != LAYERS and (encoder := own_encoder(whole, game, encoding, limits)) is not None:
        return encoder
    _known(encoding, (LAYERS,))
    return LayersEncoder(well_behaved(game), limits)


@singledispatch
def own_encoder(whole: Game, game: Game, encoding: str | None, limits: Limits) -> Encoder | None:
    """The encoder that knows more of a game, or of the rest of one, than its positions; ``None`` if there is none.

    Classes of games register theirs.
    """
    del limits
    if (target := _twin_of(whole)) is None:
        return None
    line = game.line if isinstance(game, Continued) else ()
    return TwinEncoder(game, whole, line, target, _known(encoding, GROUND_ENCODINGS))


@own_encoder.register
def _(whole: Geography, game: Game, encoding: str | None, limits: Limits) -> Encoder:
    del limits
    return GeographyEncoder(game, whole, _known(encoding, GEOGRAPHY_ENCODINGS))


@own_encoder.register
def _(whole: RulesheetGame, game: Game, encoding: str | None, limits: Limits) -> Encoder | None:
    if RANDOM in whole.reasoner.roles:
        raise NotApplicableError("chance moves: only games without chance become formulas")
    whole.limits = limits
    if (ground := whole.ground) is None:
        return None
    return GroundEncoder(game, whole, ground, _known(encoding, GROUND_ENCODINGS))


def _known(encoding: str | None, names: tuple[str, ...]) -> str:
    if encoding is not None and encoding not in (*names, LAYERS):
        raise InputError(f"no encoding {encoding!r} for this game, expected one of {', '.join({*names, LAYERS})}")
    return encoding or names[0]


class GeographyEncoder:
    """Geography, by rounds."""

    def __init__(self, game: Game, whole: Geography, encoding: str) -> None:
        self.game = self.play = game
        self.encoding, self.exact = encoding, True
        self.scores: tuple[Score, ...] = (-1, 1)
        self.total: Score = 0
        self._whole = whole
        self.length = rounds_of(whole, game.start(), 1 << 60, literal=encoding == "thesis").count

    def encode(self, question: Question) -> Encoded:
        """The question as a formula."""
        if question.at_least <= -1 or question.at_least > 1:
            raise InputError(f"a goal of {question.at_least}: in geography the first player gets 1 or -1")
        return encode_geography(self._whole, self.game.start(), question, self.encoding)


class LayersEncoder:
    """Any game, by its positions."""

    def __init__(self, game: Game, limits: Limits) -> None:
        self.game = self.play = game
        self.encoding = LAYERS
        layers = self._layers = Layers(game, limits)
        while not layers.finished and not layers.repeat and len(layers.layers) <= game.longest:
            layers.upto(len(layers.layers))
        self.length, self.exact = len(layers.layers) - 1, layers.finished
        ends = set(layers.scores)
        if not layers.finished:  # play may go on for ever, and what it is worth then is no score of an end
            endless = game.endless or (0, 0)
            layers.totals.add(sum(endless))
            ends.add(endless[0])
        if len(layers.totals) > 1:
            raise NotApplicableError("the scores of the two roles do not add up to the same number at every end")
        self.scores = tuple(sorted(ends))
        self.total = next(iter(layers.totals))

    def encode(self, question: Question) -> Encoded:
        """The question as a formula."""
        return encode_layers(self._layers, question)


class GroundEncoder:
    """A rulesheet, by its ground circuit."""

    def __init__(self, game: Game, whole: RulesheetGame, ground: GroundReasoner, encoding: str) -> None:
        self.game, self.encoding, self.exact = game, encoding, False
        self.play: Game = GroundPlay(whole, ground, game.start())
        self._ground, self._rules = ground, ground_circuit(ground)
        values = sorted({value for role, value, _ in self._rules.goals if role == 0})
        self.scores: tuple[Score, ...] = tuple(values)
        self.length, self.total = _sampled(ground, ground.pack(game.start()), sum(game.endless or (0, 0)))

    @property
    def rules(self) -> GroundCircuit:
        """The circuit of one ply."""
        return self._rules

    def encode(self, question: Question) -> Encoded:
        """The question as a formula."""
        state = self._ground.pack(self.game.start())
        first, second = self.game.roles
        return encode_ground(self._ground, (first, second), state, question, self.encoding, self._rules)


def _twin_of(game: Game) -> str | None:
    """The rulesheet of a library game of win, draw and loss, if there is one whose moves are called the same."""
    # A user's subclass may have other rules.
    if not type(game).__module__.startswith("zermelo.games."):
        return None
    if isinstance(game, Connect) and game.rows > 1 and 1 < game.k <= max(game.rows, game.columns):
        return f"gdl:connectfour:{game.rows},{game.columns},{game.k}"
    if isinstance(game, MNK) and 1 < game.k <= max(game.rows, game.columns):
        return f"gdl:tictactoe:{game.rows},{game.columns},{game.k}"
    if isinstance(game, Hex) and game.size > 1:
        return f"gdl:hex:{game.size}"
    if isinstance(game, Breakthrough) and min(game.rows, game.columns) > 1:
        return f"gdl:breakthrough:{game.rows},{game.columns},{game.pawns}"
    return None


class TwinEncoder:
    """A game of the library, by the ground circuit of its rulesheet: the same game with moves spelled otherwise.

    A rulesheet that was another game after all would not get past the rules of the class, by which its strategies
    are played.
    """

    def __init__(self, game: Game, whole: Game, line: Sequence[Any], target: str, encoding: str) -> None:
        self.game = self.play = game
        sheet = RulesheetGame(sheet_of(target))
        ground = sheet.ground
        if ground is None:
            raise LimitReachedError(f"{target}: the ground game is too large")
        self.encoding, self.exact = encoding, False
        self.total: Score = 0
        self._words, self._ground, self._rules = TwinWords(), ground, ground_circuit(ground)
        self._state = ground.native.start()
        position = whole.start()
        for move in line:
            role = whole.roles.index(str(whole.turn(position)))
            joint = []
            for other in range(2):
                texts = {self._words.text(ground.moves[m]): m for m in ground.native.legal(self._state, other)}
                joint.append(texts[whole.move_text(move) if other == role else "noop"])
            self._state = ground.native.next(self._state, joint)
            position = whole.play(position, move)
        goals = {value for role, value, _ in self._rules.goals if role == 0}
        self.scores: tuple[Score, ...] = tuple(sorted(_SIGNS[goal] for goal in goals))
        self.length, _ = _sampled(ground, self._state, 100)

    def encode(self, question: Question) -> Encoded:
        """The question as a formula."""
        goal = 50 * (1 + max(-1, min(2, ceil(question.at_least))))
        first, second = self.game.roles
        asked = replace(question, at_least=goal)
        roles, words = (first, second), self._words
        encoded = encode_ground(self._ground, roles, self._state, asked, self.encoding, self._rules, words)
        return replace(encoded, question=question)


_SIGNS: Final[Mapping[int, Score]] = {0: -1, 50: 0, 100: 1}


class GroundPlay(RulesheetGame):
    """A rulesheet's game from a state on with the answers of its ground game: the same, but faster."""

    def __init__(self, game: RulesheetGame, ground: GroundReasoner, start: Any) -> None:
        vars(self).update(vars(game))
        self._answers, self._first = ground, start

    def start(self) -> Position:
        """The state in which play is taken up."""
        first: Position = self._first
        return first

    def result(self, position: Position) -> tuple[int, ...] | None:
        """The goal values where play is over."""
        if isinstance(position, Halfway) or not self._answers.terminal(position):
            return None
        return tuple(self._goal(position, name) for name in self._players)

    def _legal(self, state: State, name: str) -> list[str]:
        return self._answers.legal(state, name) or super()._legal(state, name)

    def _next(self, state: State, joint: tuple[str, ...], chance: str | None) -> State:
        return self._answers.next(state, joint)


def _sampled(ground: GroundReasoner, start: bytes, otherwise: Score) -> tuple[int, Score]:
    """The length of the longest of some random games, and what the scores add up to in each."""
    native, chooser, roles = ground.native, random.Random(1), range(len(ground.roles))
    longest = played = 0
    totals: set[Score] = set()
    for _ in range(SAMPLES):
        state, plies = start, 0
        while not native.terminal(state) and played < SAMPLED_PLIES:
            legal = [native.legal(state, role) for role in roles]
            if sum(len(moves) > 1 for moves in legal) > 1:
                raise NotApplicableError("several roles move at once: formulas need one move at a time")
            state = native.next(state, [chooser.choice(moves) for moves in legal])
            plies += 1
            played += 1
        longest = max(longest, plies)
        if played >= SAMPLED_PLIES:
            break
        totals.add(sum(sum(native.goals(state, role)) for role in roles))
    if len(totals) > 1:
        raise NotApplicableError("the scores of the two roles do not add up to the same number at every end")
    return longest, next(iter(totals), otherwise)
