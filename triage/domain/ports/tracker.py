"""The tracker, in six ports by subject."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from triage.domain.tickets import (
    Attached,
    Created,
    Mark,
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
    """Tickets of the one project that we write to; called by `retrieve`, tools, effects and the ticket index's feed.

    Reads retry what is `Transient` by themselves. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def search(self, query: TicketQuery) -> tuple[Ticket, ...]:
        """Tickets of our project: the latest updated ones are asked for, and the best match of these comes first.

        An answer that only looks empty (dead token, HTML page) raises; it never means "no such ticket".
        """

    async def get(self, key: str) -> Ticket:
        """One ticket. Raises `TicketGone`, also for keys of other projects."""

    async def details(self, key: str, comments: int) -> TicketDetails:
        """One ticket with due date, links and its latest comments, so many at most. Raises `TicketGone`."""

    async def newest(self) -> int:
        """The highest ticket number that a search shows; a lower bound, since the index lags."""

    async def attached(self, key: str) -> tuple[Attached, ...]:
        """The files of a ticket. Raises `TicketGone`."""

    async def ours(self, days: int) -> tuple[Ticket, ...]:
        """Tickets that our account created within so many days, with the mark they were made with, oldest first.

        Labels are everybody's: where two tickets carry one mark, each ticket's own property says which one is its own.
        """


class TicketWriter(Protocol):
    """Writes tickets; called by effects alone, and by the sweep of doubles.

    Every write is sent once. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def create(self, draft: TicketDraft, mark: Mark) -> Created:
        """One POST with the mark inside, fields dropped step by step where Jira refuses them.

        Raises `WriteUnconfirmed` when the answer is lost, `TrackerRejected` when even the plain ticket is refused.
        """

    async def adopt(self, mark: Mark, above: int) -> Created | None:
        """The ticket that carries this mark and was created by us, looked for upward from a number, then by label.

        One that people have moved since comes with its key in the other project.
        """

    async def change(self, key: str, change: TicketChange) -> None:
        """Set these values; setting them again changes nothing. Raises `TicketGone`, `TrackerRejected`."""

    async def transition(self, key: str, status: str) -> None:
        """Bring the ticket into a status by its name; nothing happens where it already is.

        Raises `TrackerRejected` with the statuses that can be reached.
        """

    async def attach(self, key: str, upload: Upload) -> str:
        """Hang a file on a ticket; its id. Raises `WriteUnconfirmed`, `TicketGone`, `TrackerRejected` where it is too large."""

    async def link(self, key: str, other: str, kind: str) -> None:
        """Tie `key` to `other` ("key duplicates other"); nothing happens where they are tied so already.

        Raises `TicketGone`, and `TrackerRejected` where there is no such kind of link.
        """

    async def watch(self, key: str, person: str) -> None:
        """Let a person, by id, hear of the ticket; again changes nothing. Raises `TrackerRejected`, `TicketGone`."""

    @property
    def sent(self) -> int:
        """Writes of this view whose first byte may have left; what fails before that has changed nothing."""


class Comments(Protocol):
    """Comments of ours on tickets; called by effects alone. Every write is sent once.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def comment(self, key: str, body: str, mark: Mark) -> str:
        """Add a Markdown comment that carries the mark; its id. Raises `WriteUnconfirmed`, `TicketGone`."""

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        """Make a comment of ours, by its id, say this Markdown; its mark stays, and watchers get no mail where Jira can spare it.

        Nothing is sent where it says so already, so a lost answer is settled by asking again. False where there is no such
        comment of ours that we may change. Raises `WriteUnconfirmed`, and `TicketGone` where the ticket itself has moved.
        """

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of the comment that carries this mark, None where there is none."""


class People(Protocol):
    """Who works on the project, and how much each has to do; called by the proposals of assignees.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def me(self) -> str:
        """The id of our own account, asked once: work is given to people, never to it."""

    async def workloads(self) -> Mapping[str, Workload]:
        """Open tickets of the project by person id, cached for five minutes; nobody idle is in it.

        One request, which shows the latest tickets alone: exact in small projects, else the index counts.
        """

    async def assigned(self) -> tuple[Ticket, ...]:
        """The latest tickets that belong to somebody (half a year, 500 at most), without their text; the same request."""


class Sprints(Protocol):
    """Sprints of the project's board; called by the sprint tools and their effect. Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`."""

    async def sprints(self) -> tuple[Sprint, ...]:
        """Active, then future, then the five latest closed sprints of the project's board, cached for five minutes."""

    async def place(self, key: str, sprint: int) -> None:
        """Put the ticket into a sprint; again changes nothing. Raises `TrackerRejected`, `TicketGone`."""


class Metadata(Protocol):
    """The project as it is, and how the tracker is; called by steps, the runner's report and health checks.

    Raises `TrackerDown`, `TrackerBusy`, `TrackerDenied`.
    """

    async def project(self) -> Project:
        """The live metadata, cached for five minutes."""

    @property
    def trouble(self) -> str:
        """Why nothing is asked of it just now (down, or our login is refused), empty while all is well."""

    @property
    def calls(self) -> int:
        """Requests sent by this view so far, for the report and the bench."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerView:
    """The tracker as one case sees it: shared connections and caches, counts of requests of its own."""

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
