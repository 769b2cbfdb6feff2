"""The OpenAPI document, written from the table of what can be asked."""

from __future__ import annotations

from typing import Any

from zermelo import __version__
from zermelo.web.routes import ENDPOINTS, PREFIX, Endpoint

ERROR = {
    "description": "What is wrong, in one plain line.",
    "content": {
        "application/json": {
            "schema": {
                "type": "object",
                "properties": {
                    "error": {"type": "string"},
                    "line": {"type": "integer"},
                    "column": {"type": "integer"},
                },
                "required": ["error"],
            }
        }
    },
}


def document() -> dict[str, Any]:
    """The whole document.

    >>> document()["paths"]["/api/v1/state"]["post"]["summary"][:22]
    'Where play stands afte'
    """
    paths: dict[str, Any] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(PREFIX + endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Zermelo",
            "version": "1",
            "summary": "State a game once. Know who wins, how, and be able to check it.",
            "description": f"The JSON interface of `zermelo serve` (package {__version__}).",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in endpoint.names
    ] + [{"name": name, "in": "query", "schema": {"type": "string"}} for name in endpoint.query]
    told: dict[str, Any] = {
        "operationId": endpoint.task or endpoint.handler,
        "summary": endpoint.summary,
        "responses": {
            str(endpoint.status): {"description": "The answer.", "content": {endpoint.answer: {}}},
            "default": ERROR,
        },
    }
    if parameters:
        told["parameters"] = parameters
    if endpoint.body is not None:
        content = {"application/json": {"schema": endpoint.body}}
        told["requestBody"] = {"required": True, "content": content}
    return told
