"""By which hour of the day a mail asks for something, and what day it is at its sender's."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from triage.domain.mail import Message
from triage.policy.calendar.clock_time import sent_at
from triage.policy.calendar.due_date import due_date_of

TUESDAY = datetime(2026, 11, 24, 10, tzinfo=timezone(timedelta(hours=1)))
TODAY = date(2026, 11, 24)
TOMORROW = date(2026, 11, 25)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Please answer by 10:30.", TODAY),
        ("Please send it by 3 pm.", TODAY),
        ("Please send it by 12 am.", TOMORROW),
        ("Can you look before the night shift starts at 22:00?", TODAY),
        ("Please fix it before 8:30, the doors open then.", TOMORROW),
        ("Bitte bis 10.15 Uhr anrufen.", TODAY),
        ("Merci de corriger avant 17h.", TODAY),
        ("Graag voor 17:00 uur oplossen.", TODAY),
        ("Proszę o naprawę do 14:00.", TODAY),
        ("17時までに直してください。", TODAY),
        ("Saat 15:00'e kadar gerekli.", TODAY),
        ("Please answer by Friday 10:30.", date(2026, 11, 27)),
        ("The fault was there before 8:30.", None),
        ("The job runs before 8:30 and fails, please check.", None),
        ("Please call me before 3 hours have passed.", None),
        ("Please upgrade before 3.15 is out.", None),
        ("We were told that it would be back by 10:00.", None),
        ("Please look at the error of 12:30.", None),
    ],
)
def test_an_hour_alone_is_of_the_same_day(text: str, day: date | None) -> None:
    """Who asks for something by an hour means today, or tomorrow where that hour is over; hours of what was are none."""
    found = due_date_of(text, TUESDAY, TUESDAY)

    assert (found.day if found else None) == day


@pytest.mark.parametrize(
    ("header", "hours"),
    [
        ("Tue, 24 Nov 2026 23:30:00 -0500", -5),
        ("Tue, 24 Nov 2026 23:30:00 -0000", 0),
        ("no date", 0),
        ("Tue, 24 Nov 2026 23:30:00 +9999999", 0),
    ],
)
def test_the_day_is_the_senders(header: str, hours: int) -> None:
    """`tomorrow` counts from the sender's day, as the Date header has it, where that can be read."""
    moment = datetime(2026, 11, 25, 4, 30, tzinfo=UTC)
    mail = Message(headers=(("date", header),), date=moment)

    assert sent_at(mail, moment).utcoffset() == timedelta(hours=hours)
    assert sent_at(Message(), moment) == moment
