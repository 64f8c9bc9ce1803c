"""Writes and finds our comments: the port `Comments`."""

from dataclasses import dataclass

from integrations.jira.issue import comments
from integrations.jira.parts import JiraParts
from triage.domain.tickets import Mark


@dataclass(frozen=True, slots=True)
class JiraComments:
    """Customers of a service project see none, unless the settings say so."""

    jira: JiraParts

    async def comment(self, key: str, body: str, mark: Mark) -> str:
        """Add a comment with our property; customers do not see it, unless the settings say so."""
        await self.jira.ours.sure(self.jira.session, key)
        internal = not self.jira.public_comments and await self.jira.project.customers(self.jira.session)
        return await comments.comment(self.jira.session, key, body, mark, internal=internal)

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        """Make a comment of ours say this; customers see it no more than before."""
        await self.jira.ours.sure(self.jira.session, key)
        internal = not self.jira.public_comments and await self.jira.project.customers(self.jira.session)
        return await comments.edit(self.jira.session, key, comment, body, internal=internal)

    async def commented(self, key: str, mark: Mark) -> str | None:
        """The id of our comment with this mark."""
        return await self.jira.marks.comment(await self.jira.ours.sure(self.jira.session, key), mark)
