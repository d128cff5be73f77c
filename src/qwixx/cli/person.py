"""A person at the terminal as a player."""

import contextlib
import re
from collections.abc import Sequence

from rich.console import Console

from qwixx.cli import draw, words
from qwixx.rules import (
    Action,
    Cross,
    MalformedError,
    Mark,
    Pass,
    Phase,
    Play,
    State,
    Variant,
    parse_action,
    parse_mark,
    refusal,
    why_not,
)
from qwixx.rules.rulebook import RULES

with contextlib.suppress(ImportError):  # arrow keys and history where the system has them
    import readline  # noqa: F401

_FEW = 14
_LONGEST_ECHO = 30
_CELL = re.compile(r"(\*?)\s*([a-z]+)\s*(\d+)")


class Quit(Exception):  # noqa: N818
    """The person leaves the table."""


class Person:
    """Asks until the answer is legal. `hidden` clears the screen between people, so that nobody sees a hand."""

    def __init__(self, console: Console, names: Sequence[str], *, auto_pass: bool, hidden: bool) -> None:
        self.console, self.names, self.auto_pass, self.hidden = console, names, auto_pass, hidden

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if self.auto_pass and all(isinstance(action, Pass) for action in legal):
            self.console.print(f"{self.names[seat]}: nothing to cross, so you pass.", style="dim")
            return legal[0]
        if self.hidden:
            self.console.clear()
            self._ask(f"{self.names[seat]}, press Enter when only you can see the screen. ")
        self._show(view, seat, legal)
        action = None
        while action is None:
            action = self._answer(view, seat, legal, self._ask(f"{self.names[seat]}> "))
        if self.hidden:
            self.console.clear()
        return action

    def _ask(self, prompt: str) -> str:
        try:
            return input(prompt).strip()
        except EOFError:
            raise Quit from None

    def _show(self, view: State, seat: int, legal: Sequence[Action]) -> None:
        for other, name in enumerate(self.names):
            if other != seat:
                self.console.print(draw.others_line(view, other, name))
        if view.roll and view.phase is Phase.COLOUR:
            self.console.print(draw.dice(view.variant, view.roll))
        if view.cards:
            self.console.print(draw.cards(view.variant, view.cards, seat))
        lucky = {action.mark for action in legal if isinstance(action, Cross) and action.lucky}
        self.console.print(draw.sheet_panel(view, seat, self.names[seat], available(legal), lucky))
        self.console.print(words.question(view, seat, lucky=bool(lucky)), style="bold")
        self._offer(legal)

    def _offer(self, legal: Sequence[Action]) -> None:
        crossing = [action for action in legal if available([action])]
        shown = legal if len(legal) <= _FEW else crossing[:_FEW]
        self.console.print("  " + " · ".join(map(str, shown)), style="cyan")
        if len(shown) < len(legal):
            self.console.print(f"  … {len(legal)} ways in all; “all” lists them", style="dim")

    def _answer(self, view: State, seat: int, legal: Sequence[Action], line: str) -> Action | None:
        """The action that a line asks for; None if it asked for something else, which is then done."""
        command = line.lower()
        if command in ("q", "quit", "exit"):
            raise Quit
        if command in ("", "h", "help"):
            self.console.print(words.table_help(view.variant))
        elif command == "all":
            self.console.print("\n".join(map(str, legal)), style="cyan")
        elif command == "sheets":
            for other, name in enumerate(self.names):
                self.console.print(draw.sheet_panel(view, other, name))
        elif command.startswith("?"):
            self.console.print(explanation(view, seat, legal, command.removeprefix("?").strip()))
        else:
            return self._action(view, seat, line)
        return None

    def _action(self, view: State, seat: int, line: str) -> Action | None:
        try:
            action = parse_action(spelled(line, view))
        except MalformedError:
            shown = line if len(line) <= _LONGEST_ECHO else f"{line[:_LONGEST_ECHO]}…"
            self.console.print(
                f"“{shown}” is not understood here. {words.question(view, seat)} Or type help.", style="red"
            )
            return None
        refused = refusal(view, seat, action)
        if refused is None:
            return action
        self.console.print(f"Not allowed. {refused}.", style="red")
        return None


def explanation(view: State, seat: int, legal: Sequence[Action], text: str) -> str:
    """The answer to “why?”: about a cell, or a rule by its number."""
    if text.upper() in RULES:
        return f"{text.upper()}: {RULES[text.upper()]}"
    try:
        mark = parse_mark(cell_text(text, view.variant).removeprefix("*"))
    except MalformedError:
        return "Ask about a cell, like ? R4, or a rule, like ? S5."
    reason = why_not(view, seat, mark)
    if reason is not None:
        return f"{reason}."
    ways = [action for action in legal if mark in available([action])]
    return f"You can: type {ways[0]}"


def spelled(line: str, view: State) -> str:
    """The text form of what a person typed: in any case, p for pass, red 4 for R4, a c for take a c."""
    command = line.lower()
    first, *rest = command.split() or [""]
    if command in ("p", "pass"):
        return "pass"
    if first == "take":
        return command
    if view.phase is Phase.TAKE and all(len(word) == 1 for word in [first, *rest]):
        return f"take {command}"
    if first == "play":
        return " ".join([first, *(word if word == "x" else word.upper() for word in rest)])
    return cell_text(command, view.variant)


def cell_text(text: str, variant: Variant) -> str:
    """`red 4`, `r 4` and `r4` are R4."""
    match = _CELL.fullmatch(text)
    if match is None:
        return text.upper()
    star, name, number = match.groups()
    letters = [colour.letter for colour in variant.colours if colour.name.lower() == name]
    return f"{star}{letters[0] if letters else name.upper()}{number}"


def available(legal: Sequence[Action]) -> set[Mark]:
    """The cells that some legal action crosses."""
    marks = {action.mark for action in legal if isinstance(action, Cross)}
    plays = [action for action in legal if isinstance(action, Play)]
    return marks | {Mark(play.colour, number) for play in plays for number in play.crosses}
