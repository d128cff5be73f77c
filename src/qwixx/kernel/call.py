"""What dice turns and card turns share: the number called for everybody."""

from qwixx.kernel.book import Book, at
from qwixx.kernel.compile import inlined
from qwixx.kernel.draws import CALL, TURN, Stream
from qwixx.kernel.policies import Minds, Store, choose_called
from qwixx.kernel.table import Log, Table, list_called, note_choice, settle_called


@inlined
def call(
    book: Book,
    minds: Minds,
    store: Store,
    seats: int,
    active: int,
    turn: int,
    number: int,
    stream: Stream,
    table: Table,
    log: Log,
) -> bool:
    """All may cross a number or pass (T3, C4); all choose, then all is settled (X1). Whether that ends the game."""
    seat, counter = 0, turn * TURN + CALL
    while seat < seats:
        count = list_called(book, table, seat, number)
        table.chosen[at(seat)] = choose_called(
            book, minds, store, table, seats, seat, active, count, stream, counter + seat
        )
        note_choice(log, table, seat, count)
        seat += 1
    return settle_called(book, table, seats)
