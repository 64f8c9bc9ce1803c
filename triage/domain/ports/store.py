"""The whole store: mails that come in, jobs, and what people look at and decide."""

from typing import Protocol

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.cases import Lease
from triage.domain.mail import Received
from triage.domain.ports.leased_case import LeasedCase
from triage.domain.reports import CaseLine, Report
from triage.domain.traces import Flood


class Inbox(Protocol):
    """Takes mail in; called by the intake alone. Raises `StoreDown`."""

    async def accept(self, received: Received) -> str:
        """Raw bytes, case and job in one durable transaction; the case's id.

        The same delivery (source and source id) again gives the first case's id and writes nothing. Raises `Replayed`
        where its token has brought another mail.
        """


class Jobs(Protocol):
    """What is to be done and who does it; called by the worker, and by what takes a finished case up again.

    Raises `StoreDown`; what ends or moves a lease raises `LeaseLost` where it is no longer the job's.
    """

    async def lease(self, worker: str, seconds: float) -> Lease | None:
        """Of the jobs that are due the one that came first, for so long; its attempt is counted in the same commit."""

    async def lease_case(self, case: str, worker: str, seconds: float) -> Lease | None:
        """The same for one case, None where another worker has it or nothing is to be done."""

    async def claim(self, case: str, worker: str, seconds: float) -> Lease:
        """Take a finished case up again (approval, replay). Raises `CaseNotFound`, `LeaseLost` while a worker has it."""

    def open(self, lease: Lease) -> LeasedCase:
        """The leased case, to be read and written."""

    async def finish(self, lease: Lease) -> None:
        """The job is done."""

    async def postpone(
        self, lease: Lease, seconds: float, trouble: str, *, counted: bool = True, behind: str | None = None
    ) -> None:
        """Try again later; `counted=False` gives the attempt back (waiting is no failure).

        Where it is `behind` another case, it is due as soon as that one is read or has ended, if that is earlier.
        """

    async def dead_letter(self, lease: Lease, trouble: str) -> None:
        """No worker takes it again by itself."""

    async def due(self) -> tuple[str, ...]:
        """Cases that wait for a worker now, in the order they came, a hundred at most."""

    async def next_due(self) -> float | None:
        """Seconds until the next job is due, 0 if one is, None where there is none."""


class Archive(Protocol):
    """What has come in; called by commands and pages that only look. All methods raise `StoreDown`."""

    async def cases(self, limit: int = 50, state: str | None = None, before: str | None = None) -> tuple[CaseLine, ...]:
        """The latest cases first; `before` the last one of a page gives the next page."""

    async def floods(self, limit: int = 50) -> tuple[Flood, ...]:
        """What brakes have held, the latest first."""

    async def report(self, case: str) -> Report:
        """Everything about one case. Raises `CaseNotFound`."""

    async def raw(self, case: str) -> bytes:
        """The mail as it came. Raises `CaseNotFound`."""

    async def approvals(self) -> tuple[Approval, ...]:
        """What waits for a person."""

    async def counts(self) -> dict[str, int]:
        """Cases by state; their sum is the number of accepted mails."""


class Decisions(Protocol):
    """What people decide about approvals; called by the approvals service. Raises `StoreDown`."""

    async def decide(self, approval: int, state: ApprovalState, by: str) -> Approval:
        """Record a person's word, once; in the same commit its case is due, as are those that waited for this word.

        A case that a worker has at the time is due again when that one is done. Raises `Refused` where it was given before or there is no such approval.
        """

    async def superseded(self, by: int) -> tuple[Approval, ...]:
        """Approvals that have given way to this one; their cases wait for the word on it."""


class StoreHealth(Protocol):
    """Whether the store is whole, and its secret; called at start, by health checks and by the doctor. Raises `StoreDown`."""

    @property
    def unclean(self) -> bool:
        """Who had it last has not closed it, or has it still: a service that starts looks whether it is whole."""

    async def check(self) -> None:
        """What is on the disk is whole. It reads all of it: minutes where there are years of mail."""

    async def probe(self) -> None:
        """It answers, for a health check; however much is in it."""

    async def look_for_room(self) -> None:
        """There is room for mail, for a health check that sees a full disk coming."""

    async def secret(self) -> bytes:
        """The key of our marks: 32 random bytes, made once and kept with the cases."""
