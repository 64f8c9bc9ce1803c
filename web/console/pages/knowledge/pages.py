"""Knowledge: articles by source with what is wrong with some, and the search of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response
from starlette.exceptions import HTTPException

from triage.domain.support.articles import Article, Passage
from triage.domain.support.errors import ArticleNotFound
from triage.domain.support.readings import SourceReading
from triage.policy.knowledge.passages import passages_of
from web.console.console import Console
from web.console.guard import Reader
from web.console.pages.knowledge import editing
from web.console.pages.knowledge.editing import link_to
from web.console.pages.parameters import ArticleId
from web.console.words import TextPiece, pieces

LIST: Final = "/knowledge"
FOUND: Final = 8
"""Passages that a search shows."""
Word = Annotated[str, Query(max_length=500)]


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source with its articles."""

    name: str
    articles: tuple[Article, ...]
    reading: SourceReading | None
    """None: it was not read yet."""
    edit: bool


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage, its text in pieces."""

    passage: Passage
    text: tuple[TextPiece, ...]


pages = APIRouter(prefix=LIST)


@pages.get("")
async def show(console: Console, _: Reader, q: Word = "", account: Word = "") -> Response:
    """List the articles by source, or what is found for a question."""
    hits = await console.services.articles.search(q, FOUND, account) if q.strip() else ()
    articles, readings = await console.services.articles.articles(), await console.services.articles.readings()
    return console.page(
        "knowledge/list.html",
        q=q,
        account=account,
        hits=[(hit, pieces(hit.passage.text)) for hit in hits],
        accounts=sorted({one.account for one in articles} - {""}),
        sources=views_of(articles, readings, console.services.editor.sources),
        link=link_to,
    )


@pages.get("/article")
async def article(console: Console, _: Reader, id: ArticleId) -> Response:  # noqa: A002 - the name in the address
    """Show an article as answers see it: passage by passage."""
    try:
        found = await console.services.articles.article(id)
    except ArticleNotFound:
        raise HTTPException(404, "There is no such article.") from None
    views = [PassageView(one, pieces(one.text)) for one in passages_of(found)]
    edit = console.services.editor.may_edit(id)
    return console.page("knowledge/article.html", article=found, views=views, edit=edit, link=link_to)


pages.include_router(editing.pages)


def views_of(
    articles: Sequence[Article], readings: Sequence[SourceReading], editable: Sequence[str]
) -> tuple[SourceView, ...]:
    """Return the sources by name, those that can be edited and have no article, too."""
    read = {one.source: one for one in readings}
    names = sorted({*read, *editable, *(one.source for one in articles)})
    return tuple(
        SourceView(name, tuple(one for one in articles if one.source == name), read.get(name), name in editable)
        for name in names
    )
