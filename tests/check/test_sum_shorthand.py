"""Short forms of games in brackets, as the checker reads them."""

from __future__ import annotations

import pytest

from zermelo.check.read.shorthand import MOST_POWERS
from zermelo.check.read.sum import text_as_sum
from zermelo.errors import InputError


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("upstar", "^*"),
        ("^<1>", "^"),
        ("v<1>", "-(^)"),
        ("^[2]", "{^|*}"),
        ("^<2>", "{0|-(^)+*}"),
        ("v[2]", "-({^|*})"),
        ("+_2", "{0||0|-2}"),
        ("-_2", "-({0||0|-2})"),
        ("+_-_2", "{0||0|-(-_2)}"),
    ],
)
def test_a_short_form_is_the_game_that_it_stands_for(short: str, long: str) -> None:
    assert text_as_sum(short) == text_as_sum(long)


def test_powers_of_up_are_read_up_to_the_largest() -> None:
    assert len(text_as_sum(f"^[{MOST_POWERS}]").nodes) == MOST_POWERS + 1
    for text in (f"^[{MOST_POWERS + 1}]", "^<0>"):
        with pytest.raises(InputError, match="expected a power from"):
            text_as_sum(text)
