"""Why something is not allowed: the rule and one plain sentence. Each kind of reason is worded here, once."""

from dataclasses import dataclass
from enum import Enum


class Why(Enum):
    """A kind of reason: the number of its rule and its sentence, to be filled in."""

    CROSSED = "S5", "{cell} is crossed already"
    LEFT_OF_CROSS = "S5", "{cell} lies left of your {last}"
    TOO_FEW = "S6", "{cell} closes its row and needs {needed} crosses there first; you have {have}"
    NO_SUCH_CELL = "S1", "this sheet has no cell {mark}"

    BAD_ROLL = "T1", "a roll here is two white dice and one die for each of {dice}, each showing 1 to {sides}"
    BAD_START = "T2", "who begins is drawn among seats 1 to {seats}"
    BAD_START_DIE = "T2", "the die for the first six shows 1 to {sides}"
    NOT_THE_SUM = "T3", "the white dice add up to {number}, so {cell} is not available"
    CROSS_OR_PASS = "T3", "now you cross the white sum or pass"
    NOT_YOUR_ACTION = "T4", "only the active player, seat {active}, adds a coloured die"
    NOT_ON_DICE = "T4", "no white die and the {colour} die add up to {cell}"
    CROSS_COLOUR_OR_PASS = "T4", "now you cross a white and a coloured die's sum or pass"
    NOT_BEGUN = "T2", "first it is settled who begins"
    BEFORE_THE_ROLL = "T3", "the dice have not been rolled yet"
    NO_LUCKY_NUMBERS = "T7", "this sheet has no lucky numbers"
    NO_LUCK = "T7", "{number} is not one of your lucky numbers"
    NOT_INSTEAD = "T7", "{cell} is the rolled number itself, so it is an ordinary cross"
    NOT_FEWEST = "T7", "a lucky cross goes to the open row with your fewest crosses, and {cell} is in another"
    NOT_NEXT = "T7", "a lucky cross takes the next cell of its row, and that is not {cell}"

    ROW_CLOSED = "L1", "the row of {cell} is closed for everybody"
    DIE_REMOVED = "L1", "the {colour} die is out of the game, so only a white sum could cross {cell}"
    CHOOSE_FIRST = "L2", "what is closed in action 1 closes when it is settled, so choose first"
    GAME_OVER = "L3", "the game is over"
    CLOSED_THIS_TURN = "X3", "the row of {cell} was closed in action 1 of this turn"
    DIE_JUST_REMOVED = "X3", "the {colour} die left the game in action 1 of this turn"

    BAD_SHUFFLE = "C8", "a shuffle puts exactly the {count} cards that lie aside in a new order"
    NOT_YOURS_TO_TAKE = "C3", "only the active player, seat {active}, takes cards"
    BEFORE_THE_NEW_PILE = "C8", "first the cards that lie aside are shuffled into a new pile"
    BEFORE_THE_DEAL = "C2", "the cards have not been dealt yet"
    TAKE_FIRST = "C3", "first the active player takes cards up to a hand of {hand}"
    TAKE_SO_MANY = "C3", "take exactly {count} of the tableau's cards, to hold {hand}"
    NOT_THE_CALL = "C4", "the pile calls {number}, so {cell} is not available"
    CROSS_CALL_OR_PASS = "C4", "now you cross the called number or pass"
    PLAY_A_CARD = "C5", "play one to {most} cards of one colour, crossing or not"
    NOT_YOURS_TO_PLAY = "C5", "only the active player, seat {active}, plays cards"
    NAME_A_COLOUR = "C5", "a joker, and only a joker, is named a colour of this sheet"
    NOT_HELD = "C5", "you do not hold {card}"
    NO_CARD_FOR = "C5", "you hold no card for {cell}"
    MIXED_COLOURS = "C5", "cards played together have one colour"
    CROSS_NOT_PLAYED = "C5", "you did not play a card for {mark}"
    GAP = "C6", "between the first and the last cell of a play at most {gap} may stay open, not {skipped}"
    OWN_ROW_CLOSED = "C9", "you closed the row of {cell}"
    CARDS_OVER = "C9", "the game is over"

    NOT_CHOSEN = "X1", "seat {seat} has not chosen yet"
    BAD_LUCKY_PAIR = "X6", "a player's lucky numbers are one of the pairs {pairs}"

    @property
    def rule(self) -> str:
        return self.value[0]

    @property
    def sentence(self) -> str:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Reason:
    """A kind of reason with what fills in its sentence, kept apart so that a table can translate it."""

    why: Why
    facts: tuple[tuple[str, object], ...]

    @property
    def rule(self) -> str:
        return self.why.rule

    @property
    def text(self) -> str:
        return self.why.sentence.format(**dict(self.facts))

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


def because(why: Why, **facts: object) -> Reason:
    return Reason(why, tuple(facts.items()))
