"""A server in OpenAI's shape for demo and tests: behind it a model of ours, or a script of turns and troubles."""

import asyncio
import hashlib
import json
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from fastapi import FastAPI, Request, Response

from triage.domain.conversation import Json, Turn
from triage.domain.errors import ContextTooLong, ModelDenied, ModelDown
from triage.domain.ports import Model
from triage_sandbox.openai_shapes import answer_of, conversation_of, problem_of, tools_of

_MOST_ASKED: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The response to one request: a turn of the model, or a server error of some kind."""

    turn: Turn | None = None
    status: int = 200
    body: bytes = b""
    """Sent as it is where there is no turn."""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before anything is sent; a client that goes away ends them."""
    cut: int | None = None
    """The connection is reset after so many bytes of the body."""


class Script:
    """What to say, by the number of turns the model has had in a conversation, so mails in parallel do not mix.

    An entry that is a list holds the answers to the first, second, … try of the very same messages. The last entry,
    and the last of a list, is repeated for ever.
    """

    def __init__(self, *entries: Turn | Reply | Sequence[Turn | Reply]) -> None:
        self._entries = entries
        self._tries: OrderedDict[bytes, int] = OrderedDict()

    def reply(self, messages: Sequence[Json]) -> Reply:
        """Return the response to these messages."""
        turns = sum(message["role"] == "assistant" for message in messages)
        entry = self._entries[min(turns, len(self._entries) - 1)]
        if isinstance(entry, Sequence):
            entry = entry[min(self._tried(messages), len(entry) - 1)]
        return Reply(turn=entry) if isinstance(entry, Turn) else entry

    def _tried(self, messages: Sequence[Json]) -> int:
        key = hashlib.sha256(json.dumps(messages).encode()).digest()
        tried = self._tries[key] = self._tries.pop(key, -1) + 1
        if len(self._tries) > _MOST_ASKED:
            self._tries.popitem(last=False)
        return tried


@dataclass(frozen=True, slots=True)
class Asked:
    """One recorded request."""

    path: str
    headers: Mapping[str, str]
    body: Json
    peer: object
    """The client's end of the connection: as many of them as connections."""

    @classmethod
    def of(cls, request: Request, body: Json) -> Self:
        return cls(request.url.path, dict(request.headers), body, request.client)


def openai_app(
    answer: Model | Script,
    *,
    api_key: str = "",
    models: Sequence[str] = (),
    context: int | None = None,
    journal: deque[Asked] | None = None,
) -> FastAPI:
    """Build the app. It checks `api_key` if one is given, and accepts any model unless `models` names some.

    `context` is the number of tokens it can read; `journal` gets every request, the latest thousand of them.
    """
    app = FastAPI(openapi_url=None)
    app.state.journal = deque(maxlen=_MOST_ASKED) if journal is None else journal
    server = _Server(answer, api_key, tuple(models), context, app.state.journal)
    # Plain routes: FastAPI's reading of parameters would be half of the time of an answer.
    app.add_route("/v1/chat/completions", server.chat, methods=["POST"])
    app.add_route("/v1/models", server.list_models, methods=["GET"])
    app.add_route("/v1/models/{model:path}", server.show_model, methods=["GET"])
    return app


@dataclass(frozen=True, slots=True)
class _Server:
    """The three routes."""

    answer: Model | Script
    api_key: str
    models: tuple[str, ...]
    context: int | None
    journal: deque[Asked]

    async def chat(self, request: Request) -> Response:
        """POST /v1/chat/completions."""
        raw = await request.body()
        body = _object(raw)
        self.journal.append(Asked.of(request, body))
        refusal = self._stranger(request) or self._refusal(body, len(raw))
        if refusal:
            return refusal
        if isinstance(self.answer, Script):
            reply = self.answer.reply(body["messages"])
            return await sent(reply, request, reply.turn and answer_of(reply.turn, body, raw))
        return await self._asked(self.answer, body, raw)

    async def list_models(self, request: Request) -> Response:
        """GET /v1/models."""
        names = self.models or (("script",) if isinstance(self.answer, Script) else (self.answer.name,))
        listed = {"object": "list", "data": [_model(name) for name in names]}
        return self._stranger(request) or _json(200, listed)

    async def show_model(self, request: Request) -> Response:
        """GET /v1/models/{model}."""
        name = request.path_params["model"]
        return self._stranger(request) or self._no_model(name) or _json(200, _model(name))

    async def _asked(self, model: Model, body: dict[str, Json], raw: bytes) -> Response:
        try:
            turn = await model.complete(conversation_of(body), tools_of(body), body.get("max_completion_tokens", 4096))
        except ModelDown as e:
            wait = {} if e.retry_after is None else {"retry-after": f"{e.retry_after:g}"}
            return _error(503, "server_error", e.detail, wait)
        except ModelDenied as e:
            return _error(403, "permission_denied", e.detail)
        except ContextTooLong as e:
            return _error(400, "context_length_exceeded", str(e))
        return _json(200, answer_of(turn, body, raw))

    def _stranger(self, request: Request) -> Response | None:
        if not self.api_key or request.headers.get("authorization") == f"Bearer {self.api_key}":
            return None
        return _error(401, "invalid_api_key", "Incorrect API key provided.")

    def _no_model(self, name: str) -> Response | None:
        if not self.models or name in self.models:
            return None
        return _error(404, "model_not_found", f"The model `{name}` does not exist or you do not have access to it.")

    def _refusal(self, body: dict[str, Json], size: int) -> Response | None:
        problem = problem_of(body)
        if problem:
            return _error(400, "invalid_request_error", problem)
        if self.context is not None and size // 4 > self.context:
            words = f"This model's maximum context length is {self.context} tokens."
            return _error(400, "context_length_exceeded", words)
        return self._no_model(body["model"])


async def sent(reply: Reply, request: Request, answer: Json) -> Response:
    """The response that a reply stands for; `answer` is its turn in the shape of the server."""
    if reply.delay:
        await _pause(request, reply.delay)
    content = reply.body if reply.turn is None else json.dumps(answer).encode()
    if reply.cut is not None:
        return _Cut(reply.cut, content)
    headers = {"content-type": "application/json", **reply.headers}
    return Response(content, reply.status, headers=headers)


async def _pause(request: Request, seconds: float) -> None:
    """Let time pass, or the client go away."""
    try:
        async with asyncio.timeout(seconds):
            # The body has been read: all that can still come is the news that nobody waits.
            await request.receive()
    except TimeoutError:
        return


class _Cut(Response):
    """A response that announces its whole length and resets the connection after a part of the body."""

    def __init__(self, size: int, content: bytes) -> None:
        super().__init__(content, media_type="application/json")
        self._size = size

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Start, send a part, die."""
        del receive
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body[: self._size], "more_body": True})
        scope["drop"]()


def _object(raw: bytes) -> dict[str, Json]:
    """The body, empty where it is no JSON object: then the model is missing, and that is what we say."""
    try:
        body = json.loads(raw)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _model(name: str) -> Json:
    return {"id": name, "object": "model", "created": 0, "owned_by": "sandbox"}


def _json(status: int, body: Json, headers: Mapping[str, str] | None = None) -> Response:
    return Response(json.dumps(body), status, headers=headers, media_type="application/json")


def _error(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    kind = "server_error" if status >= 500 else "invalid_request_error"
    return _json(status, {"error": {"message": message, "type": kind, "param": None, "code": code}}, headers)
