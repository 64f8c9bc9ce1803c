"""The store: incoming mails, jobs, reports and people's decisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from triage.domain.approvals import AnswerDetails, Approval, ApprovalState, Correction, Pause
from triage.domain.cases import Lease
from triage.domain.mail import Received
from triage.domain.operations.case_lists import CaseListChanges, InboxLine, Pulse, SavedView
from triage.domain.ports.leased_case import LeasedCase
from triage.domain.reports import EVERY_CASE, CaseFilter, CaseLine, Report
from triage.domain.traces import Flood


class Inbox(Protocol):
    """Accepts mail; called by the intake alone. Raises `StoreDown`."""

    async def accept(self, received: Received) -> str:
        """Store raw bytes, case and job in one durable transaction; return the case's id.

        A repeated delivery (same source and source id) returns the first case's id and writes nothing. Raises `Replayed`
        if another mail has used its token.
        """


class Jobs(Protocol):
    """Jobs and their leases; called by the worker, and by whatever reopens a finished case.

    Raises `StoreDown`; methods that end or move a lease raise `LeaseLost` if it is no longer the job's.
    """

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """Lease the earliest due job for this many seconds and count the attempt in the same commit; None if none is due."""

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        """Lease the job of one case as `lease` does; None if another worker has it or it is not due."""

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        """Lease a case whatever its state (approval, replay). Raises `CaseNotFound`, `LeaseLost` while a worker has it."""

    def open(self, lease: Lease) -> LeasedCase:
        """The ports of the leased case."""

    async def postpone(
        self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True, behind: str | None = None
    ) -> None:
        """Make the job due again in this many seconds; `counted=False` gives the attempt back (waiting is no failure).

        If it waits `behind` another case, it is due as soon as that one is read or has ended, if that is earlier.
        """

    async def dead_letter(self, lease: Lease, trouble: str) -> None:
        """End the job as failed: no worker takes it until a person acts."""

    async def next_due(self) -> float | None:
        """Seconds until the next job is due, 0 if one is due, None if there is none."""


class Archive(Protocol):
    """Reads cases for people; called by commands and pages that only read. All methods raise `StoreDown`."""

    async def cases(
        self,
        limit: int = 50,
        state: str | None = None,
        before: str | None = None,
        where: CaseFilter = EVERY_CASE,
    ) -> tuple[CaseLine, ...]:
        """The latest cases first, of one state if given; `before` takes the last case of a page and gives the next page."""

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """Throttled floods, latest first."""

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseNotFound`."""

    async def raw(self, case: str) -> bytes:
        """The raw mail. Raises `CaseNotFound`, `MailGone`; of an archived one `ArchiveDown`, `ArchiveDenied`, `ArchivedMailLost`."""

    async def approvals(self) -> tuple[Approval, ...]:
        """The parked calls that wait for a decision, longest waiting first."""

    async def approval(self, number: int) -> Approval:
        """A parked call in any state. Raises `ApprovalClosed` if there is none."""

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""


class Decisions(Protocol):
    """People's decisions about approvals and cases; called by the case service. Raises `StoreDown`."""

    async def decide(
        self,
        approval: int,
        state: ApprovalState,
        by: str,
        answer: AnswerDetails = AnswerDetails(),  # noqa: B008 - frozen
    ) -> Approval:
        """Record a person's decision, once; the same commit makes its case due, and those of the approvals it superseded.

        A case that a worker has at the time is due again when that one is done. While fewer people than `said.eyes` have
        accepted the same arguments, only the vote is recorded and the approval stays open. Raises `ApprovalClosed` if it is
        not open, has expired or does not exist, `Moved` if it is not what `said.shown` names.
        """

    async def expire(self) -> tuple[Approval, ...]:
        """Close the open approvals whose time is over, make their cases due, and return them."""

    async def order(self, approval: Approval) -> Approval:
        """Store a person's order as an accepted approval, once, and make its case due in the same commit."""

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Approvals that this one replaced, oldest first; their cases wait for the decision on it."""

    async def correct(self, correction: Correction) -> Correction:
        """Record a correction and make its case due in the same commit. Raises `CaseNotFound`."""

    async def lessons(self, limit: int) -> tuple[Correction, ...]:
        """Corrections that count for later mails, the latest first."""

    async def unlearn(self, lesson: int) -> Correction:
        """Let a correction count for no later mail, and return it as it was; its own case keeps it. Raises `LessonNotFound`."""


class KillSwitch(Protocol):
    """Stops all writing to other systems; called by the approval service, and looked up in the commit before each write.

    Raises `StoreDown`.
    """

    async def pause(self, by: str, why: str) -> Pause:
        """Stop writing; return the pause in force, which may be an earlier one."""

    async def resume(self) -> Pause | None:
        """End the pause, make the cases due that waited for it, and return it; None if there was none."""

    async def paused(self) -> Pause | None:
        """The pause in force, None if there is none."""


class StoreHealth(Protocol):
    """Integrity of the store, and its secret; called at start, by health checks and by the doctor. Raises `StoreDown`."""

    @property
    def unclean(self) -> bool:
        """The last process did not close the store, or still has it open: a starting service then runs `check`."""

    async def check(self) -> None:
        """Raise `StoreDown` if the data on disk is damaged. Reads all of it: minutes for years of mail."""

    async def probe(self) -> None:
        """Raise `StoreDown` if it does not answer or takes no writes; quick, whatever its size."""

    async def look_for_room(self) -> None:
        """Raise `StoreDown` if the disk has no room for a mail of ordinary size."""

    async def missing_indexes(self) -> tuple[str, ...]:
        """Return the SQL statements by which an administrator of the database makes searches quick; empty: they are."""

    async def newer_tables(self) -> str:
        """Return the revision of tables that a newer version of Triage has made; empty if this version knows them."""

    async def secret(self) -> bytes:
        """The HMAC key of our marks: 32 random bytes, created once and stored with the cases."""


class CaseLists(Protocol):
    """Lists of cases by thread; called by the inbox service alone. Raises `StoreDown`."""

    async def page(self, limit: int, before: str | None, where: CaseFilter) -> tuple[InboxLine, ...]:
        """The newest cases that pass; `before` takes the last case of a page and gives the next one."""

    async def lines(self, cases: Sequence[str]) -> tuple[InboxLine, ...]:
        """The lines of these cases, newest first; those that do not exist are missing."""

    async def thread(self, case: str, limit: int) -> tuple[InboxLine, ...]:
        """The cases of a case's thread, newest first, itself among them."""

    async def counts(self) -> dict[str, int]:
        """Cases by state."""

    async def count(self, where: CaseFilter) -> int:
        """Return how many cases pass the filter."""

    async def changes(self, since: Pulse | None) -> CaseListChanges:
        """What has changed since then; None: only the pulse."""

    async def snooze(self, case: str, until: datetime, by: str) -> None:
        """Put a case off, or take that back by a time that is over. Raises `CaseNotFound`."""


class ViewStore(Protocol):
    """Saved views; called by the inbox service alone. Raises `StoreDown`."""

    async def views(self, owner: str) -> tuple[SavedView, ...]:
        """His own and the shared ones, by name."""

    async def keep(self, view: SavedView) -> SavedView:
        """Store a view and return it with its id; one of the same owner and name is replaced."""

    async def drop(self, view: int) -> None:
        """Delete a view, if it is there."""
