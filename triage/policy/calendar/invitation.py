"""Writes an invitation to a meeting as iCalendar (RFC 5545, RFC 5546): one event in UTC, to be accepted or declined."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from triage.domain.calendar.periods import Period
from triage.domain.mail import Address

TYPE: Final = "text/calendar; method=REQUEST; charset=utf-8"
LINE: Final = 75
"""Bytes of a line at most; longer ones are folded."""
HEAD, INSIDE = 0b11000000, 0b10000000
"""The two bits by which UTF-8 marks the bytes within a character."""


def invitation(uid: str, title: str, when: Period, organiser: Address, guest: Address, now: datetime) -> bytes:
    """Return the calendar of one meeting. `uid` stays the same when the same meeting is written again."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Triage//Meetings//EN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        f"UID:{_text(uid)}",
        f"DTSTAMP:{_utc(now)}",
        f"DTSTART:{_utc(when.start)}",
        f"DTEND:{_utc(when.end)}",
        f"SUMMARY:{_text(title)}",
        f"ORGANIZER:mailto:{organiser.address}",
        f"ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:{guest.address}",
        "SEQUENCE:0",
        "STATUS:CONFIRMED",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))


def _utc(moment: datetime) -> str:
    return f"{moment:%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """Escape a value, so that it cannot end its line and begin another property."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", value).strip()
    return re.sub(r"([\\;,])", r"\\\1", plain)


def _folded(line: bytes) -> Iterator[bytes]:
    """Yield the parts of a long line, never within a character."""
    while len(line) > LINE:
        cut = LINE
        while line[cut] & HEAD == INSIDE:
            cut -= 1
        yield line[:cut]
        line = b" " + line[cut:]
    yield line
