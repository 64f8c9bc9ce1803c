"""Questions to the team's memory and their answers, as JSON."""

from pydantic import BaseModel, ConfigDict, Field

from triage.domain.memory.answers import MemoryAnswer


class Asked(BaseModel):
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
