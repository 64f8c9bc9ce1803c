"""Audit: who did what about which mail, which model was asked, what it cost, and on demand each step."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Response

from triage.domain.cases import case_id
from triage.domain.errors import CaseNotFound
from triage.domain.operations.audit import AuditFilter, AuditReport, CallAudit, CaseEvent, Deed, RunAudit, Spent
from triage.domain.operations.case_lists import SearchInvalid
from triage.domain.operations.mcp import McpCall
from triage.domain.operations.tokens import AccessScope
from web.console.console import Console
from web.console.guard import Viewer
from web.console.headers import PRIVATE
from web.console.insights.spreadsheet import inert
from web.console.pages.case.deeds import WORDS

SHOWN: Final = 100
EXPORTED: Final = 10_000
TRIAGE: Final = "Triage"
"""Who did what no person did."""
DECIDED: Final = {
    "approval": "Decided an approval",
    "correction": "Corrected",
    "letter": "Sent a letter",
    "sign_in_refused": "Sign-in refused",
}
Table = Literal["deeds", "cost", "runs", "answers", "events", "mcp"]
Text = Annotated[str, Query(max_length=100)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditForm:
    """What the form of the page says; days as `2026-11-22` (UTC)."""

    case: Text = ""
    profile: Text = ""
    since: Text = ""
    until: Text = ""

    @property
    def filter(self) -> AuditFilter:
        """The filter for the audit service; the last day is included. Raises `SearchInvalid`."""
        until = _midnight(self.until)
        return AuditFilter(
            case=_case(self.case.strip()),
            profile=self.profile.strip(),
            since=_midnight(self.since),
            until=until + timedelta(days=1) if until else None,
        )


pages = APIRouter(prefix="/audit")


@pages.get("")
async def audit(console: Console, who: Viewer, asked: Annotated[AuditForm, Depends()]) -> Response:
    """Show the newest rows of each table; sums are over all."""
    facts = {"asked": asked, "query": console.http.url.query, "did": did, "text_of": event_text, "inside": inside}
    try:
        found = await console.services.audit.report(asked.filter, SHOWN, words=who.may(AccessScope.READER))
    except SearchInvalid as e:
        return console.page("audit/page.html", 422, **facts, wrong=e.sentence(), found=None, total=0.0)
    total = sum(one.cost_usd for one in found.spending)
    return console.page("audit/page.html", **facts, wrong="", found=found, total=total)


@pages.get("/{table}.csv")
async def export(console: Console, who: Viewer, table: Table, asked: Annotated[AuditForm, Depends()]) -> Response:
    """Return a table for spreadsheets; no cell of it is a formula."""
    lines = tuple(
        rows_of(await console.services.audit.report(asked.filter, EXPORTED, words=who.may(AccessScope.READER)), table)
    )
    headers = {**PRIVATE, "content-disposition": f'attachment; filename="triage-{table}.csv"'}
    return Response(csv_of(lines), headers=headers, media_type="text/csv")


def rows_of(found: AuditReport, table: Table) -> Iterator[Sequence[str]]:
    """Yield a table's head and rows."""
    head, rows = TABLES[table]
    yield head.split(", ")
    yield from rows(found)


def csv_of(lines: Sequence[Sequence[str]]) -> str:
    out = StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([inert(cell) for cell in line] for line in lines)
    return out.getvalue()


def _deed(done: Deed) -> Sequence[str]:
    return _at(done.at), done.case, done.by or TRIAGE, did(done), done.ticket, done.detail


def _event(one: CaseEvent) -> Sequence[str]:
    return _at(one.at), one.case, one.name, ", ".join(filter(None, (event_text(one), inside(one, indent=None))))


def _mcp_call(one: McpCall) -> Sequence[str]:
    return _at(one.at), one.run, one.server, one.client, one.tool, one.arguments, one.outcome


def _spent(s: Spent) -> Sequence[str]:
    counts = (s.calls, s.input_tokens, s.output_tokens, f"{s.cost_usd:.6f}", s.unpriced)
    return f"{s.day}", s.profile, s.model, *map(str, counts)


def _run(r: RunAudit) -> Sequence[str]:
    cost = _usd(r.usage.cost_usd)
    return _at(r.started_at), r.case, r.run, r.profile, r.model, r.status, str(r.iterations), cost, r.error


def _answer(c: CallAudit) -> Sequence[str]:
    tokens = (str(c.input_tokens), str(c.output_tokens))
    return _at(c.at), c.case, c.run, str(c.number), c.model, *tokens, _usd(c.cost_usd), f"{c.ms:.0f}"


TABLES: Final[Mapping[Table, tuple[str, Callable[[AuditReport], Iterable[Sequence[str]]]]]] = {
    "deeds": ("at (UTC), case, who, what, ticket, detail", lambda found: map(_deed, found.deeds)),
    "cost": (
        "day (UTC), agent, model, answers, tokens in, tokens out, USD, answers without a price",
        lambda found: map(_spent, found.spending),
    ),
    "runs": ("at (UTC), case, run, agent, model, status, rounds, USD, error", lambda found: map(_run, found.runs)),
    "answers": (
        "at (UTC), case, run, round, model, tokens in, tokens out, USD, ms",
        lambda found: map(_answer, found.calls),
    ),
    "events": ("at (UTC), case, event, facts", lambda found: map(_event, found.events)),
    "mcp": (
        "at (UTC), session, server, client, tool, arguments, outcome",
        lambda found: map(_mcp_call, found.mcp_calls),
    ),
}
"""The columns of each table, and its rows."""


def did(deed: Deed) -> str:
    """Return a deed in words, with its state unless it is simply done."""
    words = WORDS.get(deed.kind) or DECIDED.get(deed.kind, deed.kind.replace("_", " ").capitalize())
    return words if deed.state in {"done", "sent"} else f"{words}: {deed.state.replace('_', ' ')}"


def event_text(event: CaseEvent) -> str:
    """Return the plain facts of an event in one line."""
    plain = event.wordless().facts.items()
    return ", ".join(
        f"{name}: {round(value, 2) if isinstance(value, float) else value}"
        for name, value in plain
        if value not in ("", None)
    )


def inside(event: CaseEvent, indent: int | None = 2) -> str:
    """Return as JSON what a step read and found; empty: nothing."""
    plain = event.wordless().facts
    found = {name: value for name, value in event.facts.items() if name not in plain and value}
    return json.dumps(found, ensure_ascii=False, indent=indent) if found else ""


def _usd(cost: float | None) -> str:
    return "" if cost is None else f"{cost:.6f}"


def _at(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def _case(text: str) -> str:
    try:
        return case_id(text) if text else ""
    except CaseNotFound:
        raise SearchInvalid(text, "is no case: write its number, such as 17") from None


def _midnight(day: str) -> datetime | None:
    try:
        return datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) if day else None
    except ValueError:
        raise SearchInvalid(day, "is no day: write it as 2026-11-22") from None
