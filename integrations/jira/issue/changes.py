"""Reads the changelog of a ticket: by pages on Cloud, with the issue on Data Center."""

from collections.abc import Iterable
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.shapes import id_of, person_of, time_of
from triage.domain.conversation import Json
from triage.domain.tickets import FieldChange

_PAGE: Final = 100
_FIELDS: Final = {"component": "components", "link": "issuelinks"}
"""Data Center's names of fields, where Cloud's `fieldId` is another one."""


async def changes(session: JiraSession, ours: CreatedTickets, key: str) -> tuple[FieldChange, ...]:
    """Return all changes, oldest first. Raises `TicketGone`, also if the ticket was moved to another project."""
    site = await session.site()
    if site.cloud:
        return _changes(await _by_pages(session, await ours.sure(session, key)))
    asked = {"fields": "project", "expand": "changelog"}
    issue = ours.checked(key, await session.read("GET", f"issue/{ours.named(key)}", params=asked, about=key))
    with well_formed("issue"):
        return _changes(issue["changelog"]["histories"])


async def _by_pages(session: JiraSession, key: str) -> list[Json]:
    histories: list[Json] = []
    while True:
        asked: dict[str, str | int] = {"startAt": len(histories), "maxResults": _PAGE}
        page = await session.read("GET", f"issue/{key}/changelog", params=asked, about=key)
        with well_formed("changelog"):
            found = page["values"]
            histories += found
            if not found or len(histories) >= int(page.get("total") or 0):
                return histories


def _changes(histories: Iterable[Json]) -> tuple[FieldChange, ...]:
    with well_formed("changelog"):
        found = [_change(history, item) for history in histories for item in history["items"]]
    return tuple(sorted(found, key=lambda change: change.at))


def _change(history: Json, item: Json) -> FieldChange:
    field = str(item.get("fieldId") or item["field"])
    author = history.get("author") or {}  # changes by a deleted account have none
    at = time_of(history["created"])
    if at is None:
        raise ValueError("a change without a time")
    return FieldChange(
        field=_FIELDS.get(field.casefold(), field),
        was=str(item.get("fromString") or ""),
        becomes=str(item.get("toString") or ""),
        author=id_of(author),
        author_name=person_of(author).name,
        at=at,
    )
