"""Computes who gets a letter from the thread's proven participants, and decides whether an automatic letter may go at all.

Recipients are never free text: neither a model nor a mail's body can add one.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.findings import Disposition
from triage.domain.mail import Address, Kind, Message, Trust
from triage.domain.text.counts import many
from triage.policy.decision.disposition.text_classes import text_classes
from triage.policy.sender.machine_patterns import DAEMONS, NO_REPLY
from triage.policy.sender.mail_hosts import single_organisation
from triage.policy.support.chat_message import SOURCE as CHAT
from triage.policy.thread.fingerprint import canonical

COPY_TO: Final = "copy_to"
"""The argument of a letter's call by which a person puts somebody in copy."""
MOST_COPIES: Final = 10
"""People in copy of one letter at most."""
UNWANTED: Final = frozenset({Disposition.SPAM, Disposition.NEWSLETTER, Disposition.AUTOMATIC, Disposition.NOT_FOR_US})
AUTOMATIC: Final = 0.5
"""Probability by words that nobody waits for an answer, from which an answer that quotes nothing gets no letter."""
UNSAFE_FLAGS: Final = frozenset({"lookalike", "copy-conflict", "sender-differs", "many-from"})
"""Flags of mails whose sender may be somebody else than he seems."""

_PLAIN: Final = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}"
)
"""Addresses that every mail server takes, without quotes, comments and characters beyond ASCII."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """Our own side: what letters are never sent to."""

    addresses: frozenset[str] = frozenset()
    """Our mailboxes and the sender of our letters, in lower case."""
    domains: frozenset[str] = frozenset()
    """Our own mail domains; their people may be in copy."""

    def has(self, address: str) -> bool:
        """Tell whether a letter to this address would come back to us."""
        return canonical(address) in {canonical(one) for one in self.addresses}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipients:
    """Who gets a letter, and who does not although the mail names him."""

    to: tuple[Address, ...] = ()
    """Empty if nobody may get it; `why` says why."""
    cc: tuple[Address, ...] = ()
    left_out: tuple[str, ...] = ()
    """`bob@example.net: not of the sender's organisation`."""
    why: str = ""

    @property
    def people(self) -> tuple[str, ...]:
        return (*map(str, self.to), *(f"{one} in copy" for one in self.cc))


@dataclass(frozen=True, slots=True, kw_only=True)
class MayWrite:
    """Whether an automatic letter may go, and if not, why."""

    yes: bool
    why: str = ""


def recipients_of(case: Case, ours: Ours, added: str = "") -> Recipients:
    """Return who gets an answer to this mail: its proven sender, and those of the people in copy who are of his organisation or ours.

    Reply-To names anybody, so it counts for nothing. `added` is an address that a person puts in copy; it has to be of the
    same organisations. Raises `ToolRefused` if it is not.
    """
    sender = case.mail.sender
    if sender is None or (why := _no_recipient(case, sender, ours)):
        return Recipients(why="the mail names no sender" if sender is None else why)
    known = single_organisation({sender.domain, *ours.domains})
    others = {one.address.lower(): one for one in (*case.mail.to, *case.mail.cc) if one.address != sender.address}
    reasons = {address: _no_copy(one, known, ours) for address, one in others.items()}
    cc = [*_added(added, known, ours), *(one for address, one in others.items() if not reasons[address])]
    cc = list({one.address: one for one in cc if one.address != sender.address}.values())
    too_many = [f"{one.address}: more than {MOST_COPIES} people in copy" for one in cc[MOST_COPIES:]]
    left_out = [f"{address}: {why}" for address, why in reasons.items() if why and not ours.has(address)]
    return Recipients(to=(sender,), cc=tuple(cc[:MOST_COPIES]), left_out=(*left_out, *too_many))


def may_write_automatically(case: Case, ours: Ours, *, written: int = 0, most: int = 2) -> MayWrite:
    """Tell whether a letter that no person has seen may go to the sender of this mail.

    `written` is the number of automatic letters that he got within a day, `most` the allowed number.
    """
    reason = _no_letter(case, ours) or _reads_automatic(case.mail)
    if not reason and written >= most:
        reason = f"the sender got {many(written, 'automatic letter')} today, and {most} are allowed (LETTERS_PER_PERSON_PER_DAY)"
    return MayWrite(yes=not reason, why=reason)


def may_pass_on(case: Case, ours: Ours) -> MayWrite:
    """Tell whether a person's words may be passed on to the sender of this mail."""
    reason = _no_letter(case, ours)
    return MayWrite(yes=not reason, why=reason)


def _no_letter(case: Case, ours: Ours) -> str:
    """Return why no letter in our name may go to the sender unasked; empty if one may."""
    if to_nobody := recipients_of(case, ours).why:
        return to_nobody
    kind, found = case.identity.kind, case.classification.disposition
    if kind is None or kind.kind is not Kind.HUMAN:
        return f"no person wrote the mail: {', '.join(kind.evidence) if kind else 'its kind is unknown'}"
    if not kind.may_answer:
        return f"the mail wants no automatic answer: {', '.join(kind.evidence)}"
    if found is not None and found.disposition in UNWANTED:
        return f"the mail is {found.disposition}: nobody waits for an answer"
    return ""


def _reads_automatic(mail: Message) -> str:
    """Return why an answer to us is a program's by form and words: it quotes nothing and reads like a vacation notice.

    Word lists know too few of such notices, and two programs must not write to each other (decision 243). A chat message
    came over no mail server and never quotes.
    """
    if not mail.thread or mail.quoted or not mail.hops:
        return ""
    found = text_classes(mail).probabilities
    sure = found.get("auto", 0.0) + found.get("talk", 0.0)
    return f"the mail reads like an automatic answer ({sure:.0%}) and quotes nothing" if sure >= AUTOMATIC else ""


def _no_recipient(case: Case, sender: Address, ours: Ours) -> str:
    """Return why no letter may go to the sender; empty if one may."""
    if case.source == CHAT:
        return "it was typed into a chat, where the answer is read"
    if case.identity.trust is not Trust.VERIFIED:
        return f"the sender is not proven ({case.identity.trust}): a letter would go to whom the mail only claims to be from"
    if flags := sorted(UNSAFE_FLAGS & {*case.flags, *case.mail.flags}):
        return f"the sender may be somebody else: {', '.join(flags)}"
    return _unfit(sender, ours)


def _no_copy(person: Address, known: Collection[str], ours: Ours) -> str:
    """Return why a person on the mail gets no copy; empty if he gets one."""
    if unfit := _unfit(person, ours):
        return unfit
    return "" if person.domain in known else "neither of the sender's organisation nor of ours"


def _added(address: str, known: Collection[str], ours: Ours) -> tuple[Address, ...]:
    """Return the person whom an approver puts in copy. Raises `ToolRefused` if he may get none."""
    if not address:
        return ()
    person = Address(address=address.strip().lower())
    if why := _no_copy(person, known, ours):
        raise ToolRefused(f"{person.address} can get no copy: {why}")
    return (person,)


def _unfit(person: Address, ours: Ours) -> str:
    """Return why no letter can go to this address; empty if one can."""
    local = person.address.partition("@")[0]
    if not _PLAIN.fullmatch(person.address):
        return "no address that every mail server takes"
    if ours.has(person.address):
        return "a mailbox of ours"
    if NO_REPLY.search(local) or DAEMONS.fullmatch(local):
        return "nobody reads it"
    return ""
