"""Finds answers of a few sentences that only thank or say that it works: nobody has to do anything about them."""

from typing import Final

from triage.domain.mail import Message
from triage.policy.cues.assertion import Reading
from triage.policy.cues.request_type import symptoms_left_in
from triage.policy.decision.disposition.asks_nothing import PRAISE, THANKED, beside_telling
from triage.policy.decision.disposition.text_classes import for_us
from triage.policy.text.author_text import author_text, without_greeting
from triage.policy.text.resolution_claims import fixed_in
from triage.policy.text.sentences import longer_than, read
from triage.policy.text.word_patterns import levelled, sentences_of, words_in

LONGEST: Final = 45
"""Words; more of them have a matter."""
FOR_US: Final = 0.6
"""Probability from which a sentence without thanks reads like one that wants something of us."""
SENTENCE: Final = 4
"""Least words of such a sentence; fewer are a name below the text."""
THANKS: Final = (THANKED, PRAISE, "intent.thanks")


def only_thanks(message: Message) -> str:
    """Return the text of a short answer in which each sentence thanks, praises or says that it works; else nothing.

    A question, a request, a `but`, a word of a fault or a file makes it more than that; so does a question in the mail that
    it answers, since `fine, thanks` then means yes.
    """
    text = without_greeting(author_text(message.reply or message.text)).strip()
    if not message.thread or message.attachments or not text or longer_than(text, LONGEST):
        return ""
    passage = read(text)
    if passage.asked or not _thanks(text, Reading.of(passage)) or symptoms_left_in(text):
        return ""
    if fixed_in(passage).value != "yes" and (not message.quoted or read(message.quoted).asked):
        return ""
    if words_in("due.asks").search(beside_telling(text)) or words_in("sentence.contrasts").search(levelled(text)):
        return ""
    return "" if any(_wants(one) for one in sentences_of(text)) else " ".join(text.split())


def _wants(sentence: str) -> bool:
    """Tell whether a sentence neither thanks nor says that it works, and reads like one for us."""
    passage = read(sentence)
    return len(passage.words) >= SENTENCE and not _thanks(sentence, Reading.of(passage)) and for_us(sentence) >= FOR_US


def _thanks(text: str, reading: Reading) -> bool:
    """Tell whether some words thank, praise or say that it works."""
    return (
        words_in("letter.thanks").search(levelled(text)) is not None
        or any(True for _ in reading.lists(*THANKS).find(reading.words))
        or fixed_in(reading.passage).value == "yes"
    )
