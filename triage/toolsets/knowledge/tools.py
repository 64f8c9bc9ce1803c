"""The tool that finds passages of the knowledge base."""

from typing import Annotated, Final

from pydantic import Field

from triage.agent.toolbox import tool
from triage.domain.conversation import Grant, Json
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
    return [
        {
            "id": hit.passage.id,
            "title": hit.passage.title,
            "url": hit.passage.url,
            "heading": hit.passage.heading,
            "text": hit.passage.text[:LONGEST],
        }
        for hit in hits
    ]
