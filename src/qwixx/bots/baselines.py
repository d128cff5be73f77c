"""Public strategies, written from their description: what stronger players are measured against.

Most weigh the sheet after a choice, both actions of a turn together; `gap-cost` and `expect-1` weigh a cross alone.
They were made for the classic sheet; here they read everything from the variant, and play the other games, too.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import inf
from random import Random

from qwixx.bots.plans import plans
from qwixx.rules import (
    PASS,
    Action,
    Cell,
    Cross,
    Dice,
    Mark,
    Pass,
    Phase,
    Play,
    Sheet,
    State,
    Take,
    Variant,
    closed_rows,
)
from qwixx.rules.sheet import crosses, score

DECISIVE = 1e6
"""What an end is worth to who follows the end rules; a row closed before the end is worth a thousandth."""


def cells_of(view: State, action: Action) -> list[Cell]:
    """The cells that an action crosses."""
    match action:
        case Cross(mark):
            return [view.variant.cells[mark]]
        case Play(_, numbers):
            return [view.variant.cells[Mark(action.colour, number)] for number in numbers]
        case Pass() | Take():
            return []


def skipped(view: State, sheet: Sheet, action: Action) -> int:
    """How many open cells the action jumps over, all rows together."""
    total = 0
    for row, crossed in enumerate(sheet.rows):
        places = [cell.place for cell in cells_of(view, action) if cell.row == row]
        if places:
            total += max(places) + 1 - crossed.bit_length() - len(places)
    return total


def ways(variant: Variant, number: int) -> float:
    """How likely two dice show a number, in ways to roll it; cards are all alike."""
    if isinstance(variant.source, Dice):
        return variant.source.sides - abs(variant.source.sides + 1 - number)
    return 3.0


class RandomBot:
    """Chooses evenly among everything that is legal."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return self.stream.choice(legal)


class SkipBot:
    """Crosses as long as few cells are skipped; one more if its last action is all that is left against a misthrow."""

    def __init__(self, stream: Random, most: int) -> None:
        self.stream = stream
        self.most = most

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        sheet = view.sheets[seat]
        if isinstance(legal[0], Take):
            return self.stream.choice(legal)
        needy = view.phase not in (Phase.WHITE, Phase.CALL) and not view.crossed
        limit = self.most + (1 if needy else 0)
        fitting = [action for action in legal if skipped(view, sheet, action) <= limit]
        return max(fitting or legal, key=lambda action: self._appeal(view, sheet, action))

    def _appeal(self, view: State, sheet: Sheet, action: Action) -> tuple[int, int, int, float]:
        """More crosses, then fewer skipped cells, then fewer cards given away; chance settles the rest."""
        made = len(cells_of(view, action))
        cards = len(action.cards) if isinstance(action, Play) else 0
        return made, -skipped(view, sheet, action), -cards, self.stream.random()


class Thinker(ABC):
    """Takes what leads to the best sheet, both actions of a turn together, any of equals; cards from the tableau at
    random."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if isinstance(legal[0], Take):
            return self.stream.choice(legal)
        worth: dict[Action, float] = {}
        for plan in plans(view, seat, legal):
            worth[plan.action] = max(worth.get(plan.action, -inf), self.value(view, plan.after, seat))
        most = max(worth.values())
        return self.stream.choice([action for action, value in worth.items() if value == most])

    @abstractmethod
    def value(self, before: State, after: State, seat: int) -> float: ...


class LinearBot(Thinker):
    """So much for a cross, for a cell used up, for a misthrow."""

    def value(self, before: State, after: State, seat: int) -> float:
        sheet, closed, total = after.sheets[seat], closed_rows(after, seat), 0.0
        for row, crossed in enumerate(sheet.rows):
            used = len(after.variant.rows[row]) if closed >> row & 1 else crossed.bit_length()
            total += crosses(sheet, row) - 0.5 * used
        return total - 2.5 * sheet.misthrows


class EvolvedBot(Thinker):
    """Rows by how likely their next number is and what it would add; crosses squared, cells skipped, misthrows; and it
    sees the end of the game coming."""

    def value(self, before: State, after: State, seat: int) -> float:
        variant, sheet, closed = after.variant, after.sheets[seat], closed_rows(after, seat)
        likely, squares, gaps = 0.0, 0, 0
        for row, crossed in enumerate(sheet.rows):
            made = crosses(sheet, row)
            squares += made * made
            if not closed >> row & 1:
                likely += ways(variant, variant.rows[row][crossed.bit_length()].number) * (made + 1)
                gaps += crossed.bit_length() - made
        rolls = variant.source.sides**2 if isinstance(variant.source, Dice) else 36
        worth = 0.49085 * likely / rolls - 0.86924 * sheet.misthrows + 0.018462 * squares - 0.056006 * gaps
        return worth + self._end(before, after, seat)

    def _end(self, before: State, after: State, seat: int) -> float:
        """Close a row whenever that does not end the game behind; end it when ahead, never otherwise."""
        variant, sheet = after.variant, after.sheets[seat]
        closed = closed_rows(after, seat).bit_count()
        if closed >= variant.end.rows or sheet.misthrows >= variant.end.misthrows:
            others = [each for other, each in enumerate(before.sheets) if other != seat]
            own = score(variant, sheet).total
            return DECISIVE if all(score(variant, other).total < own for other in others) else -DECISIVE
        return (closed - closed_rows(before, seat).bit_count()) * DECISIVE / 1000


class CrossWeigher(ABC):
    """Weighs crosses one by one: the best with the white dice, then the best with a coloured die; takes any cards."""

    worst: float
    """What it puts up with rather than take a misthrow."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    @abstractmethod
    def worth(self, view: State, seat: int, cell: Cell, coloured: bool) -> float: ...

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if isinstance(legal[0], Take):
            return self.stream.choice(legal)
        coloured = view.phase not in (Phase.WHITE, Phase.CALL)
        valued = [(self.total(view, seat, action, coloured), action) for action in legal]
        crossing = [pair for pair in valued if cells_of(view, pair[1])]
        giving_up = next((action for _, action in valued if not cells_of(view, action)), legal[-1])
        if not crossing:
            return giving_up
        best, action = max(crossing, key=lambda pair: pair[0])
        if best > 0 or (coloured and not view.crossed and best > self.worst):
            return action
        if seat == view.active and not coloured and self._cannot_wait(view, seat, best):
            return action
        return giving_up

    def total(self, view: State, seat: int, action: Action, coloured: bool) -> float:
        return sum(self.worth(view, seat, cell, coloured) for cell in cells_of(view, action))

    def _cannot_wait(self, view: State, seat: int, best: float) -> bool:
        """Whether a cross with the white dice is better than what the coloured dice would bring."""
        after = plans(view, seat, [PASS])
        offered = [self._last_cross(view, plan.after, seat) for plan in after]
        later = max((self.worth(view, seat, cell, True) for cell in offered if cell), default=-DECISIVE)
        return later <= 0 and best > self.worst and best >= later

    def _last_cross(self, view: State, after: State, seat: int) -> Cell | None:
        """The cell that was crossed between two tables, if any."""
        for row, crossed in enumerate(after.sheets[seat].rows):
            new = crossed & ~view.sheets[seat].rows[row]
            if new:
                return after.variant.rows[row][new.bit_length() - 1]
        return None


class GapCostBot(CrossWeigher):
    """What a cross adds, and room to its right, less what the skipped cells would have been good for."""

    worst = -5.0
    WEIGHT = (5, 4, 3, 2, 1, 0, -1, 0, 1, 2, 3)

    def worth(self, view: State, seat: int, cell: Cell, coloured: bool) -> float:
        sheet, row, place = view.sheets[seat], view.variant.rows[cell.row], self._scaled(view, cell)
        made = crosses(sheet, cell.row)
        lockable = made + (9 - place) + 1 >= view.variant.lock.needed
        lost = sum(
            ((12 - self._scaled(view, other)) - (0 if lockable else 1))
            * 0.49005
            * (0.823284 * 0.921692) ** self._weight(view, other)
            for other in row[sheet.rows[cell.row].bit_length() : cell.place]
        )
        room = 0.71407 * (0.5 * (9 - place) + 0.5 * lockable)
        return made + 1 + room - 0.949905 ** self._weight(view, cell) * lost

    def _scaled(self, view: State, cell: Cell) -> float:
        """The cell's place as if its row had the eleven cells of the classic sheet."""
        return cell.place * 10 / max(1, len(view.variant.rows[cell.row]) - 1)

    def _weight(self, view: State, cell: Cell) -> int:
        return self.WEIGHT[int(self._scaled(view, cell) + 0.5)]


class ExpectBot(CrossWeigher):
    """A cross gains what it adds now, and loses for every skipped number the chance that it would have come up soon. It
    does not mind misthrows."""

    worst = 0.0
    ROLLS = 10

    def worth(self, view: State, seat: int, cell: Cell, coloured: bool) -> float:
        sheet, variant = view.sheets[seat], view.variant
        made = crosses(sheet, cell.row)
        gain = made + 1.0 + (made + 2 + 5 if cell.closing else 0)
        rolls = self.ROLLS / len(view.sheets) if coloured else self.ROLLS
        for other in variant.rows[cell.row][sheet.rows[cell.row].bit_length() : cell.place]:
            gain -= (1 - (1 - self._chance(variant, other.number, coloured)) ** rolls) * (made + 1)
        return gain + 1e-9  # it crosses when the gain is not negative

    def _chance(self, variant: Variant, number: int, coloured: bool) -> float:
        """How likely a number is in one roll: with both white dice, or with a coloured die and either of them."""
        sides = variant.source.sides if isinstance(variant.source, Dice) else 6
        rolled = 2 * sides - 1 if coloured and isinstance(variant.source, Dice) else sides
        return ways(variant, number) * rolled / sides**3
