"""The reference pages are made from the code: they name every verb and every exported name."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

PLACE = Path(__file__).parents[1] / "docs" / "reference.py"


def reference() -> ModuleType:
    """The module that makes the pages."""
    spec = importlib.util.spec_from_file_location("reference", PLACE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_commands_has_every_verb_and_option() -> None:
    page = reference().commands_page()
    for heading in ("## zermelo solve", "## zermelo gdl check", "## zermelo arena run"):
        assert f"{heading}\n" in page
    assert "--certificate" in page and "--after" in page


@pytest.mark.parametrize("name", reference().PACKAGES)
def test_the_page_of_a_package_has_every_name_it_exports(name: str) -> None:
    page = reference().package_page(name)
    for exported in import_module(name).__all__:
        assert f"## {exported}\n" in page
    assert " at 0x" not in page and ":class:" not in page


def test_docstrings_become_markdown() -> None:
    text = reference().markdown(
        "The :class:`~zermelo.game.Game` and ``x``.\n\nterm\n    What it means.\n\n>>> 1 + 1\n2"
    )
    assert text == "The `Game` and `x`.\n\n- **term**: What it means.\n\n```python\n>>> 1 + 1\n2\n```"


def test_a_name_for_a_type_of_python_says_so_and_no_more() -> None:
    page = reference().package_page("zermelo")
    assert "## Role\n\nAnother name for `str`.\n" in page
    assert "encoding defaults to" not in page
