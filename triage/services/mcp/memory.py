"""The MCP servers of the team's memory: the mails that it reads, and its notes."""

import secrets
from dataclasses import dataclass
from typing import Final

from triage.agent.run import NoJournal
from triage.agent.toolbox import Invocation, Resolve
from triage.domain.operations.mcp import McpClient
from triage.domain.operations.tokens import AccessScope
from triage.domain.ports import Clock, MemoryMails
from triage.policy.decision.permission import RunHistory
from triage.services.mcp.served import McpServer, ServedTool, served
from triage.toolsets.memory.context import MemoryContext, Notes
from triage.toolsets.memory.public import MAIL_TOOLS, NOTE_TOOLS, WORDLESS, WRITE, why_not
from triage.toolsets.memory.scope import memory_scope

MAIL: Final = "Mails that the team received and sent, without noise."
MEMORY: Final = (
    "The team's memory: notes on decisions, people, commitments, actions and insights, and the graph between them."
)
PROPOSE: Final = "A person decides whether it is written."


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPorts:
    """What the memory's tools ask."""

    notes: Notes
    mails: MemoryMails | None
    clock: Clock

    def context(self, _: Invocation, client: McpClient) -> MemoryContext:
        """Return the first argument of a tool; fences within a result have a nonce of their own."""
        return self.of(client.name)

    def of(self, name: str) -> MemoryContext:
        """Return the first argument of a tool for the client or agent of this name."""
        nonce = secrets.token_hex(8)
        return MemoryContext(agent=name, notes=self.notes, clock=self.clock, nonce=nonce, mails=self.mails)

    @property
    def resolve(self) -> Resolve:
        """Resolves names of notes and nodes."""
        return memory_scope(self.of("mcp"), run="", journal=NoJournal()).resolve


def mail_server(at: MemoryPorts) -> McpServer:
    tools = tuple(served(tool, tool.name, AccessScope.READER) for tool in MAIL_TOOLS)
    return McpServer(name="mail", about=MAIL, tools=tools, context=at.context, resolve=at.resolve)


def memory_server(at: MemoryPorts) -> McpServer:
    """Return the server of notes."""

    async def refusal(call: Invocation, _: RunHistory) -> str:
        return await why_not(call.arguments, at.notes)

    reads: tuple[ServedTool, ...] = tuple(
        served(tool, tool.name, AccessScope.VIEWER if tool.name in WORDLESS else AccessScope.READER)
        for tool in NOTE_TOOLS
    )
    write = served(WRITE, WRITE.name, AccessScope.READER, about=PROPOSE)
    return McpServer(
        name="memory", about=MEMORY, tools=(*reads, write), context=at.context, resolve=at.resolve, refusal=refusal
    )
