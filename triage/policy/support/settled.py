"""Finds messages that only say that all is well: `thanks, that worked`."""

from typing import Final

from triage.policy.cues.language import words_listed
from triage.policy.support.mentions import asserted, reading_of
from triage.policy.support.triggers import failure_words
from triage.policy.text.sentences import CONTRASTS

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
