"""The audit as JSON."""

from datetime import datetime
from typing import Any

from pydantic import AwareDatetime, Field

from web.api.shapes.figures import SpentShape
from web.api.shapes.parts import AnyCase, Asked, Part


class AuditQuery(Asked):
    """Which rows of the audit."""

    case: AnyCase = Field("", description="17 or case-17.")
    profile: str = Field("", max_length=100, description="Only runs and answers of this agent.")
    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    limit: int = Field(50, ge=1, le=200, description="Rows of each table.")


class UsageShape(Part):
    """Tokens and cost."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_usd: float | None


class RunAuditShape(Part):
    """A run of an agent."""

    run: str = Field(examples=["case-17/1"])
    case: str
    profile: str
    status: str
    model: str
    iterations: int
    usage: UsageShape
    error: str
    started_at: datetime
    ended_at: datetime | None


class CallAuditShape(Part):
    """An answer of a model."""

    run: str
    case: str
    number: int
    at: datetime
    call_type: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    ms: float


class DeedShape(Part):
    """A write to another system, a letter, a decision, a correction or a change of access."""

    at: datetime
    case: str = Field(description="Empty: it is about no mail.")
    by: str = Field(description="The person; empty: Triage by itself.")
    kind: str = Field(examples=["create", "approval", "letter", "role_changed"])
    state: str = Field(examples=["done", "accepted", "sent"])
    ticket: str
    detail: str = Field(description="Empty, if one may not read words.")


class CaseEventShape(Part):
    """An event of a case."""

    id: int
    case: str
    at: datetime
    name: str = Field(examples=["case.ended"])
    facts: dict[str, Any] = Field(description="Without what a step read and found, if one may not read words.")


class McpCallShape(Part):
    """A call of an MCP client."""

    run: str = Field(examples=["mcp-5f0c2d9e"])
    number: int
    at: datetime
    server: str
    client: str = Field(examples=["token 3 (claude)"])
    tool: str
    arguments: str = Field(description="JSON, secrets masked, cut; empty without the right to read words.")
    outcome: str = Field(examples=["ok, 1,204 characters"])


class AuditShape(Part):
    """Sums over all rows that were asked for, and the newest of each table."""

    spending: list[SpentShape]
    deeds: list[DeedShape]
    runs: list[RunAuditShape]
    calls: list[CallAuditShape]
    events: list[CaseEventShape]
    mcp_calls: list[McpCallShape]
