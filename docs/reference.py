"""The reference: pages that ``mkdocs`` makes from the code itself, so that they cannot fall behind it.

``reference/commands.md`` has the help of every verb; ``reference/NAME.md`` what a package exports, with its docstrings.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

PACKAGES = ("zermelo", "zermelo.cgt", "zermelo.qbf", "zermelo.qip", "zermelo.gdl", "zermelo.scsp")

_ROLE = re.compile(r":(?:class|func|mod|meth|attr|data):`~?([^`]+)`")
_TERM = re.compile(r"^([^\s>.][^\n.:]*)\n {4}(?=\S)", re.MULTILINE)
_ANNOTATION = re.compile(r"(: |-> )(['\"])(.*?)\2")
_FUNCTION = re.compile(r"<function (\w+) at 0x[0-9a-f]+>")
_PROMPT = re.compile(r"^(>>>.*(?:\n(?!$).*)*)", re.MULTILINE)


def on_files(files: Any, config: Any) -> Any:
    """Called by ``mkdocs``: adds the pages."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, "reference/commands.md", content=commands_page()))
    for name in PACKAGES:
        files.append(File.generated(config, f"reference/{name}.md", content=package_page(name)))
    return files


def commands_page() -> str:
    """The help of every verb, verbs within verbs included, as the terminal shows it."""
    import click
    from typer.main import get_command

    from zermelo.cli import app

    parts = ["# All commands", "What `zermelo VERB --help` says, for every verb."]
    waiting: list[tuple[str, Any]] = [("zermelo", get_command(app))]
    while waiting:
        name, command = waiting.pop(0)
        with click.Context(command, info_name=name, terminal_width=100, max_content_width=100) as context:
            parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```")
        inner = getattr(command, "commands", {})
        waiting = [*((f"{name} {verb}", inner[verb]) for verb in inner if not inner[verb].hidden), *waiting]
    return "\n\n".join(parts) + "\n"


def package_page(name: str) -> str:
    """What a package exports: its own docstring, then every name."""
    package = import_module(name)
    parts = [f"# {name}", markdown(inspect.getdoc(package) or "")]
    for exported in sorted(package.__all__, key=str.lower):
        parts += _entry(exported, getattr(package, exported))
    return "\n\n".join(part for part in parts if part) + "\n"


def _entry(name: str, thing: Any) -> Iterator[str]:
    yield f"## {name}"
    if inspect.isclass(thing) and not thing.__module__.startswith("zermelo"):
        yield f"Another name for `{thing.__qualname__}`."
        return
    if inspect.isclass(thing) or inspect.isfunction(thing):
        yield f"```text\n{'class ' if inspect.isclass(thing) else ''}{name}{_signature(thing)}\n```"
        yield markdown(inspect.getdoc(thing) or "")
    else:
        yield f"`{cut(repr(thing))}`"
    if inspect.isclass(thing):
        for own, member in sorted(vars(thing).items()):
            function = getattr(member, "__func__", getattr(member, "fget", member))
            if own.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
                continue
            call = "" if isinstance(member, property) else _signature(function)
            yield f"### {name}.{own}\n\n```text\n{own}{call}\n```"
            yield markdown(inspect.getdoc(function) or "")


def _signature(thing: Any) -> str:
    try:
        text = _ANNOTATION.sub(r"\1\3", str(inspect.signature(thing)))
        return cut(_FUNCTION.sub(r"\1", text).replace("zermelo.", ""), 600)
    except (TypeError, ValueError):
        return "(...)"


def cut(text: str, most: int = 120) -> str:
    """A long text cut off."""
    return text if len(text) <= most else text[: most - 3] + "..."


def markdown(docstring: str) -> str:
    """A docstring as Markdown: names of other things as code, terms as a list, examples as blocks."""
    text = _ROLE.sub(lambda match: f"`{match[1].rsplit('.', 1)[-1]}`", docstring).replace("``", "`")
    text = _TERM.sub(r"- **\1**: ", text)
    return _PROMPT.sub(lambda match: f"```python\n{match[1]}\n```", text)
