"""Games and states as plain JSON values."""

from typing import Any

from qwixx.record.game import Game, event_text
from qwixx.record.text import FIRST_LINE
from qwixx.rules import (
    Cards,
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

Json = dict[str, Any]


def game_json(game: Game) -> Json:
    """Headers, and every event with the state that it led to; seats count from 1, as in the record."""
    return {
        "format": FIRST_LINE,
        "variant": game.variant.key,
        "start": game.variant.start,
        "seats": list(game.names),
        "date": game.date,
        "result": _result_json(game.state),
        "steps": [
            {"event": event and event_text(event), "state": state_json(state)}
            for event, state in zip([None, *game.events], game.states, strict=True)
        ],
    }


def _result_json(state: State) -> Json | None:
    if state.phase is not Phase.OVER:
        return None
    return {
        "totals": [each.total for each in scores(state)],
        "winners": [seat + 1 for seat in winners(state)],
    }


def state_json(state: State) -> Json:
    """Everything in a state or a view; a hidden card is `?` and its number."""
    return {
        "phase": state.phase,
        "node": node(state),
        "active": state.active + 1,
        "acting": [seat + 1 for seat in acting_seats(state)],
        "crossed": state.crossed,
        "roll": state.roll and _roll_json(state.roll),
        "cards": state.cards and _cards_json(state.cards),
        "sheets": [
            _sheet_json(state.variant, sheet, closed_rows(state, seat)) for seat, sheet in enumerate(state.sheets)
        ],
    }


def _roll_json(roll: Roll) -> Json:
    return {"white": list(roll.white), "coloured": {die.colour: die.number for die in roll.coloured}}


def _cards_json(cards: Cards) -> Json:
    return {
        "hands": [list(map(str, hand)) for hand in cards.hands],
        "tableau": [card and str(card) for card in cards.tableau],
        "pile": list(map(str, cards.pile)),
        "discards": list(map(str, cards.discards)),
    }


def _sheet_json(variant: Variant, sheet: Sheet, closed: int) -> Json:
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
