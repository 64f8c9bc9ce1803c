"""Answers questions over notes, mails, tickets and articles, each as far as the asker may read it."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triage.domain.cases import Case, Outcome
from triage.domain.errors import CaseNotFound
from triage.domain.findings import Disposition
from triage.domain.memory.answers import Job, MemoryAnswer, MemorySource
from triage.domain.memory.notes import MemoryMail, Note, VaultStats
from triage.domain.operations.forgetting import AGED, FORGOTTEN
from triage.domain.operations.tokens import AccessScope
from triage.domain.ports import Archive, Clock, Library, MemoryMails, TicketIndex, TicketStore
from triage.domain.support.articles import PassageHit
from triage.domain.text.counts import many
from triage.policy.memory.asking.answering import answered
from triage.policy.memory.asking.evidence import (
    from_articles,
    may_promise_for_us,
    source_of_mail,
    source_of_note,
    source_of_passage,
    source_of_ticket,
)
from triage.policy.memory.asking.follow_up import following
from triage.policy.memory.asking.mail_index import MailIndex
from triage.policy.memory.asking.questions import MemoryQuestion, job_of
from triage.policy.ticket.index_entry import query_of
from triage.services.memory.notes import NoteService

FOUND: Final = 12
"""Notes, mails and tickets each that are read for an answer."""
PASSAGES: Final = 5
MOST: Final = 20_000
"""Latest cases whose mails are searched."""
LATE: Final = 200
"""Latest cases that are looked at again for each answer."""
AT_ONCE: Final = 500
"""Mails that are read at once."""
UNWANTED: Final = frozenset({Disposition.SPAM})
WHOLE: Final = AccessScope.READER
"""Who may read the texts of mails and of notes made from them; others are answered from what lists show."""

ORDERS: Final = AccessScope.ADMIN
"""Who may begin a job, as over the API."""
Run = Callable[[Job, str], Awaitable[str]]
"""Begins a job for a person; returns what became of it. Raises `Refused`."""
Worded = Callable[[MemoryQuestion, Sequence[MemorySource]], Awaitable[MemoryAnswer | None]]
"""A model's answer from these sources, the best first, and notes, each claim checked; None: the model is down, or nothing holds."""

COMMANDS: Final[Mapping[Job, str]] = {
    Job.BUILD: "triage memory build",
    Job.REFRESH: "triage memory refresh",
    Job.RECONCILE: "triage memory reconcile",
    Job.DEDUPLICATE: "triage memory deduplicate",
}
"""Where a job is begun, for those who are told only."""


@dataclass(kw_only=True)
class AskService:
    """Called by `triage ask`, the API and the console. Keeps the words of mails in memory, and adds new ones before each answer."""

    clock: Clock
    archive: Archive
    notes: NoteService
    mails: MemoryMails
    tickets: TicketStore
    index: TicketIndex
    projects: Sequence[str] = ()
    domains: Callable[[], Collection[str]] = frozenset
    """Returns our own mail domains, whose people's promises are ours."""
    library: Library | None = None
    worded: Worded | None = None
    """None: answers are quotations."""
    run: Run | None = None
    """None: jobs are not begun from here, the answer names the command."""
    _index: MailIndex = field(default_factory=MailIndex)
    _read_to: int = 0
    """Number of the latest case at the last look."""

    async def ask(self, message: str, scope: AccessScope, by: str = "", after: str = "") -> MemoryAnswer:
        """Answer a question, or begin what the message orders; `after` is the same person's question before it.

        Raises `StoreDown`, `VaultDown`, `Refused`.
        """
        job = job_of(message)
        if job is Job.STATS:
            return MemoryAnswer(question=message, job=job, told=stats_text(await self.notes.stats()))
        if job is not Job.QUERY:
            return MemoryAnswer(question=message, job=job, told=await self._begun(job, scope, by))
        question = following(message, after)
        found = await self._answer(question, whole=scope.covers(WHOLE))
        return replace(found, about=question.before or question.text)

    async def _begun(self, job: Job, scope: AccessScope, by: str) -> str:
        if self.run is None or not scope.covers(ORDERS):
            return f"This is done by `{COMMANDS[job]}`; nothing was begun."
        return await self.run(job, by)

    async def _answer(self, question: MemoryQuestion, *, whole: bool) -> MemoryAnswer:
        await self._read()
        found = await self._found(question, whole=whole)
        spelt = self._index.spelt(question.text, question.terms)
        if not found.refused or spelt == question.text or not whole:
            return found
        again = await self._found(following(spelt, question.before), whole=whole)
        return found if again.refused else replace(again, question=question.text)

    async def _found(self, question: MemoryQuestion, *, whole: bool) -> MemoryAnswer:
        passages = await self._passages(question)
        sources = [*await self._sources(question, whole=whole), *map(source_of_passage, passages)]
        rarity = self._index.rarity(question.terms)
        quoted = from_articles(question, passages) or answered(question, sources, self.clock.now().date(), rarity)
        if self.worded is None or not whole or not question.terms:  # its tools read notes whole
            return quoted
        return await self.worded(question, tuple(dict.fromkeys((*quoted.sources, *sources)))) or quoted

    async def _sources(self, question: MemoryQuestion, *, whole: bool) -> list[MemorySource]:
        """Return what may answer: notes first, since people have confirmed some of them."""
        words = " ".join(question.terms)
        notes = await self._notes(words)
        found = [source_of_note(note, whole=whole) for note in notes]
        found += [source_of_mail(mail, whole=whole) for mail in await self._mails(question)]
        if question.by_us:
            domains = self.domains()
            found = [one for one in found if may_promise_for_us(one, domains)]
        return [*found, *await self._tickets(question)]

    async def _passages(self, question: MemoryQuestion) -> Sequence[PassageHit]:
        if self.library is None or not question.terms:
            return ()
        return await self.library.find(question.whole, PASSAGES)

    async def _notes(self, words: str) -> Sequence[Note]:
        if not words:
            return await self.notes.list()
        hits = await self.notes.search(words, FOUND)
        return [hit.note for hit in hits]

    async def _read(self) -> None:
        """Take in the mails that have ended since the last answer; of the latest some may have been under way then."""
        newest = await self.archive.cases(1)
        last = number_of(newest[0].id) if newest else 0
        after = case_before(max(min(self._read_to, last) - LATE, last - MOST))
        while new := await self.mails.received(after, AT_ONCE):
            self._index.add(new)
            after = new[-1].case
        self._read_to = last

    async def _mails(self, question: MemoryQuestion) -> Sequence[MemoryMail]:
        """Return the mails that may answer and may be shown: what was forgotten or set apart since it was read is not."""
        named = [self._index.mails[case] for case in sorted(question.named) if case in self._index.mails]
        found = dict.fromkeys(mail.case for mail in (*named, *self._index.find(question.terms, FOUND)))
        return [self._index.mails[case] for case in found if await self._shown(case)]

    async def _shown(self, case: str) -> bool:
        try:
            shown = may_be_quoted((await self.archive.report(case)).case)
        except CaseNotFound:
            shown = False
        if not shown:
            self._index.remove(case)
        return shown

    async def _tickets(self, question: MemoryQuestion) -> list[MemorySource]:
        keys = [key for key in sorted(question.named) if not key.startswith("case-")]
        weights = query_of("", " ".join(question.terms))
        for project in self.projects if weights else ():
            keys += [hit.key for hit in (await self.index.find(project, weights, FOUND)).hits]
        return [source_of_ticket(ticket) for ticket in await self.tickets.tickets(list(dict.fromkeys(keys)))]


def number_of(case: str) -> int:
    """Return the 17 of `case-17`."""
    return int(case.removeprefix("case-"))


def case_before(number: int) -> str:
    """Return the case of a number, nothing before the first."""
    return f"case-{number}" if number > 0 else ""


def may_be_quoted(case: Case) -> bool:
    """Tell whether anybody is shown words of a case's mail: not of spam, of what is in quarantine, nor of what is forgotten."""
    found = case.classification.disposition
    spam = found is not None and found.disposition in UNWANTED
    gone = not {FORGOTTEN, AGED}.isdisjoint(case.flags)
    return case.message is not None and not spam and not gone and case.outcome is not Outcome.QUARANTINED


def stats_text(stats: VaultStats) -> str:
    """Return the figures of the vault in a sentence."""
    kinds = ", ".join(f"{kind.replace('_', ' ')} {number}" for kind, number in sorted(stats.by_kind.items()) if number)
    states = ", ".join(f"{state} {number}" for state, number in sorted(stats.by_status.items()) if number)
    problems = (
        f" {many(stats.problems, 'file')} cannot be read as {'a note' if stats.problems == 1 else 'notes'}."
        if stats.problems
        else ""
    )
    return f"{many(stats.notes, 'note')}{f': {kinds}' if kinds else ''}{f'; {states}' if states else ''}.{problems}"
