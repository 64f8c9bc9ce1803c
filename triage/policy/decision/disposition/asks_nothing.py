"""Finds mails that ask nothing of a team: praise, notices that need no action, receipts, and talk between colleagues."""

import re
from collections.abc import Collection
from typing import Final

from triage.domain.mail import Message
from triage.policy.cues.assertion import Reading
from triage.policy.cues.request_type import hinted_in, hints_in
from triage.policy.text.author_text import author_text, matter_of, subject_of, without_greeting
from triage.policy.text.sentences import longer_than, read
from triage.policy.text.word_patterns import levelled, words_in
from triage.policy.thread.fingerprint import is_answer

LONGEST: Final = 80
"""Words; a longer text probably has a matter."""
MOST_OF_RECEIPT: Final = 80
MOST_OF_TALK: Final = 60
MOST_OF_ANNOUNCEMENT: Final = 150
MOST_OF_SETTLED: Final = 150
MOST_OF_ASSENT: Final = 12
MOST_OF_THANKS: Final = 20
MOST_OF_NOTHING: Final = 20
READ: Final = 2_000
"""Characters in which a buyer says what he wants."""
BEFORE_THANKS: Final = 2
"""Most words before the thanks."""
NOTHING_ASKED: Final = "unwanted.nothing_asked"
NOTHING_TO_DO: Final = "unwanted.nothing_to_do"
PRAISE: Final = "unwanted.praise"
THANKED: Final = "unwanted.thanked"
_WORD: Final = re.compile(r"[^\W_]+")


def asks_nothing(message: Message) -> str:
    """Return the words that show a mail without a request; empty if it reports, wishes or asks something, or is long."""
    text = _matter(message)
    reading = _short(text, LONGEST)
    if reading is None or hints_in(reading):
        return ""
    found = next(iter(reading.lists(NOTHING_ASKED, NOTHING_TO_DO, PRAISE, THANKED).find(reading.words)), None)
    if found is None:
        return ""
    rest = beside_telling(text)
    if found.label == "thanked" and not _thanks_first(message):
        return ""
    if not found.label.startswith("nothing_") and (reading.passage.asked or words_in("due.asks").search(rest)):
        return ""
    return reading.shown(found)


def nothing_to_do(message: Message) -> str:
    """Return the words that say that nothing is to be done, whatever fault is told, in a mail that asks nothing; else nothing.

    Above a forwarded mail they count whatever that one says: the forwarder alone writes to us.
    """
    return next(filter(None, map(_nothing_to_do, (_note(message), _matter(message)))), "")


def _nothing_to_do(text: str) -> str:
    reading = _short(text, MOST_OF_SETTLED)
    found = [reading.shown(one) for one in reading.lists(NOTHING_TO_DO).find(reading.words)] if reading else []
    if reading is None or not found or reading.passage.asked:
        return ""
    rest = beside_telling(text)
    for words in found:
        rest = rest.replace(levelled(words), " ")
    return "" if words_in("due.asks").search(rest) else found[0]


def _thanks_first(message: Message) -> bool:
    """Tell whether a mail is a few words that begin with thanks; after a matter, thanks are only politeness."""
    reading = _short(without_greeting(matter_of(message)), MOST_OF_THANKS)
    found = next(iter(reading.lists(THANKED).find(reading.words)), None) if reading else None
    return found is not None and found.start <= BEFORE_THANKS


def receipt(message: Message) -> str:
    """Return the words of another desk's receipt, whose text is short and tells no fault; else nothing."""
    text = f"{message.reply or message.text}"
    reading = _short(text, MOST_OF_RECEIPT)
    whole = _short(f"{subject_of(message)}\n\n{text}", MOST_OF_RECEIPT)
    return (
        _both(whole, "automatic.receipts", "automatic.promises") if reading and whole and not _faults(reading) else ""
    )


def private(message: Message) -> str:
    """Return the words of a short private invitation, such as to lunch; else nothing."""
    reading = _short(f"{subject_of(message)}\n\n{matter_of(message)}", MOST_OF_TALK)
    return _both(reading, "unwanted.private", "unwanted.free_time") if reading and not _faults(reading) else ""


def asks_for_offer(message: Message) -> str:
    """Return the words by which a mail asks for a price or an offer, as buyers do; empty if it tells a fault."""
    reading = Reading.of(read(_matter(message)[:READ]))
    found = next(iter(reading.lists("unwanted.quotation").find(reading.words)), None)
    return reading.shown(found) if found and not _faults(reading) else ""


def announces(message: Message) -> bool:
    """Tell whether a text of some length at most announces what will be, such as planned maintenance or somebody's leave."""
    reading = _short(_matter(message), MOST_OF_ANNOUNCEMENT)
    if reading is None or any(reading.lists("unwanted.unannounced").find(reading.words)):
        return False
    return any(reading.lists("unwanted.announced").find(reading.words))


def assent(message: Message) -> str:
    """Return the text of a reply that only agrees or says goodbye, such as `Fine, see you then!`; else nothing."""
    text = f"{message.reply or message.text}"
    if not is_answer(subject_of(message)) or longer_than(text, MOST_OF_ASSENT):
        return ""
    words = without_greeting(author_text(text))
    low = levelled(words)
    rest = words_in("unwanted.assent", "letter.thanks").sub(" ", low)
    names = set(_WORD.findall(levelled(f"{message.sender or ''}")))
    agrees = words_in("unwanted.assent").search(low) and "?" not in words
    return " ".join(words.split()) if agrees and not set(_WORD.findall(rest)) - names else ""


def nothing_said(message: Message, keys: Collection[str]) -> str:
    """Return what a mail says that has no word beside greeting, thanks, its sender's name and ticket keys; else nothing."""
    if message.attachments:
        return ""
    text = _matter(message)
    if longer_than(text, MOST_OF_NOTHING):
        return ""
    names = f"{message.sender or ''}"
    known = {*_WORD.findall(levelled(names)), *(part for key in keys for part in _WORD.findall(levelled(key)))}
    rest = words_in("letter.greetings", "letter.thanks", "letter.regards", "subject.answer").sub(" ", levelled(text))
    if set(_WORD.findall(rest)) - known:
        return ""
    return f"says nothing but {', '.join(keys)}" if keys else "says nothing"


def reports_nothing(message: Message) -> bool:
    """Tell whether no word of the lists reports, wishes or asks anything in a mail."""
    return not hints_in(Reading.of(read(_matter(message))))


def beside_telling(text: str) -> str:
    """Return a text, levelled, without phrases that ask for nothing although they have the words: `please pass on our thanks`."""
    return words_in("unwanted.telling").sub(" ", levelled(text))


def _matter(message: Message) -> str:
    """Return subject and matter, without the greeting."""
    return f"{subject_of(message)}\n\n{without_greeting(matter_of(message))}"


def _note(message: Message) -> str:
    """Return what somebody writes above the mail that he forwards."""
    forwards = "forward" in message.flags and message.reply != message.quoted
    return author_text(message.reply) if forwards else ""


def _short(text: str, most: int) -> Reading | None:
    """Read a text; None if it has more words than `most`."""
    if longer_than(text, most):
        return None
    passage = read(text)
    return Reading.of(passage) if len(passage.words) <= most else None


def _both(reading: Reading, *names: str) -> str:
    """Return the first words of each list, if there are some of every one."""
    found = [next(iter(reading.lists(name).find(reading.words)), None) for name in names]
    return ", ".join(reading.shown(one) for one in found if one) if all(found) else ""


def _faults(reading: Reading) -> bool:
    return any(kind == "bug" for kind in hinted_in(reading))
