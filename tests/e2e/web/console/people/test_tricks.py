"""Tricks with paths, methods and headers: nothing of a page is seen without a session."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

from tests.servers.web.door import PEOPLE, Door, console_door, enter
from triage.domain.operations.tokens import AccessScope

PATHS = (
    *("//accounts", "/accounts/", "/accounts//", "/./accounts", "/static/../accounts", "/static/x/../../accounts"),
    *(
        "/%61ccounts",
        "/accounts%00",
        "/accounts%2f",
        "/accounts;x=1",
        "/ACCOUNTS",
        "/accounts/..;/accounts",
        "/accounts.json",
    ),
    *("/static/x/..%2f..%2fway_in.py", "/static/x/....//way_in.py", "/static//etc/passwd", "/static/%2e%2e/guard.py"),
    *(
        "/sign-in/../accounts",
        "/sign-in/accounts",
        "/first/accounts",
        "/oidc/accounts",
        "/api/../accounts",
        "/\\accounts",
    ),
    *("/accounts?next=/sign-in", "/accounts#x", "http://triage.example/accounts"),
)
METHODS = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "GETX")


async def raw(door: Door, method: str, path: str, *headers: str) -> tuple[int, str]:
    """Status and text of a request whose path no client has made tidy."""
    place = urlsplit(door.url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    lines = (f"{method} {path} HTTP/1.1", "host: triage.example", "connection: close", *headers)
    writer.write("".join(f"{line}\r\n" for line in (*lines, "")).encode())
    await writer.drain()
    answer = (await reader.read()).decode(errors="replace")
    writer.close()
    return int(answer.split(" ", 2)[1]), answer


async def test_paths_and_methods(door: Door) -> None:
    """However a path is written and whatever the method: the sign-in, or nothing."""
    for path in PATHS:
        status, text = await raw(door, "GET", path)
        assert status in {303, 400, 404, 405}, path
        assert "ada@example.com" not in text, path
        assert "import" not in text, path
    for method in METHODS:
        status, text = await raw(door, method, "/accounts", "x-http-method-override: POST")
        assert status in {303, 400, 404, 405}, method
        assert "ada@example.com" not in text


async def test_unknown_addresses(door: Door) -> None:
    """A browser gets a page, with the menu if somebody is signed in; programs and whatever is below /api get JSON."""
    ada, stranger = await door.browser(AccessScope.ADMIN), await door.browser()
    wants = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nothing", "/nothing/here?x=1", "/accounts/nothing", "/wp-login.php"):
        seen, bare = [await one.get(path, headers=wants) for one in (ada, stranger)]
        assert (seen.status_code, bare.status_code) == (404, 404), path
        assert ("There is no such page" in seen.text, 'href="/accounts"' in seen.text) == (True, True), path
        assert ("There is no such page" in bare.text, "<nav" in bare.text) == (True, False), path
        assert seen.headers["content-security-policy"] == bare.headers["content-security-policy"]
    for path, headers in (("/nothing", {}), ("/nothing", {"accept": "application/json"}), ("/api/nothing", wants)):
        answer = await ada.get(path, headers=headers)
        assert (answer.status_code, answer.json()) == (404, {"success": False, "error": "not found"}), path
    assert (await ada.post("/nothing", headers=wants)).json()["error"] == "not found"


async def test_addresses_of_forms(door: Door) -> None:
    """Who opens an address that only takes forms reads so, and which method it takes; a field that is none is named."""
    ada = await door.browser(AccessScope.ADMIN)
    form, wrong = await ada.get("/sign-out"), await ada.get("/cases/x")

    assert (form.status_code, form.headers["allow"], "This is no page" in form.text) == (405, "POST", True)
    assert ("Method Not Allowed" in form.text, "<nav" in form.text) == (False, True)
    assert (wrong.status_code, "This is not understood" in wrong.text, "<nav" in wrong.text) == (422, True, True)


async def test_headers_that_claim(door: Door) -> None:
    """Who somebody is comes from the cookie alone; where he is led does not come from a header."""
    claims = ("x-forwarded-user: ada@example.com", "x-remote-user: ada@example.com", "x-original-url: /sign-in")
    rewrites = ("x-rewrite-url: /sign-in", "x-forwarded-host: evil.example", "forwarded: host=evil.example")
    for claim in (*claims, *rewrites, "x-forwarded-prefix: //evil.example", "authorization: Basic YWRhOng="):
        status, text = await raw(door, "GET", "/accounts", claim)
        assert (status, "evil.example" in text) == (303, False), claim
    status, text = await raw(
        door, "GET", "/accounts", "cookie: triage_session=x; triage_session=y", "host: evil.example"
    )
    assert status in {303, 400}
    assert "evil.example" not in text


async def test_who_is_believed_about_addresses(tmp_path: Path) -> None:
    """A stranger's X-Forwarded-For changes nothing: his tries are counted at his own address."""
    async with console_door(tmp_path, settings={"TRUSTED_PROXIES": "192.0.2.1"}) as door:
        answers = [
            await enter(
                await door.browser(headers={"x-forwarded-for": f"203.0.113.{n}"}), PEOPLE[AccessScope.ADMIN], "x"
            )
            for n in range(8)
        ]
        bob = await door.browser(AccessScope.APPROVER, headers={"x-forwarded-for": "203.0.113.7"})
        page = (await bob.get("/accounts")).text

    assert [one.status_code for one in (*answers[:5], answers[-1])] == [401] * 5 + [429]
    assert "203.0.113.7" not in page
