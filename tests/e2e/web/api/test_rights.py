"""Who may do what over HTTP: one table of routes and scopes, and what is refused whatever the token."""

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from tests.database import migrated
from tests.e2e.web.api.api_door import ApiDoor, api_door
from triage.domain.operations.tokens import AccessScope, ApiToken
from triage.services.operations.tokens import _digest

RIGHTS = """
GET /cases viewer
GET /cases/{case} viewer
GET /cases/{case}/raw reader
POST /cases/{case}/corrections approver
GET /lessons reader
DELETE /lessons/{number} approver
POST /cases/{case}/ticket approver
POST /cases/{case}/merge approver
POST /cases/{case}/split approver
POST /cases/{case}/parts approver
GET /approvals viewer
GET /approvals/{number} viewer
POST /approvals/{number}/decision approver
GET /letters viewer
POST /letters/{number}/undo approver
POST /routes/test approver
GET /events viewer
GET /webhooks admin
POST /webhooks admin
DELETE /webhooks/{number} admin
GET /webhooks/{number}/deliveries admin
POST /memory/builds admin
GET /memory/builds/latest viewer
POST /ask viewer
GET /stream/build viewer
GET /stats viewer
GET /audit viewer
GET /agents viewer
GET /mailboxes viewer
GET /throttles viewer
"""
"""Every route with the least scope that may ask it."""
TABLE = [tuple(line.split()) for line in RIGHTS.strip().splitlines()]


async def test_every_right(door: ApiDoor) -> None:
    """Without a token 401, below the scope 403 with the cure, from the scope on neither."""
    for method, route, least in TABLE:
        path = f"/api/v1{route}".format(case="case-1", number=1)
        nobody = await door.ask(method, path, scope=None)
        assert (nobody.status_code, nobody.headers["www-authenticate"][:6]) == (401, "Bearer"), path
        for scope in AccessScope:
            headers = (
                {"last-event-id": "x"} if path.endswith("/events") else {}
            )  # refused after the right, as a stream never ends
            answer = await door.ask(method, path, scope=scope, headers=headers)
            if scope.covers(AccessScope(least)):
                assert answer.status_code not in {401, 403}, (method, path, scope, answer.text)
            else:
                refused = (answer.status_code, answer.json()["cure"])
                assert refused == (403, "use a token of a higher scope"), (method, path, scope)


async def test_the_table_has_every_route(door: ApiDoor) -> None:
    """A new route shows here first."""
    document = (await door.get("/openapi.json", scope=None)).json()
    found = {
        (method.upper(), path.removeprefix("/api/v1"))
        for path, methods in document["paths"].items()
        for method in methods
    }

    assert found == {(method, path) for method, path, _ in TABLE}


NO_TOKENS = (
    "",
    "Bearer",
    "Bearer triage_x",
    "Basic dHJpYWdlOng=",
    "Bearer triage_" + "a" * 46,
    "bearer {viewer}x",
    "Token {viewer}",
    "Bearer {viewer},{admin}",
)


async def test_what_is_no_token(door: ApiDoor) -> None:
    """Forged, cut, doubled or in another scheme: 401 as a problem, which says how to get one."""
    for bearer in NO_TOKENS:
        given = bearer.format(viewer=door.held[AccessScope.VIEWER], admin=door.held[AccessScope.ADMIN])
        answer = await door.get("/cases", scope=None, headers={"authorization": given})

        assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json"), bearer
        assert "triage token create" in answer.json()["cure"]


async def test_tokens_that_are_over(door: ApiDoor) -> None:
    """An expired token and one that is revoked while the service runs are refused."""
    then = datetime.now(UTC) - timedelta(days=2)
    old = ApiToken(
        name="old", scope=AccessScope.ADMIN, hint="", made_by="a", made_at=then, expires_at=then + timedelta(days=1)
    )
    text, made = await door.tokens.create("soon", AccessScope.ADMIN, 1, by="test")
    expired, _ = await door.tokens.create("b", AccessScope.ADMIN, 1, by="test")
    await door.context.store.tokens.add(old, _digest(expired[:-6] + "x"))
    before = await door.get("/cases", scope=None, headers={"authorization": f"Bearer {text}"})
    await door.tokens.revoke(made.id, by="ada")
    after = await door.get("/cases", scope=None, headers={"authorization": f"Bearer {text}"})

    assert (before.status_code, after.status_code) == (200, 401)
    assert "revoked" in after.json()["detail"]


async def test_other_sites_get_nothing(door: ApiDoor) -> None:
    """No cookie opens anything, no preflight is answered, and no answer may be read, framed or kept by a page."""
    cookie = await door.get("/cases", scope=None, headers={"cookie": f"token={door.held[AccessScope.ADMIN]}"})
    query = await door.get(f"/cases?token={door.held[AccessScope.ADMIN]}", scope=None)
    asked = {"origin": "https://evil.example", "access-control-request-method": "GET"}
    preflight = await door.ask("OPTIONS", "/api/v1/cases", headers=asked)
    answer = await door.get("/cases", headers={"origin": "https://evil.example"})

    assert [one.status_code for one in (cookie, query, preflight)] == [401, 401, 405]
    assert [name for one in (preflight, answer) for name in one.headers if name.startswith("access-control")] == []
    assert "set-cookie" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"
    assert "sandbox" in answer.headers["content-security-policy"]


TRICKS = """
/api
/api/
/api/v1
/api/v1/
/api/v1/cases/
/api//v1/cases
/api/v1/../v1/cases
/api/v1/%2e%2e/v1/cases
/api/v1/cases%2F..
/api/v1/cases%00
/api/v1/cases;a=b
/API/v1/cases
/api/v2/cases
/api/v1/docs
/apix/v1/cases
"""


async def test_tricks_with_paths(door: ApiDoor) -> None:
    """Only the exact path is a route: anything else is 404, or a route that wants a token first."""
    at = urlsplit(door.url)
    for path in TRICKS.split():
        with socket.create_connection((at.hostname, at.port), 20) as raw:
            raw.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
            head = await _all(raw)

        assert head.split()[1] == (b"401" if "%2F" in path else b"404"), head


async def _all(raw: socket.socket) -> bytes:
    raw.setblocking(False)
    found = b""
    while data := await asyncio.get_running_loop().sock_recv(raw, 65_536):
        found += data
    return found


async def test_limits(door: ApiDoor) -> None:
    """Too long an address, too many headers and too large a body are refused as problems, before anything is made of them."""
    long = await door.get(f"/cases?sender={'x' * 2100}")
    heavy = await door.get("/cases", headers={f"x-{n}": "y" * 1000 for n in range(20)})
    large = await door.post("/cases", content=b"x" * 70_000)

    async def stream() -> AsyncIterator[bytes]:
        for _ in range(70):
            yield b"x" * 1000

    chunked = await door.post("/cases", content=stream())

    assert [one.status_code for one in (long, heavy, large)] == [414, 431, 413]
    assert chunked.status_code in {405, 413}
    assert {one.headers["content-type"] for one in (long, heavy, large, chunked)} == {"application/problem+json"}


async def test_a_token_asks_so_often(tmp_path: Path) -> None:
    """Above its rate a token waits; another one does not."""
    async with api_door(
        f"sqlite:///{migrated(tmp_path / 'triage.db')}", settings={"API_REQUESTS_PER_MINUTE": "3"}
    ) as narrow:
        said = [(await narrow.get("/cases", scope=AccessScope.VIEWER)) for _ in range(4)]
        other = await narrow.get("/cases", scope=AccessScope.ADMIN)

    assert [one.status_code for one in said] == [200, 200, 200, 429]
    assert 1 <= int(said[-1].headers["retry-after"]) <= 20
    assert other.status_code == 200


WRONG = (
    "limit=0",
    "limit=201",
    "limit=x",
    "state=NO",
    "ticket=x",
    "since=yesterday",
    "unknown=1",
    f"sender={'x' * 201}",
)


async def test_wrong_values(door: ApiDoor) -> None:
    """A value that is not accepted is named with the reason, and not repeated."""
    for query in WRONG:
        answer = await door.get(f"/cases?{query}")

        assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
        assert answer.json()["wrong"][0]["where"] == f"query.{query.partition('=')[0]}"
        assert "xxx" not in answer.text
