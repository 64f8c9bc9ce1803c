"""The live metadata of the project, read in a handful of requests."""

import asyncio
from collections.abc import Iterable
from typing import Final

from integrations.jira.errors import well_formed
from integrations.jira.session import JiraSession
from integrations.jira.shapes import people_of
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected
from triage.domain.tickets import Person, Project, Status

_PAGE: Final = 200
_PEOPLE_PAGE: Final = 1000
_MOST_PEOPLE: Final = 10_000
_OURS: Final = frozenset(
    {"project", "issuetype", "summary", "description", "priority", "assignee", "labels", "components", "duedate"}
)
"""Fields that a draft fills; `reporter` is filled by Jira."""


async def read_project(session: JiraSession, key: str) -> Project:
    """Ask for everything at once. Raises `TicketGone` where there is no such project, or none that we may see."""
    about, types, statuses, people = await asyncio.gather(
        session.read("GET", f"project/{key}", about=key),
        _all_pages(session, f"issue/createmeta/{key}/issuetypes", key),
        session.read("GET", f"project/{key}/statuses", about=key),
        _assignable(session, key),
    )
    with well_formed("createmeta"):
        if about["key"] != key:
            raise TrackerRejected(problems={"JIRA_PROJECT_KEY": f"the project is called {about['key']} now"})
        types = [each for each in types if not each.get("subtask")]
        screens = await asyncio.gather(
            *(_all_pages(session, f"issue/createmeta/{key}/issuetypes/{each['id']}", key) for each in types)
        )
        fields = [{field.get("fieldId") or field["key"]: field for field in screen} for screen in screens]
        return Project(
            key=key,
            name=str(about["name"]),
            issue_types=tuple(str(each["name"]) for each in types),
            priorities=_allowed(fields, "priority"),
            components=_allowed(fields, "components"),
            statuses=_statuses(statuses),
            people=people,
            required={str(each["name"]): _required(screen) for each, screen in zip(types, fields, strict=True)},
        )


async def _all_pages(session: JiraSession, path: str, key: str) -> list[Json]:
    """Cloud calls the list by what is in it, Data Center `values`."""
    found: list[Json] = []
    while True:
        page = await session.read("GET", path, params={"startAt": len(found), "maxResults": _PAGE}, about=key)
        with well_formed("createmeta"):
            values: list[Json] = next((page[name] for name in ("issueTypes", "fields", "values") if name in page), [])
            found += values
            if not values or page.get("isLast") or len(found) >= int(page.get("total") or len(found)):
                return found


async def _assignable(session: JiraSession, key: str) -> tuple[Person, ...]:
    """Everybody who can be given a ticket. Page by page, as each Jira caps a page where it likes."""
    found: dict[str, Person] = {}
    start = 0
    while start < _MOST_PEOPLE:
        params: dict[str, str | int] = {"project": key, "startAt": start, "maxResults": _PEOPLE_PAGE}
        page = await session.read("GET", "user/assignable/search", params=params, about=key)
        with well_formed("assignable users"):
            known = len(found)
            found |= {person.id: person for person in people_of(page)}
            start += len(page)
            # All caps in use are round. A page of another size is the last one; so is one that says nothing new,
            # which is how a Data Center that knows no `startAt` answers.
            if len(page) % 50 or len(found) == known:
                break
    return tuple(found.values())


def _allowed(screens: Iterable[dict[str, Json]], field: str) -> tuple[str, ...]:
    """The values of a field over all issue types, in Jira's order; none where it is on no screen."""
    values = (value for screen in screens for value in (screen.get(field) or {}).get("allowedValues") or ())
    return tuple(dict.fromkeys(str(value["name"]) for value in values))


def _required(screen: dict[str, Json]) -> tuple[str, ...]:
    """What a person has to fill in that no draft of ours does."""
    return tuple(
        str(field.get("name") or name)
        for name, field in screen.items()
        if field.get("required") and not field.get("hasDefaultValue") and name not in _OURS | {"reporter"}
    )


def _statuses(by_type: Json) -> tuple[Status, ...]:
    with well_formed("statuses"):
        found = [status for each in by_type for status in each["statuses"]]
        return tuple(
            dict.fromkeys(
                Status(name=str(each["name"]), category=str((each.get("statusCategory") or {}).get("key", "new")))
                for each in found
            )
        )
