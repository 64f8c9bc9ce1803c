"""What people say to everybody on a ticket reaches the sender of its mail, over SMTP, once; nothing else does."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects.sqlite import insert

from cli.wiring.app import App
from integrations.sql.database.decision_tables import letter_beginnings
from tests.e2e.answering import answering, mail
from tests.e2e.opened import take
from tests.e2e.triage.services.channels.talking import say
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.errors import TrackerDenied
from triage.domain.letters import LetterKind, LetterState
from triage_sandbox.jira import Fault

ON = {"comments": True}
NADIA = "nadia.ferreira"


async def synced(app: App, key: str) -> None:
    """A webhook announces the ticket, and polling reads it."""
    await app.store.tickets.mark_stale([key])
    await app.ticket_index_syncs[0].announced()
    await app.ticket_index_syncs[0].sync(0)


async def begun(app: App, at: datetime) -> None:
    """Comments are sent from this moment on."""
    row = {"kind": LetterKind.COMMENT.value, "at": at}
    set_to = insert(letter_beginnings).values(row).on_conflict_do_update(index_elements=["kind"], set_={"at": at})
    await app.store._database.write(lambda c: c.execute(set_to).close())


async def sent(app: App) -> None:
    """What is due leaves."""
    assert app.letter_sender is not None
    await app.letter_sender.drain()


async def test_a_comment_reaches_the_sender_once(
    tmp_path: Path, any_jira: RunningJira, mail_server: MailServer
) -> None:
    """Two webhooks, three polls and a second process send one letter, in the mail's thread; an edited comment sends none again."""
    settings = {"JIRA_EMAIL": "", "JIRA_API_TOKEN": "", **any_jira.settings, "SMTP_PORT": str(mail_server.port)}
    async with answering(any_jira, tmp_path, ON, **settings) as app:
        await app.ticket_index_syncs[0].prepare()
        report = await take(app, "a", mail())
        key = str(report.case.ticket)
        number = say(any_jira, NADIA, "bq. My export fails\nIt is *fixed* in 4.3.", key)
        await synced(app, key)
        await synced(app, key)
        await sent(app)
        any_jira.app.site.db.run("UPDATE comment SET updated = updated + 1000 WHERE id = ?", int(number))
    async with answering(any_jira, tmp_path, ON, **settings) as app:
        await synced(app, key)
        await sent(app)
        [letter] = await app.store.letters.letters()

    [taken] = mail_server.accepted
    assert (letter.key, letter.kind, letter.state) == (
        f"{report.case.id}:comment:{number}",
        LetterKind.COMMENT,
        LetterState.SENT,
    )
    assert letter.by == "Nadia Ferreira in Jira"
    assert taken.to == ("ada@corner-shop.example",)
    assert taken.message["In-Reply-To"] == "<r1@corner-shop.example>"
    assert b"in 4.3." in taken.raw
    assert b"My export fails" not in taken.raw


async def test_the_senders_answer_does_not_come_back(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer
) -> None:
    """What he answers joins the ticket as a comment of our account, and no letter comes of that."""
    async with answering(cloud_jira, tmp_path, ON, SMTP_PORT=str(mail_server.port)) as app:
        report = await take(app, "a", mail())
        key = str(report.case.ticket)
        say(cloud_jira, NADIA, "Which version do you have?", key)
        await synced(app, key)
        await sent(app)
        [asked] = mail_server.accepted
        joined = await take(app, "b", mail("Planner 4.2.", 2, In_Reply_To=str(asked.message["Message-ID"])))
        await synced(app, key)
        await sent(app)

    assert (joined.case.outcome, joined.case.ticket) == (Outcome.COMMENTED, key)
    assert len(mail_server.accepted) == 1


INTERNAL = {"properties": [{"key": "sd.public.comment", "value": {"internal": True}}]}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"internal": True}, "Between us: he is right."),
        ({"role": "Administrators"}, "Between us: he is right."),
        ({"ours": True}, "A note of a program that uses our account."),
        ({}, "/triage stop"),
        ({"old": True}, "Written before the letters were switched on."),
        ({"app": True}, "Build 17 is green."),
    ],
    ids=["internal", "restricted", "ours", "command", "old", "app"],
)
async def test_others_never_leave(
    change: Mapping[str, Any], words: str, tmp_path: Path, cloud_jira: RunningJira
) -> None:
    """Neither internal and restricted comments nor ours, those of apps, commands, and those older than the setting."""
    db = cloud_jira.app.site.db
    async with answering(cloud_jira, tmp_path, ON) as app:
        report = await take(app, "a", mail())
        key = str(report.case.ticket)
        with cloud_jira.api("2") as api:
            said = {"body": words, **(INTERNAL if change.get("internal") else {})}
            number = int(api.post(f"/issue/{key}/comment", json=said).raise_for_status().json()["id"])
        if not change.get("ours"):
            db.run("UPDATE comment SET author = (SELECT id FROM account WHERE name = ?) WHERE id = ?", NADIA, number)
        if change.get("role"):
            db.run(
                "UPDATE comment SET role = (SELECT id FROM role WHERE name = ?) WHERE id = ?", change["role"], number
            )
        if change.get("app"):
            db.run("UPDATE account SET kind = 'app' WHERE name = ?", NADIA)
        if change.get("old"):
            await begun(app, app.worker.clock.now() + timedelta(seconds=60))
        read = await app.ticket_index_syncs[0].tracker.tickets.get(key)
        await synced(app, key)
        letters = await app.store.letters.letters()
        await app.store.tickets.mark_stale([key])
        say(cloud_jira, "ines.moreau" if change.get("app") else NADIA, "To everybody.", key)
        await begun(app, datetime(1970, 1, 1, tzinfo=UTC))
        await synced(app, key)
        later = await app.store.letters.letters()

    assert read.key == key
    assert letters == ()
    assert "To everybody." in "".join(one.body for one in later)


async def test_off_by_default(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without the setting no comment is read and none is sent."""
    async with answering(cloud_jira, tmp_path, {"status": True}) as app:
        report = await take(app, "a", mail())
        key = str(report.case.ticket)
        say(cloud_jira, NADIA, "It is fixed.", key)
        before = len(cloud_jira.requests("GET", "/comment$"))
        await synced(app, key)
        letters = await app.store.letters.letters()

    assert letters == ()
    assert len(cloud_jira.requests("GET", "/comment$")) == before


async def test_a_comment_that_jira_does_not_tell_comes_later(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """While comments cannot be read the ticket stays announced, and the next turn sends what was said."""
    async with answering(cloud_jira, tmp_path, ON) as app:
        report = await take(app, "a", mail())
        key = str(report.case.ticket)
        say(cloud_jira, NADIA, "It is fixed.", key)
        await app.store.tickets.mark_stale([key])
        cloud_jira.fault(Fault(do="answer", method="GET", path="/comment$", status=403))
        with pytest.raises(TrackerDenied):
            await app.ticket_index_syncs[0].announced()
        before = await app.store.letters.letters()
        await app.ticket_index_syncs[0].announced()
        letters = await app.store.letters.letters()

    assert before == ()
    assert [one.kind for one in letters] == [LetterKind.COMMENT]
