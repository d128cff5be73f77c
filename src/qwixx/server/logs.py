"""Log lines that programs can read and people can follow: each says which request, connection or table it is about.

Keys, secrets and what players are dealt never get here: lines are made of names of things, not of messages.
"""

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal

Style = Literal["quiet", "text", "json"]

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


@contextmanager
def about(**facts: str) -> Iterator[None]:
    """Lines written in here carry these facts, like `table="k3v9…"`."""
    before = _about.set({**_about.get(), **facts})
    try:
        yield
    finally:
        _about.reset(before)


def _facts(record: logging.LogRecord) -> dict[str, str]:
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"at": at, "level": record.levelname.lower(), "text": record.getMessage(), **_about.get()}


class JsonLines(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        if record.exc_info:
            facts["trace"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """The same for people."""

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        start = " ".join(facts.pop(name) for name in ("at", "level", "text"))
        line = start + "".join(f" {name}={value}" for name, value in facts.items())
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def write_logs(style: Style) -> None:
    """Sends log lines to standard error: what went wrong if they are to be quiet, else also who asked for what."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else PlainLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("qwixx").setLevel(logging.WARNING if style == "quiet" else logging.INFO)
