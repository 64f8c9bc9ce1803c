"""Reads the live metadata of the project and caches it."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from loguru import logger

from integrations.jira.http.errors import well_formed
from integrations.jira.http.refusals import permitted, project_shown
from integrations.jira.http.session import JiraSession
from integrations.jira.http.ttl_cache import TtlCache
from integrations.jira.issue.fitting import Fitter
from integrations.jira.issue.screen import EPIC_NAME, IssueScreen, ScreenField, name_of, screen_of
from integrations.jira.project import assignable
from integrations.jira.project.custom_fields import custom_fields, field_problems, number_field
from integrations.jira.shapes import people_of
from triage.domain.conversation import Json
from triage.domain.errors import ProjectHidden, TrackerRejected
from triage.domain.tickets import Person, Project, Status

_PAGE: Final = 200
_PEOPLE_SECONDS: Final = 3600.0
"""Cache time for a list of people that took dozens of requests."""
_WITHOUT_CUSTOMERS: Final = frozenset({"software", "business"})
"""Project types without customers; in any other type customers may read comments."""
_OURS: Final = frozenset(
    {
        *("project", "issuetype", "summary", "description", "priority", "assignee", "labels", "components"),
        *("duedate", "reporter"),
    }
)
"""Fields that a draft fills; `reporter` is filled by Jira."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkType:
    """A type of link between tickets."""

    name: str
    inward: str
    """"is duplicated by"."""
    outward: str
    """"duplicates"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectMetadata:
    """The project as the core sees it, with the forms and link types behind it."""

    project: Project
    screens: Mapping[str, IssueScreen]
    """By the name of the issue type."""
    link_types: tuple[LinkType, ...] = ()
    fitter: Fitter

    def screen(self, issue_type: str) -> IssueScreen:
        """Return the form of this type, case-insensitively. Raises `TrackerRejected` with the existing types."""
        found = self.screens.get(issue_type) or next(
            (screen for name, screen in self.screens.items() if name.casefold() == issue_type.casefold()), None
        )
        if found is None:
            problem = f"there is no {issue_type!r}; there are: {', '.join(self.screens)}"
            raise TrackerRejected(problems={"issuetype": problem})
        return found


@dataclass(frozen=True, slots=True)
class _People:
    """The people who can be assigned."""

    known: tuple[Person, ...]
    cut: bool
    """Some may be missing."""
    walked: bool
    """Reading them took many requests."""


class JiraProject:
    """The cached metadata of one project, shared by all views of a tracker."""

    def __init__(
        self, key: str, defaults: Mapping[str, Json], choices: Mapping[str, Sequence[str]], count_field: str
    ) -> None:
        self._key = key
        self._defaults = defaults
        self._choices = choices
        self._count_field = count_field
        self._about: TtlCache[Json] = TtlCache()
        self._metadata: TtlCache[ProjectMetadata] = TtlCache()
        self._many: TtlCache[_People] = TtlCache(_PEOPLE_SECONDS)

    async def metadata(self, session: JiraSession) -> ProjectMetadata:
        """Return the metadata, cached for five minutes. Raises `ProjectHidden` if our account sees no such project."""
        return await self._metadata.get(lambda: project_shown(self._key, self._read(session)))

    async def service(self, session: JiraSession) -> bool:
        """Tell whether this is a service project, where tickets can be requests; takes one request."""
        about = await self._about.get(lambda: project_shown(self._key, _read_about(session, self._key)))
        return bool(about["service"])

    async def customers(self, session: JiraSession) -> bool:
        """Tell whether customers may read comments here; uses the same request."""
        about = await self._about.get(lambda: project_shown(self._key, _read_about(session, self._key)))
        return bool(about["customers"])

    async def defaults_for(self, session: JiraSession, fields: Sequence[ScreenField]) -> dict[str, Json]:
        """Return our settings' values for these fields, by id."""
        return (await self.metadata(session)).fitter.defaults_for(fields) if self._defaults else {}

    async def _people(self, session: JiraSession) -> _People:
        people = self._many.now or await _assignable(session, self._key)
        if people.walked:
            self._many.put(people)
        return people

    def forget(self) -> None:
        """Drop the caches after a refusal that shows that the project has changed."""
        self._about.forget()
        self._metadata.forget()

    async def _read(self, session: JiraSession) -> ProjectMetadata:
        key = self._key
        about, kinds, statuses, people, link_types, limit = await asyncio.gather(
            self._about.get(lambda: _read_about(session, key)),
            _all_pages(session, f"issue/createmeta/{key}/issuetypes", key),
            session.read("GET", f"project/{key}/statuses", about=key),
            self._people(session),
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
            component_texts=about["components"],
            versions=_allowed(screens.values(), "versions"),
            count_field=number_field(screens.values(), self._count_field),
            fields=custom_fields(screens.values(), self._choices),
            statuses=statuses_of(statuses),
            people=people.known,
            people_cut=people.cut,
            required={
                name: tuple(each.name for each in unfilled(screen, self._defaults)) for name, screen in screens.items()
            },
            service=about["customers"],
            link_types=tuple(each.name for each in link_types),
            upload_limit=limit,
        )
        for name, problem in field_problems(screens.values(), self._choices):
            logger.warning("jira.field", field=name, problem=problem, cure="`triage doctor` shows the lines to correct")
        fitter = Fitter(site=await session.site(), defaults=self._defaults, people=people.known)
        return ProjectMetadata(project=project, screens=screens, link_types=link_types, fitter=fitter)


async def _read_about(session: JiraSession, key: str) -> Json:
    about = await session.ask(f"project/{key}", lambda jira: jira.project(key), about=key)
    with well_formed("project"):
        if about["key"] != key:
            raise ProjectHidden(key, f"it is called {about['key']} now")
        kind = about.get("projectTypeKey")
        return {
            "name": str(about["name"]),
            "service": kind == "service_desk",
            "customers": kind not in _WITHOUT_CUSTOMERS,
            "components": {
                str(each["name"]): str(each["description"])
                for each in about.get("components") or ()
                if each.get("description")
            },
        }


async def _screens(session: JiraSession, key: str, kinds: list[Json]) -> dict[str, IssueScreen]:
    """Read the create form of each issue type, by type name; sub-tasks are left out."""
    cloud = (await session.site()).cloud
    with well_formed("createmeta"):
        kinds = [each for each in kinds if not each.get("subtask")]
        paths = [f"issue/createmeta/{key}/issuetypes/{each['id']}" for each in kinds]
    forms = await asyncio.gather(*(_all_pages(session, path, key) for path in paths))
    with well_formed("createmeta"):
        screens = [screen_of(kind, form, cloud=cloud) for kind, form in zip(kinds, forms, strict=True)]
    return {screen.type_name: screen for screen in screens}


async def _all_pages(session: JiraSession, path: str, key: str) -> list[Json]:
    """Read all pages; Cloud names the list after its content, Data Center `values`."""
    found: list[Json] = []
    while True:
        page = await session.read("GET", path, params={"startAt": len(found), "maxResults": _PAGE}, about=key)
        with well_formed("createmeta"):
            values: list[Json] = next((page[name] for name in ("issueTypes", "fields", "values") if name in page), [])
            found += values
            if not values or page.get("isLast") or len(found) >= int(page.get("total") or len(found)):
                return found


async def _assignable(session: JiraSession, key: str) -> _People:
    """Read the people who can be assigned; none if our account may not ask for people."""

    async def ask(params: Mapping[str, str | int]) -> list[Json]:
        page = await session.read("GET", assignable.PATH, params={"project": key, **params}, about=key)
        with well_formed("assignable users"):
            return list(page)

    cloud = (await session.site()).cloud
    users, cut = await permitted(assignable.everybody(ask, cloud=cloud), session, ([], True))
    with well_formed("assignable users"):
        known = {person.id: person for person in people_of(users)}
    # Duplicates occur only if the list was read by prefixes.
    return _People(tuple(known.values()), cut=cut, walked=len(users) > len(known))


def _allowed(screens: Iterable[IssueScreen], field_id: str) -> tuple[str, ...]:
    """Return the allowed values of a field over all issue types, in Jira's order, without archived ones; none if it is on no screen."""
    fields = (each for screen in screens if (each := screen.fields.get(field_id)))
    return tuple(
        dict.fromkeys(name_of(value) for each in fields for value in each.allowed if not value.get("archived"))
    )


def unfilled(screen: IssueScreen, defaults: Mapping[str, Json]) -> tuple[ScreenField, ...]:
    """Return the required fields that neither a draft nor our settings fill."""
    configured = {known.id for name in defaults if (known := screen.called(name))}
    return tuple(
        each
        for each in screen.fields.values()
        if each.required and each.id not in _OURS | configured and each.custom != EPIC_NAME
    )


def statuses_of(by_type: Json) -> tuple[Status, ...]:
    """Return the statuses of the project's workflows, each once."""
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
    """Read the link types; none if links are switched off or the token lacks the scope."""
    answer = await permitted(
        session.ask("issueLinkType", lambda jira: jira.issue_link_types(force=True), about="issueLinkType"),
        session,
        {"issueLinkTypes": []},
    )
    return link_types_of(answer)


def link_types_of(answer: Json) -> tuple[LinkType, ...]:
    """Convert Jira's link types. Raises `TrackerDown` for another shape."""
    with well_formed("link types"):
        return tuple(
            LinkType(name=str(each["name"]), inward=str(each["inward"]), outward=str(each["outward"]))
            for each in answer["issueLinkTypes"]
        )


async def _upload_limit(session: JiraSession) -> int:
    """Return the largest attachment in bytes; 0 if attachments are switched off or hidden from our account."""
    answer = await permitted(
        session.ask("attachment/meta", lambda jira: jira.attachment_meta(), about="attachment/meta"), session, {}
    )
    with well_formed("attachment/meta"):
        return int(answer.get("uploadLimit") or 0) if answer.get("enabled", True) else 0
