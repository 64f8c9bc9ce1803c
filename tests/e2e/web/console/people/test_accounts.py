"""The page of accounts over HTTP: what admins change, and what everybody may see and change of his own."""

from tests.servers.web.door import PEOPLE, RIVER, Door, enter
from triage.domain.operations.tokens import AccessScope
from web.console.way_in import COOKIE

BOB = PEOPLE[AccessScope.APPROVER]


async def test_an_admin_makes_and_changes_accounts(door: Door) -> None:
    """Add, role, disable, enable, sign out: each is done, told on the page, and recorded with who did it."""
    ada = await door.browser(AccessScope.ADMIN)
    new = {"address": "New@Example.com", "name": "<b>New</b>", "role": "viewer", "password": RIVER}
    told = []
    for path, fields in (("", new), ("/4/role", {"role": "approver"}), ("/4/disable", {}), ("/4/enable", {})):
        done = await ada.post(f"/accounts{path}", data=ada.form(**fields))
        assert (done.status_code, done.headers["location"]) == (303, "/accounts"), done.text
        told.append((await ada.get("/accounts")).text)
    made = (await door.accounts.all())[-1]

    assert "new@example.com may sign in now." in told[0]
    assert "new@example.com is approver now." in told[1]
    assert "disabled" in told[2]
    assert "&lt;b&gt;New&lt;/b&gt;" in told[3]
    assert (made.scope, made.made_by, made.disabled_at) == (AccessScope.APPROVER, "ada@example.com", None)


async def test_an_account_is_erased(door: Door) -> None:
    """A disabled one, with its sessions; one that is enabled is not, and the page says why."""
    ada, bob = await door.browser(AccessScope.ADMIN), await door.browser(AccessScope.APPROVER)
    refused = await ada.post("/accounts/2/erase", data=ada.form())
    await ada.post("/accounts/2/disable", data=ada.form())
    offered = "/accounts/2/erase" in (await ada.get("/accounts")).text
    done = await ada.post("/accounts/2/erase", data=ada.form())
    page = (await ada.get("/accounts")).text

    assert (refused.status_code, "disable it first" in refused.text, offered) == (409, True, True)
    assert (done.status_code, f"The account of {BOB} is erased." in page) == (303, True)
    assert f'<div class="soft">{BOB}</div>' not in page
    assert (await bob.get("/")).status_code == 303
    assert door.sql("SELECT count(*) FROM sessions WHERE account = 2") == [(0,)]


async def test_a_form_says_what_is_wrong_with_it(door: Door) -> None:
    """A refused account or password is told beside its form, which keeps what was typed, but for passwords."""
    ada = await door.browser(AccessScope.ADMIN)
    typed = {"address": "x@example.com", "name": "<b>Xenia", "role": "reader", "password": "password12345"}
    added = (await ada.post("/accounts", data=ada.form(**typed))).text
    changed = (await ada.post("/accounts/password", data=ada.form(old_password="x", new_password=RIVER))).text

    form = added.partition("Add somebody")[2].partition(">Add</button>")[0]
    assert "This password is not taken: it is one of the first that are tried." in form
    assert 'value="x@example.com"' in form
    assert 'value="&lt;b&gt;Xenia"' in form
    assert "<option selected>reader</option>" in form
    assert "password12345" not in added
    assert "do not fit" in changed.partition("Your password")[2]
    elsewhere = await ada.post(
        "/accounts/17/disable", data=ada.form(), headers={"referer": f"{ada.base_url}/accounts?x=1"}
    )
    assert '<a class="button primary" href="/accounts">Back</a>' in elsewhere.text


async def test_what_is_refused(door: Door) -> None:
    """Taken addresses, weak passwords, unknown accounts and the end of the last admin are pages that say why."""
    ada = await door.browser(AccessScope.ADMIN)
    tries: tuple[tuple[str, dict[str, str], str], ...] = (
        ("", {"address": BOB, "role": "viewer", "password": RIVER}, "There is an account with this address"),
        ("", {"address": "x", "role": "viewer", "password": RIVER}, "no e-mail address"),
        ("", {"address": "x@example.com", "role": "root", "password": RIVER}, "role"),
        ("", {"address": "x@example.com", "role": "viewer", "password": "short"}, "fewer than 12"),
        ("", {"address": "x@example.com", "role": "viewer", "password": ""}, "fewer than 12"),
        ("/17/disable", {}, "no such account"),
        ("/1/disable", {}, "last admin"),
        ("/1/role", {"role": "viewer"}, "last admin"),
        ("/password", {"old_password": "wrong", "new_password": "another river runs"}, "do not fit"),
        ("/password", {"old_password": RIVER, "new_password": "password1234"}, "first that are tried"),
    )
    for path, fields, why in tries:
        answer = await ada.post(f"/accounts{path}", data=ada.form(**fields))
        assert answer.status_code in {409, 422}, path
        assert why in answer.text, path


async def test_everybody_sees_his_own(door: Door) -> None:
    """A viewer sees neither accounts nor sessions of others, and may change his own password."""
    await door.browser(AccessScope.ADMIN, headers={"user-agent": "Adas browser"})
    eve = await door.browser(AccessScope.VIEWER, headers={"user-agent": "Eves browser"})
    page = (await eve.get("/accounts")).text
    ada = (await (await door.browser(AccessScope.ADMIN)).get("/accounts")).text

    assert "Your password" in page
    assert "Eves browser" in page
    assert "ada@example.com" not in page
    assert "Adas browser" not in page
    assert "Add somebody" not in page
    assert "Adas browser" in ada
    assert "Eves browser" in ada


async def test_a_new_password_ends_other_sessions(door: Door) -> None:
    """The browser that changed it stays, the others are out, and the old password is worth nothing."""
    here, elsewhere = await door.browser(AccessScope.APPROVER), await door.browser(AccessScope.APPROVER)
    fields = {"old_password": RIVER, "new_password": "another river runs"}
    changed = await here.post("/accounts/password", data=here.form(**fields))
    pages = [(await one.get("/accounts")).status_code for one in (here, elsewhere)]
    old, new = await enter(elsewhere, BOB), await enter(elsewhere, BOB, "another river runs")

    assert (changed.status_code, pages) == (303, [200, 303])
    assert (old.status_code, new.status_code) == (401, 303)


async def test_how_strong_a_password_is(door: Door) -> None:
    """The server says it of what is typed, one's own password or that of an account to be made; nothing of an empty field."""
    ada = await door.browser(AccessScope.ADMIN)
    typed: list[dict[str, str]] = [{"new_password": RIVER}, {"new_password": "ada.example.2026"}]
    typed += [{"password": "manchesterunited"}, {}]
    lines = [(await ada.post("/accounts/strength", data=ada.form(**one))).text.strip() for one in typed]

    assert 'hx-post="/accounts/strength"' in (await ada.get("/accounts")).text
    assert lines == [
        '<span class="soft">strong</span>',
        '<span class="wrong">too weak: it is one of the first that are tried</span>',
        '<span class="wrong">too weak: it is one of the first that are tried</span>',
        "",
    ]


async def test_the_old_password_is_not_guessed_inside(door: Door) -> None:
    """Whoever finds an open browser has as few tries as at the sign-in."""
    eve = await door.browser(AccessScope.VIEWER)
    fields = eve.form(old_password="wrong", new_password="another river runs")
    answers = [await eve.post("/accounts/password", data=fields) for _ in range(8)]

    assert [one.status_code for one in answers[:5]] == [409] * 5
    assert "Too many" in answers[-1].text


async def test_a_role_counts_at_once(door: Door) -> None:
    """Who is an admin no longer is none with the next click; who is signed out everywhere is out."""
    ada, bob = await door.browser(AccessScope.ADMIN), await door.browser(AccessScope.APPROVER)
    before = await bob.post("/accounts/3/sessions", data=bob.form())
    await ada.post("/accounts/2/role", data=ada.form(role="admin"))
    promoted = await bob.post("/accounts/3/sessions", data=bob.form())
    await ada.post("/accounts/2/role", data=ada.form(role="viewer"))
    lowered = await bob.post("/accounts/3/sessions", data=bob.form())
    await ada.post("/accounts/2/sessions", data=ada.form())

    assert [one.status_code for one in (before, promoted, lowered)] == [403, 303, 403]
    assert (await bob.get("/accounts")).status_code == 303
    assert bob.cookies[COOKIE]
