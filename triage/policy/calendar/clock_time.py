"""Reads the hour by which a sentence asks for something on the same day, and the sender's own time."""

import re
from collections.abc import Iterator
from datetime import datetime, time
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import Message
from triage.policy.text.word_patterns import one_of

HALF_DAY: Final = 12
_HOUR: Final = r"(?P<hour>[01]?\d|2[0-4])(?:(?P<sign>[:.h])(?P<minute>[0-5]\d))?"
_UNIT: Final = r"(?P<unit>h\b|\s?(?:[ap]\.?m\b\.?|uhr\b|heures?\b|horas?\b|uur\b|o'clock\b|時|点|點))?"
_TIME: Final = re.compile(rf"(?<![\d.,:/-]){_HOUR}(?![\d/]){_UNIT}")


def hours_in(low: str) -> Iterator[re.Match[str]]:
    """Yield each `15:00` or `3 pm` in a levelled sentence, whatever its language."""
    for found in _TIME.finditer(low):
        whole = found["minute"] and found["sign"] != "."  # `3.15` may be a version or a sum
        if whole or found["unit"]:
            yield found


def hours_by(low: str, language: str) -> Iterator[tuple[slice, time]]:
    """Yield place and time of each `by 15:00` or `before the shift starts at 22:00` in a levelled sentence."""
    for found in hours_in(low):
        led, followed = _led(language).search(low[: found.start()]), _followed(language).match(low, found.end())
        if led or followed:
            start, end = led.start() if led else found.start(), followed.end() if followed else found.end()
            yield slice(start, end), _hour(found)


def _hour(found: re.Match[str]) -> time:
    hour = int(found["hour"])
    unit = (found["unit"] or "").lstrip()
    if unit[:1] in {"a", "p"} and hour <= HALF_DAY:
        hour = hour % HALF_DAY + (HALF_DAY if unit[0] == "p" else 0)
    return time(hour % (2 * HALF_DAY), int(found["minute"] or 0))


@cache
def _led(language: str) -> re.Pattern[str]:
    """Return the expression for `by` and up to six words of the same clause in front of an hour."""
    if word_lists().of(language, "due.after"):
        return re.compile(r"(?!)")
    named = one_of("due.latest", "due.by", "due.before", language=language)
    return re.compile(rf"(?<!\w){named}(?:\s+[^\s,.;:!?()]+){{0,6}}?\s*\Z")


@cache
def _followed(language: str) -> re.Pattern[str]:
    """Return the expression for `by` behind an hour, in a language that has it there."""
    after = word_lists().of(language, "due.after")
    return re.compile(rf"\s*'?(?:[^\W\d]{{1,2}}\s)?{one_of('due.after', language=language)}" if after else r"(?!)")


def sent_at(mail: Message, received: datetime) -> datetime:
    """Return when a mail was sent in the sender's own time zone, as its Date header has it; else when it came."""
    try:
        moment = parsedate_to_datetime(mail.header("date")[:100])
    except (ValueError, TypeError, IndexError, OverflowError):
        moment = None
    if moment is None or moment.tzinfo is None or mail.date is None:
        return mail.date or received
    return mail.date.astimezone(moment.tzinfo)
