"""`triage audit`: who did what about which mail, which model was asked, and what it cost."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.console import print_json, screen, table
from cli.verb import AsJson, Service

if TYPE_CHECKING:
    from triage.domain.operations.audit import AuditReport, CallAudit, Spent

    _Table = tuple[Sequence[str], Sequence[Sequence[str]], str]

FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M"]
SHOWN = 120
"""Characters of a cell."""

Case = Annotated[str, typer.Option(metavar="CASE", help="Only this case: 17 or case-17.")]
Profile = Annotated[str, typer.Option(metavar="NAME", help="Only this agent.")]
Since = Annotated[datetime | None, typer.Option(formats=FORMATS, metavar="DAY", help="From this day on (UTC).")]
Until = Annotated[datetime | None, typer.Option(formats=FORMATS, metavar="DAY", help="Before this day (UTC).")]
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="Rows of each table, the newest; sums are over all.")]


def audit(
    case: Case = "",
    profile: Profile = "",
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Show who did what, and what models cost.

    Also runs of agents, answers of models, events of cases and calls of MCP clients.
    """
    from cli.wiring.operations import open_audit
    from triage.domain.cases import case_id
    from triage.domain.operations.audit import AuditFilter

    where = AuditFilter(case=case_id(case) if case else "", profile=profile, since=_utc(since), until=_utc(until))
    found = Service(open_audit).ask(lambda audits: audits.report(where, limit))
    if as_json:
        print_json(found)
    else:
        _print(found)


def _utc(day: datetime | None) -> datetime | None:
    return day.replace(tzinfo=UTC) if day else None


def _print(found: "AuditReport") -> None:
    out = screen()
    out.print(table(*_spending(found)) if found.spending else "no model was asked")
    if found.spending:
        out.print(f"{sum(s.cost_usd for s in found.spending):.4f} USD in all", style="bold")
    for columns, rows, title in _tables(found):
        out.print(table(columns, rows, title))


def _spending(found: "AuditReport") -> "_Table":
    columns = ("day", "agent", "model", "answers", "tokens in/out", "USD", "unpriced")
    rows = [
        (f"{s.day}", s.profile, s.model, str(s.calls), *_paid(s, f"{s.cost_usd:.4f}"), str(s.unpriced or ""))
        for s in found.spending
    ]
    return columns, rows, "Cost by day (UTC), agent and model"


def _tables(found: "AuditReport") -> "Iterator[_Table]":
    """Yield columns, rows and title of each table; calls of MCP clients only if there are some."""
    deeds = [
        (_at(d.at), d.case, d.by or "Triage", f"{d.kind.replace('_', ' ')}: {d.state}", d.ticket, d.detail[:SHOWN])
        for d in found.deeds
    ]
    yield ("at (UTC)", "case", "who", "what", "ticket", "detail"), deeds, "\nWhat was done"
    runs = [(_at(r.started_at), r.run, r.profile, r.model, r.status, str(r.iterations), r.error) for r in found.runs]
    yield ("at (UTC)", "run", "agent", "model", "status", "rounds", "error"), runs, "\nRuns"
    calls = [
        (_at(c.at), c.run, str(c.number), c.model, *_paid(c, "" if c.cost_usd is None else f"{c.cost_usd:.4f}"))
        for c in found.calls
    ]
    yield ("at (UTC)", "run", "round", "model", "tokens in/out", "USD"), calls, "\nAnswers"
    events = [
        (_at(e.at), e.case, e.name, ", ".join(f"{name}={value}" for name, value in e.facts.items()))
        for e in found.events
    ]
    yield ("at (UTC)", "case", "event", "facts"), events, "\nEvents"
    asked = [
        (_at(m.at), m.client, f"{m.server}: {m.tool}", m.arguments[:SHOWN], m.outcome[:SHOWN]) for m in found.mcp_calls
    ]
    if asked:
        yield ("at (UTC)", "client", "tool", "arguments", "outcome"), asked, "\nCalls of MCP clients"


def _at(at: datetime) -> str:
    return f"{at:%m-%d %H:%M:%S}"


def _paid(one: "Spent | CallAudit", usd: str) -> tuple[str, str]:
    return f"{one.input_tokens}/{one.output_tokens}", usd
