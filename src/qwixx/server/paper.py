"""One sheet's game at a table of paper, with the history that a table keeps of any game."""

from collections.abc import Mapping, Sequence

from qwixx.record import Event
from qwixx.rules import Roll, State, Variant, apply_chance
from qwixx.rules.paper import new_sheet, told_choice, told_closed, told_over, told_roll


class PaperGame:
    """`states[n]` is the sheet after the first n events; what the others closed is no event of the own game."""

    def __init__(self, variant: Variant, names: Sequence[str], date: str) -> None:
        self.variant, self.names, self.date = variant, tuple(names), date
        self.events: list[Event] = []
        self.states: list[State] = [new_sheet(variant)]

    @property
    def state(self) -> State:
        return self.states[-1]

    def apply(self, event: Event) -> State:
        """Moves the game on by a roll that was told, by a choice, or by what is drawn before the game."""
        if isinstance(event, Mapping):
            after = told_choice(self.state, event[0])
        elif isinstance(event, Roll):
            after = told_roll(self.state, event)
        else:
            after = apply_chance(self.state, event)
        self.events.append(event)
        self.states.append(after)
        return after

    def told(self, row: int | None) -> State:
        """Somebody else closed a row, or ended the game."""
        self.states[-1] = told_over(self.state) if row is None else told_closed(self.state, row)
        return self.state

    def at(self, count: int) -> "PaperGame":
        """The same game as it stood after so many events."""
        earlier = PaperGame(self.variant, self.names, self.date)
        earlier.events = self.events[:count]
        earlier.states = self.states[: count + 1]
        return earlier
