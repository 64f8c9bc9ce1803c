"""Letters in the console: read as they leave, taken back in time, sent again where they did not arrive."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from integrations.system_clock import SystemClock
from tests.servers.sandbox import RunningJira
from tests.servers.web.desk import DeskDoor, desk_door
from triage.domain.letters import Letter, LetterKind, LetterState, Original
from triage.domain.mail import Address
from triage.domain.operations.tokens import AccessScope
from triage.domain.untrusted import Untrusted


async def letter(
    desk: DeskDoor, number: int, body: str = "Dear Ada,\n\n**it works** again.", seconds: float = 90
) -> int:
    """A letter that waits for its window to end; its number."""
    store, now = desk.door.context.store, SystemClock().now()
    case = "case-1" if await store.archive.cases(1) else await desk.case()
    queued = await store.letters.queue(
        Letter(
            key=f"{case}:reply:{number}",
            case=case,
            kind=LetterKind.ANSWER,
            to=(Address(address="ada@example.com", name=Untrusted("Ada")),),
            subject=f"Re: The export stops {number}",
            body=body,
            message_id=f"triage.{number}@harbourline.example",
            original=Original(text=Untrusted("It stops at 40 %.")),
            due_at=now + timedelta(seconds=seconds),
            queued_at=now,
            ticket="HARB-12",
        )
    )
    return queued.id


async def became(desk: DeskDoor, number: int, state: LetterState) -> None:
    """What the mail server made of it."""
    store = desk.door.context.store.letters
    found = (await store.letters(1, number=number))[0]
    assert await store.settle(replace(found, state=state, due_at=None), was={found.state})


async def test_rights(desk: DeskDoor) -> None:
    """A viewer sees that letters were written, and no words, which a reader sees; nobody but an approver takes one back."""
    assert "No letters yet" in (await desk.get("/letters", AccessScope.VIEWER)).text
    number = await letter(desk, 1)
    seen = (await desk.get("/letters", AccessScope.VIEWER)).text
    assert ("A letter: answer" in seen, "export" in seen, "ada@" in seen) == (True, False, False)
    assert (await desk.get(f"/letters/{number}", AccessScope.VIEWER)).status_code == 403
    read = (await desk.get(f"/letters/{number}", AccessScope.READER)).text
    assert ("ada@" in read, "Take it back" in read) == (True, False)
    for scope in (AccessScope.VIEWER, AccessScope.READER):
        assert (await desk.post(f"/letters/{number}/undo", scope)).status_code == 403
    assert [(await desk.get(path)).status_code for path in ("/letters/77", "/letters/x", "/letters?state=lost")] == [
        404,
        422,
        422,
    ]


async def test_as_it_leaves_and_back(desk: DeskDoor) -> None:
    """The page shows the plain text with what it quotes; within its window it is taken back, once."""
    number = await letter(desk, 1, "Dear Ada,\n\n**it works** <script>alert(1)</script> \u202eagain.")
    page = (await desk.get(f"/letters/{number}")).text
    assert "&gt; It stops at 40 %." in page
    assert "<script>alert" not in page
    said = await desk.post(f"/letters/{number}/undo")
    assert (said.status_code, said.headers["location"]) == (303, f"/letters/{number}")
    assert (await desk.post(f"/letters/{number}/undo")).status_code == 409
    page = (await desk.get(f"/letters/{number}")).text
    assert ("cancelled" in page, "Take it back" in page, "token approver" in page) == (True, False, True)


async def test_again(desk: DeskDoor) -> None:
    """What was refused, returned or is in doubt is sent again by a person; what was sent is not."""
    for place, state in enumerate((LetterState.REFUSED, LetterState.UNKNOWN, LetterState.SENT), 1):
        number = await letter(desk, place)
        await became(desk, number, state)
        may = state is not LetterState.SENT
        assert ("Send it again" in (await desk.get(f"/letters/{number}")).text) is may
        assert (await desk.post(f"/letters/{number}/again")).status_code == (303 if may else 409)
    assert "Re: The export stops 3" in (await desk.get("/letters?state=sent")).text
    assert "Re: The export stops 1" not in (await desk.get("/letters?state=sent")).text
    assert "No letter is bounced" in (await desk.get("/letters?state=bounced")).text


async def test_more_than_a_page(desk: DeskDoor) -> None:
    """Older letters are a link away."""
    for number in range(1, 53):
        await letter(desk, number)
    assert "/letters?state=&amp;before=3" in (await desk.get("/letters")).text
    assert (await desk.get("/letters?before=3")).text.count("data-item=") == 2


@pytest.mark.asyncio(loop_scope="session")
async def test_letters_shut_nobody_out(tmp_path: Path, cloud_jira: RunningJira, chrome: Browser) -> None:
    """axe-core has no serious finding; the time to the end runs down, and u takes a letter back."""
    async with desk_door(tmp_path, cloud_jira) as desk:
        bounced, waiting = await letter(desk, 1), await letter(desk, 2)
        await became(desk, bounced, LetterState.BOUNCED)
        async with desk.page(chrome) as seen:
            for path, name in (
                ("/letters", "list"),
                (f"/letters/{waiting}", "one"),
                (f"/letters/{bounced}", "bounced"),
            ):
                await seen.open(path)
                assert await seen.shut_out(f"letters-{name}") == []
            await seen.open(f"/letters/{waiting}")
            await expect(seen.page.locator("time[data-until]")).to_contain_text("in ")
            await seen.press("u")
            await expect(seen.page.locator(".notice")).to_contain_text("taken back")
