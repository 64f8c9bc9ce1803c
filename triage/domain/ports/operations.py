"""The store for operations and integrations: tokens, audit, figures, archive of raw mails, outgoing webhooks."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from triage.domain.approvals import Approval
from triage.domain.conversation import Turn
from triage.domain.mail import ArchivedMail, CopyState, UnwantedCopy
from triage.domain.operations.audit import AuditFilter, CallAudit, CaseEvent, DayCount, Deed, RunAudit, Spent
from triage.domain.operations.figures import BacklogFigures, Growth, Today
from triage.domain.operations.forgetting import PersonCase
from triage.domain.operations.insights import Count, EndedCases, PersonLoad
from triage.domain.operations.mcp import McpCall
from triage.domain.operations.tokens import ApiToken
from triage.domain.operations.traces import Span
from triage.domain.operations.webhooks import Delivery, Webhook


class Figures(Protocol):
    """Sums over the store, each at a cost that does not grow with its age; called by the services of status and metrics.

    Raises `StoreDown`.
    """

    async def backlog(self) -> BacklogFigures:
        """Accepted mails that have not ended."""

    async def today(self, since: datetime) -> Today:
        """What came in and what ended since then."""

    async def undecided(self, at: datetime) -> int:
        """Ended mails that wait for a person without an approval to decide about, and are not put off at this time."""

    async def letters(self) -> Mapping[str, int]:
        """Letters by state."""

    async def sources(self, until: datetime) -> Mapping[str, int]:
        """All mails accepted before then, by source: the one sum that is counted from the first mail on."""

    async def growth(self, since: datetime, until: datetime) -> Growth:
        """What came in from `since` on and before `until`."""


class Insights(Protocol):
    """Counts by day over narrow rows, one a case; called by the service of insights alone. Raises `StoreDown`.

    The commit that ends a case writes its row.
    """

    async def ended(self, first: date, last: date) -> tuple[EndedCases, ...]:
        """Ended cases of the mails of these days, by day and project."""

    async def corrected(self) -> tuple[Count, ...]:
        """Ended cases that a person has corrected, by the day of their mail; the key is empty."""

    async def amended(self) -> tuple[Approval, ...]:
        """What people ordered to be corrected on tickets, oldest first."""

    async def decided(self, first: date) -> tuple[Count, ...]:
        """Decisions about approvals since this day, by `accepted`, `edited`, `rejected`, `answered`, `expired`."""

    async def held(self, first: date) -> tuple[Count, ...]:
        """Mails throttled since this day, by their group."""

    async def loads(self, limit: int) -> tuple[PersonLoad, ...]:
        """The people with the most open tickets."""


class TokenStore(Protocol):
    """Access tokens of the HTTP API, by their hash; called by the token service alone. Raises `StoreDown`."""

    async def add(self, token: ApiToken, digest: str) -> ApiToken:
        """Store a new token by the hex SHA-256 of its text; return it with its id."""

    async def find(self, digest: str) -> ApiToken | None:
        """The token with this hash, valid or not."""

    async def tokens(self) -> tuple[ApiToken, ...]:
        """All tokens, in the order in which they were made."""

    async def usable(self, now: datetime) -> bool:
        """Whether there is a token that is neither revoked nor expired."""

    async def revoke(self, token: int, at: datetime) -> ApiToken | None:
        """Revoke a token and return it; one that is revoked already stays as it is. None: there is none."""

    async def used(self, token: int, at: datetime) -> None:
        """Record when it was last used."""


class ForgetStore(Protocol):
    """Redacts what is kept of a person; called by the services of forgetting and retention. Raises `StoreDown`.

    Each method is one transaction, and can be repeated.
    """

    async def of_person(self, same: Callable[[str], bool]) -> tuple[PersonCase, ...]:
        """The cases whose sender's address is the `same` one, oldest first, without those that are forgotten."""

    async def naming(self, address: str, limit: int) -> tuple[str, ...]:
        """Cases whose mail, findings or letters hold this address in lower case. Reads all of them."""

    async def forget(self, case: str, names: Collection[str], *, under_way: bool) -> str:
        """Redact everything of a case, unless it is under way; `names` are the hashes by which threads know the person and their organisation.

        Return why nothing was done, empty if it was. With `under_way` its work ends here.
        """

    async def grown_old(self, before: datetime, limit: int) -> tuple[str, ...]:
        """Ended cases of mails from before this time whose raw mail is still kept, oldest first."""

    async def age(self, case: str) -> bool:
        """Remove the raw mail, its text and the prompts of a case, unless it is under way."""

    async def forget_calls(self, named: Callable[[str], bool], *, dry_run: bool) -> int:
        """Remove arguments and refusals of the calls of MCP clients in which the person is `named`; return how many there are."""

    async def shred(self) -> bool:
        """Rewrite the files so that no old copy of a row is left in them; False while another process keeps one open."""


class ObjectStore(Protocol):
    """Keeps bytes under a name, outside the database; called by the service that archives mail, and where a raw mail is read.

    Raises `ArchiveDown`, `ArchiveDenied`.
    """

    async def put(self, key: str, content: bytes) -> None:
        """Store the bytes, durable when it returns; whatever had this name is replaced."""

    async def get(self, key: str) -> bytes:
        """The bytes. Raises `ArchivedMailLost` if there are none."""

    async def delete(self, key: str) -> None:
        """Remove them, also what an interrupted `put` has left; there may be none."""

    async def close(self) -> None:
        """Close the connections."""


class MailArchive(Protocol):
    """Which raw mails are in the archive; called by the service that moves them there. Raises `StoreDown`.

    Each method is one transaction, and can be repeated.
    """

    async def movable(self, before: datetime, after: str, limit: int) -> tuple[ArchivedMail, ...]:
        """Mails from before this time whose case is done and whose bytes are in the database, in order of cases.

        `after` is the last case of the page before, or empty.
        """

    async def begin(self, mail: ArchivedMail) -> bytes | None:
        """Record that a copy may be in the archive from now on, and return the bytes; None if they are gone."""

    async def keep(self, mail: ArchivedMail) -> CopyState:
        """Take the bytes out of the database, now that the copy is the same; return how the copy stands.

        `COPYING`: the case is worked on again. `UNWANTED`: the mail is forgotten since, so the copy has to go.
        """

    async def unwanted(self) -> tuple[UnwantedCopy, ...]:
        """Copies that have to go, longest first."""

    async def removed(self, copy: UnwantedCopy) -> None:
        """Forget a copy that is gone."""

    async def kept(self) -> int:
        """How many mails are in the archive alone."""


class TicketCopies(Protocol):
    """The copies of tickets, as far as words of a person stand in them; called by `ForgetService`. Raises `StoreDown`."""

    async def naming(self, text: str) -> tuple[str, ...]:
        """Keys of the copied tickets that hold this text in lower case. Reads all of them."""

    async def withhold(self, keys: Sequence[str]) -> None:
        """Empty these copies; they are filled again once title or description have changed in the tracker."""

    async def withholding(self) -> tuple[str, ...]:
        """Projects of which copies are withheld."""


class AuditLog(Protocol):
    """Reads what agents and models did and cost; called by the services of audit, stats, spending and events. Raises `StoreDown`."""

    async def runs(self, where: AuditFilter, limit: int) -> tuple[RunAudit, ...]:
        """Runs of agents, newest first."""

    async def calls(self, where: AuditFilter, limit: int) -> tuple[CallAudit, ...]:
        """Answers of models, newest first."""

    async def events(self, where: AuditFilter, limit: int) -> tuple[CaseEvent, ...]:
        """Events of cases, newest first; none where a profile is asked for."""

    async def events_after(self, number: int, until: datetime, limit: int) -> tuple[CaseEvent, ...]:
        """Events with a higher number that were written before `until`, in order."""

    async def last_event(self) -> int:
        """Number of the newest event, 0 if there is none."""

    async def spending(self, where: AuditFilter) -> tuple[Spent, ...]:
        """Sums by day (UTC), profile and model, newest day first; the playbook is no model."""

    async def spent(self, since: datetime) -> tuple[float, int]:
        """USD of all answers since then, and how many of them have tokens but no price."""

    async def mails_by_day(self, since: datetime) -> tuple[DayCount, ...]:
        """Accepted mails by day (UTC) since then, newest day first."""

    async def mcp_calls(self, where: AuditFilter, limit: int) -> tuple[McpCall, ...]:
        """Calls of MCP clients, newest first; none where a case is asked for."""


class TrackerClaims(Protocol):
    """Says which tracker the workers on this database write to; called by each of them every few seconds. Raises `StoreDown`."""

    async def claim(self, tracker: str, seconds: float) -> str:
        """Claim the database for this tracker unless workers of another one have renewed theirs within `seconds`; return whose it is."""

    async def claimed(self, seconds: float) -> str:
        """The tracker whose workers have renewed their claim within `seconds`, empty if none has."""

    async def release(self, tracker: str) -> None:
        """End the claim of this tracker, if there is one; its other workers claim it again."""


class DeedLog(Protocol):
    """What was done, and by whom; called by the audit, and by services whose changes leave no row. Raises `StoreDown`."""

    async def deeds(self, where: AuditFilter, limit: int, *, people: bool = False) -> tuple[Deed, ...]:
        """Writes, letters, decisions, corrections and changes, newest first; none where a profile is asked for. `people`: only theirs."""

    async def record(self, kind: str, by: str, detail: str, case: str = "") -> None:
        """Keep a change for good: of access, of the installation, of what Triage has learnt."""


class McpLog(Protocol):
    """Keeps what MCP clients have called; called by sessions alone. Raises `StoreDown`."""

    async def begin(self, run: str, server: str, client: str, at: datetime) -> None:
        """Record a session; `server` is `mcp:tickets`."""

    async def keep(self, call: McpCall) -> None:
        """Record a call after it has ended, and count it in its session."""


class AnswerLog(Protocol):
    """Counts what models cost that are asked about no case; called by agent runs of the memory. Raises `StoreDown`."""

    async def keep(self, run: str, profile: str, turn: Turn, at: datetime, ms: float) -> None:
        """Count an answer in its run, which begins with its first answer; the text of the answer is not kept."""


class WebhookStore(Protocol):
    """Webhooks out and their deliveries; called by the webhook service. Raises `StoreDown`.

    The commit that ends a case makes a delivery for each webhook that is told at the time.
    """

    async def add(self, webhook: Webhook) -> Webhook:
        """Store a new webhook; return it with its id."""

    async def webhooks(self) -> tuple[Webhook, ...]:
        """All webhooks, in the order in which they were made, with their secrets."""

    async def end(self, webhook: int, at: datetime, trouble: str = "") -> Webhook | None:
        """Deactivate it and cancel its pending deliveries; None if it does not exist."""

    async def claim(self, now: datetime, until: datetime, limit: int) -> tuple[Delivery, ...]:
        """Lease due deliveries until then, count the attempt in the same commit, and return them, oldest first."""

    async def delivered(self, delivery: int) -> None:
        """Record that it was taken."""

    async def failed(self, delivery: int, trouble: str, again: datetime | None) -> None:
        """Record why it failed, and when it is tried again; None: it is given up."""

    async def deliveries(self, webhook: int, limit: int) -> tuple[Delivery, ...]:
        """Deliveries of one webhook, newest first."""


class WebhookPost(Protocol):
    """Sends a webhook to its address; called by the webhook service."""

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Return the HTTP status. Raises `WebhookFailed` where there is no answer, or the address may not be reached."""


class TraceExport(Protocol):
    """Exports traces; called by the tracing service beside the worker."""

    async def send(self, spans: Sequence[Span]) -> None:
        """Hand over spans of one trace. Raises `TraceLost`."""
