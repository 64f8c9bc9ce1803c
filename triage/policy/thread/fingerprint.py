"""Compares fingerprints: whether two mails belong to one thread or one flood."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.cases import Case
from triage.domain.findings import Joined
from triage.domain.mail import Kind, Message, Trust
from triage.domain.text.lazy_pattern import lazy_pattern
from triage.domain.traces import Fingerprint, Sketch
from triage.policy.alerts.alert import alert_of
from triage.policy.sender.mail_hosts import single_organisation
from triage.policy.sender.trust_verdict import Edge, behind_edge, trust_of
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.thread.content_hash import content_hash

UNIT: Final = "\x1f"
SAME_MAIL: Final = 3600.0
"""Seconds within which equal content is the same mail, whatever addresses it was sent to."""
SAME_TOPIC: Final = 7 * 86_400.0
"""Seconds within which equal subjects of one verified sender are one topic."""

SAME_ALERT: Final = 30 * 86_400.0
"""Seconds within which alerts of one sender about one object belong to one ticket."""

_PREFIX: Final = lazy_pattern(
    lambda: rf"^\s*(?:{word_lists().alternatives('subject.stripped')}\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE
)
_ANSWER: Final = lazy_pattern(
    lambda: (
        rf"\s*(?:\[[^\]]{{1,40}}\]\s*)?{word_lists().alternatives('subject.answer')}\s*(?:\[\d+\]|\(\d+\))?\s*[:\uff1a]"
    ),
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"\s*\[[^\]]{1,40}\]")
_LEADING_KEY: Final = re.compile(r"\W*(?:jira\W+)?([a-z][a-z0-9_]+-\d+)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\w*\d\w*")
_WORD: Final = re.compile(r"\w{2,40}")
LOOKED_AT: Final = 10_000
"""Characters of a text that are compared."""
MOST_WORDS: Final = 128
"""Words that represent a mail: those with the smallest hashes, so that two mails are compared by the same words."""


def fingerprint_of(message: Message, kind: Kind, trust: Trust, thread_key: str) -> Fingerprint:
    """Return the keys of a mail. Verified, claimed and failed senders never share a key."""
    address = canonical(message.sender.address) if message.sender else ""
    subject, proven = plain_subject(message.subject), trust is Trust.VERIFIED
    return Fingerprint(
        content=content_hash(message),
        message_id=message.message_id or "",
        dated=message.date is not None,
        sender=_key("sender", trust.value, address) if address else "",
        thread=_key("thread", thread_key, *(() if proven else (trust.value, address))),
        subject=_key("subject", *sorted(_NUMBER.sub("#", word) for word in subject.split())),
        sketch=sketch_of(message),
        proven=proven,
        topic=_topic(message, kind, trust, address),
        people=(*people_of(message), *(organisation_of(message) if proven else ())),
        answers=_key("answers", *sorted(message.thread)) if message.thread else "",
        believed=trust.rank,
    )


def _topic(message: Message, kind: Kind, trust: Trust, address: str) -> str:
    """Return the key of the matter: a proven person's subject, or a program's object; of a claimed program only its own."""
    subject, alert = plain_subject(message.subject), alert_of(message)
    if alert and kind is Kind.AUTOMATED and address and trust is not Trust.FAILED:
        return _key("alert", trust.value, address, alert.key)
    return _key("topic", address, subject) if subject and trust is Trust.VERIFIED and kind is Kind.HUMAN else ""


def sketch_of(message: Message) -> Sketch:
    """Return the significant words of a mail; all numbers count as one word, since mails of a flood are numbered.

    The subject of an answer is left out: it repeats the first mail's, and a short exchange is no flood.
    """
    subject = "" if message.thread else plain_subject(message.subject)
    text = f"{subject} {(message.reply or message.text)[:LOOKED_AT]}".casefold()
    words = {_NUMBER.sub("#", word) for word in _WORD.findall(text)}
    hashed = (int.from_bytes(hashlib.sha256(word.encode(errors="replace")).digest()[:4]) for word in words - STOP_WORDS)
    return Sketch(frozenset(sorted(hashed)[:MOST_WORDS]))


def people_of(message: Message) -> tuple[str, ...]:
    found = (*((message.sender,) if message.sender else ()), *message.to, *message.cc)
    return tuple(dict.fromkeys(person(one.address) for one in found))


def organisation_of(message: Message) -> tuple[str, ...]:
    """Return the key of the sender's organisation; none if his mail domain is a public one."""
    return organisations((message.sender.address,)) if message.sender else ()


def organisations(addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the keys of the organisations that assign these addresses, each of them its own mail domain."""
    domains = (address.rpartition("@")[2] for address in addresses)
    return tuple(_key("organisation", domain) for domain in sorted(single_organisation(domains)))


def person(address: str) -> str:
    return _key("person", canonical(address))


def canonical(address: str) -> str:
    """Return the address in lower case without its `+` part, so that one person has one limit."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def bare_subject(subject: str) -> str:
    """Return the subject without `Re:` and the like."""
    return " ".join(_PREFIX.sub("", subject).split())


def is_answer(subject: str) -> bool:
    """Tell whether a mail program has written before the subject that the mail answers one: `Re:`, `AW:`, `RE[2]:`."""
    return _ANSWER.match(subject) is not None


def leading_key(subject: str, keys: Iterable[str]) -> str:
    """Return which of these ticket keys the subject begins with, behind `[JIRA]` or the tag of a list or gateway; empty if it begins with none."""
    bare = bare_subject(subject)
    found = (_LEADING_KEY.match(text) for text in (bare, bare_subject(_TAG.sub("", bare, count=1))))
    begun = {match[1].casefold() for match in found if match}
    return next((key for key in keys if key.casefold() in begun), "")


def plain_subject(subject: str) -> str:
    """Return the subject without `Re:` and the like, case folded for comparison."""
    return bare_subject(subject).casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadSender:
    """What is known of a sender within a thread."""

    trust: Trust
    checked: bool
    """Senders are checked for this source, so that a missing proof counts against the sender."""
    known: bool = False
    """The address is in our own mail domain, or belongs to a person of the project."""
    deceptive: bool = False
    """The From header is ambiguous or imitates somebody."""


def joins(
    message: Message, sender: ThreadSender, participants: frozenset[str], *, answers_us: bool = False
) -> Joined | None:
    """Say what joins the mail to the thread's ticket; None for an outsider.

    Who answers a mail of ours has received it: its signed id cannot be guessed. References prove nothing, since ids become
    known. Where senders are checked, participants need at least a weak proof, and another person of a proven sender's
    organisation a full one; elsewhere the address is enough.
    """
    if answers_us:
        return Joined.REPLY_ID
    if message.sender is None or sender.trust is Trust.FAILED or sender.deceptive:
        return None
    proven = sender.trust in {Trust.VERIFIED, Trust.WEAK} and takes_part(message, sender, participants)
    same_house = sender.trust is Trust.VERIFIED and not participants.isdisjoint(organisation_of(message))
    return Joined.REFERENCES if proven or same_house or not sender.checked else None


def takes_part(message: Message, sender: ThreadSender, participants: frozenset[str]) -> bool:
    """Tell whether the address is a colleague's, or stands as sender or recipient in the thread's mails."""
    return sender.known or _person(message) in participants


def proven_participant(message: Message, sender: ThreadSender, participants: frozenset[str]) -> bool:
    """Tell whether the sender takes part in the thread and is verified."""
    return sender.trust is Trust.VERIFIED and not sender.deceptive and takes_part(message, sender, participants)


def kindred(case: Case, others: Sequence[Case], sender: ThreadSender) -> Case | None:
    """Return the first case whose ticket this mail joins although it answers no mail of that case.

    That is one that answers this very mail, or one that answers the same mail, which we do not have. A Message-ID is hard to
    guess but no secret, so that the other mail must name this sender. Where we have another mail under the same id, nobody
    knows which of them was answered: some programs use one id for all their mails.
    """
    own = case.mail.message_id
    if own and any(other.mail.message_id == own for other in others):
        return None
    fitting = (
        other for other in others if other.identity.trust is not Trust.FAILED and not other.identity.foreign_thread
    )
    return next((other for other in fitting if _related(case, other, sender)), None)


def waits_for(case: Case, other: Case, edge: Edge) -> bool:
    """Tell whether the case waits for another one that may be the mail it answers.

    The other mail must not be forged, and its sender must write or receive this one. A Message-ID alone proves nothing:
    anybody can send a mail under an id that somebody is about to answer.
    """
    if other.message is None:
        return True
    trust = (
        other.identity.trust
        if other.identity.kind
        else trust_of(other.mail, other.verdict, behind_edge(other.source, edge)).trust
    )
    return trust is not Trust.FAILED and _person(other.mail) in people_of(case.mail)


def after_its_answer(mail: Message, answer: Message) -> bool:
    """Tell whether the mail came later than its answer, whose author received the mail or knows its subject."""
    if mail.message_id is None or mail.message_id not in answer.thread:
        return False
    return _person(answer) in people_of(mail) or _same_subject(mail, answer)


def _related(case: Case, other: Case, sender: ThreadSender) -> bool:
    people = frozenset(people_of(other.mail))
    if not takes_part(case.mail, sender, people) or joins(case.mail, sender, people) is None:
        return False
    return after_its_answer(case.mail, other.mail) or _side_by_side(case, other)


def _side_by_side(case: Case, other: Case) -> bool:
    """Tell whether two people answer one mail; programs that invent one id for all their mails do not count."""
    people = all(one.identity.kind is not None and one.identity.kind.kind is Kind.HUMAN for one in (case, other))
    shared = not {*case.mail.thread}.isdisjoint(other.mail.thread)
    return people and shared and _same_subject(case.mail, other.mail)


def _same_subject(one: Message, other: Message) -> bool:
    return plain_subject(one.subject) == plain_subject(other.subject)


def _person(message: Message) -> str:
    return person(message.sender.address) if message.sender else ""


def _key(*parts: object) -> str:
    """Hash the parts to a short index key that reveals nothing."""
    return hashlib.sha256(UNIT.join(map(str, parts)).encode(errors="replace")).hexdigest()[:32]
