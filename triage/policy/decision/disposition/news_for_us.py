"""Finds in a mail to many what concerns those who read it: the end of what they use, or what they must do."""

from typing import Final

from triage.domain.mail import Message
from triage.policy.text.author_text import matter_of, subject_of
from triage.policy.text.word_patterns import levelled, sentences_by_line, words_in

READ: Final = 20_000
"""Characters of a newsletter that are read."""
AROUND: Final = 2
"""Sentences before and behind the one about the end, in which `your integration` may stand."""
LONGEST: Final = 200


def concerns_us(message: Message) -> str:
    """Return the sentence about what ends, where one near it says that we use it; else nothing.

    `Version 2 is switched off on 31 January. Your integration still sends v2 calls.`
    """
    sentences = sentences_by_line(f"{subject_of(message)}\n{matter_of(message)[:READ]}")
    lows = [levelled(" ".join(one.split())) for one in sentences]
    ends, ours = words_in("unwanted.ends"), words_in("unwanted.ours")
    for at, low in enumerate(lows):
        near = lows[max(0, at - AROUND) : at + AROUND + 1]
        if ends.search(low) and any(ours.search(one) for one in near):
            return " ".join(sentences[at].split())[:LONGEST]
    return ""
