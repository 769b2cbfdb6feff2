"""Which game a certificate is for: the digest, and the checker's own reading, condition by condition."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from zermelo.check import instance, without_text
from zermelo.check.instance import digest_of, instance_of, keep_reading, rules_of
from zermelo.errors import NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.games import make_game
from zermelo.games.nim import Nim
from zermelo.source import Source
from zermelo.wrapper import GameWrapper


class Words:
    """A reading that knows only its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def canonical(self) -> str:
        return self.text

    def game(self) -> Game:
        return Line()


class Other(Words):
    """Another kind of reading."""


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A reader for the format ``words`` and a copier for ``Line``; the list is what they were asked to read."""
    asked: list[Any] = []
    module = ModuleType("words_for_tests")

    def read(source: Source) -> Words:
        asked.append(source)
        kind = Other if source.text.startswith("!") else Words
        return kind(source.text.lstrip("!").lower())

    def of_game(game: Game) -> Words:
        asked.append(game)
        return Words("a line")

    vars(module).update(read=read, of_game=of_game)
    monkeypatch.setitem(sys.modules, "words_for_tests", module)
    monkeypatch.setitem(instance.READERS, "words", "words_for_tests")
    monkeypatch.setitem(without_text.COPIES, f"{Line.__module__}.{Line.__qualname__}", "words_for_tests:of_game")
    return asked


class Line(Game):
    """So many steps, chance first if it is asked; everything about it can be changed."""

    def __init__(self, length: int = 3, source: Source | None = None, **more: Any) -> None:
        self.length, self.source = length, source
        self.chance, self.names, self.score = more.get("chance"), more.get("names", "ab"), more.get("score", 1)
        self.unscored = more.get("unscored", False)
        self.roles = more.get("roles", ("first", "second"))
        self.endless = more.get("endless")
        self.hidden_information = more.get("hidden", False)
        self.stuck = more.get("stuck", False)

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> Any:
        return CHANCE if self.chance and position == 0 else self.roles[position % 2]

    def moves(self, position: int) -> Sequence[str]:
        return [] if position == self.length else list(self.names)

    def chances(self, position: int) -> Sequence[tuple[str, Any]]:
        return list(zip(self.names, self.chance or (), strict=True))

    def play(self, position: int, move: str) -> int:
        return position + 1

    def result(self, position: int) -> Any:
        if self.unscored:
            raise NotApplicableError("no scores")
        return (self.score, -self.score) if position == self.length and not self.stuck else None


def test_a_text_is_read_once_by_the_checkers_reader(readers: list[Any]) -> None:
    source = Source("words", "Text", "t")
    game = Line(source=source)
    found = instance_of(game)
    assert isinstance(found, Words) and found.text == "text"
    assert instance_of(GameWrapper(game)) is found
    assert readers == [source]


def test_a_game_made_in_python_is_copied_only_without_a_text(readers: list[Any]) -> None:
    plain = Line()
    assert isinstance(instance_of(plain), Words) and readers == [plain]
    assert instance_of(Line(source=Source("unknown", "x", "t"))) is None
    assert instance_of(make_game("nim:3")) is None
    assert len(readers) == 1


def test_the_digest_is_that_of_the_kind_and_of_what_was_read(readers: list[Any]) -> None:
    def digest(text: str, kind: str = "words") -> str:
        return digest_of(Line(source=Source(kind, text, "t")))

    assert digest("A text") == digest("a TEXT") != digest("a text too")
    assert digest("!a text") != digest("a text")
    assert len(digest("a text")) == 64


def test_of_a_format_without_a_reader_the_text_counts_but_not_how_its_lines_end() -> None:
    def digest(text: str, kind: str = "unknown") -> str:
        return digest_of(Line(source=Source(kind, text, "t")))

    assert digest("a\nb") == digest("a  \r\nb\n\n") != digest("a\nc")
    assert digest("a b") != digest("a\nb")
    assert digest("a") != digest("a", "else")


def test_a_game_of_the_library_is_named_by_its_class_and_arguments() -> None:
    assert digest_of(make_game("nim:1,2")) == digest_of(Nim(1, 2)) != digest_of(Nim(2, 1))
    assert digest_of(make_game("wythoff:1,2")) != digest_of(Nim(1, 2))
    assert digest_of(GameWrapper(Nim(1, 2))) == digest_of(Nim(1, 2))

    class Misere(Nim):
        def result(self, position: Any) -> Any:
            scores = super().result(position)
            return None if scores is None else (-scores[0], -scores[1])

    assert digest_of(Misere(1, 2)) != digest_of(Nim(1, 2))


def test_any_other_game_is_told_by_what_its_rules_say_along_some_lines() -> None:
    plain = digest_of(Line(3))
    half = Fraction(1, 2)
    assert plain == digest_of(Line(3))
    others = [
        Line(4), Line(2), Line(3, names="ac"), Line(3, names="abc"), Line(3, score=2), Line(3, roles=("x", "y")),
        Line(3, endless=(1, -1)), Line(3, hidden=True), Line(3, chance=(half, half)), Line(3, chance=(1, 0)),
        Line(3, stuck=True), Line(0), Line(60), Line(39),
    ]  # fmt: skip
    found = [plain, *(digest_of(other) for other in others)]
    assert len(set(found)) == len(found)
    # Beyond the longest line nothing is looked at.
    assert digest_of(Line(60)) == digest_of(Line(70)) == digest_of(Line(40))
    # An end without moves and one without scores say the same.
    assert digest_of(Line(3, stuck=True)) == digest_of(Line(3, unscored=True))


def test_the_game_without_its_wrappers_has_the_rules() -> None:
    nim = Nim(3)
    assert rules_of(nim) is nim
    assert rules_of(GameWrapper(GameWrapper(nim))) is nim


class Wrapped(GameWrapper):
    """A wrapper of a user, which may change the rules."""


def test_a_wrapper_of_a_user_is_another_game_whatever_text_it_has_inside(readers: list[Any]) -> None:
    game = Line(source=Source("words", "text", "t"))
    assert rules_of(Wrapped(game)).__class__ is Wrapped
    assert instance_of(Wrapped(game)) is None and readers == []
    assert digest_of(Wrapped(game)) != digest_of(game)
    unknown = Line(source=Source("unknown", "text", "t"))
    assert digest_of(Wrapped(unknown)) == digest_of(Wrapped(Line())) != digest_of(unknown)


class Growing(Words):
    """A reading that tells what is left of it after moves."""

    def after_moves(self, moves: Sequence[str]) -> Words:
        return Words(f"{self.text} after {' '.join(moves)}")


def test_moves_of_a_game_that_was_taken_up_are_made_in_its_reading(
    readers: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def found(reading: Words, *moves: str) -> str:
        monkeypatch.setattr(sys.modules["words_for_tests"], "read", lambda source: reading)
        game = Line(source=Source("words", "text", "t"))
        game.line = moves
        kept = instance_of(game)
        assert isinstance(kept, Words)
        return kept.text

    assert found(Growing("text"), "a", "b") == "text after a b"
    assert found(Growing("text")) == found(Words("text")) == found(Words("text"), "a") == "text"


def test_a_reading_that_is_there_is_kept_with_its_text(readers: list[Any]) -> None:
    game, source, words = Line(), Source("words", "text", "t"), Words("something else")
    assert keep_reading(game, words, source) is game
    assert instance_of(game) is words and game.source is source and readers == []


def steps(score: int) -> Game:
    """A game of a class that is called the same and made with the same arguments whatever its rules are."""

    class Steps(Line):
        def __init__(self) -> None:
            super().__init__(2, score=score)

    return Steps()


def test_a_class_outside_the_library_is_not_known_by_its_name() -> None:
    assert digest_of(steps(1)) == digest_of(steps(1)) != digest_of(steps(2))


def test_digests_stay_as_they_are_since_certificates_outlive_versions() -> None:
    assert digest_of(Nim(1, 2)).startswith("fe7a37de0d88")
    assert digest_of(Line(3))[:12] == "4950a161790c"
    assert digest_of(Line(3, stuck=True))[:12] == "c45d749952a4"
    assert digest_of(Line(9, names="abcdefghijk"))[:12] == "659ef914a8ec"


class AtOnce(Game):
    """Both choose a word, once."""

    roles = ("first", "second")

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, position: tuple[str, ...]) -> tuple[str, ...]:
        return self.roles

    def moves(self, position: tuple[str, ...]) -> Sequence[Any]:
        return ["some"]

    def moves_of(self, position: tuple[str, ...], role: str) -> Sequence[str]:
        return ["up", "down"] if role == "first" else ["left"]

    def play(self, position: tuple[str, ...], move: tuple[str, ...]) -> tuple[str, ...]:
        return move

    def result(self, position: tuple[str, ...]) -> Any:
        return (1, -1) if position else None


def test_where_both_move_at_once_a_line_goes_on_by_a_move_of_each() -> None:
    said = without_text.statement_of(AtOnce()).split("\n")
    assert said.count("(('first','second'),2)") == without_text.LINES
    assert {"up+left", "down+left"} >= set(said) & {"up+left", "down+left", "some", "s+o+m+e"} != set()


def test_one_move_is_told_by_its_text() -> None:
    said = without_text.statement_of(Line(names=["north"]))
    assert "\nnorth\n" in said and "+" not in said
