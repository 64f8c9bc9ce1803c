"""Patterns of the text that mail programs write around quoted mail, built from the word lists of all languages."""

# ruff: noqa: RUF001 - signs of every alphabet are the point

import re
from collections.abc import Mapping
from typing import Final

from triage.config.word_lists import word_lists

_LISTS: Final = word_lists()
_any_of: Final = _LISTS.alternatives

WROTE: Final = re.compile(rf"\b{_any_of('reply.wrote')}\b|{_any_of('reply.wrote_runs')}", re.IGNORECASE)
"""The verb of `On Monday Ada wrote:`."""

ROLES: Final[Mapping[str, str]] = {
    label: role for role in ("from", "date", "to", "subject", "other") for label in _LISTS[f"header.{role}"]
}
"""Labels of header fields above quoted mail, and the role of each."""

LEADS: Final = _any_of("reply.date_leads")
"""Words before the date in `On Monday, Ada wrote:`."""

MONTHS: Final = rf"{_any_of('reply.months')}\b"

SELF: Final = re.compile(rf"\b{_any_of('reply.writers')}(?:\s+\w+){{0,2}}\s*$")
"""The author as subject of the verb: `I wrote to ada@example.com:` begins no history."""


def _about(what: str) -> str:
    """Match both words, `original` and `message`, in either order with little between."""
    return rf"(?=.{{0,40}}{_any_of(what)})(?=.{{0,40}}{_any_of('reply.message')}).{{4,45}}$"


ORIGINAL: Final = re.compile(rf"{_about('reply.original')}|{_any_of('reply.original_patterns')}", re.IGNORECASE)
"""The line above an answered mail, between dashes."""

ASKED_ABOVE: Final = re.compile(rf"{_any_of('reply.original_patterns')}.{{0,20}}", re.IGNORECASE)
"""`Reply above this line`, as help desks ask for."""

FORWARDED: Final = re.compile(rf"{_about('reply.forwarded')}|{_any_of('reply.forwarded_patterns')}", re.IGNORECASE)
"""The line above a forwarded mail."""

ANSWER_SUBJECT: Final = re.compile(
    rf"\s*(?:\[[^\]]{{1,40}}\]\s*)?{_any_of('subject.answer')}(?:\s?[\[(]\d{{1,3}}[\])]|\^\d+)?\s?[:\uff1a]",
    re.IGNORECASE,
)
"""The subject of an answer."""

FORWARD_SUBJECT: Final = re.compile(rf"\s*{_any_of('subject.forward')}\s?[:\uff1a]", re.IGNORECASE)

_FORMULA: Final = _any_of("reply.closing_patterns")
_END: Final = r"\s*[,.!，。！、]?\s*"
CLOSING: Final = re.compile(rf"{_FORMULA}(?:\s?[/|]\s?{_FORMULA})?{_END}", re.IGNORECASE)
"""A closing formula on a line of its own, perhaps in two languages."""

FAREWELL: Final = re.compile(rf"(?:{_FORMULA}|{_any_of('reply.farewells')})(?!\w)", re.IGNORECASE)
"""The beginning of the same or of a shorter one, which ends a letter only above the sender's name."""

REFERENCE: Final = re.compile(
    rf"\b{_any_of('reply.reference_words')}\W{{0,3}}(?:no|nr|n|number|num|numer|id|code)?\W{{0,4}}[a-z]{{0,4}}\W?\d\d|"
    rf"{_any_of('reply.login_words')}\W{{1,3}}\S",
    re.IGNORECASE,
)
"""A number of a customer, an order or an account: `Customer no. 4711`, `IBAN DE02 1203`, or a name to sign in with."""

SHOWS_HEADER: Final = re.compile(_any_of("reply.header_words"), re.IGNORECASE)
"""Words of an author who shows the header of a mail."""

FOOTER: Final = re.compile(_any_of("reply.footer_patterns"), re.IGNORECASE)
"""Text that servers and companies append to every mail."""
PAGE: Final = re.compile(r"@|https?:|www\.")
NUMBER: Final = re.compile(r"\+?\d[\d ()/.-]{6,}")
CONTACT: Final = re.compile(rf"{PAGE.pattern}|{NUMBER.pattern}")
"""An address, a page or a number, as signatures have them."""
