"""The port `Decisions`: people's decisions about approvals and cases."""

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from integrations.sql.database.decision_tables import approvals, corrections
from integrations.sql.database.engine import TimedPart, insert_once
from integrations.sql.database.leases import DECIDED, EXISTS, NOW
from integrations.sql.database.rows import AnyRow, approval_of, approval_row, case_number, correction_of
from integrations.sql.database.types import storable
from triage.domain.approvals import AnswerDetails, Approval, ApprovalState, Correction
from triage.domain.errors import ApprovalClosed, CaseNotFound, Moved
from triage.domain.findings import Disposition
from triage.domain.operations.errors import LessonNotFound

_ROW: Final = select(approvals).where(approvals.c.id == bindparam("of")).with_for_update()
_CHANGE: Final = update(approvals).where(approvals.c.id == bindparam("of")).returning(*approvals.c)
_OPEN: Final = approvals.c.state == ApprovalState.OPEN
_EXPIRED: Final = select(approvals).where(_OPEN, approvals.c.expires_at <= NOW).with_for_update()
_SUPERSEDED: Final = select(approvals).where(approvals.c.superseded_by == bindparam("by")).order_by(approvals.c.id)


_CORRECT: Final = insert(corrections).returning(*corrections.c)
_LESSONS: Final = (
    select(corrections)
    .where(or_(corrections.c.sender != "", corrections.c.sketch != ""), corrections.c.disposition != Disposition.UNSURE)
    .order_by(corrections.c.id.desc())
)
"""By nothing else is a later mail found to be alike; a person who is forgotten leaves no lesson, either."""
_UNLEARN: Final = update(corrections).where(corrections.c.id == bindparam("of")).values(sender="", sketch="")


class SqlDecisions(TimedPart):
    """The port `Decisions`: each approval is decided once."""

    async def decide(
        self,
        approval: int,
        state: ApprovalState,
        by: str,
        answer: AnswerDetails = AnswerDetails(),  # noqa: B008 - frozen
    ) -> Approval:
        def decided(connection: Connection) -> Approval:
            row = connection.execute(_ROW, {"of": approval}).first()
            found = _decidable(row, approval, answer, self._clock.now())
            return self._closed(connection, *_voted(found, state, by, answer), by)

        return await self._database.write(decided)

    async def expire(self) -> tuple[Approval, ...]:
        def expired(connection: Connection) -> tuple[Approval, ...]:
            late = connection.execute(_EXPIRED, {"now": self._clock.now()}).all()
            return tuple(self._closed(connection, approval_of(row), ApprovalState.EXPIRED, "") for row in late)

        return await self._database.write(expired)

    def _closed(self, connection: Connection, found: Approval, state: ApprovalState, by: str) -> Approval:
        """Store the state of an approval with its votes; unless it stays open, the cases that wait for it are due."""
        now = self._clock.now()
        row: dict[str, Any] = {
            "state": state,
            "votes": "\n".join(found.votes),
            "edited": found.edited,
            "instruction": found.instruction,
        }
        if state is not ApprovalState.OPEN:
            row |= {"decided_by": by, "decided_at": now, "bound": found.hash}
            older = connection.execute(_SUPERSEDED, {"by": found.id})
            for case in sorted({case_number(found.case), *(one.case_id for one in older)}):
                connection.execute(DECIDED, {"job": case, "now": now})
        return approval_of(connection.execute(_CHANGE.values(**row), {"of": found.id}).one())

    async def order(self, approval: Approval) -> Approval:
        """Store what a person wants unasked as an accepted approval, once, and make its case due."""
        now, job = self._clock.now(), case_number(approval.case)
        row = _ordered_row(approval, now)
        once = insert_once(approvals, postgres=self._database.postgres)
        same = select(approvals).filter_by(case_id=job, tool=approval.tool, arguments_hash=row["arguments_hash"])

        def ordered(connection: Connection) -> AnyRow:
            connection.execute(once, row)
            connection.execute(DECIDED, {"job": job, "now": now})
            return connection.execute(same).one()

        return approval_of(await self._database.write(ordered))

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        found = await self._database.read(lambda c: c.execute(_SUPERSEDED, {"by": by}).all())
        return tuple(approval_of(row) for row in found)

    async def correct(self, correction: Correction) -> Correction:
        """Record what becomes of a mail and make its case due. Raises `CaseNotFound`."""
        job, now = case_number(correction.case), self._clock.now()
        row = _correction_row(correction, now)

        def corrected(connection: Connection) -> AnyRow | None:
            if connection.execute(EXISTS, {"job": job}).first() is None:
                return None
            found = connection.execute(_CORRECT, row).first()
            connection.execute(DECIDED, {"job": job, "now": now})
            return found

        found = await self._database.write(corrected)
        if found is None:
            raise CaseNotFound(correction.case)
        return correction_of(found)

    async def lessons(self, limit: int) -> tuple[Correction, ...]:
        found = await self._database.read(lambda c: c.execute(_LESSONS.limit(limit)).all())
        return tuple(map(correction_of, found))

    async def unlearn(self, lesson: int) -> Correction:
        def unlearnt(connection: Connection) -> AnyRow | None:
            found = connection.execute(_LESSONS.where(corrections.c.id == lesson)).first()
            connection.execute(_UNLEARN, {"of": lesson})
            return found

        found = await self._database.write(unlearnt)
        if found is None:
            raise LessonNotFound(lesson)
        return correction_of(found)


def _decidable(row: AnyRow | None, number: int, answer: AnswerDetails, now: datetime) -> Approval:
    """The approval as it waits. Raises `ApprovalClosed`, `Moved`."""
    if row is None:
        raise ApprovalClosed(number)
    found = approval_of(row)
    if found.state is not ApprovalState.OPEN:
        raise ApprovalClosed(number, found.state, found.by)
    if found.expires_at is not None and found.expires_at <= now:
        raise ApprovalClosed(number, ApprovalState.EXPIRED)
    if answer.shown and answer.shown != found.hash:
        raise Moved(number, "its text was changed since")
    return found


def _voted(found: Approval, state: ApprovalState, by: str, answer: AnswerDetails) -> tuple[Approval, ApprovalState]:
    """The approval with this answer, and its state: an acceptance leaves it open while votes are missing."""
    new = storable(answer.edited)  # the hash is of what is stored
    edited = new if new not in {"", found.arguments} else found.edited
    before = found.votes if edited == found.edited else ()
    votes = tuple(dict.fromkeys((*before, by))) if state is ApprovalState.ACCEPTED else found.votes
    enough = state is not ApprovalState.ACCEPTED or len(votes) >= answer.eyes
    answered = replace(found, edited=edited, votes=votes, instruction=answer.instruction)
    return answered, state if enough else ApprovalState.OPEN


def _ordered_row(approval: Approval, now: datetime) -> dict[str, Any]:
    """The row of an approval that is parked and accepted at once."""
    return approval_row(approval) | {
        "case_id": case_number(approval.case),
        "arguments_hash": hashlib.sha256(approval.arguments.encode(errors="replace")).hexdigest(),
        "parked_at": now,
        "decided_at": now,
        "decided_by": approval.by,
        "bound": approval.hash,
    }


def _correction_row(correction: Correction, now: datetime) -> dict[str, Any]:
    return {
        "case_id": case_number(correction.case),
        "disposition": correction.disposition.value,
        "ticket": correction.ticket,
        "made_by": correction.by,
        "made_at": now,
        "was": correction.was,
        "sender": correction.sender,
        "trust": correction.trust,
        "sketch": correction.sketch,
        "apart": correction.apart,
    }
