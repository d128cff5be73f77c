"""Requests over HTTP as nobody would send them, made from the interface's own description by schemathesis."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance

from qwixx.server.openapi import openapi
from tests.server.process import free_port, server

described = schemathesis.pytest.from_fixture("interface")


@pytest.fixture(scope="module")
def interface(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    """A real server."""
    port = free_port()
    with server(port, tmp_path_factory.mktemp("server") / "tables.db"):
        yield schemathesis.openapi.from_url(f"http://127.0.0.1:{port}/api/openapi.json")


@described.parametrize()
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_is_described(case: "schemathesis.Case[Any]") -> None:
    """No error of the server's own, no other status, type or shape than promised, nothing wrong taken for right. What
    has the right shape may still be refused: there is no such game."""
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


def test_every_address_is_described() -> None:
    assert set(openapi()["paths"]) == {
        "/healthz",
        "/readyz",
        "/api/catalogue",
        "/api/tables",
        *(f"/api/tables/{{table}}/{what}" for what in ("game", "history", "record", "qr.svg")),
    }
