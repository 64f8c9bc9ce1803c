"""A build between a real store and a real vault, with cases made of the labelled mails."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import MORNING, HeldClock, Marks, opened, step
from tests.database import empty_store, opened_store
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.cases import Case, Outcome
from triage.domain.findings import Identity
from triage.domain.mail import Address, Kind, KindVerdict, Message, Trust
from triage.domain.memory.notes import MemoryMail
from triage.domain.untrusted import Untrusted
from triage.policy.memory.reconcile import TicketState
from triage.services.memory.build.actions import Actions
from triage.services.memory.build.mails import CaseMails
from triage.services.memory.build.reading import EmailReader, ReadingStage, RuleReader
from triage.services.memory.build.reconciling import Reconciling
from triage.services.memory.build.service import BuildService
from triage.services.memory.build.writing import Writing
from triage.services.memory.notes import NoteService

HUMAN = KindVerdict(kind=Kind.HUMAN, evidence=(), may_ticket=True, may_answer=True)
BULK = KindVerdict(kind=Kind.LIST, evidence=(), may_ticket=False, may_answer=False, reason="newsletter")


@dataclass
class Outgoing:
    """Mails that our people sent, and tickets, as a test has them."""

    mails: list[MemoryMail] = field(default_factory=list)
    states: list[TicketState] = field(default_factory=list)
    trouble: Exception | None = None

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """The mails since then."""
        if self.trouble:
            raise self.trouble
        return [one for one in self.mails if one.at >= since][:limit]

    async def tickets(self, keys: Sequence[str]) -> Sequence[TicketState]:
        """The states of these tickets."""
        return [one for one in self.states if one.key in keys]


@dataclass(frozen=True)
class House:
    """The service and all around it."""

    builds: BuildService
    store: SqlStore
    notes: NoteService
    clock: HeldClock
    marks: Marks
    out: Outgoing

    async def mail(self, number: int, text: str, *, sender: str = "ann@acme.example", **more: object) -> Case:
        """An ended case with a mail to Tom."""
        return await ended_case(self.store, number, text, self.clock.now(), sender=sender, **more)


async def ended_case(
    store: SqlStore, number: int, text: str, at: datetime = MORNING, *, sender: str = "ann@acme.example", **more: object
) -> Case:
    """An ended case with a mail to Tom."""
    message = Message(
        message_id=f"{number}@acme.example",
        sender=Address(address=sender),
        to=(Address(address="tom@acme.example"),),
        date=at,
        text=Untrusted(text),
        reply=Untrusted(text),
    )
    leased = await opened(store, number)
    case = replace(await leased.cases.load(), message=message, identity=Identity(kind=HUMAN, trust=Trust.VERIFIED))
    ended = replace(case, **more).closed(Outcome.IGNORED, "done")  # type: ignore[arg-type]  # tests name fields
    await leased.cases.save(ended, step(), ended=True)
    return ended


@asynccontextmanager
async def house(folder: Path, url: str = "", reader: EmailReader | None = None) -> AsyncIterator[House]:
    """A house with an empty vault and the store at a URL, else an empty one."""
    clock, marks, out = HeldClock(), Marks(), Outgoing()
    notes = notes_in(folder)
    async with opened_store(url, clock, marks) if url else empty_store(clock, marks) as store:
        builds = store.memory_builds
        service = BuildService(
            store=builds,
            reading=ReadingStage(store=builds, reader=reader or RuleReader(), failpoint=marks),
            writing=Writing(store=builds, notes=notes, failpoint=marks),
            actions=Actions(notes=notes, domains=lambda: ("acme.example",), clock=clock),
            reconciling=Reconciling(
                notes=notes, mails=CaseMails(store=builds, outgoing=out), tickets=out.tickets, clock=clock
            ),
            clock=clock,
        )
        yield House(service, store, notes, clock, marks, out)
        await service.stop()
