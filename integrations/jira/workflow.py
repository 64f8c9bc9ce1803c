"""Moving a ticket through its workflow: by the status it shall have, whatever the transition is called."""

from typing import Final

from integrations.jira.errors import well_formed, written
from integrations.jira.session import JiraSession
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected

_GOOD_ENDS: Final = ("done", "fixed", "resolved", "completed")


async def move(session: JiraSession, key: str, status: str) -> None:
    """Bring it there; nothing happens where it already is, so that a repetition does no harm."""
    now = await _status(session, key)
    if now.casefold() == status.casefold():
        return
    transition = await _transition(session, key, now, status)
    required = _field(transition, "resolution").get("required")
    resolution = await _resolution(session, transition) if required else None
    try:
        await _send(session, key, transition, resolution)
    except TrackerRejected as e:
        # What the screen tells of resolution is not always what the workflow demands: try the other way, once.
        if "resolution" not in repr(e.problems).lower():
            raise
        other = None if resolution else await _resolution(session, transition)
        await _send(session, key, transition, other)


async def _status(session: JiraSession, key: str) -> str:
    issue = await session.read("GET", f"issue/{key}", params={"fields": "status"}, about=key)
    with well_formed("status"):
        return str(issue["fields"]["status"]["name"])


async def _transition(session: JiraSession, key: str, now: str, status: str) -> Json:
    """The way there; the one that asks for the least where there are several."""
    params = {"expand": "transitions.fields"}
    answer = await session.read("GET", f"issue/{key}/transitions", params=params, about=key)
    with well_formed("transitions"):
        ways = {str(each["to"]["name"]): each for each in sorted(answer["transitions"], key=_demands, reverse=True)}
        fitting = [way for name, way in ways.items() if name.casefold() == status.casefold()]
    if not fitting:
        raise TrackerRejected(problems={"status": f"from {now} it can go to: {', '.join(sorted(ways)) or 'nowhere'}"})
    return fitting[0]


def _demands(transition: Json) -> int:
    return sum(bool(field.get("required")) for field in (transition.get("fields") or {}).values())


def _field(transition: Json, name: str) -> Json:
    with well_formed("transitions"):
        return (transition.get("fields") or {}).get(name) or {}


async def _resolution(session: JiraSession, transition: Json) -> str | None:
    """A resolution that says the work is done, else the first one there is."""
    allowed = _field(transition, "resolution").get("allowedValues") or await session.read("GET", "resolution")
    with well_formed("resolutions"):
        names = [str(each["name"]) for each in allowed]
    good = (name for end in _GOOD_ENDS for name in names if name.casefold() == end)
    return next(good, names[0] if names else None)


async def _send(session: JiraSession, key: str, transition: Json, resolution: str | None) -> None:
    body: dict[str, Json] = {"transition": {"id": str(transition["id"])}}
    if resolution:
        body["fields"] = {"resolution": {"name": resolution}}
    written(await session.write("POST", f"issue/{key}/transitions", body), key)
