"""What must hold in every game, checked from outside: an independent recount over the events alone."""

from collections import Counter
from collections.abc import Mapping

from qwixx.record import Event
from qwixx.rules import (
    Cross,
    Mark,
    Node,
    Phase,
    Play,
    Roll,
    State,
    acting_seats,
    closed_rows,
    legal_actions,
    node,
    refusal,
    scores,
    view,
    why_not,
)
from qwixx.rules.marks import HIDDEN

DECKS = {False: 44, True: 55}
MISTHROW = {"mini": 3}


class Watcher:
    """Follows one game and keeps its own books; raises AssertionError on the first violation."""

    def __init__(self, state: State) -> None:
        self.crosses: list[set[Mark]] = [set() for _ in state.sheets]
        self.misthrows = [0] * len(state.sheets)
        self.dice: set[str] = {colour.letter for colour in state.variant.colours}
        self.turn_crossed = False

    def watch(self, before: State, event: Event, after: State) -> None:
        if isinstance(event, Mapping):
            self._count(before, event)
        if isinstance(event, Roll):
            rolled = {die.colour for die in event.coloured}
            assert rolled <= self.dice, "a removed die came back"
            self.dice = rolled
        self._compare(after)
        self._only_right(before, after)
        self._cards(after)
        self._secrets(after)

    def _count(self, before: State, choices: Event) -> None:
        assert isinstance(choices, Mapping)
        assert set(choices) == set(acting_seats(before))
        for seat, action in choices.items():
            marks = []
            if isinstance(action, Cross):
                marks = [action.mark]
            if isinstance(action, Play):
                marks = [Mark(action.colour, number) for number in action.crosses]
            assert not self.crosses[seat] & set(marks), "a cell was crossed twice"
            self.crosses[seat] |= set(marks)
            if seat == before.active and marks:
                self.turn_crossed = True
        if before.phase in (Phase.COLOUR, Phase.PLAY):
            self.misthrows[before.active] += not self.turn_crossed
            self.turn_crossed = False

    def _compare(self, state: State) -> None:
        """The state's sheets and scores equal our own books."""
        cost = MISTHROW.get(state.variant.key, 5)
        for seat, score in enumerate(scores(state)):
            total = 0
            for row in state.variant.rows:
                crossed = [cell for cell in row if cell.mark in self.crosses[seat]]
                locked = any(cell.closing for cell in crossed)
                count = len(crossed) + locked
                total += sum(range(count + 1))
                assert state.sheets[seat].locks >> row[0].row & 1 == locked
            assert score.total == total - cost * self.misthrows[seat], "the score is not what the crosses say"
            assert state.sheets[seat].misthrows == self.misthrows[seat]

    def _only_right(self, before: State, after: State) -> None:
        for old, new in zip(before.sheets, after.sheets, strict=True):
            for was, now in zip(old.rows, new.rows, strict=True):
                assert now & was == was, "a cross vanished"
                added = now ^ was
                assert added == 0 or added & -added > was, "a cross was made left of another"
            assert new.misthrows >= old.misthrows
            assert new.locks & old.locks == old.locks

    def _cards(self, state: State) -> None:
        if state.cards is None:
            return
        cards = state.cards
        everywhere = Counter([*cards.pile, *cards.discards, *(card for card in cards.tableau if card)])
        everywhere.update(card for hand in cards.hands for card in hand)
        assert everywhere == Counter(state.variant.cards), "a card was lost or made"
        assert everywhere.total() == DECKS["joker" in state.variant.key]

    def _secrets(self, state: State) -> None:
        if state.cards is None:
            return
        for watcher in [None, *range(len(state.sheets))]:
            seen = view(state, watcher).cards
            assert seen is not None
            hidden = [card for seat, hand in enumerate(seen.hands) for card in hand if seat != watcher]
            hidden += [*seen.pile, *(card for card in seen.tableau if card)]
            assert all(card.colour == HIDDEN for card in hidden), "a colour shows that should not"


def check_offers(state: State) -> None:
    """What is offered is allowed, and the answer for each cell agrees with the offers."""
    for seat in range(len(state.sheets)):
        actions = legal_actions(state, seat)
        assert len(set(actions)) == len(actions), "an action is offered twice"
        assert all(refusal(state, seat, action) is None for action in actions)
        assert legal_actions(view(state, seat), seat) == actions, "a view offers something else"
        offered = {action.mark for action in actions if isinstance(action, Cross)}
        for action in actions:
            if isinstance(action, Play):
                offered |= {Mark(action.colour, number) for number in action.crosses}
        closed = closed_rows(state, seat)
        for mark, cell in state.variant.cells.items():
            reason = why_not(state, seat, mark)
            assert (reason is None) == (mark in offered), f"{mark}: {reason}"
            assert reason is None or reason.text
            assert not (mark in offered and closed >> cell.row & 1), "a closed row is offered"
    if node(state) in (Node.SIMULTANEOUS, Node.SINGLE):
        assert all(legal_actions(state, seat) for seat in acting_seats(state)), "somebody has nothing to choose"
