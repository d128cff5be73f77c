"""A few thousand odd messages; `make fuzz` has a hundred thousand."""

from tests.server.fuzz import fuzzed


def test_odd_messages_are_answered_and_tables_stay_by_the_rules() -> None:
    said, granted = fuzzed(40)
    assert said >= 2000
    assert granted > said / 25, "games go on while nonsense is talked"
