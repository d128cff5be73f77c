"""What a table may be opened with."""

from dataclasses import replace

from qwixx.rules import BUILT_IN, QwixxError, Start, Variant
from qwixx.rules.boardfile import parse_board
from qwixx.rules.paper import plays_on_paper
from qwixx.server.events import Opened
from qwixx.server.protocol import Refused


def variant_of(opened: Opened) -> Variant:
    """The game that a table plays; refused if there is none such."""
    try:
        found = parse_board(opened.board) if opened.board else BUILT_IN[opened.variant]
    except KeyError:
        raise Refused("variant", f"There is no game “{opened.variant}”.") from None
    except QwixxError as error:
        raise Refused("variant", str(error)) from None
    start = Start(opened.start) if opened.start else found.start
    if not found.allows_start(start):
        raise Refused("start", f"{found.name} cannot start with “{start}”.")
    if len(opened.seats) not in found.seat_counts:
        raise Refused("seats", f"{found.name} has {', '.join(map(str, found.seat_counts))} seats.")
    people = [seat for seat in opened.seats if seat.kind != "bot"]
    if opened.dice == "paper" and not (len(opened.seats) == len(people) == 1 and plays_on_paper(found)):
        raise Refused("paper", f"One sheet of {found.name} cannot be kept alone.")
    if opened.dice == "real" and not people:
        raise Refused("seats", "Real dice need somebody who rolls them.")
    return found if start is found.start else replace(found, start=start)
