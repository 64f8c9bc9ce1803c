"""Mails are answered: planned, prepared, worded and weighed by code, and sent, parked or laid down through the letter tools."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI, Response

from cli.mail.process import worked
from tests.e2e.answering import STAMP, answering, mail
from tests.e2e.opened import ADA as ADA_OF_THE_DESK
from tests.e2e.opened import again, house, take
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.errors import ToolRefused
from triage.domain.findings import Intent
from triage.domain.letters import LetterKind
from triage.domain.letters.reply import Execution, Reply, ReplyState
from triage.domain.mail import Received, Stub
from triage.domain.reports import Report
from triage_sandbox.server import Served

COMPLAINT = (
    "Hello,\n\nthis is the third time I write about the wrong invoice and nobody answers. This is unacceptable.\n\nAda"
)
ON = {"answers": "letters"}
FEED = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\n"
    "DTSTART:{0}T080000Z\r\nDTEND:{0}T110000Z\r\nSUMMARY:Board\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
"""A calendar that is busy from 8 to 11 on one day."""
AUTO = "autonomy:\n  letter: auto\n"


def reply_of(report: Report) -> Reply:
    """The answer of a case."""
    assert report.case.reply is not None
    return report.case.reply


async def test_an_inquiry_gets_a_draft_that_a_person_accepts(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The answer is worded, waits with its reasons, and is queued once after a person's word; draft and final text are kept apart."""
    async with answering(cloud_jira, tmp_path, ON) as opened:
        first = await take(opened, "a", mail())
        [approval] = first.approvals
        await opened.approvals.accept(approval.id, ADA_OF_THE_DESK)
        report = await again(opened, first)
        letters = await opened.store.letters.letters(case=report.case.id)

    reply = reply_of(first)
    assert (first.case.outcome, reply.state) == (Outcome.WAITING, ReplyState.NEEDS_REVIEW)
    assert reply.draft.startswith("Hello Ada Byron,\n\nThank you for writing to us.")
    assert [one.kind for one in letters] == [LetterKind.ANSWER]
    assert letters[0].body == reply.draft.strip()
    assert report.case.outcome is Outcome.TICKETED
    assert (reply_of(report).state, reply_of(report).by, reply_of(report).final) == (
        ReplyState.SENT,
        "ada",
        reply.draft,
    )
    assert f"**{report.case.ticket}**" in reply.draft


async def test_an_approver_adds_a_colleague(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """He may put one more person of either side in copy; a foreign address is refused at once, and nothing is decided by it."""
    async with answering(cloud_jira, tmp_path, ON) as opened:
        first = await take(opened, "a", mail())
        [approval] = first.approvals
        with pytest.raises(ToolRefused, match=r"eve@evil\.example can get no copy: neither of the sender"):
            await opened.approvals.edit(approval.id, {"copy_to": "eve@evil.example"}, ADA_OF_THE_DESK)
        [still] = await opened.reports.approvals()
        edited = await opened.approvals.edit(approval.id, {"copy_to": "bob@corner-shop.example"}, ADA_OF_THE_DESK)
        seen = await opened.approvals.proposal(approval.id, ADA_OF_THE_DESK)
        report = await again(opened, first)
        letters = await opened.store.letters.letters(case=report.case.id)

    assert still == approval
    assert edited.state is ApprovalState.ACCEPTED
    assert seen.recipients is not None
    assert "bob@corner-shop.example in copy" in seen.recipients.people
    assert [one.recipients for one in letters] == [("ada@corner-shop.example", "bob@corner-shop.example")]


async def test_a_complaint_is_never_sent_by_itself(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """However sure its answer is, a complaint waits for a person, in an empathetic tone."""
    async with answering(cloud_jira, tmp_path, {**ON, "threshold": 0}, AUTO) as opened:
        report = await take(opened, "a", mail(COMPLAINT))
        letters = await opened.store.letters.letters(case=report.case.id)

    reply = reply_of(report)
    assert report.case.classification.intent is not None
    assert report.case.classification.intent.intent is Intent.COMPLAINT
    assert letters == ()
    assert (reply.state, reply.tone) == (ReplyState.NEEDS_REVIEW, "empathetic")
    assert "a complaint is never answered without a person" in reply.person
    assert "We are sorry" in reply.draft
    assert [one.tool for one in report.approvals] == ["send_reply"]
    assert "a complaint is never answered without a person" in report.approvals[0].reason


async def test_without_letters_nothing_of_it_exists(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where letters are off there is no step, no event and no finding."""
    async with house(cloud_jira, tmp_path, AUTHSERV_ID="mx.harbourline.example") as opened:
        report = await take(opened, "a", mail())

    assert report.case.reply is None
    assert report.case.classification.intent is None
    assert {"decide", "execute", "generate", "acknowledge"}.isdisjoint(report.case.done)
    assert [name for _, name, _ in report.events if name.startswith("step.")] == []


async def test_a_mail_that_is_too_large_gets_one_letter(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Its sender is told so, with the limit and without words that he did not write, and no answer beside it is proposed."""
    more = {"MAX_MAIL_BYTES": "700000", "IMAP_USER": "desk", "IMAP_HOST": "127.0.0.1", "IMAP_PASSWORD": "x"}
    async with answering(cloud_jira, tmp_path, {**ON, "rejections": True, "receipt": True}, **more) as opened:
        now = opened.worker.clock.now()
        large = Received(source="imap:desk", source_id="1.1", raw=mail(), at=now, stub=Stub.OVERSIZE)
        case = await opened.intake.accept(large)
        await worked(opened, case)
        report = await opened.store.archive.report(case)
        [letter] = await opened.store.letters.letters(case=case)

    assert (letter.kind, report.approvals) == (LetterKind.REJECTION, ())
    assert "larger than 0.67 MB" in letter.body
    assert letter.original.text == ""
    assert "too large" in reply_of(report).because


@pytest.mark.parametrize(
    ("raw", "because"),
    [
        (mail()[len(STAMP) :], "the sender is not proven"),
        (mail("Just to let you know that our office has moved."), "the mail asks for nothing"),
    ],
    ids=["unproven", "nothing asked"],
)
async def test_some_mails_are_not_answered(raw: bytes, because: str, tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Unproven senders and mails that ask for nothing get no letter, and the report says why."""
    async with answering(cloud_jira, tmp_path, {**ON, "receipt": False}) as opened:
        report = await take(opened, "a", raw)
        letters = await opened.store.letters.letters(case=report.case.id)

    assert letters == ()
    assert (reply_of(report).state, because in reply_of(report).because) == (ReplyState.NONE, True)
    assert because in next(step.note for step in report.steps if step.name == "decide")


async def test_a_tool_that_is_not_installed_is_skipped_visibly(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without a calendar a meeting request is answered all the same; the missing tool is named and lowers the confidence."""
    async with answering(cloud_jira, tmp_path, ON) as opened:
        report = await take(
            opened, "a", mail("Hello,\n\ncould we meet next Tuesday at 10 to go through the plan?\n\nAda")
        )

    reply = reply_of(report)
    assert [(one.tool, one.state) for one in reply.executions] == [("check_calendar", Execution.MISSING)]
    assert any("below" in reason for reason in reply.person)
    assert "not installed: check_calendar" in next(step.note for step in report.steps if step.name == "decide")


async def test_drafts_are_laid_down_and_wait_for_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """With `answers: drafts` the answer goes to the folder of drafts, and the case ends with its ticket."""
    async with answering(cloud_jira, tmp_path, {"answers": "drafts"}) as opened:
        report = await take(opened, "a", mail())
        [letter] = await opened.store.letters.letters(case=report.case.id)

    assert (letter.draft, report.case.outcome) == (True, Outcome.TICKETED)
    assert reply_of(report).state is ReplyState.SENT


async def test_a_receipt_goes_once(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The receipt names the ticket in the sender's language; an answer in the thread gets no second one."""
    german = "Guten Tag,\n\nseit heute früh zeigt die Ausfuhr einen Fehler. Bitte schauen Sie nach.\n\nAda"
    async with answering(cloud_jira, tmp_path, {"receipt": True}) as opened:
        report = await take(opened, "a", mail(german))
        more = mail("Noch immer dasselbe, bitte sehen Sie nach.", 2, In_Reply_To="<r1@corner-shop.example>")
        second = await take(opened, "b", more)
        letters = await opened.store.letters.letters()

    assert [(one.kind, one.language, one.automatic) for one in letters] == [(LetterKind.RECEIPT, "de", True)]
    assert f"hat die Nummer **{report.case.ticket}**" in letters[0].body
    assert letters[0].due_at is not None
    assert second.case.ticket == report.case.ticket


async def test_a_question_back_joins_its_ticket(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer
) -> None:
    """A bare bug report is asked back over SMTP; the answer to the signed letter becomes a comment on the same ticket."""
    switches = {"questions": True, "receipt": True}
    async with answering(cloud_jira, tmp_path, switches, SMTP_PORT=str(mail_server.port)) as opened:
        report = await take(opened, "a", mail("Hello,\n\nthe export of pallets crashes.\n\nAda"))
        assert opened.letter_sender is not None
        await opened.letter_sender.drain()
        [sent] = mail_server.accepted
        answer = mail("Planner 4.2, I press Export and it is gone.", 2, In_Reply_To=str(sent.message["Message-ID"]))
        joined = await take(opened, "b", answer)
        await opened.letter_sender.drain()
        letters = await opened.store.letters.letters()

    assert sent.to == ("ada@corner-shop.example",)
    assert sent.message["In-Reply-To"] == "<r1@corner-shop.example>"
    assert sent.message["Auto-Submitted"] == "auto-replied"
    assert b"the steps that lead to it" in sent.raw
    assert (joined.case.outcome, joined.case.ticket) == (Outcome.COMMENTED, report.case.ticket)
    assert [one.kind for one in letters] == [LetterKind.QUESTION]
    assert len(mail_server.accepted) == 1


async def test_the_log_of_the_steps_is_whole_and_redacted(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Each step leaves run, place, duration and what it changed, without addresses."""
    async with answering(cloud_jira, tmp_path, ON) as opened:
        report = await take(opened, "a", mail())

    traced = [facts for _, name, facts in report.events if name == "step.trace"]
    assert len(traced) == len(report.steps)
    assert all(f'"trace": "{report.case.run_id}"' in facts for facts in traced)
    assert "ada@corner-shop.example" not in "".join(traced)
    assert "…@corner-shop.example" in "".join(traced)


@pytest.mark.parametrize("answer", ["same thread", "new subject", "auto"])
async def test_a_system_that_answers_everything_gets_no_more_letters_than_the_limit(
    answer: str, tmp_path: Path, cloud_jira: RunningJira
) -> None:
    """Whatever an automatic system answers to our letters, in a day it gets as many as the limit allows."""
    switches = {"receipt": True, "questions": True, "answers": "letters"}
    limits = {"THROTTLE_SENDER_PER_HOUR": "0", "LETTERS_PER_PERSON_PER_DAY": "2"}
    async with answering(cloud_jira, tmp_path, switches, **limits) as opened:
        raw = mail("Hello,\n\nthe export of pallets crashes.\n\nAda")
        for number in range(2, 9):
            await take(opened, str(number), raw)
            letters = await opened.store.letters.letters()
            thread = {"In_Reply_To": f"<{letters[0].message_id}>"} if answer == "same thread" and letters else {}
            auto = {"Auto_Submitted": "auto-replied"} if answer == "auto" else {}
            subject = f"Report {number}" if answer == "new subject" else "Export of pallets"
            raw = mail(
                f"Number {number}: the export of list {number} crashes.", number, subject=subject, **thread, **auto
            )
        letters = await opened.store.letters.letters()

    assert 1 <= len([one for one in letters if one.automatic]) <= 2


async def test_one_tool_that_fails_stops_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A calendar that is down is tried three times and told; the answer is drafted without it, and a person decides."""
    calendars = "calendars:\n- {name: team, ics: 'http://127.0.0.1:1/team.ics'}\n"
    async with answering(cloud_jira, tmp_path, ON, calendars) as opened:
        report = await take(
            opened, "a", mail("Hello,\n\ncould we meet next Tuesday at 10 to go through the plan?\n\nAda")
        )

    reply = reply_of(report)
    [calendar] = reply.executions
    assert (calendar.tool, calendar.state, calendar.attempts) == ("check_calendar", Execution.FAILED, 3)
    assert calendar.error
    assert "We are checking our calendars" in reply.draft
    assert reply.state is ReplyState.NEEDS_REVIEW
    assert "check_calendar failed after 3 tries" in next(step.note for step in report.steps if step.name == "execute")


async def test_times_on_the_wished_day_are_offered(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who asks for a day is offered free times on it first, and our people's appointments stay unsaid."""
    today = datetime.now(UTC).date()
    wednesday = today + timedelta(days=9 - today.weekday())
    app = FastAPI()
    app.get("/team.ics")(lambda: Response(FEED.format(f"{wednesday:%Y%m%d}"), media_type="text/calendar"))
    with Served(app) as feed:
        calendars = f"calendars:\n- {{name: team, ics: '{feed.url}/team.ics'}}\n"
        async with answering(cloud_jira, tmp_path, ON, calendars) as opened:
            report = await take(opened, "a", mail("Hello,\n\ncould we meet next Wednesday about the plan?\n\nAda"))

    draft = reply_of(report).draft
    assert f"- Wednesday, {wednesday}, 11:00\u201311:30\n- Wednesday, {wednesday}, 13:00\u201313:30" in draft
    assert "Board" not in draft


async def test_a_contact_is_looked_up_for_the_answer(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The sender's entry in the table of customers is on record beside the draft."""
    (tmp_path / "customers.csv").write_text("address,name,level\nada@corner-shop.example,Ada Byron,gold\n")
    async with answering(cloud_jira, tmp_path, ON, f"contacts:\n  csv: {tmp_path}/customers.csv\n") as opened:
        report = await take(opened, "a", mail())

    [contact] = reply_of(report).executions
    assert (contact.tool, contact.state) == ("get_contact", Execution.DONE)
    assert "gold" in contact.result


async def test_a_sure_answer_goes_by_itself_where_letters_are_automatic(
    tmp_path: Path, cloud_jira: RunningJira
) -> None:
    """With `autonomy: letter: auto` a clear inquiry of a proven sender is answered without a person; below the threshold one decides."""
    async with answering(cloud_jira, tmp_path, ON, AUTO) as opened:
        report = await take(opened, "a", mail())
        [letter] = await opened.store.letters.letters()
        other = await take(opened, "b", mail("Hello,\n\ncould we meet next Tuesday at 10?\n\nAda", 2, subject="Plan"))

    assert (letter.kind, letter.automatic, letter.case) == (LetterKind.ANSWER, True, report.case.id)
    assert (report.case.outcome, reply_of(report).state) == (Outcome.TICKETED, ReplyState.SENT)
    assert reply_of(report).confidence >= 0.8
    assert (other.case.outcome, reply_of(other).state) == (Outcome.WAITING, ReplyState.NEEDS_REVIEW)
    assert any("below 80%" in reason for reason in reply_of(other).person)
