"""The arguments of tools that prepare an answer."""

from datetime import UTC, date, datetime

import pytest

from triage.domain.errors import ToolRefused
from triage.domain.mail import Address, Message
from triage.policy.letters.reply.arguments import arguments_for, known_values

VALUES = known_values(Message(sender=Address(address="ada@example.com")), datetime(2026, 11, 23, 8, tzinfo=UTC))


def test_a_tool_gets_what_its_schema_names() -> None:
    """Times and the sender go to the arguments of these names; optional ones that nobody knows are left out."""
    schema = {"properties": {"start": {}, "end": {}, "minutes": {}}, "required": ["start", "end"]}

    assert arguments_for("check_calendar", schema, VALUES) == {"start": "2026-11-24", "end": "2026-12-07"}
    assert arguments_for("get_contact", {"properties": {"address": {}}}, VALUES) == {"address": "ada@example.com"}
    assert arguments_for("get_contact", {}, known_values(Message(), datetime(2026, 1, 1, tzinfo=UTC))) == {}


def test_free_times_are_looked_for_from_the_wished_day_on() -> None:
    """The first wished day begins the two weeks."""
    known = known_values(Message(), datetime(2026, 11, 23, 8, tzinfo=UTC), (date(2026, 12, 3), date(2026, 12, 1)))

    assert (known["start"], known["end"]) == ("2026-12-01", "2026-12-14")


def test_an_argument_that_nobody_knows_is_told() -> None:
    """A required argument without a value is a refusal that names it."""
    with pytest.raises(ToolRefused, match="order_number of find_order"):
        arguments_for("find_order", {"properties": {"order_number": {}}, "required": ["order_number"]}, VALUES)
