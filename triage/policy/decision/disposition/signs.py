"""Finds signs of unwanted mail besides its words: links, addresses, tricks of spelling; and signs of honest mail."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.mail import Kind, Message
from triage.policy.alerts.alert import alert_of
from triage.policy.classifiers.judged_text import URL
from triage.policy.decision.disposition.text_classes import TextClasses
from triage.policy.sender.lookalike import mixed
from triage.policy.sender.machine_patterns import NO_REPLY
from triage.policy.sender.mail_hosts import PUBLIC
from triage.policy.text.author_text import own_subject
from triage.policy.text.word_patterns import levelled, words_in

READ: Final = 8_000
"""Characters of the text that are searched."""
GTUBE: Final = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X"
"""The text that every spam filter must call spam: https://spamassassin.apache.org/gtube/"""
FEW_WORDS: Final = 6
"""Up to this number of words, a mail with a link consists of the link alone."""
CODE_LINES: Final = 2
SHORTEST_SHOUT: Final = 12
"""Letters of a subject from which on it can shout."""
SHOUTED: Final = 0.8
"""Share of capitals of one that does."""
REPORTED: Final = -3.5
"""Weight of phrases that report a phishing mail; offsets the phishing text that the mail repeats."""

_NUMERIC_LINK: Final = re.compile(r"https?://(?:[^\s/@]*@)?\d{1,3}(?:\.\d{1,3}){3}(?=[:/?#\s\"'<>)]|$)")
_LOCAL_LINK: Final = re.compile(r"https?://(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.")
_LOGIN_LINK: Final = re.compile(
    r"https?://[^\s/]+/[^\s]*(?:wp-(?:content|includes|admin)/[^\s]*\.php|(?:sign-?in|log-?in|webmail|verify)\.(?:php|html?))",
    re.IGNORECASE,
)
_SPACED: Final = re.compile(r"\b(?:[A-Za-z] ){4,}[A-Za-z]\b")
_TAIL: Final = re.compile(r"\S\s{4,}\S{2,12}$")
_ADVERT: Final = re.compile(r"\s*ADV\s*:", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{1,300}>")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_PROGRAM: Final = re.compile(r"\.(?:exe|scr|js|jse|vbs|wsf|bat|cmd|iso|img|lnk|hta|jar|docm|xlsm)$", re.IGNORECASE)
_PAGE: Final = re.compile(r"\.(?:html?|shtml|svg)$", re.IGNORECASE)
_MASS: Final = re.compile(r"news|marketing|promo|campaign|mailing|(?:^|[._+-])(?:offers?|deals)", re.IGNORECASE)
"""Senders of mail to many, by the part before the @."""
_PHRASES: Final = {
    "fraud": (("spam",), "phrases of swindlers"),
    "pitch": (("sales",), "phrases of sellers and applicants"),
    "bulk": (("news", "auto"), "phrases of mail to many"),
}
"""Word list → the classes of text that it bears out, and how the evidence calls it."""
_PAPERS: Final = re.compile(r"\.(?:log|txt|csv|json|xml|yaml|yml|diff|patch|xlsx?|har|ini|conf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, and how far it moves the logarithm of the odds that the mail is unwanted."""

    text: str
    weight: float
    by_words: bool = False
    """Its words are all that it has: whoever complains of such a mail writes them, too."""


def signs_of(message: Message, kind: Kind, text: TextClasses) -> tuple[Sign, ...]:
    """Return all signs in a mail, those against it first."""
    found = (
        *_links(message),
        *_sender(message),
        *_phrases(message, text.likeliest),
        *_spelling(message),
        *_files(message),
        *_honest(message, kind, text),
    )
    return tuple(sorted(found, key=lambda sign: -sign.weight))


def _links(message: Message) -> Iterator[Sign]:
    text = str(message.reply or message.text)[:READ]
    links = URL.findall(text)
    numeric = next((link for link in links if _NUMERIC_LINK.match(link) and not _LOCAL_LINK.match(link)), None)
    if numeric:
        yield Sign(f"link to a bare number: {numeric[:60]}", 2.5)
    login = next((link for link in links if _LOGIN_LINK.match(link)), None)
    if login:
        yield Sign(f"link to a page that asks for a password: {login[:60]}", 2.5)
    if links and not message.thread and len(_WORD.findall(_TAG.sub(" ", URL.sub(" ", text)))) <= FEW_WORDS:
        yield Sign("little more than a link", 2.5)


def _sender(message: Message) -> Iterator[Sign]:
    sender = message.sender
    if sender is None:
        yield Sign("no sender", 1.0)
        if "no-headers" in message.flags:
            yield Sign("no header at all", 2.0)
        return
    answers = [one for one in message.reply_to if one.address != sender.address]
    if sender.domain in PUBLIC and any(one.domain in PUBLIC for one in answers):
        yield Sign(f"from {sender.address}, answers to {answers[0].address}", 3.0)
    claimed = re.search(r"[^\s<>\"'@]{1,64}@([A-Za-z0-9.-]{1,255})", sender.name)
    if claimed and claimed[1].lower().rstrip(".") != sender.domain:
        yield Sign(f"the name is an address of {claimed[1].lower()}", 3.5)
    if _MASS.search(sender.address.partition("@")[0]):
        yield Sign(f"from {sender.address}, who writes to many", 1.8)
    if not message.to and not message.cc and message.headers:
        yield Sign("names no recipient", 0.7)


def _phrases(message: Message, likeliest: str) -> Iterator[Sign]:
    """Yield a sign per word list of unwanted mail that matches the text; it counts little if other words disagree."""
    text = levelled(f"{own_subject(message)}\n{message.reply or message.text}"[:READ])
    for name, (labels, label_text) in _PHRASES.items():
        phrases = list(dict.fromkeys(words_in(f"unwanted.{name}").findall(text)))[:3]
        if phrases:
            yield Sign(
                f"{label_text}: {', '.join(phrases)}", 1.0 if likeliest in labels else 0.3, by_words=name == "bulk"
            )


def _shouts(line: str) -> bool:
    """Tell whether most letters of a line are capitals."""
    letters = [letter for letter in line if letter.isalpha() and letter.lower() != letter.upper()]
    return len(letters) >= SHORTEST_SHOUT and sum(map(str.isupper, letters)) >= SHOUTED * len(letters)


def _spelling(message: Message) -> Iterator[Sign]:
    subject, text = str(message.subject)[:300], str(message.reply or message.text)[:READ]
    if GTUBE in text:
        yield Sign("the test text of all spam filters", 12.0)
    if _ADVERT.match(subject):
        yield Sign("the subject calls it advertising", 3.0)
    if _TAIL.search(subject):
        yield Sign("letters behind a gap in the subject", 1.5)
    if _shouts(subject):
        yield Sign("the subject shouts", 0.4)
    if _SPACED.search(subject) or _SPACED.search(text):
        yield Sign("s p a c e d  words", 1.0)
    disguised = next((word for word in re.split(r"[\W\d_]+", f"{subject} {text[:1000]}") if mixed(word)), None)
    if disguised:
        yield Sign(f"letters of two scripts in one word: {disguised[:30]}", 2.0)
    if message.hidden_text:
        yield Sign("text that a reader cannot see", 0.5)


def _files(message: Message) -> Iterator[Sign]:
    names = [str(one.name) for one in message.attachments]
    program = next((name for name in names if _PROGRAM.search(name)), None)
    page = next((name for name in names if _PAGE.search(name)), None)
    if program:
        yield Sign(f"a program attached: {program[:40]}", 1.5)
    elif page and len(names) == 1:
        yield Sign(f"a web page attached: {page[:40]}", 1.0)
    if any(_PAPERS.search(name) for name in names) or any(
        one.content_type.startswith("image/") and not one.tiny_picture for one in message.attachments
    ):
        yield Sign("a screenshot, a log or a table attached", -0.7)


def _honest(message: Message, kind: Kind, text: TextClasses) -> Iterator[Sign]:
    if text.code >= CODE_LINES:
        yield Sign("lines of a program or a trace", -2.5)
    if message.thread:
        yield Sign("an answer in a thread", -1.5)
    known = kind is Kind.AUTOMATED and message.sender is not None
    if known and (
        alert_of(message) or not NO_REPLY.search(f"{message.sender and message.sender.address}".partition("@")[0])
    ):
        yield Sign("an alert of a program", -2.0)
    if kind is Kind.LIST:
        yield Sign("a post of a discussion list", -2.0)
    report = words_in("unwanted.reported").search(
        levelled(f"{own_subject(message)}\n{message.reply or message.text}"[:READ])
    )
    if report:
        yield Sign(f"reports a mail: {report[0]}", REPORTED)
