"""Finds the days on which the writer of a mail wants to meet."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from triage.domain.mail import Message
from triage.policy.calendar.due_date import READ, days_named, sentences_in

FARTHEST: Final = timedelta(days=100)
"""Nobody asks for a meeting that lies farther ahead; a day beyond is about something else."""


def wished_days(mail: Message, asked: Sequence[str], language: str, now: datetime) -> tuple[date, ...]:
    """Return the days from today on that a mail names from the words `asked` for the meeting on; where there are none, all that it names."""
    text, sent, today = (mail.reply or mail.text)[:READ], mail.date or now, now.date()
    low = text.lower()
    begins = min((at for words in asked if (at := low.find(words)) >= 0), default=0)
    for part in (text[begins:], text):
        named = {day for sentence in sentences_in(part) for _, day in days_named(sentence, sent, [language])}
        if ahead := sorted(day for day in named if today <= day <= today + FARTHEST):
            return tuple(ahead)
    return ()
