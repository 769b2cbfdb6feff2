"""``zermelo gdl``: rulesheets of general game playing. Each verb has a file of its own and is listed here."""

from __future__ import annotations

import typer

from zermelo.cli.gdl_bench import bench
from zermelo.cli.gdl_check import check
from zermelo.cli.gdl_decompose import decompose
from zermelo.cli.gdl_format import format_rules
from zermelo.cli.gdl_replay import replay
from zermelo.cli.gdl_symmetries import symmetries
from zermelo.cli.gdl_trace import trace

gdl_app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
gdl_app.command("format")(format_rules)
gdl_app.command("check")(check)
gdl_app.command("bench")(bench)
gdl_app.command("replay")(replay)
gdl_app.command("symmetries")(symmetries)
gdl_app.command("decompose")(decompose)
gdl_app.command("trace")(trace)


@gdl_app.callback()
def gdl() -> None:
    """Works with rulesheets of general game playing.

    They are written in GDL or GDL-II, in KIF or in infix syntax.
    """
