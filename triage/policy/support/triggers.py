"""Finds in a customer's text why a person is needed: he asks for one, wants an exception, is beyond the articles, or was not helped."""

from collections.abc import Iterator

from triage.domain.support.conversations import EscalationTrigger
from triage.policy.support.said import everywhere, mentioned, reading_of, wished

SEVERAL = 2
"""Attempts that failed, from which on a person is needed."""


def asks_for_person(text: str, subject: str = "") -> str:
    """Return the words that ask for a person, as the text has them; empty if none do. `No need to call me` asks for none."""
    found = wished(reading_of(subject, text), "support.person", "support.person_exceptions")
    return next((one.words for one in found), "")


def asks_for_exception(text: str, subject: str = "") -> str:
    """Return the words that want money back or an exception to the rules; empty if none do."""
    found = wished(reading_of(subject, text), "support.exception", "support.exception_exceptions")
    return next((one.words for one in found), "")


def beyond_articles(text: str, subject: str = "") -> str:
    """Return the words of a technical matter that articles for customers do not cover; empty if there are none."""
    return next((one.words for one in mentioned(everywhere(reading_of(subject, text)), "support.beyond")), "")


def says_failed(text: str, subject: str = "") -> str:
    """Return the words that say that earlier help did not help; empty if none do."""
    return next((one.words for one in mentioned(everywhere(reading_of(subject, text)), "support.failed")), "")


def triggers_of(subject: str, text: str, failures: int = 0) -> Iterator[tuple[EscalationTrigger, str]]:
    """Yield each trigger that text and past give, with its evidence. `failures` counts attempts that a customer did not accept."""
    if words := asks_for_person(text, subject):
        yield EscalationTrigger.USER_REQUEST, words
    if words := asks_for_exception(text, subject):
        yield EscalationTrigger.POLICY_EXCEPTION, words
    if words := beyond_articles(text, subject):
        yield EscalationTrigger.TECHNICAL, words
    said = says_failed(text, subject)
    if failures >= SEVERAL or (failures and said):
        yield EscalationTrigger.SEVERAL_FAILURES, said or f"{failures} attempts"
