"""A bot's name means one way of playing: the kernel's minds choose what the bots do."""

from random import Random

import pytest

from qwixx.boards import find_variant
from qwixx.bots.baselines import CrossWeigher, EvolvedBot, ExpectBot, GapCostBot, LinearBot, Thinker
from qwixx.bots.minds import mind_named
from qwixx.bots.plans import plans
from qwixx.bots.solo import SoloBot
from qwixx.kernel.minds import EVOLVED_BOT, EXPECT_BOT, GAP_COST_BOT, Mind, linear
from qwixx.rules import Action, Phase, State
from qwixx.solver.store import Problem, solution_of
from tests.bots.replay import decisions


@pytest.mark.parametrize("key", ["classic", "deluxe", "mixx-a", "mixx-b", "longo", "mini"])
@pytest.mark.parametrize(("mind", "bot"), [(linear(), LinearBot), (EVOLVED_BOT, EvolvedBot)])
def test_kernel_and_bot_choose_alike(key: str, mind: Mind, bot: type[Thinker]) -> None:
    player, checked = bot(Random(1)), 0
    for decision in decisions(find_variant(key), [mind] * 2, [None] * 2, 8):
        state, seat = decision.state, decision.seat
        best = player.choose(state, seat, decision.legal)
        assert worth(player, state, seat, decision.action) == pytest.approx(worth(player, state, seat, best), abs=1e-9)
        checked += len(decision.legal) > 1
    assert checked > 25


def worth(player: Thinker, state: State, seat: int, action: Action) -> float:
    """What a choice is worth to a bot; there may be several as good."""
    return max(player.value(state, plan.after, seat) for plan in plans(state, seat, [action]))


@pytest.mark.parametrize("key", ["classic", "mixx-a", "mixx-b", "longo", "mini"])
@pytest.mark.parametrize(("mind", "bot"), [(GAP_COST_BOT, GapCostBot), (EXPECT_BOT, ExpectBot)])
def test_weighed_crosses_are_the_same(key: str, mind: Mind, bot: type[CrossWeigher]) -> None:
    player, checked = bot(Random(1)), 0
    for _, _, state, seat, legal, action in decisions(find_variant(key), [mind] * 3, [None] * 3, 6):
        best = player.choose(state, seat, legal)
        coloured = state.phase is Phase.COLOUR
        both = [player.total(state, seat, each, coloured) for each in (action, best)]
        assert both[0] == pytest.approx(both[1], abs=1e-9)
        checked += len(legal) > 1
    assert checked > 25


def test_solo_reads_the_same_values() -> None:
    mini = find_variant("mini")
    player, checked = SoloBot(Random(1), solution_of(Problem(mini))), 0
    for decision in decisions(mini, [mind_named("solo", mini, 2)] * 2, [None] * 2, 20):
        state, seat = decision.state, decision.seat
        best = player.choose(state, seat, decision.legal)
        assert worth(player, state, seat, decision.action) == pytest.approx(worth(player, state, seat, best), abs=1e-9)
        checked += len(decision.legal) > 1
    assert checked > 25
