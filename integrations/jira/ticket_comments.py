"""The port `Comments`: reads people's comments, and writes, edits and finds ours."""

from dataclasses import dataclass

from integrations.jira.http.errors import well_formed
from integrations.jira.issue import comments
from integrations.jira.markup.comment_markdown import markdown_of
from integrations.jira.markup.own_words import own_words
from integrations.jira.parts import JiraParts
from integrations.jira.shapes import id_of, people_of, person_of, property_of, time_of
from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.conversation import Json
from triage.domain.tickets import Mark, Panel


@dataclass(frozen=True, slots=True)
class JiraComments:
    """The port `Comments`: comments are internal in service projects unless JIRA_PUBLIC_COMMENTS is set."""

    jira: JiraParts
    internal: bool = False
    """Customers never see ours, whatever JIRA_PUBLIC_COMMENTS says."""

    async def comment(self, key: str, body: str, mark: Mark, panel: Panel | None = None) -> str:
        jira = self.jira.of(key)
        await jira.ours.sure(jira.session, key)
        customers = await jira.project.customers(jira.session)
        public = customers and self._public(jira)
        shown = None if public else panel
        return await comments.comment(jira.session, key, body, mark, shown, internal=customers and not public)

    async def edit_comment(self, key: str, comment: str, body: str) -> bool:
        jira = self.jira.of(key)
        await jira.ours.sure(jira.session, key)
        internal = not self._public(jira) and await jira.project.customers(jira.session)
        return await comments.edit(jira.session, key, comment, body, internal=internal)

    async def commented(self, key: str, mark: Mark) -> str | None:
        jira = self.jira.of(key)
        return await jira.marks.comment(await jira.ours.sure(jira.session, key), mark)

    async def latest(self, key: str, limit: int) -> tuple[TicketComment, ...]:
        jira = self.jira.of(key)
        await jira.ours.sure(jira.session, key)
        me, customers = await jira.session.me(), await jira.project.customers(jira.session)
        newest = {"orderBy": "-created", "maxResults": str(limit), "expand": "properties"}
        page = await jira.session.read("GET", f"issue/{key}/comment", params=newest, about=key)
        with well_formed("comments"):
            return tuple(_comment(each, me, customers=customers) for each in reversed(page["comments"][:limit]))

    def _public(self, jira: JiraParts) -> bool:
        return jira.public_comments and not self.internal


def _comment(shape: Json, me: str, *, customers: bool) -> TicketComment:
    author = shape.get("author") or {}  # an anonymous comment has none
    editor = shape.get("updateAuthor") or author
    return TicketComment(
        id=str(shape["id"]),
        author=person_of(author) if author else None,
        words=own_words(shape.get("body")),
        ours=id_of(author) == me,
        edited_by_other=id_of(editor) != id_of(author),
        at=time_of(shape.get("created")),
        by_colleague=any(people_of([author])) if author else False,
        public=not shape.get("visibility") and _open(shape, customers=customers),
        text=markdown_of(shape.get("body")),
    )


def _open(shape: Json, *, customers: bool) -> bool:
    """Tell whether it is no internal comment; where there are customers, Jira must say so (Data Center: by the property)."""
    kept = property_of(shape.get("properties"), comments.INTERNAL)
    internal = kept.get("internal") if isinstance(kept, dict) else None
    public = shape.get("jsdPublic")
    if public is False or str(internal).casefold() == "true":
        return False
    return not customers or public is True or internal is not None
