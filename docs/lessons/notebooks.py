"""The lessons: notebooks that are run here without Jupyter, and become pages of the manual.

``python docs/lessons/notebooks.py`` runs every notebook of this folder and writes its outputs anew. The tests run them
too and compare. While the manual is built, ``mkdocs`` calls :func:`on_files`, which adds a page for each notebook.

A cell shows what Jupyter would show: what it prints, and its last expression, as a picture if it has one.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICTURES = ("image/svg+xml", "text/html", "text/latex")
"""What an expression shows itself as, best first; its text is kept beside it."""

Notebook = dict[str, Any]
Output = dict[str, Any]


def notebooks() -> list[Path]:
    """The notebooks of this folder, in the order of their names."""
    return sorted(HERE.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """A notebook as the object that its file holds."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def write(path: Path, notebook: Notebook) -> None:
    """Writes a notebook as Jupyter does, so that editing one there changes few lines."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def run(notebook: Notebook) -> Notebook:
    """The notebook with the outputs of its cells, run from the folder above ``docs``, where the examples are."""
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(HERE.parents[1]):
        cells = [_run_cell(cell, names) if cell["cell_type"] == "code" else cell for cell in notebook["cells"]]
    return {**notebook, "cells": cells}


def _run_cell(cell: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    tree = ast.parse("".join(cell["source"]))
    last = tree.body[-1] if tree.body else None
    shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    tree.body = tree.body if shown is None else tree.body[:-1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = None if shown is None else eval(compile(shown, "<cell>", "eval"), names)
    return {**cell, "outputs": list(_outputs(printed.getvalue(), value))}


def _outputs(printed: str, value: Any) -> Iterator[Output]:
    if printed:
        yield {"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)}
    if value is None:
        return
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    for kind, method in zip(PICTURES, ("_repr_svg_", "_repr_html_", "_repr_latex_"), strict=True):
        if hasattr(value, method) and (text := getattr(value, method)()):
            data[kind] = text.splitlines(keepends=True)
            break
    yield {"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}


def page(notebook: Notebook) -> str:
    """The notebook as Markdown with pictures in it."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        data = output.get("data", {"text/plain": output.get("text", [])})
        picture = next((data[kind] for kind in PICTURES if kind in data), None)
        # A blank line would end the block of HTML.
        inside = "".join(line for line in picture if line.strip()) if picture else ""
        yield f"<div>{inside}</div>" if inside else "```text\n" + "".join(data["text/plain"]).rstrip("\n") + "\n```"


def on_files(files: Any, config: Any) -> Any:
    """Called by ``mkdocs``: adds a page for each notebook, in the place of the file itself."""
    from mkdocs.structure.files import File

    for path in notebooks():
        uri = f"lessons/{path.name}"
        if (kept := files.get_file_from_path(uri)) is not None:
            files.remove(kept)
        files.append(File.generated(config, f"lessons/{path.stem}.md", content=page(read(path))))
    return files


def main() -> int:
    """Runs all notebooks, or those that are named, and writes them."""
    os.environ.setdefault("NO_COLOR", "1")
    for path in [Path(name) for name in sys.argv[1:]] or notebooks():
        write(path, run(read(path)))
        print(path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
