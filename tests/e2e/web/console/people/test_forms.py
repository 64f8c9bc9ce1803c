"""Forms: other sites' change nothing, every change needs its role, and nobody types a text twice."""

import asyncio
import re
from html import unescape
from typing import Any

from tests.servers.web.door import PEOPLE, RIVER, Door, enter
from triage.domain.operations.tokens import AccessScope
from web.console.guard import FORM_KEY, form_key_of
from web.console.way_in import COOKIE

OPEN = {("POST", "/sign-in"), ("POST", "/first"), ("POST", "/first/strength")}
"""Forms without a session: they begin one, or help to."""
SHOWN = {("GET", "/sign-in"), ("GET", "/first"), ("GET", "/oidc/start"), ("GET", "/oidc/callback")}
"""Pages without a session."""
PREVIEW = ("POST", "/preview")
"""Renders a text, keeps nothing, and answers whoever may not ask with nothing, so that his page with the text stays."""
EVERYBODYS = {("POST", "/sign-out"), ("POST", "/accounts/password"), ("POST", "/accounts/strength"), ("POST", "/try")}
"""What a viewer may send: changes of his own things, and a mail to try, of which nothing is kept."""
TEXT = "The barcode is cut off\non tablets, too. “Büro” <b>&amp;"


def filled(path: str) -> str:
    """The path with a number for each variable part."""
    return re.sub(r"\{[^}]+\}", "1", path)


async def test_every_change_needs_a_session_a_role_and_a_form_of_ours(door: Door) -> None:
    """Walks all routes: nobody gets further without a session, a viewer only with his own things, no form without its key."""
    stranger, admin, viewer = (
        await door.browser(),
        await door.browser(AccessScope.ADMIN),
        await door.browser(AccessScope.VIEWER),
    )
    changes = [one for one in door.routes if one[0] != "GET" and one not in {*OPEN, PREVIEW}]
    for method, path in changes:
        asked = (method, filled(path))
        unknown = await stranger.request(*asked, headers={"sec-fetch-site": "same-origin"})
        assert (unknown.status_code, unknown.headers["location"][:8]) == (303, "/sign-in"), asked
        keyless = await admin.request(*asked, headers={"sec-fetch-site": "same-origin"})
        elsewhere = await admin.request(*asked, headers={"sec-fetch-site": "cross-site"}, data=admin.form())
        lower = await viewer.request(*asked, data=viewer.form())
        assert (keyless.status_code, elsewhere.status_code) == (403, 403), asked
        assert (method, path) in EVERYBODYS or lower.status_code == 403, asked

    assert set(changes) >= EVERYBODYS
    assert len(await door.accounts.all()) == 3


async def test_a_preview_is_for_those_with_a_session(door: Door) -> None:
    """Without a session, without the form's key and from elsewhere nothing is rendered; a viewer sees his text."""
    stranger, viewer = await door.browser(), await door.browser(AccessScope.VIEWER)
    text = {"text": "**bold**"}
    refused = [
        await stranger.post(PREVIEW[1], data=text, headers={"sec-fetch-site": "same-origin"}),
        await viewer.post(PREVIEW[1], data=text, headers={"sec-fetch-site": "same-origin"}),
        await viewer.post(PREVIEW[1], data=viewer.form() | text, headers={"sec-fetch-site": "cross-site"}),
    ]
    shown = await viewer.post(PREVIEW[1], data=viewer.form() | text)

    assert PREVIEW in door.routes
    assert ["bold" in one.text for one in (*refused, shown)] == [False, False, False, True]


async def test_every_page_needs_a_session(door: Door) -> None:
    """Walks all pages: without a session each leads to the sign-in."""
    stranger = await door.browser()
    await stranger.get("/")
    pages = [path for method, path in door.routes if method == "GET" and (method, path) not in SHOWN]
    answers = [await stranger.get(filled(path)) for path in pages]

    assert len(pages) >= 3
    assert {path: one.status_code for path, one in zip(pages, answers, strict=True) if one.status_code != 303} == {}
    assert {one.headers["location"][:8] for one in answers} == {"/sign-in"}


OWN: tuple[dict[str, str], ...] = ({"sec-fetch-site": "same-origin"}, {}, {"origin": "{url}"})
FOREIGN: tuple[dict[str, str], ...] = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "none"},
    {"origin": "null"},
    {"origin": "null", "sec-fetch-site": "same-origin"},
    {"origin": "https://evil.example"},
    {"origin": "{url}.evil.example"},
    {"origin": "https://evil.example", "host": "triage.example"},
    {"origin": "https://evil.example", "x-forwarded-host": "evil.example"},
    {"origin": ""},
    {"origin": "//["},
)


async def test_where_a_form_comes_from(door: Door) -> None:
    """A page of another site changes nothing, with the right key, too, and signs nobody in; old browsers say `Origin`."""
    admin, stranger = await door.browser(AccessScope.ADMIN), await door.browser()
    for headers in (*FOREIGN, *OWN):
        sent = {name: value.replace("{url}", door.url) for name, value in headers.items()}
        status = 303 if headers in OWN else 403
        added = await admin.post("/accounts/3/sessions", data=admin.form(), headers=sent)
        entered = await stranger.post(
            "/sign-in", data={"address": PEOPLE[AccessScope.VIEWER], "password": RIVER}, headers=sent
        )
        first = await stranger.post("/first", data={"token": "x", "address": "x", "password": "x"}, headers=sent)

        assert (added.status_code, entered.status_code, first.status_code == 403) == (status, status, status == 403), (
            sent
        )


async def test_the_key_of_a_form(door: Door) -> None:
    """Without the key of this very session nothing changes, and the page says so with a way on."""
    admin, bob = await door.browser(AccessScope.ADMIN), await door.browser(AccessScope.APPROVER)
    for key in ("", "0" * 64, "é", form_key_of(bob.cookies[COOKIE])):
        answer = await admin.post("/accounts/3/disable", data={FORM_KEY: key})
        assert (answer.status_code, "older session" in answer.text) == (403, True), key
    by_header = await admin.post("/accounts/3/disable", headers={"x-form-key": "0" * 64})

    assert by_header.status_code == 403
    assert not [one for one in await door.accounts.all() if one.disabled_at]


# --- nobody types twice -----------------------------------------------------------------------------


def hidden(page: str, name: str) -> str:
    """The value of a hidden field of a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, page
    return unescape(found.group(1))


async def test_a_session_ends_in_the_middle_of_a_form(door: Door) -> None:
    """What was written goes through the sign-in, wrong passwords included, and stands in a form again, which then works."""
    admin = await door.browser(AccessScope.ADMIN)
    door.expire()
    form = admin.form(address="new@example.com", name=TEXT, role="viewer", password=RIVER)
    lost = await admin.post("/accounts", data=form)
    wrong = await enter(admin, PEOPLE[AccessScope.ADMIN], "wrong", kept=hidden(lost.text, "kept"))
    back = await enter(admin, PEOPLE[AccessScope.ADMIN], kept=hidden(wrong.text, "kept"))
    area = re.search(r'<textarea name="name">\n(.*?)</textarea>', back.text, re.DOTALL)

    assert (lost.status_code, wrong.status_code, back.status_code) == (401, 401, 200)
    assert area
    assert unescape(area.group(1)) == TEXT
    assert 'action="/accounts"' in back.text
    assert hidden(back.text, "role") == "viewer"
    assert RIVER not in back.text, "a password is not kept"
    assert len(await door.accounts.all()) == 3, "nothing is done unasked"
    sent = {
        "address": hidden(back.text, "address"),
        "role": "viewer",
        "name": unescape(area.group(1)),
        "password": RIVER,
    }
    done = await admin.post("/accounts", data={**sent, FORM_KEY: hidden(back.text, FORM_KEY)})
    assert done.status_code == 303
    assert len(await door.accounts.all()) == 4


async def test_two_tabs(door: Door) -> None:
    """A page of the session before the present one keeps its text, too: it is shown with the present key."""
    admin = await door.browser(AccessScope.ADMIN)
    old = admin.form(address="new@example.com", name=TEXT, role="viewer")
    await enter(admin, PEOPLE[AccessScope.ADMIN])
    answer = await admin.post("/accounts", data=old, headers={"sec-fetch-site": "same-origin"})

    assert answer.status_code == 403
    assert "on tablets, too" in answer.text
    assert hidden(answer.text, FORM_KEY) == admin.form()[FORM_KEY]


async def test_a_script_gets_the_sign_in_with_its_text(door: Door) -> None:
    """htmx, which swaps no answer of 4xx, gets a page for the whole body; a part of a page that is read leads to the sign-in."""
    admin = await door.browser(AccessScope.ADMIN)
    door.expire()
    script = {"hx-request": "true", "hx-current-url": f"{door.url}/accounts", "x-form-key": admin.form()[FORM_KEY]}
    sent = await admin.post("/accounts", data={"name": TEXT}, headers=script)
    read = await admin.get("/accounts", headers=script)

    assert (sent.status_code, sent.headers["hx-retarget"]) == (200, "body")
    assert "on tablets, too" in unescape(sent.text)
    assert (read.status_code, read.headers["hx-redirect"]) == (401, "/sign-in?next=/accounts")


async def test_what_is_not_kept(door: Door) -> None:
    """Text of another site, passwords, files, and more than a person writes do not come along."""
    stranger = await door.browser()
    tries: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
        ({"sec-fetch-site": "cross-site"}, {"data": {"name": TEXT}}),
        ({"origin": "https://evil.example"}, {"data": {"name": TEXT}}),
        ({}, {"json": {"name": TEXT}}),
        ({}, {"data": {"name": "x" * 300_000}}),
        ({}, {"data": {"shown": "0" * 64, "number": "17"}}),
        ({}, {"data": {"new_password": "a calm river runs too"}}),
        ({}, {"files": {"mail": ("a.eml", b"Subject: a calm river")}}),
        ({}, {}),
    )
    for headers, sent in tries:
        answer = await stranger.post("/accounts", headers=headers, **sent)
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in"), sent


async def test_kept_text_that_was_made_up(door: Door) -> None:
    """What no page of ours wrote leads nowhere else and breaks nothing."""
    for kept in (
        "x",
        "[]",
        "[1, 2]",
        '["/accounts", [["a"]]]',
        '["//evil.example", [["a", "b c"]]]',
        "{}",
        "[" * 9_000,
    ):
        entered = await enter(await door.browser(), PEOPLE[AccessScope.ADMIN], kept=kept)

        assert entered.status_code in {200, 303}, kept
        assert "evil.example" not in entered.text


async def test_too_large(door: Door) -> None:
    """Whoever is not even signed in cannot fill the memory: forms have a limit, declared or not."""
    stranger = await door.browser()
    declared = await stranger.post("/sign-in", data={"address": "x" * 1_100_000})

    async def endless() -> Any:
        for _ in range(40):
            yield b"a" * 50_000
            await asyncio.sleep(0)

    streamed = await stranger.post(
        "/sign-in", content=endless(), headers={"content-type": "application/x-www-form-urlencoded"}
    )

    assert (declared.status_code, streamed.status_code) == (413, 413)
