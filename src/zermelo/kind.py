"""Kinds: the ways of stating a game.

A kind knows in which formats its games are written and how they are recognised, which engine to take if nobody named
one, how an answer is put into words, and what can be drawn. What it does not say it does as a plain game does. A game
names its kind (:attr:`Game.kind <zermelo.game.Game.kind>`); nobody else asks what kind a game is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from zermelo import words
from zermelo.answer import Answer, Guess
from zermelo.brief import fields_in_brief, introduced
from zermelo.certificate import Certificate, Claim, score_text
from zermelo.errors import InputError, LimitReachedError
from zermelo.game import RULES, Game, Score
from zermelo.limits import MEBIBYTE, Limits
from zermelo.source import Source
from zermelo.words import Row

if TYPE_CHECKING:
    from zermelo.decision import Adviser
    from zermelo.picturing import MoveValue
    from zermelo.solution import Solution


@dataclass(frozen=True)
class Format:
    """A way of writing games down: ends of file names, what errors call it, how a text is recognised and read.

    ``looks`` tells from the text alone whether it is in this format. A format without it is recognised by the name of
    its file only. ``ways`` are ways of naming a target beside a file's name, as ``gdl:NAME`` is.
    """

    name: str
    what: str
    suffixes: tuple[str, ...]
    read: Callable[[Source], Game]
    looks: Callable[[str], bool] = lambda text: False
    most_bytes: int = 64 * MEBIBYTE
    ways: Callable[[str], Source | None] = lambda target: None

    __repr__ = fields_in_brief


@dataclass(frozen=True)
class Drawing:
    """What is to be drawn: a game after a line of moves, in the format that a suffix names."""

    game: Game
    line: Sequence[Any]
    suffix: str
    limits: Limits
    solve: Callable[[Game], Solution] = field(repr=False)
    """Solves a game with the engine that the user named."""
    depth: int | None = None
    legal: bool = False
    """Whether a board shows where the role to move may go."""
    values: Callable[[Game], Mapping[Any, MoveValue]] | None = field(default=None, repr=False)
    """Finds the values of moves, where a board is to show them."""
    size: float | None = None
    """The longer side of a board in pixels."""

    __repr__ = fields_in_brief

    @property
    def position(self) -> Any:
        """The position after the line."""
        position = self.game.start()
        for move in self.line:
            position = self.game.play(position, move)
        return position

    @property
    def later(self) -> Game:
        """The game from that position on."""
        return self.game.at(self.line) if self.line else self.game

    def strategy(self) -> tuple[Solution, Claim]:
        """The solution from the position on, and the claim that has the winner's strategy."""
        solution = self.solve(self.later)
        if solution.status != "solved":
            raise LimitReachedError(solution.note or "not solved")
        strategy = solution.strategy
        if strategy is None or solution.certificate is None:
            raise InputError(f"there is no strategy to show: {solution.note or 'nobody wins'}")
        return solution, next(claim for claim in solution.certificate.claims if claim.role == strategy.role)


@dataclass(frozen=True)
class Writing:
    """In which form a game is to be written for other tools, and what was asked for beside that."""

    target: str
    form: str
    limits: Limits
    horizon: int | None = None
    goal: str | None = None
    encoding: str | None = None

    __repr__ = fields_in_brief

    def refuse(self, *options: str, because: str = "for games") -> None:
        """Refuses options that make no sense here."""
        if given := [f"--{name}" for name in options if getattr(self, name) is not None]:
            verb = "is" if len(given) == 1 else "are"
            raise InputError(f"{' and '.join(given)} {verb} {because}", file=self.target)


@dataclass(frozen=True)
class Picture:
    """Something that can be drawn of a game, and the suffixes of the files that it can be written to.

    The first suffix is the one that is written to standard output where no file is named.
    """

    name: str
    draw: Callable[[Drawing], str] = field(repr=False)
    suffixes: tuple[str, ...] = (".svg",)

    __repr__ = fields_in_brief


PROGRAM_FORMS: Final[Mapping[str, Literal["qlp", "lp", "mps"]]] = {"qlp": "qlp", "lp": "lp", "mps": "mps"}
"""The forms in which programs are written."""


def stated_kind(game: Game) -> str:
    """The name of the kind of a game: a class that changes the rules of another is a game like any other.

    >>> from zermelo.qbf.game import FormulaGame
    >>> class Reversed(FormulaGame):
    ...     def result(self, position):
    ...         return None
    >>> stated_kind(FormulaGame.__new__(FormulaGame)), stated_kind(Reversed.__new__(Reversed))
    ('formula', 'game')
    """
    if "kind" in vars(game):
        return game.kind
    for ancestor in type(game).__mro__:
        if "kind" in vars(ancestor):
            return game.kind
        if any(rule in vars(ancestor) for rule in RULES):
            break
    return Game.kind


class Kind(ABC):
    """A way of stating a game; see the module. ``name`` is the word, ``noun`` what is said of one such game."""

    name: ClassVar[str]
    noun: ClassVar[str]
    plural: ClassVar[str]
    formats: ClassVar[tuple[Format, ...]] = ()
    expected: ClassVar[str] = ""
    """How a target of this kind is named, for messages: ``a .qcir or .qdimacs file``."""
    picture: ClassVar[str] = "board"
    """What is drawn where nobody says what."""
    solved_whole: ClassVar[bool] = False
    """Whether a player has the game solved anew after every move, instead of exploring it once."""
    wins_are_best: ClassVar[bool] = True
    """Whether nothing is better than a win."""
    why_not_played: ClassVar[str] = "takes games that can be played move by move"
    """What is said of an engine that plays move by move where :meth:`plays` is false."""
    proof_suffixes: ClassVar[tuple[str, ...]] = ()
    """Ends of names of files with proofs in a format of this kind's own."""
    lists: ClassVar[bool] = False
    """Whether ``--sol`` can write a solution down."""
    exit_statuses: ClassVar[Mapping[str, int]] = {}
    """The statuses of ``--solver-exit-codes`` by winner, where solvers of this kind have agreed on some."""

    def __repr__(self) -> str:
        return introduced(self, self.name)

    def stated_by(self, thing: object) -> Game | None:
        """The game that an object of Python states; ``None`` where it states no game of this kind."""
        del thing
        return None

    @abstractmethod
    def auto(self, game: Game) -> str:
        """The engine to take if nobody named one."""

    def plays(self, game: Game) -> bool:
        """Whether engines that play move by move take it."""
        del game
        return True

    def by_moves(self, game: Game) -> bool:
        """Whether it is small enough for ``all`` to have it played out move by move as well."""
        del game
        return True

    def in_own_terms(self, game: Game, answer: Answer) -> Answer:
        """What an engine that plays move by move says, in the terms in which games of this kind are spoken of."""
        del game
        return answer

    def together(self, best: Answer, answers: Sequence[Answer]) -> Answer:
        """The best of the answers of several engines, with what the others add to it."""
        del answers
        return best

    def to_score(self, game: Game, answer: Answer) -> Score | None:
        """The first role's score that the value of an answer stands for; ``None`` if there is none."""
        del game
        return answer.value

    def adviser(self, game: Game, engine: str, limits: Limits) -> Adviser | None:
        """Who plays this kind of game by that engine, where that is not the player that searches."""
        del game, engine, limits
        return None

    def best_move(self, game: Game, solution: Solution, engine: str, limits: Limits) -> Any:
        """The move of the role to move that keeps the value, where no claim of its own says what to play."""
        del game, engine, limits
        return solution.move

    @abstractmethod
    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """A move and an estimate where nothing is proved."""

    # In words

    def unit(self, game: Game) -> str:
        """Whose score a value is."""
        return f" for {game.roles[0]}"

    def headline(self, solution: Solution) -> str:
        """The answer in one line."""
        return words.headline(solution)

    def value_rows(self, solution: Solution) -> list[Row]:
        """What is said of the value, before anything else."""
        if len(solution.values) > 1:
            told = [f"{score_text(value)} for {role}" for role, value in solution.values.items()]
            return [("value" if number == 0 else "", text) for number, text in enumerate(told)]
        return [] if solution.value is None else [("value", f"{score_text(solution.value)}{self.unit(solution.game)}")]

    def rows(self, solution: Solution) -> list[Row]:
        """What only games of this kind have to say."""
        del solution
        return []

    def line(self, solution: Solution) -> str:
        """The line of best play in words."""
        return words.line(solution)

    def shows_move(self, solution: Solution) -> bool:
        """Whether the best move is told as a move; false where :meth:`rows` tells it."""
        return solution.move is not None

    def verdict(self, solution: Solution, value: Score | None) -> str:
        """What a first move of that value leads to."""
        return words.verdict(solution, value)

    def move_words(self, solution: Solution, move: str, value: Score | None) -> str:
        """What a first move leads to: of that value, or what each role gets where they have interests of their own."""
        by_role = solution.moves_by_role.get(move, {})
        return words.shares(by_role) if solution.winner is None and len(by_role) > 1 else self.verdict(solution, value)

    def told_first(self, solution: Solution) -> str:
        """What is told of an answer as soon as it is proved; nothing where a report is one text."""
        return words.first_rows(solution)

    def report(self, solution: Solution) -> str:
        """The whole answer in words."""
        return words.report(self, solution)

    def card(self, solution: Solution) -> tuple[str, str] | None:
        """The colour and the words that a small card has for the answer; ``None`` for those of a plain game."""
        del solution
        return None

    def promise(self, game: Game, claim: Claim) -> str:
        """What a claim promises, in words."""
        del game
        return claim.promise

    # Drawn

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """What can be drawn beside what can be drawn of every game, or otherwise than there."""
        del game
        return {}

    def on_board(self, game: Game, after: str) -> Game | None:
        """The game after moves as its board names them, to be drawn; ``None`` where they are the moves of the game."""
        del game, after
        return None

    # Files of this kind's own

    def written(self, game: Game, writing: Writing) -> str | None:
        """The game in a form that this kind has for it; ``None`` where it is encoded as every game is."""
        del game, writing
        return None

    def listing(self, solution: Solution) -> str:
        """What ``--sol`` writes."""
        raise InputError(f"there is no format in which a {self.noun} is listed", file=solution.target)

    def read_proof(self, game: Game, name: str) -> Certificate:
        """A certificate in a format of this kind's own."""
        del game
        raise InputError("expected a certificate, as solve --certificate writes", file=name)
