"""Random play of every variant and seat count, driven by Hypothesis and by seeds."""

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from qwixx.boards import all_variants
from qwixx.record import Event
from qwixx.rules import (
    Node,
    Phase,
    State,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
    node,
    scores,
    settle,
    winners,
)
from tests.invariants import Watcher, check_offers
from tests.soak import play_checked, tables


class AnyGame(RuleBasedStateMachine):
    """Hypothesis picks the variant, the seats, every chance outcome and every choice."""

    state: State
    watcher: Watcher

    @initialize(table=st.sampled_from(tables()))
    def sit_down(self, table: tuple[str, int]) -> None:
        key, seats = table
        self.state = new_game(all_variants()[key], seats)
        self.watcher = Watcher(self.state)

    def move(self, event: Event) -> None:
        before = self.state
        after = apply_choices(before, event) if isinstance(event, Mapping) else apply_chance(before, event)
        self.watcher.watch(before, event, after)
        self.state = after

    @precondition(lambda self: node(self.state) is Node.CHANCE)
    @rule(data=st.data())
    def chance_decides(self, data: st.DataObject) -> None:
        event = chance(self.state)
        self.move(event.outcome(data.draw(st.integers(0, event.size - 1))))

    @precondition(lambda self: node(self.state) in (Node.SIMULTANEOUS, Node.SINGLE))
    @rule(data=st.data())
    def seats_decide(self, data: st.DataObject) -> None:
        seats = acting_seats(self.state)
        choices = {seat: data.draw(st.sampled_from(legal_actions(self.state, seat))) for seat in seats}
        assert settle(self.state, choices) == apply_choices(self.state, choices)
        self.move(choices)

    @precondition(lambda self: self.state.phase is Phase.OVER)
    @rule()
    def the_end_is_the_end(self) -> None:
        best = max(score.total for score in scores(self.state))
        assert all(scores(self.state)[seat].total == best for seat in winners(self.state))

    @invariant()
    def offers_agree(self) -> None:
        check_offers(self.state)


AnyGame.TestCase.settings = settings(
    max_examples=80, stateful_step_count=60, suppress_health_check=[HealthCheck.too_slow]
)
TestAnyGame = AnyGame.TestCase


@pytest.mark.parametrize(("key", "seats"), tables())
def test_random_games_of_every_table(key: str, seats: int) -> None:
    for seed in range(6):
        game = play_checked(key, seats, seed)
        assert game.state.phase is Phase.OVER
