"""What can go wrong on the way to Jira, on demand; and a journal of all that was asked."""

import asyncio
import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Effect = Literal["answer", "delay", "reset", "reset_after", "truncate", "login_page", "anonymous", "repeat_token"]

_LOGIN_PAGE: Final = (
    "<!DOCTYPE html><html><head><title>Log in</title></head>"
    '<body><form action="/login.jsp" method="post"><input name="os_username"></form></body></html>'
)
_MOST_ENTRIES: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """From the `nth` request that matches on, `count` times (0: always), do this instead."""

    do: Effect
    """`reset` drops the connection before anything happens, `reset_after` when everything has happened.

    `repeat_token`: a search tells of a next page, and it is this one again.
    """
    method: str = "*"
    path: str = ".*"
    """A regular expression, searched for in the path."""
    nth: int = 1
    count: int = 1
    status: int = 503
    """answer."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = ""
    """answer: text as it is, everything else as JSON."""
    seconds: float = 0
    """delay."""


class Faults:
    """The rules in force; the first that matches wins."""

    def __init__(self) -> None:
        self._rules: list[tuple[Fault, re.Pattern[str]]] = []
        self._seen: dict[int, int] = {}

    def add(self, fault: Fault) -> None:
        """One more rule. Raises `re.error` where the path is no regular expression."""
        self._rules.append((fault, re.compile(fault.path)))

    def clear(self) -> None:
        """Everything works again."""
        self._rules.clear()
        self._seen.clear()

    def match(self, method: str, path: str) -> Fault | None:
        """What is to go wrong with this request."""
        for place, (fault, pattern) in enumerate(self._rules):
            if fault.method in {"*", method} and pattern.search(path):
                seen = self._seen[place] = self._seen.get(place, 0) + 1
                if fault.nth <= seen and (not fault.count or seen < fault.nth + fault.count):
                    return fault
        return None


@dataclass(slots=True)
class Entry:
    """One request."""

    method: str
    path: str
    query: str
    body: bytes
    status: int = 0
    """0 where no answer left the house."""

    @property
    def json(self) -> Any:
        """The body as JSON, as text where it is none."""
        try:
            return json.loads(self.body) if self.body else None
        except ValueError:
            return self.body.decode(errors="replace")


class Journal:
    """The latest requests to the API, oldest first."""

    def __init__(self) -> None:
        self.entries: deque[Entry] = deque(maxlen=_MOST_ENTRIES)

    def matching(self, method: str = "*", path: str = ".*") -> list[Entry]:
        """Those of a kind."""
        return [entry for entry in list(self.entries) if method in {"*", entry.method} and re.search(path, entry.path)]


class Wire:
    """Stands between the clients and the API: writes down what comes, and lets it go wrong."""

    def __init__(self, app: ASGIApp, *, faults: Faults, journal: Journal) -> None:
        self._app = app
        self._faults = faults
        self._journal = journal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, as ASGI has it."""
        path = scope["path"].removeprefix(scope["root_path"]) if scope["type"] == "http" else ""
        if not path.startswith(("/rest/", "/secure/")):
            await self._app(scope, receive, send)
            return
        body = await _whole(receive)
        entry = Entry(scope["method"], path, scope["query_string"].decode("latin-1"), body)
        self._journal.entries.append(entry)

        async def replay() -> Message:
            nonlocal body
            sent, body = body, b""
            return {"type": "http.request", "body": sent, "more_body": False}

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry.status = message["status"]
            await send(message)

        fault = self._faults.match(entry.method, entry.path)
        if fault is None:
            await self._app(scope, replay, noting)
        else:
            await self._spoil(fault, scope, replay, noting)

    async def _spoil(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        match fault.do:
            case "answer":
                await _answer(fault)(scope, receive, send)
            case "delay":
                await asyncio.sleep(fault.seconds)
                await self._app(scope, receive, send)
            case "reset":
                await _drop(scope)
            case "reset_after":
                await self._app(scope, receive, _swallow)
                await _drop(scope)
            case "truncate":
                await (await self._truncated(scope, receive))(scope, receive, send)
            case "login_page":
                await HTMLResponse(_LOGIN_PAGE)(scope, receive, send)
            case "anonymous":
                await self._app({**scope, "stranger": True}, receive, send)
            case "repeat_token":
                await self._app({**scope, "repeat_token": True}, receive, send)

    async def _truncated(self, scope: Scope, receive: Receive) -> Response:
        """The answer, well framed, with half of its JSON."""
        said: list[Message] = []

        async def keep(message: Message) -> None:
            said.append(message)

        await self._app(scope, receive, keep)
        whole = b"".join(message.get("body", b"") for message in said)
        return Response(whole[: len(whole) // 2], said[0]["status"], media_type="application/json;charset=UTF-8")


def _answer(fault: Fault) -> Response:
    if isinstance(fault.body, str):
        return Response(fault.body, fault.status, fault.headers)
    return Response(json.dumps(fault.body), fault.status, fault.headers, "application/json;charset=UTF-8")


async def _whole(receive: Receive) -> bytes:
    parts = bytearray()
    while (message := await receive())["type"] == "http.request":
        parts += message.get("body", b"")
        if not message.get("more_body"):
            break
    return bytes(parts)


async def _swallow(message: Message) -> None:
    """An answer that nobody gets."""


async def _drop(scope: Scope) -> None:
    """Reset the connection, and give it the moment it needs to notice."""
    drop = scope.get("drop")
    if drop is None:
        raise ConnectionResetError("only a served app can drop a connection")
    drop()
    await asyncio.sleep(0)
