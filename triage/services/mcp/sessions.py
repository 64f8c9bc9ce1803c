"""Sessions over HTTP: one for each token and server, until half an hour has passed without a call."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from triage.domain.operations.mcp import McpClient
from triage.domain.operations.tokens import ApiToken
from triage.services.mcp.served import McpServer
from triage.services.mcp.session import McpSession, SessionServices

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
