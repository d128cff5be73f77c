"""How seats choose inside the kernel. A seat has a kind of mind and that kind's parameters.

`random` and `skip` look at their options alone. The others think: they weigh the sheet after each option, `linear` by
its parameters, `values` by the solver's table, `net` by a small network, which lie in a store. Where nobody thinks,
there is no store, and thinking is not even compiled. A new kind is a new branch here; the games do not change.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import (
    FAR,
    MOST_ROWS,
    MOST_SEATS,
    Book,
    Ints,
    at,
    closes,
    crossed,
    crosses,
    is_open,
    next_place,
    place_of,
    row_of,
    score,
    whole,
)
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.draws import Stream, below, draw
from qwixx.kernel.index import LAYOUT as INDEX_LAYOUT
from qwixx.kernel.index import SheetIndex, index_of
from qwixx.kernel.plays import CROSSED, HAND_MASK, bits_in, following, played
from qwixx.kernel.table import SPARE, Table, closed_rows, coloured_cell, gone_colours, try_out, whites

Floats = NDArray[np.float64]
Store = Floats | None
RANDOM, SKIP, LINEAR, VALUES, NET, EVOLVED, GAP_COST, EXPECT = range(8)
MOST_PARAMETERS = 4
# The network's inputs: for each row its next place and its crosses, then the misthrows; own first, then the others'.
PLACES, CROSSES, MISTHROWS = 32, 32, 32
WORST = -1e18
DECISIVE = 1e6
"""What an end is worth to those who follow the end rules; a row closed before the end is worth a thousandth."""


LAYOUT = np.dtype(
    [
        ("kinds", np.int64, MOST_SEATS),
        ("parameters", np.float64, (MOST_SEATS, MOST_PARAMETERS)),
        ("index", INDEX_LAYOUT),
    ],
    align=True,
)


class Minds(Protocol):
    """By seat: the kind and its parameters. Then how a value table counts sheets."""

    kinds: Ints
    parameters: Floats
    index: SheetIndex


@inlined
def choose_called(
    book: Book,
    minds: Minds,
    store: Store,
    table: Table,
    seats: int,
    seat: int,
    active: int,
    count: int,
    stream: Stream,
    counter: int,
) -> int:
    """One of the table's options for a called number, the last of which is the pass."""
    kind = minds.kinds[at(seat)]
    if kind == RANDOM or count == 1:
        return table.options[at(below(draw(stream, counter), count))]
    if store is None or kind == SKIP:
        return _least_skipped(minds, table, seat, count, False, draw(stream, counter))
    if kind >= GAP_COST:
        return _worthiest(book, kind, table, seats, seat, count, seat == active, False)
    return _best_called(book, minds, store, table, seats, seat, active, count, draw(stream, counter))


@inlined
def choose_coloured(
    book: Book,
    minds: Minds,
    store: Store,
    table: Table,
    seats: int,
    seat: int,
    count: int,
    has_crossed: bool,
    stream: Stream,
    counter: int,
) -> int:
    """One of the active seat's options with a coloured die, the last of which is the pass."""
    kind = minds.kinds[at(seat)]
    if kind == RANDOM or count == 1:
        return table.options[at(below(draw(stream, counter), count))]
    if store is None or kind == SKIP:
        return _least_skipped(minds, table, seat, count, not has_crossed, draw(stream, counter))
    if kind >= GAP_COST:
        return _worthiest(book, kind, table, seats, seat, count, not has_crossed, True)
    return _best_coloured(book, minds, store, table, seats, seat, count, has_crossed, draw(stream, counter))


@compiled
def choose_play(
    book: Book,
    minds: Minds,
    store: Store,
    table: Table,
    seats: int,
    seat: int,
    has_crossed: bool,
    stream: Stream,
    counter: int,
) -> int:
    """One of the active seat's plays of cards."""
    if minds.kinds[seat] == RANDOM:
        return any_play(book, table, seat, draw(stream, counter))
    best, chosen, play = WORST, 0, following(book, table, seat, 0)
    while play != 0:
        value = _value_of_play(book, minds, store, table, seats, seat, play, has_crossed)
        if value > best:
            best, chosen = value, play
        play = following(book, table, seat, play)
    return chosen


@compiled
def any_play(book: Book, table: Table, seat: int, bits: np.uint64) -> int:
    """Counts the plays, then goes to the one that was drawn."""
    count, play = 0, following(book, table, seat, 0)
    while play != 0:
        count += 1
        play = following(book, table, seat, play)
    play = 0
    for _ in range(below(bits, count) + 1):
        play = following(book, table, seat, play)
    return play


@compiled
def _value_of_play(
    book: Book,
    minds: Minds,
    store: Store,
    table: Table,
    seats: int,
    seat: int,
    play: int,
    has_crossed: bool,
) -> float:
    """What a play is worth to a seat; of equals, the one with fewer cards."""
    after_it = played(book, table, seat, play)
    crosses_made, cards = bits_in(play >> CROSSED & HAND_MASK), bits_in(play & HAND_MASK)
    missed = 0 if has_crossed or crosses_made > 0 else 1
    if store is None or minds.kinds[seat] == SKIP:
        most = whole(minds.parameters[seat, 0]) + (not has_crossed)
        return WORST / 2 if after_it.skipped > most else 10000.0 * crosses_made - 100.0 * after_it.skipped - cards
    misthrows = table.misthrows[seat] + missed
    value = evaluate(book, minds, store, table, seats, seat, SPARE, misthrows, seats - 1)
    return value - 1e-9 * cards


@compiled
def _least_skipped(minds: Minds, table: Table, seat: int, count: int, needy: bool, bits: np.uint64) -> int:
    """The cross that skips the fewest cells, if they are few; one more where only a coloured die is left against a
    misthrow. Chance breaks ties."""
    least = whole(minds.parameters[seat, 0]) + (1 if needy else 0)
    chosen, tied = 0, 0
    for option in range(count - 1):
        cell = table.options[option]
        cost = place_of(cell) - next_place(table.rows[MOST_ROWS * seat + row_of(cell)])
        if cost < least or (cost == least and chosen == 0):
            least, chosen, tied = cost, cell, 1
        elif cost == least:
            tied += 1
            chosen = cell if _wins_tie(bits, tied) else chosen
    return chosen


@inlined
def _wins_tie(bits: np.uint64, tied: int) -> bool:
    """Whether the last of so many equals takes the place of the one before."""
    return (bits >> np.uint64(8 * (tied & 7))) % np.uint64(tied) == 0


@compiled
def _worthiest(
    book: Book, kind: int, table: Table, seats: int, seat: int, count: int, needy: bool, coloured: bool
) -> int:
    """The best cross by itself, if it is worth something; who counts the gaps and has nothing crossed in its turn puts
    up with less, and with the white dice only where no coloured die helps."""
    best, chosen = WORST, 0
    for option in range(count - 1):
        worth = _worth(book, kind, table, seats, seat, table.options[option], coloured)
        if worth > best:
            best, chosen = worth, table.options[option]
    if best > 0.0:
        return chosen
    if not needy or kind != GAP_COST or best <= -5.0:
        return 0
    later = WORST if coloured else _worth_later(book, kind, table, seats, seat)
    return chosen if later <= 0.0 and best >= later else 0


@compiled
def _worth_later(book: Book, kind: int, table: Table, seats: int, seat: int) -> float:
    """The best cross that a coloured die offers."""
    best = -DECISIVE
    first, second = whites(table)
    for colour in range(book.colours):
        for white in (first, second):
            cell = coloured_cell(book, table, colour, white)
            if is_open(table.rows[MOST_ROWS * seat + row_of(cell)], cell):
                worth = _worth(book, kind, table, seats, seat, cell, True)
                best = worth if worth > best else best
    return best


@compiled
def _worth(book: Book, kind: int, table: Table, seats: int, seat: int, cell: int, coloured: bool) -> float:
    """What a cross is worth by itself."""
    row = row_of(cell)
    bits = table.rows[MOST_ROWS * seat + row]
    made, place, begin = crosses(bits), place_of(cell) - 1, next_place(bits) - 1
    if kind == GAP_COST:
        return _gap_cost(book, row, made, begin, place)
    gain = made + 1.0 + (made + 7.0 if closes(cell) else 0.0)
    rolls, rolled = (10.0 / seats, 2.0 * book.sides - 1) if coloured else (10.0, 1.0 * book.sides)
    for skipped in range(begin, place):
        ways = book.sides - abs(book.sides + 1 - whole(book.numbers[row, skipped]))
        gain -= (1.0 - (1.0 - ways * rolled / book.sides**3) ** rolls) * (made + 1)
    return gain + 1e-9


@compiled
def _gap_cost(book: Book, row: int, made: int, begin: int, place: int) -> float:
    """What a cross adds, and room to its right, less what the skipped cells would have been good for."""
    scale = 10.0 / max(1, whole(book.length[row]) - 1)
    at_place = place * scale
    lockable = made + (9.0 - at_place) + 1 >= book.needed
    lost = 0.0
    for skipped in range(begin, place):
        weight = _gap_weight(skipped * scale)
        lost += ((12.0 - skipped * scale) - (0.0 if lockable else 1.0)) * 0.49005 * (0.823284 * 0.921692) ** weight
    room = 0.71407 * (0.5 * (9.0 - at_place) + (0.5 if lockable else 0.0))
    return made + 1 + room - 0.949905 ** _gap_weight(at_place) * lost


@compiled
def _gap_weight(place: float) -> float:
    """5, 4, 3, 2, 1, 0, −1, 0, 1, 2, 3 for the places of the classic sheet."""
    nearest = whole(place + 0.5)
    return np.float64(5 - nearest if nearest <= 6 else nearest - 7)


@compiled
def _best_called(
    book: Book,
    minds: Minds,
    store: Floats,
    table: Table,
    seats: int,
    seat: int,
    active: int,
    count: int,
    bits: np.uint64,
) -> int:
    """The option with the best sheet after it; the active seat of a dice game looks at what its coloured dice add.
    Chance breaks ties."""
    best, chosen, tied = WORST, 0, 0
    for option in range(count):
        cell = table.options[option]
        try_out(book, table, seat, cell)
        if seat == active and book.sides > 0:
            value = _value_of_act(book, minds, store, table, seats, seat, cell != 0)
        else:
            ahead = (seat - active) % seats - 1 if seat != active else seats - 1
            value = evaluate(book, minds, store, table, seats, seat, SPARE, table.misthrows[seat], ahead)
        if value > best:
            best, chosen, tied = value, cell, 1
        elif value == best:
            tied += 1
            chosen = cell if _wins_tie(bits, tied) else chosen
    return chosen


@compiled
def _best_coloured(
    book: Book,
    minds: Minds,
    store: Floats,
    table: Table,
    seats: int,
    seat: int,
    count: int,
    has_crossed: bool,
    bits: np.uint64,
) -> int:
    """The option with the best sheet after it. Chance breaks ties."""
    best, chosen, tied = WORST, 0, 0
    for option in range(count):
        cell = table.options[option]
        try_out(book, table, seat, cell)
        missed = 0 if has_crossed or cell != 0 else 1
        value = evaluate(book, minds, store, table, seats, seat, SPARE, table.misthrows[seat] + missed, seats - 1)
        if value > best:
            best, chosen, tied = value, cell, 1
        elif value == best:
            tied += 1
            chosen = cell if _wins_tie(bits, tied) else chosen
    return chosen


@compiled
def _value_of_act(
    book: Book, minds: Minds, store: Floats, table: Table, seats: int, seat: int, has_crossed: bool
) -> float:
    """What the best cross with a coloured die, or none, makes of a sheet; nothing follows where the game has ended."""
    missed = 0 if has_crossed else 1
    best = evaluate(book, minds, store, table, seats, seat, SPARE, table.misthrows[seat] + missed, seats - 1)
    if closed_rows(book, table.rows, SPARE) >= book.end_rows:
        return best
    gone = gone_colours(book, table.rows, SPARE)
    first, second = whites(table)
    for colour in range(book.colours):
        for white in (first, second):
            cell = coloured_cell(book, table, colour, white)
            row = table.rows[SPARE + row_of(cell)]
            if not gone >> colour & 1 and is_open(row, cell):
                table.rows[SPARE + row_of(cell)] = crossed(row, cell)
                value = evaluate(book, minds, store, table, seats, seat, SPARE, table.misthrows[seat], seats - 1)
                table.rows[SPARE + row_of(cell)] = row
                best = value if value > best else best
    return best


@compiled
def evaluate(
    book: Book,
    minds: Minds,
    store: Floats,
    table: Table,
    seats: int,
    seat: int,
    sheet: int,
    misthrows: int,
    ahead: int,
) -> float:
    """What a seat thinks of its sheet after a choice, with so many rolls of others before its own next one."""
    kind = minds.kinds[seat]
    if kind == LINEAR:
        return _linear(book, minds, table, seat, sheet, misthrows)
    if kind == VALUES:
        return _looked_up(book, minds, store, table, seat, sheet, misthrows, ahead)
    if kind == EVOLVED:
        return _evolved(book, table, seat, sheet, misthrows) + _end_rules(book, table, seats, seat, sheet, misthrows)
    return _net(book, minds, store, table, seats, seat, sheet, misthrows)


@compiled
def _linear(book: Book, minds: Minds, table: Table, seat: int, sheet: int, misthrows: int) -> float:
    """So much for a cross, for a cell used up, for a misthrow."""
    made, used = 0, 0
    for index in range(book.rows):
        row = table.rows[sheet + index]
        made += crosses(row)
        used += book.length[index] if next_place(row) == FAR else next_place(row) - 1
    weights = minds.parameters[seat]
    return weights[0] * made + weights[1] * used + weights[2] * misthrows


@compiled
def _evolved(book: Book, table: Table, seat: int, sheet: int, misthrows: int) -> float:
    """Rows by how likely their next number is and what it would add; crosses squared, cells skipped, misthrows."""
    likely, squares, skipped = 0, 0, 0
    for index in range(book.rows):
        row = table.rows[sheet + index]
        made = crosses(row)
        squares += made * made
        if next_place(row) != FAR:
            number = whole(book.numbers[index, next_place(row) - 1])
            likely += (book.sides - abs(book.sides + 1 - number)) * (made + 1)
            skipped += next_place(row) - 1 - made
    return 0.49085 * likely / (book.sides * book.sides) - 0.86924 * misthrows + 0.018462 * squares - 0.056006 * skipped


@compiled
def _end_rules(book: Book, table: Table, seats: int, seat: int, sheet: int, misthrows: int) -> float:
    """Close a row whenever that does not end the game behind; end it when ahead, never otherwise."""
    closed = closed_rows(book, table.rows, sheet)
    if closed >= book.end_rows or misthrows >= book.end_misthrows:
        own = score(book, table.rows, sheet, misthrows)
        for other in range(seats):
            if other != seat and score(book, table.rows, MOST_ROWS * other, table.misthrows[other]) >= own:
                return -DECISIVE
        return DECISIVE
    return (closed - closed_rows(book, table.rows, MOST_ROWS * seat)) * DECISIVE / 1000


@compiled
def _looked_up(
    book: Book, minds: Minds, store: Floats, table: Table, seat: int, sheet: int, misthrows: int, ahead: int
) -> float:
    """The points so far and the table's value of going on."""
    points = score(book, table.rows, sheet, misthrows)
    if misthrows >= book.end_misthrows or closed_rows(book, table.rows, sheet) >= book.end_rows:
        return points
    parameters = minds.parameters[seat]
    last = whole(parameters[1]) - 1
    layer = ahead if ahead < last else last
    index = index_of(book, minds.index, table.rows, sheet)
    place = (layer * minds.index.size + index) * book.end_misthrows + misthrows
    return points + store[whole(parameters[0]) + place]


@compiled
def _net(
    book: Book, minds: Minds, store: Floats, table: Table, seats: int, seat: int, sheet: int, misthrows: int
) -> float:
    """Inputs summed into a hidden layer, a second hidden layer, one number."""
    start = whole(minds.parameters[seat, 0])
    first, second = whole(minds.parameters[seat, 1]), whole(minds.parameters[seat, 2])
    hidden, side = table.hidden, book.rows * (PLACES + CROSSES) + MISTHROWS
    for unit in range(first):
        hidden[unit] = store[start + 2 * side * first + unit]
    _add_inputs(book, minds, store, table, start, first, sheet, misthrows)
    for other in range(seats):
        if other != seat:
            _add_inputs(
                book,
                minds,
                store,
                table,
                start + side * first,
                first,
                MOST_ROWS * other,
                table.misthrows[other],
            )
    between = start + (2 * side + 1) * first
    last = between + (first + 1) * second
    total = store[last + second]
    for unit in range(second):
        raised = store[between + first * second + unit]
        for below_it in range(first):
            raised += hidden[below_it] * (hidden[below_it] > 0.0) * store[between + below_it * second + unit]
        total += raised * (raised > 0.0) * store[last + unit]
    return total


@compiled
def _add_inputs(
    book: Book, minds: Minds, store: Floats, table: Table, start: int, first: int, sheet: int, misthrows: int
) -> None:
    for index in range(book.rows):
        row = table.rows[sheet + index]
        place = index * (PLACES + CROSSES) + (next_place(row) & (PLACES - 1))
        crossing = index * (PLACES + CROSSES) + PLACES + crosses(row)
        for unit in range(first):
            table.hidden[unit] += store[start + place * first + unit] + store[start + crossing * first + unit]
    for unit in range(first):
        table.hidden[unit] += store[start + (book.rows * (PLACES + CROSSES) + misthrows) * first + unit]
