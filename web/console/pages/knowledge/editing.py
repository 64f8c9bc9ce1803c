"""The editor of articles whose folders triage.yaml opens for it: a file is written only over the version that was shown."""

from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Form, Response
from pydantic import BaseModel, Field

from triage.domain.support.errors import ArticleChanged, ArticleNotEditable, ArticleNotFound
from triage.domain.support.readings import LARGEST_ARTICLE
from web.console.console import Console
from web.console.guard import Admin
from web.console.pages.parameters import ArticleId
from web.console.render import after

LINK: Final = "/knowledge/article?id="
Short = Annotated[str, Field(max_length=300)]


class ArticleForm(BaseModel):
    """What the editor's form holds."""

    article: Short = ""
    """Empty: a new one, of `source` in `file`."""
    version: Short = ""
    """Of the file that was shown."""
    text: Annotated[str, Field(max_length=LARGEST_ARTICLE)] = ""
    source: Short = ""
    file: Short = ""
    """Path below the folder."""

    @property
    def name(self) -> str:
        return self.article or f"{self.source}:{self.file.strip()}"


pages = APIRouter()


def _form(console: Console, sent: ArticleForm, status: int = 200, error: str = "", theirs: str = "") -> Response:
    return console.page("knowledge/edit.html", status, sent=sent, error=error, theirs=theirs)


@pages.get("/edit")
async def edit(console: Console, _: Admin, id: ArticleId) -> Response:  # noqa: A002 - the name in the address
    """Show the file as it stands."""
    try:
        file = await console.services.editor.read(id)
    except (ArticleNotFound, ArticleNotEditable) as e:
        return _form(console, ArticleForm(article=id), 404, e.sentence())
    return _form(console, ArticleForm(article=id, text=file.text, version=file.version))


@pages.get("/new")
async def new(console: Console, _: Admin, source: ArticleId) -> Response:
    """Show the form of an article that is not there yet."""
    return _form(console, ArticleForm(source=source))


@pages.post("/save")
async def save(console: Console, visitor: Admin, sent: Annotated[ArticleForm, Form()]) -> Response:
    """Write the file, if nobody has changed it meanwhile; else show theirs beside the text that was sent."""
    try:
        read = await console.services.editor.write(sent.name, sent.text, sent.version, visitor.approver.identity)
    except ArticleChanged as e:
        return await _changed(console, sent, e.sentence())
    except ArticleNotEditable as e:
        return _form(console, sent, 409, e.sentence())
    return _saved(sent, read=read)


async def _changed(console: Console, sent: ArticleForm, error: str) -> Response:
    try:
        theirs = await console.services.editor.read(sent.name)
    except (ArticleNotFound, ArticleNotEditable):
        return _form(console, sent.model_copy(update={"version": ""}), 409, f"{error} Its file is gone.")
    shown = sent.model_copy(update={"article": sent.name, "version": theirs.version})
    return _form(console, shown, 409, error, theirs.text)


def _saved(sent: ArticleForm, *, read: bool) -> Response:
    """Lead to the article; to the list where a new one is not known before a worker has read it."""
    if read:
        return after(link_to(sent.name), "Saved. Answers use it from now on.")
    to = link_to(sent.name) if sent.article else "/knowledge"
    return after(to, f"“{sent.name}” is saved. A worker reads it at its next turn; answers use it from then on.")


def link_to(article: str) -> str:
    """Return the address of an article's page."""
    return f"{LINK}{quote(article)}"
