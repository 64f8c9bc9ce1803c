"""Moves a ticket to a status by its name, whatever the transition is called."""

from typing import Final

from integrations.jira.http.errors import well_formed, written
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.issue.fitting import demanded
from integrations.jira.issue.screen import ScreenField, field_of
from integrations.jira.project.project import JiraProject
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected

_GOOD_ENDS: Final = ("done", "fixed", "resolved", "completed")
_MOST_TRIES: Final = 3


async def move(session: JiraSession, ours: CreatedTickets, project: JiraProject, key: str, status: str) -> None:
    """Move the ticket to the status; do nothing if it is there already. Raises `TrackerRejected` with what is possible."""
    now = await _status(session, ours, key)
    if now.casefold() == status.casefold():
        return
    try:
        await _move(session, project, key, await _transition(session, key, now, status), status)
    except TrackerRejected:
        # Somebody else may have moved it there after we looked; from there a workflow has no way to where it is.
        if (await _status(session, ours, key)).casefold() != status.casefold():
            raise


async def _move(session: JiraSession, project: JiraProject, key: str, transition: Json, status: str) -> None:
    screen = _screen(transition)
    resolution = screen.get("resolution")
    fields = await _resolved(session, resolution) if resolution and resolution.required else {}
    for tries_left in reversed(range(_MOST_TRIES)):
        try:
            await _send(session, key, transition, fields)
        except TrackerRejected as e:
            # A workflow can demand fields that its screen does not mark as required. Our settings' values are sent
            # only when Jira demands them, so that they do not overwrite values of the ticket.
            more = await project.defaults_for(session, _missed(screen, e.problems))
            more |= await _other_way(session, resolution, fields, e.problems)
            if not (more and tries_left):
                raise TrackerRejected(problems=_explained(e.problems, screen, status)) from None
            fields = {name: value for name, value in {**fields, **more}.items() if value is not None}
        else:
            return


async def _status(session: JiraSession, ours: CreatedTickets, key: str) -> str:
    issue = await ours.issue(session, key, "status")
    with well_formed("status"):
        return str(issue["fields"]["status"]["name"])


async def _transition(session: JiraSession, key: str, now: str, status: str) -> Json:
    """Return the transition to the status, of several the one with the fewest required fields."""
    answer = await session.ask(
        f"issue/{key}/transitions", lambda jira: jira.transitions(key, expand="transitions.fields"), about=key
    )
    with well_formed("transitions"):
        ways = {str(each["to"]["name"]): each for each in sorted(answer["transitions"], key=_demands, reverse=True)}
        fitting = [way for name, way in ways.items() if name.casefold() == status.casefold()]
    if not fitting:
        raise TrackerRejected(problems={"status": f"from {now} it can go to: {', '.join(sorted(ways)) or 'nowhere'}"})
    return fitting[0]


def _demands(transition: Json) -> int:
    return sum(bool(field.get("required")) for field in (transition.get("fields") or {}).values())


def _screen(transition: Json) -> dict[str, ScreenField]:
    with well_formed("transitions"):
        return {name: field_of(shape, name) for name, shape in (transition.get("fields") or {}).items()}


# --- after a refusal ------------------------------------------------------------------------------


def _missed(screen: dict[str, ScreenField], problems: dict[str, str]) -> list[ScreenField]:
    """Return the fields that Jira's refusal names, by id or in its text."""
    text = " ".join(problems.values()).casefold()
    return [each for name, each in screen.items() if name in problems or each.name.casefold() in text]


async def _other_way(
    session: JiraSession, resolution: ScreenField | None, sent: dict[str, Json], problems: dict[str, str]
) -> dict[str, Json]:
    """If the refusal is about the resolution, add one, or drop the one that was sent."""
    if "resolution" not in repr(problems).lower():
        return {}
    return {"resolution": None} if "resolution" in sent else await _resolved(session, resolution)


async def _resolved(session: JiraSession, resolution: ScreenField | None) -> dict[str, Json]:
    """Choose a resolution that means done, else the first one."""
    allowed = (resolution.allowed if resolution else ()) or await session.ask(
        "resolution", lambda jira: jira.resolutions()
    )
    with well_formed("resolutions"):
        names = [str(each["name"]) for each in allowed]
    good = (name for end in _GOOD_ENDS for name in names if name.casefold() == end)
    name = next(good, names[0] if names else None)
    return {"resolution": {"name": name}} if name else {}


def _explained(problems: dict[str, str], screen: dict[str, ScreenField], status: str) -> dict[str, str]:
    """Rename fields of the form as people know them; add their values and the cure."""
    found = {}
    for name, text in problems.items():
        known = screen.get(name)
        found[known.label if known else name] = f"{text} {demanded(known, f'for {status}')}" if known else text
    return found


async def _send(session: JiraSession, key: str, transition: Json, fields: dict[str, Json]) -> None:
    body = {"transition": {"id": str(transition["id"])}, **({"fields": fields} if fields else {})}
    written(await session.write("POST", f"issue/{key}/transitions", body), key)
