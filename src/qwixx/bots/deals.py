"""Cards that were taken before their colours are seen: what they may be, as far as a seat can know."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import prod

from qwixx.bots.plans import Plan
from qwixx.kernel.valuenet import APART, MOST_DEALS
from qwixx.rules import Mark, Variant
from qwixx.rules.marks import HIDDEN


def deals(plan: Plan, seat: int) -> list[Plan]:
    """A plan with cards whose colours a seat is yet to see, in the colours that they may have as far as it can know;
    where there are too many ways, in some of them, evenly spread."""
    assert plan.after.cards is not None
    cards = plan.after.cards
    hand = [card for card in cards.hands[seat] if card.colour != HIDDEN]
    numbers = [card.number for card in cards.hands[seat] if card.colour == HIDDEN]
    seen = {*hand, *cards.discards}
    unseen = {number: [card for card in _of(plan.after.variant, number) if card not in seen] for number in numbers}
    ways = prod(len(unseen[number]) - numbers[:place].count(number) for place, number in enumerate(numbers))
    found = []
    for way in range(min(MOST_DEALS, ways)):
        hands = (*cards.hands[:seat], (*hand, *_dealt(numbers, unseen, way * APART % ways)), *cards.hands[seat + 1 :])
        found.append(plan._replace(after=plan.after._replace(cards=cards._replace(hands=hands))))
    return found


def _dealt(numbers: Sequence[int], unseen: Mapping[int, Sequence[Mark]], way: int) -> list[Mark]:
    """A card for each number, in one of the ways there are."""
    dealt: list[Mark] = []
    for number in numbers:
        left = [card for card in unseen[number] if card not in dealt]
        way, which = divmod(way, len(left))
        dealt.append(left[which])
    return dealt


@cache
def _of(variant: Variant, number: int) -> list[Mark]:
    """The cards of a number."""
    return [card for card in variant.cards if card.number == number]
