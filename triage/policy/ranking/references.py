"""Finds by what a mail refers to a matter that its sender has written about before: an invoice's or order's number, or asking for news."""

import re
from typing import Final

from triage.domain.mail import Message
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.policy.cues.assertion import Reading
from triage.policy.cues.request_type import hinted_in
from triage.policy.text.author_text import matter_of, subject_of
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import levelled, one_of

READ: Final = 8_000
"""Characters of a text that are read."""
SHORT: Final = 40
"""Most words of a mail that only asks for news; a longer one has something to say."""
_REFERENCE: Final = lazy_pattern(
    lambda: (
        rf"{one_of('reference.objects')}(?:\W{{0,3}}{one_of('reference.numbers')})?[\s:#.\u00ba\u00b0(]{{0,4}}"
        r"(?P<number>[a-z]{0,4}[-/]?\d[\d-]{1,14}\d)(?!\w|[.,/:]\d)"
    )
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def references_in(text: str) -> frozenset[str]:
    """Return the numbers of invoices, orders, bookings and the like that a text names, their digits alone."""
    found = (re.sub(r"\D", "", one["number"]) for one in _REFERENCE.finditer(levelled(text[:READ])))
    return frozenset(number for number in found if not _YEAR.fullmatch(number))


def asks_for_news(message: Message) -> bool:
    """Tell whether a mail is short, wishes for nothing new, and asks what became of a matter: `any news?`."""
    text = f"{subject_of(message)}\n\n{matter_of(message)}"
    if len(text) > READ or len(text.split()) > SHORT:
        return False
    reading = Reading.of(read(text))
    return "feature" not in hinted_in(reading) and any(
        True for _ in reading.lists("reference.news").find(reading.words)
    )
