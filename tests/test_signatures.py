"""Every kernel visits the nodes that it is known to visit: see ``benchmarks/signatures.py``."""

from __future__ import annotations

import pytest
from benchmarks.signatures import ENGINES, TARGETS, differences, signature, stored


def test_every_engine_has_a_signature_on_every_game() -> None:
    assert {target: tuple(of) for target, of in stored().items()} == dict.fromkeys(TARGETS, ENGINES)


@pytest.mark.parametrize("target", TARGETS)
def test_node_counts_are_the_ones_on_record(target: str) -> None:
    found = {engine: signature(target, engine) for engine in ENGINES}
    assert not differences({target: found}, {target: stored()[target]})
