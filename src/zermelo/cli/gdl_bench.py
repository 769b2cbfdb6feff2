"""``zermelo gdl bench``: how large a ground game is and how fast it is played."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from zermelo.cli.shared_options import AsJson, MemoryLimit


def bench(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rulesheet file, or gdl:NAME of the library.")],
    seconds: Annotated[float, typer.Option(min=0.01, max=86400.0, help="How long each kernel plays.")] = 2.0,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="How many threads play.")] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Of the random moves.")] = 1,
    memory_limit: MemoryLimit = 4096,
    as_json: AsJson = False,
) -> None:
    """Measures a rulesheet: its size and playouts per second.

    `single` plays one game at a time, as tree search does; `bulk` plays hundreds at once in the bits of a vector.
    """
    from zermelo.gdl.bench import bench_rules
    from zermelo.gdl.library import sheet_of

    figures = bench_rules(sheet_of(rules), seconds, threads, seed, memory_limit)
    if as_json:
        print(json.dumps({"target": rules, **figures}))
        return
    print(_report(rules, figures))


def _report(rules: str, figures: dict[str, Any]) -> str:
    lines = [f"{rules}: {figures['kind']}"]
    if figures["kind"] == "ground":
        lines.append(
            f"  {figures['fluents']} fluents, {figures['moves']} moves, {figures['gates']} gates "
            f"from {figures['rules']} rules in {figures['ground_seconds']:.3f} s"
        )
    else:
        lines.append(f"  {figures['reason']}")
    for name, played in figures["kernels"].items():
        lines.append(
            f"  {name:<12}{played['playouts_per_second']:>12,.0f} playouts/s"
            f"{played['steps_per_second']:>15,.0f} steps/s"
        )
    return "\n".join(lines)
