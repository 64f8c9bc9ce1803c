"""Builds our MCP servers over the ports of an open app, and what their sessions share."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import Final

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.app import App, open_app
from cli.wiring.index import index_of
from cli.wiring.intake import IntakeContext
from cli.wiring.jira import tracker_of
from cli.wiring.memory.build import sent_of
from cli.wiring.memory.notes import notes_of
from integrations.system_clock import SystemClock
from triage.config.settings import Settings
from triage.domain.operations.errors import McpMissing, McpUnavailable
from triage.domain.ports import TicketIndex, TrackerView
from triage.services.mcp.memory import MemoryPorts, mail_server, memory_server
from triage.services.mcp.proposals import Proposals
from triage.services.mcp.served import McpServer
from triage.services.mcp.session import Desk, SessionLimits
from triage.services.mcp.tickets import TicketPorts, tickets_server
from triage.services.memory.build.mails import CaseMails

CURES: Final[Mapping[str, str]] = {
    "tickets": "set JIRA_BASE_URL and JIRA_PROJECT_KEY",
    "memory": "set ENABLE_MEMORY=true",
    "mail": "set ENABLE_MEMORY=true",
}
"""What each server needs."""


def checked() -> None:
    """Raise `McpMissing` where the package for MCP is not installed."""
    if find_spec("mcp") is None:
        raise McpMissing


@asynccontextmanager
async def open_mcp(
    settings: Settings, name: str, *, writes: bool
) -> AsyncIterator[tuple[McpServer, Desk, IntakeContext]]:
    """Open one server and what its sessions share. Raises `McpMissing`, `McpUnavailable`, `SettingsInvalid`."""
    checked()
    async with AsyncExitStack() as later, open_app(settings) as app:
        servers = servers_of(app, later)
        if name not in servers:
            raise McpUnavailable(name, CURES[name])
        yield servers[name], desk_of(app.context, writes=writes, work=app.worker.handle), app.context


def servers_of(app: App, later: AsyncExitStack) -> Mapping[str, McpServer]:
    """Return the servers that this installation can offer, by name; `later` closes what they open."""
    return _servers(app.context, app.tracker, app.index, app.live, later)


def servers_alone(context: IntakeContext, live: LiveConfig, later: AsyncExitStack) -> Mapping[str, McpServer]:
    """Return the same where no app is open, as in `triage serve --no-work`; `later` closes what they use."""
    tracker = tracker_of(context.settings, context.failpoint, live.config)
    index = index_of(context.settings, context.store.tickets)
    later.push_async_callback(tracker.close)
    later.push_async_callback(index.close)
    return _servers(context, tracker.view(), index, live, later)


def _servers(
    context: IntakeContext, tracker: TrackerView, index: TicketIndex, live: LiveConfig, later: AsyncExitStack
) -> Mapping[str, McpServer]:
    tickets = TicketPorts(
        tracker=tracker,
        ticket_store=context.store.tickets,
        index=index,
        people_index=context.store.people_index,
        clock=SystemClock(),
        may_be_from=lambda: live.current()[1].may_be_from,
    )
    servers = [tickets_server(tickets)]
    if context.settings.enable_memory:
        store, settings = context.store, context.settings
        mails = CaseMails(store=store.memory_builds, outgoing=sent_of(settings, store, live, later))
        memory = MemoryPorts(notes=notes_of(settings), mails=mails, clock=SystemClock())
        servers += [mail_server(memory), memory_server(memory)]
    return {one.name: one for one in servers}


def desk_of(context: IntakeContext, *, writes: bool, work: Callable[[str], Awaitable[None]] | None = None) -> Desk:
    """Return what all sessions share."""
    proposals = Proposals(intake=context.intake, archive=context.store.archive, clock=SystemClock(), work=work)
    return Desk(
        log=context.store.mcp_log,
        clock=SystemClock(),
        propose=proposals.propose,
        writes=writes,
        limits=SessionLimits(calls=context.settings.mcp_calls),
    )
