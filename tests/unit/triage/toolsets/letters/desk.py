"""A letter desk over a real database, and the tools' context at it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, cast

from integrations.sql.store import SqlStore
from tests.contract.store.store_samples import HeldClock, mail
from tests.database import empty_store
from tests.unit.triage.policy.letters.letters import RULES, SECRET, case_of
from triage.domain.cases import Case
from triage.domain.letters import Letter
from triage.effects.letter_writer import LetterWriter
from triage.effects.writer import EffectWriter
from triage.toolsets.context import Context
from triage.toolsets.table import KINDS


@dataclass(frozen=True)
class AtDesk:
    """A store, a case in it, and the context of its tools."""

    store: SqlStore
    clock: HeldClock
    case: Case
    context: Context

    @property
    def desk(self) -> LetterWriter:
        """Where letters are written."""
        assert self.context.letters is not None
        return self.context.letters

    async def letters(self) -> tuple[Letter, ...]:
        """All letters, the latest first."""
        return await self.store.letters.letters()

    def by(self, person: str, sequence: str = "approval-1") -> Context:
        """The context of a call that this person has accepted."""
        return replace(self.context, accepted=person, sequence=sequence)


class Nowhere:
    """A tracker that is never asked."""

    sent = 0


@asynccontextmanager
async def at_desk(**message: object) -> AsyncIterator[AtDesk]:
    """The first case of a new store."""
    clock = HeldClock()
    async with empty_store(clock) as store:
        await store.inbox.accept(mail())
        lease = await store.jobs.lease("w", 600)
        assert lease is not None
        case = replace(case_of(**message), id="case-1")
        effects = EffectWriter(
            ledger=store.jobs.open(lease).ledger, kinds=KINDS, clock=clock, case=case.id, secret=SECRET, fingerprint="f"
        )
        desk = LetterWriter(store=store.letters, rules=RULES, clock=clock, secret=SECRET)
        unused = cast("Any", Nowhere())
        context = Context(
            case=case, tracker=unused, ticket_store=unused, index=unused, people_index=unused,
            effects=effects, clock=clock, letters=desk,
        )  # fmt: skip
        yield AtDesk(store, clock, case, context)
