"""Texts of networks that state something of another kind than is expected there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zermelo.check.read import network
from zermelo.errors import InputError
from zermelo.source import Source

HEAD = {"format": "zermelo-network", "version": 1, "players": 1, "variables": [{"name": "x", "domain": ["a", "b"]}]}


@pytest.mark.parametrize("what", ["tables", "utilities", "chances", "variables"])
@pytest.mark.parametrize("item", [5, None, True, "even", ["even"], []])
def test_what_is_no_object_where_one_is_expected_is_refused(what: str, item: Any) -> None:
    text = json.dumps({**HEAD, what: [item]})
    with pytest.raises(InputError, match=r"^n\.json: expected .* to be an object$"):
        network.read(Source("network", text, "n.json"))
