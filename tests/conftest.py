"""`--drop RULE` runs the tests of one rule against an engine without it (see drops.py)."""

import pytest
from hypothesis import settings

from tests.drops import DROPS

settings.register_profile("test", deadline=None, derandomize=True)
settings.load_profile("test")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--drop", choices=sorted(DROPS), help="drop one rule from the engine, run its tests alone")


def pytest_configure(config: pytest.Config) -> None:
    rule = config.getoption("--drop")
    if rule:
        DROPS[rule]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rule = config.getoption("--drop")
    if rule:
        items[:] = [item for item in items if any(rule in mark.args for mark in item.iter_markers("rule"))]
