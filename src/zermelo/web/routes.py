"""All that can be asked over HTTP, in one table: the server routes by it, and the OpenAPI document is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

PREFIX: Final = "/api/v1"
SMALL: Final = 2 << 20
PICTURE: Final = 8 << 20
LARGE: Final = 64 << 20
"""Bytes of a request: of most, of one that carries a picture, and of one that carries a certificate."""

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
GAME: Final[Schema] = {
    "type": "object",
    "description": "A game: a target that names no file, a text with its format (or recognised by what it looks like), "
    "or a sample that comes with the package.",
    "properties": {
        "target": TEXT | {"examples": ["hex:4", "gdl:chess", "{5|-5} + {3||2|-1}", "domineering:....|.#.."]},
        "text": TEXT,
        "format": TEXT
        | {"examples": ["rulesheet", "qcir", "qdimacs", "qlp", "network", "cgt", "sgf", "graph", "efg", "nfg"]},
        "name": TEXT,
        "options": TEXT | {"description": "For Go records: area, move=30, safe=C3/D4, komaster=black."},
        "sample": TEXT,
    },
}
MOVES: Final[Schema] = {
    "type": "array",
    "description": "The moves made so far, as people write them; a list where several roles move at once.",
    "items": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]},
}
ENGINE: Final[Schema] = TEXT | {"description": "auto, all, or the name of an engine.", "default": "auto"}
SECONDS: Final[Schema] = {"type": "number", "description": "Seconds that it may take, up to the server's limit."}


def asked(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """The schema of a request.

    >>> asked(("game",), game=GAME)["required"]
    ['game']
    """
    return {"type": "object", "properties": properties, "required": list(required)}


@dataclass(frozen=True)
class Endpoint:
    """Something that can be asked: by which method and path, by which function it is answered, and what it takes."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    handler: str
    summary: str
    body: Schema | None = None
    query: tuple[str, ...] = ()
    answer: str = "application/json"
    most_bytes: int = SMALL
    task: str = ""
    """The task of a worker that answers it, where one does."""
    status: int = 200
    tags: tuple[str, ...] = field(default=())

    @property
    def names(self) -> list[str]:
        """The parts of the path that the caller fills in."""
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


def _desk(task: str, summary: str, body: Schema, most_bytes: int = SMALL) -> Endpoint:
    return Endpoint("POST", f"/{task}", "desk", summary, body, task=task, most_bytes=most_bytes)


JOB_TASKS: Final = ("solve", "analyse", "reply", "why", "check", "bench", "decompose")
"""Long tasks, which are jobs."""

ENDPOINTS: Final = (
    Endpoint("GET", "/openapi.json", "openapi", "This document."),
    Endpoint("GET", "/status", "status", "The version, the limits of the server, and how many jobs there are."),
    Endpoint("GET", "/gallery", "gallery", "Every game that can be named, with its rules in words."),
    Endpoint(
        "GET",
        "/thumbnail",
        "thumbnail",
        "A picture of the start of a game.",
        query=("target", "sample"),
        answer="image/svg+xml",
    ),
    Endpoint("GET", "/samples/{name}", "sample", "The text of a sample.", answer="text/plain"),
    _desk("recognise", "What a text is, and the game that it states.", asked(("text",), text=TEXT, name=TEXT)),
    _desk("text", "The text that states a game, where there is one, to be edited.", asked(("game",), game=GAME)),
    _desk(
        "state",
        "Where play stands after moves: who is to move, the legal moves, how it ended, a picture.",
        asked(("game",), game=GAME, moves=MOVES),
    ),
    _desk("engines", "Which engines take a game, and why the others do not.", asked(("game",), game=GAME)),
    _desk(
        "lint",
        "What is wrong with a text: findings with line and column.",
        asked(("text",), text=TEXT, format=TEXT, name=TEXT, play={"type": "boolean"}),
    ),
    _desk(
        "encode",
        "A game in another form, for other tools.",
        asked(
            ("game", "form"),
            game=GAME,
            moves=MOVES,
            form=TEXT
            | {"enum": ["graph", "qcir", "qdimacs", "qlp", "lp", "mps", "sum", "network", "xcsp", "efg", "nfg"]},
            horizon={"type": "integer"},
            goal=TEXT,
            encoding=TEXT,
        ),
    ),
    _desk(
        "picture",
        "Something drawn of a game: board, tree, graph, thermograph, polytope, strategy.",
        asked(("game",), game=GAME, moves=MOVES, what=TEXT, depth={"type": "integer"}),
    ),
    _desk(
        "pdf",
        "A picture that the browser shows, as PDF in base 64; needs the extra zermelo[pictures].",
        asked(("svg",), svg=TEXT | {"description": "SVG; of what it holds, shapes and words are drawn."}),
        PICTURE,
    ),
    _desk("symmetries", "Which states and moves the rules of a rulesheet treat alike.", asked(("game",), game=GAME)),
    _desk(
        "sum",
        "A sum: value, mean, temperature, thermographs, bounds and the best move of either side.",
        asked(("terms",), terms={"type": "array", "items": TEXT, "description": "Brackets, or boards of any ruleset."}),
    ),
    _desk(
        "calculate",
        "Lines about values of games, as `zermelo cgt` reads them: what each comes to, or what is wrong with it.",
        asked(("lines",), lines={"type": "array", "items": TEXT}),
    ),
    _desk(
        "go",
        "A Go record: regions with their values and temperatures, the best order of play, the record with remarks.",
        asked(("game",), game=GAME, moves=MOVES | {"description": "Points played after it in turn, or pass."}),
    ),
    Endpoint(
        "POST",
        "/jobs",
        "start_job",
        "Starts a long computation in a process of its own; answers with its id.",
        asked(
            ("task", "game"),
            task=TEXT | {"enum": list(JOB_TASKS)},
            game=GAME,
            moves=MOVES,
            seconds=SECONDS,
            engine=ENGINE,
            nodes={"type": "integer"},
            role=TEXT,
            move=TEXT | {"description": "For why: the move that is asked about."},
            certificate=TEXT | {"description": "For check: the text of a certificate."},
            layered=TEXT | {"description": "For check: a certificate in layers (.zc) instead, in base 64."},
            player=TEXT | {"description": "For reply: exact, mac-ucb, fc-ucb, uct or random; by default the engine."},
        ),
        most_bytes=LARGE,
        status=202,
    ),
    Endpoint("GET", "/jobs/{job}", "job", "The state of a job and, when it is done, its result."),
    Endpoint("DELETE", "/jobs/{job}", "cancel_job", "Cancels a job; what it knows by then is its result."),
    Endpoint(
        "GET",
        "/jobs/{job}/events",
        "job_events",
        "What a job tells, as server-sent events: progress, proved, analysis, result, error.",
        answer="text/event-stream",
    ),
    Endpoint("GET", "/jobs/{job}/certificate", "certificate", "The certificate that a solve has found, as a file."),
    Endpoint(
        "POST",
        "/jobs/{job}/strategy",
        "strategy",
        "One node of the strategy that a solve has found: its move, or all replies.",
        asked(
            claim={"type": "integer"},
            moves=MOVES,
            picture={"type": "boolean"},
            skip={
                "type": "integer",
                "description": "Replies to pass over, where there are many.",
            },
        ),
    ),
    Endpoint("GET", "/arena", "arena", "The standings of the tournament that the server was started with, if any."),
)
