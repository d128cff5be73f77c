"""Machine players. A bot gets its seat's view, its legal actions and a random stream of its own."""

from collections.abc import Callable, Sequence
from random import Random

from qwixx.match import Player
from qwixx.rules import Action, Cell, Cross, Mark, Pass, Play, Sheet, State, Take


class RandomBot:
    """Chooses evenly among everything that is legal."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return self.stream.choice(legal)


class SkipBot:
    """Crosses as long as few cells are skipped; one more if a misthrow looms."""

    def __init__(self, stream: Random, most: int) -> None:
        self.stream = stream
        self.most = most

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        sheet = view.sheets[seat]
        if isinstance(legal[0], Take):
            return self.stream.choice(legal)
        needy = seat == view.active and not view.crossed
        limit = self.most + (1 if needy else 0)
        fitting = [action for action in legal if _skipped(view, sheet, action) <= limit]
        return max(fitting or legal, key=lambda action: self._appeal(view, sheet, action))

    def _appeal(self, view: State, sheet: Sheet, action: Action) -> tuple[int, int, int, float]:
        """More crosses, then fewer skipped cells, then fewer cards given away; chance settles the rest."""
        crosses = len(_cells(view, action))
        cards = len(action.cards) if isinstance(action, Play) else 0
        return crosses, -_skipped(view, sheet, action), -cards, self.stream.random()


def _cells(view: State, action: Action) -> list[Cell]:
    match action:
        case Cross(mark):
            return [view.variant.cells[mark]]
        case Play(_, crosses):
            return [view.variant.cells[Mark(action.colour, number)] for number in crosses]
        case Pass() | Take():
            return []


def _skipped(view: State, sheet: Sheet, action: Action) -> int:
    """How many open cells the action jumps over, all rows together."""
    total = 0
    for row, crosses in enumerate(sheet.rows):
        places = [cell.place for cell in _cells(view, action) if cell.row == row]
        if places:
            total += max(places) + 1 - crosses.bit_length() - len(places)
    return total


BOTS: dict[str, Callable[[Random], Player]] = {
    "random": RandomBot,
    "skip-1": lambda stream: SkipBot(stream, 1),
    "skip-2": lambda stream: SkipBot(stream, 2),
}
"""Every bot by name, made with its random stream."""
