"""The page speaks both languages completely: no sentence is missing, none is idle, none lacks what fills it in."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from qwixx.boards import all_variants
from qwixx.bots import BOTS
from qwixx.rules import Why
from qwixx.server.protocol import NoteKind, RefusalCode

SOURCE = Path(__file__).parents[2] / "web" / "src"
ENGLISH: dict[str, str] = json.loads((SOURCE / "lib" / "en.json").read_text("utf-8"))
GERMAN: dict[str, str] = json.loads((SOURCE / "lib" / "de.json").read_text("utf-8"))
FROM_THE_SERVER = ("why.", "refusal.", "game.")
"""Kinds of sentences that the server says in English itself."""
OWN_WORDS = {"settled", "rolled", "corrected", "closed", "handed", "over", "rematch"}
"""Notes that are put into words piece by piece."""


def facts(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


def test_both_languages_have_the_same_sentences() -> None:
    assert {key for key in GERMAN if not key.startswith(FROM_THE_SERVER)} == set(ENGLISH)


@pytest.mark.parametrize("key", ENGLISH)
def test_a_sentence_is_filled_in_the_same_way(key: str) -> None:
    assert GERMAN[key].strip()
    assert facts(GERMAN[key]) == facts(ENGLISH[key])


@pytest.mark.parametrize("why", Why, ids=lambda why: why.name)
def test_every_reason_is_worded_in_german(why: Why) -> None:
    assert facts(GERMAN[f"why.{why.name}"]) == facts(why.sentence)


def test_nothing_is_translated_that_the_server_does_not_say() -> None:
    said = {f"why.{why.name}" for why in Why} | {f"refusal.{code}" for code in get_args(RefusalCode)}
    said |= {f"game.{key}{part}" for key in all_variants() for part in ("", ".summary")}
    assert {key for key in GERMAN if key.startswith(FROM_THE_SERVER)} == said


def test_every_bot_and_every_note_has_its_words() -> None:
    assert {key.removeprefix("bot.") for key in ENGLISH if key.startswith("bot.")} == set(BOTS)
    assert {key.removeprefix("note.") for key in ENGLISH if key.startswith("note.")} == set(
        get_args(NoteKind)
    ) - OWN_WORDS


def test_no_sentence_is_idle() -> None:
    pages = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*") if path.suffix in (".svelte", ".ts"))
    made_up = ("bot.", "character.", "note.", "colour.", "game.")
    assert [
        key for key in ENGLISH if not key.startswith(made_up) and f'"{key}"' not in pages and f"'{key}'" not in pages
    ] == []


def test_no_page_has_words_of_its_own() -> None:
    """Text between tags comes from the sentences; numbers and signs may stand alone."""
    for path in SOURCE.glob("*.svelte"):
        markup = re.sub(
            r"<(script|style)[^>]*>.*?</\1>|<!--.*?-->|\{[^{}]*(\{[^{}]*\}[^{}]*)*\}",
            " ",
            path.read_text("utf-8"),
            flags=re.DOTALL,
        )
        words = [text.strip() for text in re.findall(r">([^<>]+)<", markup) if re.search(r"[A-Za-zÄÖÜäöüß]{2,}", text)]
        assert words == [], path.name
