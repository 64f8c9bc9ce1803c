"""Reads the sprints of the project's board and puts a ticket into one."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.refusals import settled
from integrations.jira.http.session import JiraSession
from integrations.jira.http.ttl_cache import TtlCache
from integrations.jira.http.wire import Question
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.screen import SPRINT
from integrations.jira.jql import in_sprints
from integrations.jira.search import JiraSearch
from integrations.jira.shapes import time_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected
from triage.domain.tickets import Sprint
from triage.domain.untrusted import Untrusted

Turn = Callable[[int, Any], object]
"""Reads the page that starts at this index."""

_AGILE: Final = "/agile/1.0"
_PAGE: Final = 50
_MOST_PAGES: Final = 40
_CLOSED: Final = 5
_MOST_TICKETS: Final = 5_000
_BIG_PAGE: Final = 1_000
_ORDER: Final = ("active", "future", "closed")
# Data Center returns a ticket's sprints as Java's toString: …Sprint@1f[id=7,rapidViewId=1,…] or […,id=7,name=…].
_PRINTED: Final = re.compile(r"[\[,]id=(\d+),")


class JiraSprints:
    """The sprints, cached for five minutes and shared by all views of a tracker."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._sprints: TtlCache[tuple[Sprint, ...]] = TtlCache()

    async def all(self, session: JiraSession, search: JiraSearch) -> tuple[Sprint, ...]:
        """Return active, future and the latest closed sprints; none if the project has no board with sprints."""
        return await self._sprints.get(lambda: self._read(session, search))

    async def place(self, session: JiraSession, ours: CreatedTickets, key: str, sprint: int) -> None:
        """Put a ticket into a sprint; repeating it changes nothing. Raises `TrackerRejected` with the cure."""
        await ours.sure(session, key)
        answer = await session.write("POST", f"{_AGILE}/sprint/{sprint}/issue", {"issues": [key]})
        await settled(session, ours, key, answer, "sprint", f"there is no sprint {sprint} that our account may plan")
        self._sprints.forget()

    async def _read(self, session: JiraSession, search: JiraSearch) -> tuple[Sprint, ...]:
        shapes = await self._of_board(session)
        with well_formed("sprints"):
            held = await _counts(session, search, [int(each["id"]) for each in shapes])
            return tuple(_sprint(each, held) for each in sorted(shapes, key=lambda each: _ORDER.index(each["state"])))

    async def _of_board(self, session: JiraSession) -> list[Json]:
        """Return the sprints of the first board that has some; boards of other projects come last."""
        boards = await _pages(
            session,
            f"{_AGILE}/board",
            lambda start, jira: jira.boards(startAt=start, maxResults=_PAGE, projectKeyOrID=self._project),
        )
        with well_formed("boards"):
            ranked = sorted((each for each in boards if each.get("type") != "kanban"), key=self._foreign)
            for board in ranked:
                if found := await _of_one(session, int(board["id"])):
                    return found
        return []

    def _foreign(self, board: Json) -> tuple[bool, int]:
        return (board.get("location") or {}).get("projectKey", self._project) != self._project, int(board["id"])


async def _of_one(session: JiraSession, board: int) -> list[Json]:
    """Return a board's active and future sprints, and the latest closed ones, newest first."""

    def in_state(state: str) -> Turn:
        return lambda start, jira: jira.sprints(board, startAt=start, maxResults=_PAGE, state=state)

    path = f"{_AGILE}/board/{board}/sprint"
    planned, closed = await asyncio.gather(
        _pages(session, path, in_state("active,future")), _pages(session, path, in_state("closed"), last=_CLOSED)
    )
    with well_formed("sprints"):
        closed.sort(key=lambda each: str(each.get("completeDate") or each.get("endDate") or ""), reverse=True)
    return [*planned, *closed[:_CLOSED]]


async def _page(session: JiraSession, path: str, ask: Question) -> Json | None:
    """Read one page; None if Jira or the board has no sprints."""
    try:
        return await session.ask(path, ask, about=path)
    except (TicketGone, TrackerRejected):
        return None
    except TrackerDenied as e:
        if e.status == HTTPStatus.FORBIDDEN:  # boards (Jira Software) need a licence of their own
            return None
        raise


async def _pages(session: JiraSession, path: str, turn: Turn, *, last: int = 0) -> list[Json]:
    """Read all pages, or only the last entries if the answer has a total; none if Jira or the board has no sprints."""
    found: list[Json] = []
    start = 0
    for _ in range(_MOST_PAGES):
        page = await _page(session, path, partial(turn, start))
        if page is None:
            return []
        with well_formed("pages"):
            values: list[Json] = page["values"]
            found += values
            start += len(values)
            total = int(page.get("total") or 0)
            if page.get("isLast") or not values or (total and start >= total):
                break
            start = max(start, total - last if last else 0)
    return found


async def _counts(session: JiraSession, search: JiraSearch, sprints: Sequence[int]) -> Counter[int]:
    if not sprints:
        return Counter()
    fields = await session.ask("field", lambda jira: jira.fields())
    with well_formed("fields"):
        known = [str(each["id"]) for each in fields if (each.get("schema") or {}).get("custom") == SPRINT]
    if not known:
        return Counter()
    issues = await search.issues(in_sprints(sprints), fields=known, limit=_MOST_TICKETS, page=_BIG_PAGE)
    with well_formed("search"):
        return Counter(number for issue in issues for number in {*_in(issue["fields"].get(known[0]))})


def _in(value: Json) -> Iterator[int]:
    """Yield the ids of the sprints that a ticket is or was in."""
    for each in value or ():
        if isinstance(each, dict):
            yield int(each["id"])
        elif printed := _PRINTED.search(str(each)):
            yield int(printed[1])


def _sprint(shape: Json, held: Counter[int]) -> Sprint:
    return Sprint(
        id=int(shape["id"]),
        name=Untrusted(str(shape["name"])),
        state=str(shape["state"]),
        start=time_of(shape.get("startDate")),
        end=time_of(shape.get("endDate")),
        tickets=held[int(shape["id"])],
    )
