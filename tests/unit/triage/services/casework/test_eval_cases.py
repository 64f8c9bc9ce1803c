"""A test case of a case: files that the evaluation reads, with nobody's data in them."""

import email
import io
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from cli.evaluate.cases.expected import cases_of
from tests.unit.triage.services.casework.mail_cases import NOW
from triage.domain.approvals import Correction
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.errors import NotRead
from triage.domain.findings import Classification, Disposition, DispositionFinding
from triage.domain.mail import Address, Attachment, Message
from triage.domain.reports import Report
from triage.domain.untrusted import Untrusted
from triage.services.casework.anonymous import MailAnonymiser
from triage.services.casework.eval_cases import EvalCase, EvalCases, files_of

FOUND = Classification(disposition=DispositionFinding(disposition=Disposition.WORK, confidence=0.9))


def report(number: int, outcome: Outcome, ticket: str = "", **facts: object) -> Report:
    """The report of a case that has ended."""
    message = Message(
        message_id=f"{number}@acme.test",
        in_reply_to=(f"{number - 1}@acme.test",),
        subject=Untrusted("Ada asks\nagain"),
        sender=Address(address="ada@acme.test", name=Untrusted("Ada Byron")),
        to=(Address(address="", name=Untrusted("undisclosed")),),
        date=datetime(2026, 11, 22, tzinfo=UTC),
        text=Untrusted("I am Ada. \u202eIt fails."),
        attachments=(
            Attachment(name=Untrusted("ada.pdf"), content_type="application/pdf", size=9, inline=False, sha256="a"),
            Attachment(name=Untrusted("m.eml"), content_type="message/rfc822", size=9, inline=False, sha256="b"),
        ),
        headers=(("list-id", "Byron <news.acme.test>"), ("x-secret", "ada")),
    )
    case = Case(
        id=f"case-{number}", source="file", received_at=NOW, message=message, outcome=outcome, ticket=ticket or None
    )
    case = replace(case, **{"classification": FOUND, **facts})  # type: ignore[arg-type]  # facts are fields of a case
    return Report(case=case, state=str(outcome), attempts=1, trouble="")


def created() -> AgentResult:
    """The result of a run that made a ticket."""
    written = {"type": "Bug", "priority": "Sev 1", "components": ["Billing"]}
    runs = (
        ToolRun(tool="search", arguments={}, result="text", iteration=1),
        ToolRun(tool="create_jira_ticket", arguments={}, result={"written": written}, iteration=1),
    )
    return AgentResult(status=RunStatus.COMPLETED, tool_calls=runs)


def test_the_evaluation_reads_what_was_made(tmp_path: Path) -> None:
    """Mails in their order, each with what became of it; a corrected one with the person's word."""
    word = Correction(case="case-3", disposition=Disposition.SPAM, by="ada")
    reports = [
        report(1, Outcome.TICKETED, "OPS-7", result=created()),
        report(2, Outcome.COMMENTED, "OPS-7"),
        report(3, Outcome.IGNORED, correction=word),
        report(4, Outcome.COMMENTED, "OPS-1", classification=Classification()),
    ]
    for name, content in files_of(reports, MailAnonymiser("OPS")).items():
        (tmp_path / name).write_bytes(content)
    first, second, third, fourth = (one.expected for one in cases_of(tmp_path))

    assert (first.action, first.ticket, first.type, first.priority) == (("ticketed",), ("new",), ("Bug",), ())
    assert (second.action, second.ticket, second.disposition) == (("commented",), ("mail:01",), (Disposition.WORK,))
    assert (third.ticket, third.disposition) == (("none",), (Disposition.SPAM,))
    assert (fourth.ticket, fourth.disposition) == ((), ())


def test_a_mail_is_written_anew_without_anybody() -> None:
    """Envelope and text name nobody, files are empty, headers that tell nothing of the kind are gone."""
    raw = files_of([report(2, Outcome.IGNORED)], MailAnonymiser())["01-case.eml"]
    mail = email.message_from_bytes(raw)
    whole = raw.decode()

    assert not any(word in whole.casefold() for word in ("ada", "byron", "acme", "x-secret", "\u202e"))
    assert mail["From"] == "Alex Bela <person1@site1.example>"
    assert mail["To"] == "undisclosed <nobody@site.example>" or "nobody@site.example" in mail["To"]
    assert mail["List-Id"] == "Bela <site1.example>"
    assert mail["In-Reply-To"] == "<mail2@site.example>"
    assert [(part.get_filename(), part.get_payload(decode=True)) for part in mail.walk() if part.get_filename()] == [
        ("file-1.pdf", b""),
        ("file-2.eml", b""),
    ]


class Archive:
    """Three cases of one ticket."""

    def __init__(self) -> None:
        self.known = {
            one: report(one, Outcome.TICKETED if one == 1 else Outcome.COMMENTED, "OPS-7") for one in (1, 2, 3)
        }

    async def report(self, case: str) -> Report:
        """By name."""
        return self.known[int(case[5:])]

    async def cases(self, _limit: int, _state: None, before: str, _where: object) -> list[Case]:
        """Those before, newest first."""
        return [self.known[number].case for number in range(int(before[5:]) - 1, 0, -1)]


async def test_earlier_mails_of_the_ticket_go_along() -> None:
    """So the last one finds its thread; one that made its ticket goes alone. All lie in one archive."""
    made = EvalCases(archive=Archive())  # type: ignore[arg-type]  # what is asked of it
    whole = await made.of("3")
    with zipfile.ZipFile(io.BytesIO(whole.zipped())) as archive:
        names = archive.namelist()

    assert names == ["tickets.yaml", *(f"0{one}-case.{ending}" for one in (1, 2, 3) for ending in ("eml", "yaml"))]
    assert yaml.safe_load(whole.files["03-case.yaml"])["ticket"] == "mail:01"
    assert len((await made.of("case-1")).files) == 3
    assert isinstance(whole, EvalCase)


def test_an_unread_mail_is_no_test() -> None:
    """Nothing is known of it yet."""
    with pytest.raises(NotRead):
        files_of([report(1, Outcome.WAITING, message=None)], MailAnonymiser())
