"""Creates tickets of a service project as requests, so that customers see them in the portal.

The service desk API takes neither labels nor properties. So the POST carries the mark as the description's last line, and
a repeatable second request sets label, property and the fields that the form lacks.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from integrations.jira.http.errors import well_formed, written
from integrations.jira.http.refusals import accepted
from integrations.jira.http.session import JiraSession
from integrations.jira.http.ttl_cache import TtlCache
from integrations.jira.issue.creating import explained, key_of
from integrations.jira.issue.draft import CreateAttempt
from integrations.jira.issue.fitting import Fitter
from integrations.jira.issue.screen import IssueScreen, screen_of
from integrations.jira.project.project import ProjectMetadata
from integrations.jira.shapes import Site
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected, TriageError
from triage.domain.tickets import Created, Mark, TicketDraft

_API: Final = "/servicedeskapi"
_PAGE: Final = 50
_CURE: Final = "check JIRA_REQUEST_TYPE"


class JiraDesk:
    """Creates requests; the form is cached for five minutes and shared by all views of a tracker."""

    def __init__(self, project: str, request_type: str) -> None:
        self._project = project
        self._request_type = request_type
        self._form: TtlCache[tuple[str, IssueScreen]] = TtlCache()

    async def create(
        self, session: JiraSession, metadata: ProjectMetadata, draft: TicketDraft, mark: Mark, *, behalf: str = ""
    ) -> Created:
        """Create the request, for the person `behalf` (id) if given, then mark the ticket. Raises `TrackerRejected`."""
        draft = replace(draft, panel=None)  # customers read descriptions
        desk, form = await self._form.get(lambda: self._read(session))
        attempt = _fitted(metadata.fitter, form, draft, mark)
        site = metadata.fitter.site
        while True:
            body: dict[str, Json] = {
                "serviceDeskId": desk,
                "requestTypeId": form.type_id,
                "requestFieldValues": attempt.fields(replace(site, wiki=True)),
                **({"raiseOnBehalfOf": behalf} if behalf else {}),
            }
            answer = await session.write("POST", f"{_API}/request", body)
            try:
                key = key_of(accepted(answer, "request", _CURE), "issueKey")
            except TrackerRejected as e:
                self._form.forget()
                plainer = attempt.without(e.problems)
                if plainer is None or not plainer.line:
                    raise TrackerRejected(problems=explained(e.problems, attempt)) from None
                attempt = plainer
            else:
                cut = tuple(name for name in attempt.dropped if name == "description")
                left = await _complete(session, site, key, _rest(draft, mark, attempt, metadata))
                return Created(key=key, url=site.link(key), dropped=cut + left)

    async def mark(self, session: JiraSession, site: Site, key: str, mark: Mark) -> None:
        """Set label and property on a request found by its last line; repeating it changes nothing."""
        bare = TicketDraft(summary="", description="", issue_type="")
        await _complete(session, site, key, _bare(bare, mark))

    async def _read(self, session: JiraSession) -> tuple[str, IssueScreen]:
        """Return the desk's id and the form. Raises `TrackerRejected` if there is no such request type."""
        desks = await _pages(session, f"{_API}/servicedesk")
        with well_formed("service desks"):
            desk = next((str(each["id"]) for each in desks if each.get("projectKey") == self._project), None)
        if desk is None:
            raise _none(f"{self._project} has no service desk that our account may use")
        path = f"{_API}/servicedesk/{desk}/requesttype"
        kinds = await _pages(session, path)
        with well_formed("request types"):
            kind = _named(kinds, self._request_type)
        shape = await session.read("GET", f"{path}/{kind['id']}/field", about=path)
        screen = form_of(kind, shape, cloud=(await session.site()).cloud)
        if "description" not in screen:
            raise _none(f"{kind['name']} asks for no description, where our mark has to stand; add it to the form")
        return desk, screen


def _named(kinds: Sequence[Json], wanted: str) -> Json:
    """Return the request type of this name. Raises `TrackerRejected` if there is none."""
    kind = next((each for each in kinds if str(each["name"]).casefold() == wanted.casefold()), None)
    if kind is None:
        raise _none(f"there is no request type {wanted!r}; there are: {', '.join(str(each['name']) for each in kinds)}")
    return kind


def _none(text: str) -> TrackerRejected:
    return TrackerRejected(problems={"JIRA_REQUEST_TYPE": text})


async def _pages(session: JiraSession, path: str) -> list[Json]:
    found: list[Json] = []
    while True:
        params: dict[str, str | int] = {"start": len(found), "limit": _PAGE}
        page = await session.read("GET", path, params=params, about=path)
        with well_formed("pages"):
            found += page["values"]
            if page.get("isLastPage", True) or not page["values"]:
                return found


def form_of(kind: Json, shape: Json, *, cloud: bool) -> IssueScreen:
    """Convert the fields that a customer fills in to the form of ordinary create metadata."""
    with well_formed("request fields"):
        fields = [_as_metadata(each) for each in shape["requestTypeFields"] if each.get("visible", True)]
        return screen_of(kind, fields, cloud=cloud)


def _as_metadata(shape: Json) -> Json:
    """Convert one field to the shape of create metadata."""
    return {
        "fieldId": shape["fieldId"],
        "name": shape.get("name"),
        "required": shape.get("required"),
        "hasDefaultValue": bool(shape.get("defaultValues")),
        "schema": shape.get("jiraSchema"),
        "allowedValues": [_choice(each) for each in shape.get("validValues") or ()],
    }


def _choice(shape: Json) -> Json:
    return {
        "id": shape["value"],
        "name": shape.get("label") or shape["value"],
        "children": [_choice(each) for each in shape.get("children") or ()],
    }


def _fitted(fitter: Fitter, form: IssueScreen, draft: TicketDraft, mark: Mark) -> CreateAttempt:
    """Fit the draft to the form; labels wait for the second request, which sets them with the mark."""
    bare = replace(fitter, site=replace(fitter.site, wiki=True)).fit(replace(draft, labels=()), mark, form)
    return replace(bare, label=False, line=True, property=False)


def _rest(draft: TicketDraft, mark: Mark, sent: CreateAttempt, metadata: ProjectMetadata) -> CreateAttempt:
    """Return the second request: the fields that the form lacks."""
    screen = metadata.screens.get(draft.issue_type)
    left = {name: value for name, value in _optional(draft) if name in sent.dropped}
    bare = TicketDraft(summary="", description="", issue_type=draft.issue_type, labels=draft.labels, **left)
    if screen is None:
        return _bare(bare, mark)
    fields = tuple(each for each in draft.fields if each.name in sent.dropped)
    attempt = replace(_bare(replace(bare, fields=fields), mark), screen=screen)
    more = metadata.fitter.chosen(attempt)
    lost = tuple(each.name for each in fields if each.id not in more)
    return replace(attempt, more=more, dropped=lost)


def _bare(draft: TicketDraft, mark: Mark) -> CreateAttempt:
    """Return an attempt without description, which the ticket has already, with the mark as its last line."""
    return CreateAttempt(draft, mark, described=False)


def _optional(draft: TicketDraft) -> list[tuple[str, Json]]:
    return [
        (name, getattr(draft, name))
        for name in ("priority", "assignee", "components", "affects_versions", "due_date", "sprint", "parent")
    ]


async def _complete(session: JiraSession, site: Site, key: str, attempt: CreateAttempt) -> tuple[str, ...]:
    """Set all with one PUT, fewer fields after each refusal; return the names of those not set.

    Raises nothing: the ticket exists and carries its mark, and an error would make the caller create it again.
    """
    everything = (*(name for name, value in _optional(attempt.draft) if value), "labels")
    left: CreateAttempt | None = attempt
    while left is not None:
        fields = left.fields(site)
        labels = [{"add": label} for label in fields.pop("labels", ())]
        body = {"fields": fields, **({"update": {"labels": labels}} if labels else {}), **left.properties()}
        try:
            written(await session.write("PUT", f"issue/{key}", body), key)
        except TrackerRejected as e:
            left = left.without(e.problems)
        except TriageError:
            return everything
        else:
            return left.dropped
    return everything
