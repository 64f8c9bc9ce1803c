"""Reduces a mail to its author's text: without signature, closing, disclaimer and names of pictures."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.mail import PICTURE, Message
from triage.domain.untrusted import Untrusted
from triage.policy.text.sentences import folded, plain
from triage.policy.text.word_patterns import levelled, one_of, words_in

LIMIT: Final = 20_000
"""Characters of the text that are read; longer mails carry logs."""
SUBJECT_LIMIT: Final = 1_000
CACHED: Final = 32
"""Texts; step after step asks for those of the same mails."""
SHORT: Final = 60
AFTER_THANKS: Final = 8
"""Most characters of text that may follow a line such as `Thanks` that ends the mail."""

REGARDS: Final = folded("letter.regards")
THANKS: Final = folded("letter.thanks")
FROM: Final = folded("letter.from")
GREETINGS: Final = tuple(folded("letter.greetings"))
"""A greeting before a sentence in the same line, levelled: `Hi Tom, could you …`; more words than a name are the sentence's own."""
LONGEST_GREETING: Final = 50
LONGEST_CLOSING: Final = 300
"""Characters at the end of a mail among which thanks and regards are looked for."""
SENTENCE_ENDS: Final = ".!?:\u3002\uff01\uff1f"
COMMAS: Final = ",:;\u3001\uff0c\uff1a"
"""What may stand behind a greeting or regards."""
DISCLAIMERS: Final = folded("letter.small_print")
DISCREET: Final = folded("letter.discreet")
ITSELF: Final = folded("letter.this_message")
ENDS: Final = " ,.!;:-\t\u3001\u3002\uff01"
HEADER: Final = 12
"""Lines of a forwarded mail among which its header stands."""
LEAST_LABELS: Final = 2
LONGEST_NOTE: Final = 1_000
LONGEST_CARD: Final = 10
"""Lines of a signature in a frame, its last rule included."""
LONGEST_FRAME: Final = 13
"""The same with the first rule and blank lines."""
RULE: Final = re.compile(r"([-=_*~\u2014\u2015\u2500\u2501\u2550\uff0a\uff1d\u30fc])\1{4,}")
CONTACT: Final = re.compile(
    r"@|://|www\.|(?:\d[\s().-]{0,2}){7}|\u682a\u5f0f\u4f1a\u793e|\u6709\u9650\u516c\u53f8|\uc8fc\uc2dd\ud68c\uc0ac"
)
"""A way to reach somebody, or a firm of Japan, China or Korea."""
LABEL: Final = re.compile(r"[\s>*]{0,8}[^\W\d_][^:\uff1a]{0,24}[:\uff1a]")


def greeting_with_names() -> str:
    """Return a regular expression for a greeting, a name of up to three words and the sign behind it; it matches levelled text."""
    return rf"\W{{0,8}}{one_of('letter.greetings')}(?:\s+[\w.'-]+){{0,3}}\s*[,!:]\s*"


def author_text(text: str) -> str:
    """Return a text without signature, disclaimers and names of pictures; reads its first `LIMIT` characters."""
    return _author_text(text[:LIMIT])


@lru_cache(maxsize=CACHED)
def _author_text(text: str) -> str:
    lines = PICTURE.sub("", text).splitlines()
    own = lines[: letter_end(lines)]
    dropped = small_print(own)
    return "\n".join(line for at, line in enumerate(own) if at not in dropped)


def body_of(message: Message) -> Untrusted:
    """Return what a mail is about: its author's own words, and of a forwarded mail what is forwarded, without its header.

    What is forwarded as a lure says nothing that its forwarder wants to say.
    """
    own, forwarded = message.reply or message.text, _forwarded(message)
    return Untrusted(f"{own}\n\n{forwarded}") if forwarded else own


def texts_of(message: Message) -> tuple[str, str]:
    """Return the author's own words and what he forwards, each as `author_text` reads it; the second is mostly empty."""
    return author_text(message.reply or message.text), author_text(_forwarded(message))


def matter_of(message: Message) -> str:
    """Return the author's own words and what he forwards as one text, each part as `author_text` reads it."""
    return "\n\n".join(filter(None, texts_of(message)))


def _forwarded(message: Message) -> str:
    if "forward" not in message.flags or not message.reply or not message.quoted or takes_for_lure(message.reply):
        return ""
    return _without_history(_without_header(message.quoted)).strip()


def _without_history(forwarded: str) -> str:
    """Drop what the forwarded mail itself quotes, unless all of it stands as a quote."""
    lines = forwarded.splitlines()
    first = next((line for line in lines if line.strip()), "")
    return forwarded if first.startswith(">") else "\n".join(line for line in lines if not line.startswith(">"))


def takes_for_lure(note: str) -> bool:
    """Tell whether a forwarder says that the mail below is phishing, spam or the like."""
    return bool(words_in("said.suspicion").search(levelled(author_text(note)[:LONGEST_NOTE])))


def fell_for_lure(note: str) -> str:
    """Return the words by which a forwarder says that he did what the lure wanted; empty if he says nothing of it."""
    found = words_in("said.bitten").search(levelled(author_text(note)[:LONGEST_NOTE]))
    return found[0] if found else ""


def _without_header(quoted: str) -> str:
    """Drop what stands above the first blank line behind lines of the form `Label: value`, where the text begins so."""
    lines = quoted.splitlines()
    labels = [at for at, line in enumerate(lines[:HEADER]) if LABEL.match(line)]
    if len(labels) < LEAST_LABELS:
        return quoted
    end = next((at for at in range(labels[0], len(lines)) if not lines[at].strip(" >")), len(lines))
    return "\n".join(lines[end:])


def subject_of(message: Message) -> str:
    """Return the subject, cut to `SUBJECT_LIMIT` characters."""
    return message.subject[:SUBJECT_LIMIT]


def own_subject(message: Message) -> str:
    """Return the subject, cut to `SUBJECT_LIMIT` characters; empty for a forward with a note, whose subject somebody else wrote."""
    passed_on = "forward" in message.flags and message.quoted and message.reply != message.quoted
    return "" if passed_on else subject_of(message)


def without_greeting(text: str) -> str:
    """Remove a greeting on a line of its own, such as `Hi Marek,`."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if (
        first is not None
        and len(lines[first]) <= LONGEST_GREETING
        and plain(lines[first].strip()).startswith(GREETINGS)
    ):
        return "\n".join(lines[first + 1 :])
    return text


def without_courtesies(text: str) -> str:
    """Remove what frames a matter: greeting, good wishes and who writes in front of it, thanks and regards behind it.

    They need no lines of their own: `Hi all, hope you are well. The shop is down. Thanks a lot and best regards, Ada`.
    """
    low = levelled(text)
    start, opened = 0, _greeting().match(low)
    if opened and all(_is_name(word) for word in text[opened.start("whom") : opened.end("whom")].split()):
        start = opened.end()
    while opened := _courtesy().match(low, start):
        start = opened.end()
    closed = _closing().search(low, max(start, len(low) - LONGEST_CLOSING))
    return text[start : closed.start() if closed else len(text)].strip() or text


def _is_name(word: str) -> bool:
    return (
        word[:1].isupper() or not word[:1].isalpha() or words_in("letter.greeted").fullmatch(levelled(word)) is not None
    )


@cache
def _greeting() -> re.Pattern[str]:
    greets = one_of("letter.greetings")
    return re.compile(
        rf"\W{{0,8}}{greets}(?P<whom>(?:[^\S\n]+[\w.'-]+){{0,5}})[^\S\n]*(?:[{COMMAS}.!\u3002\uff01]\s*|\n\s*|\Z)"
    )


@cache
def _courtesy() -> re.Pattern[str]:
    polite = word_lists().alternatives("letter.courtesy_patterns")
    return re.compile(rf"\W{{0,4}}{polite}[^.!?\u3002\uff01\uff1f\n]{{0,60}}(?:[.!?\u3002\uff01\uff1f]+\s*|\n\s*)")


@cache
def _closing() -> re.Pattern[str]:
    """Find thanks and regards at the end, joined by a short word, with a name below."""
    polite = f"(?:{one_of('letter.thanks', 'letter.regards')}|{word_lists().alternatives('letter.courtesy_patterns')})"
    joined = rf"(?:\W{{1,3}}(?:\w{{1,3}}\W{{1,3}})?{polite})"
    return re.compile(
        rf"(?:\A|(?<=[.!?\n\u3002\uff01\uff1f]))[^\S\n]?{polite}{joined}{{0,3}}[{COMMAS}.!\u3002\s]*(?:\n[^\n]{{0,50}}){{0,4}}\Z"
    )


def letter_end(lines: Sequence[str]) -> int:
    """Return the number of the line where the signature or closing begins; never the first line with text."""
    began = False
    for at, line in enumerate(lines):
        if began and (line.rstrip() == "--" or _closes(lines, at) or _opens_card(lines, at)):
            return at
        began = began or bool(line.strip())
    return len(lines)


def _closes(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line closes the mail: `Kind regards`, also with a name or a place behind it."""
    if len(lines[at]) > SHORT:
        return False
    bare = plain(lines[at]).strip(ENDS)
    head = bare.partition(",")[0]
    for word in FROM:
        head = head.partition(f" {word} ")[0]
    if head in REGARDS:
        return True
    return (bare in THANKS or _ends_politely(lines, at)) and _little_follows(lines, at + 1)


def _ends_politely(lines: Sequence[str], at: int) -> bool:
    """Tell whether a line that begins a sentence ends with regards: `I remain, with kind regards`, `Thanks and best wishes`."""
    above = lines[at - 1].rstrip()
    return (not above or above[-1] in SENTENCE_ENDS) and bool(_polite_line().fullmatch(levelled(lines[at])))


@cache
def _polite_line() -> re.Pattern[str]:
    regards, thanks = one_of("letter.regards"), one_of("letter.thanks")
    return re.compile(
        rf"\W{{0,4}}(?:{thanks}\W{{1,3}}(?:\w{{1,3}} )?|(?:[\w']+,? ){{0,8}}?){regards}[\s{COMMAS}.!\u3002\uff01]*"
    )


def _opens_card(lines: Sequence[str], at: int) -> bool:
    """Tell whether a rule stands above the last lines, and another one closes them, as Japanese mails frame who writes."""
    end = at + LONGEST_FRAME
    if not RULE.fullmatch(lines[at].strip()) or any(lines[below].strip() for below in range(end, len(lines))):
        return False
    card = [line.strip() for line in lines[at + 1 : end] if line.strip()]
    framed = 0 < len(card) <= LONGEST_CARD and RULE.fullmatch(card[-1])
    return bool(framed) and any(map(CONTACT.search, card))


def _little_follows(lines: Sequence[str], start: int) -> bool:
    following = [line for line in lines[start : start + 3 * AFTER_THANKS] if line.strip()]
    ends = len(lines) <= start + 3 * AFTER_THANKS
    return ends and len(following) <= AFTER_THANKS and all(len(line) <= SHORT for line in following)


def small_print(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines in paragraphs that lawyers and mailing programs add."""
    found: set[int] = set()
    for _, group in groupby(range(len(lines)), key=lambda at: bool(lines[at].strip())):
        paragraph = list(group)
        text = " ".join(lines[at] for at in paragraph)
        if len(text) > 2 * SHORT and is_small_print(text):
            found.update(paragraph)
    return frozenset(found)


def is_program_line(line: str) -> bool:
    """Tell whether a program writes this line into each of its mails: `Please type your reply above this line`."""
    return bool(_program_line().match(levelled(line[:LONGEST_CLOSING])))


@cache
def _program_line() -> re.Pattern[str]:
    return re.compile(rf"[\W\d]{{0,20}}{one_of('letter.program_lines')}")


def is_small_print(text: str) -> bool:
    """Tell whether a paragraph is of lawyers: `confidential` alone also stands in a report of what leaked."""
    text = plain(text).replace("e-mail", "email")
    if any(words in text for words in DISCLAIMERS):
        return True
    return any(words in text for words in ITSELF) and any(words in text for words in DISCREET)
