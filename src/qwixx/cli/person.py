"""A person at the terminal as a player."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from qwixx.cli import draw, words
from qwixx.rules import Action, Cross, Mark, Pass, Play, QwixxError, State, parse_action, parse_mark, refusal, why_not

HELP = """\
Type what you want to do: [b]R7[/b] crosses red 7, [b]*G16[/b] uses a lucky number, [b]pass[/b] or [b]p[/b] passes.
With cards: [b]take a c[/b], [b]play R4 R5 x 4 5[/b], [b]play J5=R x 5[/b] for a joker.
[b]? R4[/b] tells why red 4 is not available · [b]all[/b] lists everything you may do
[b]sheets[/b] shows everybody's sheet · [b]quit[/b] stops the game"""
_FEW = 14


class Quit(Exception):  # noqa: N818
    """The person leaves the table."""


class Person:
    """Asks until the answer is legal. `hidden` covers the cards until the right person sits down."""

    def __init__(self, console: Console, names: Sequence[str], *, auto_pass: bool, hidden: bool) -> None:
        self.console, self.names, self.auto_pass, self.hidden = console, names, auto_pass, hidden

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if self.auto_pass and all(isinstance(action, Pass) for action in legal):
            self.console.print(f"{self.names[seat]}: nothing to cross, so you pass.", style="dim")
            return legal[0]
        if self.hidden:
            self._ask(f"{self.names[seat]}, press Enter when only you can see the screen")
        self._show(view, seat, legal)
        while True:
            answer = self._answer(view, seat, legal, self._ask(f"{self.names[seat]}> "))
            if answer is not None:
                return answer

    def _ask(self, prompt: str) -> str:
        try:
            return self.console.input(prompt, markup=False).strip()
        except EOFError:
            raise Quit from None

    def _show(self, view: State, seat: int, legal: Sequence[Action]) -> None:
        for other, name in enumerate(self.names):
            if other != seat:
                self.console.print(draw.others_line(view, other, name))
        if view.cards:
            self.console.print(draw.cards(view.variant, view.cards, seat))
        self.console.print(draw.sheet_panel(view, seat, self.names[seat], available(legal)))
        self.console.print(words.question(view, seat), style="bold")
        if len(legal) <= _FEW:
            self.console.print("  " + " · ".join(map(str, legal)), style="cyan")
        else:
            self.console.print(f"  {len(legal)} ways; “all” lists them, “help” explains", style="dim")

    def _answer(self, view: State, seat: int, legal: Sequence[Action], line: str) -> Action | None:
        """The action that a line asks for; None if it asked for something else, which is then done."""
        command = line.lower()
        if command in ("q", "quit", "exit"):
            raise Quit
        if command in ("", "h", "help"):
            self.console.print(Text.from_markup(HELP))
        elif command == "all":
            self.console.print("\n".join(map(str, legal)), style="cyan")
        elif command == "sheets":
            for other, name in enumerate(self.names):
                self.console.print(draw.sheet_panel(view, other, name))
        elif command.startswith("?"):
            self._explain(view, seat, command.removeprefix("?").strip())
        else:
            return self._action(view, seat, command)
        return None

    def _action(self, view: State, seat: int, command: str) -> Action | None:
        try:
            action = parse_action(spelled(command))
            refused = refusal(view, seat, action)
        except QwixxError as error:
            self.console.print(f"{error}. Type help to see what you can do.", style="red")
            return None
        if refused is None:
            return action
        self.console.print(f"Not allowed. {refused}.", style="red")
        return None

    def _explain(self, view: State, seat: int, text: str) -> None:
        try:
            mark = parse_mark(text.upper())
        except QwixxError as error:
            self.console.print(f"{error}.", style="red")
            return
        reason = why_not(view, seat, mark)
        self.console.print(f"{reason}." if reason else f"You can cross {mark} now.")


def spelled(command: str) -> str:
    """The text form of what a person typed in any case, with p for pass."""
    first, *rest = command.lower().split() or [""]
    if first in ("p", "pass"):
        return "pass"
    if first == "take":
        return " ".join([first, *rest])
    if first == "play":
        return " ".join([first, *(word if word == "x" else word.upper() for word in rest)])
    return command.upper()


def available(legal: Sequence[Action]) -> set[Mark]:
    """The cells that some legal action crosses."""
    marks = {action.mark for action in legal if isinstance(action, Cross)}
    plays = [action for action in legal if isinstance(action, Play)]
    return marks | {Mark(play.colour, number) for play in plays for number in play.crosses}
