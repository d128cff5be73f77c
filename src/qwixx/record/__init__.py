"""A game as text: write, read, replay, verify."""

from qwixx.record.export import GameJson, StateJson, game_json, state_json
from qwixx.record.fair import BOT_MARK, SECRET_BYTES, Fair, checked_word
from qwixx.record.game import Event, Game, checked_date, checked_name, event_text, parse_event
from qwixx.record.text import RecordError, read_record, write_record

__all__ = [
    "BOT_MARK",
    "SECRET_BYTES",
    "Event",
    "Fair",
    "Game",
    "GameJson",
    "RecordError",
    "StateJson",
    "checked_date",
    "checked_name",
    "checked_word",
    "event_text",
    "game_json",
    "parse_event",
    "read_record",
    "state_json",
    "write_record",
]
