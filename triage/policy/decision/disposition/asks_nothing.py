"""Finds mails that ask for nothing: praise, and notices that say themselves that nothing is to be done."""

from typing import Final

from triage.domain.mail import Message
from triage.policy.cues.assertion import Reading
from triage.policy.cues.language import language_of
from triage.policy.cues.request_type import hints_in
from triage.policy.text.author_text import matter_of, subject_of, without_greeting
from triage.policy.text.sentences import read
from triage.policy.text.word_patterns import levelled, words_in

LONGEST: Final = 80
"""Words; who writes more has something to say."""
NOTHING_ASKED: Final = "unwanted.nothing_asked"
PRAISE: Final = "unwanted.praise"


def asks_nothing(message: Message) -> str:
    """Return the words by which a mail asks for nothing; empty where it reports, wishes or asks anything, or is long."""
    text = f"{subject_of(message)}\n\n{without_greeting(matter_of(message))}"
    passage = read(text)
    reading = Reading(passage, language_of(passage.words))
    found = next(iter(reading.lists(NOTHING_ASKED, PRAISE).find(reading.words)), None)
    if found is None or len(passage.words) > LONGEST or hints_in(reading):
        return ""
    if found.label == "praise" and (reading.passage.asked or words_in("due.asks").search(levelled(text))):
        return ""
    return reading.shown(found)
