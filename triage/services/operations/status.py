"""The present state of the installation on one screen: today, backlog, cost, mailboxes, what needs a person."""

from dataclasses import dataclass
from datetime import datetime

from triage.domain.approvals import Pause
from triage.domain.channels.notices import DeadCase, Delayed
from triage.domain.letters import LetterState
from triage.domain.operations.audit import Budget
from triage.domain.operations.figures import BacklogFigures, Today
from triage.domain.ports import Archive, AuditLog, Clock, Figures, TrackerClaims, Troubles
from triage.services.health import HealthService, MailboxHealth
from triage.services.installation.tracker_claim import STALE
from triage.services.operations.stats import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationStatus:
    """The state of an installation at one moment."""

    at: datetime
    today: Today
    """Since midnight (UTC)."""
    backlog: BacklogFigures
    at_work: bool
    """Whether a worker runs."""
    approvals_open: int
    oldest_approval: datetime | None
    undecided: int
    """Mails that wait for a person without an approval, such as unsure ones."""
    cost_today_usd: float
    budget: Budget
    mailboxes: tuple[MailboxHealth, ...]
    pause: Pause | None
    delayed: tuple[Delayed, ...]
    """Why mails wait, the most mails first."""
    dead: tuple[DeadCase, ...]
    """The newest mails that no worker takes any more."""
    letters_in_doubt: int
    no_room: str = ""
    """Why no mail is taken for want of disk space; empty if there is enough."""

    @property
    def last_error(self) -> str:
        """The error that delays most mails, else the last one that ended a mail's work; empty if there is none."""
        return next((one.detail for one in self.delayed), next((one.trouble for one in self.dead), ""))

    @property
    def needs(self) -> tuple[str, ...]:
        """What needs a person, a line each."""
        troubled = tuple(f"mailbox {one.public_name}: {one.trouble}" for one in self.mailboxes if one.trouble)
        counted = (
            (self.approvals_open, "open approvals", "triage approvals"),
            (self.undecided, "mails that wait for a person", "triage cases --state waiting"),
            (len(self.dead), "mails that could not be worked on", "triage cases --state dead"),
            (self.letters_in_doubt, "letters that may or may not have left", "triage letters"),
        )
        paused = (f"paused by {self.pause.by}: `triage resume`",) if self.pause else ()
        full = (f"no mail is taken: {self.no_room}; make room on that disk",) if self.no_room else ()
        idle = (f"no worker runs: start `triage serve` or `triage work`; mails that wait: {self.backlog.all}",)
        unattended = idle if self.backlog.all and not self.at_work else ()
        wait = (f"{words}: {n} (`{command}`)" for n, words, command in counted if n)
        return (*full, *unattended, *paused, *troubled, *wait)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusService:
    """Called by `triage status`, by metrics and by pages; it writes nothing. Raises `StoreDown`."""

    figures: Figures
    archive: Archive
    troubles: Troubles
    log: AuditLog
    health: HealthService
    spending: Spending
    claims: TrackerClaims
    clock: Clock

    async def now(self) -> InstallationStatus:
        """Return the state of this moment."""
        at = self.clock.now()
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        cost, _ = await self.log.spent(midnight)
        approvals, letters = await self.archive.approvals(), await self.figures.letters()
        delayed, backlog = await self.troubles.delayed(), await self.figures.backlog()
        # One of several workers that ends gives up the claim of all, until another one renews it.
        leased = backlog.leased_until is not None and backlog.leased_until > at
        return InstallationStatus(
            at=at,
            today=await self.figures.today(midnight),
            backlog=backlog,
            at_work=leased or bool(await self.claims.claimed(STALE)),
            approvals_open=len(approvals),
            oldest_approval=min((one.parked_at for one in approvals if one.parked_at), default=None),
            undecided=await self.figures.undecided(at),
            cost_today_usd=cost,
            budget=await self.spending.budget(),
            mailboxes=await self.health.mailboxes(),
            pause=await self.health.pause(),
            delayed=tuple(sorted(delayed, key=lambda one: -one.cases)),
            dead=await self.troubles.dead(),
            letters_in_doubt=letters.get(LetterState.UNKNOWN, 0),
            no_room=await self.health.no_room(),
        )
