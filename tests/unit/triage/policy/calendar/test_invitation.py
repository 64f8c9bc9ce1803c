"""An invitation is a calendar that programs read, whatever its title."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from icalendar import Calendar

from triage.domain.calendar.periods import Period
from triage.domain.mail import Address
from triage.policy.calendar.invitation import LINE, invitation

WHEN = Period(datetime(2026, 11, 23, 9, tzinfo=UTC), datetime(2026, 11, 23, 9, 30, tzinfo=UTC))
US, KIM = Address(address="support@harbourline.example"), Address(address="kim@shop.example")


def _event(title: str) -> tuple[Any, bytes]:
    raw = invitation("case-1.1@harbourline.example", title, WHEN, US, KIM, WHEN.start - timedelta(days=1))
    return Calendar.from_ical(raw), raw


def test_programs_read_it() -> None:
    """It asks one guest to one meeting, with time, organiser and a stable name."""
    calendar, _ = _event("Barcodes; printers, and \\ more")
    (event,) = calendar.walk("VEVENT")

    assert str(calendar["METHOD"]) == "REQUEST"
    assert (event["DTSTART"].dt, event["DTEND"].dt) == (WHEN.start, WHEN.end)
    assert (str(event["ATTENDEE"]), str(event["ORGANIZER"])) == (
        "mailto:kim@shop.example",
        "mailto:support@harbourline.example",
    )
    assert str(event["SUMMARY"]) == "Barcodes; printers, and \\ more"
    assert str(event["UID"]) == "case-1.1@harbourline.example"


def test_a_long_title_is_folded_between_letters() -> None:
    """Wherever the limit of a line falls: beside a letter of two bytes or within it."""
    for title in ("é" * 40, "xé" * 40, "x" + "é" * 40):
        calendar, raw = _event(title)

        assert str(calendar.walk("VEVENT")[0]["SUMMARY"]) == title
        assert max(map(len, raw.split(b"\r\n"))) <= LINE


@given(st.text(max_size=300))
@example("é" * 40)
@example("xé" * 40)
def test_no_title_adds_a_property(title: str) -> None:
    """Whatever the title holds, there is one event with one guest, and no line is too long."""
    calendar, raw = _event(f"{title}\r\nATTENDEE:mailto:eve@evil.example")
    (event,) = calendar.walk("VEVENT")

    assert str(event["ATTENDEE"]) == "mailto:kim@shop.example"
    assert all(len(line) <= LINE for line in raw.split(b"\r\n"))
