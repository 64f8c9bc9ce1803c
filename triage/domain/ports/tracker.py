"""The tracker, in ports by subject."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.support.service_timers import ServiceTimer
from triage.domain.tickets import (
    Attached,
    Created,
    FieldChange,
    Mark,
    Panel,
    Project,
    Sprint,
    Ticket,
    TicketChange,
    TicketDetails,
    TicketDraft,
    TicketQuery,
    Upload,
    Workload,
)


class TicketReader(Protocol):
    """Tickets of the one project that we write to; called by `retrieve`, tools, effects, the support hub, the ticket index's feed
    and `triage agreement`.

    Reads retry what is `Transient` by themselves. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project: of the latest updated ones, the best match first.

        An answer that only looks empty (dead token, HTML page) raises; it never means "no such ticket".
        """

    async def get(self, key: str) -> Ticket:
        """One ticket. Raises `TicketGone`, also for keys of other projects."""

    async def details(self, key: str, comments: int) -> TicketDetails:
        """One ticket with due date, links and at most `comments` of its latest comments. Raises `TicketGone`."""

    async def changes(self, key: str) -> tuple[FieldChange, ...]:
        """The changelog of a ticket, oldest first. Raises `TicketGone`."""

    async def newest(self) -> int:
        """The highest ticket number that a search shows; a lower bound, since Jira's search index lags."""

    async def attached(self, key: str) -> tuple[Attached, ...]:
        """The files of a ticket. Raises `TicketGone`."""

    async def timers(self, key: str) -> tuple[ServiceTimer, ...]:
        """The SLAs of a customer request; empty for a ticket that is none, and where our account is no agent."""

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Tickets that our account created within this many days, with the mark they were created with, oldest first.

        Anybody can copy a label: if two tickets carry one mark, each ticket's own property says which one it was created with.
        """


class TicketWriter(Protocol):
    """Writes tickets; called by effects alone, and by the sweep of duplicates.

    Every write is sent once. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """Create a ticket with the mark inside by one POST; fields that Jira refuses are dropped step by step.

        Raises `WriteUnconfirmed` when the answer is lost, `TrackerRejected` when even the plain ticket is refused.
        """

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """The ticket that we created with this mark, or None; searched upward from number `above`, then by label.

        A ticket that people have moved since has its key in the other project.
        """

    async def change(self, key: str, change: TicketChange) -> None:
        """Set these values; setting them again changes nothing. Raises `TicketGone`, `TrackerRejected`."""

    async def transition(self, key: str, status: str) -> None:
        """Bring the ticket into a status by its name; nothing happens where it already is.

        Raises `TrackerRejected` with the statuses that can be reached.
        """

    async def attach(self, key: str, upload: Upload) -> str:
        """Attach a file to a ticket; return its id. Raises `WriteUnconfirmed`, `TicketGone`, `TrackerRejected` if too large."""

    async def link(self, key: str, other: str, kind: str) -> None:
        """Link `key` to `other` ("key duplicates other"); does nothing if that link exists.

        Raises `TicketGone`, and `TrackerRejected` if there is no such kind of link.
        """

    async def unlink(self, key: str, other: str, kind: str) -> None:
        """Remove the link that `link` made; does nothing if there is none. Raises as `link` does."""

    async def watch(self, key: str, person: str) -> None:
        """Add a person, by id, as watcher; idempotent. Raises `TrackerRejected`, `TicketGone`."""

    @property
    def sent(self) -> int:
        """Number of writes of this view whose first byte may have left; a write that fails earlier has changed nothing."""


class Comments(Protocol):
    """Comments on tickets; called by effects, and by the services of proposals and commands. Every write is sent once.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`, `TicketGone`.
    """

    async def comment(self, key: str, body: str, mark: Mark, panel: Panel | None = None) -> str:
        """Add a Markdown comment that carries the mark; return its id. Raises `WriteUnconfirmed`, `TrackerRejected`.

        The panel stands below it, unless customers read it or Jira refuses it.
        """

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        """Replace the text of our comment by this Markdown; its mark stays, and watchers get no mail if Jira allows that.

        Sends nothing if the text is the same, so a lost answer is settled by calling again. False if there is no such
        comment of ours that we may change. Raises `WriteUnconfirmed`, and `TicketGone` if the ticket itself has moved.
        """

    async def latest(self, key: str, limit: int) -> tuple[TicketComment, ...]:
        """The latest comments of everybody, oldest first."""

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of the comment that carries this mark, None if there is none."""


class People(Protocol):
    """People of the project, their groups and open tickets; called by the proposals of assignees and by approvals.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def me(self) -> str:
        """The id of our own account, requested once; it is never proposed as assignee."""

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets of the project by person id, without people who have none; cached for five minutes.

        One request, which shows only the latest tickets: exact in small projects; in others the index counts.
        """

    async def members(self, groups: Sequence[str], roles: Sequence[str]) -> frozenset[str]:
        """Ids and visible addresses of the members of these groups or project roles; cached for five minutes.

        Raises `TicketGone` for a group or role that does not exist.
        """

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest assigned tickets (half a year, 500 at most), without descriptions; from the same request."""


class Sprints(Protocol):
    """Sprints of the project's board; called by the sprint tools and their effect. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`."""

    async def sprints(self) -> tuple[Sprint, ...]:
        """Active, then future, then the five latest closed sprints of the project's board, cached for five minutes."""

    async def place(self, key: str, sprint: int) -> None:
        """Put the ticket into a sprint; idempotent. Raises `TrackerRejected`, `TicketGone`."""


class Metadata(Protocol):
    """Live metadata of the project, and the tracker's state; called by steps, the runner's report and health checks.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`, `ProjectHidden`.
    """

    async def project(self) -> Project:
        """The live metadata, cached for five minutes."""

    @property
    def trouble(self) -> str:
        """Why requests are suspended (down, or our login is refused), empty if they are not."""

    @property
    def calls(self) -> int:
        """Number of requests sent by this view so far, for the report and the bench."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerView:
    """The tracker for one case: shared connections and caches, its own counts of requests."""

    tickets: TicketReader
    writer: TicketWriter
    comments: Comments
    people: People
    sprints: Sprints
    metadata: Metadata

    @property
    def sent(self) -> int:
        """As `TicketWriter.sent`."""
        return self.writer.sent
