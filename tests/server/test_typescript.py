"""The browser's types are the protocol's."""

from pathlib import Path

from qwixx.server.typescript import typescript

FILE = Path(__file__).parents[2] / "web" / "src" / "lib" / "protocol.ts"


def test_the_types_are_fresh() -> None:
    assert FILE.read_text("utf-8") == typescript(), "make types"


def test_what_the_types_look_like() -> None:
    text = typescript()
    assert (
        "export type Request = Hello | Join | Choose | TakeBack | EnterDice | HandOver | Ask | Tell | Rematch;" in text
    )
    assert "export type Answer = Update | Seated | Done | Refusal | Explained;" in text
    assert "  state: StateJson | null;" in text
    assert "  tableau: (string | null)[];" in text
    assert "  keys?: string[];" in text
    assert "unknown" not in text
