"""The two ways to be refused: malformed input, and a request that a rule forbids."""

from qwixx.rules.reasons import Reason


class QwixxError(ValueError):
    """Anything that the rules refuse. The state it was asked of is unchanged."""


class MalformedError(QwixxError):
    """Input that is not even an action, an outcome or a seat of this game."""


class IllegalError(QwixxError):
    """A well-formed request that a rule forbids; `reason` names the rule and says why, `seat` whose choice it was."""

    def __init__(self, reason: Reason, seat: int | None = None) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.seat = seat
