"""The HTTP interface described for programs, with the very types that it is made of."""

from typing import Any

from qwixx.server.protocol import Problem, schema

Document = dict[str, Any]

TABLE = {
    "name": "table",
    "in": "path",
    "required": True,
    "description": "A table's id.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[0-9a-z]+$"},
}


def openapi() -> Document:
    """An OpenAPI document; the WebSocket is described in docs/protocol.md."""
    at_a_table = {"parameters": [TABLE]}
    finished = _answers(404, 409)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Qwixx tables",
            "version": "1",
            "description": "Opening tables and looking back on games. Everything else goes over the WebSocket /ws.",
        },
        "paths": {
            "/healthz": {"get": _get("Is the process up?", _json({"type": "object"}))},
            "/readyz": {"get": _get("Does the database answer?", _json({"type": "object"}), _answers(503))},
            "/api/catalogue": {"get": _get("Every game and every bot", _json(_ref("Catalogue")))},
            "/api/tables": {"post": _post()},
            "/api/tables/{table}/game": {
                **at_a_table,
                "get": _get("The game of a table", _json(_ref("GameInfo")), _answers(404)),
            },
            "/api/tables/{table}/history": {
                **at_a_table,
                "get": _get("A finished game, event by event", _json(_ref("History")), finished),
            },
            "/api/tables/{table}/record": {
                **at_a_table,
                "get": _get("The record of a finished game", _content("text/plain"), finished),
            },
            "/api/tables/{table}/qr.svg": {
                **at_a_table,
                "get": _get("The way to a table for a camera", _content("image/svg+xml"), _answers(400, 404)),
            },
        },
        "components": {"schemas": schema()},
    }


def _get(summary: str, granted: Document, refused: Document | None = None) -> Document:
    return {"summary": summary, "responses": {"200": {"description": "Here it is.", **granted}, **(refused or {})}}


def _post() -> Document:
    return {
        "summary": "Open a table",
        "requestBody": {"required": True, **_json(_ref("NewTable"))},
        "responses": {
            "201": {"description": "The table, and a key for each seat of this device.", **_json(_ref("OpenedTable"))},
            **_answers(400, 403, 429, 503),
        },
    }


def _answers(*codes: int) -> Document:
    why = {
        400: "What is asked for is not possible.",
        403: "Another site's page asks.",
        404: "There is no such table.",
        409: "The game is not over.",
        429: "Too much was asked for; Retry-After says when to try again.",
        503: "The database does not answer; Retry-After says when to try again.",
    }
    return {str(code): {"description": why[code], **_json(_ref(Problem.__name__))} for code in codes}


def _json(schema: Document) -> Document:
    return {"content": {"application/json": {"schema": schema}}}


def _content(kind: str) -> Document:
    return {"content": {kind: {"schema": {"type": "string"}}}}


def _ref(name: str) -> Document:
    return {"$ref": f"#/components/schemas/{name}"}
