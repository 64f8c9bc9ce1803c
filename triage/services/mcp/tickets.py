"""The MCP server of tickets: search and read as agents do, and propose one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from triage.agent.toolbox import Invocation
from triage.domain.cases import Case
from triage.domain.conversation import Json
from triage.domain.effects import Effect, Reports
from triage.domain.errors import ToolRefused
from triage.domain.mail import Message
from triage.domain.operations.mcp import McpClient
from triage.domain.operations.tokens import AccessScope
from triage.domain.ports import Clock, PeopleIndex, TicketIndex, TicketStore, TrackerView
from triage.domain.tickets import Ticket
from triage.effects.writer import EffectWriter
from triage.policy.decision.resolution import Live, resolve
from triage.services.mcp.served import McpServer, ServedTool, served
from triage.toolsets.context import Context
from triage.toolsets.table import KINDS
from triage.toolsets.tickets.public import PUBLIC


class NoLedger:
    """A `Ledger` without rows that accepts none."""

    async def intend(self, effect: Effect) -> Effect:
        """Refuse the write."""
        raise ToolRefused(f"{effect.kind} is not written here: only a case writes")

    async def settle(self, effect: Effect) -> None:
        """Refuse the write."""
        raise ToolRefused(f"{effect.kind} is not written here: only a case writes")

    async def effects(self) -> tuple[Effect, ...]:
        """Return none: nothing was written."""
        return ()

    async def attached(self, ticket: str, sha256: str) -> bool:
        """Return False: nothing was attached."""
        del ticket, sha256
        return False

    async def reports(self, ticket: str) -> Reports:
        del ticket
        return Reports()

    async def highest(self, project: str) -> int:
        """Return 0: no ticket number is known."""
        del project
        return 0

    async def saw(self, project: str, number: int) -> None:
        """Remember nothing."""

    async def made(self, tickets: Sequence[Ticket]) -> None:
        """Store nothing."""


ABOUT: Final = (
    "Tickets of the team's Jira project. Search before you propose a ticket; a person decides about each proposal."
)
PROPOSE: Final = "Propose a ticket; a person decides, and nothing is written before."
NOT_PROPOSED: Final = ("sprint", "fields", "parent")
"""Arguments that depend on what a mail's agent is shown."""
TOOLS: Final[tuple[ServedTool, ...]] = (
    served(PUBLIC["search"], "search", AccessScope.VIEWER),
    served(PUBLIC["get"], "get", AccessScope.VIEWER),
    served(PUBLIC["propose"], "propose", AccessScope.VIEWER, about=PROPOSE, without=NOT_PROPOSED),
)
"""A proposal is worth what a mail is, which anybody may send: it needs no more than a look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketPorts:
    """What the tools that read tickets ask."""

    tracker: TrackerView
    ticket_store: TicketStore
    index: TicketIndex
    people_index: PeopleIndex
    clock: Clock


def tickets_server(at: TicketPorts) -> McpServer:
    """Return the server over one project."""

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, await at.tracker.metadata.project())

    def context(call: Invocation, client: McpClient) -> Context:
        return _context(at, call.arguments.get("search_text") or "", client)

    return McpServer(name="tickets", about=ABOUT, tools=TOOLS, context=context, resolve=name)


def _context(at: TicketPorts, asked: Any, client: McpClient) -> Context:
    """Return the context of a tool; hits are ranked by their likeness to the words that were asked for, as to a mail's."""
    message = Message.of_text(str(asked), str(asked))
    case = Case(id="mcp", source=f"mcp:{client.name}", received_at=at.clock.now(), message=message)
    effects = EffectWriter(ledger=NoLedger(), kinds=KINDS, clock=at.clock, case=case.id, secret=b"", fingerprint="")
    return Context(
        case=case,
        tracker=at.tracker,
        ticket_store=at.ticket_store,
        index=at.index,
        people_index=at.people_index,
        effects=effects,
        clock=at.clock,
        words_alone=True,
    )
