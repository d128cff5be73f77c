"""Bots from elsewhere: programs that read a JSON value a line and answer with one (docs/bots.md).

A program that is late, breaks down or answers nonsense gives up its game, and never more than that: the next game
begins with a new process.
"""

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, NoReturn

from qwixx.record import state_json
from qwixx.rules import Action, MalformedError, State, Variant
from qwixx.rules.boardfile import board_text

PROTOCOL = 1
SECONDS = 1.0
"""For a decision."""
SECONDS_TO_START = 10.0
SECONDS_TO_LEAVE = 0.5
"""For a program whose games are over, before it is ended by force."""
STARTS = 2
"""A program that so often in a row did not begin is not started again by this process."""
_failed: Counter[str] = Counter()
"""How often in a row a command did not begin."""
LONGEST_LINE = 1 << 16
PREFIX = "cmd:"
"""What begins the name of a bot that is a program."""


class ForfeitError(Exception):
    """A player gave up its game; `seat` lost it."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


class StdioBot:
    """One program at one seat. It is started with its first game, and again after it broke down."""

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self.command, self.words, self.seconds = command, words_of(command), seconds
        self.process: subprocess.Popen[bytes] | None = None
        self.waiting = b""

    def begin(self, variant: Variant, seats: int, seat: int) -> None:
        """Tells of a new game."""
        if self.process is None:
            self._start(seat)
        game = {"type": "game", "variant": variant.key, "board": board_of(variant), "seats": seats, "seat": seat}
        self._tell(game, seat)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        known = {str(action): action for action in legal}
        self._tell({"type": "choose", "view": state_json(view), "legal": list(known), "seconds": self.seconds}, seat)
        answer = self._hear(seat, self.seconds)
        action = answer.get("action")
        if answer.get("type") != "choose" or not isinstance(action, str) or action not in known:
            self._give_up(seat, f"it answered {json.dumps(answer)[:200]}, which is not a legal action")
        return known[str(action)]

    def end(self, shares: Sequence[float], points: Sequence[int], seat: int) -> None:
        """Tells how the game went. Who does not listen has lost nothing."""
        try:
            self._tell({"type": "result", "shares": list(shares), "points": list(points)}, seat)
        except ForfeitError:
            return  # it has been ended

    def close(self, patience: float = SECONDS_TO_LEAVE) -> None:
        """Ends the program and what it has started; by force, if it does not leave when nobody speaks to it."""
        if self.process is None:
            return
        if self.process.stdin:
            self.process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(patience)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.process, self.waiting = None, b""

    def _start(self, seat: int) -> None:
        if _failed[self.command] >= STARTS:
            raise ForfeitError(seat, "it does not start")
        _failed[self.command] += 1
        try:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise ForfeitError(seat, f"{self.words[0]} cannot be started: {error.strerror}") from None
        if self.process.stdin:
            os.set_blocking(self.process.stdin.fileno(), False)
        self._tell({"type": "hello", "protocol": PROTOCOL, "seconds": self.seconds}, seat)
        answer = self._hear(seat, SECONDS_TO_START)
        if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
            self._give_up(seat, f"it does not speak version {PROTOCOL} of the protocol")
        _failed[self.command] = 0

    def _tell(self, message: Mapping[str, object], seat: int) -> None:
        """Says a line, in time: who does not listen is as late as who does not answer."""
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        until = monotonic() + self.seconds
        while line:
            if self.process is None or self.process.stdin is None:
                raise ForfeitError(seat, "it is not running")
            handle = self.process.stdin.fileno()
            if not select.select([], [handle], [], max(0.0, until - monotonic()))[1]:
                self._give_up(seat, f"it did not listen for {self.seconds:g} s")
            try:
                line = line[os.write(handle, line) :]
            except BlockingIOError:
                continue
            except OSError:
                self._give_up(seat, "it has stopped")

    def _hear(self, seat: int, seconds: float) -> dict[str, Any]:
        """The next line, in time, as a JSON object."""
        until = monotonic() + seconds
        while b"\n" not in self.waiting:
            if self.process is None or self.process.stdout is None:
                raise ForfeitError(seat, "it is not running")
            handle = self.process.stdout.fileno()
            if not select.select([handle], [], [], max(0.0, until - monotonic()))[0]:
                self._give_up(seat, f"it took longer than {seconds:g} s")
            read = os.read(handle, LONGEST_LINE)
            self.waiting += read
            if not read or len(self.waiting) > LONGEST_LINE:
                self._give_up(seat, "it has stopped" if not read else "its answer is too long")
        line, self.waiting = self.waiting.split(b"\n", 1)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._give_up(seat, f"it answered {line[:200]!r}, which is not a JSON object")
        return dict(answer)

    def _give_up(self, seat: int, why: str) -> NoReturn:
        self.close(patience=0)
        raise ForfeitError(seat, why)


@cache
def board_of(variant: Variant) -> dict[str, Any]:
    """A game as a board file has it (docs/boards.md)."""
    return tomllib.loads(board_text(variant))


def words_of(command: str) -> list[str]:
    """A command's words, as a shell would read them."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise MalformedError(f"cmd:{command} is not a command: {error}") from None
    if not words:
        raise MalformedError("cmd: needs a program, like cmd:'python my_bot.py'")
    return words


def check_program(command: str) -> None:
    """Refuses a program that is not there."""
    word = words_of(command)[0]
    if shutil.which(word) is None:
        raise MalformedError(f"{word} cannot be started: there is no such program")
