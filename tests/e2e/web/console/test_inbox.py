"""The inbox of cases: tabs, search, threads, saved views, and the live view."""

import asyncio
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.async_api import Browser, expect

from tests.conftest import PATIENCE
from tests.contract.store.store_samples import step
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.operations.case_lists import SavedView
from triage.domain.operations.tokens import AccessScope
from web.console.way_in import COOKIE

NOW = datetime(2026, 11, 20, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>{{ 7 * 7 }} \u202egnp.exe \u200bhidden\u2060 'q' \"q\" & \N{PILE OF POO}"


def letter(subject: str, sender: str = "Kim <kim@x.example>") -> bytes:
    """A mail."""
    head = f"From: {sender}\nTo: help@harbourline.example\nSubject: {subject}\nMessage-ID: <m@x.example>\n"
    return f"{head}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nHello.\n".encode()


async def put(desk: DeskDoor, subject: str, sender: str = "Kim <kim@x.example>", thread: str = "") -> None:
    """A case of a thread of its own, or of this one."""
    name = await desk.case(letter(subject, sender))
    store = desk.door.context.store
    leased = store.jobs.open(await store.jobs.claim(name, "test", 60))
    case = await leased.cases.load()
    identity = replace(case.identity, thread_key=thread or f"<{name}@x.example>")
    await leased.cases.save(replace(case, identity=identity), step("again"))
    await store.jobs.open(leased.lease).cases.finish()


def numbers(page: httpx2.Response) -> list[int]:
    """The cases of a list, in its order."""
    return [int(number) for number in re.findall(r'data-item="(\d+)"', page.text)]


async def test_tabs_and_pages(desk: DeskDoor) -> None:
    """What needs somebody comes first; other tabs show states; a list goes on where the page ends."""
    empty = await desk.get("/", AccessScope.VIEWER)
    assert ("Nothing waits for you" in empty.text, numbers(empty)) == (True, [])
    assert "No mail yet" in (await desk.get("/?tab=all")).text
    assert "No case is updated" in (await desk.get("/?tab=updated")).text
    parked = await desk.close()
    for number in range(52):
        await put(desk, f"Mail {number}")

    assert numbers(await desk.get("/")) == [1]
    first = await desk.get("/?tab=ticketed")
    assert numbers(first) == list(range(53, 3, -1))
    older = re.search(r'rel="next" href="([^"]+)"', first.text)
    assert older
    assert numbers(await desk.get(older[1].replace("&amp;", "&"))) == [3, 2, 1]
    assert re.search(r"Needs you <span[^>]*>1</span>", first.text)
    assert (await desk.get("/?before=x")).status_code == 422
    assert parked.case == "case-1"


async def test_searches(desk: DeskDoor) -> None:
    """The grammar finds; what is not understood says so with its cure; words of a mail stay words."""
    await put(desk, "The export stops", "Kim Vogel <kim@x.example>")
    await put(desk, "Kim is away", "Ada <ada@x.example>")
    for query, found in {
        "export": [1],
        "from:kim": [1],
        "subject:kim": [2],
        "kim": [2, 1],
        '"kim is"': [2],
        "ticket:ops-42": [2, 1],
        "state:ticketed since:today until:today": [2, 1],
        "until:yesterday": [],
        "%": [],
    }.items():
        assert numbers(await desk.get("/?q=" + query.replace("%", "%25"))) == found, query
    wrong = await desk.get("/?q=form:kim")
    assert (wrong.status_code, "write from:" in wrong.text, numbers(wrong)) == (422, True, [])
    unknown = await desk.get("/?q=state:lost")
    assert "state: lost is no state: write ticketed, commented," in unknown.text
    nothing = (await desk.get("/?q=zzz")).text
    assert ['class="count">' in page for page in (nothing, (await desk.get("/?tab=all")).text)] == [False, True]
    assert ("No case fits" in nothing, "look under All" in nothing) == (True, False)
    assert "look under All" in (await desk.get("/?tab=ignored&q=zzz")).text
    assert (await desk.get("/?go=1&q=case-2")).headers["location"] == "/cases/2"
    assert numbers(await desk.get("/?go=1&q=ops-42")) == [2, 1]
    assert (await desk.get("/?go=1&q=case-9")).status_code == 200


async def test_a_thread_is_one_line(desk: DeskDoor) -> None:
    """The newest mail stands for its thread, which unfolds into the others, and is a page of its own without a script."""
    for number in range(3):
        await put(desk, f"Mail {number}", thread="<other@x>" if number < 2 else "")
    page = await desk.get("/?tab=all")
    assert numbers(page) == [3, 2]
    assert "2<span" in page.text
    assert numbers(await desk.get("/inbox/threads/2")) == [2, 1]
    async with httpx2.AsyncClient(
        base_url=desk.door.url, cookies={COOKIE: await desk.session(AccessScope.VIEWER)}
    ) as client:
        part = await client.get("/inbox/threads/2", headers={"hx-request": "true"})
    assert (numbers(part), "<html" in part.text) == ([1], False)
    assert numbers(await desk.get("/inbox/threads/99")) == []


async def test_hostile_mails(desk: DeskDoor) -> None:
    """Nothing of a mail is markup, invisible or endless, in lists, previews and the live view."""
    await put(desk, HOSTILE, '"<b>Eve\N{ZERO WIDTH JOINER} \N{BRIDE WITH VEIL}</b>" <eve@x.example>')
    await put(desk, "long " * 2000, "no address at all")
    for path in ("/?tab=all", "/inbox/threads/1", "/inbox/plan?wish=correct&case=1&case=2"):
        page = (await desk.get(path)).text
        assert ("<script>alert" in page, "<b>Eve" in page, "\u202e" in page) == (False, False, False), path
        assert "{{ 7 * 7 }}" in page
        assert len(page) < 40_000
    found = list[tuple[str, dict[str, Any]]]()
    await heard(desk, "0.0.0.0.0", "changed", found)
    ((_, told),) = found
    assert {one["case"] for one in told["cases"]} == {"1", "2"}
    assert "<script>alert" not in "".join(one["html"] for one in told["cases"])


async def test_saved_views(desk: DeskDoor) -> None:
    """A search is kept under a name, shared if its owner says so; a broken one says why and can be deleted."""
    kept = await desk.post("/inbox/views", name="  From  Kim ", q="from:kim", tab="all", shared="1")
    assert (kept.status_code, kept.headers["location"]) == (303, "/?tab=all&q=from%3Akim")
    await desk.post("/inbox/views", name="Mine", q="from:ada", tab="")
    assert (await desk.post("/inbox/views", name=" ", q="x")).status_code == 409
    assert (await desk.post("/inbox/views", name="x", q="form:kim")).status_code == 409
    assert (await desk.post("/inbox/views", AccessScope.VIEWER, name="x", q="x")).status_code == 403
    await desk.door.context.store.views.keep(
        SavedView(name="Old", query="form:kim", owner="token approver", made_at=NOW)
    )

    menu = (await desk.get("/")).text
    assert ("From Kim" in menu, "Mine" in menu, "write from:" in menu) == (True, True, True)
    others = (await desk.get("/", AccessScope.VIEWER)).text
    assert ("From Kim" in others, "Mine" in others) == (True, False)
    assert "Delete the view “Old”" in (await desk.get("/?q=form:kim")).text
    views = {one.name: one.id for one in await desk.door.context.store.views.views("token approver")}
    assert (await desk.post(f"/inbox/views/{views['Mine']}/delete", AccessScope.ADMIN)).status_code == 409
    for name, scope in (("Old", AccessScope.APPROVER), ("From Kim", AccessScope.ADMIN)):
        assert (await desk.post(f"/inbox/views/{views[name]}/delete", scope)).status_code == 303
    assert [one.name for one in await desk.door.context.store.views.views("token approver")] == ["Mine"]


async def heard(desk: DeskDoor, pulse: str, until: str, found: list[tuple[str, dict[str, Any]]]) -> None:
    """The messages of the live view after this pulse, up to the first of this name."""
    cookies = {COOKIE: await desk.session(AccessScope.VIEWER)}
    async with (
        asyncio.timeout(PATIENCE),
        httpx2.AsyncClient(base_url=desk.door.url, cookies=cookies) as client,
        client.stream("GET", f"/live?pulse={pulse}") as answer,
    ):
        name = ""
        async for line in answer.aiter_lines():
            field, _, value = line.partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                found.append((name, json.loads(value)))
                if name == until:
                    break


async def test_what_changes_is_told(desk: DeskDoor) -> None:
    """A listener hears of everything after the pulse of his page, once it has happened, and counts a little later."""
    await put(desk, "before")
    pulse = re.search(r'data-pulse="([0-9.]+)"', (await desk.get("/")).text)
    assert pulse
    told = list[tuple[str, dict[str, Any]]]()
    listening = asyncio.create_task(heard(desk, pulse[1], "counts", told))
    await put(desk, "while he listens")
    await listening

    assert "while he listens" in json.dumps(told)
    assert "before" not in json.dumps(told)
    assert dict(told)["counts"]["all"] == 2
    assert (await desk.get("/live", None)).status_code == 303


async def test_a_store_that_is_down_and_comes_back(desk: DeskDoor) -> None:
    """The page says so and what to do; open pages are told, and told again when it is back."""
    write = desk.door.context.store._database.write
    await put(desk, "x")
    told = list[tuple[str, dict[str, Any]]]()
    listening = asyncio.create_task(heard(desk, "9.9.9.9.9", "stale", told))
    while not told:
        await asyncio.sleep(0.05)
    await write(lambda c: c.exec_driver_sql("ALTER TABLE mails RENAME TO gone"))
    down = await desk.get("/")
    while told[-1][0] != "down":
        await asyncio.sleep(0.05)
    await write(lambda c: c.exec_driver_sql("ALTER TABLE gone RENAME TO mails"))

    assert (down.status_code, "The store does not answer" in down.text) == (503, True)
    await listening
    assert [name for name, _ in told][-2:] == ["down", "stale"]
    assert numbers(await desk.get("/?tab=all")) == [1]


@pytest.mark.asyncio(loop_scope="session")
async def test_two_windows_see_what_arrives(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """A new case stands in both without a reload; who is in the middle of the list is told, and decides when."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as first, desk.page(chrome) as second:
        for number in range(3):
            await put(desk, f"Mail {number}")
        for window in (first, second):
            await window.open("/?tab=all")
            await expect(window.page.locator(".case")).to_have_count(3)
        await second.press("j")
        await put(desk, "Something new")
        await desk.comment("It waits.")
        await expect(first.page.locator(".case .subject").first).not_to_have_text("Mail 2")
        await expect(second.page.locator("#news")).to_have_text(re.compile("[12] new"))
        await expect(second.page.locator(".case .subject").first).to_have_text("Mail 2")
        await second.page.locator("#news button").click()
        await expect(second.page.locator("#news")).to_be_hidden()
        await expect(second.page.locator(".case.fresh").first).to_be_visible()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_line_that_changes_keeps_its_thread(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """What is unfolded below a line stays there, and folds again, when its mail changes meanwhile."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        for number in range(2):
            await put(desk, f"Mail {number}", thread="<root@x.example>")
        await seen.open("/?tab=ticketed")
        await seen.press("j", "t")
        await expect(seen.page.locator(".case")).to_have_count(2)
        for number in (1, 2):
            await desk.post("/inbox/do", wish="snooze", case=str(number), value="tomorrow", back="/")
        await expect(seen.page.locator(".case .chip .icon")).to_have_count(2)
        await expect(seen.page.locator(".case.mate [data-unfold]")).to_have_count(0)
        await seen.press("t")
        await expect(seen.page.locator(".case")).to_have_count(1)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_inbox_shuts_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core finds nothing serious in any state of the inbox, and no page is wider than the phone."""
    async with (
        desk_door(tmp_path, cloud_jira) as desk,
        desk.page(chrome) as seen,
    ):
        await seen.open("/")
        await seen.shot("inbox-empty-light")
        await desk.close()
        await desk.comment("The queue is empty again since this morning; it can be closed.")
        for number in ("01", "03", "04", "05", "08", "21", "24"):
            await desk.case(number)
        await desk.case(
            letter(HOSTILE + " long" * 60, '"\N{PILE OF POO} Dr. Eve Adler von und zu Hohenstein" <e@x.example>')
        )
        await desk.post("/inbox/views", name="Kim, this week", q="from:kim since:7d", shared="1")
        await desk.door.context.store.views.keep(
            SavedView(name="Old one", query="form:x", owner="token approver", made_at=NOW)
        )
        for path, name in (
            ("/", "needs"),
            ("/?tab=all", "all"),
            ("/?q=form:x", "wrong"),
            ("/?q=from:kim+since:7d", "search"),
            ("/inbox/plan?wish=duplicate&case=1&case=3&back=/", "duplicate"),
            ("/inbox/plan?wish=snooze&case=1", "snooze"),
            ("/inbox/plan?wish=decline&case=1&case=2&case=3", "decline"),
            ("/inbox/plan?wish=correct&case=1", "correct"),
        ):
            await seen.open(path)
            if name == "needs":
                await seen.press("j", "x")
            assert await seen.shut_out(f"inbox-{name}") == []


@pytest.mark.asyncio(loop_scope="session")
async def test_a_list_that_is_stale_is_loaded_again(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Who reads while too much has changed to be sent is asked to load the list again, and does so by one press without an error."""
    async with desk_door(tmp_path, cloud_jira) as desk, desk.page(chrome) as seen:
        await put(desk, "The first")
        stale = {"content_type": "text/event-stream", "body": "event: stale\ndata: {}\n\n"}
        await seen.page.route("**/live?*", lambda route: route.fulfill(**stale), times=1)
        await seen.open("/?tab=all")
        await seen.press("j")
        again = seen.page.get_by_role("button", name="The list has changed: load it again")
        await expect(again).to_be_visible()
        await put(desk, "The second")
        await again.click()
        await expect(seen.page.locator(".case .subject").first).to_have_text("The second")
        await expect(again).to_be_hidden()
