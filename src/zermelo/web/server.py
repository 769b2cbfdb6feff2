"""The server: it routes requests to worker processes and hands out the files of the page; it reads no game itself."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from zermelo import __version__
from zermelo.errors import ZermeloError
from zermelo.web.admission import Admission, refused
from zermelo.web.desk import BusyError, Desk, Event, WorkerGoneError
from zermelo.web.gallery import gallery
from zermelo.web.jobs import Job, Jobs
from zermelo.web.openapi import document
from zermelo.web.routes import ENDPOINTS, JOB_TASKS, PREFIX, Endpoint
from zermelo.web.samples import sample_text
from zermelo.web.task_solving import CERTIFICATE, LAYERED

STATIC: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
PATIENCE: Final = 30.0
"""Seconds in which a request must have arrived whole."""
PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
STRATEGY_SECONDS: Final = 120.0
"""Seconds to unfold a node of a strategy: the first look writes out a table, which may be long."""
DEFAULT_SECONDS: Final = {"solve": 60.0, "analyse": 20.0, "reply": 4.0, "why": 10.0, "check": 120.0}


@dataclass(frozen=True)
class Settings:
    """How the server is set up."""

    token: str | None = None
    memory: int = 1024
    """Megabytes that a process may hold."""
    seconds: float = 600.0
    """Seconds that a job may take."""
    running: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    waiting: int = 8
    quick_seconds: float = 10.0
    arena: Path | None = None


class Refusal(Exception):  # noqa: N818 (it is no error of ours)
    """A request that is answered by one line."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Service:
    """Answers requests, one method for each handler that the table of routes names."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        empty = folder / "empty"
        empty.mkdir(exist_ok=True)
        self.quick = Desk(empty, settings.memory, settings.running, seconds=settings.quick_seconds)
        self.jobs = Jobs(folder, settings.memory, settings.running, settings.waiting)
        self.drawn: dict[str, bytes] = {}

    async def close(self) -> None:
        """Ends all processes."""
        await self.quick.close()
        await self.jobs.close()

    async def answer(self, endpoint: Endpoint, request: Request) -> Response:
        """The answer to a request; refusals are told in one line."""
        try:
            body = await read_body(request, endpoint.most_bytes) if endpoint.body is not None else {}
            handler: Callable[[Endpoint, Request, dict[str, Any]], Awaitable[Response]] = getattr(
                self, endpoint.handler
            )
            return await handler(endpoint, request, body)
        except Refusal as refusal:
            return refused(refusal.status, refusal.why)
        except BusyError as error:
            return refused(429, str(error))
        except WorkerGoneError as error:
            return refused(503, str(error))
        except ClientDisconnect:
            return refused(400, "the request broke off")

    # What is known without a worker

    async def openapi(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The document of this interface."""
        return JSONResponse(document())

    async def status(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The version and the limits."""
        settings, jobs = self.settings, self.jobs.jobs.values()
        return JSONResponse(
            {
                "version": __version__,
                "limits": {"seconds": settings.seconds, "memory": settings.memory, "running": settings.running},
                "jobs": {state: sum(job.state == state for job in jobs) for state in ("waiting", "running")},
                "arena": settings.arena is not None,
            }
        )

    async def gallery(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The cards of Home."""
        return JSONResponse(await asyncio.to_thread(gallery))

    async def sample(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """A statement to begin with."""
        try:
            return Response(sample_text(request.path_params["name"]), media_type="text/plain; charset=utf-8")
        except ZermeloError as error:
            raise Refusal(404, str(error)) from None

    # Short questions

    async def desk(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """A short question to a worker."""
        return answered(await self.quick.ask(endpoint.task, body))

    async def thumbnail(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The picture of the start of a game that has a card."""
        game = {name: request.query_params[name] for name in endpoint.query if name in request.query_params}
        if game not in [card["statement"] for card in await asyncio.to_thread(gallery)]:
            raise Refusal(404, "no picture is kept of this game")
        key = json.dumps(game)
        if key not in self.drawn:
            event = await self.quick.ask("thumbnail", {"game": game})
            if event.name != "result":
                return answered(event)
            self.drawn[key] = json.loads(event.data)["svg"].encode()
        headers = {"content-security-policy": PICTURE_POLICY, "cache-control": "max-age=600"}
        return Response(self.drawn[key], media_type="image/svg+xml", headers=headers)

    # Long ones

    async def start_job(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """A job in a process of its own."""
        task = body.get("task")
        if task not in JOB_TASKS:
            raise Refusal(400, f"no such task, expected one of {', '.join(JOB_TASKS)}")
        seconds = body.get("seconds", DEFAULT_SECONDS.get(task, 30.0))
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.1 <= seconds <= 1e6:
            raise Refusal(400, '"seconds" is not a number of seconds from 0.1 on')
        job = self.jobs.start(task, body, min(float(seconds), self.settings.seconds), holds=task == "solve")
        return JSONResponse({"id": job.number, "state": job.state}, endpoint.status)

    def _job(self, request: Request) -> Job:
        job = self.jobs.jobs.get(request.path_params["job"])
        if job is None:
            raise Refusal(404, "no such job: it was forgotten, or the server was restarted")
        return job

    async def job(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The state of a job."""
        return JSONResponse(self._job(request).to_json())

    async def cancel_job(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """Cancels a job."""
        job = self._job(request)
        await self.jobs.cancel(job)
        return JSONResponse({"id": job.number, "state": job.state})

    async def job_events(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """What a job tells, from the event on that the browser has not seen."""
        job, last = self._job(request), request.headers.get("last-event-id", "")
        first = int(last) + 1 if last.isascii() and last.isdigit() and len(last) < 8 else 0

        async def stream() -> AsyncIterator[bytes]:
            job.followers += 1
            try:
                async for place, event in job.follow(first):
                    head = f"event: {event.name}\n" if event.name == "still" else f"id: {place}\nevent: {event.name}\n"
                    yield f"{head}data: {event.data}\n\n".encode()
            finally:
                job.followers -= 1
                self.jobs.leave_alone(job)
            yield f"event: end\ndata: {json.dumps({'state': job.state})}\n\n".encode()

        return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    async def certificate(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The certificate of a solve as a file."""
        job = self._job(request)
        for name, kind in ((CERTIFICATE, "application/json"), (LAYERED, "application/octet-stream")):
            path = job.folder / name
            if job.task == "solve" and job.result is not None and path.is_file() and path.stat().st_size:
                return FileResponse(path, media_type=kind, filename=name)
        raise Refusal(404, "there is no certificate of this job")

    async def strategy(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """One node of a strategy."""
        job = self._job(request)
        if job.task != "solve" or job.result is None:
            raise Refusal(409, "there is no strategy yet")
        return answered(await self.jobs.ask(job, "unfold", body, STRATEGY_SECONDS))

    async def arena(self, endpoint: Endpoint, request: Request, body: dict[str, Any]) -> Response:
        """The standings of a tournament; no plan where the server was started without one."""
        from zermelo.web.standings import standings

        if self.settings.arena is None:
            return JSONResponse({"plan": None, "pairings": []})
        try:
            return JSONResponse(await asyncio.to_thread(standings, self.settings.arena))
        except ZermeloError as error:
            raise Refusal(503, str(error)) from None


def answered(event: Event) -> Response:
    """The answer of a worker as a response."""
    if event.name == "result":
        return Response(event.data, media_type="application/json")
    told = json.loads(event.data)
    status = 500 if told.get("internal") else 503 if told.get("limit") else 400
    return Response(event.data, status, media_type="application/json")


async def read_body(request: Request, most: int) -> dict[str, Any]:
    """The object that a request holds, read no further than allowed."""
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 12:
        raise Refusal(400, "Content-Length is not a number")
    too_long = Refusal(413, f"the request is longer than {most >> 20} MB")
    if int(length) > most:
        raise too_long
    pieces, size = [], 0
    try:
        async with asyncio.timeout(PATIENCE):
            async for piece in request.stream():
                size += len(piece)
                if size > most:
                    raise too_long
                pieces.append(piece)
    except TimeoutError:
        raise Refusal(408, "the request took too long to arrive") from None
    try:
        body = json.loads(b"".join(pieces))
    except (ValueError, RecursionError):
        raise Refusal(400, "the request is not JSON") from None
    if not isinstance(body, dict):
        raise Refusal(400, "the request is not a JSON object")
    return body


def static_files() -> dict[str, tuple[bytes, str, str]]:
    """The files of the page by name, each with its type and a tag: nothing else is ever handed out."""
    from zermelo.draw.svg import STYLE

    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in STATIC.rglob("*") if path.is_file()}
    files["pictures.css"] = STYLE.removeprefix("<style>").removesuffix("</style>").encode()
    return {
        name: (data, TYPES.get(Path(name).suffix, "application/octet-stream"), hashlib.sha256(data).hexdigest()[:16])
        for name, data in files.items()
    }


def make_app(settings: Settings | None = None) -> ASGIApp:
    """The application that ``zermelo serve`` runs."""
    settings = settings or Settings()
    files = static_files()
    service: list[Service] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with tempfile.TemporaryDirectory(prefix="zermelo-serve-", ignore_cleanup_errors=True) as folder:
            service.append(Service(settings, Path(folder)))
            try:
                yield
            finally:
                await service.pop().close()

    async def api(endpoint: Endpoint, request: Request) -> Response:
        return await service[0].answer(endpoint, request)

    async def page(request: Request) -> Response:
        name = request.path_params.get("name") or "index.html"
        if name not in files:
            return refused(404, "no such page")
        data, kind, tag = files[name]
        headers = {"etag": f'"{tag}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == f'"{tag}"':
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)

    async def nowhere(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 404)
        return refused(status, "no such page" if status == 404 else "this cannot be asked in that way")

    routes = [Route(PREFIX + each.path, partial(api, each), methods=[each.method]) for each in ENDPOINTS]
    routes += [Route("/", page), Route("/static/{name:path}", page)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: nowhere, 405: nowhere})
    return Admission(app, settings.token)
