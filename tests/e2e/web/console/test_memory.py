"""The memory in the console and the API: what each role sees, what people change, and one ticket of an action."""

import asyncio
from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, expect

from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from tests.unit.triage.policy.memory.samples import a_note
from tests.unit.triage.services.memory.vault import notes_in
from triage.domain.memory.notes import Note, Quadrant
from triage.domain.operations.tokens import AccessScope
from triage.policy.memory.views.board import version_of
from triage.services.memory.notes import NoteService
from web.console.way_in import COOKIE

REPORT = a_note("action_required/report", "Send the report", "The auditor *waits*.", source_emails=("case-1",))

COUNT_SIZES = """() => {
  window.sizes = 0;
  for (const name of ["clientWidth", "clientHeight"]) {
    const was = Object.getOwnPropertyDescriptor(Element.prototype, name).get;
    Object.defineProperty(HTMLCanvasElement.prototype, name, { get() { window.sizes += 1; return was.call(this); } });
  }
}"""


@pytest.fixture
async def desk(tmp_path: Path, cloud_jira: RunningJira) -> AsyncIterator[DeskDoor]:
    """The console with an empty memory."""
    (tmp_path / "memory").mkdir()
    async with desk_door(tmp_path, cloud_jira, ENABLE_MEMORY="true", MEMORY_DIR=str(tmp_path / "memory")) as door:
        yield door


async def written(folder: Path, note: Note = REPORT) -> Note:
    """A note in the vault."""
    return (await notes_in(folder / "memory").write(note, "action")).note


async def test_it_is_off_until_it_is_switched_on(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without the setting there is no entry, no page and no answer."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        assert "/memory" not in (await desk.get("/")).text
        assert (await desk.get("/memory")).status_code == 404
        assert (await api(desk, "What is overdue?")).status_code == 404


async def api(desk: DeskDoor, question: str, scope: AccessScope = AccessScope.VIEWER) -> httpx2.Response:
    """A question over the API."""
    async with httpx2.AsyncClient(base_url=desk.door.url) as client:
        held = {"authorization": f"Bearer {desk.door.held[scope]}"}
        return await client.post("/api/v1/ask", json={"question": question}, headers=held)


async def test_roles(desk: DeskDoor, tmp_path: Path) -> None:
    """A viewer sees titles, states and the graph, and no words of mails; a reader sees them; only approvers change something."""
    note = await written(tmp_path)
    path = f"/memory/notes/{note.id}"
    seen = [
        (await desk.get(each, AccessScope.VIEWER)).text for each in ("/memory", "/memory/notes", "/memory/graph", path)
    ]
    assert all("Send the report" in page and "The auditor" not in page for page in seen)
    assert "Make a ticket" not in "".join(seen)
    assert "The auditor *waits*." in (await desk.get(path)).text
    read = (await desk.get(path, AccessScope.READER)).text
    assert ("The auditor <em>waits</em>." in read, "Change it" in read) == (True, False)
    for deed, scope in product(("move", "end", "undo", "ticket", "edit"), (AccessScope.VIEWER, AccessScope.READER)):
        assert (await desk.post(f"{path}/{deed}", scope)).status_code == 403
    wrong = [(await desk.get(each)).status_code for each in ("/memory/notes/action_required/none", "/memory/notes/x/y")]
    assert wrong == [404, 422]
    by_text = [
        (await desk.get("/memory/notes?q=auditor", scope)).text for scope in (AccessScope.VIEWER, AccessScope.READER)
    ]
    assert ["Send the report" in page for page in by_text] == [False, True]
    assert "Send the report" in (await desk.get("/memory/notes?q=REPORT", AccessScope.VIEWER)).text
    assert "There is no node" in (await desk.get("/memory/graph?node=note:none")).text
    assert "No note fits" in (await desk.get("/memory/notes?q=crocodile&status=all")).text


async def test_a_line_says_what_its_title_does_not(desk: DeskDoor, tmp_path: Path) -> None:
    """A line of the list has the text beyond the title, whom it concerns and where it comes from; its state only where it is over."""
    await written(tmp_path)
    long = a_note("decisions/cameras", "No cameras on…", "No cameras on the quay.\n\n- until *May*")
    await written(tmp_path, long)
    page, titles = (await desk.get("/memory/notes")).text, (await desk.get("/memory/notes", AccessScope.VIEWER)).text

    assert all(words in page for words in (">The auditor waits.<", ">… the quay. - until May<", 'href="/cases/1"'))
    assert "waits" not in titles
    assert "state-active" not in page


async def test_an_empty_memory_says_how_it_fills(desk: DeskDoor) -> None:
    """Board and list name the command that writes notes."""
    assert "No open action" in (await desk.get("/memory", AccessScope.VIEWER)).text
    assert "No notes yet" in (await desk.get("/memory/notes", AccessScope.VIEWER)).text


async def test_a_note_is_changed_and_taken_back(desk: DeskDoor, tmp_path: Path) -> None:
    """Moved, closed, edited and undone; whoever has an older page is told, and what he wrote is not lost."""
    note = await written(tmp_path)
    path, notes = f"/memory/notes/{note.id}", notes_in(tmp_path / "memory")
    version = version_of(note)
    moved = await desk.post(f"{path}/move", version=version, quadrant="delegate")
    assert (moved.status_code, moved.headers["location"]) == (303, f"/memory?undo={note.id}")
    assert "Take it back" in (await desk.get(moved.headers["location"])).text
    assert (await desk.post(f"{path}/move", version=version, quadrant="do")).status_code == 409
    late = await desk.post(f"{path}/edit", version=version, title="Mine", text="My words")
    assert (late.status_code, "My words" in late.text) == (409, True)
    assert (await desk.post(f"{path}/undo")).status_code == 303
    again = await current(notes, note.id)
    assert again.quadrant is None
    edited = await desk.post(
        f"{path}/edit", version=version_of(again), title="Mine", text="My words", deadline="2020-01-02"
    )
    assert (edited.status_code, edited.headers["location"]) == (303, path)
    assert "overdue since 2 Jan 2020" in (await desk.get("/memory")).text
    assert (await api(desk, "What is overdue?")).json()["answer"][0]["source"] == f"note:{note.id}"
    ended = await desk.post(f"{path}/end", version=version_of(await current(notes, note.id)), status="closed")
    assert ended.status_code == 303
    assert (await desk.post("/memory/notes/action_required/none/undo")).status_code == 409


async def current(notes: NoteService, name: str) -> Note:
    """The note as it is on disk."""
    found = await notes.get(name)
    assert found is not None
    return found


async def test_a_ticket_is_ordered_once(desk: DeskDoor, tmp_path: Path) -> None:
    """Two presses are one accepted call of the mail's case; without a mail the answer says what to do."""
    await desk.case()
    note = await written(tmp_path)
    alone = await written(tmp_path, a_note("action_required/cable", "Order a cable", source_emails=()))
    presses = await asyncio.gather(*(desk.post(f"/memory/notes/{note.id}/ticket") for _ in range(2)))

    assert [press.status_code for press in presses] == [303, 303]
    report = await desk.door.context.store.archive.report("case-1")
    assert [(one.tool, one.state) for one in report.approvals] == [("create_jira_ticket", "accepted")]
    assert "A ticket is being made" in (await desk.get("/memory")).text
    assert "comes from no mail" in (await desk.post(f"/memory/notes/{alone.id}/ticket")).text


@pytest.mark.asyncio(loop_scope="session")
async def test_the_memory_shuts_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core has no serious finding; the chat answers below the field, and the graph goes on by keys."""
    folder = str(tmp_path / "memory")
    (tmp_path / "memory").mkdir()
    async with desk_door(tmp_path, cloud_jira, ENABLE_MEMORY="true", MEMORY_DIR=folder) as desk:
        await desk.case()
        note = await written(tmp_path)
        await written(tmp_path, a_note("decisions/cameras", "No cameras on the quay", people=("Ann",)))
        await written(tmp_path, a_note("action_required/cable", "Order a cable", quadrant=Quadrant.DO))
        async with desk.page(chrome) as seen:
            for name, path in (
                ("board", "/memory"),
                ("notes", "/memory/notes"),
                ("note", f"/memory/notes/{note.id}"),
                ("graph", f"/memory/graph?node=note:{note.id}"),
                ("ask", "/memory/ask"),
            ):
                await seen.open(path)
                if name == "graph":
                    await seen.page.wait_for_selector("canvas[data-drawn]")
                    await seen.page.focus("#graph")
                    await seen.press("n")
                    await expect(seen.page.locator("#chosen h2")).not_to_have_text("Send the report")
                if name == "ask":
                    await seen.page.fill("input[name=question]", "What did we decide about cameras?")
                    await seen.press("Enter")
                    await expect(seen.page.locator("#answers")).to_contain_text("No cameras on the quay")
                assert await seen.shut_out(f"memory-{name}") == []


async def test_the_chat_answers_without_scripts(desk: DeskDoor, tmp_path: Path) -> None:
    """A form without a script gets the whole page; an empty question and words that nobody knows are told."""
    await written(tmp_path)
    page = (await desk.post("/memory/ask", question="What do we have to do?")).text
    assert "Action: Send the report" in page
    assert "<html" in page
    assert (await desk.post("/memory/ask", question=" ")).status_code == 409
    assert "I do not know" in (await desk.post("/memory/ask", question="What is the capital of France?")).text
    assert 'value="What do we have to do?"' in page  # the next question may go on from it
    assert "`" not in (await desk.post("/memory/ask", question="build")).text.partition("<article")[2]


async def test_the_picture_has_a_place_for_every_node(desk: DeskDoor, tmp_path: Path) -> None:
    """The data name each node once, with a place, and edges by their numbers."""
    note = await written(tmp_path)
    data = (await desk.get("/memory/graph/data")).json()

    assert {node[0] for node in data["nodes"]} >= {"mail:case-1", f"note:{note.id}"}
    assert all(0 <= end < len(data["nodes"]) for edge in data["edges"] for end in edge)


DRAWN = """() => {
  window.labels = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    window.labels.push([text, x, x + this.measureText(text).width, this.canvas.clientWidth]);
    return draw.call(this, text, x, y);
  };
}"""
"""Notes each name that a page writes into a canvas: text, left and right end, width of the canvas."""


@pytest.mark.asyncio(loop_scope="session")
async def test_names_in_the_picture_are_whole_or_shortened(
    tmp_path: Path, cloud_jira: RunningJira, chrome: Browser
) -> None:
    """On a phone, too, no name crosses the edge of the picture: what has no room is shortened, and says so."""
    (tmp_path / "memory").mkdir()
    for number in range(9):
        people = (f"someone.with.a.long.name.{number}@harbourline.example",)
        await written(
            tmp_path, a_note(f"decisions/quay-{number}", f"No {number} cameras on the northern quay", people=people)
        )
    on = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **on) as desk, desk.page(chrome, phone=True) as seen:
        await seen.page.add_init_script(f"({DRAWN})()")
        await seen.open("/memory/graph")
        await seen.page.wait_for_selector("canvas[data-drawn]")
        await seen.page.wait_for_function("window.labels.length > 0")
        labels = await seen.page.evaluate("window.labels")

    assert [label for label in labels if label[1] < 0 or label[2] > label[3]] == []
    assert any(text.endswith("…") for text, *_ in labels)


async def test_the_team_is_nobody_in_its_own_memory(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What the mailbox itself shall do is everybody's: its address joins no notes in the graph, and owns no card."""
    (tmp_path / "memory").mkdir()
    mine = {
        "ENABLE_MEMORY": "true",
        "MEMORY_DIR": str(tmp_path / "memory"),
        "MAIL_FROM": "Help <Help@harbourline.example>",
    }
    async with desk_door(tmp_path, cloud_jira, **mine) as desk:
        for name, owner in (("report", "help@harbourline.example"), ("cable", "ann@acme.example")):
            await written(
                tmp_path, a_note(f"action_required/{name}", f"Do the {name}", owner=owner, quadrant=Quadrant.DO)
            )
        board, graph = [(await desk.get(path)).text for path in ("/memory", "/memory/graph")]

    for page in (board, graph):
        assert ("ann@acme.example" in page, "help@harbourline.example" in page) == (True, False)


@pytest.mark.asyncio(loop_scope="session")
async def test_the_graph_asks_for_no_layout(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """A picture of many nodes asks the browser for the size of its canvas a few times, not once for each end of each line."""
    (tmp_path / "memory").mkdir()
    settings = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **settings) as desk, desk.page(chrome) as seen:
        for number in range(30):
            people = tuple(f"p{each}@x.example" for each in range(8))
            await written(tmp_path, a_note(f"decisions/n{number}", f"Note {number}", "Words.", people=people))
        await seen.open("/memory/graph")
        await expect(seen.page.locator("canvas[data-drawn]")).to_be_visible()
        await seen.page.locator("canvas").focus()
        await seen.page.evaluate(COUNT_SIZES)
        await seen.press("ArrowLeft")
        await seen.page.wait_for_function("window.sizes > 0")
        await seen.page.wait_for_timeout(50)

        assert await seen.page.evaluate("window.sizes") < 20


@pytest.mark.asyncio(loop_scope="session")
async def test_views_are_reached_by_a_finger(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Lists of views look alike on all pages, and each of them is as high as a finger wants (WCAG 2.5.8)."""
    (tmp_path / "memory").mkdir()
    settings = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory"), "ENABLE_SUPPORT": "true"}
    async with desk_door(tmp_path, cloud_jira, **settings) as desk, desk.page(chrome, phone=True) as seen:
        for path in ("/", "/memory", "/memory/notes", "/letters", "/support"):
            await seen.open(path)
            boxes = [await one.bounding_box() for one in await seen.page.locator("nav.tabs a").all()]
            assert len(boxes) > 2, path
            assert min(box["height"] for box in boxes if box) >= 24, path


@pytest.mark.asyncio(loop_scope="session")
async def test_the_graph_without_scripts(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """Nobody looks at an empty frame: without JavaScript the list stands alone."""
    (tmp_path / "memory").mkdir()
    settings = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **settings) as desk:
        await written(tmp_path)
        context = await chrome.new_context(java_script_enabled=False)
        cookie = {"name": COOKIE, "value": await desk.session(AccessScope.READER), "url": desk.door.url}
        await context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict of its own
        page = await context.new_page()
        await page.goto(f"{desk.door.url}/memory/graph")
        await expect(page.locator(".links.tall")).to_be_visible()
        await expect(page.locator(".picture")).to_be_hidden()
        await context.close()


@pytest.mark.asyncio(loop_scope="session")
async def test_the_palette_goes_to_pages_of_the_memory(
    tmp_path: Path, cloud_jira: RunningJira, chrome: Browser
) -> None:
    """Those below a line of the menu, too, by their name."""
    (tmp_path / "memory").mkdir()
    on = {"ENABLE_MEMORY": "true", "MEMORY_DIR": str(tmp_path / "memory")}
    async with desk_door(tmp_path, cloud_jira, **on) as desk, desk.page(chrome) as seen:
        await seen.open("/")
        await seen.press("Control+k")
        await seen.page.keyboard.type("notes")
        await seen.press("Enter")
        await expect(seen.page).to_have_url(f"{desk.door.url}/memory/notes")
