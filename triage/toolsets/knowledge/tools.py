"""The tool that finds passages of the knowledge base."""

from typing import Annotated, Final

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
from triage.domain.support.articles import Passage
from triage.toolsets.context import Context

PASSAGES: Final = 3
LONGEST: Final = 2_000
"""Characters of a passage."""


@tool(Grant.READ)
async def knowledge_retriever(
    at: Context,
    query: Annotated[str, Field(min_length=1, max_length=500, description="the question, in its own words")],
) -> Json:
    """Find the passages of the help articles that answer a question best. Answer from them alone, and cite them by id.

    An empty list means that no article answers it.
    """
    hits = await at.library.find(query, PASSAGES, at.account) if at.library else ()
    return [_shown(hit.passage) for hit in hits]


def _shown(one: Passage) -> Json:
    return {"id": one.id, "title": one.title, "url": one.url, "heading": one.heading, "text": one.text[:LONGEST]}
