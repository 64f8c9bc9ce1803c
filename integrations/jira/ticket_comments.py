"""The port `Comments`: writes, edits and finds our comments."""

from dataclasses import dataclass

from integrations.jira.issue import comments
from integrations.jira.parts import JiraParts
from triage.domain.tickets import Mark, Panel


@dataclass(frozen=True, slots=True)
class JiraComments:
    """The port `Comments`: comments are internal in service projects unless JIRA_PUBLIC_COMMENTS is set."""

    jira: JiraParts

    async def comment(self, key: str, body: str, mark: Mark, panel: Panel | None = None) -> str:
        """Add a comment with our mark; return its id. A comment that customers read has no panel."""
        jira = self.jira.of(key)
        await jira.ours.sure(jira.session, key)
        customers = await jira.project.customers(jira.session)
        public = customers and jira.public_comments
        internal = customers and not public
        shown = None if public else panel
        return await comments.comment(jira.session, key, body, mark, shown, internal=internal)

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        """Replace the text of our comment; return False if there is none that we may change."""
        jira = self.jira.of(key)
        await jira.ours.sure(jira.session, key)
        internal = not jira.public_comments and await jira.project.customers(jira.session)
        return await comments.edit(jira.session, key, comment, body, internal=internal)

    async def commented(self, key: str, mark: Mark) -> str | None:
        """Return the id of our comment with this mark, or None."""
        jira = self.jira.of(key)
        return await jira.marks.comment(await jira.ours.sure(jira.session, key), mark)
