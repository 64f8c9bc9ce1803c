"""`/api/v1/ask`: a question to the team's memory, answered with citations."""

from fastapi import APIRouter
from pydantic import Field
from starlette.exceptions import HTTPException

from web.api.guard import Viewer, decider
from web.api.problems import NOT_FOUND
from web.api.services import Services
from web.api.shapes.parts import Asked, Part

OFF = "the memory is off: set ENABLE_MEMORY=true"


class QuestionRequest(Asked):
    """A question."""

    question: str = Field(min_length=1, max_length=2_000, examples=["What is overdue?"])
    after: str = Field(
        "",
        max_length=2_000,
        description="The same person's question before; it counts where this one names no matter: `and who promised that?`.",
    )


class SentenceShape(Part):
    """A sentence of the answer."""

    text: str
    source: str = Field(description="`key` of the source that says so.", examples=["mail:case-17"])


class SourceShape(Part):
    """What a sentence stands in."""

    key: str = Field(examples=["mail:case-17"])
    kind: str = Field(description="`note`, `mail`, `ticket` or `article`.", examples=["mail"])
    id: str = Field(examples=["case-17"])
    title: str
    url: str = Field(description="Where people read it; empty: nowhere known.")


class AnswerShape(Part):
    """The answer, or that nobody knows."""

    question: str
    job: str = Field(description="`query`, or the job that the message ordered.", examples=["query"])
    answer: list[SentenceShape] = Field(validation_alias="sentences", description="Empty: see `refused` and `told`.")
    sources: list[SourceShape]
    refused: str = Field(description="Why there is no answer; empty if there is one.")
    told: str = Field(description="What became of a job.")
    by: str = Field(description="The model that worded it; empty: the sentences are quotations.")


routes = APIRouter(tags=["memory"])


@routes.post("/ask", responses=NOT_FOUND)
async def ask(at: Services, token: Viewer, asked: QuestionRequest) -> AnswerShape:
    """Answer from notes, mails, tickets and articles; a viewer is answered from what lists show, without words of mails."""
    if at.memory is None:
        raise HTTPException(404, OFF)
    return AnswerShape.model_validate(await at.memory.ask.ask(asked.question, token.scope, decider(token), asked.after))
