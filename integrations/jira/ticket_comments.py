"""The port `Comments`: reads what people say in comments, without quotes and code, and writes, edits and finds ours."""

import re
from dataclasses import dataclass
from typing import Final

from integrations.jira.http.errors import well_formed
from integrations.jira.issue import comments
from integrations.jira.markup.adf import text_of_adf
from integrations.jira.markup.comment_markdown import markdown_of
from integrations.jira.markup.wiki import text_of_wiki
from integrations.jira.parts import JiraParts
from integrations.jira.shapes import id_of, people_of, person_of, property_of, time_of
from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.conversation import Json
from triage.domain.tickets import Mark, Panel

_OWN: Final = frozenset({"paragraph", "bulletList", "orderedList", "heading"})
"""Blocks of a document that hold the author's words; all others quote, show or decorate."""
_BLOCKS: Final = re.compile(r"\{(quote|code|noformat|panel)(?::[^}]*)?\}.*?(?:\{\1\}|\Z)", re.DOTALL | re.IGNORECASE)
_LINES: Final = re.compile(r"^(?:bq\.\s|>|\|).*$", re.MULTILINE)
_CUT: Final = "\n\N{OBJECT REPLACEMENT CHARACTER}\n"
"""Stands for what is left out, so that words behind a quote do not become the beginning."""


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


def own_words(body: Json) -> str:
    """Return the author's words at the beginning of a comment, up to the first block that is not his."""
    if isinstance(body, dict):
        own = []
        for block in body.get("content") or ():
            if not isinstance(block, dict) or block.get("type") not in _OWN:
                break
            own.append(block)
        return text_of_adf({"content": own})
    markup = body if isinstance(body, str) else ""
    markup = markup.replace("\r\n", "\n").replace("\r", "\n")
    return text_of_wiki(_LINES.sub(_CUT, _BLOCKS.sub(_CUT, markup)).partition(_CUT)[0])
