"""The inbox: cases, what waits for a person first; searches, saved views, the live view."""

from datetime import tzinfo
from typing import Annotated, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from fastapi import APIRouter, Form, Header, Path, Query, Request, Response

from triage.domain.operations.case_lists import InboxLine, Pulse, SavedView, SearchInvalid
from triage.domain.operations.tokens import AccessScope
from triage.policy.case_lists.query import LONGEST, ReaderClock, filter_of
from triage.services.case_lists.inbox import InboxQuery
from web.console.console import Console
from web.console.guard import Approver, Viewer, Visitor
from web.console.headers import PRIVATE
from web.console.inbox.rows import InboxRow, row_of
from web.console.render import after
from web.context import WebContext

ZONE: Final = "triage_zone"
"""Cookie with the reader's time zone, which the script of the inbox sets."""
Query_ = Annotated[str, Query(alias="q", max_length=2000)]
Number = Annotated[str, Path(pattern=r"^[1-9][0-9]{0,8}$")]

pages = APIRouter()


def _rows(console: Console, lines: tuple[InboxLine, ...]) -> list[InboxRow]:
    now = console.services.inbox.clock.now()
    return [row_of(line, now) for line in lines]


@pages.get("/")
async def inbox(
    console: Console,
    visitor: Viewer,
    query: Query_ = "",
    tab: Annotated[str, Query(max_length=20)] = "",
    before: Annotated[str, Query(pattern=r"^([1-9][0-9]{0,8})?$")] = "",
    go: str = "",
) -> Response:
    """List cases; with `go` open the one that the text names."""
    if go and (number := await console.services.inbox.case_meant(query)):
        return after(f"/cases/{number}")
    zone = zone_of(console.http)
    page = await console.services.inbox.page(InboxQuery(tab=tab, query=query, before=before, zone=zone))
    return console.page(
        "inbox/page.html",
        422 if page.wrong else 200,
        page=page,
        rows=_rows(console, page.lines),
        query=query,
        before=before,
        address=address_of,
        views=views_of(console.services, await console.services.inbox.views(visitor.approver.identity), visitor, zone),
    )


@pages.get("/inbox/threads/{number}")
async def thread(console: Console, _: Viewer, number: Number) -> Response:
    """List the cases of a thread: as a page, or as the lines below one that is shown."""
    lines = _rows(console, await console.services.inbox.thread(number))
    template = "inbox/thread_lines.html" if console.http.headers.get("hx-request") else "inbox/thread.html"
    return console.page(template, rows=lines, number=number)


@pages.get("/live")
async def listen(
    console: Console,
    _: Viewer,
    pulse: Annotated[str, Query(max_length=60)] = "",
    last_event_id: Annotated[str, Header(max_length=60)] = "",
) -> Response:
    return console.streams.answer(console.live.changes_since(Pulse.read(last_event_id or pulse)), PRIVATE)


@pages.post("/inbox/views")
async def keep(
    console: Console,
    visitor: Approver,
    name: Annotated[str, Form(max_length=200)],
    query: Annotated[str, Form(alias="q", max_length=LONGEST)] = "",
    tab: Annotated[str, Form(max_length=20)] = "",
    shared: Annotated[str, Form(max_length=5)] = "",
) -> Response:
    """Keep a search under a name."""
    view = SavedView(name=name, query=query, tab=tab, owner=visitor.approver.identity, shared=bool(shared))
    kept = await console.services.inbox.keep(view, zone_of(console.http))
    return after(address_of(kept.tab, kept.query), f"Kept as “{kept.name}”.")


@pages.post("/inbox/views/{number}/delete")
async def drop(console: Console, visitor: Approver, number: Number) -> Response:
    gone = await console.services.inbox.drop(
        int(number), visitor.approver.identity, others=visitor.may(AccessScope.ADMIN)
    )
    return after("/", f"“{gone.name}” is deleted.")


def zone_of(http: Request) -> tzinfo:
    """Return the reader's time zone, UTC where no script has told it."""
    try:
        return ZoneInfo(http.cookies.get(ZONE, "").replace("%2F", "/") or "UTC")
    except (ValueError, ZoneInfoNotFoundError, OSError):
        return ZoneInfo("UTC")


def address_of(tab: str, query: str = "", before: str = "") -> str:
    """Return the path of a page of the inbox."""
    asked = {name: value for name, value in (("tab", tab), ("q", query), ("before", before)) if value}
    return f"/?{urlencode(asked)}" if asked else "/"


def views_of(
    at: WebContext, views: tuple[SavedView, ...], visitor: Visitor, zone: tzinfo
) -> list[tuple[SavedView, str, bool]]:
    """Return views, what is wrong with each (empty: nothing), and whether the visitor may delete it."""
    return [
        (one, _wrong(at, one, zone), one.owner == visitor.approver.identity or visitor.may(AccessScope.ADMIN))
        for one in views
    ]


def _wrong(at: WebContext, view: SavedView, zone: tzinfo) -> str:
    try:
        filter_of(view.query, ReaderClock(at.inbox.clock.now(), zone))
    except SearchInvalid as e:
        return e.sentence()
    return ""
