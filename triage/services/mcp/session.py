"""One client's work with one MCP server: guard, history and budget over all its calls, and an audit row for each; over HTTP one for each token."""

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from triage.agent.loop import RESULT, dumped
from triage.agent.run import NoJournal, Scope, invoke_of
from triage.agent.toolbox import Invocation
from triage.agent.wrappers import Parked
from triage.domain.conversation import Grant, Json, ToolCall, ToolSpec
from triage.domain.errors import Denied, Permanent, Refused, ToolRefused, Transient
from triage.domain.operations.mcp import OK, McpCall, McpClient
from triage.domain.operations.tokens import ApiToken
from triage.domain.ports import Clock, McpLog
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Ask, Decision, RunHistory, Terms, Verdict, WriteBudget
from triage.policy.decision.rights import Sender
from triage.policy.privacy.secrets import masked
from triage.policy.text.untrusted import fenced
from triage.services.mcp.served import McpServer, toolbox_of

LONGEST_ARGUMENTS: Final = 128 * 1024
"""Characters of a call's arguments; the longest description of a ticket fits, however it is escaped."""
LONGEST_ANSWER: Final = 100_000
"""Characters of an answer."""
KEPT: Final = 1_000
"""Characters of the arguments that the audit keeps."""
PROPOSAL: Final = "an MCP client proposes it; that needs approval"

Propose = Callable[[McpClient, str, Invocation, Ask], Awaitable[Parked]]
"""Takes the client, the tool's name in its toolset, the resolved call and what a person decides; parks the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """Upper bounds of one session."""

    calls: int = 200
    proposals: int = 5
    seconds: float = 60.0
    """Of one call."""
    at_once: int = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionServices:
    """What all MCP sessions share: audit log, clock, limits, and how a proposal is stored."""

    log: McpLog
    clock: Clock
    propose: Propose
    writes: bool = False
    """Whether tools that propose changes are offered."""
    limits: SessionLimits = field(default_factory=SessionLimits)


class McpSession:
    """The calls of one client at one server; several may run at once."""

    def __init__(self, client: McpClient, server: McpServer, shared: SessionServices) -> None:
        self.client = client
        self.server = server
        self._shared = shared
        self._run = f"mcp-{secrets.token_hex(8)}"
        self._nonce = secrets.token_hex(8)
        self._seen = server.seen_by(client, writes=shared.writes)
        self._tools = toolbox_of(self._seen)
        self._origins = {one.origin: one.tool.name for one in self._seen}
        self._calls = 0
        self._proposed = 0
        self._begun = False
        self._turn = asyncio.Semaphore(shared.limits.at_once)
        self._beginning = asyncio.Lock()
        self._later: set[asyncio.Task[None]] = set()
        self._invoke = invoke_of(self._scope())

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools that this client may call."""
        return self._tools.specs

    def reads(self, tool: str) -> bool:
        """Whether a tool of `specs` changes nothing."""
        return self._tools[tool].grant is Grant.READ

    def knows(self, tool: str) -> bool:
        """Whether the server has such a tool, for this client or for others."""
        return any(one.tool.name == tool for one in self.server.tools)

    async def call(self, tool: str, arguments: Mapping[str, Json]) -> str:
        """Run a call and return its result, that of a read behind a fence; nothing is returned before its audit row stands.

        Raises `ToolRefused` with the cure, and the `Transient` and `Permanent` errors of what it asks.
        """
        self._calls += 1
        number, text = self._calls, json.dumps(dict(arguments), ensure_ascii=False, default=str)
        try:
            result = await self._ran(number, tool, text)
        except asyncio.CancelledError:
            # Whoever has gone waits for nothing, and an await would be cancelled again.
            task = asyncio.create_task(self._keep(number, tool, text, "the client has gone"))
            self._later.add(task)
            task.add_done_callback(self._later.discard)
            raise
        except Exception as e:
            refusal = (
                self._told(e) if self.knows(tool) else str(e)
            )  # whoever names no tool of ours is told his own word
            await self._keep(number, tool, text, refusal)
            if isinstance(e, Refused | Permanent) and not isinstance(e, Denied):
                raise ToolRefused(refusal) from e
            raise
        await self._keep(number, tool, text, f"{OK}, {len(result):,} characters")
        return result

    async def close(self) -> None:
        """Wait for audit rows that are being written."""
        await asyncio.gather(*self._later)

    async def _ran(self, number: int, tool: str, text: str) -> str:
        if number > self._shared.limits.calls:
            raise ToolRefused(f"this session has used its {self._shared.limits.calls} calls: begin a new one later")
        if tool not in self._tools.names and (
            why := self.server.why_not(tool, self.client, writes=self._shared.writes)
        ):
            raise ToolRefused(why)
        if len(text) > LONGEST_ARGUMENTS:
            raise ToolRefused(f"the arguments have {len(text):,} characters, {LONGEST_ARGUMENTS:,} are the limit")
        call = self._tools.invocation(ToolCall(id=str(number), name=tool, arguments=text), str(number))
        try:
            async with asyncio.timeout(self._shared.limits.seconds), self._turn:
                result = await self._invoke(call)
        except TimeoutError:
            seconds = self._shared.limits.seconds
            raise ToolRefused(f"{tool} took longer than {seconds:.0f} s: ask for less, or try again later") from None
        result_text = dumped(result)
        if len(result_text) > LONGEST_ANSWER:
            raise ToolRefused(
                f"the answer has {len(result_text):,} characters, {LONGEST_ANSWER:,} are the limit: ask for less"
            )
        return (
            fenced(RESULT, Untrusted(result_text), self._nonce).text if call.tool.grant is Grant.READ else result_text
        )

    async def _keep(self, number: int, tool: str, arguments: str, outcome: str) -> None:
        now = self._shared.clock.now()
        await self._begin(now)
        call = McpCall(
            run=self._run,
            number=number,
            at=now,
            server=self.server.name,
            client=self.client.name,
            tool=tool[:100],
            arguments=_kept(arguments),
            outcome=outcome[:500],
        )
        await self._shared.log.keep(call)

    async def _begin(self, now: datetime) -> None:
        """Record the session before its first call."""
        async with self._beginning:
            if not self._begun:
                await self._shared.log.begin(self._run, f"mcp:{self.server.name}", self.client.name, now)
                self._begun = True

    def _told(self, e: Exception) -> str:
        """Say what went wrong, with the names that this client knows the tools by."""
        if isinstance(e, Transient):
            return f"{e}: try again later"
        text = str(e) if isinstance(e, Refused | Permanent) else f"internal error ({type(e).__name__})"
        for origin, name in self._origins.items():
            text = text.replace(origin, name)
        return text

    def _scope(self) -> Scope:
        return Scope(
            run=self._run,
            nonce=self._nonce,
            context=lambda call: self.server.context(call, self.client),
            resolve=self.server.resolve,
            judge=self._judged,
            park=self._parked,
            journal=NoJournal(),
            clock=self._shared.clock,
        )

    async def _judged(self, call: Invocation, history: RunHistory) -> Verdict:
        """Allow reads; a change waits as a whole for a person, whatever its rule grants to senders of mails."""
        tool, most = call.tool, self._shared.limits.proposals
        if tool.grant is Grant.READ:
            return Verdict.allowed(call.arguments)
        if tool.rule is None or not tool.rule.rights:
            return Verdict(word=Decision.REFUSE, reason=f"{tool.name} has no rule in the table of rights")
        if self._proposed >= most:
            problem = f"this session has proposed {most} changes, its limit: let a person decide about them first"
            return Verdict(word=Decision.REFUSE, reason=problem)
        terms = Terms(sender=Sender(), budget=WriteBudget(creates=most, comments=most, changes=most))
        why = tool.rule.refusal(call.arguments, history, terms) or await self.server.refusal(call, history)
        if why:
            return Verdict(word=Decision.REFUSE, reason=why)
        name, value = tool.rule.whole(call.arguments)
        ask = Ask(field=name, value=value, why=PROPOSAL, whole=True)
        return Verdict(word=Decision.ASK, reason=PROPOSAL, asks=(ask,))

    async def _parked(self, call: Invocation, ask: Ask, result: Json) -> Parked:
        del result
        self._proposed += 1
        origin = next(one.origin for one in self._seen if one.tool.name == call.tool.name)
        return await self._shared.propose(self.client, origin, call, ask)


def _kept(arguments: str) -> str:
    """Return what the audit keeps: whole words, so that an address is found again and can be forgotten."""
    text = masked(arguments[: 2 * KEPT])
    return text if len(text) <= KEPT else text[:KEPT].rpartition(" ")[0]


IDLE: Final = timedelta(minutes=30)


@dataclass(slots=True, kw_only=True)
class McpSessions:
    """Held by the application. A request carries its token, so no session id can be stolen or guessed."""

    shared: SessionServices
    open: dict[tuple[int, str], tuple[McpSession, datetime]] = field(default_factory=dict)
    """By token and server, with the time of the last request; there are at most as many as of both."""

    def of(self, token: ApiToken, server: McpServer) -> McpSession:
        """Return the token's session at a server; a new one where there is none, or the last is over."""
        now, key = self.shared.clock.now(), (token.id, server.name)
        for old in [each for each, (_, at) in self.open.items() if now - at > IDLE]:
            del self.open[old]
        session = self.open[key][0] if key in self.open else None
        if session is None or session.client.scope is not token.scope:
            session = McpSession(client_of(token), server, self.shared)
        self.open[key] = session, now
        return session


def client_of(token: ApiToken) -> McpClient:
    """Return what a token proves of its holder."""
    return McpClient(name=f"token {token.id} ({token.name})", scope=token.scope, token=token.id)
