"""Games and states as plain JSON values."""

from typing import TypedDict

from qwixx.record.fair import Fair
from qwixx.record.game import Game, event_text
from qwixx.record.text import FIRST_LINE
from qwixx.rules import (
    Cards,
    Node,
    Phase,
    Roll,
    Sheet,
    State,
    Variant,
    acting_seats,
    closed_rows,
    node,
    scores,
    winners,
)
from qwixx.rules.sheet import score


class RollJson(TypedDict):
    white: list[int]
    coloured: dict[str, int]


class CardsJson(TypedDict):
    """A hidden card is `?` and its number; an empty place of the tableau is null."""

    hands: list[list[str]]
    tableau: list[str | None]
    pile: list[str]
    discards: list[str]


class RowJson(TypedDict):
    crosses: list[str]
    lock: bool
    closed: bool
    points: int


class SheetJson(TypedDict):
    rows: list[RowJson]
    misthrows: int
    lucky: list[int]
    total: int


class StateJson(TypedDict):
    """A state or a view. Seats count from 0, as the list of sheets does."""

    phase: Phase
    node: Node
    active: int
    acting: list[int]
    crossed: bool
    roll: RollJson | None
    cards: CardsJson | None
    sheets: list[SheetJson]


class ResultJson(TypedDict):
    totals: list[int]
    winners: list[int]


class StepJson(TypedDict):
    """An event in its text form, and the state that it led to; the first step has no event."""

    event: str | None
    state: StateJson


class FairJson(TypedDict):
    """Where chance came from: the secret, its hash that was told before the game, and what each seat added."""

    secret: str
    commitment: str
    added: list[str]


class GameJson(TypedDict):
    format: str
    variant: str
    start: str
    seats: list[str]
    date: str
    result: ResultJson | None
    fair: FairJson | None
    steps: list[StepJson]


def game_json(game: Game) -> GameJson:
    """Headers, and every event with the state that it led to."""
    return {
        "format": FIRST_LINE,
        "variant": game.variant.key,
        "start": game.variant.start,
        "seats": list(game.names),
        "date": game.date,
        "result": _result_json(game.state),
        "fair": None if game.fair is None else _fair_json(game.fair),
        "steps": [
            {"event": None if event is None else event_text(event), "state": state_json(state)}
            for event, state in zip([None, *game.events], game.states, strict=True)
        ],
    }


def _fair_json(fair: Fair) -> FairJson:
    return {"secret": fair.secret, "commitment": fair.commitment, "added": list(fair.added)}


def _result_json(state: State) -> ResultJson | None:
    if state.phase is not Phase.OVER:
        return None
    return {"totals": [each.total for each in scores(state)], "winners": list(winners(state))}


def state_json(state: State) -> StateJson:
    """Everything in a state or a view."""
    return {
        "phase": state.phase,
        "node": node(state),
        "active": state.active,
        "acting": list(acting_seats(state)),
        "crossed": state.crossed,
        "roll": None if state.roll is None else _roll_json(state.roll),
        "cards": None if state.cards is None else _cards_json(state.cards),
        "sheets": [
            _sheet_json(state.variant, sheet, closed_rows(state, seat)) for seat, sheet in enumerate(state.sheets)
        ],
    }


def _roll_json(roll: Roll) -> RollJson:
    return {"white": list(roll.white), "coloured": {die.colour: die.number for die in roll.coloured}}


def _cards_json(cards: Cards) -> CardsJson:
    return {
        "hands": [list(map(str, hand)) for hand in cards.hands],
        "tableau": [None if card is None else str(card) for card in cards.tableau],
        "pile": list(map(str, cards.pile)),
        "discards": list(map(str, cards.discards)),
    }


def _sheet_json(variant: Variant, sheet: Sheet, closed: int) -> SheetJson:
    points = score(variant, sheet)
    return {
        "rows": [
            {
                "crosses": [str(cell.mark) for cell in row if sheet.rows[index] >> cell.place & 1],
                "lock": bool(sheet.locks >> index & 1),
                "closed": bool(closed >> index & 1),
                "points": points.rows[index],
            }
            for index, row in enumerate(variant.rows)
        ],
        "misthrows": sheet.misthrows,
        "lucky": list(sheet.lucky),
        "total": points.total,
    }
