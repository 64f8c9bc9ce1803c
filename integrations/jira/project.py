"""The live metadata of the project, read in a handful of requests."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from integrations.jira.errors import well_formed
from integrations.jira.fitting import Fitter
from integrations.jira.kept import Kept
from integrations.jira.screen import EPIC_NAME, Field, Screen, name_of, screen_of
from integrations.jira.session import JiraSession
from integrations.jira.shapes import people_of
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone, TrackerDenied, TrackerRejected
from triage.domain.tickets import Person, Project, Status

_PAGE: Final = 200
_PEOPLE_PAGE: Final = 1000
_MOST_PEOPLE: Final = 10_000
_OURS: Final = frozenset(
    {
        "project",
        "issuetype",
        "summary",
        "description",
        "priority",
        "assignee",
        "labels",
        "components",
        "duedate",
        "reporter",
    }
)
"""Fields that a draft fills; `reporter` is filled by Jira."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkType:
    """How tickets can be tied."""

    name: str
    inward: str
    """"is duplicated by"."""
    outward: str
    """"duplicates"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What the adapter knows of the project: the part that the core sees, and the forms behind it."""

    project: Project
    screens: Mapping[str, Screen]
    """By the name of the issue type."""
    link_types: tuple[LinkType, ...] = ()
    fitter: Fitter

    def screen(self, issue_type: str) -> Screen:
        """The form of this type, in any case of letters. Raises `TrackerRejected` with those that there are."""
        found = self.screens.get(issue_type) or next(
            (screen for name, screen in self.screens.items() if name.casefold() == issue_type.casefold()), None
        )
        if found is None:
            told = f"there is no {issue_type!r}; there are: {', '.join(self.screens)}"
            raise TrackerRejected(problems={"issuetype": told})
        return found


class JiraProject:
    """The metadata as of some minutes ago, shared by all views of a tracker."""

    def __init__(self, key: str, defaults: Mapping[str, Json]) -> None:
        self._key = key
        self._defaults = defaults
        self._about: Kept[Json] = Kept()
        self._metadata: Kept[Metadata] = Kept()

    async def metadata(self, session: JiraSession) -> Metadata:
        """Everything. Raises `TicketGone` where there is no such project, or none that we may see."""
        return await self._metadata.get(lambda: self._read(session))

    async def service(self, session: JiraSession) -> bool:
        """Customers read along here; known from one request."""
        about = await self._about.get(lambda: _read_about(session, self._key))
        return bool(about["service"])

    async def defaults_for(self, session: JiraSession, fields: Sequence[Field]) -> dict[str, Json]:
        """Our settings' values for these fields, by id."""
        return (await self.metadata(session)).fitter.defaults_for(fields) if self._defaults else {}

    def forget(self) -> None:
        """A refusal says that the project has changed behind our back."""
        self._about.forget()
        self._metadata.forget()

    async def _read(self, session: JiraSession) -> Metadata:
        key = self._key
        about, kinds, statuses, people, link_types, limit = await asyncio.gather(
            self._about.get(lambda: _read_about(session, key)),
            _all_pages(session, f"issue/createmeta/{key}/issuetypes", key),
            session.read("GET", f"project/{key}/statuses", about=key),
            _assignable(session, key),
            _link_types(session),
            _upload_limit(session),
        )
        screens = await _screens(session, key, kinds)
        project = Project(
            key=key,
            name=str(about["name"]),
            issue_types=tuple(screens),
            priorities=_allowed(screens.values(), "priority"),
            components=_allowed(screens.values(), "components"),
            statuses=statuses_of(statuses),
            people=people,
            required={
                name: tuple(each.name for each in unfilled(screen, self._defaults)) for name, screen in screens.items()
            },
            service=about["service"],
            link_types=tuple(each.name for each in link_types),
            upload_limit=limit,
        )
        fitter = Fitter(site=await session.site(), defaults=self._defaults, people=people)
        return Metadata(project=project, screens=screens, link_types=link_types, fitter=fitter)


async def _read_about(session: JiraSession, key: str) -> Json:
    about = await session.read("GET", f"project/{key}", about=key)
    with well_formed("project"):
        if about["key"] != key:
            raise TrackerRejected(problems={"JIRA_PROJECT_KEY": f"the project is called {about['key']} now"})
        return {"name": str(about["name"]), "service": about.get("projectTypeKey") == "service_desk"}


async def _screens(session: JiraSession, key: str, kinds: list[Json]) -> dict[str, Screen]:
    """The form of each type that a ticket can be created with."""
    cloud = (await session.site()).cloud
    with well_formed("createmeta"):
        kinds = [each for each in kinds if not each.get("subtask")]
        paths = [f"issue/createmeta/{key}/issuetypes/{each['id']}" for each in kinds]
    forms = await asyncio.gather(*(_all_pages(session, path, key) for path in paths))
    with well_formed("createmeta"):
        screens = [screen_of(kind, form, cloud=cloud) for kind, form in zip(kinds, forms, strict=True)]
    return {screen.type_name: screen for screen in screens}


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


def _allowed(screens: Iterable[Screen], field_id: str) -> tuple[str, ...]:
    """The values of a field over all issue types, in Jira's order; none where it is on no screen."""
    fields = (each for screen in screens if (each := screen.fields.get(field_id)))
    return tuple(dict.fromkeys(name_of(value) for each in fields for value in each.allowed))


def unfilled(screen: Screen, defaults: Mapping[str, Json]) -> tuple[Field, ...]:
    """What Jira demands and neither a draft of ours nor our settings fill."""
    configured = {known.id for name in defaults if (known := screen.called(name))}
    return tuple(
        each
        for each in screen.fields.values()
        if each.required and each.id not in _OURS | configured and each.custom != EPIC_NAME
    )


def statuses_of(by_type: Json) -> tuple[Status, ...]:
    """The states of the project's workflows, each once."""
    with well_formed("statuses"):
        found = [status for each in by_type for status in each["statuses"]]
        return tuple(
            dict.fromkeys(
                Status(
                    name=str(each["name"]),
                    category=str((each.get("statusCategory") or {}).get("key", "")),
                    id=str(each.get("id", "")),
                )
                for each in found
            )
        )


async def _link_types(session: JiraSession) -> tuple[LinkType, ...]:
    """None where links are switched off, or a scoped token does not reach them."""
    try:
        return link_types_of(await session.read("GET", "issueLinkType", about="issueLinkType"))
    except (TicketGone, TrackerDenied):
        return ()


def link_types_of(answer: Json) -> tuple[LinkType, ...]:
    """How tickets can be tied here."""
    with well_formed("link types"):
        return tuple(
            LinkType(name=str(each["name"]), inward=str(each["inward"]), outward=str(each["outward"]))
            for each in answer["issueLinkTypes"]
        )


async def _upload_limit(session: JiraSession) -> int:
    """The largest file that can be attached; 0 where none can, as far as we may know."""
    try:
        answer = await session.read("GET", "attachment/meta", about="attachment/meta")
    except (TicketGone, TrackerDenied):
        return 0
    with well_formed("attachment/meta"):
        return int(answer.get("uploadLimit") or 0) if answer.get("enabled", True) else 0
