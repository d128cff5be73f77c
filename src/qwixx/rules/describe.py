"""The rules of one variant in our own words, every number taken from the variant."""

from collections.abc import Iterator

from qwixx.rules.variant import Cell, Deck, Dice, Start, Variant

_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def describe(variant: Variant) -> str:
    """A page in Markdown; the numbers of the rules stand behind what they say."""
    parts = [
        f"# {variant.name}",
        variant.summary,
        _table(variant),
        "## The sheet",
        _sheet(variant),
        "## A turn",
        *(_dice_turn(variant, variant.source) if isinstance(variant.source, Dice) else _card_turn(variant.source)),
        "## Closing a row",
        _closing(variant),
        "## The end",
        _end(variant),
    ]
    return "\n\n".join(parts) + "\n"


def words(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)


def _table(variant: Variant) -> str:
    fewest, most = variant.seats
    solo = " It can also be played alone (X13)." if variant.solo else ""
    start = {
        Start.DRAW: "Who begins is drawn (T2).",
        Start.FIRST_SIX: "In turn everybody rolls one die; the first six begins (T2).",
    }[variant.start]
    return f"For {words(fewest)} to {words(most)} players.{solo} {start} After that it goes round clockwise."


def _sheet(variant: Variant) -> str:
    rows = "\n".join(f"    {' '.join(f'{cell.mark!s:>3}' for cell in row)}   lock" for row in variant.rows)
    colours = ", ".join(f"{colour.letter} {colour.name}" for colour in variant.colours)
    return (
        f"Everybody has a sheet of {words(len(variant.rows))} rows ({colours}):\n\n{rows}\n\n"
        "Cross from left to right in each row. You may skip cells, but never come back to them (S5). "
        "Nobody ever has to cross (X12)."
    )


def _dice_turn(variant: Variant, dice: Dice) -> Iterator[str]:
    yield (
        f"The active player rolls two white dice and one in each colour, all with {words(dice.sides)} sides (T1)."
        " Then, in this order:"
    )
    yield (
        "1. **The white sum, for everybody.** Each player may cross the sum of the two white dice in one row (T3). "
        "All choose in secret, and the choices are settled together (X1)."
    )
    if dice.lucky:
        yield (
            "   Each sheet has two lucky numbers of its own (X6). If the white sum is one of yours, you may instead "
            "cross the next cell of the open row with your fewest crosses (T7, X5)."
        )
    yield (
        "2. **A coloured sum, for the active player alone.** Add one white and one coloured die and cross the sum "
        "in a cell of that colour (T4). A die that left the game in the first action is gone (X3)."
    )
    yield f"Active and nothing crossed in either action: a misthrow, {-variant.end.cost} points (T5, S8)."


def _card_turn(deck: Deck) -> Iterator[str]:
    jokers = " and one joker for every number" if deck.jokers else ""
    yield (
        f"There is one card for every cell of the sheet{jokers}. Backs show the number only (C1). Everybody holds "
        f"{words(deck.dealt)} cards, {words(deck.tableau)} lie as the tableau, the rest is the pile, all backs up "
        "(C2). The active player does three things:"
    )
    yield (
        f"1. **Take** cards from the tableau until you hold {words(deck.hand)}; then it is filled up from the pile, "
        "unseen (C3, X7)."
    )
    yield "2. **Call** the number on top of the pile. Everybody may cross it in one row (C4), in secret (X1)."
    gap = "They may lie any distance apart (X11)."
    if deck.gap is not None:
        cells = f"{words(deck.gap)} cell{'' if deck.gap == 1 else 's'}"
        gap = f"Between the first and the last of them at most {cells} may stay open (C6)."
    named = " A joker has the colour you name." if deck.jokers else ""
    yield (
        f"3. **Play** one to {words(deck.most)} cards of one colour and cross any of their numbers in that colour, "
        f"or none (C5).{named} {gap}"
    )
    yield "Played cards are put aside and shuffled into a new pile when it is empty (C8)."
    yield "Active and nothing crossed with the call or the cards: a misthrow (C7)."


def _closing(variant: Variant) -> str:
    lock = variant.lock
    last = "last cell" if lock.closing == 1 else f"last {words(lock.closing)} cells"
    cells = ", ".join(_name(row[-lock.closing :]) for row in variant.rows)
    whom = (
        "The row is then closed for everybody and its lock's die leaves the game (L1). Several players may close it "
        "in the same first action (L2)."
        if lock.shared
        else "The row is then closed for you alone (C9)."
    )
    return (
        f"The {last} of a row ({cells}) may be crossed only with at least {words(lock.needed)} crosses in that row "
        f"before. You cross the lock with it, and it counts as one more cross (S6). {whom}"
    )


def _name(cells: tuple[Cell, ...]) -> str:
    if len({cell.colour for cell in cells}) > 1:
        return " or ".join(map(str, cells))
    return f"{cells[0].colour} {'/'.join(str(cell.number) for cell in cells)}"


def _end(variant: Variant) -> str:
    end = variant.end
    whose = "rows are closed" if variant.lock.shared else "rows are closed on one sheet"
    rule = "L3" if variant.lock.shared else "C9"
    points = ", ".join(f"{count}: {points}" for count, points in enumerate(variant.points) if count)
    return (
        f"At once when {words(end.rows)} {whose}, or when a player marks misthrow number {end.misthrows} ({rule}). "
        f"A row scores by its crosses (S7): {points}. Each misthrow costs {end.cost} (S8). "
        "The highest total wins; equal totals share the win (X4)."
    )
