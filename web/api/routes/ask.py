"""`/api/v1/ask`: a question to the team's memory, answered with citations."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException

from web.api.guard import Viewer, decider
from web.api.problems import NOT_FOUND
from web.api.shapes.answers import AnswerShape, Asked, answer_shape
from web.context import WebContext

OFF = "the memory is off: set ENABLE_MEMORY=true"


def ask_routes(at: WebContext) -> APIRouter:
    """Return the route of questions."""
    routes = APIRouter(tags=["memory"])

    @routes.post("/ask", responses=NOT_FOUND)
    async def ask(token: Viewer, asked: Asked) -> AnswerShape:
        """Answer from notes, mails, tickets and articles; a viewer is answered from what lists show, without words of mails."""
        if at.memory is None:
            raise HTTPException(404, OFF)
        return answer_shape(await at.memory.ask.ask(asked.question, token.scope, decider(token), asked.after))

    return routes
