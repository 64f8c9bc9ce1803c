"""Compares fingerprints: whether two mails belong to one thread or one flood."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.cases import Case, Joined
from triage.domain.mail import Kind, Message, Trust
from triage.domain.traces import Fingerprint, Sketch
from triage.policy.sender.trust_verdict import BELIEVED, Edge, behind_edge, trust_of
from triage.policy.text.tokenizer import STOP_WORDS
from triage.policy.thread.content_hash import content_hash

UNIT: Final = "\x1f"
SAME_MAIL: Final = 3600.0
"""Seconds within which the same content is the same mail, by whatever addresses it came."""
SAME_TOPIC: Final = 7 * 86_400.0
"""Seconds within which a verified sender goes on about a subject."""

_PREFIX: Final = re.compile(
    rf"^\s*(?:{word_lists().alternatives('subject.stripped')}\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"\w*\d\w*")
_WORD: Final = re.compile(r"\w{2,40}")
LOOKED_AT: Final = 10_000
"""Characters of a text that are compared."""
MOST_WORDS: Final = 128
"""Words that stand for a mail: those of the smallest hashes, so that of two mails the same ones are looked at."""


def fingerprint_of(message: Message, kind: Kind, trust: Trust, lane: str) -> Fingerprint:
    """The keys of a mail. What is proven, claimed and forged never meet under one key."""
    address = canonical(message.sender.address) if message.sender else ""
    subject, proven = plain_subject(message.subject), trust is Trust.VERIFIED
    goes_on = trust is Trust.VERIFIED and kind is Kind.HUMAN and bool(subject)
    return Fingerprint(
        content=content_hash(message),
        message_id=message.message_id or "",
        dated=message.date is not None,
        sender=_key("sender", trust.value, address) if address else "",
        thread=_key("thread", lane, *(() if proven else (trust.value, address))),
        subject=_key("subject", *sorted(_NUMBER.sub("#", word) for word in subject.split())),
        sketch=sketch_of(message),
        proven=proven,
        topic=_key("topic", address, subject) if goes_on else "",
        people=people_of(message),
        answers=_key("answers", *sorted(message.thread)) if message.thread else "",
        believed=BELIEVED[trust],
    )


def sketch_of(message: Message) -> Sketch:
    """The words of a mail that say something; numbers are all one, since floods count.

    The subject of an answer is that of the mail it answers: a short talk is no flood because of it.
    """
    subject = "" if message.thread else plain_subject(message.subject)
    text = f"{subject} {(message.reply or message.text)[:LOOKED_AT]}".casefold()
    words = {_NUMBER.sub("#", word) for word in _WORD.findall(text)}
    hashed = (int.from_bytes(hashlib.sha256(word.encode(errors="replace")).digest()[:4]) for word in words - STOP_WORDS)
    return Sketch(frozenset(sorted(hashed)[:MOST_WORDS]))


def people_of(message: Message) -> tuple[str, ...]:
    """Everybody the mail is from or to."""
    found = (*((message.sender,) if message.sender else ()), *message.to, *message.cc)
    return tuple(dict.fromkeys(person(one.address) for one in found))


def person(address: str) -> str:
    """Who stands behind an address."""
    return _key("person", canonical(address))


def canonical(address: str) -> str:
    """The address without the part behind a plus, in lower case: one person, one limit."""
    local, at, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def plain_subject(subject: str) -> str:
    """Without the prefixes of answers, in lower case."""
    return " ".join(_PREFIX.sub("", subject).casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who speaks, as far as it counts in a thread."""

    trust: Trust
    checked: bool
    """Somebody whom we trust checks what comes this way, so a sender without a proof could have had one."""
    known: bool = False
    """A colleague: of our own mail domain, or a person of the project."""
    deceptive: bool = False
    """The From is read in two ways, or looks like somebody else's."""


def joins(message: Message, sender: Sender, participants: frozenset[str], *, answers_us: bool = False) -> Joined | None:
    """What ties the mail to the thread's ticket; None where the sender is an outsider there.

    Whoever answers a mail of ours has got it: its signed id cannot be guessed. References are no secret. Where senders
    are checked they count for participants with a proof, be it a weak one; where nobody is checked they are all there is.
    """
    if answers_us:
        return Joined.REPLY_ID
    if message.sender is None or sender.trust is Trust.FAILED or sender.deceptive:
        return None
    proven = sender.trust in {Trust.VERIFIED, Trust.WEAK} and takes_part(message, sender, participants)
    return Joined.REFERENCES if proven or not sender.checked else None


def takes_part(message: Message, sender: Sender, participants: frozenset[str]) -> bool:
    """The address is that of a colleague, or of somebody from or to whom the thread's mails are."""
    return sender.known or _person(message) in participants


def proven_participant(message: Message, sender: Sender, participants: frozenset[str]) -> bool:
    """He takes part, and is who he says."""
    return sender.trust is Trust.VERIFIED and not sender.deceptive and takes_part(message, sender, participants)


def kindred(case: Case, others: Sequence[Case], sender: Sender) -> Case | None:
    """The first whose ticket this mail belongs to though it answers no mail of that: one that answers this very mail, or
    the same mail that we do not have.

    An id is hard to guess, but no secret: nobody joins here whom the other mail does not know. And where we
    have another mail under the same id, it is not known which of them was answered: some programs have one id for all.
    """
    own = case.mail.message_id
    if own and any(other.mail.message_id == own for other in others):
        return None
    fitting = (other for other in others if other.trust is not Trust.FAILED and not other.apart)
    return next((other for other in fitting if _akin(case, other, sender)), None)


def waits_for(case: Case, other: Case, edge: Edge) -> bool:
    """May the other mail be the one that this one goes on about? It was not forged, and this one is to or by its sender.

    Its Message-ID is no proof: anybody can send a mail under an id that somebody is about to answer.
    """
    if other.message is None:
        return True
    trust = other.trust if other.kind else trust_of(other.mail, other.verdict, behind_edge(other.source, edge)).trust
    return trust is not Trust.FAILED and _person(other.mail) in people_of(case.mail)


def after_its_answer(mail: Message, answer: Message) -> bool:
    """The mail has come later than its answer, which is by somebody who got it or at least knows what it is about."""
    if mail.message_id is None or mail.message_id not in answer.thread:
        return False
    return _person(answer) in people_of(mail) or _same_subject(mail, answer)


def _akin(case: Case, other: Case, sender: Sender) -> bool:
    people = frozenset(people_of(other.mail))
    if not takes_part(case.mail, sender, people) or joins(case.mail, sender, people) is None:
        return False
    return after_its_answer(case.mail, other.mail) or _side_by_side(case, other)


def _side_by_side(case: Case, other: Case) -> bool:
    """Two people answer one mail; programs that hang all they send under one made-up id are no people."""
    people = all(one.kind is not None and one.kind.kind is Kind.HUMAN for one in (case, other))
    shared = not {*case.mail.thread}.isdisjoint(other.mail.thread)
    return people and shared and _same_subject(case.mail, other.mail)


def _same_subject(one: Message, other: Message) -> bool:
    return plain_subject(one.subject) == plain_subject(other.subject)


def _person(message: Message) -> str:
    return person(message.sender.address) if message.sender else ""


def _key(*parts: object) -> str:
    """Short enough for an index, and nothing that anybody could read."""
    return hashlib.sha256(UNIT.join(map(str, parts)).encode(errors="replace")).hexdigest()[:32]
