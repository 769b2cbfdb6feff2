"""The lessons: each notebook runs, and shows what it says it shows."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "lessons"
NAMES = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def lessons() -> ModuleType:
    """The module that runs notebooks; it lies beside them."""
    spec = importlib.util.spec_from_file_location("lessons", FOLDER / "notebooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(cell: dict[str, Any]) -> str:
    """The text that a cell shows; pictures are compared by the tests of pictures."""
    return "".join(line for out in cell["outputs"] for line in out.get("text") or out["data"]["text/plain"])


def shown(notebook: dict[str, Any]) -> list[tuple[str, str]]:
    """The code of each cell with the text it shows."""
    return [("".join(cell["source"]), text_of(cell)) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_shows_what_its_cells_give(name: str) -> None:
    module = lessons()
    kept = module.read(FOLDER / name)
    for (code, text), (_, now) in zip(shown(kept), shown(module.run(kept)), strict=True):
        assert now == text, code


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_lesson_has_its_title_its_code_and_its_pictures(name: str) -> None:
    module = lessons()
    notebook = module.read(FOLDER / name)
    page = module.page(notebook)
    pictures = sum(
        "image/svg+xml" in out.get("data", {}) for cell in notebook["cells"] for out in cell.get("outputs", [])
    )
    assert page.startswith("# ") and "```python" in page
    assert page.count("<svg") == pictures


def test_there_is_a_lesson_for_each_text_that_the_project_comes_from() -> None:
    assert NAMES == ["geography.ipynb", "players.ipynb", "programs.ipynb", "strategies.ipynb", "sums.ipynb"]
