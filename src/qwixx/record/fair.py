"""Fair dice that anybody can check afterwards.

Before a game the server tells the hash of a secret. Every seat may add a word of its own. Everything that chance
decides then follows from the secret and these words, so that nobody can change it on the way; after the game the
secret is told.

    seed    = HMAC-SHA-256 with the secret as key, over "qwixx fair 1" and, for each seat that added a word, a line
              feed, the seat's number from 1, a space and the word
    block j = HMAC-SHA-256 with the seed as key, over n in 8 bytes and j in 4, big-endian, for the game's n-th outcome

Outcomes and blocks count from 0. The blocks of an outcome make one string of bytes. An outcome with `size` equally
likely values takes as many bytes from it as `size - 1` needs, reads them big-endian and drops the highest bits that it
does not need; a number that is not below `size` is thrown away, and the next bytes are taken. So every value is as
likely as any other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from hmac import digest

from qwixx.rules import MalformedError, Outcome, State, chance

CONSTRUCTION = "qwixx fair 1"
SECRET_BYTES = 32
BOT_MARK = "bot-"
"""How the words of a server's own bots begin. They are drawn with the secret, so they bind the server no further."""
_SECRET = re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"[0-9A-Za-z_-]{1,64}")


@dataclass(frozen=True)
class Fair:
    """Where a game's chance comes from: the secret in hex, and what each seat added; empty where it added nothing."""

    secret: str
    added: tuple[str, ...]

    def __post_init__(self) -> None:
        if _SECRET.fullmatch(self.secret) is None:
            raise MalformedError("a secret has 64 hex digits")
        for word in filter(None, self.added):
            checked_word(word)

    @cached_property
    def commitment(self) -> str:
        """What is told before the game: SHA-256 of the secret's bytes."""
        return sha256(bytes.fromhex(self.secret)).hexdigest()

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that added a word and are not the server's own bots."""
        return tuple(seat for seat, word in enumerate(self.added) if word and not word.startswith(BOT_MARK))

    @cached_property
    def _seed(self) -> bytes:
        lines = [CONSTRUCTION, *(f"{seat} {word}" for seat, word in enumerate(self.added, 1) if word)]
        return digest(bytes.fromhex(self.secret), "\n".join(lines).encode("ascii"), "sha256")

    def index(self, number: int, size: int) -> int:
        """Which of `size` equally likely values the game's outcome of that number has."""
        bits = (size - 1).bit_length()
        length, blocks, taken = (bits + 7) // 8, self._blocks(number), b""
        while True:
            while len(taken) < length:
                taken += next(blocks)
            value = int.from_bytes(taken[:length], "big") & ((1 << bits) - 1)
            if value < size:
                return value
            taken = taken[length:]

    def _blocks(self, number: int) -> Iterator[bytes]:
        for block in range(1 << 32):
            yield digest(self._seed, number.to_bytes(8, "big") + block.to_bytes(4, "big"), "sha256")

    def outcome(self, state: State, number: int) -> Outcome:
        """What chance decides in a state, as the game's outcome of that number."""
        event = chance(state)
        return event.outcome(self.index(number, event.size))


def checked_word(word: str) -> str:
    """What a seat may add."""
    if _WORD.fullmatch(word) is None:
        raise MalformedError("what a seat adds has 1 to 64 letters, digits, - or _")
    return word
