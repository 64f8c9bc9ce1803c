"""Middleware that writes each API request into the journal and injects faults."""

import asyncio
import json
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triage_sandbox.jira.gate.faults import Fault, Faults
from triage_sandbox.jira.gate.journal import Entry, Journal
from triage_sandbox.jira.ground.site import Site

_JSON: Final = "application/json;charset=UTF-8"
_LOGIN_PAGE: Final = (
    "<!DOCTYPE html><html><head><title>Log in</title></head>"
    '<body><form action="/login.jsp" method="post"><input name="os_username"></form></body></html>'
)
_TOO_MANY: Final = {"errorMessages": ["Rate limit exceeded."], "errors": {}}
_HOUR: Final = 3600


class Wire:
    """Middleware that reads every request whole, records it, and applies faults and limits."""

    def __init__(self, app: ASGIApp, *, site: Site, faults: Faults, journal: Journal) -> None:
        self._app = app
        self._site = site
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
        fault, headers = self._faults.match(self._site, entry.method, path)

        async def replay() -> Message:
            nonlocal body
            sent, body = body, b""
            return {"type": "http.request", "body": sent, "more_body": False}

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry.status = message["status"]
                more = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        if fault is None:
            await self._app(scope, replay, noting)
        else:
            await self._spoil(fault, scope, replay, noting)
        if fault is not None and fault.do == "timeout_after":
            with suppress(TimeoutError):
                await asyncio.wait_for(receive(), fault.seconds or _HOUR)  # the next that comes is that they left
            await _drop(scope)

    async def _spoil(self, fault: Fault, scope: Scope, receive: Receive, send: Send) -> None:
        if fault.seconds and fault.do != "timeout_after":
            await asyncio.sleep(fault.seconds)
        match fault.do:
            case "reset":
                await _drop(scope)
            case "timeout_after":
                await self._app(scope, receive, _swallow)
            case "reset_after":
                await self._app(scope, receive, _swallow)
                await _drop(scope)
            case "delay":
                await self._app(scope, receive, send)
            case "anonymous" | "repeat_token":
                mark = "stranger" if fault.do == "anonymous" else fault.do
                await self._app({**scope, mark: True}, receive, send)
            case "truncate":
                await (await self._truncated(scope, receive))(scope, receive, send)
            case "answer" | "login_page" | "captcha" | "limit":
                if fault.carried_out:
                    await self._app(scope, receive, _swallow)
                await _answer(fault, Request(scope))(scope, receive, send)

    async def _truncated(self, scope: Scope, receive: Receive) -> Response:
        """The answer, well framed, with half of its JSON."""
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, keep)
        whole = b"".join(message.get("body", b"") for message in sent)
        return Response(whole[: len(whole) // 2], sent[0]["status"], media_type=_JSON)


def _answer(fault: Fault, request: Request) -> Response:
    """An answer that Jira itself has no part in."""
    match fault.do:
        case "login_page":
            return HTMLResponse(_LOGIN_PAGE)
        case "limit":
            return Response(json.dumps(_TOO_MANY), 429, media_type=_JSON)
        case "captcha":
            denied = f"CAPTCHA_CHALLENGE; login-url={request.base_url}login.jsp"
            reason = {"X-Seraph-LoginReason": "AUTHENTICATION_DENIED", "X-Authentication-Denied-Reason": denied}
            return HTMLResponse("<html><head><title>Forbidden (403)</title></head></html>", 403, reason)
    if isinstance(fault.body, str):
        return Response(fault.body, fault.status, fault.headers)
    return Response(json.dumps(fault.body), fault.status, fault.headers, _JSON)


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
