"""A card game from its shuffle to its end."""

from qwixx.kernel.book import MOST_ROWS, Book, whole
from qwixx.kernel.call import call
from qwixx.kernel.compile import compiled
from qwixx.kernel.dice import first_seat
from qwixx.kernel.draws import ACT, SHUFFLE, SHUFFLED, TAKE, TURN, Stream, below, draw
from qwixx.kernel.plays import CROSSED, HAND_MASK, card_at, following, played
from qwixx.kernel.policies import Minds, Store, choose_play
from qwixx.kernel.table import (
    BY_ROWS,
    CHOOSES,
    MOST_HAND,
    SHUFFLES,
    SPARE,
    TAKES,
    Log,
    Table,
    clear,
    end_turn,
    note,
    note_sheets,
    settle_closed,
)

NOTHING = 255
"""What lies at an empty place of the tableau."""
TOP, END, ASIDE, TIMES = range(4)
"""The pile's top and end, the cards that lie aside, and how often the pile was shuffled."""


@compiled
def shuffle(table: Table, stream: Stream, log: Log) -> None:
    """The cards that lie aside become the pile (C8)."""
    count, times = table.cards_left[ASIDE], table.cards_left[TIMES]
    note(log, SHUFFLES)
    note(log, count)
    for card in range(count):
        drawn = card + below(draw(stream, SHUFFLE + times * SHUFFLED + card), count - card)
        table.pile[card], table.aside[drawn] = table.aside[drawn], table.aside[card]
        note(log, table.pile[card])
    table.cards_left[TOP], table.cards_left[END] = 0, count
    table.cards_left[ASIDE], table.cards_left[TIMES] = 0, times + 1


@compiled
def hold(table: Table, seat: int, card: int) -> None:
    """Puts a card into a hand, which is sorted."""
    place = table.held[seat]
    while place > 0 and card_at(table, seat, place - 1) > card:
        table.hands[MOST_HAND * seat + place] = card_at(table, seat, place - 1)
        place -= 1
    table.hands[MOST_HAND * seat + place] = card
    table.held[seat] += 1


@compiled
def refill(book: Book, table: Table, stream: Stream, log: Log) -> None:
    """Fills the tableau from the pile (C3); an empty pile is made anew at once (C8)."""
    while True:
        for slot in range(book.tableau):
            if table.laid[slot] == NOTHING and table.cards_left[TOP] < table.cards_left[END]:
                table.laid[slot] = table.pile[table.cards_left[TOP]]
                table.cards_left[TOP] += 1
        if table.cards_left[TOP] < table.cards_left[END]:
            return
        shuffle(table, stream, log)


@compiled
def deal(book: Book, table: Table, seats: int, stream: Stream, log: Log) -> None:
    """A shuffled pile, a hand for every seat, and the tableau (C2)."""
    for card in range(book.cards):
        table.aside[card] = card
    table.cards_left[ASIDE], table.cards_left[TIMES] = book.cards, 0
    shuffle(table, stream, log)
    for seat in range(seats):
        table.held[seat] = 0
        for _ in range(book.dealt):
            hold(table, seat, table.pile[table.cards_left[TOP]])
            table.cards_left[TOP] += 1
    for slot in range(book.tableau):
        table.laid[slot] = NOTHING
    refill(book, table, stream, log)


@compiled
def any_slots(book: Book, table: Table, seat: int, stream: Stream, counter: int) -> int:
    """Places in the tableau for a full hand, a bit each: any, as no mind here looks at the cards."""
    missing, left, slots = book.hand - table.held[seat], book.tableau, 0
    for slot in range(book.tableau):
        if below(draw(stream, counter + slot), left) < missing:
            missing -= 1
            slots |= 1 << slot
        left -= 1
    return slots


@compiled
def take(book: Book, table: Table, seat: int, slots: int) -> None:
    """The active seat takes cards up to a full hand (C3)."""
    for slot in range(book.tableau):
        if slots >> slot & 1:
            hold(table, seat, table.laid[slot])
            table.laid[slot] = NOTHING


@compiled
def note_plays(log: Log, book: Book, table: Table, seat: int, chosen: int) -> None:
    if log is not None:
        note(log, CHOOSES)
        note(log, seat)
        note(log, chosen)
        note(log, 0)
        counts, play = log[0], following(book, table, seat, 0)
        while play != 0:
            note(log, play)
            log[counts] += 1
            play = following(book, table, seat, play)


@compiled
def lay_aside(table: Table, seat: int, play: int) -> None:
    """Takes the played cards from the hand."""
    kept = 0
    for place in range(table.held[seat]):
        card = card_at(table, seat, place)
        if play >> place & 1:
            table.aside[table.cards_left[ASIDE]] = card
            table.cards_left[ASIDE] += 1
        else:
            table.hands[MOST_HAND * seat + kept] = card
            kept += 1
    table.held[seat] = kept


@compiled
def settle_play(book: Book, table: Table, seats: int, active: int, play: int, has_crossed: bool) -> int:
    """The active seat's play and the end of its turn; what that ended the game by, if it did."""
    closing = played(book, table, active, play).closing
    for row in range(book.rows):
        table.rows[MOST_ROWS * active + row] = table.rows[SPARE + row]
    lay_aside(table, active, play)
    if closing and settle_closed(book, table, seats, closing):
        return BY_ROWS
    return end_turn(book, table, active, has_crossed or play >> CROSSED & HAND_MASK != 0)


@compiled
def start_cards(book: Book, seats: int, stream: Stream, table: Table, log: Log) -> int:
    """Empty sheets and dealt cards; the seat that begins."""
    clear(table, seats)
    deal(book, table, seats, stream, log)
    return first_seat(book, seats, stream, log)


@compiled
def turn_cards(
    book: Book,
    minds: Minds,
    store: Store,
    seats: int,
    active: int,
    turn: int,
    stream: Stream,
    table: Table,
    log: Log,
) -> int:
    """One turn of the active seat; what it ended the game by, if it did."""
    note_sheets(log, table, seats, book.rows)
    slots = any_slots(book, table, active, stream, turn * TURN + TAKE)
    take(book, table, active, slots)
    note(log, TAKES)
    note(log, slots)
    refill(book, table, stream, log)
    number = whole(book.card_number[table.pile[table.cards_left[TOP]]])
    if call(book, minds, store, seats, active, turn, number, stream, table, log):
        return BY_ROWS
    has_crossed = table.chosen[active] != 0
    play = choose_play(book, minds, store, table, seats, active, has_crossed, stream, turn * TURN + ACT)
    note_plays(log, book, table, active, play)
    return settle_play(book, table, seats, active, play, has_crossed)
