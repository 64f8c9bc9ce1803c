"""Cases over HTTP: lists, filters, cursors."""

from datetime import UTC, datetime
from typing import Any

from tests.contract.store.store_samples import OPENING, TURN, full, opened, step
from tests.e2e.web.api.api_door import ApiDoor
from triage.domain.mail import Received
from triage.domain.operations.tokens import AccessScope

MORNING = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


def mail(number: int) -> Received:
    """A mail."""
    raw = f"From: Ada <ada{number}@example.com>\r\nSubject: It is down {number}\r\n\r\nThe shop answers 502.\r\n"
    return Received(source="file", source_id=str(number), raw=raw.encode(), at=MORNING)


async def test_pages(door: ApiDoor) -> None:
    """Cursors lead through all cases, newest first, each once, also while new ones come in."""
    for number in range(5):
        await door.context.intake.accept(mail(number))
    page: dict[str, Any] = (await door.get("/cases?limit=2")).json()
    seen = [one["id"] for one in page["items"]]
    await door.context.intake.accept(mail(9))
    while page["next"]:
        page = (await door.get("/cases", params={"limit": 2, "cursor": page["next"]})).json()
        seen += [one["id"] for one in page["items"]]

    assert seen == [f"case-{n}" for n in (5, 4, 3, 2, 1)]
    assert page["items"][0] == {
        "id": "case-1",
        "received_at": "2026-11-20T09:00:00Z",
        "sender": "",
        "subject": "",
        "state": "ready",
        "ticket": "",
        "reason": "",
    }


async def test_a_state_that_is_none(door: ApiDoor) -> None:
    """A misspelt state is refused with those that there are, and lists nothing as if there were no such mail."""
    await door.context.intake.accept(mail(1))
    states = ("", "ready", "waiting", "Ready", "wating")
    answers = {state: await door.get("/cases", params={"state": state}) for state in states}
    found = {state: len(answer.json().get("items", [])) for state, answer in answers.items()}

    assert [answer.status_code for answer in answers.values()] == [200, 200, 200, 422, 422]
    assert found == {"": 1, "ready": 1, "waiting": 0, "Ready": 0, "wating": 0}
    assert "waiting" in answers["wating"].json()["wrong"][0]["why"]


async def test_cursors_that_are_none(door: ApiDoor) -> None:
    """A cursor that is made up or of another list is refused."""
    wrong = {"x": 400, "Y2FzZXM6eA": 400, "ZXZlbnRzOjE": 400, "====": 422, "é": 422, "Y2FzZXM6LTE": 400}
    answers = {cursor: (await door.get("/cases", params={"cursor": cursor})).status_code for cursor in wrong}

    assert answers == wrong


async def finished(door: ApiDoor) -> str:
    """A case with something in every part of its report."""
    leased = await opened(door.context.store)
    await leased.journal.keep_opening(f"{leased.lease.case}/2", "jira", OPENING)
    await leased.journal.keep_turn(f"{leased.lease.case}/2", 1, TURN, 12.0)
    await leased.cases.save(full(await leased.cases.load()), step(), calls=2)
    await door.context.store.jobs.open(leased.lease).cases.finish()
    return leased.lease.case


async def test_a_report(door: ApiDoor) -> None:
    """Who may read words gets the whole report, as `triage show --json` has it; a viewer gets what happened, and no words."""
    case = await finished(door)
    whole = (await door.get(f"/cases/{case}", scope=AccessScope.APPROVER)).json()
    short = await door.get("/cases/1", scope=AccessScope.VIEWER)

    assert (whole["details"]["case"]["message"]["text"], whole["jira_calls"]) == ("It is broken.", 2)
    assert whole["details"]["runs"][0]["user"] == OPENING[1].text
    assert {**short.json(), "details": whole["details"]} == whole
    assert short.json()["turns"][0]["calls"] == ["read_jira_tickets"]
    for words in ("It is broken.", OPENING[1].text, TURN.text, "search_text", "log.txt"):
        assert words not in short.text


async def test_the_raw_mail_is_a_download(door: ApiDoor) -> None:
    """Byte for byte, under a name of ours, and never shown or run by a browser."""
    raw = b"From: a@example.com\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>\xff\x00"
    await door.context.intake.accept(Received(source="file", source_id="1", raw=raw, at=MORNING))
    answer = await door.get("/cases/case-1/raw")

    assert answer.content == raw
    assert answer.headers["content-type"] == "message/rfc822"
    assert answer.headers["content-disposition"] == 'attachment; filename="case-1.eml"'
    assert (answer.headers["x-content-type-options"], answer.headers["cache-control"]) == ("nosniff", "no-store")
    assert "sandbox" in answer.headers["content-security-policy"]


async def test_cases_that_are_none(door: ApiDoor) -> None:
    """An unknown number is 404 with the cure; what is no name of a case is refused before anything is looked up."""
    unknown = [await door.get(path) for path in ("/cases/9", "/cases/9/raw")]
    names = ("0", "x", "case-", "-1", "1e3", "9999999999", "case-1%20", "%EF%BC%91")
    refused = {name: (await door.get(f"/cases/{name}")).status_code for name in names}

    assert [(one.status_code, one.json()["cure"]) for one in unknown] == [
        (404, "GET /api/v1/cases lists the cases")
    ] * 2
    assert refused == dict.fromkeys(names, 422)


async def test_a_lesson_is_taken_back(door: ApiDoor) -> None:
    """What a correction taught is listed for readers, and an approver drops it, once; the correction stays with its case."""
    case = await finished(door)
    said = (await door.post(f"/cases/{case}/corrections", json={"becomes": "spam"})).json()
    ((lesson,), viewer) = (await door.get("/lessons")).json(), await door.get("/lessons", scope=AccessScope.VIEWER)
    path = f"/api/v1/lessons/{said['id']}"
    asked = [
        await door.ask("DELETE", path, scope=scope)
        for scope in (AccessScope.READER, AccessScope.APPROVER, AccessScope.APPROVER)
    ]

    assert lesson == said | {key: lesson[key] for key in ("case", "sender", "trust")}
    assert (lesson["case"], viewer.status_code) == (case, 403)
    assert [one.status_code for one in asked] == [403, 200, 404]
    assert (await door.get("/lessons")).json() == []
    assert len((await door.get(f"/cases/{case}")).json()["corrections"]) == 1


async def test_a_correction(door: ApiDoor) -> None:
    """What a person says is recorded with his name, and the case is due again; nonsense is refused."""
    case = await finished(door)
    text, _ = await door.tokens.create("ada", AccessScope.APPROVER, 1, by="test", person="ada@example.com")
    said = await door.post(
        f"/cases/{case}/corrections",
        scope=None,
        headers={"authorization": f"Bearer {text}"},
        json={"becomes": "addition", "ticket": "OPS-7"},
    )
    asked = [{"becomes": "nonsense"}, {"becomes": "work", "more": 1}, {}, {"becomes": "work", "ticket": "x"}]
    wrong = [(await door.post(f"/cases/{case}/corrections", json=body)).status_code for body in asked]
    await door.context.intake.accept(mail(9))
    unread = await door.post("/cases/case-2/corrections", json={"becomes": "ignore"})

    assert (said.status_code, said.json()["by"], said.json()["ticket"]) == (202, "ada@example.com", "OPS-7")
    assert wrong == [422] * 4
    assert (unread.status_code, unread.json()["cure"]) == (409, "wait until the case has been worked on")
    assert (await door.get(f"/cases/{case}")).json()["corrections"] == [said.json() | {"disposition": "addition"}]
    assert await door.context.store.jobs.next_due() == 0
