"""The browser's types are the protocol's."""

from pathlib import Path
from typing import get_args

from qwixx.server.protocol import AnyAnswer, AnyRequest
from qwixx.server.typescript import typescript

FILE = Path(__file__).parents[2] / "web" / "src" / "lib" / "protocol.ts"


def test_the_types_are_fresh() -> None:
    assert FILE.read_text("utf-8") == typescript(), "make types"


def test_what_the_types_look_like() -> None:
    text = typescript()
    assert (
        "export type Request = Hello | Join | Add | Choose | TakeBack | EnterDice | HandOver | Ask | Tell | Rematch;"
        in text
    )
    assert "export type Answer = Update | Seated | Done | Refusal | Explained;" in text
    assert "  state: StateJson | null;" in text
    assert "  tableau: (string | null)[];" in text
    assert "  keys?: string[];" in text
    assert "unknown" not in text


def test_every_message_is_described() -> None:
    page = (FILE.parents[3] / "docs" / "protocol.md").read_text("utf-8")
    tags = {str(kind.__struct_config__.tag) for kind in (*get_args(AnyRequest), *get_args(AnyAnswer))}
    assert [tag for tag in sorted(tags) if f"`{tag}`" not in page] == []
