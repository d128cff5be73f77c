"""What happened at the table, and what is asked of a player, as sentences."""

from collections.abc import Iterator, Mapping, Sequence

from qwixx.match import Change, changes
from qwixx.record import Event
from qwixx.rules import (
    Action,
    Begins,
    Cross,
    Deck,
    Lucky,
    Mark,
    Pass,
    Phase,
    Play,
    Roll,
    Shuffle,
    StartDie,
    State,
    Take,
    Variant,
    ending,
    legal_actions,
    winners,
)
from qwixx.rules.actions import SLOTS


def cell_name(variant: Variant, mark: Mark) -> str:
    return str(variant.cells[mark])


def action_words(variant: Variant, action: Action) -> str:
    """“crosses red 7”, in the third person."""
    match action:
        case Pass():
            return "passes"
        case Cross(mark, lucky):
            return f"crosses {cell_name(variant, mark)}{' with a lucky number' if lucky else ''}"
        case Take(slots):
            return f"takes {len(slots)} card{'s' if len(slots) > 1 else ''}"
        case Play(cards, crosses):
            crossed = [cell_name(variant, Mark(action.colour, number)) for number in crosses]
            what = f" and crosses {', '.join(crossed)}" if crossed else " and crosses nothing"
            return f"plays {', '.join(map(str, cards))}{what}"


def event_words(before: State, event: Event, names: Sequence[str]) -> str:
    """One line that says what an event was."""
    if isinstance(event, Mapping):
        return " · ".join(
            f"{names[seat]} {action_words(before.variant, action)}" for seat, action in sorted(event.items())
        )
    match event:
        case Begins(seat):
            return f"{names[seat]} begins"
        case StartDie(pips):
            return f"{names[before.active]} rolls {pips} for the start"
        case Lucky((first, second)):
            seat = next(seat for seat, sheet in enumerate(before.sheets) if not sheet.lucky)
            return f"{names[seat]} has the lucky numbers {first} and {second}"
        case Shuffle():
            return "The cards are shuffled"
        case Roll():
            return f"{names[before.active]} rolls"


def consequences(before: State, after: State, names: Sequence[str]) -> Iterator[str]:
    """What followed: locks, removed dice, misthrows, the end."""
    for change in changes(before, after):
        match change:
            case Change("closed", None, int(row)):
                colour = before.variant.rows[row][-1].colour
                yield f"The {colour} lock is closed for everybody, and the {colour} die leaves the game"
            case Change("closed", int(seat), int(row)):
                yield f"{names[seat]} closes the row with the {before.variant.rows[row][-1].colour} lock"
            case Change("misthrow", int(seat)):
                yield f"{names[seat]} takes a misthrow"
            case _:
                yield from _the_end(after, names)


def _the_end(state: State, names: Sequence[str]) -> Iterator[str]:
    yield "The last row that counts is closed" if ending(state) == "rows" else "That was the last misthrow"
    won = [names[seat] for seat in winners(state)]
    yield f"{won[0]} wins" if len(won) == 1 else f"{' and '.join(won)} share the win"


def question(view: State, seat: int, *, lucky: bool = False) -> str:
    """What is asked of a seat, in one sentence or two."""
    misthrow = "" if view.crossed else " Crossing nothing is a misthrow."
    match view.phase:
        case Phase.WHITE if view.roll:
            luck = " with your lucky number a cell marked *," if lucky else ""
            return f"Cross the {sum(view.roll.white)},{luck} or pass."
        case Phase.COLOUR:
            return "Cross a white and a coloured die together, or pass" + (
                "." if view.crossed else " and take a misthrow."
            )
        case Phase.TAKE if view.cards and isinstance(view.variant.source, Deck):
            count = view.variant.source.hand - len(view.cards.hands[seat])
            return (
                f"Take {count} card{'s' if count > 1 else ''} from the tableau, like “take {' '.join(SLOTS[:count])}”."
            )
        case Phase.CALL if view.cards:
            return f"The pile calls {view.cards.pile[0].number}: cross it, or pass."
        case _:
            return f"Play cards of one colour, with x and what to cross, like “{_example(view, seat)}”.{misthrow}"


def _example(view: State, seat: int) -> str:
    """A play from the hand that crosses something, if there is one."""
    plays = legal_actions(view, seat)
    crossing = [play for play in plays if isinstance(play, Play) and play.crosses]
    return str((crossing or plays)[0])


def table_help(variant: Variant) -> str:
    """What can be typed at the table of this game."""
    letters = ", ".join(f"{colour.letter} {colour.name}" for colour in variant.colours)
    cell = variant.rows[0][0]
    lines = [f"{cell.mark} or {cell} crosses that cell ({letters}) · p or pass passes"]
    if isinstance(variant.source, Deck):
        lines.append("take a c takes cards by their places · play R4 R5 x 4 5 plays two and crosses both numbers")
        lines += ["play J5=R x 5 plays a joker as red"] if variant.source.jokers else []
    elif variant.source.lucky:
        lines.append("*R7 crosses a cell with your lucky number")
    lines.append("? R4 tells why a cell is not available, ? S5 what a rule says · all lists everything you may do")
    lines.append("sheets shows everybody's sheet · quit stops the game")
    return "\n".join(lines)
