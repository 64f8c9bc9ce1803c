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
    """Jira follows a moved ticket to its new project without a word, for reads and for writes; we do not."""

    def __init__(self, project: str) -> None:
        self._project = project
        self._seen: TTLCache[str, bool] = TTLCache(maxsize=_MOST, ttl=_SECONDS)

    def named(self, key: str) -> str:
        """The key, if it is one of our project: any other ticket does not exist for us."""
        number = key.rpartition("-")[2]
        if not self.here(key) or not (number.isascii() and number.isdecimal()):
            raise TicketGone(key=key)
        return key

    def here(self, key: str) -> bool:
        """The key is one of our project, not of another one."""
        return key.rpartition("-")[0] == self._project

    def checked(self, key: str, issue: Json) -> Json:
        """The issue that Jira answers with. Raises `TicketGone` where it stands under another project's key."""
        with well_formed("issue"):
            now = str(issue["key"])
        if not self.here(now):
            self._seen.pop(key, None)
            raise TicketGone(key=key)
        self._seen[key] = True
        return issue

    def made(self, key: str) -> None:
        """We have just made or found it here."""
        self._seen[key] = True

    async def sure(self, session: JiraSession, key: str) -> str:
        """The key, as of a minute ago at most: what was read so lately is not asked for again."""
        if self.named(key) not in self._seen:
            await self.look(session, key, "project")
        return key

    async def look(self, session: JiraSession, key: str, fields: str) -> Json:
        """The issue with these fields, as it is now."""
        issue = await session.ask(f"issue/{self.named(key)}", lambda jira: jira.issue(key, fields=fields), about=key)
        return self.checked(key, issue)
