"""Changes cases for people: replays and corrects them, and takes back what a correction taught."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from loguru import logger

from triage.domain.approvals import Correction
from triage.domain.cases import BESIDE, Case, StepDone, case_id
from triage.domain.errors import NotRead, TicketGone, ToolRefused, Transient
from triage.domain.findings import Disposition
from triage.domain.operations.errors import MailGone
from triage.domain.operations.forgetting import keeps_mail
from triage.domain.ports import Archive, Decisions, DeedLog, Jobs, Notifier
from triage.domain.tickets import Ticket
from triage.policy.decision.disposition.examples import ASIDE
from triage.policy.thread.fingerprint import sketch_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseService:
    """Called by `triage replay`, `correct` and `lessons`, the console and the API. All methods raise `StoreDown`."""

    jobs: Jobs
    archive: Archive
    decisions: Decisions
    deeds: DeedLog
    notifier: Notifier
    lease_seconds: float = 60.0
    ticket: Callable[[str], Awaitable[Ticket]] | None = None
    """Reads a ticket by its key; None: no tracker is known."""

    async def replay(self, case: str) -> str:
        """Queue the case to be decided again from its raw mail and people's last word; effects already written are not repeated.

        Raises `MailGone`.
        """
        _decidable((await self.archive.report(case_id(case))).case)
        lease = await self.jobs.claim(case_id(case), "desk", self.lease_seconds)
        leased = self.jobs.open(lease)
        old, report = await leased.cases.load(), await self.archive.report(lease.case)
        run = max([old.run, *(line.run for line in report.runs if line.run < BESIDE)]) + 1
        last = report.corrections[-1] if report.corrections else old.correction
        done = StepDone(name="replay", ms=0.0, note=f"decide again; it was {old.outcome or 'open'}")
        await leased.cases.save(old.afresh(run, last), done)
        await self.jobs.postpone(lease, 0.0, "", counted=False)
        return old.id

    async def correct(
        self, case: str, disposition: Disposition | None, by: str, ticket: str = "", *, apart: str = ""
    ) -> Correction:
        """Record a correction and wake a worker, which decides the mail again with it. None: not for us, of any disposition.

        The correction is remembered for later mails of the sender. Raises `CaseNotFound`, `Refused` before the mail is read,
        once it is not kept any more, and for a ticket that is not there.
        """
        report = await self.archive.report(case_id(case))
        old = report.case
        _decidable(old)
        if old.message is None:
            raise NotRead(old.id)
        await self._must_be_there(ticket)
        found = old.classification.disposition
        if disposition is None:
            disposition = found.disposition if found and found.disposition in ASIDE else Disposition.NOT_FOR_US
        sender = old.message.sender
        corrected = await self.decisions.correct(
            Correction(
                case=old.id,
                disposition=disposition,
                ticket=ticket,
                apart=apart,
                by=by,
                was=f"{found.disposition if found else 'unknown'}, {old.outcome or 'open'}",
                sender=sender.address if sender else "",
                trust=old.identity.trust.value,
                sketch=str(sketch_of(old.message)),
            )
        )
        await self.notifier.notify(old.id)
        return corrected

    async def _must_be_there(self, ticket: str) -> None:
        """Raise `ToolRefused` for a ticket that is not there; a tracker that does not answer keeps nobody from correcting."""
        if not ticket or self.ticket is None:
            return
        try:
            with suppress(Transient):
                await self.ticket(ticket)
        except TicketGone:
            raise ToolRefused(f"there is no ticket {ticket}, or Jira does not show it to our account") from None

    async def lessons(self, limit: int = 200) -> tuple[Correction, ...]:
        """List the corrections that later mails are judged by, the latest first."""
        return await self.decisions.lessons(limit)

    async def unlearn(self, lesson: int, by: str) -> Correction:
        """Judge later mails without this correction; what was decided by it stands. Raises `LessonNotFound`."""
        found = await self.decisions.unlearn(lesson)
        logger.bind(lesson=lesson, case=found.case, by=by).info("lesson.dropped")
        await self.deeds.record("lesson_dropped", by, f"{found.disposition}, taught by {found.by}", found.case)
        return found


def _decidable(case: Case) -> None:
    """Raise `MailGone` unless the raw mail is kept."""
    if not keeps_mail(case):
        raise MailGone(case.id)
