"""Links between tickets, and watchers."""

from collections.abc import Sequence
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.refusals import settled
from integrations.jira.http.session import JiraSession
from integrations.jira.issue.created_tickets import CreatedTickets
from integrations.jira.project.project import LinkType
from triage.domain.conversation import Json
from triage.domain.errors import TrackerRejected

_NO_RIGHT: Final = "our account may not, or it is switched off"


async def link(
    session: JiraSession, ours: CreatedTickets, kinds: Sequence[LinkType], key: str, other: str, kind: str
) -> None:
    """Link `key` to `other`, which the caller has checked, unless the link exists; an inward phrase ("is blocked by") as `kind` reverses the direction."""
    if ours.named(key) == other:
        raise TrackerRejected(problems={"link": f"{key} cannot be tied to itself"})
    found = _kind(kinds, kind)
    backwards = _backwards(found, kind)
    if await _standing(session, ours, found, key, other, backwards=backwards):
        return
    # `inwardIssue` is the subject of the outward phrase: "inwardIssue duplicates outwardIssue".
    inward, outward = (other, key) if backwards else (key, other)
    body = {"type": {"name": found.name}, "inwardIssue": {"key": inward}, "outwardIssue": {"key": outward}}
    await settled(session, ours, key, await session.write("POST", "issueLink", body), "link", _NO_RIGHT)


async def unlink(
    session: JiraSession, ours: CreatedTickets, kinds: Sequence[LinkType], key: str, other: str, kind: str
) -> None:
    """Remove the links of this kind between the two."""
    found = _kind(kinds, kind)
    for number in await _standing(session, ours, found, key, other, backwards=_backwards(found, kind)):
        await settled(session, ours, key, await session.write("DELETE", f"issueLink/{number}", None), "link", _NO_RIGHT)


def _backwards(found: LinkType, kind: str) -> bool:
    return kind.casefold() == found.inward.casefold() != found.outward.casefold()


async def _standing(
    session: JiraSession, ours: CreatedTickets, found: LinkType, key: str, other: str, *, backwards: bool
) -> tuple[str, ...]:
    """Return the ids of the links of this kind and direction between the two."""
    issue = await ours.issue(session, key, "issuelinks")
    with well_formed("issue links"):
        shapes = issue["fields"].get("issuelinks") or ()
        return tuple(str(each["id"]) for each in shapes if _ties(each, found, other, backwards=backwards))


def _kind(kinds: Sequence[LinkType], name: str) -> LinkType:
    """Find a link type by name, else by the phrase of a direction, case-insensitively. Raises `TrackerRejected`."""
    wanted = name.strip().casefold()
    by_name = (each for each in kinds if each.name.casefold() == wanted)
    by_words = (each for each in kinds if wanted in {each.inward.casefold(), each.outward.casefold()})
    found = next(by_name, next(by_words, None))
    if found is None:
        there = (
            f"there are: {', '.join(each.name for each in kinds)}"
            if kinds
            else "links are switched off, or hidden from our account"
        )
        raise TrackerRejected(problems={"link": f"there is no kind of link called {name!r}; {there}"})
    return found


def _ties(shape: Json, kind: LinkType, other: str, *, backwards: bool) -> bool:
    """Tell whether this link exists; Jira shows only the other end, under `outwardIssue` if ours is the subject."""
    if str(shape["type"]["name"]) != kind.name:
        return False
    end = "inwardIssue" if backwards else "outwardIssue"
    ends = (end,) if kind.inward != kind.outward else ("inwardIssue", "outwardIssue")
    return any((shape.get(end) or {}).get("key") == other for end in ends)


async def watch(session: JiraSession, ours: CreatedTickets, key: str, person: str) -> None:
    """Add a watcher; the body is the person's id as a JSON string."""
    await ours.sure(session, key)
    answer = await session.write("POST", f"issue/{key}/watchers", person)
    cure = f"there is no {person!r} who may see {key}, or our account may not add watchers"
    await settled(session, ours, key, answer, "watcher", cure)
