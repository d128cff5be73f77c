"""The table of a server's options and environment variables, from the command itself: `python -m docs.options`."""

from pathlib import Path

import typer
from typer.core import TyperOption

from qwixx.cli import app

PAGE = Path(__file__).with_name("hosting.md")
START, END = "<!-- options: made by `make options` -->\n", "<!-- end of options -->\n"


def table() -> str:
    """One line an option."""
    command = typer.main.get_group(app).commands["serve"]
    options = [option for option in command.params if isinstance(option, TyperOption)]
    lines = ["| option | environment | unless told | what it does |", "| --- | --- | --- | --- |"]
    return "\n".join([*lines, *(_line(option) for option in options)]) + "\n"


def _line(option: TyperOption) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    environment = f"`{option.envvar}`" if option.envvar else ""
    default = "" if option.default is None or option.default is False else f"`{option.default}`"
    return f"| {names} | {environment} | {default} | {option.help} |"


def with_table(text: str) -> str:
    """A page with its table made anew."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{table()}{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
