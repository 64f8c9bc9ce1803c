"""Clients that use Triage over MCP, and the audit of their calls."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from triage.domain.operations.tokens import AccessScope

OK: Final = "ok"
"""How the outcome of a call begins that was answered."""
FAILED: Final = "refused, or failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class McpClient:
    """A program that calls tools, by its verified identity."""

    name: str
    """`shell ann`, or `token 3 (claude)`."""
    scope: AccessScope
    token: int = 0
    """Number of its access token; 0: it is one of the shell."""

    @property
    def address(self) -> str:
        """Stands for it as the sender of what it proposes: a domain that can have no mailbox, so that nobody is ever answered."""
        return program_address(self.token)


def program_address(token: int) -> str:
    """Return the address of the programs that hold an access token, 0 for those of the shell."""
    return f"mcp-{token}@triage.invalid" if token else "mcp@triage.invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class McpCall:
    """One call of a session in the audit: without its result, a copy that `triage forget` would not reach."""

    run: str
    """The session: `mcp-5f0c2d9e`."""
    number: int
    at: datetime
    server: str
    """`tickets`; `all` for the one address of all servers."""
    client: str
    """Who called: the token with its name, or the account of the shell."""
    tool: str
    arguments: str
    """JSON, secrets masked, cut."""
    outcome: str
    """`ok`, with the size of the answer; else why it was refused or failed."""

    def wordless(self) -> "McpCall":
        """Return the call for who may not read words of mails: arguments and refusals may quote them."""
        return replace(self, arguments="", outcome=self.outcome if self.outcome.startswith(OK) else FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call that a client proposes, before a person decides."""

    id: str
    """Unique: the same proposal, sent again, is the same delivery."""
    by: McpClient
    tool: str
    """Its name in the toolset."""
    arguments: str
    """Canonical JSON, names resolved."""
    title: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class McpProposal:
    """The result of a proposal: an approval, or a case that still waits for a worker."""

    id: int
    """Number of the approval; 0: none yet."""
    case: str
    reason: str
