"""`/api/v1/stats`, `agents`, `mailboxes`, `throttles`, `audit`: how the installation does."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from triage.domain.operations.audit import AuditFilter
from triage.domain.operations.tokens import AccessScope
from triage.policy.decision.rights import Standing
from triage.services.health import MailboxHealth
from web.api.guard import Viewer
from web.api.services import Services
from web.api.shapes.audit import AuditQuery, AuditShape
from web.api.shapes.figures import (
    MailboxShape,
    PermissionShape,
    StatsQuery,
    StatsShape,
    ThrottleQuery,
    ThrottleShape,
)

routes = APIRouter(tags=["figures"])


@routes.get("/stats")
async def stats(at: Services, _: Viewer, query: Annotated[StatsQuery, Query()]) -> StatsShape:
    """Count cases, mails by day, cost by day and model, and what waits."""
    return StatsShape.model_validate(await at.stats.stats(query.days))


@routes.get("/audit")
async def audit(at: Services, token: Viewer, query: Annotated[AuditQuery, Query()]) -> AuditShape:
    """Sum up cost by day and model, and list the newest runs, answers, events and calls of MCP clients; a viewer sees no arguments."""
    where = AuditFilter(
        case=f"case-{query.case.removeprefix('case-')}" if query.case else "",
        profile=query.profile,
        since=query.since,
        until=query.until,
    )
    words = token.scope.covers(AccessScope.READER)
    return AuditShape.model_validate(await at.audit.report(where, query.limit, words=words))


@routes.get("/agents")
async def agents(at: Services, _: Viewer) -> list[PermissionShape]:
    """List what each agent may do with each tool, by the standing of the sender."""
    kinds = [kind.value for kind in Standing]
    return [
        PermissionShape(agent=one.agent, tool=one.tool, deed=one.deed, rights=dict(zip(kinds, one.rights, strict=True)))
        for one in at.permissions()
    ]


@routes.get("/mailboxes")
async def mailboxes(at: Services, _: Viewer) -> list[MailboxShape]:
    """List the watched mailboxes."""
    return [MailboxShape.model_validate(_mailbox(one)) for one in await at.health.mailboxes()]


@routes.get("/throttles")
async def throttles(at: Services, _: Viewer, query: Annotated[ThrottleQuery, Query()]) -> list[ThrottleShape]:
    """List the floods that rate limits hold, latest first."""
    return [ThrottleShape.model_validate(one) for one in await at.reports.floods(query.limit)]


def _mailbox(one: MailboxHealth) -> dict[str, Any]:
    at = one.cursor
    return {
        "name": one.public_name,
        "state": at.phase.value,
        "changed_at": at.changed_at,
        "complete_at": at.complete_at,
        "missing": at.missing,
        "trouble": one.trouble,
    }
