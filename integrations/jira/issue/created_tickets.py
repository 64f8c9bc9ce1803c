"""Checks that a key belongs to our project: by its text, and before a write by Jira's answer."""

from typing import Final

from cachetools import TTLCache

from integrations.jira.http.errors import well_formed
from integrations.jira.http.session import JiraSession
from triage.domain.conversation import Json
from triage.domain.errors import TicketGone

_SECONDS: Final = 60.0
_MOST: Final = 10_000


class CreatedTickets:
    """Refuses tickets of other projects: Jira silently follows a moved ticket for reads and writes."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._seen: TTLCache[str, bool] = TTLCache(maxsize=_MOST, ttl=_SECONDS)

    def named(self, key: str) -> str:
        """Return the key. Raises `TicketGone` if it is none of our project."""
        number = key.rpartition("-")[2]
        if not self.here(key) or not (number.isascii() and number.isdecimal()):
            raise TicketGone(key=key)
        return key

    def here(self, key: str) -> bool:
        """Tell whether the key has our project's prefix."""
        return key.rpartition("-")[0] == self._project

    def checked(self, key: str, issue: Json) -> Json:
        """Return Jira's answer. Raises `TicketGone` if the issue has another project's key by now."""
        with well_formed("issue"):
            now = str(issue["key"])
        if not self.here(now):
            self._seen.pop(key, None)
            raise TicketGone(key=key)
        self._seen[key] = True
        return issue

    def made(self, key: str) -> None:
        """Remember a ticket that was just created or found in our project."""
        self._seen[key] = True

    async def sure(self, session: JiraSession, key: str) -> str:
        """Return the key after checking it with Jira, at most once a minute. Raises `TicketGone`."""
        if self.named(key) not in self._seen:
            await self.issue(session, key, "project")
        return key

    async def issue(self, session: JiraSession, key: str, fields: str) -> Json:
        """Read the issue with these fields (comma-separated). Raises `TicketGone`."""
        issue = await session.ask(f"issue/{self.named(key)}", lambda jira: jira.issue(key, fields=fields), about=key)
        return self.checked(key, issue)
