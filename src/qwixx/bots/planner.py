"""A strategy of the house for hands of cards and sheets of all kinds: what lies in the rows, and what the hand is good
for."""

from collections.abc import Sequence
from random import Random

from qwixx.bots.baselines import DECISIVE
from qwixx.bots.plans import foresee
from qwixx.rules import Action, Cell, Mark, Phase, Sheet, State, Variant, closed_rows, winners
from qwixx.rules.marks import HIDDEN, JOKER
from qwixx.rules.sheet import crosses, obstacle


class PlannerBot:
    """Counts crosses, more in long rows, against cells left out and misthrows; cards it holds count by how soon they
    fit. It looks at a cross and the play after it together, and ends the game when that wins it."""

    LONG_ROW, LEFT_OUT, CLOSED, MISTHROW = 0.35, 0.85, 3.0, 5.0
    CARD, FAR = 0.8, 6
    """What a card is worth that fits at once; nothing if it fits only after so many cells."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return max(foresee(view, seat, legal), key=lambda plan: self.value(plan.after, seat)).action

    def value(self, after: State, seat: int) -> float:
        """What a table is worth to a seat."""
        if after.phase is Phase.OVER:
            ahead = winners(after)
            return DECISIVE * (2 * (seat in ahead) / len(ahead) - 1)
        sheet, closed = after.sheets[seat], closed_rows(after, seat)
        total = -self.MISTHROW * sheet.misthrows
        for row, crossed in enumerate(sheet.rows):
            made = crosses(sheet, row)
            total += made + self.LONG_ROW * made * (made + 1) / 2
            total += self.CLOSED if closed >> row & 1 else -self.LEFT_OUT * (crossed.bit_length() - made)
        hand = after.cards.hands[seat] if after.cards else ()
        return total + self.CARD * sum(self._use(after.variant, sheet, closed, card) for card in hand)

    def _use(self, variant: Variant, sheet: Sheet, closed: int, card: Mark) -> float:
        """What a card is good for: a joker in its best colour, one that was just taken in any."""
        uses = [
            self._fit(variant, sheet, closed, cell)
            for cell in variant.by_number[card.number]
            if card.colour in (cell.mark.colour, JOKER, HIDDEN)
        ]
        return sum(uses) / len(uses) if card.colour == HIDDEN else max(uses)

    def _fit(self, variant: Variant, sheet: Sheet, closed: int, cell: Cell) -> float:
        """How soon a cell's turn comes, and how long its row is."""
        if obstacle(variant, sheet, closed, cell):
            return 0.0
        left_out = cell.place - sheet.rows[cell.row].bit_length()
        return max(0.0, 1 - left_out / self.FAR) * (1 + self.LONG_ROW * crosses(sheet, cell.row))
