"""Running games: chance from outside, players who see only their view, observers who hear everything."""

from collections.abc import Sequence
from random import Random

import pytest

from qwixx.boards import all_variants, find_variant
from qwixx.bots import BOTS
from qwixx.bots.baselines import SkipBot
from qwixx.match import Change, RandomSource, changes, run, stream
from qwixx.record import Event, Game, write_record
from qwixx.rules import Action, MalformedError, Phase, State, parse_action, scores
from qwixx.rules.chance import RollDice, ShuffleCards
from qwixx.rules.marks import HIDDEN
from tests.scene import card_table, choose, dice_table, legal, marks, roll


def play(key: str, kinds: Sequence[str], seed: int) -> Game:
    game = Game(find_variant(key), [f"P{n}" for n in range(len(kinds))], "2026-11-15")
    bots = [BOTS[kind](stream(seed, f"seat {seat}")) for seat, kind in enumerate(kinds)]
    return run(game, bots, RandomSource(stream(seed, "chance")))


def test_observers_hear_every_event() -> None:
    heard: list[Event] = []
    game = Game(find_variant("classic"), ["Ann"], "2026-11-15")
    run(game, [BOTS["random"](Random(1))], RandomSource(Random(2)), [lambda game, event: heard.append(event)])
    assert heard == game.events


class Nosy:
    """Looks at everything it is given."""

    def __init__(self) -> None:
        self.secrets = 0

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        assert view.cards is not None
        others = [card for owner, hand in enumerate(view.cards.hands) for card in hand if owner != seat]
        self.secrets += sum(card.colour != HIDDEN for card in [*others, *view.cards.pile])
        return legal[0]


def test_a_player_sees_only_its_view() -> None:
    game = Game(find_variant("card-joker"), ["Ann", "Bo", "Cy"], "2026-11-15")
    nosy = Nosy()
    run(game, [nosy, nosy, nosy], RandomSource(Random(3)))
    assert nosy.secrets == 0


def test_a_player_who_cheats_is_refused() -> None:
    class Cheat:
        def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
            return parse_action("R12")

    game = Game(find_variant("classic"), ["Ann"], "2026-11-15")
    with pytest.raises(ValueError, match="S6: red 12 closes its row"):
        run(game, [Cheat()], RandomSource(Random(1)))
    assert len(game.events) == 1, "the roll stands, the choice does not"


def test_every_seat_needs_a_player() -> None:
    game = Game(find_variant("classic"), ["Ann", "Bo"], "2026-11-15")
    with pytest.raises(MalformedError, match="2 seats need as many players, not 1"):
        run(game, [BOTS["random"](Random(1))], RandomSource(Random(1)))


def test_streams_are_independent_and_repeatable() -> None:
    assert stream(1, "a").random() == stream(1, "a").random()
    assert len({stream(seed, purpose).random() for seed in range(5) for purpose in "abc"}) == 15


def test_dice_are_fair() -> None:
    source, event = RandomSource(stream(1, "fair")), RollDice(6, ("R", "Y", "G", "B"))
    rolls = [source.draw(event) for _ in range(6000)]
    for die in range(6):
        shown = [[*each.white, *(d.number for d in each.coloured)][die] for each in rolls]  # type: ignore[union-attr]
        counts = [shown.count(pips) for pips in range(1, 7)]
        chi_square = sum((count - 1000) ** 2 / 1000 for count in counts)
        assert chi_square < 20.5, "five degrees of freedom, one in a thousand"


def test_every_order_of_a_shuffle_comes_from_one_index() -> None:
    event = ShuffleCards(marks("R2 R3 R4 R5"))
    assert len({event.outcome(index) for index in range(event.size)}) == event.size == 24


def test_every_roll_comes_from_one_index() -> None:
    event = RollDice(3, ("R", "B"))
    outcomes = {event.outcome(index) for index in range(event.size)}
    assert len(outcomes) == event.size == 81
    assert all(event.refusal(outcome) is None for outcome in outcomes)


@pytest.mark.parametrize("key", sorted(all_variants()))
@pytest.mark.parametrize("kind", BOTS)
def test_every_bot_plays_every_game(key: str, kind: str) -> None:
    assert play(key, [kind, "random"], 5).state.phase is Phase.OVER


def test_what_an_event_changed() -> None:
    five, locked = "R2 R3 R4 R5 R6", "G12 G11 G10 G9 G8 G2"
    table = roll(dice_table("classic", five, five), "6 6 R1 Y1 G1 B1")
    assert changes(table, choose(table, "R12", "R12")) == [Change("closed", None, 0)]
    missed = choose(table, "pass", "pass")
    assert changes(table, missed) == []
    assert changes(missed, choose(missed, "pass")) == [Change("misthrow", 0)]
    last = roll(dice_table("classic", five, locked), "6 6 R1 Y1 B1")
    assert changes(last, choose(last, "R12", "pass")) == [Change("closed", None, 0), Change("over")]
    cards = card_table("card", five, five, hands=["R7 R8 R9 Y2 Y3", "B2 B3 B4 B5"], pile="G12 R8", phase=Phase.CALL)
    assert changes(cards, choose(cards, "R12", "R12")) == [Change("closed", 0, 0), Change("closed", 1, 0)]


def test_same_seed_same_game() -> None:
    assert write_record(play("card-joker", ["skip-1", "random"], 9)) == write_record(
        play("card-joker", ["skip-1", "random"], 9)
    )


@pytest.mark.parametrize("key", ["classic", "mixx-a", "longo", "card", "card-joker"])
def test_a_careful_bot_beats_a_random_one(key: str) -> None:
    totals = [[score.total for score in scores(play(key, ["skip-2", "random"], seed).state)] for seed in range(30)]
    assert sum(careful > random for careful, random in totals) >= 27


def test_skip_bot_takes_the_fewest_skipped_cells() -> None:
    table = roll(dice_table("classic", "R2 R3", "", active=1), "1 4 R1 Y1 G1 B1")
    bot = SkipBot(Random(1), 2)
    assert str(bot.choose(table, 0, tuple(map(parse_action, sorted(legal(table, 0)))))) == "R5"
    table = roll(dice_table("classic", "", "", active=1), "1 6 R1 Y1 G1 B1")
    assert str(bot.choose(table, 0, [parse_action("R7"), parse_action("pass")])) == "pass", "five would be skipped"


def test_skip_bot_plays_cards_that_cross() -> None:
    table = card_table("card", "", "", hands=["R2 R3 Y9 G2 B2", "B3"], phase=Phase.PLAY)
    bot = SkipBot(Random(1), 2)
    offers = tuple(map(parse_action, sorted(legal(table, 0))))
    assert str(bot.choose(table, 0, offers)) == "play R2 R3 x 2 3"
