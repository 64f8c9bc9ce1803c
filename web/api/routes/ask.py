"""`/api/v1/ask`: a question to the team's memory, answered with citations."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from triage.domain.memory.answers import MemoryAnswer
from web.api.guard import Viewer, decider
from web.api.problems import NOT_FOUND
from web.context import WebContext

OFF = "the memory is off: set ENABLE_MEMORY=true"


class QuestionRequest(BaseModel):
    """A question."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, max_length=2_000, examples=["What is overdue?"])
    after: str = Field(
        "",
        max_length=2_000,
        description="The same person's question before; it counts where this one names no matter: `and who promised that?`.",
    )


class SentenceShape(BaseModel):
    """A sentence of the answer."""

    text: str
    source: str = Field(description="`key` of the source that says so.", examples=["mail:case-17"])


class SourceShape(BaseModel):
    """What a sentence stands in."""

    key: str = Field(examples=["mail:case-17"])
    kind: str = Field(description="`note`, `mail`, `ticket` or `article`.", examples=["mail"])
    id: str = Field(examples=["case-17"])
    title: str
    url: str = Field(description="Where people read it; empty: nowhere known.")


class AnswerShape(BaseModel):
    """The answer, or that nobody knows."""

    question: str
    job: str = Field(description="`query`, or the job that the message ordered.", examples=["query"])
    answer: list[SentenceShape] = Field(description="Empty: see `refused` and `told`.")
    sources: list[SourceShape]
    refused: str = Field(description="Why there is no answer; empty if there is one.")
    told: str = Field(description="What became of a job.")
    by: str = Field(description="The model that worded it; empty: the sentences are quotations.")


def ask_routes(at: WebContext) -> APIRouter:
    """Return the route of questions."""
    routes = APIRouter(tags=["memory"])

    @routes.post("/ask", responses=NOT_FOUND)
    async def ask(token: Viewer, asked: QuestionRequest) -> AnswerShape:
        """Answer from notes, mails, tickets and articles; a viewer is answered from what lists show, without words of mails."""
        if at.memory is None:
            raise HTTPException(404, OFF)
        return answer_shape(await at.memory.ask.ask(asked.question, token.scope, decider(token), asked.after))

    return routes


def answer_shape(answer: MemoryAnswer) -> AnswerShape:
    """Return an answer as JSON."""
    return AnswerShape(
        question=answer.question,
        job=answer.job,
        answer=[SentenceShape(text=one.text, source=one.source) for one in answer.sentences],
        sources=[
            SourceShape(key=one.key, kind=one.kind, id=one.id, title=one.title, url=one.url) for one in answer.sources
        ],
        refused=answer.refused,
        told=answer.told,
        by=answer.by,
    )
