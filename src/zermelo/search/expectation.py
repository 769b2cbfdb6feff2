"""Exact expectations by backward induction."""
from __future__ import annotations
from typing import Any
def expected_values(*a: Any) -> Any: ...
