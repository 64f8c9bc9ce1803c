"""The mails that the memory reads: ended cases without noise, and what our people sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Protocol

from triage.domain.cases import Case
from triage.domain.errors import MailUnreadable, NotAMail
from triage.domain.findings import Disposition
from triage.domain.letters import LetterState, MailFolder
from triage.domain.mail import Kind, Message, Trust
from triage.domain.memory.notes import MemoryMail, NoteTrust
from triage.domain.ports import BuildStore, LetterStore, MailFolders, MailReader
from triage.domain.untrusted import Untrusted
from triage.policy.approvals.proposal_mail import is_proposal
from triage.policy.text.author_text import author_text

UNREAD: Final = frozenset(
    {
        *(Disposition.NEWSLETTER, Disposition.SPAM, Disposition.AUTOMATIC, Disposition.NOT_FOR_US),
        Disposition.CONFIDENTIAL,
    }
)
"""Noise, and what is not for everybody who asks the memory."""
PAGE: Final = 100


class SentMail(Protocol):
    """Where mails of our people are found."""

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Return the mails that were sent since then, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMails:
    """The port `MemoryMails` over the cases of the store and a place of sent mail."""

    store: BuildStore
    outgoing: SentMail

    async def received(self, after: str, limit: int) -> Sequence[MemoryMail]:
        """Return accepted mails in the order of their cases, the first after this one; noise is left out."""
        found: list[MemoryMail] = []
        while len(found) < limit and (cases := await self.store.cases(after, PAGE, unread=False)):
            after = cases[-1].id
            found.extend(mail_of(case) for case in cases if not noise(case))
        return tuple(found[:limit])

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Return the mails that our people sent since then, the newest first."""
        return await self.outgoing.sent(since, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentFolder:
    """The Sent folder of a mailbox."""

    folders: MailFolders
    reader: MailReader
    otherwise: SentMail
    """What is read where the mailbox has no such folder."""

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Return the folder's mails; one that cannot be read is left out."""
        if not await self.folders.name(MailFolder.SENT):
            return await self.otherwise.sent(since, limit)
        found = []
        for raw in await self.folders.recent(MailFolder.SENT, since, limit):
            try:
                message = await self.reader.read(raw)
            except (MailUnreadable, NotAMail):
                continue
            if message.date and message.date >= since:
                found.append(sent_mail(message))
        return tuple(sorted(found, key=lambda mail: mail.at, reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class SentLetters:
    """Our own letters, where no mailbox has a Sent folder."""

    letters: LetterStore
    address: str
    """Who they come from."""

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        found = await self.letters.letters(limit, state=LetterState.SENT)
        return tuple(
            MemoryMail(
                case=letter.message_id,
                message_id=letter.message_id,
                sender=self.address,
                to=letter.recipients,
                subject=Untrusted(letter.subject),
                text=Untrusted(author_text(letter.body)),
                at=letter.queued_at,
                trust=NoteTrust.VERIFIED,
            )
            for letter in found
            if letter.queued_at and letter.queued_at >= since
        )


def noise(case: Case) -> str:
    """Return why a mail says nothing to a team's memory; empty if it may."""
    if case.message is None:
        return "not read"
    if is_proposal(case.source):
        return "proposed by a program"
    verdict = case.identity.kind
    if verdict and verdict.kind is not Kind.HUMAN:
        return verdict.reason or verdict.kind.value
    disposition = case.classification.disposition
    if disposition and disposition.disposition in UNREAD:
        return disposition.disposition.value
    if disposition and disposition.suspected is Disposition.SPAM:
        return "may be spam"
    return "somebody in another's name" if "lookalike" in case.flags else ""


def mail_of(case: Case) -> MemoryMail:
    """Return the mail of a case that was read."""
    message = case.mail
    trusted = case.identity.trust is Trust.VERIFIED
    return MemoryMail(
        case=case.id,
        message_id=message.message_id or case.id,
        sender=message.sender.address if message.sender else "",
        to=_recipients(message),
        subject=message.subject,
        text=Untrusted(author_text(message.reply or message.text)),
        at=message.date or case.received_at,
        trust=NoteTrust.VERIFIED if trusted else NoteTrust.UNTRUSTED,
        ticket=case.ticket or "",
        references=message.thread,
        name=message.sender.name if message.sender else "",
    )


def sent_mail(message: Message) -> MemoryMail:
    """Return a mail of a Sent folder, whose date is known."""
    name = message.message_id or f"sent on {message.date}"
    return MemoryMail(
        case=name,
        message_id=name,
        sender=message.sender.address if message.sender else "",
        to=_recipients(message),
        subject=message.subject,
        text=Untrusted(author_text(message.reply or message.text)),
        at=message.date or datetime.min.replace(tzinfo=UTC),
        trust=NoteTrust.VERIFIED,
        references=message.thread,
    )


def _recipients(message: Message) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.address for one in (*message.to, *message.cc)))
