"""Reads who belongs to groups of the site and to roles in the project."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from integrations.jira.http.ttl_cache import TtlCache

_PAGE: Final = 50
_PAGES: Final = 20
"""A group of more than a thousand is no list of approvers."""


class JiraMembers:
    """Ids and visible addresses of members, cached for five minutes and shared by all views of a project."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._kept: dict[tuple[str, str], TtlCache[frozenset[str]]] = {}

    async def of(self, session: JiraSession, groups: Sequence[str], roles: Sequence[str]) -> frozenset[str]:
        found = [await self._cached("group", name).get(partial(_group, session, name)) for name in groups]
        found += [await self._cached("role", name).get(partial(self._role, session, name)) for name in roles]
        return frozenset().union(*found)

    def _cached(self, kind: str, name: str) -> TtlCache[frozenset[str]]:
        return self._kept.setdefault((kind, name), TtlCache())

    async def _role(self, session: JiraSession, name: str) -> frozenset[str]:
        """Return the people of a role, those of its groups included. Raises `TicketGone` if there is no such role."""
        roles = await session.read("GET", f"project/{self._key}/role", about=self._key)
        place = next((str(url) for role, url in roles.items() if role.casefold() == name.casefold()), "")
        number = place.rpartition("/")[2] or "0"
        role = await session.read("GET", f"project/{self._key}/role/{number}", about=f"role {name}")
        with well_formed("role"):
            actors = role["actors"]
            groups = [_group_name(actor) for actor in actors if actor["type"] == "atlassian-group-role-actor"]
            people = frozenset(_account(actor) for actor in actors if actor["type"] == "atlassian-user-role-actor")
        return people.union(*[await _group(session, group) for group in groups])


async def _group(session: JiraSession, name: str) -> frozenset[str]:
    """Return the active members of a group. Raises `TicketGone` if there is no such group."""
    found: set[str] = set()
    for page in range(_PAGES):
        params = {"groupname": name, "startAt": str(page * _PAGE), "maxResults": str(_PAGE)}
        answer = await session.read("GET", "group/member", params=params, about=f"group {name}")
        with well_formed("group/member"):
            found |= set(_names(answer["values"]))
            if answer.get("isLast", True):
                break
    return frozenset(found)


def _names(people: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for person in people:
        yield from filter(None, (person.get("accountId") or person.get("name"), person.get("emailAddress")))


def _account(actor: Mapping[str, Any]) -> str:
    """Return an actor's account: Data Center names it, Cloud has it in `actorUser`."""
    return str((actor.get("actorUser") or {}).get("accountId") or actor.get("name") or "")


def _group_name(actor: Mapping[str, Any]) -> str:
    return str((actor.get("actorGroup") or {}).get("name") or actor.get("name") or "")
