"""Runs a command in this process."""

from qwixx.cli import main


def qwixx(*arguments: str) -> int:
    """The exit code."""
    try:
        main(list(arguments))
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0
