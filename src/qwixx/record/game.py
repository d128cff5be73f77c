"""A game with its history: who sits where, every event so far, and the state after each."""

from collections.abc import Mapping
from datetime import date as calendar_date

from qwixx.record.fair import Fair
from qwixx.rules import (
    Action,
    MalformedError,
    Outcome,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    new_game,
    parse_action,
    parse_outcome,
)

LONGEST_NAME = 40
SEPARATOR = " | "

Event = Outcome | Mapping[int, Action]
"""What moves a game on: a chance outcome, or the choices of all acting seats."""


class Game:
    """`states[n]` is the state after the first n events; the last one is where the game stands.

    `fair` is where its chance came from, once that may be told.
    """

    def __init__(self, variant: Variant, names: list[str], date: str) -> None:
        self.variant = variant
        self.names = tuple(map(checked_name, names))
        self.date = checked_date(date)
        self.fair: Fair | None = None
        self.events: list[Event] = []
        self.states: list[State] = [new_game(variant, len(names))]

    @property
    def state(self) -> State:
        return self.states[-1]

    def apply(self, event: Event) -> State:
        """Moves the game on; a refused event changes nothing."""
        acting = acting_seats(self.state)
        state = apply_choices(self.state, event) if isinstance(event, Mapping) else apply_chance(self.state, event)
        self.events.append(event if not isinstance(event, Mapping) else {seat: event[seat] for seat in acting})
        self.states.append(state)
        return state

    def unlike(self, fair: Fair) -> list[int]:
        """The events that chance decided otherwise than that secret and those words have it."""
        drawn = [place for place, event in enumerate(self.events) if not isinstance(event, Mapping)]
        due = {place: fair.outcome(self.states[place], number) for number, place in enumerate(drawn)}
        return [place for place in drawn if self.events[place] != due[place]]

    def at(self, count: int) -> "Game":
        """The same game as it stood after so many events, ready to go on differently."""
        if not 0 <= count <= len(self.events):
            raise MalformedError(f"this game has {len(self.events)} events, so there is no point {count}")
        earlier = Game(self.variant, list(self.names), self.date)
        earlier.events = self.events[:count]
        earlier.states = self.states[: count + 1]
        return earlier


def checked_name(name: str) -> str:
    if name != name.strip() or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise MalformedError(f"{name!r} is not a name: one line of 1 to {LONGEST_NAME} characters")
    return name


def checked_date(date: str) -> str:
    try:
        if calendar_date.fromisoformat(date).isoformat() == date:
            return date
    except ValueError:
        pass
    raise MalformedError(f"{date!r} is not a date like 2026-11-15")


def event_text(event: Event) -> str:
    """`roll 4 1 R3 Y6 G5 B2`, or the choices by seat: `1 R5 | 2 pass`."""
    if isinstance(event, Mapping):
        return SEPARATOR.join(f"{seat + 1} {event[seat]}" for seat in sorted(event))
    return str(event)


def parse_event(text: str) -> Event:
    """The inverse of `event_text`; no second spelling of the same event is accepted."""
    event = _parse_choices(text) if text[:1].isdigit() else parse_outcome(text)
    if event_text(event) != text:
        raise MalformedError(f"“{text}” must be written “{event_text(event)}”")
    return event


def _parse_choices(text: str) -> dict[int, Action]:
    choices: dict[int, Action] = {}
    for part in text.split(SEPARATOR):
        seat, _, action = part.partition(" ")
        if not (seat.isascii() and seat.isdigit() and len(seat) == 1 and seat != "0"):
            raise MalformedError(f"“{part}” does not begin with a seat's number")
        if int(seat) - 1 in choices:
            raise MalformedError(f"seat {seat} chooses twice")
        choices[int(seat) - 1] = parse_action(action)
    return choices
