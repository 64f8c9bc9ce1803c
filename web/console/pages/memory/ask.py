"""The chat with the memory: a question, and its answer with the notes, mails, tickets and articles that say it."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Response

from triage.domain.errors import Refused
from triage.domain.memory.answers import MemoryAnswer, MemorySource, SourceKind
from web.console.console import Console
from web.console.guard import Viewer
from web.console.pages.knowledge.editing import link_to
from web.console.pages.memory.layout import ASK, MemoryLayout, note_url
from web.console.words import TextPiece, pieces
from web.context import MemoryServices


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSentence:
    """A sentence of an answer as the page shows it."""

    text: tuple[TextPiece, ...]
    number: int
    """Of its source in the list below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A source of an answer."""

    number: int
    kind: str
    title: str
    id: str
    url: str
    """Empty: it is shown nowhere here."""
    outside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """An answer with numbered citations."""

    answer: MemoryAnswer
    sentences: tuple[AnswerSentence, ...]
    sources: tuple[Cited, ...]


pages = APIRouter(prefix=ASK)


@pages.get("")
async def empty(console: Console, _: Viewer) -> Response:
    """Show the field."""
    return console.page("memory/ask.html", around=MemoryLayout(at=ASK), view=None, error="", question="")


@pages.post("")
async def ask(
    console: Console,
    who: Viewer,
    question: Annotated[str, Form(max_length=2_000)],
    after: Annotated[str, Form(max_length=2_000)] = "",
) -> Response:
    """Answer; a script gets the answer alone, to put it below those before."""
    view, error = await _answered(console.memory, who, question.strip(), after)
    alone = bool(console.http.headers.get("hx-request"))
    name = "memory/answer.fragment.html" if alone else "memory/ask.html"
    status = 200 if not error or alone else 409
    facts = {"view": view, "error": error, "question": question, "alone": alone}
    return console.page(name, status, around=MemoryLayout(at=ASK), **facts)


async def _answered(memory: MemoryServices, who: Viewer, question: str, after: str) -> tuple[AnswerView | None, str]:
    if not question:
        return None, "Write a question."
    try:
        return view_of(await memory.ask.ask(question, who.scope, who.approver.identity, after)), ""
    except Refused as e:
        return None, e.sentence()


def view_of(answer: MemoryAnswer) -> AnswerView:
    """Return an answer as the page shows it."""
    numbers = {source.key: number for number, source in enumerate(answer.sources, 1)}
    return AnswerView(
        answer=answer,
        sentences=tuple(
            AnswerSentence(text=pieces(one.text), number=numbers.get(one.source, 0)) for one in answer.sentences
        ),
        sources=tuple(_cited(source, numbers[source.key]) for source in answer.sources),
    )


def _cited(source: MemorySource, number: int) -> Cited:
    url, outside = "", False
    match source.kind:
        case SourceKind.NOTE:
            url = note_url(source.id)
        case SourceKind.MAIL:
            url = f"/cases/{quote(source.id.removeprefix('case-'))}"
        case SourceKind.TICKET | SourceKind.ARTICLE if source.url.startswith(("https://", "http://")):
            url, outside = source.url, True
        case SourceKind.ARTICLE:
            article, _, passage = source.id.rpartition("#")
            url = f"{link_to(article)}#passage-{passage}"
    return Cited(number=number, kind=source.kind, title=source.title, id=source.id, url=url, outside=outside)
