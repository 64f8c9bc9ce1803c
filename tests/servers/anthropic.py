"""A server in the shape of Anthropic's Messages API: as strict about histories as the real one, answers by a script."""

import json
import re
from collections import deque
from collections.abc import Iterator

from fastapi import FastAPI, Request, Response

from triage.domain.conversation import Json, Turn
from triage_sandbox.openai_app import Asked, Script, sent

STOPS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


def anthropic_app(script: Script, journal: deque[Asked], *, api_key: str) -> FastAPI:
    """POST /v1/messages."""
    app = FastAPI(openapi_url=None)

    async def messages(request: Request) -> Response:
        raw = await request.body()
        body = json.loads(raw)
        journal.append(Asked.of(request, body))
        known = request.headers.get("authorization") == f"Bearer {api_key}" and "anthropic-version" in request.headers
        problem = problem_of(body) if known else "invalid bearer token"
        if problem:
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": problem}}
            return Response(json.dumps(error), 400, media_type="application/json")
        reply = script.reply(body["messages"])
        return await sent(reply, request, reply.turn and answer_of(reply.turn, body))

    app.add_route("/v1/messages", messages, methods=["POST"])
    return app


def problem_of(body: Json) -> str | None:
    """What the real one would refuse, told as the first of its problems."""
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    return next(_history_problems(body["messages"]), None)


def _history_problems(messages: list[Json]) -> Iterator[str]:
    open_calls: set[str] = set()
    for number, message in enumerate(messages):
        content = message["content"]
        results = [b["tool_use_id"] for b in content if b["type"] == "tool_result"]
        uses = [b for b in content if b["type"] == "tool_use"]
        if message["role"] != ("assistant" if number % 2 else "user"):
            yield "roles must alternate"
        if set(results) != open_calls:
            yield f"tool_use ids without tool_result blocks: {open_calls ^ set(results)}"
        if any(b["type"] != "tool_result" for b in content[: len(results)]):
            yield "tool_result blocks come first"
        if any(b["type"] == "text" and not b["text"].strip() for b in content):
            yield "text content blocks must contain non-whitespace text"
        if not all(isinstance(b["input"], dict) and re.fullmatch("[a-zA-Z0-9_-]+", b["id"]) for b in uses):
            yield "tool_use: input should be a valid dictionary, id should match pattern"
        open_calls = {b["id"] for b in uses}


def answer_of(turn: Turn, body: Json) -> Json:
    """The turn as a message; a cut call comes with its brackets closed, as the real one sends it."""
    blocks: list[Json] = [{"type": "text", "text": turn.text}] if turn.text else []
    for call in turn.calls:
        try:
            given = json.loads(call.arguments)
        except ValueError:
            given = {}
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": given})
    usage = turn.usage
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": turn.model or body["model"],
        "content": blocks,
        "stop_reason": STOPS.get("tool_calls" if turn.calls and turn.finish == "stop" else turn.finish, turn.finish),
        "usage": {
            "input_tokens": usage.input_tokens - usage.cached_tokens,
            "cache_creation_input_tokens": None,
            "cache_read_input_tokens": usage.cached_tokens,
            "output_tokens": usage.output_tokens,
        },
    }
