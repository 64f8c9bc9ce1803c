"""Shows the mail of a case to a person, with the words that findings are based on, and its attachments."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case, case_id
from triage.domain.errors import AttachmentNotFound
from triage.domain.mail import Attachment, MailView
from triage.domain.ports import Archive, MailViewer

LIKELY: Final = 0.3
"""Minimum probability of a candidate whose common words with the mail are marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailViews:
    """Called by the page of a case. All methods raise `StoreDown`, `CaseNotFound`, `MailGone`, `MailUnreadable`, `NotAMail`, `ReaderDown`."""

    archive: Archive
    viewer: MailViewer

    async def view(self, case: str, *, plain: bool = False) -> MailView:
        """Return the mail as a person reads it; `plain` prefers its text to its HTML."""
        name = case_id(case)
        found = (await self.archive.report(name)).case
        return await self.viewer.view(await self.archive.raw(name), labels_of(found), plain=plain)

    async def attachment(self, case: str, number: int) -> tuple[Attachment, bytes]:
        """Return the attachment of this number, from 1, and its bytes. Raises `AttachmentNotFound`."""
        name = case_id(case)
        found = (await self.archive.report(name)).case
        attachments = found.message.attachments if found.message else ()
        if not 1 <= number <= len(attachments):
            raise AttachmentNotFound(name, number)
        wanted = attachments[number - 1]
        contents = await self.viewer.files(await self.archive.raw(name), [wanted.sha256])
        if wanted.sha256 not in contents:
            raise AttachmentNotFound(name, number)
        return wanted, contents[wanted.sha256]


def labels_of(case: Case) -> dict[str, str]:
    """Return the words of a mail that findings are based on, with the finding; the first one counts."""
    labels: dict[str, str] = {}
    for words, label in _labels(case):
        labels.setdefault(str(words), label)
    return labels


def _labels(case: Case) -> Iterator[tuple[str, str]]:
    cues = case.cues
    named = (
        (f"priority {cues.priority.value}", cues.priority),
        (cues.type.value, cues.type),
        ("works again", cues.fixed),
        ("asks", cues.question),
    )
    for label, cue in named:
        yield from ((words, label) for words in cue.evidence)
    for technology in cues.technologies:
        yield from ((words, technology.value) for words in technology.evidence)
    yield from ((person, "person") for person in cues.people)
    yield from ((key, "ticket") for key in cues.keys)
    for candidate in case.retrieval.candidates[:1]:
        if candidate.probability >= LIKELY:
            yield from ((words, candidate.ticket.key) for line in candidate.evidence for words in _shared(line))


def _shared(evidence: str) -> list[str]:
    """Return the words of `title: export, invoices`; of other evidence none."""
    kind, _, words = evidence.partition(": ")
    return [one.strip() for one in words.split(", ")] if kind in {"title", "text", "error text"} else []
