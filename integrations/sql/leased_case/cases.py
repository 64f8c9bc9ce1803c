"""The port `CaseStore`: the case and its mail."""

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, Executable, insert, select, update

from integrations.sql.database.engine import insert_once
from integrations.sql.database.leases import FINISH, JOB, WAKE
from integrations.sql.database.rows import ENDED, JIRA_CALLS, case_number, columns_of
from integrations.sql.database.schema import cases, email_events, mentions, steps
from integrations.sql.database.types import indexed_names
from integrations.sql.leased_case.fence import Fence, Statement
from integrations.sql.operations.facts import facts_of, keep_facts
from integrations.sql.operations.webhooks import TELL, payload_of
from integrations.sql.raw_mails.reading import RawMails
from triage.domain.cases import Case, Lease, StepDone
from triage.domain.conversation import Json
from triage.domain.mail import Message

TRACED: Final = "step.trace"
"""Event with the snapshots of a step."""
_DATA: Final = select(cases.c.data).where(cases.c.case_id == JOB)
_SAVE: Final = update(cases).where(cases.c.case_id == JOB)
_STEP: Final = insert(steps)
_EVENT: Final = insert(email_events)


class SqlCases:
    """The port `CaseStore`: one row for the case as of its last step, and one journal line per step."""

    def __init__(self, fence: Fence, raw_mails: RawMails) -> None:
        self._fence = fence
        self._raw_mails = raw_mails

    @property
    def lease(self) -> Lease:
        return self._fence.lease

    async def load(self) -> Case:
        await self._fence.flush()
        case: Case = await self._fence.value(_DATA, job=self._fence.job)
        return case

    async def peek(self, name: str) -> Case | None:
        case: Case | None = await self._fence.value(_DATA, job=case_number(name))
        return case

    async def raw(self) -> bytes:
        """The raw mail, from the archive if it was moved there."""
        return await self._raw_mails.of(self._fence.job, self._fence.look_by)

    async def save(
        self, case: Case, step: StepDone, *, calls: int = 0, ended: bool = False, deferred: bool = False
    ) -> None:
        """Store the case after a step and the journal's line; after the first step also the mail's ids and wake-ups."""
        self._fence.defer("case", (_SAVE, columns_of(case) | {"job": self._fence.job}))
        self._append(step, calls)
        if len(case.done) == 1:
            self._fence.defer("read", *self._read(case))
        if ended:
            self._fence.append(*self._event(ENDED, _end_of(case)))
            self._fence.defer("ended", self._tell(case), self._facts(case))
        if not deferred:
            await self._fence.flush()
        self._fence.failpoint("step.saved")

    async def flush(self) -> None:
        await self._fence.flush()

    def _append(self, step: StepDone, calls: int) -> None:
        self._fence.append(_STEP, {**self._fence.stamp(), "name": step.name, "ms": step.ms, "note": step.note})
        if step.trace:
            self._fence.append(*self._event(TRACED, {"step": step.name, "ms": step.ms, **step.trace}))
        if calls:
            self._fence.append(*self._event(JIRA_CALLS, {"step": step.name, "n": calls}))

    def _read(self, case: Case) -> list[Statement]:
        """Store the mail's ids. Its thread key is known now: cases that wait for it, in case it was of their thread, look again."""
        mail = case.message
        wake = WAKE, {"job": self._fence.job, "now": self._fence.now()}
        return [*([self._mention(mail)] if mail and mail.ids else []), wake]

    def _mention(self, mail: Message) -> Statement:
        rows = [{"message_id": name, "case_id": self._fence.job} for name in indexed_names(mail.ids)]
        return insert_once(mentions, postgres=self._fence.postgres), rows

    def _tell(self, case: Case) -> Statement:
        now = self._fence.now()
        return TELL, {"job": self._fence.job, "payload": payload_of(case, now), "now": now}

    def _facts(self, case: Case) -> Statement:
        values = {"job": self._fence.job, "now": self._fence.now(), **facts_of(case)}
        return keep_facts(postgres=self._fence.postgres), values

    async def finish(self) -> None:
        """End the job as done, in the commit of what was deferred; cases that wait for this one look again."""
        woken = {"job": self._fence.job, "now": self._fence.now()}

        def finished(connection: Connection) -> None:
            connection.execute(FINISH, {**woken, "held": self._fence.lease.epoch}).all()
            connection.execute(WAKE, woken)

        self._fence.failpoint("job.finish")
        await self._fence.write_by(finished)

    async def renew(self, seconds: float) -> None:
        await self._fence.renew(seconds)

    async def event(self, name: str, **facts: Json) -> None:
        await self._fence.write(self._event(name, facts))

    def _event(self, name: str, facts: Mapping[str, Json]) -> tuple[Executable, Mapping[str, Any]]:
        return _EVENT, {**self._fence.stamp(), "name": name, "facts": facts}


def _end_of(case: Case) -> dict[str, Json]:
    return {"outcome": str(case.outcome), "ticket": case.ticket or "", "reason": case.reason}
