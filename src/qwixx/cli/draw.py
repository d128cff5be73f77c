"""How sheets, dice and cards look in a terminal. Colours always come with a letter or a shape."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from qwixx.rules import Cards, Cell, Mark, Roll, Sheet, State, Variant, closed_rows, scores
from qwixx.rules.actions import SLOTS
from qwixx.rules.marks import HIDDEN, JOKER
from qwixx.rules.sheet import crosses


class Look(NamedTuple):
    """A colour's shape, its strong shade with the ink on it, and its tint with the ink on that."""

    shape: str
    strong: str
    tint: str


_LOOKS = {
    "red": Look("●", "bold white on #c8323c", "#8c1420 on #fae4e3"),
    "yellow": Look("▲", "bold #241c00 on #e5a800", "#6b4a00 on #fdf1d0"),
    "green": Look("■", "bold white on #2b8a4b", "#14552b on #dff1e3"),
    "blue": Look("◆", "bold white on #2a60c8", "#163f8c on #e0e9fa"),
}
_FURTHER = (
    Look("★", "bold white on #7a3fa0", "#4d2368 on #efe3f6"),
    Look("✚", "bold white on #1f7f86", "#0f4f54 on #dcf0f1"),
    Look("⬟", "bold white on #6a5a4c", "#453a30 on #ece6e0"),
    Look("⬢", "bold white on #50555c", "#33373c on #e6e8ea"),
)
_NEUTRAL = Look("?", "bold white on #50555c", "#33373c on #e6e8ea")
_AVAILABLE = "bold #000000 on #ffffff"
_SKIPPED = "#8a8a8a on #3a3a3a"


def look(variant: Variant, letter: str) -> Look:
    """How a colour is drawn: by its name, or by its place among the colours that have no drawing of their own."""
    others = [colour.letter for colour in variant.colours if colour.name not in _LOOKS]
    for colour in variant.colours:
        if colour.letter == letter:
            return _LOOKS.get(colour.name) or _FURTHER[others.index(letter) % len(_FURTHER)]
    return _NEUTRAL


def sheet_panel(
    state: State, seat: int, name: str, available: Collection[Mark] = (), lucky: Collection[Mark] = ()
) -> Panel:
    """A whole sheet; what can be crossed stands in brackets, with a lucky number between stars."""
    variant, sheet = state.variant, state.sheets[seat]
    marked = {mark: "*{}*" if mark in lucky else "[{}]" for mark in available}
    rows = [_row(state, seat, row, marked) for row in range(len(variant.rows))]
    return Panel(Group(*rows, _foot(variant, sheet)), title=_title(state, seat, name), title_align="left", expand=False)


def _title(state: State, seat: int, name: str) -> Text:
    total = scores(state)[seat].total
    return Text(f"{name} · {total} point{'' if total == 1 else 's'}", style="bold")


def _row(state: State, seat: int, row: int, marked: Mapping[Mark, str]) -> Text:
    variant, sheet = state.variant, state.sheets[seat]
    closed = bool(closed_rows(state, seat) >> row & 1)
    cells = variant.rows[row]
    lock = look(variant, cells[-1].mark.colour)
    label = "   " if _mixed(variant, row) else f"{lock.shape}{cells[-1].mark.colour} "
    line = Text().append(f" {label}", style=lock.strong)
    for cell in cells:
        line.append_text(_cell(variant, sheet, cell, closed, marked.get(cell.mark, "")))
    locked = "✗lock" if sheet.locks >> row & 1 else "shut" if closed else "lock"
    line.append(f" {locked:>5}{lock.shape}{cells[-1].mark.colour} ", style=lock.strong)
    line.append(f"{scores(state)[seat].rows[row]:>3}", style="dim")
    return line


def _mixed(variant: Variant, row: int) -> bool:
    """Whether a row has cells of several colours, which then carry their letter."""
    return len({cell.colour for cell in variant.rows[row]}) > 1


def _cell(variant: Variant, sheet: Sheet, cell: Cell, closed: bool, marking: str) -> Text:
    mixed = _mixed(variant, cell.row)
    face = str(cell.mark) if mixed else str(cell.number)
    width = 5 if mixed else 4
    shades = look(variant, cell.mark.colour)
    row = sheet.rows[cell.row]
    if row >> cell.place & 1:
        return Text(f"✗{face}".center(width), style=shades.strong)
    if marking:
        return Text(marking.format(face).center(width), style=_AVAILABLE)
    if closed or row >> cell.place:
        return Text("·".center(width), style=_SKIPPED)
    return Text(face.center(width), style=shades.tint)


def _foot(variant: Variant, sheet: Sheet) -> Text:
    boxes = " ".join("✗" if count < sheet.misthrows else "☐" for count in range(variant.end.misthrows))
    foot = Text(f"misthrows {boxes}", style="dim")
    if sheet.lucky:
        foot.append("   lucky numbers {} and {}".format(*sheet.lucky))
    return foot


def others_line(state: State, seat: int, name: str) -> Text:
    """An opponent at a glance: points, crosses and how far each row is, misthrows behind a minus."""
    variant, sheet = state.variant, state.sheets[seat]
    line = Text(f"{name:<16} {scores(state)[seat].total:>3} ")
    for row, cells in enumerate(variant.rows):
        reached = [cell for cell in cells if sheet.rows[row] >> cell.place & 1]
        shades = look(variant, cells[-1].mark.colour)
        far = f"→{reached[-1].mark}" if reached else ""
        line.append(f" {shades.shape}{cells[-1].mark.colour} {crosses(sheet, row)}✗{far} ", style=shades.strong)
        line.append(" ")
    line.append(f"−{'✗' * sheet.misthrows}" if sheet.misthrows else "", style="dim")
    return line


def dice(variant: Variant, roll: Roll) -> Text:
    """Both white dice with their sum, then the coloured ones."""
    first, second = roll.white
    line = Text()
    line.append(f" {first} ", style=_AVAILABLE).append(" ").append(f" {second} ", style=_AVAILABLE)
    line.append(f"  = {first + second}    ", style="bold")
    for die in roll.coloured:
        shades = look(variant, die.colour)
        line.append(f" {shades.shape}{die.colour} {die.number} ", style=shades.strong).append(" ")
    return line


def cards(variant: Variant, cards: Cards, seat: int | None) -> Text:
    """The tableau with the names of its places, the pile's top, and the hand of a seat."""
    line = Text("tableau  ")
    for slot, card in enumerate(cards.tableau):
        line.append(f"{SLOTS[slot]}:", style="dim")
        line.append_text(_card(variant, card) if card else Text("   ")).append(" ")
    if cards.pile:
        line.append("  pile shows ").append_text(_card(variant, cards.pile[0]))
        line.append(f" {len(cards.pile)} left", style="dim")
    if seat is not None:
        line.append("\nhand     ")
        line.append_text(card_row(variant, cards.hands[seat]))
    return line


def card_row(variant: Variant, hand: Sequence[Mark]) -> Text:
    return Text(" ").join(_card(variant, card) for card in hand)


def _card(variant: Variant, card: Mark) -> Text:
    if card.colour == HIDDEN:
        return Text(f" {card.number} ", style=_NEUTRAL.strong)
    if card.colour == JOKER:
        return Text(f" ★{card} ", style="bold black on #d9d2c4")
    return Text(f" {card} ", style=look(variant, card.colour).strong)
