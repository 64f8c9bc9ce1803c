"""Finds in a customer's text why a person is needed: he asks for one, wants an exception, is beyond the articles, or was not helped; or that all is well."""

from typing import Final

from triage.policy.cues.language import words_listed
from triage.policy.support.mentions import asserted, everywhere, mentioned, reading_of, wished
from triage.policy.text.sentences import CONTRASTS

EXCEPTION: Final = (
    *("lookup.exception", "lookup.exception_exceptions"),
    *("support.leniency", "support.leniency_exceptions"),
)
"""The lists of wishes that a person must grant, then those of all that speaks of one; each phrase stands in one of them."""


def asks_for_person(text: str, subject: str = "") -> str:
    """Return the words that ask for a person, as the text has them; empty if none do. `No need to call me` asks for none."""
    found = wished(reading_of(subject, text), "support.person", "support.person_exceptions")
    return next((one.words for one in found), "")


def asks_for_exception(text: str, subject: str = "") -> str:
    """Return the words that want money back or an exception to the rules; empty if none do."""
    found = wished(reading_of(subject, text), *EXCEPTION)
    return next((one.words for one in found), "")


def beyond_articles(text: str, subject: str = "") -> str:
    """Return the words of a technical matter that articles for customers do not cover; empty if there are none."""
    return next((one.words for one in mentioned(everywhere(reading_of(subject, text)), "support.beyond")), "")


def failure_words(text: str, subject: str = "") -> str:
    """Return the words that say that earlier help did not help; empty if none do."""
    return next((one.words for one in mentioned(everywhere(reading_of(subject, text)), "support.failed")), "")


MOST: Final = 12
"""Words of such a message; a longer one says more than that."""


def settled_in(text: str) -> str:
    """Return the words that say so; empty where the message asks, denies or objects to anything, or is long."""
    reading = reading_of("", text)
    words = {word.plain for word in reading.words}
    open_still = words & (CONTRASTS | set(words_listed(reading.language.codes, "negation.words")))
    if len(reading.words) > MOST or reading.passage.asked or open_still or failure_words(text):
        return ""
    return next((one.words for one in asserted(reading, "support.settled")), "")
