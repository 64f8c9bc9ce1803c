"""Builds our MCP servers over the ports of an open app, and what their sessions share."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import Final

from cli.wiring.agents.live_config import LiveConfig
from cli.wiring.app import App, open_app
from cli.wiring.index import index_of
from cli.wiring.intake import IntakeContext, open_intake
from cli.wiring.jira import tracker_of
from cli.wiring.memory.build import sent_of
from cli.wiring.memory.notes import notes_of
from triage.config.settings import Settings
from triage.domain.extras import missing
from triage.domain.operations.errors import McpMissing, McpUnavailable
from triage.domain.ports import TicketIndex, TrackerView
from triage.services.mcp.memory import MemoryPorts, mail_server, memory_server
from triage.services.mcp.proposals import Proposals
from triage.services.mcp.served import McpServer
from triage.services.mcp.session import SessionLimits, SessionServices
from triage.services.mcp.tickets import TicketPorts, tickets_server
from triage.services.memory.build.mails import CaseMails

TICKETS: Final = "tickets"
CURES: Final[Mapping[str, str]] = {
    TICKETS: "set JIRA_BASE_URL, JIRA_PROJECT_KEY and JIRA_API_TOKEN (or JIRA_TOKEN)",
    "memory": "set ENABLE_MEMORY=true",
    "mail": "set ENABLE_MEMORY=true",
}
"""What each server needs."""


def checked() -> None:
    """Raise `McpMissing` where the package for MCP is not installed."""
    if find_spec("mcp") is None:
        raise McpMissing(missing("mcp"))


@asynccontextmanager
async def open_mcp(
    settings: Settings, name: str, *, writes: bool
) -> AsyncIterator[tuple[McpServer, SessionServices, IntakeContext]]:
    """Open one server and what its sessions share; Jira only for what needs it. Raises `McpMissing`, `McpUnavailable`, `SettingsInvalid`."""
    checked()
    if not (settings.jira_ready if name == TICKETS else settings.enable_memory):
        raise McpUnavailable(name, CURES[name])
    async with AsyncExitStack() as later:
        if name == TICKETS or (writes and settings.jira_ready):
            app = await later.enter_async_context(open_app(settings))
            shared = shared_by_sessions(app.context, writes=writes, work=app.worker.handle)
            yield servers_of(app, later)[name], shared, app.context
        else:
            context = await later.enter_async_context(open_intake(settings))
            servers = _memory_servers(context, LiveConfig(settings), later)
            yield servers[name], shared_by_sessions(context, writes=writes), context


def servers_of(app: App, later: AsyncExitStack) -> Mapping[str, McpServer]:
    """Return the servers that this installation can offer, by name; `later` closes what they open."""
    tickets = _tickets_server(app.context, app.tracker, app.index)
    return {TICKETS: tickets, **_memory_servers(app.context, app.live, later)}


def servers_alone(context: IntakeContext, live: LiveConfig, later: AsyncExitStack) -> Mapping[str, McpServer]:
    """Return the servers if no app is open (`triage serve --no-work`) or there is no Jira; `later` closes what they use."""
    memory = _memory_servers(context, live, later)
    if not context.settings.jira_ready:
        return memory
    tracker = tracker_of(context.settings, context.failpoint, live.config)
    index = index_of(context.settings, context.store.tickets)
    later.push_async_callback(tracker.close)
    later.push_async_callback(index.close)
    return {TICKETS: _tickets_server(context, tracker.view(), index), **memory}


def _tickets_server(context: IntakeContext, tracker: TrackerView, index: TicketIndex) -> McpServer:
    return tickets_server(
        TicketPorts(
            tracker=tracker,
            ticket_store=context.store.tickets,
            index=index,
            people_index=context.store.people_index,
            clock=context.store.clock,
        )
    )


def _memory_servers(context: IntakeContext, live: LiveConfig, later: AsyncExitStack) -> Mapping[str, McpServer]:
    if not context.settings.enable_memory:
        return {}
    store, settings = context.store, context.settings
    mails = CaseMails(store=store.memory_builds, outgoing=sent_of(settings, store, live, later))
    memory = MemoryPorts(notes=notes_of(settings), mails=mails, clock=store.clock)
    return {one.name: one for one in (mail_server(memory), memory_server(memory))}


def shared_by_sessions(
    context: IntakeContext, *, writes: bool, work: Callable[[str], Awaitable[None]] | None = None
) -> SessionServices:
    """Return what all MCP sessions share: audit log, limits, and how a proposal is stored."""
    store = context.store
    proposals = Proposals(intake=context.intake, archive=store.archive, clock=store.clock, work=work)
    return SessionServices(
        log=store.mcp_log,
        clock=store.clock,
        propose=proposals.propose,
        writes=writes,
        limits=SessionLimits(calls=context.settings.mcp_calls),
    )
