"""People decide in comments on tickets: each command once, only by those who may, and the answer stands there."""

from pathlib import Path

import pytest

from tests.e2e.installation import MAILS
from tests.e2e.triage.services.channels.talking import (
    ANSWERS,
    ASKS,
    FIXED,
    POST,
    TICKET,
    account,
    heard,
    ours,
    parked,
    say,
    status,
    talk_of,
    talking,
)
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.mail import Received, Trust

NADIA = "nadia.ferreira"
OSKAR = "oskar.lindqvist"
KNOWN = (MAILS / "02-white-map-on-tablets.eml").read_bytes()


def people(jira: RunningJira, *names: str) -> str:
    """The approvers, as triage.yaml has them."""
    return f"people: [{', '.join(repr(account(jira, name)) for name in names)}]"


async def test_yes(tmp_path: Path, any_jira: RunningJira) -> None:
    """A proposal stands on its ticket; `/triage yes` of an approver does it once, and the note says so."""
    async with talking(any_jira, tmp_path, people(any_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        (asked,) = ours(any_jira)
        say(any_jira, NADIA, "/triage yes\n\nLooks right.")
        await heard(app)
        (accepted,) = ours(any_jira)
        await app.worker.drain()
        await heard(app)
        (done,) = ours(any_jira)
        decided = await app.approvals.get(number)
        report = await app.store.archive.report("case-1")

    assert f"Triage asks a person, no. {number}" in asked
    assert "Done" in asked
    assert "/triage yes" in asked
    assert "Accepted by Nadia Ferreira: it is being carried out" in accepted
    assert "Accepted by Nadia Ferreira: done" in done
    assert (status(any_jira), report.case.outcome) == ("Done", Outcome.UPDATED)
    assert decided.state is ApprovalState.ACCEPTED
    assert len(any_jira.requests("POST", f"/issue/{TICKET}/transitions")) == 1


async def test_webhook_and_polling_act_once(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A command that is announced by webhook, found by polling and read by two processes is carried out once."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        await parked(app)
        await heard(app)
        say(cloud_jira, NADIA, "/triage yes")
        await app.store.tickets.mark_stale([TICKET])
        await app.ticket_index_syncs[0].announced()
        await talk_of(app).run_once()
        await heard(app)
        async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as other:
            await other.store.ticket_notes.moved("HARB", 0)
            await talk_of(other).run_once()
        await app.worker.drain()
        await heard(app)

    assert len(cloud_jira.requests("POST", f"/issue/{TICKET}/transitions")) == 1
    assert len(ours(cloud_jira)) == 1


async def test_no(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`/triage no` leaves it undone."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        say(cloud_jira, NADIA, f"/triage no {number}")
        await heard(app)
        await app.worker.drain()

    assert "Rejected by Nadia Ferreira: nothing was done" in ours(cloud_jira)[0]
    assert status(cloud_jira) != "Done"


async def test_edit(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`/triage edit` does it as the approver says."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        await parked(app)
        await heard(app)
        say(cloud_jira, NADIA, "/triage edit In Progress")
        await heard(app)
        await app.worker.drain()
        await heard(app)

    assert "Edited and accepted by Nadia Ferreira: done" in ours(cloud_jira)[0]
    assert status(cloud_jira) == "In Progress"


async def test_a_letter(tmp_path: Path, any_jira: RunningJira) -> None:
    """An answer to a customer stands on its ticket line by line, with who gets it, and leaves as the approver has rewritten it."""
    async with talking(any_jira, tmp_path, people(any_jira, NADIA), sections=ANSWERS, **POST) as app:
        number = await parked(app, ASKS)
        key = str((await app.store.archive.report("case-1")).case.ticket)
        await heard(app)
        (asked,) = ours(any_jira, key)
        say(any_jira, NADIA, "/triage edit Hello Ida,\n\nunder Account, Members.", key)
        await heard(app)
        (accepted,) = ours(any_jira, key)
        await app.worker.drain()
        letters = await app.store.letters.letters()
        decided = await app.approvals.get(number)

    assert "letter to Ida North <ida@north.example>:" in asked.replace("\\", "")
    assert "↵" not in asked
    assert decided.state is ApprovalState.ACCEPTED
    assert ("Edited and accepted by Nadia Ferreira" in accepted, '"body"' in accepted) == (True, False)
    assert [(one.to[0].address, one.body, one.by) for one in letters] == [
        ("ida@north.example", "Hello Ida,\n\nunder Account, Members.", decided.by)
    ]


async def test_somebody_who_may_not(tmp_path: Path, any_jira: RunningJira) -> None:
    """The command of a person who is no approver does nothing, and is refused visibly once, however often it comes."""
    async with talking(any_jira, tmp_path, people(any_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        for text in ("/triage yes", "/triage yes please", "/triage stop"):
            say(any_jira, OSKAR, text)
            await heard(app)
        await app.worker.drain()
        waiting = await app.approvals.get(number)

    _, refused = ours(any_jira)
    assert "Oskar Lindqvist: nothing was done" in refused
    assert waiting.state is ApprovalState.OPEN
    assert any_jira.requests("POST", f"/issue/{TICKET}/transitions") == []


@pytest.mark.parametrize("role", ["Administrators", "Users"])
async def test_a_role_of_the_project(tmp_path: Path, any_jira: RunningJira, role: str) -> None:
    """Approvers may be named by a role; it holds for its people and for those of its groups."""
    async with talking(any_jira, tmp_path, f"roles: [{role}]") as app:
        number = await parked(app)
        await heard(app)
        say(any_jira, NADIA, "/triage no")
        await heard(app)
        decided = await app.approvals.get(number)

    assert decided.state is ApprovalState.REJECTED


@pytest.mark.parametrize(
    "text",
    [
        "{quote}/triage yes{quote}",
        "bq. /triage yes",
        "{code}/triage yes{code}",
        "He wrote: /triage yes",
        "From a mail by Nadia\n\n/triage yes",
    ],
)
async def test_quoted_commands(tmp_path: Path, any_jira: RunningJira, text: str) -> None:
    """What an approver quotes is not what he says."""
    async with talking(any_jira, tmp_path, people(any_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        say(any_jira, NADIA, text)
        await heard(app)
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN
    assert len(ours(any_jira)) == 1


async def test_a_mail_that_becomes_our_comment(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A command in our own comment, whoever wrote the mail behind it, is no command; nor is one that stood there before."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA, "triage.bot")) as app:
        say(cloud_jira, NADIA, "/triage yes")
        number = await parked(app)
        await heard(app)
        with cloud_jira.api("2") as api:
            api.post(f"/issue/{TICKET}/comment", json={"body": "/triage yes"}).raise_for_status()
        await heard(app)
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN


async def test_a_comment_that_somebody_else_has_edited(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Words that another person put into an approver's comment are nobody's."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        comment = say(cloud_jira, NADIA, "/triage yes")
        other = account(cloud_jira, OSKAR)
        cloud_jira.app.site.db.run("UPDATE comment SET editor = ? WHERE id = ?", other, int(comment))
        await heard(app)
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN


async def test_his_own_mail(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Nobody decides about the wish of his own mail; the answer says so."""
    mine = FIXED.replace(b"Sigrid Haugen <sigrid.haugen@", b"Nadia Ferreira <nadia.ferreira@")
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        number = await parked(app, mine)
        await heard(app)
        say(cloud_jira, NADIA, "/triage yes")
        await heard(app)
        waiting = await app.approvals.get(number)

    assert waiting.state is ApprovalState.OPEN
    assert "somebody else has to" in ours(cloud_jira)[-1]


async def test_stop_and_help(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`/triage stop` rejects all that waits there; an unknown word is answered with what there is."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        number = await parked(app)
        await heard(app)
        say(cloud_jira, NADIA, "/triage whatever")
        await heard(app)
        say(cloud_jira, NADIA, "/triage stop")
        await heard(app)
        say(cloud_jira, NADIA, "/triage yes 77")
        await heard(app)
        decided = await app.approvals.get(number)

    assert decided.state is ApprovalState.REJECTED
    _, helped, nothing = ours(cloud_jira)
    assert "/triage stop" in helped
    assert "no. 77 does not wait here" in nothing


async def test_not_this_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`/triage not KEY` lets the mail that commented there be decided again without that ticket: it gets its own."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        received = Received(
            source="demo", source_id="known", raw=KNOWN, at=app.worker.clock.now(), verdict=Trust.VERIFIED
        )
        case = await app.intake.accept(received)
        await app.worker.drain()
        first = await app.store.archive.report(case)
        await heard(app)
        say(cloud_jira, NADIA, "/triage not HARB-12", "HARB-12")
        await heard(app)
        await app.worker.drain()
        second = await app.store.archive.report(case)

    assert (first.case.outcome, first.case.ticket) == (Outcome.COMMENTED, "HARB-12")
    assert second.case.outcome is Outcome.TICKETED
    assert second.case.ticket != "HARB-12"
    assert "decided again, without HARB-12" in ours(cloud_jira, "HARB-12")[-1].replace("\\", "")


async def test_nothing_to_take_back(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`/triage undo` where no mail has written says so."""
    async with talking(cloud_jira, tmp_path, people(cloud_jira, NADIA)) as app:
        await parked(app)
        await heard(app)
        say(cloud_jira, NADIA, "/triage undo")
        await heard(app)

    assert "no mail of ours has written to" in ours(cloud_jira)[-1]


@pytest.mark.parametrize("answer", ["", "I look at it."])
async def test_undo(tmp_path: Path, any_jira: RunningJira, answer: str) -> None:
    """`/triage undo` takes back what the mail wrote on this ticket; what a person has answered stays."""
    async with talking(any_jira, tmp_path, people(any_jira, NADIA)) as app:
        received = Received(
            source="demo", source_id="known", raw=KNOWN, at=app.worker.clock.now(), verdict=Trust.VERIFIED
        )
        case = await app.intake.accept(received)
        await app.worker.drain()
        await heard(app)
        if answer:
            say(any_jira, OSKAR, answer, "HARB-12")
        say(any_jira, NADIA, "/triage undo", "HARB-12")
        await heard(app)
        await app.worker.drain()
        done = await app.store.archive.report(case)

    written, told = ours(any_jira, "HARB-12")[-2:]
    assert ("Withdrawn by" in written) is not bool(answer)
    assert "wrote here is taken back" in told
    assert "took back" in done.case.reason
    assert ("stays: people have" in done.case.reason) is bool(answer)
