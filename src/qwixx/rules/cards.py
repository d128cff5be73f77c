"""A turn with cards: taking from the tableau, the pile's call for everybody, playing from the hand."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, combinations, groupby

from qwixx.rules.actions import Action, Play, Take
from qwixx.rules.chance import Outcome, Shuffle, ShuffleCards
from qwixx.rules.marks import JOKER, Mark, by_face
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.sheet import cross, obstacle
from qwixx.rules.state import Cards, Phase, State, closed_rows
from qwixx.rules.turn import CallStep, ChanceStep, Choices, ChoiceStep, begin, end_turn, explain
from qwixx.rules.variant import Cell, Deck, Variant


def deck_of(variant: Variant) -> Deck:
    assert isinstance(variant.source, Deck), f"{variant.key} is played with dice"
    return variant.source


def cards_of(state: State) -> Cards:
    assert state.cards is not None, f"{state.variant.key} is played with dice"
    return state.cards


def unshuffled(variant: Variant, seats: int) -> Cards | None:
    """All cards aside, before the first shuffle; None in a dice game."""
    if not isinstance(variant.source, Deck):
        return None
    return Cards(((),) * seats, (None,) * variant.source.tableau, (), variant.cards)


class ShuffleStep(ChanceStep):
    """The cards that lie aside become a new pile: at the start, and whenever the pile is empty (C8)."""

    def chance(self, state: State) -> ShuffleCards:
        return ShuffleCards(tuple(sorted(cards_of(state).discards, key=by_face)))

    def follow(self, state: State, outcome: Outcome) -> State:
        assert isinstance(outcome, Shuffle)
        cards = cards_of(state)._replace(pile=outcome.cards, discards=())
        if any(cards.hands):
            return _refill(state, cards)
        return _deal(state, cards)

    def waiting(self, state: State) -> Reason:
        return because(Why.BEFORE_THE_NEW_PILE if any(cards_of(state).hands) else Why.BEFORE_THE_DEAL)


def _deal(state: State, cards: Cards) -> State:
    """A hand for every seat and the tableau, from the top of the pile (C2)."""
    dealt = deck_of(state.variant).dealt
    seats = len(state.sheets)
    hands = [cards.pile[seat * dealt : (seat + 1) * dealt] for seat in range(seats)]
    cards = cards._replace(hands=tuple(map(_sorted, hands)), pile=cards.pile[seats * dealt :])
    return begin(_refill(state, cards))


def _sorted(hand: Sequence[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(hand, key=by_face))


def _refill(state: State, cards: Cards) -> State:
    """The tableau is filled from the pile (C3); an empty pile asks for a shuffle at once (C8)."""
    tableau, pile = list(cards.tableau), list(cards.pile)
    for slot, card in enumerate(tableau):
        if card is None and pile:
            tableau[slot] = pile.pop(0)
    cards = cards._replace(tableau=tuple(tableau), pile=tuple(pile))
    return state._replace(cards=cards, phase=Phase.CALL if pile else Phase.SHUFFLE)


class TakeStep(ChoiceStep):
    """Action 1: the active player takes cards up to a full hand (C3, X7)."""

    others = Why.NOT_YOURS_TO_TAKE

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        slots = range(deck_of(state.variant).tableau)
        return tuple(Take(chosen) for chosen in combinations(slots, self._missing(state)))

    def _missing(self, state: State) -> int:
        return deck_of(state.variant).hand - len(cards_of(state).hands[state.active])

    def refusal(self, state: State, seat: int, action: Action) -> Reason | None:
        if isinstance(action, Take) and action in self.legal(state, seat):
            return None
        return because(Why.TAKE_SO_MANY, count=self._missing(state), hand=deck_of(state.variant).hand)

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        return because(Why.TAKE_FIRST, hand=deck_of(state.variant).hand)

    def settle(self, state: State, choices: Choices) -> State:
        action, cards, seat = choices[state.active], cards_of(state), state.active
        assert isinstance(action, Take)
        taken = [card for slot, card in enumerate(cards.tableau) if card and slot in action.slots]
        tableau = [None if slot in action.slots else card for slot, card in enumerate(cards.tableau)]
        hands = list(cards.hands)
        hands[seat] = _sorted([*hands[seat], *taken])
        return _refill(state, cards._replace(hands=tuple(hands), tableau=tuple(tableau)))


class PileStep(CallStep):
    """Action 2: the number on the pile, for everybody (C4). The card stays."""

    mismatch = Why.NOT_THE_CALL
    expected = Why.CROSS_CALL_OR_PASS
    follows = Phase.PLAY

    def number(self, state: State) -> int:
        return cards_of(state).pile[0].number


class PlayStep(ChoiceStep):
    """Action 3: the active player plays cards of one colour and may cross their numbers (C5)."""

    others = Why.NOT_YOURS_TO_PLAY

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        @cache
        def allowed(colour: str, crosses: tuple[int, ...]) -> bool:
            """The same numbers come up with many sets of cards."""
            return _crosses_refusal(state, seat, colour, crosses) is None

        plays = _plays(state.variant, cards_of(state).hands[seat])
        return tuple(play for play in plays if allowed(play.colour, play.crosses))

    def refusal(self, state: State, seat: int, action: Action) -> Reason | None:
        deck = deck_of(state.variant)
        if not isinstance(action, Play) or not 1 <= len(action.cards) <= deck.most:
            return because(Why.PLAY_A_CARD, most=deck.most)
        return _cards_refusal(state, seat, action) or _crosses_refusal(state, seat, action.colour, action.crosses)

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        if seat != state.active:
            return self.not_yours(state)
        plays = [play for play in self.legal(state, seat) if isinstance(play, Play)]
        if any(Mark(play.colour, number) == cell.mark for play in plays for number in play.crosses):
            return None
        sheet = state.sheets[seat]
        why = obstacle(state.variant, sheet, closed_rows(state, seat), cell)
        return explain(state, sheet, why or Why.NO_CARD_FOR, cell)

    def settle(self, state: State, choices: Choices) -> State:
        action, cards, seat = choices[state.active], cards_of(state), state.active
        assert isinstance(action, Play)
        hands, sheets = list(cards.hands), list(state.sheets)
        hands[seat] = tuple(card for card in hands[seat] if card not in action.cards)
        for cell in _left_to_right(state.variant, action.colour, action.crosses):
            sheets[seat] = cross(sheets[seat], cell)
        cards = cards._replace(hands=tuple(hands), discards=cards.discards + action.cards)
        crossed = state.crossed or bool(action.crosses)
        return end_turn(state._replace(sheets=tuple(sheets), cards=cards, crossed=crossed))


@lru_cache
def _plays(variant: Variant, hand: Sequence[Mark]) -> tuple[Play, ...]:
    """Everything that could be played from a hand, whatever is crossed already; who tries everything out asks again and
    again."""
    return tuple(
        Play(cards, crosses, named)
        for cards, named in _playable(variant, hand)
        for crosses in _subsets(sorted({card.number for card in cards}))
    )


def _playable(variant: Variant, hand: Sequence[Mark]) -> Iterator[tuple[tuple[Mark, ...], str]]:
    """Cards that may be played together, and the colour that a joker among them is named."""
    for colour in variant.colours:
        fitting = [card for card in hand if card.colour in (colour.letter, JOKER)]
        for count in range(1, deck_of(variant).most + 1):
            for cards in combinations(fitting, count):
                joker = any(card.colour == JOKER for card in cards)
                yield cards, colour.letter if joker else ""


def _subsets(numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(numbers, count) for count in range(len(numbers) + 1))


@lru_cache
def _left_to_right(variant: Variant, colour: str, numbers: Sequence[int]) -> tuple[Cell, ...]:
    """The cells of those numbers in a colour, row by row, each row's from left to right (X8)."""
    cells = [variant.cells[Mark(colour, number)] for number in numbers]
    return tuple(sorted(cells, key=lambda cell: (cell.row, cell.place)))


def _cards_refusal(state: State, seat: int, play: Play) -> Reason | None:
    """Why these cards cannot be played together (C5)."""
    hand = cards_of(state).hands[seat]
    for card in play.cards:
        if card not in hand or play.cards.count(card) > 1:
            return because(Why.NOT_HELD, card=card)
    jokers = any(card.colour == JOKER for card in play.cards)
    letters = [colour.letter for colour in state.variant.colours]
    if jokers != bool(play.named) or play.colour not in letters:
        return because(Why.NAME_A_COLOUR)
    if any(card.colour not in (play.colour, JOKER) for card in play.cards):
        return because(Why.MIXED_COLOURS)
    for number in play.crosses:
        if number not in [card.number for card in play.cards]:
            return because(Why.CROSS_NOT_PLAYED, mark=Mark(play.colour, number))
    return None


def _crosses_refusal(state: State, seat: int, colour: str, numbers: Sequence[int]) -> Reason | None:
    """Why these numbers of a colour cannot be crossed in one play, left to right (C5, X8)."""
    variant, sheet, closed = state.variant, state.sheets[seat], closed_rows(state, seat)
    for number in numbers:
        if Mark(colour, number) not in variant.cells:
            return because(Why.NO_SUCH_CELL, mark=Mark(colour, number))
    cells = _left_to_right(variant, colour, numbers)
    for cell in cells:
        why = obstacle(variant, sheet, closed | sheet.locks, cell)
        if why is not None:
            return explain(state, sheet, why, cell)
        sheet = cross(sheet, cell)
    return _gap_refusal(variant, cells)


def _gap_refusal(variant: Variant, cells: Sequence[Cell]) -> Reason | None:
    """Why cells lie too far apart to be crossed in one play (C6), where the deck minds (X11)."""
    gap = deck_of(variant).gap
    for _, group in groupby(cells, key=lambda cell: cell.row):
        places = [cell.place for cell in group]
        skipped = places[-1] - places[0] + 1 - len(places)
        if gap is not None and skipped > gap:
            return because(Why.GAP, gap=gap, skipped=skipped)
    return None
