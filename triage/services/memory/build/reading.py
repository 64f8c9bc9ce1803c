"""The stages fetch and read: new mails in batches, noise left out, what they say kept once."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from triage.domain.cases import Case
from triage.domain.memory.builds import BuildStage, ReadMail
from triage.domain.memory.notes import MemoryMail, Observation
from triage.domain.ports import BuildStore, Failpoint
from triage.policy.memory.observations import observe
from triage.policy.memory.reading.notes_of import PER_SENDER
from triage.policy.memory.reading.observation_json import to_json
from triage.policy.thread.fingerprint import canonical
from triage.services.memory.build.mails import mail_of, noise
from triage.services.memory.build.progress import Progress


@dataclass(frozen=True, slots=True)
class MailBatch:
    """What was read of a batch of mails."""

    observations: tuple[Observation, ...] = ()
    by_rules: bool = False
    """A model was to read them, and its answer was of no use or the month's budget is spent."""


class EmailReader(Protocol):
    """Reads mails; knows nothing of the vault. Raises what a model raises."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
        """Return what these mails say; answers of a model are counted as this run's."""


class RuleReader:
    """Reads by rules, without a model."""

    async def read(self, mails: Sequence[MemoryMail], run: str = "") -> MailBatch:
        del run
        return MailBatch(await asyncio.to_thread(lambda: tuple(one for mail in mails for one in observe(mail))))


BATCH: Final = 10
"""Mails that the Email Reader reads at once, each batch with a fresh context."""
TOLD_EVERY: Final = 50
"""Cases that are fetched at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingStage:
    """Reads all mails that no build has read."""

    store: BuildStore
    reader: EmailReader
    failpoint: Failpoint

    async def run(self, progress: Progress) -> None:
        """Read until nothing is left. Raises what the reader and the store raise."""
        await progress.stage(BuildStage.FETCH)
        await progress.stage(BuildStage.READ, (await self.store.backlog()).unread)
        after = ""
        while cases := await self.store.cases(after, TOLD_EVERY, unread=True):
            after = cases[-1].id
            for start in range(0, len(cases), BATCH):
                await self._batch(cases[start : start + BATCH], progress)

    async def _batch(self, cases: Sequence[Case], progress: Progress) -> None:
        quiet = [case for case in cases if noise(case)]
        mails = [mail_of(case) for case in cases if not noise(case)]
        batch = await self.reader.read(mails, f"memory-{progress.build.id}") if mails else MailBatch()
        found = batch.observations
        kept = await self._capped(mails, found)
        await self.store.keep([*map(_nothing, quiet), *kept])
        self.failpoint("memory.kept")
        count = sum(mail.count for mail in kept)
        by_rules = {"read_by_rules": len(mails)} if batch.by_rules else {}
        await progress.step(
            len(cases), mails=len(mails), noise=len(quiet), observations=count, capped=len(found) - count, **by_rules
        )

    async def _capped(self, mails: Sequence[MemoryMail], found: Sequence[Observation]) -> list[ReadMail]:
        """Return what is kept of each mail: of one sender's mails of a day only so much."""
        kept: list[ReadMail] = []
        now: Counter[tuple[str, str]] = Counter()
        for mail in mails:
            sender, day = canonical(mail.sender), str(mail.at.date())
            room = PER_SENDER - now[sender, day] - await self.store.kept(sender, day)
            own = [one for one in found if one.source_email == mail.case][: max(0, room)]
            now[sender, day] += len(own)
            kept.append(ReadMail(case=mail.case, sender=sender, day=day, observations=to_json(own), count=len(own)))
        return kept


def _nothing(case: Case) -> ReadMail:
    sender = case.message.sender if case.message else None
    address = canonical(sender.address) if sender else ""
    return ReadMail(case=case.id, sender=address, day=str(case.received_at.date()), observations="[]", count=0)
