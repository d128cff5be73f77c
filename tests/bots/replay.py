"""Games that the kernel plays side by side, replayed with the rules: every decision with the kernel's choice."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many, Value
from qwixx.kernel.minds import Mind
from qwixx.rules import (
    Action,
    Begins,
    Mark,
    Phase,
    Roll,
    Start,
    StartDie,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
)
from tests.kernel.crosscheck import cell_codes


class Watched(Many):
    """Remembers the roll, and what was chosen in each action."""

    chosen: list[Array]
    rolled: Array

    def _launch(self, step: str, items: int, *given: Array) -> None:
        if step == "advance":
            super()._launch(step, items, *given)
            self.chosen.append(self.choices.copy())
            return
        super()._launch(step, items, *given)
        if step == "begin":
            self.rolled, self.chosen = self.tables["dice"].copy(), []


class Decision(NamedTuple):
    """A moment in which a seat chose, and what."""

    many: Many
    game: int
    state: State
    seat: int
    legal: Sequence[Action]
    action: Action


def decisions(
    variant: Variant, minds: Sequence[Mind], values: Sequence[Value | None], games: int
) -> Iterator[Decision]:
    """Every decision of so many games. The rules follow the kernel's choices; at the end both must have finished."""
    codes = cell_codes(variant)
    many = Watched(variant, minds, games, seed=4)
    many.start(0)
    states: list[State] = []
    while True:
        many.turn(values)
        if (many.moments.active < 0).all():
            break
        if not states:
            actives, lucky = many.moments.active, many.moments.lucky
            states = [begun(variant, len(minds), int(actives[each]), lucky[each].tolist()) for each in range(games)]
        for game in range(games):
            if many.moments.active[game] >= 0:
                assert states[game].active == many.moments.active[game]
                state = rolled(states[game], many.rolled[game].tolist())
                for action in range(2):
                    if state.phase in (Phase.WHITE, Phase.COLOUR):
                        made: dict[int, Action] = {}
                        for seat in acting_seats(state):
                            legal, code = legal_actions(state, seat), many.chosen[action][game, 2 * seat + action]
                            made[seat] = next(each for each in legal if codes[each] == code)
                            yield Decision(many, game, state, seat, legal, made[seat])
                        state = apply_choices(state, made)
                states[game] = state
    assert all(state.phase is Phase.OVER for state in states)


def begun(variant: Variant, seats: int, active: int, lucky: list[int]) -> State:
    """A game in which this seat begins, with these lucky numbers."""
    state = new_game(variant, seats)
    while state.phase is Phase.LUCKY:
        seat = sum(bool(sheet.lucky) for sheet in state.sheets)
        event, wanted = chance(state), tuple(lucky[2 * seat : 2 * seat + 2])
        dealt = (apply_chance(state, event.outcome(index)) for index in range(event.size))
        state = next(after for after in dealt if after.sheets[seat].lucky == wanted)
    if variant.start is Start.DRAW:
        return apply_chance(state, Begins(active))
    for _ in range(active):
        state = apply_chance(state, StartDie(1))
    return apply_chance(state, StartDie(6))


def rolled(state: State, dice: list[int]) -> State:
    example = chance(state).outcome(0)
    assert isinstance(example, Roll)
    shown = dict(zip((colour.letter for colour in state.variant.colours), dice[2:], strict=False))
    coloured = tuple(Mark(die.colour, shown[die.colour]) for die in example.coloured)
    return apply_chance(state, Roll((dice[0], dice[1]), coloured))
