"""What the parts of a picture see of a position: facts, matched with patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from zermelo.draw.pieces import colours_of_roles, tokens_of_roles

if TYPE_CHECKING:
    from zermelo.gdl.game import RulesheetGame

Words = tuple[str, ...]
Match = dict[str, str]
_WORD = re.compile(r"[^\s()]+")


@lru_cache(maxsize=1 << 14)
def words_of(text: str) -> Words:
    """The words of a fact or move, without its brackets.

    >>> words_of("(cell a 1 (piece white king))")
    ('cell', 'a', '1', 'piece', 'white', 'king')
    """
    return tuple(_WORD.findall(text))


def is_variable(word: str) -> bool:
    """Whether a word of a pattern stands for any word: those in capital letters do.

    >>> is_variable("WHO"), is_variable("cell")
    (True, False)
    """
    return word.isupper()


def match(pattern: str, words: Words) -> Match | None:
    """What the variables of a pattern are in a fact; ``None`` where the fact is another one.

    >>> match("cell C R WHAT", ("cell", "a", "1", "x"))
    {'C': 'a', 'R': '1', 'WHAT': 'x'}
    >>> match("cell C R x", ("cell", "a", "1", "o")) is None
    True
    """
    wanted = words_of(pattern)
    if len(wanted) != len(words):
        return None
    found: Match = {}
    for word, given in zip(wanted, words, strict=True):
        if is_variable(word):
            if found.setdefault(word, given) != given:
                return None
        elif word != given:
            return None
    return found


@dataclass
class Sight:
    """A position of a rulesheet; ``shown`` gathers the facts that some part has shown."""

    game: RulesheetGame
    state: tuple[str, ...]
    mover: str | None
    shown: set[str] = field(default_factory=set)

    @cached_property
    def colours(self) -> dict[str, str]:
        """The colour of each role."""
        return colours_of_roles(self.game.roles)

    @cached_property
    def tokens(self) -> dict[str, str]:
        """The piece of each role."""
        return tokens_of_roles(self.game.roles)

    def facts(self, pattern: str) -> list[Match]:
        """The facts of the position that a pattern fits; they count as shown."""
        found = []
        for fact in self.state:
            if (matched := match(pattern, words_of(fact))) is not None:
                self.shown.add(fact)
                found.append(matched)
        return found

    def static(self, pattern: str) -> list[Match]:
        """What always holds and fits a pattern, in order."""
        name = words_of(pattern)[0]
        atoms = self.game.reasoner.holds(name, ())
        return [matched for atom in atoms if (matched := match(pattern, words_of(atom))) is not None]

    def moves(self, pattern: str) -> Iterator[tuple[str, Match]]:
        """The legal moves of whoever has the turn that a pattern fits."""
        if self.mover is None:
            return
        for move in self.game.moves_of(self.state, self.mover):
            if (matched := match(pattern, words_of(move))) is not None:
                yield move, matched

    def colour(self, role: str) -> str:
        """The colour of a role, or grey for a word that is none."""
        return self.colours.get(role, "draw")


def in_order(names: Sequence[str]) -> list[str]:
    """Names without repetition: numbers by size, else letters before longer words, each in the order of the alphabet.

    >>> in_order(["10", "9", "a"]), in_order(["b", "a", "b"])
    (['9', '10', 'a'], ['a', 'b'])
    """
    return sorted(set(names), key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name))
