"""`triage audit`: who did what about which mail, which model was asked, and what it cost."""

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triage.domain.operations.audit import AuditFilter, AuditReport

FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M"]
SHOWN = 120
"""Characters of a cell."""


def audit(
    case: Annotated[str, typer.Option(metavar="CASE", help="Only this case: 17 or case-17.")] = "",
    profile: Annotated[str, typer.Option(metavar="NAME", help="Only this agent.")] = "",
    since: Annotated[datetime | None, typer.Option(formats=FORMATS, help="From this day on (UTC).")] = None,
    until: Annotated[datetime | None, typer.Option(formats=FORMATS, help="Before this day (UTC).")] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=10_000, help="Rows of each table, the newest; sums are over all.")
    ] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Show who did what, and what models cost.

    Also runs of agents, answers of models, events of cases and calls of MCP clients.
    """
    from cli.console import print_json
    from triage.domain.cases import case_id
    from triage.domain.operations.audit import AuditFilter

    where = AuditFilter(case=case_id(case) if case else "", profile=profile, since=_utc(since), until=_utc(until))
    found = asyncio.run(_report(where, limit))
    if as_json:
        print_json(found)
    else:
        _print(found)


def _utc(day: datetime | None) -> datetime | None:
    return day.replace(tzinfo=UTC) if day else None


async def _report(where: "AuditFilter", limit: int) -> "AuditReport":
    from cli.wiring.operations import open_audit
    from triage.config.settings import load

    async with open_audit(load()) as service:
        return await service.report(where, limit)


def _print(found: "AuditReport") -> None:
    from cli.console import screen, table

    out = screen()
    spent = [
        (
            *(f"{s.day}", s.profile, s.model, str(s.calls), f"{s.input_tokens}/{s.output_tokens}", f"{s.cost_usd:.4f}"),
            str(s.unpriced or ""),
        )
        for s in found.spending
    ]
    total = sum(s.cost_usd for s in found.spending)
    columns = ("day", "agent", "model", "answers", "tokens in/out", "USD", "unpriced")
    out.print(table(columns, spent, "Cost by day (UTC), agent and model") if spent else "no model was asked")
    out.print(f"{total:.4f} USD in all", style="bold")
    deeds = [
        (f"{d.at:%m-%d %H:%M:%S}", d.case, d.by or "Triage", f"{d.kind}: {d.state}", d.ticket, d.detail[:SHOWN])
        for d in found.deeds
    ]
    out.print(table(("at", "case", "who", "what", "ticket", "detail"), deeds, "\nDeeds"))
    runs = [
        (f"{r.started_at:%m-%d %H:%M:%S}", r.run, r.profile, r.model, r.status, str(r.iterations), r.error)
        for r in found.runs
    ]
    out.print(table(("at", "run", "agent", "model", "status", "rounds", "error"), runs, "\nRuns"))
    calls = [
        (
            f"{c.at:%m-%d %H:%M:%S}",
            c.run,
            str(c.number),
            c.model,
            f"{c.input_tokens}/{c.output_tokens}",
            _usd(c.cost_usd),
        )
        for c in found.calls
    ]
    out.print(table(("at", "run", "round", "model", "tokens in/out", "USD"), calls, "\nAnswers"))
    events = [(f"{e.at:%m-%d %H:%M:%S}", e.case, e.name, _facts(e.facts)) for e in found.events]
    out.print(table(("at", "case", "event", "facts"), events, "\nEvents"))
    called = [
        (f"{m.at:%m-%d %H:%M:%S}", m.client, f"{m.server}: {m.tool}", m.arguments[:SHOWN], m.outcome[:SHOWN])
        for m in found.mcp_calls
    ]
    if called:
        out.print(table(("at", "client", "tool", "arguments", "outcome"), called, "\nCalls of MCP clients"))


def _usd(cost: float | None) -> str:
    return "" if cost is None else f"{cost:.4f}"


def _facts(facts: dict[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in facts.items())
